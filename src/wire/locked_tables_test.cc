#include "wire/locked_tables.h"

#include "wire/table_fixture.h"

namespace sheaf::wire {
namespace {

class LockedTables : public WireTest {
 protected:
  LockedTables() {
    create("open");
    create("mine", ",'Tags':[{'Key':'sheaf:writer','Value':'hr'}]");
  }

  // As that writer, whose name may be one of several.
  bool is_refused(std::string_view name, const std::string& body, std::string_view writer = "") {
    writer_ = writer;
    const Reply reply = call(name, body);
    writer_ = "";
    if (reply.ok()) return false;
    EXPECT_EQ(reply.refusal(),
              "ResourceInUseException: The table mine is locked while the model hr is moved to another "
              "layout: write through the model, or wait until it has moved. Its tag sheaf:writer is the "
              "lock.")
        << name << ' ' << body;
    return true;
  }
};

constexpr const char* kArn = "arn:aws:dynamodb:us-east-1:000000000000:table/mine";
constexpr const char* kStatement = "INSERT INTO mine VALUE {'pk':'s'}";

TEST_F(LockedTables, AreWrittenByOneAlone) {
  const std::pair<std::string, std::string> writes[] = {
      {"PutItem", "{'TableName':'mine','Item':{'pk':{'S':'a'}}}"},
      {"PutItem", std::string("{'TableName':'") + kArn + "','Item':{'pk':{'S':'a'}}}"},
      {"UpdateItem", "{'TableName':'mine','Key':{'pk':{'S':'a'}}}"},
      {"DeleteItem", "{'TableName':'mine','Key':{'pk':{'S':'a'}}}"},
      {"BatchWriteItem",
       "{'RequestItems':{'open':[{'PutRequest':{'Item':{'pk':{'S':'a'}}}}],"
       "'mine':[{'PutRequest':{'Item':{'pk':{'S':'a'}}}}]}}"},
      {"TransactWriteItems",
       "{'TransactItems':[{'Put':{'TableName':'open','Item':{'pk':{'S':'a'}}}},"
       "{'Delete':{'TableName':'mine','Key':{'pk':{'S':'a'}}}}]}"},
      {"TransactWriteItems",
       "{'TransactItems':[{'Update':{'TableName':'mine','Key':{'pk':{'S':'a'}},"
       "'UpdateExpression':'REMOVE b'}}]}"},
  };
  for (const auto& [name, body] : writes) {
    EXPECT_TRUE(is_refused(name, body)) << name;
    EXPECT_TRUE(is_refused(name, body, "h,hrr,shop")) << name;
    EXPECT_FALSE(is_refused(name, body, "hr")) << name;
    EXPECT_FALSE(is_refused(name, body, "shop,hr")) << name;
  }
  EXPECT_EQ(must("Scan", "{'TableName':'open'}").at("/Count"), "1");  // what was refused did nothing of it
}

TEST_F(LockedTables, AreWrittenByStatementsOfOneAlone) {
  const auto statement = [](const std::string& text) { return R"({"Statement":")" + text + R"("})"; };
  const auto ask = [&](std::string_view name, const std::string& body, std::string_view writer) {
    writer_ = writer;
    const Reply reply = call_exactly(name, body);
    writer_ = "";
    return reply.ok() ? "done" : reply.refusal().substr(0, 22);
  };
  const std::string one = statement(kStatement);
  const std::string several = R"({"Statements":[)" + one + "]}";
  const std::string transaction = R"({"TransactStatements":[)" + one + "]}";
  EXPECT_EQ(ask("ExecuteStatement", one, ""), "ResourceInUseException");
  EXPECT_EQ(ask("BatchExecuteStatement", several, ""), "ResourceInUseException");
  EXPECT_EQ(ask("ExecuteTransaction", transaction, ""), "ResourceInUseException");
  EXPECT_EQ(must("Scan", "{'TableName':'mine'}").at("/Count"), "0");
  EXPECT_EQ(ask("ExecuteStatement", one, "hr"), "done");
  EXPECT_EQ(must("Scan", "{'TableName':'mine'}").at("/Count"), "1");
  EXPECT_EQ(ask("ExecuteStatement", statement("SELECT * FROM mine"), ""), "done");
}

TEST_F(LockedTables, AreReadByEverybody) {
  must("PutItem", "{'TableName':'open','Item':{'pk':{'S':'a'}}}");
  must("GetItem", "{'TableName':'mine','Key':{'pk':{'S':'a'}}}");
  must("BatchGetItem", "{'RequestItems':{'mine':{'Keys':[{'pk':{'S':'a'}}]}}}");
  must("TransactWriteItems",
       "{'TransactItems':[{'Put':{'TableName':'open','Item':{'pk':{'S':'a'}}}},"
       "{'ConditionCheck':{'TableName':'mine','Key':{'pk':{'S':'a'}},"
       "'ConditionExpression':'attribute_not_exists(pk)'}}]}");
}

TEST_F(LockedTables, AreDeletedByOneAlone) {
  EXPECT_TRUE(is_refused("DeleteTable", "{'TableName':'mine'}"));
  EXPECT_FALSE(is_refused("DeleteTable", "{'TableName':'open'}"));
  EXPECT_FALSE(is_refused("DeleteTable", "{'TableName':'mine'}", "hr"));
}

// A lock that was left behind is taken away by whoever may tag.
TEST_F(LockedTables, AreOpenWithoutTheTag) {
  must("UntagResource", std::string("{'ResourceArn':'") + kArn + "','TagKeys':['sheaf:writer']}");
  EXPECT_FALSE(is_refused("PutItem", "{'TableName':'mine','Item':{'pk':{'S':'a'}}}"));
  must("TagResource",
       std::string("{'ResourceArn':'") + kArn + "','Tags':[{'Key':'sheaf:writer','Value':'hr'}]}");
  EXPECT_TRUE(is_refused("PutItem", "{'TableName':'mine','Item':{'pk':{'S':'a'}}}"));
}

TEST_F(LockedTables, ReadWhatIsWrongAsEver) {
  EXPECT_EQ(refusal("PutItem", "{'TableName':'mine'}"), violated("null", "item", "not be null"));
  EXPECT_FALSE(call("TransactWriteItems", "{'TransactItems':[null]}").ok());
  EXPECT_FALSE(call("BatchWriteItem", "{'RequestItems':{'mine':null}}").ok());
}

}  // namespace
}  // namespace sheaf::wire
