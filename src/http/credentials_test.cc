#include "http/credentials.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "base/temp_directory.h"

namespace sheaf::http {
namespace {

constexpr std::string_view kSecret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";

std::string section(std::string_view name, std::string_view id, std::string_view more = "") {
  return "[" + std::string(name) + "]\naws_access_key_id = " + std::string(id) +
         "\naws_secret_access_key = " + std::string(kSecret) + "\n" + std::string(more);
}

std::string error_of(std::string_view text) {
  const auto set = parse_credentials(text);
  if (set.ok()) return "";
  EXPECT_EQ(set.error().code, Code::kInvalid);
  return set.error().message;
}

TEST(CredentialsFile, IsReadInTheFormOfAws) {
  const auto set = parse_credentials(
      "# who may come in\r\n"
      "; and why\n"
      "\n"
      "[default]\n"
      "aws_access_key_id = AKIDEXAMPLE\n"
      "aws_secret_access_key=wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY\r\n"
      "[ reader@orders ]\n"
      "  AWS_Access_Key_Id =AKIDREADER\n"
      "\taws_secret_access_key\t= a/secret+with=signs\n"
      "aws_session_token = token==\n"
      "sheaf_role = readonly");
  ASSERT_TRUE(set.ok()) << set.error().message;
  EXPECT_EQ(set->size(), 2u);
  const Credential* first = set->find("AKIDEXAMPLE");
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(first->name(), "default");
  EXPECT_EQ(first->access_key_id(), "AKIDEXAMPLE");
  EXPECT_EQ(first->secret_access_key().reveal(), kSecret);
  EXPECT_TRUE(first->session_token().empty());
  EXPECT_EQ(first->role(), Role::kAdmin);
  const Credential* second = set->find("AKIDREADER");
  ASSERT_NE(second, nullptr);
  EXPECT_EQ(second->name(), "reader@orders");
  EXPECT_EQ(second->secret_access_key().reveal(), "a/secret+with=signs");
  EXPECT_EQ(second->session_token().reveal(), "token==");
  EXPECT_EQ(second->role(), Role::kReadonly);
  EXPECT_EQ(set->find("AKIDNOBODY"), nullptr);
  EXPECT_EQ(set->find(""), nullptr);
}

TEST(CredentialsFile, NamesThreeRoles) {
  EXPECT_EQ(parse_credentials(section("a", "A", "sheaf_role = admin"))->find("A")->role(), Role::kAdmin);
  EXPECT_EQ(parse_credentials(section("a", "A", "sheaf_role = metrics"))->find("A")->role(), Role::kMetrics);
  EXPECT_EQ(error_of(section("a", "A", "sheaf_role = Admin")),
            "line 4: sheaf_role is admin, readonly or metrics");
}

TEST(CredentialsFile, WhatIsWrongIsToldByItsLine) {
  EXPECT_EQ(error_of(""), "it holds no credentials");
  EXPECT_EQ(error_of("# nothing\n\n"), "it holds no credentials");
  EXPECT_EQ(error_of("\naws_access_key_id = A"), "line 2: a key before the first [name]");
  EXPECT_EQ(error_of("[a\n"), "line 1: a name in brackets lacks its closing bracket");
  EXPECT_EQ(error_of("[]\n"),
            "line 1: a name in brackets has 1 to 64 characters: letters, digits and +=,.@_-");
  EXPECT_EQ(error_of("[profile a]\n"),
            "line 1: a name in brackets has 1 to 64 characters: letters, digits and +=,.@_-");
  EXPECT_EQ(error_of(section("a", "A", "hello\n")), "line 4: neither [name] nor key = value");
  EXPECT_EQ(error_of(section("a", "A", "aws_session_token =\n")), "line 4: the value is missing");
  EXPECT_EQ(error_of(section("a", "A", "aws_session_token = t # comment\n")),
            "line 4: a value has no blanks and only printable ASCII characters");
  EXPECT_EQ(error_of(section("a", "A", std::string_view("aws_session_token = t\0\n", 22))),
            "line 4: a value has no blanks and only printable ASCII characters");
  EXPECT_EQ(error_of(section("a", "A", "region = us-east-1\n")),
            "line 4: unknown key; there are aws_access_key_id, aws_secret_access_key, aws_session_token and "
            "sheaf_role");
  EXPECT_EQ(error_of("\n[a]\naws_access_key_id = A\n[b]\n"),
            "line 2: aws_secret_access_key is missing below this name");
  EXPECT_EQ(error_of("\n[a]\naws_secret_access_key = 0123456789abcdef\n"),
            "line 2: aws_access_key_id is missing below this name");
  EXPECT_EQ(error_of(section("a", "A/B")),
            "line 2: an access key id has 1 to 128 characters: letters, digits and _-.");
}

TEST(CredentialsFile, NothingIsGivenTwice) {
  EXPECT_EQ(error_of(section("a", "A", "aws_access_key_id = B")), "line 4: this key was given before");
  EXPECT_EQ(error_of(section("a", "A", "aws_secret_access_key = 0123456789abcdef")),
            "line 4: this key was given before");
  EXPECT_EQ(error_of(section("a", "A", "aws_session_token = t\naws_session_token = t")),
            "line 5: this key was given before");
  EXPECT_EQ(error_of(section("a", "A", "sheaf_role = metrics\nsheaf_role = admin")),
            "line 5: this key was given before");
  EXPECT_EQ(error_of(section("a", "A") + section("a", "B")), "line 4: this name was used before");
  EXPECT_EQ(error_of(section("a", "A") + section("b", "A")),
            "line 4: the access key id below this name was used before");
}

TEST(CredentialsFile, LengthsAreLimited) {
  const auto with_secret = [](size_t length) {
    return "[a]\naws_access_key_id = A\naws_secret_access_key = " + std::string(length, 's');
  };
  EXPECT_NE(error_of(with_secret(15)), "");
  EXPECT_EQ(error_of(with_secret(16)), "");
  EXPECT_EQ(error_of(with_secret(256)), "");
  EXPECT_EQ(error_of(with_secret(257)), "line 3: a secret access key has 16 to 256 characters");
  EXPECT_EQ(error_of(section("a", std::string(128, 'A'))), "");
  EXPECT_NE(error_of(section("a", std::string(129, 'A'))), "");
  EXPECT_EQ(error_of(section(std::string(64, 'n'), "A")), "");
  EXPECT_NE(error_of(section(std::string(65, 'n'), "A")), "");
  EXPECT_EQ(error_of(section("a", "A", "aws_session_token = " + std::string(4096, 't'))), "");
  EXPECT_NE(error_of(section("a", "A", "aws_session_token = " + std::string(4097, 't'))), "");
}

TEST(CredentialsFile, ErrorsShowNothingOfTheSecrets) {
  const std::string secret(kSecret);
  for (const std::string& text :
       {secret, "[" + secret, "[" + secret + " " + secret + "]", secret + " = 1",
        "[a]\n" + secret + " = " + secret, "[a]\naws_secret_access_key " + secret,
        "[a]\naws_access_key_id = A/" + secret, "[a]\nsheaf_role = " + secret,
        "[a]\naws_secret_access_key = " + secret + " " + secret,
        "[a]\naws_secret_access_key = " + secret + "\naws_secret_access_key = " + secret,
        "[a]\naws_secret_access_key = " + secret}) {
    const std::string message = error_of(text);
    EXPECT_NE(message, "") << text;
    EXPECT_EQ(message.find(secret.substr(0, 6)), std::string::npos) << message;
  }
}

class CredentialsOnDisk : public testing::Test {
 protected:
  void write(std::string_view text, mode_t mode) {
    std::ofstream(path_) << text;
    ASSERT_EQ(::chmod(path_.c_str(), mode), 0);
  }
  std::string error() const {
    const auto set = load_credentials(path_);
    return set.ok() ? "" : set.error().message;
  }

