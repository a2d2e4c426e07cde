#include "wire/contributor_insights.h"

#include "wire/table_fixture.h"

namespace sheaf::wire {
namespace {

class ContributorInsightsOperations : public WireTest {
 protected:
  // With a sort key, a local index, and two global ones.
  void create_things() {
    must("CreateTable",
         "{'TableName':'Things','BillingMode':'PAY_PER_REQUEST','AttributeDefinitions':[" +
             definitions({"pk", "sk", "l", "g"}) + "],'KeySchema':" + key("pk", "sk") +
             ",'LocalSecondaryIndexes':[{'IndexName':'lsi','KeySchema':" + key("pk", "l") +
             ",'Projection':{'ProjectionType':'ALL'}}],'GlobalSecondaryIndexes':[{'IndexName':'two',"
             "'KeySchema':" +
             key("g", "sk") +
             ",'Projection':{'ProjectionType':'ALL'}},{'IndexName':'one','KeySchema':[{'AttributeName':'g',"
             "'KeyType':'HASH'}],'Projection':{'ProjectionType':'ALL'}}]}");
  }
  static std::string definitions(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names)
      text += (text.empty() ? "" : ",") + ("{'AttributeName':'" + name + "','AttributeType':'S'}");
    return text;
  }
  static std::string key(const std::string& hash, const std::string& range) {
    return "[{'AttributeName':'" + hash + "','KeyType':'HASH'},{'AttributeName':'" + range +
           "','KeyType':'RANGE'}]";
  }

  // `target`: "Things" or "Things/two".
  static std::string names(const std::string& target) {
    const size_t slash = std::min(target.find('/'), target.size());
    std::string text = "'TableName':'" + target.substr(0, slash) + "'";
    if (slash < target.size()) text += ",'IndexName':'" + target.substr(slash + 1) + "'";
    return text;
  }
  static std::string update(const std::string& target, const std::string& action,
                            const std::string& mode = "") {
    return "{" + names(target) + ",'ContributorInsightsAction':'" + action + "'" +
           (mode.empty() ? "" : ",'ContributorInsightsMode':'" + mode + "'") + "}";
  }
  void set(const std::string& target, const std::string& action, const std::string& mode = "") {
    must("UpdateContributorInsights", update(target, action, mode));
  }
  std::string updated(const std::string& target, const std::string& action, const std::string& mode = "") {
    return must("UpdateContributorInsights", update(target, action, mode)).body();
  }
  std::string told(const std::string& target) {
    return must("DescribeContributorInsights", "{" + names(target) + "}").body();
  }
  std::string list(const std::string& members = "") {
    return must("ListContributorInsights", "{" + members + "}").body();
  }

