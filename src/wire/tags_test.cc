#include "wire/tags.h"

#include "wire/table_fixture.h"

namespace sheaf::wire {
namespace {

class Tags : public WireTest {
 protected:
  static inline const std::string kArn = "arn:aws:dynamodb:us-east-1:000000000000:table/Things";

  static std::string tag(const std::string& key, const std::string& value) {
    return "{'Key':'" + key + "','Value':'" + value + "'}";
  }
  static std::string request(const std::string& tags, const std::string& arn = kArn) {
    return "{'ResourceArn':'" + arn + "','Tags':[" + tags + "]}";
  }
  static std::string keys(const std::string& list) {
    return "{'ResourceArn':'" + kArn + "','TagKeys':[" + list + "]}";
  }
  std::string list(const std::string& more = "") {
    return must("ListTagsOfResource", "{'ResourceArn':'" + kArn + "'" + more + "}").body();
  }
  std::string refused_tag(const std::string& tags) { return refusal("TagResource", request(tags)); }
};

TEST_F(Tags, AreSetReplacedRemovedAndListed) {
  create("Things", ",'Tags':[" + tag("born", "with") + "]");
  EXPECT_EQ(must("TagResource", request(tag("env", "test") + "," + tag("team", ""))).body(), "{}");
  must("TagResource", request(tag("env", "production")));
  EXPECT_EQ(list(), json("{'Tags':[" + tag("born", "with") + "," + tag("env", "production") + "," +
                         tag("team", "") + "]}"));
  EXPECT_EQ(must("UntagResource", keys("'team','never','born'")).body(), "{}");
  EXPECT_EQ(list(), json("{'Tags':[" + tag("env", "production") + "]}"));
}

TEST_F(Tags, AreListedAllAtOnce) {
  create("Things");
  std::string many;
  for (int i = 10; i < 60; ++i) many += (i == 10 ? "" : ",") + tag("key" + std::to_string(i), "v");
  must("TagResource", request(many));
  const std::string all = list();
  EXPECT_EQ(all, json("{'Tags':[" + many + "]}"));
  EXPECT_EQ(list(",'NextToken':'made up'"), all);
}

TEST_F(Tags, NameWhatIsWrongWithThem) {
  create("Things");
  EXPECT_EQ(refused_tag(""), invalid("Atleast one Tag needs to be provided as Input."));
  EXPECT_EQ(refusal("UntagResource", keys("")),
            invalid("Atleast one Tag Key needs to be provided as Input."));
  EXPECT_EQ(refused_tag(tag("dup", "1") + "," + tag("dup", "2")),
            invalid("Duplicate Tag Keys provided as input: Duplicate Tag Key found dup"));
  EXPECT_EQ(refused_tag(tag("a;b", "1")), invalid("The Tag Key provided is invalid, Key: a;b"));
  EXPECT_EQ(refused_tag(tag("", "1")), invalid("The Tag Key provided is invalid, Key: "));
  const std::string longest(128, 'k');
  must("TagResource", request(tag(longest, std::string(256, 'v'))));
  EXPECT_EQ(refused_tag(tag(longest + "k", "1")),
            invalid("The Tag Key provided is invalid, Key: " + longest + "k"));
  EXPECT_EQ(refused_tag(tag("a", std::string(257, 'v'))),
            invalid("The Tag Value provided is invalid, Value: " + std::string(257, 'v')));
  EXPECT_EQ(refused_tag(tag("a", "1;2")), invalid("The Tag Value provided is invalid, Value: 1;2"));
  EXPECT_EQ(refused_tag("{'Key':'a'}"), invalid("The Tag Value provided is invalid, Value: null"));
  EXPECT_EQ(refused_tag("{'Value':'a'}"), invalid("The Tag Key provided is invalid, Key: null"));
  EXPECT_EQ(refused_tag(tag("aws:foo", "1")), invalid("Tag Key cannot be prefixed with aws:, Key: aws:foo"));
  EXPECT_EQ(refusal("UntagResource", keys("'a',''")), invalid("The Tag Key provided is invalid, Key: "));
  must("TagResource", request(tag("Größe 1+-=._:/@", "日本")));
}

TEST_F(Tags, AreFiftyAtMost) {
  create("Things");
  std::string fifty, names;
  for (int i = 0; i < 50; ++i) {
    fifty += (i == 0 ? "" : ",") + tag("k" + std::to_string(i), "v");
    names += (i == 0 ? "'" : ",'") + std::to_string(i) + "'";
  }
  const std::string too_many =
      invalid("Number of Tags exceed the current limit for the provided ResourceArn");
  EXPECT_EQ(refused_tag(fifty + "," + tag("more", "v")), too_many);
  must("TagResource", request(fifty));
  EXPECT_EQ(refused_tag(tag("more", "v")), too_many);
  must("TagResource", request(tag("k0", "another")));
  must("UntagResource", keys(names));
  EXPECT_EQ(refusal("UntagResource", keys(names + ",'50'")), too_many);
}

TEST_F(Tags, BelongToATableThatIsThere) {
  EXPECT_EQ(refusal("TagResource", "{}"),
            invalid("2 validation errors detected: Value null at 'resourceArn' failed to satisfy constraint: "
                    "Member must not be null; Value null at 'tags' failed to satisfy constraint: Member must "
                    "not be null"));
  const auto refused_arn = [&](const std::string& arn) {
    return refusal("TagResource", request(tag("a", "b"), arn));
  };
  EXPECT_EQ(refused_arn("not-a-valid-arn"), invalid_value("ARNs must start with 'arn:': not-a-valid-arn"));
  EXPECT_EQ(refused_arn("arn:aws:s3:::bucket"),
            invalid_value("Provided Arn is not a DynamoDB resource arn: arn:aws:s3:::bucket"));
  EXPECT_EQ(
      refused_arn("arn:aws:dynamodb:us-east-1:000000000000:backup/x"),
      invalid_value("Invalid resource arn provided, only table or stream is accepted. Provided resource "
                    "arn: arn:aws:dynamodb:us-east-1:000000000000:backup/x"));
  EXPECT_EQ(
      refused_arn(kArn + "/index/gsi"),
      invalid_value("Invalid resource arn provided, only table or stream is accepted. Provided resource "
                    "arn: " +
                    kArn + "/index/gsi"));
  EXPECT_EQ(refused_arn(kArn + "/stream/x"),
            invalid("Invalid TableArn: Invalid ResourceArn provided as input " + kArn + "/stream/x"));
  for (const char* operation : {"TagResource", "UntagResource", "ListTagsOfResource"}) {
    const Reply reply =
        call(operation, "{'ResourceArn':'" + kArn + "','Tags':[" + tag("a", "b") + "],'TagKeys':['a']}");
    EXPECT_EQ(reply.refusal(),
              "AccessDeniedException: User: arn:aws:iam::000000000000:root is not authorized to perform: "
              "dynamodb:" +
                  std::string(operation) + " on resource: " + kArn);
    EXPECT_EQ(reply.status(), 400);
    EXPECT_EQ(reply.at("/__type"), "com.amazon.coral.service#AccessDeniedException");
    EXPECT_TRUE(reply.has("/Message") && !reply.has("/message")) << "AWS spells this one with a capital";
  }
  account_.id = "123456789012";
  const std::string mine = "arn:aws:dynamodb:us-east-1:123456789012:table/Things";
  EXPECT_EQ(refused_arn(mine),
            "ResourceNotFoundException: Requested resource not found: ResourceArn: " + mine + " not found");
  EXPECT_TRUE(refused_arn(kArn).starts_with("AccessDeniedException: User: arn:aws:iam::123456789012:root"));
}

}  // namespace
}  // namespace sheaf::wire