  TempDirectory directory_;
  std::string path_ = directory_.path("credentials");
};

TEST_F(CredentialsOnDisk, AreReadFromAPrivateFile) {
  write(section("a", "A"), 0600);
  const auto set = load_credentials(path_);
  ASSERT_TRUE(set.ok()) << set.error().message;
  EXPECT_EQ(set->find("A")->secret_access_key().reveal(), kSecret);
  ASSERT_EQ(::chmod(path_.c_str(), 0400), 0);
  EXPECT_EQ(error(), "");
}

TEST_F(CredentialsOnDisk, AnyRightOfOthersIsRefused) {
  for (const mode_t right : {S_IRGRP, S_IWGRP, S_IXGRP, S_IROTH, S_IWOTH, S_IXOTH}) {
    write(section("a", "A"), 0600 | right);
    EXPECT_EQ(error(),
              "the credentials file " + path_ + " is open to other users. Close it: chmod 600 " + path_)
        << right;
  }
}

TEST_F(CredentialsOnDisk, AFileOfAnotherUserIsRefused) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs the right to give a file away";
  write(section("a", "A"), 0600);
  ASSERT_EQ(::chown(path_.c_str(), 12345, static_cast<gid_t>(-1)), 0);
  EXPECT_NE(error().find("belongs to another user"), std::string::npos) << error();
}

TEST_F(CredentialsOnDisk, OnlyRegularFilesAreRead) {
  ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);
  EXPECT_EQ(error(), "the credentials file " + path_ + " is not a regular file");
  ASSERT_TRUE(std::filesystem::remove(path_));
  ASSERT_TRUE(std::filesystem::create_directory(path_));
  EXPECT_NE(error(), "");
}

