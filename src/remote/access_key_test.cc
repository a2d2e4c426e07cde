#include "remote/access_key.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "base/temp_directory.h"

namespace sheaf::remote {
namespace {

using Variables = std::map<std::string, std::string>;

Environment environment_of(Variables variables) {
  return [variables = std::move(variables)](const char* name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    if (found == variables.end()) return std::nullopt;
    return found->second;
  };
}

constexpr std::string_view kFile = R"(# keys
[default]
aws_access_key_id = DEFAULTKEY
aws_secret_access_key=default/secret=
region = eu-west-1

; for the other account
[ other ]
  aws_access_key_id=OTHERKEY
  aws_secret_access_key = other secret
aws_session_token =token==
[by-role]
role_arn = arn:aws:iam::123456789012:role/reader
[cut
aws_access_key_id = NOBODY
)";

TEST(AccessKey, ComesFromTheEnvironment) {
  const Variables variables = {{"AWS_ACCESS_KEY_ID", "id"}, {"AWS_SECRET_ACCESS_KEY", "secret"}};
  EXPECT_EQ(*access_key_of_environment(environment_of(variables)),
            (AccessKey{.id = "id", .secret = "secret"}));
  Variables with_token = variables;
  with_token["AWS_SESSION_TOKEN"] = "token";
  EXPECT_EQ(access_key_of_environment(environment_of(with_token))->session_token, "token");
  for (const auto& [name, value] : variables) {
    Variables without = variables;
    without.erase(name);
    EXPECT_EQ(access_key_of_environment(environment_of(without)).error().code, Code::kNotFound) << name;
  }
}

TEST(AccessKey, IsThatOfTheProfile) {
  EXPECT_EQ(*parse_profile(kFile, "default"), (AccessKey{.id = "DEFAULTKEY", .secret = "default/secret="}));
  EXPECT_EQ(*parse_profile(kFile, "other"),
            (AccessKey{.id = "OTHERKEY", .secret = "other secret", .session_token = "token=="}));
  EXPECT_EQ(parse_profile(kFile, "none").error(), (Error{Code::kNotFound, "there is no profile none"}));
  EXPECT_EQ(
      parse_profile(kFile, "by-role").error(),
      (Error{Code::kInvalid, "the profile by-role has no aws_access_key_id and aws_secret_access_key"}));
  EXPECT_EQ(parse_profile("", "default").error().code, Code::kNotFound);
}

TEST(AccessKey, ComesFromTheFileThatTheEnvironmentNames) {
  const TempDirectory directory;
  const std::string path = directory.path("credentials");
  std::ofstream(path) << kFile;
  EXPECT_EQ(access_key_of_file({.path = path}, environment_of({}))->id, "DEFAULTKEY");
  EXPECT_EQ(access_key_of_file({.path = path, .profile = "other"}, environment_of({}))->id, "OTHERKEY");
  const Environment named = environment_of({{"AWS_SHARED_CREDENTIALS_FILE", path}, {"AWS_PROFILE", "other"}});
  EXPECT_EQ(access_key_of_file({}, named)->id, "OTHERKEY");
  EXPECT_EQ(access_key_of_file({.profile = "default"}, named)->id, "DEFAULTKEY");
  EXPECT_EQ(access_key_of_file({.path = path, .profile = "none"}, named).error(),
            (Error{Code::kNotFound, path + ": there is no profile none"}));
}

TEST(AccessKey, IsLookedForInTheHomeDirectoryAtLast) {
  const TempDirectory home;
  const Environment environment = environment_of({{"HOME", home.path()}});
  const Result<AccessKey> none = find_access_key(environment);
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().code, Code::kNotFound);
  EXPECT_NE(none.error().message.find(home.path() + "/.aws/credentials"), std::string::npos);
  std::filesystem::create_directory(home.path(".aws"));
  std::ofstream(home.path(".aws/credentials")) << kFile;
  EXPECT_EQ(find_access_key(environment)->id, "DEFAULTKEY");
}

TEST(AccessKey, TheEnvironmentIsAskedBeforeTheFile) {
  const TempDirectory home;
  std::filesystem::create_directory(home.path(".aws"));
  std::ofstream(home.path(".aws/credentials")) << kFile;
  const Environment both = environment_of(
      {{"HOME", home.path()}, {"AWS_ACCESS_KEY_ID", "id"}, {"AWS_SECRET_ACCESS_KEY", "secret"}});
  EXPECT_EQ(find_access_key(both)->id, "id");
}

}  // namespace
}  // namespace sheaf::remote
