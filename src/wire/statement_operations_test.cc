// PartiQL: JSON in, JSON out.
#include "wire/table_fixture.h"

namespace sheaf::wire {
namespace {

class StatementOperations : public WireTest {
 protected:
  StatementOperations() {
    create("abc");
    put("abc", "{'pk':{'S':'a'},'n':{'N':'1'}}");
  }
};

TEST_F(StatementOperations, ASelectAnswersItems) {
  EXPECT_EQ(
      must("ExecuteStatement", "{'Statement':'SELECT n FROM abc WHERE pk = ?','Parameters':[{'S':'a'}]}")
          .body(),
      json("{'Items':[{'n':{'N':'1'}}]}"));
  EXPECT_EQ(must("ExecuteStatement",
                 "{'Statement':'SELECT * FROM abc WHERE n = 9','ReturnConsumedCapacity':'INDEXES'}")
                .body(),
            json("{'Items':[],'ConsumedCapacity':{'TableName':'abc','CapacityUnits':0.5,"
                 "'Table':{'CapacityUnits':0.5}}}"));
}

TEST_F(StatementOperations, AChangeAnswersNoItemsUnlessAskedFor) {
  EXPECT_EQ(must("ExecuteStatement",
                 "{'Statement':'UPDATE abc SET n = 2 WHERE pk = ?','Parameters':[{'S':'a'}],"
                 "'ReturnConsumedCapacity':'TOTAL'}")
                .body(),
            json("{'Items':[],'ConsumedCapacity':{'TableName':'abc','CapacityUnits':1.0}}"));
  EXPECT_EQ(must("ExecuteStatement",
                 "{'Statement':'DELETE FROM abc WHERE pk = ? RETURNING ALL OLD *','Parameters':[{'S':'a'}]}")
                .body(),
            json("{'Items':[{'n':{'N':'2'},'pk':{'S':'a'}}]}"));
}

TEST_F(StatementOperations, ExceptionsHaveTheirNames) {
  const auto error = [&](const std::string& members) { return call("ExecuteStatement", members).refusal(); };
  EXPECT_EQ(call_exactly("ExecuteStatement",
                         R"({"Statement":"INSERT INTO abc VALUE {'pk': ?}","Parameters":[{"S":"a"}]})")
                .refusal(),
            "DuplicateItemException: Duplicate primary key exists in table");
  EXPECT_EQ(error("{'Statement':'UPDATE abc SET n = 2 WHERE pk = ? AND n = 7','Parameters':[{'S':'a'}]}"),
            "ConditionalCheckFailedException: The conditional request failed");
  EXPECT_EQ(error("{'Statement':'SELECT * FROM nope'}"),
            "ResourceNotFoundException: Requested resource not found");
  // What is wrong with a parameter is told before the statement is read.
  EXPECT_EQ(error("{'Statement':'nonsense (','Parameters':[{'N':'abc'}]}"),
            "ValidationException: The parameter cannot be converted to a numeric value: abc");
}

TEST_F(StatementOperations, ABatchAnswersEachStatement) {
  const Reply reply =
      must("BatchExecuteStatement",
           "{'Statements':[{'Statement':'SELECT n FROM abc WHERE pk = ?','Parameters':[{'S':'a'}],"
           "'ConsistentRead':true},{'Statement':'SELECT * FROM nope WHERE pk = 1'},"
           "{'Statement':'SELECT'}],'ReturnConsumedCapacity':'TOTAL'}");
  EXPECT_EQ(reply.at("/Responses/0"), json("{'Item':{'n':{'N':'1'}},'TableName':'abc'}"));
  EXPECT_EQ(reply.at("/Responses/1"),
            json("{'Error':{'Code':'ResourceNotFound','Message':'Requested resource not found'}}"));
  EXPECT_EQ(reply.at("/Responses/2/Error/Code"), "ValidationError");
  EXPECT_EQ(reply.at("/Responses/2/Error/Message"),
            "Statement wasn't well formed, can't be processed: Unexpected term");
  EXPECT_EQ(reply.at("/ConsumedCapacity"), json("[{'TableName':'abc','CapacityUnits':1.0}]"));
}

TEST_F(StatementOperations, ParametersAreReadInTheirOrder) {
  const auto message = [&](const std::string& parameter) {
    return refusal("ExecuteStatement",
                   "{'Statement':'SELECT * FROM abc WHERE pk = ?','Parameters':[" + parameter + "]}");
  };
  const std::string no_number = "The parameter cannot be converted to a numeric value: ";
  for (const std::string text : {"1e99999999999", "-1e99999999999", "1e2147483648", "1e-2147483648", "abc"}) {
    EXPECT_EQ(message("{'N':'" + text + "'}"), invalid(no_number + text));
    EXPECT_EQ(message("{'L':[{'M':{'a':{'NS':['" + text + "']}}}]}"), invalid(no_number + text));
  }
  EXPECT_EQ(
      message("{'N':'1e2147483647'}"),
      invalid("Number underflow. Attempting to store a number with magnitude smaller than supported range"));
  EXPECT_EQ(
      message("{'N':'1e126'}"),
      invalid("Number overflow. Attempting to store a number with magnitude larger than supported range"));
  std::string deep = "{'S':'x'}";
  for (int i = 0; i < 40; ++i) deep = "{'L':[" + deep + "]}";
  const std::string nesting = invalid(
      "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond "
      "supported "
      "limit");
  EXPECT_EQ(message("{'M':{'d':" + deep + ",'bad':{'N':'abc'}}}"), nesting);
  EXPECT_EQ(message("{'M':{'bad':{'N':'abc'},'d':" + deep + "}}"), invalid(no_number + "abc"));
  // In a batch it is the error of its statement.
  const Reply batch =
      must("BatchExecuteStatement",
           "{'Statements':[{'Statement':'SELECT * FROM abc WHERE pk = ?','Parameters':[{'N':'abc'}]},"
           "{'Statement':'SELECT * FROM abc WHERE pk = ?','Parameters':[{'S':'a'}]}]}");
  EXPECT_EQ(batch.at("/Responses/0/Error"),
            json("{'Code':'ValidationError','Message':'" + no_number + "abc'}"));
  EXPECT_EQ(batch.at("/Responses/1/TableName"), "abc");
}

TEST_F(StatementOperations, ABatchReturnsTheItemThatAConditionFailedOn) {
  const std::string update =
      "{'Statement':'UPDATE abc SET n = 2 WHERE pk = ? AND n = 7','Parameters':[{'S':'a'}]";
  const std::string failed = "'Code':'ConditionalCheckFailed','Message':'The conditional request failed'";
  const Reply asked =
      must("BatchExecuteStatement",
           "{'Statements':[" + update + ",'ReturnValuesOnConditionCheckFailure':'ALL_OLD'}]}");
  EXPECT_EQ(asked.at("/Responses/0"),
            json("{'Error':{" + failed + ",'Item':{'n':{'N':'1'},'pk':{'S':'a'}}},'TableName':'abc'}"));
  const Reply unasked = must("BatchExecuteStatement", "{'Statements':[" + update + "}]}");
  EXPECT_EQ(unasked.at("/Responses/0"), json("{'Error':{" + failed + "},'TableName':'abc'}"));
}

TEST_F(StatementOperations, ATransactionAnswersWhatItRead) {
  EXPECT_EQ(
      must("ExecuteTransaction",
           "{'TransactStatements':[{'Statement':'SELECT n FROM abc WHERE pk = ?','Parameters':[{'S':'a'}]},"
           "{'Statement':'SELECT n FROM abc WHERE pk = ?','Parameters':[{'S':'b'}]}]}")
          .body(),
      json("{'Responses':[{'Item':{'n':{'N':'1'}}},{}]}"));
  EXPECT_EQ(must("ExecuteTransaction",
                 "{'TransactStatements':[{'Statement':'UPDATE abc SET n = 5 WHERE pk = "
                 "?','Parameters':[{'S':'a'}]}],"
                 "'ReturnConsumedCapacity':'TOTAL'}")
                .body(),
            json("{'Responses':[],'ConsumedCapacity':[{'TableName':'abc','CapacityUnits':2.0,"
                 "'WriteCapacityUnits':2.0}]}"));
  EXPECT_EQ(
      call("ExecuteTransaction",
           "{'TransactStatements':[{'Statement':'UPDATE abc SET n = 5 WHERE pk = ? AND n = 9',"
           "'Parameters':[{'S':'a'}]}]}")
          .refusal(),
      "TransactionCanceledException: Transaction cancelled, please refer cancellation reasons for specific "
      "reasons [ConditionalCheckFailed]");
}

}  // namespace
}  // namespace sheaf::wire
