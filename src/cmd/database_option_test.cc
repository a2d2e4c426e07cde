#include "cmd/database_option.h"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <map>

#include "base/temp_directory.h"

namespace sheaf::cmd {
namespace {

using Variables = std::map<std::string, std::string>;

remote::Environment environment_of(Variables variables) {
  return [variables = std::move(variables)](const char* name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  };
}

const Variables kKey = {{"AWS_ACCESS_KEY_ID", "of-environment"}, {"AWS_SECRET_ACCESS_KEY", "secret"}};

Endpoint endpoint(const DatabaseChoice& choice, Variables variables = kKey) {
  const Result<Endpoint> found = endpoint_of(choice, environment_of(std::move(variables)));
  if (found.ok()) return *found;
  ADD_FAILURE() << found.error().message;
  return {};
}

std::string choice_refusal(const DatabaseChoice& choice, Variables variables = kKey) {
  const Result<Endpoint> found = endpoint_of(choice, environment_of(std::move(variables)));
  return found.ok() ? "not refused" : found.error().message;
}

// What a command line chooses, or what CLI11 has against it.
struct Parsed {
  DatabaseChoice choice;
  std::string wrong;
};
Parsed parse(const std::string& line, DatabaseNeed need = DatabaseNeed::kRequired, Variables variables = {}) {
  CLI::App app("test", "test");
  Parsed parsed;
  add_database_options(app, parsed.choice, need, environment_of(std::move(variables)));
  try {
    app.parse(line);
  } catch (const CLI::ParseError& error) {
    parsed.wrong = error.what();
  }
  return parsed;
}

TEST(DatabaseOptions, AreADirectoryOrAnEndpoint) {
  EXPECT_EQ(parse("--data here").choice.directory, "here");
  const Parsed remote =
      parse("--endpoint http://localhost:8000 --region r --profile p --credentials c --ca-file a");
  EXPECT_EQ(remote.wrong, "");
  EXPECT_EQ(remote.choice.endpoint, "http://localhost:8000");
  EXPECT_EQ(remote.choice.region, "r");
  EXPECT_EQ(remote.choice.profile, "p");
  EXPECT_EQ(remote.choice.credentials_path, "c");
  EXPECT_EQ(remote.choice.authorities_path, "a");
  EXPECT_NE(parse("--data here --endpoint http://localhost:8000").wrong, "");
  EXPECT_TRUE(parse("").wrong.starts_with("where is the data? --data DIRECTORY or --endpoint URL says it"));
  EXPECT_EQ(parse("", DatabaseNeed::kOptional).wrong, "");
  EXPECT_TRUE(parse("", DatabaseNeed::kOptional).choice.is_in_memory());
  EXPECT_NE(parse("--data here --endpoint x", DatabaseNeed::kOptional).wrong, "");
}

TEST(DatabaseOptions, OfTheEnvironmentHoldWhereOneIsNeededAndNoneGiven) {
  constexpr auto kNeeded = DatabaseNeed::kRequired;
  EXPECT_EQ(parse("", kNeeded, {{"SHEAF_DATA", "there"}}).choice.directory, "there");
  const Parsed remote = parse("--region r", kNeeded, {{"SHEAF_ENDPOINT", "http://there"}});
  EXPECT_EQ(remote.wrong, "");
  EXPECT_EQ(remote.choice.endpoint, "http://there");
  EXPECT_EQ(remote.choice.region, "r");
  const Parsed given = parse("--data here", kNeeded, {{"SHEAF_ENDPOINT", "http://there"}});
  EXPECT_EQ(given.choice.directory, "here");
  EXPECT_EQ(given.choice.endpoint, "");
  EXPECT_EQ(parse("--endpoint x", kNeeded, {{"SHEAF_DATA", "there"}}).choice.directory, "");
  const Parsed both = parse("", kNeeded, {{"SHEAF_DATA", "there"}, {"SHEAF_ENDPOINT", "x"}});
  const Result<std::unique_ptr<Database>> neither = open_database(both.choice);
  ASSERT_FALSE(neither.ok());
  EXPECT_EQ(neither.error().message,
            "SHEAF_DATA and SHEAF_ENDPOINT are both set: --data or --endpoint says which is meant");
  constexpr auto kUsual = DatabaseNeed::kUsual;
  EXPECT_EQ(parse("", kUsual, {{"SHEAF_DATA", "there"}}).choice.directory, "there");
  EXPECT_EQ(parse("--data here", kUsual, {{"SHEAF_DATA", "there"}, {"SHEAF_ENDPOINT", "x"}}).choice.directory,
            "here");
  EXPECT_TRUE(open_database(parse("", kUsual).choice).ok());
  EXPECT_TRUE(parse("", DatabaseNeed::kOptional, {{"SHEAF_DATA", "there"}}).choice.is_in_memory());
}

// As of a script's variable that was not set. In memory it would be gone with the command.
TEST(DatabaseOptions, AreNotEmpty) {
  const Variables set = {{"SHEAF_DATA", "there"}};
  for (const DatabaseNeed need : {DatabaseNeed::kRequired, DatabaseNeed::kUsual, DatabaseNeed::kOptional}) {
    for (const std::string option : {"--data", "--endpoint"}) {
      CLI::App app("test", "test");
      DatabaseChoice choice;
      add_database_options(app, choice, need, environment_of(set));
      try {
        app.parse(std::vector<std::string>{"", option});  // the last first
        ADD_FAILURE() << option;
      } catch (const CLI::ParseError& error) {
        EXPECT_EQ(error.what(), option + ": it is empty");
      }
    }
  }
}

TEST(DatabaseOptions, NameADirectory) {
  const TempDirectory directory;
  const std::string path = directory.path("file");
  std::ofstream(path) << "text";
  const Result<std::unique_ptr<Database>> opened = open_database({.directory = path});
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().message, "cannot open " + path + ": it is no directory");
}

TEST(DatabaseOptions, OfAnEndpointNeedOne) {
  for (const char* option : {"--region", "--profile", "--credentials", "--ca-file"}) {
    const std::string wrong = parse(std::string("--data here ") + option + " x").wrong;
    EXPECT_EQ(wrong, std::string(option) + " requires --endpoint");
  }
}

TEST(DatabaseEndpoint, HasARegionFromSomewhere) {
  const auto region = [](const std::string& url, const std::string& given, Variables variables) {
    variables.insert(kKey.begin(), kKey.end());
    return endpoint({.endpoint = url, .region = given}, std::move(variables)).region;
  };
  const Variables both = {{"AWS_REGION", "first"}, {"AWS_DEFAULT_REGION", "second"}};
  EXPECT_EQ(region("https://dynamodb.eu-west-1.amazonaws.com", "given", both), "given");
  EXPECT_EQ(region("https://dynamodb.eu-west-1.amazonaws.com", "", both), "eu-west-1");
  EXPECT_EQ(region("https://dynamodb-fips.us-west-2.amazonaws.com/", "", both), "us-west-2");
  EXPECT_EQ(region("https://dynamodb.cn-north-1.amazonaws.com.cn", "", both), "cn-north-1");
  EXPECT_EQ(region("https://dynamodb.eu-west-1.api.aws", "", both), "eu-west-1");
  EXPECT_EQ(region("https://db.example", "", both), "first");
  EXPECT_EQ(region("https://db.example", "", {{"AWS_REGION", ""}, {"AWS_DEFAULT_REGION", "second"}}),
            "second");
  EXPECT_EQ(region("https://db.example", "", {}), "us-east-1");
}

TEST(DatabaseEndpoint, OfAwsItselfIsThatOfItsRegion) {
  const Endpoint aws = endpoint({.endpoint = "aws", .region = "eu-central-1"});
  EXPECT_EQ(aws.url, "");
  EXPECT_EQ(aws.region, "eu-central-1");
  EXPECT_EQ(choice_refusal({.endpoint = "aws"}), "which region of AWS? Give --region, or set AWS_REGION");
}

class DatabaseKeyTest : public ::testing::Test {
 protected:
  DatabaseKeyTest() {
    std::ofstream(path_) << "[default]\naws_access_key_id = of-default\naws_secret_access_key = s\n"
                            "[other]\naws_access_key_id = of-other\naws_secret_access_key = s\n";
  }
  std::string key_id(DatabaseChoice choice, Variables variables) {
    choice.endpoint = "https://db.example";
    return endpoint(choice, std::move(variables)).access_key.value_or(AccessKey()).id;
  }