  static std::string answer(const std::string& target, const std::string& status,
                            const std::string& mode = "ACCESSED_AND_THROTTLED_KEYS") {
    return "{" + names(target) + ",'ContributorInsightsStatus':'" + status + "'" +
           (mode.empty() ? "" : ",'ContributorInsightsMode':'" + mode + "'") + "}";
  }
  static std::string summaries(const std::vector<std::string>& elements, const std::string& token = "") {
    std::string text;
    for (const std::string& element : elements) text += (text.empty() ? "" : ",") + element;
    return json("{'ContributorInsightsSummaries':[" + text + "]" +
                (token.empty() ? "" : ",'NextToken':'" + token + "'") + "}");
  }
  static std::string on(const std::string& target) { return answer(target, "ENABLED"); }
};

TEST_F(ContributorInsightsOperations, WhatWasNeverTurnedOnIsDisabled) {
  create_things();
  EXPECT_EQ(told("Things"), json("{'TableName':'Things','ContributorInsightsStatus':'DISABLED'}"));
  EXPECT_EQ(told("Things/two"),
            json("{'TableName':'Things','IndexName':'two','ContributorInsightsStatus':'DISABLED'}"));
  EXPECT_EQ(updated("Things", "DISABLE", "THROTTLED_KEYS"), json(answer("Things", "DISABLED", "")));
  EXPECT_EQ(told("Things"), json("{'TableName':'Things','ContributorInsightsStatus':'DISABLED'}"));
}

TEST_F(ContributorInsightsOperations, AreOnAtOnceThoughTheAnswerSaysThatTheyWillBe) {
  create_things();
  EXPECT_EQ(updated("Things", "ENABLE"), json(answer("Things", "ENABLING")));
  EXPECT_EQ(told("Things"), json("{'TableName':'Things','ContributorInsightsRuleList':["
                                 "'DynamoDBContributorInsights-PKC-Things-1800000000123',"
                                 "'DynamoDBContributorInsights-SKC-Things-1800000000123',"
                                 "'DynamoDBContributorInsights-PKT-Things-1800000000123',"
                                 "'DynamoDBContributorInsights-SKT-Things-1800000000123'],"
                                 "'ContributorInsightsStatus':'ENABLED','LastUpdateDateTime':1800000000.123,"
                                 "'ContributorInsightsMode':'ACCESSED_AND_THROTTLED_KEYS'}"));
  clock_.advance_us(kSecondUs);
  EXPECT_EQ(updated("Things", "DISABLE"), json(answer("Things", "DISABLING")));
  EXPECT_EQ(told("Things"), json("{'TableName':'Things','ContributorInsightsStatus':'DISABLED',"
                                 "'LastUpdateDateTime':1800000001.123,"
                                 "'ContributorInsightsMode':'ACCESSED_AND_THROTTLED_KEYS'}"));
}

TEST_F(ContributorInsightsOperations, WhatIsSoAlreadyIsToldAsItIs) {
  create_things();
  set("Things", "ENABLE");
  const std::string before = told("Things");
  clock_.advance_us(kSecondUs);
  EXPECT_EQ(updated("Things", "ENABLE"), json(answer("Things", "ENABLED")));
  EXPECT_EQ(updated("Things", "ENABLE", "ACCESSED_AND_THROTTLED_KEYS"), json(answer("Things", "ENABLED")));
  EXPECT_EQ(told("Things"), before);
  set("Things", "DISABLE");
  EXPECT_EQ(updated("Things", "DISABLE"), json(answer("Things", "DISABLED")));
}

TEST_F(ContributorInsightsOperations, TheModeIsChangedByTurningThemOn) {
  create_things();
  set("Things", "ENABLE");
  clock_.advance_us(kSecondUs);
  EXPECT_EQ(updated("Things", "ENABLE", "THROTTLED_KEYS"),
            json(answer("Things", "ENABLING", "THROTTLED_KEYS")));
  EXPECT_EQ(told("Things"), json("{'TableName':'Things','ContributorInsightsRuleList':["
                                 "'DynamoDBContributorInsights-PKT-Things-1800000000123',"
                                 "'DynamoDBContributorInsights-SKT-Things-1800000000123'],"
                                 "'ContributorInsightsStatus':'ENABLED','LastUpdateDateTime':1800000001.123,"
                                 "'ContributorInsightsMode':'THROTTLED_KEYS'}"));
  EXPECT_EQ(updated("Things", "ENABLE"), json(answer("Things", "ENABLING"))) << "no mode is the first mode";
  set("Things", "ENABLE", "THROTTLED_KEYS");
  EXPECT_EQ(updated("Things", "DISABLE", "ACCESSED_AND_THROTTLED_KEYS"),
            json(answer("Things", "DISABLING", "THROTTLED_KEYS")))
      << "of what is turned off, the mode that it had";
}

TEST_F(ContributorInsightsOperations, OfAnIndexAreCalledByBothNames) {
  create_things();
  EXPECT_EQ(updated("Things/two", "ENABLE"), json(answer("Things/two", "ENABLING")));
  EXPECT_EQ(updated("Things/one", "ENABLE", "THROTTLED_KEYS"),
            json(answer("Things/one", "ENABLING", "THROTTLED_KEYS")));
  const Reply two = must("DescribeContributorInsights", "{'TableName':'Things','IndexName':'two'}");
  EXPECT_EQ(two.at("/ContributorInsightsRuleList/0"),
            "DynamoDBContributorInsights-PKC-Things-two-1800000000123");
  EXPECT_EQ(two.at("/ContributorInsightsRuleList/3"),
            "DynamoDBContributorInsights-SKT-Things-two-1800000000123");
  EXPECT_EQ(must("DescribeContributorInsights", "{'TableName':'Things','IndexName':'one'}")
                .at("/ContributorInsightsRuleList"),
            json("['DynamoDBContributorInsights-PKT-Things-one-1800000000123']"));
  EXPECT_EQ(told("Things"), json("{'TableName':'Things','ContributorInsightsStatus':'DISABLED'}"));
}

TEST_F(ContributorInsightsOperations, ATableIsFoundByItsArn) {
  create_things();
  const std::string arn = "arn:aws:dynamodb:us-east-1:000000000000:table/Things";
  EXPECT_EQ(
      must("UpdateContributorInsights", "{'TableName':'" + arn + "','ContributorInsightsAction':'ENABLE'}")
          .body(),
      json(answer("Things", "ENABLING")));
  EXPECT_EQ(
      must("DescribeContributorInsights", "{'TableName':'" + arn + "','IndexName':'two'}").at("/TableName"),
      "Things");
  EXPECT_EQ(list("'TableName':'" + arn + "'"), summaries({on("Things")}));
}

TEST_F(ContributorInsightsOperations, DescribeTableDoesNotTellThem) {
  create_things();
  const std::string before = describe("Things").body();
  set("Things", "ENABLE");
  set("Things/two", "ENABLE");
  EXPECT_EQ(describe("Things").body(), before);
}

TEST_F(ContributorInsightsOperations, ThoseThatAreOnAreListed) {
  create_things();
  create("Others");
  EXPECT_EQ(list(), summaries({}));
  EXPECT_EQ(list("'TableName':'Things'"), summaries({}));
  for (const char* target : {"Things/two", "Things", "Others", "Things/one"}) set(target, "ENABLE");
  EXPECT_EQ(list("'TableName':'Things'"), summaries({on("Things"), on("Things/one"), on("Things/two")}));
  EXPECT_EQ(list(), summaries({on("Others"), on("Things"), on("Things/one"), on("Things/two")}));
  set("Things", "DISABLE");
  set("Things/one", "ENABLE", "THROTTLED_KEYS");
  EXPECT_EQ(list(),
            summaries({on("Others"), answer("Things/one", "ENABLED", "THROTTLED_KEYS"), on("Things/two")}));
}

TEST_F(ContributorInsightsOperations, AListIsReadPageByPage) {
  create_things();
  create("Others");
  create("Zeros");
  for (const char* target : {"Things/two", "Things", "Others", "Things/one"}) set(target, "ENABLE");
  EXPECT_EQ(list("'MaxResults':1"), summaries({on("Others")}, "Others"));
  EXPECT_EQ(list("'MaxResults':2,'NextToken':'Others'"),
            summaries({on("Things"), on("Things/one")}, "Things/one"));
  EXPECT_EQ(list("'MaxResults':2,'NextToken':'Things/one'"), summaries({on("Things/two")}));
  EXPECT_EQ(list("'MaxResults':4"), list()) << "there is no page behind the last";
  EXPECT_EQ(list("'MaxResults':1,'TableName':'Things'"), summaries({on("Things")}, "Things"));
  EXPECT_EQ(list("'MaxResults':1,'TableName':'Things','NextToken':'Things'"),
            summaries({on("Things/one")}, "Things/one"));
  // Where it went on may have gone meanwhile.
  set("Things/one", "DISABLE");
  EXPECT_EQ(list("'NextToken':'Things/one'"), summaries({on("Things/two")}));
  must("DeleteTable", "{'TableName':'Others'}");
  settle();
  EXPECT_EQ(list("'NextToken':'Others'"), summaries({on("Things"), on("Things/two")}));
}

TEST_F(ContributorInsightsOperations, APageHasAtMostAHundred) {
  for (int i = 0; i < 101; ++i) {
    create("table" + std::to_string(1000 + i));
    set("table" + std::to_string(1000 + i), "ENABLE");
  }
  for (const char* members : {"", "'MaxResults':100", "'MaxResults':0", "'MaxResults':-1"}) {
    const Reply page = must("ListContributorInsights", "{" + std::string(members) + "}");
    EXPECT_EQ(page.at("/NextToken"), "table1099") << members;
    EXPECT_EQ(page.at("/ContributorInsightsSummaries/99/TableName"), "table1099") << members;
    EXPECT_FALSE(page.has("/ContributorInsightsSummaries/100")) << members;
  }
  EXPECT_EQ(refusal("ListContributorInsights", "{'MaxResults':101}"),
            violated("'101'", "maxResults", "have value less than or equal to 100"));
  EXPECT_EQ(list("'NextToken':'table1099'"), summaries({on("table1100")}));
}

TEST_F(ContributorInsightsOperations, ATokenIsOneThatWasGivenOut) {
  create_things();
  create("Others");
  const std::string refused = invalid("Invalid NextToken");
  for (const char* token :
       {"", "ab", "a;b", "Things/", "Things/ab", "Things/one/two", "/one", "Things/a;b"}) {
    EXPECT_EQ(refusal("ListContributorInsights", "{'NextToken':'" + std::string(token) + "'}"), refused)
        << token;
  }
  EXPECT_EQ(refusal("ListContributorInsights", "{'TableName':'Things','NextToken':'Others'}"), refused);
}

TEST_F(ContributorInsightsOperations, WhatIsNotThereIsNotFound) {
  create_things();
  const std::string no_table =
      "ResourceNotFoundException: Requested resource not found: Table: Nothing not found";
  EXPECT_EQ(refusal("UpdateContributorInsights", update("Nothing", "ENABLE")), no_table);
  EXPECT_EQ(refusal("UpdateContributorInsights", update("Nothing/index", "DISABLE")), no_table);
  EXPECT_EQ(refusal("DescribeContributorInsights", "{'TableName':'Nothing'}"), no_table);
  EXPECT_EQ(refusal("ListContributorInsights", "{'TableName':'Nothing'}"), no_table);
  for (const std::string index : {"lsi", "none"}) {
    const std::string no_index = "ResourceNotFoundException: Requested resource not found: Index: " + index +
                                 " not found for table: Things";
    EXPECT_EQ(refusal("UpdateContributorInsights", update("Things/" + index, "ENABLE")), no_index);
    EXPECT_EQ(refusal("DescribeContributorInsights", "{" + names("Things/" + index) + "}"), no_index);
  }
}

TEST_F(ContributorInsightsOperations, MembersHaveTheirLimits) {
  create_things();
  for (const char* operation : {"UpdateContributorInsights", "DescribeContributorInsights"}) {
    const std::string action = ",'ContributorInsightsAction':'ENABLE'";
    const auto with = [&](const std::string& members) {
      return refusal(operation, "{" + members + action + "}");
    };
    EXPECT_EQ(with("'IndexName':'one'"),
              invalid("The parameter 'TableName' is required but was not present in the request"));
    EXPECT_EQ(with("'TableName':'ab'"),
              violated("'ab'", "tableName", "have length greater than or equal to 3"));
    EXPECT_EQ(with("'TableName':'a;b'"),
              violated("'a;b'", "tableName", "satisfy regular expression pattern: [a-zA-Z0-9_.-]+"));
    const std::string length =
        invalid("IndexName must be at least 3 characters long and at most 255 characters long");
    EXPECT_EQ(with("'TableName':'Things','IndexName':''"), length);
    EXPECT_EQ(with("'TableName':'Things','IndexName':'ab'"), length);
    EXPECT_EQ(with("'TableName':'Nothing','IndexName':'" + std::string(256, 'a') + "'"), length);
    EXPECT_TRUE(with("'TableName':'Things','IndexName':'" + std::string(255, 'a') + "'")
                    .starts_with("ResourceNotFoundException"));
    EXPECT_EQ(with("'TableName':'Things','IndexName':'a;b'"),
              violated("'a;b'", "indexName", "satisfy regular expression pattern: [a-zA-Z0-9_.-]+"));
    EXPECT_EQ(call(operation, "{'TableName':'Things','IndexName':7" + action + "}").at("/__type"),
              "com.amazon.coral.service#SerializationException");
  }
  EXPECT_EQ(refusal("ListContributorInsights", "{'TableName':''}"),
            invalid("2 validation errors detected: Value '' at 'tableName' failed to satisfy constraint: "
                    "Member must have length greater than or equal to 3; Value '' at 'tableName' failed to "
                    "satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"));
}

TEST_F(ContributorInsightsOperations, ActionsAndModesAreThoseThatThereAre) {
  create_things();
  const auto refused = [&](const std::string& members) {
    return refusal("UpdateContributorInsights", "{'TableName':'Things'" + members + "}");
  };
  EXPECT_EQ(refused(""), violated("null", "contributorInsightsAction", "not be null"));
  EXPECT_EQ(refused(",'ContributorInsightsAction':''"),
            violated("''", "contributorInsightsAction", "satisfy enum value set: [ENABLE, DISABLE]"));
  EXPECT_EQ(refused(",'ContributorInsightsAction':'enable'"),
            violated("'enable'", "contributorInsightsAction", "satisfy enum value set: [ENABLE, DISABLE]"));
  EXPECT_EQ(refused(",'ContributorInsightsAction':'ENABLE','ContributorInsightsMode':''"),
            violated("''", "contributorInsightsMode",
                     "satisfy enum value set: [THROTTLED_KEYS, ACCESSED_AND_THROTTLED_KEYS]"));
  EXPECT_EQ(told("Things"), json("{'TableName':'Things','ContributorInsightsStatus':'DISABLED'}"));
}

TEST_F(ContributorInsightsOperations, WhatIsMadeOrDeletedIsNotTurnedOn) {
  create_things();
  put("Things", "{'pk':{'S':'a'},'sk':{'S':'b'}}");
  const std::string start = "Table or Index is not in a valid state to update Key Access Insights: ";
  const std::string end = " must be ACTIVE to enable ContributorInsights.";
  must("UpdateTable",
       "{'TableName':'Things','AttributeDefinitions':[" + definitions({"h"}) +
           "],'GlobalSecondaryIndexUpdates':[{'Create':{'IndexName':'new','KeySchema':[{'AttributeName':'h',"
           "'KeyType':'HASH'}],'Projection':{'ProjectionType':'ALL'}}}]}");
  EXPECT_EQ(refusal("UpdateContributorInsights", update("Things/new", "ENABLE")),
            invalid(start + "IndexStatus" + end));
  EXPECT_EQ(told("Things/new"), json(answer("Things/new", "DISABLED", "")));
  EXPECT_EQ(updated("Things", "ENABLE"), json(answer("Things", "ENABLING")));
  settle();
  EXPECT_EQ(updated("Things/new", "ENABLE"), json(answer("Things/new", "ENABLING")));

  must("DeleteTable", "{'TableName':'Things'}");
  EXPECT_EQ(refusal("UpdateContributorInsights", update("Things", "ENABLE", "THROTTLED_KEYS")),
            invalid(start + "TableStatus" + end));
  EXPECT_EQ(list("'TableName':'Things'"), summaries({on("Things"), on("Things/new")}));
  EXPECT_EQ(updated("Things", "DISABLE"), json(answer("Things", "DISABLING")));
  settle();
  EXPECT_EQ(refusal("DescribeContributorInsights", "{'TableName':'Things'}"),
            "ResourceNotFoundException: Requested resource not found: Table: Things not found");
  EXPECT_EQ(list(), summaries({}));
}

TEST_F(ContributorInsightsOperations, OneChangesSomethingAndTwoTell) {
  const Operation* const operation = find_operation("DynamoDB_20120810.UpdateContributorInsights");
  ASSERT_NE(operation, nullptr);
  EXPECT_EQ(operation->effect, Effect::kControl) << "so that it is in the audit log";
  for (const char* name : {"DescribeContributorInsights", "ListContributorInsights"}) {
    EXPECT_EQ(find_operation("DynamoDB_20120810." + std::string(name))->effect, Effect::kDescribe) << name;
  }
}

}  // namespace
}  // namespace sheaf::wire