TEST_F(CredentialsOnDisk, AMissingFileIsAnError) {
  const auto set = load_credentials(path_);
  ASSERT_FALSE(set.ok());
  EXPECT_EQ(set.error().code, Code::kIo);
  EXPECT_EQ(set.error().message, "cannot read the credentials file " + path_ + ": No such file or directory");
}

TEST_F(CredentialsOnDisk, AHugeFileIsRefused) {
  write(std::string((1 << 20) + 1, '#'), 0600);
  EXPECT_EQ(error(), "the credentials file " + path_ + " is larger than 1 MiB");
}

TEST_F(CredentialsOnDisk, ErrorsNameTheFileAndTheLine) {
  write("[a]\nwhat", 0600);
  EXPECT_EQ(error(), "the credentials file " + path_ + ": line 2: neither [name] nor key = value");
}

TEST(Secret, ComparesWholeTexts) {
  const Secret secret("0123");
  EXPECT_TRUE(secret.equals("0123"));
  EXPECT_FALSE(secret.equals("0124"));
  EXPECT_FALSE(secret.equals("012"));
  EXPECT_FALSE(secret.equals("01234"));
  EXPECT_TRUE(Secret().equals(""));
}

TEST(Secret, MovesWithoutLeavingACopy) {
  Secret first("short");
  const char* bytes = first.reveal().data();
  Secret second(std::move(first));
  EXPECT_EQ(second.reveal().data(), bytes);
  EXPECT_EQ(second.reveal(), "short");
  Secret third("other");
  third = std::move(second);
  EXPECT_EQ(third.reveal().data(), bytes);
}

TEST(Role, DecidesWhichOperationsMayRun) {
  for (const char* read : {"GetItem",
                           "BatchGetItem",
                           "TransactGetItems",
                           "Query",
                           "Scan",
                           "DescribeTable",
                           "ListTables",
                           "DescribeTimeToLive",
                           "ListTagsOfResource",
                           "ListStreams",
                           "DescribeStream",
                           "GetShardIterator",
                           "GetRecords",
                           "DescribeLimits",
                           "DescribeEndpoints",
                           "DescribeContributorInsights",
                           "ListContributorInsights",
                           "ExecuteStatement",
                           "BatchExecuteStatement",
                           "ExecuteTransaction",
                           "PartiQLSelect"}) {
    EXPECT_TRUE(may_perform(Role::kAdmin, read)) << read;
    EXPECT_TRUE(may_perform(Role::kReadonly, read)) << read;
    EXPECT_FALSE(may_perform(Role::kMetrics, read)) << read;
  }
  for (const char* write :
       {"PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "TransactWriteItems", "CreateTable",
        "UpdateTable", "DeleteTable", "TagResource", "UntagResource", "UpdateTimeToLive",
        "UpdateContributorInsights", "PartiQLInsert", "PartiQLUpdate", "PartiQLDelete", ""}) {
    EXPECT_TRUE(may_perform(Role::kAdmin, write)) << write;
    EXPECT_FALSE(may_perform(Role::kReadonly, write)) << write;
    EXPECT_FALSE(may_perform(Role::kMetrics, write)) << write;
  }
}

TEST(Credentials, AreReplacedAsAWhole) {
  Credentials credentials(*parse_credentials(section("a", "A")));
  const CredentialSet& before = credentials.current();
  credentials.replace(*parse_credentials(section("b", "B")));
  EXPECT_EQ(credentials.current().find("A"), nullptr);
  EXPECT_NE(credentials.current().find("B"), nullptr);
  EXPECT_EQ(before.find("A")->name(), "a") << "whoever still reads the old set may finish";
}

TEST(Credentials, MayBeReplacedWhileTheyAreRead) {
  Credentials credentials(*parse_credentials(section("a", "A")));
  std::atomic<bool> stop = false;
  std::atomic<int> missing = 0;
  std::vector<std::thread> readers;
  for (int i = 0; i < 3; ++i) {
    readers.emplace_back([&] {
      while (!stop) {
        const Credential* found = credentials.current().find("A");
        if (found == nullptr || found->secret_access_key().reveal() != kSecret) ++missing;
      }
    });
  }
  for (int i = 0; i < 200; ++i) credentials.replace(*parse_credentials(section("a", "A")));
  stop = true;
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(missing, 0);
}

}  // namespace
}  // namespace sheaf::http