  TempDirectory directory_;
  const std::string path_ = directory_.path("credentials");
  const Variables nothing_ = {{"HOME", directory_.path("nobody")}};
};

TEST_F(DatabaseKeyTest, IsTheOneAskedForBeforeThatOfTheEnvironment) {
  Variables variables = kKey;
  variables["AWS_SHARED_CREDENTIALS_FILE"] = path_;
  EXPECT_EQ(key_id({}, variables), "of-environment");
  EXPECT_EQ(key_id({.profile = "other"}, variables), "of-other");
  EXPECT_EQ(key_id({.credentials_path = path_}, kKey), "of-default");
  EXPECT_EQ(key_id({.profile = "other", .credentials_path = path_}, {}), "of-other");
  EXPECT_EQ(key_id({}, {{"AWS_SHARED_CREDENTIALS_FILE", path_}}), "of-default");
}

TEST_F(DatabaseKeyTest, ThatIsNotThereIsMissed) {
  EXPECT_EQ(choice_refusal({.endpoint = "https://db.example", .profile = "third", .credentials_path = path_}),
            path_ + ": there is no profile third");
  EXPECT_EQ(choice_refusal({.endpoint = "http://localhost:1", .credentials_path = directory_.path("none")}),
            "cannot read the credentials file " + directory_.path("none"));
  EXPECT_EQ(
      choice_refusal({.endpoint = "https://db.example"}, nothing_),
      "no credentials for https://db.example: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set, and "
      "cannot read the credentials file " +
          directory_.path("nobody/.aws/credentials") + "; --profile and --credentials name others");
}

TEST_F(DatabaseKeyTest, IsMadeUpForThisMachineAlone) {
  for (const char* url : {"http://localhost:8000", "http://127.0.0.1:8000", "http://[::1]:8000"}) {
    EXPECT_TRUE(endpoint({.endpoint = url}, nothing_).access_key) << url;
    EXPECT_EQ(endpoint({.endpoint = url}, kKey).access_key->id, "of-environment") << url;
  }
  EXPECT_NE(choice_refusal({.endpoint = "http://10.0.0.1:8000"}, nothing_), "not refused");
  EXPECT_NE(choice_refusal({.endpoint = "aws", .region = "eu-west-1"}, nothing_), "not refused");
}

TEST(DatabaseEndpoint, ThatMakesNoSenseIsRefused) {
  EXPECT_EQ(choice_refusal({.endpoint = "localhost:8000"}),
            "the endpoint localhost:8000 begins neither with http:// nor with https://");
  EXPECT_EQ(choice_refusal({.endpoint = "http://localhost:8000", .authorities_path = "ca.pem"}),
            "--ca-file is for an endpoint with https://");
}

TEST(OpenDatabase, OpensWhatWasChosen) {
  const TempDirectory directory;
  const CreateTable table{.table = "Things", .key = {.partition = {{.name = "pk"}}}};
  {
    Result<std::unique_ptr<Database>> opened = open_database({.directory = directory.path("data")});
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    ASSERT_TRUE((*opened)->create_table(table).ok());
  }
  EXPECT_EQ((*open_database({.directory = directory.path("data")}))->list_tables()->size(), 1u);
  EXPECT_TRUE((*open_database({}))->list_tables()->empty());
  EXPECT_FALSE(open_database({.endpoint = "nowhere"}).ok());
  const Result<std::unique_ptr<Database>> remote =
      open_database({.endpoint = "http://localhost:1"}, environment_of(kKey));
  ASSERT_TRUE(remote.ok()) << remote.error().message;
  EXPECT_FALSE((*remote)->run_background_work().ok()) << "that is the endpoint's own";
}

TEST(OpenDatabase, MakesNoneWhereOneMustBe) {
  const TempDirectory directory;
  DatabaseChoice choice{.directory = directory.path("data"), .must_exist = true};
  const Result<std::unique_ptr<Database>> missing = open_database(choice);
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().message, "there is no database in " + choice.directory);
  EXPECT_FALSE(std::filesystem::exists(choice.directory));
  choice.must_exist = false;
  EXPECT_TRUE(open_database(choice).ok());
  choice.must_exist = true;
  EXPECT_TRUE(open_database(choice).ok());
}

}  // namespace
}  // namespace sheaf::cmd
