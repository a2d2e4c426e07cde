// BatchExecuteStatement and ExecuteTransaction.
#include "api/database_fixture.h"

namespace sheaf {
namespace {

using Reason = CancellationReason::Code;

class StatementBatchTest : public DatabaseTest {
 protected:
  StatementBatchTest() {
    create(table_of("Tab", "pk"));
    must(db_->put_item({.table = "Tab", .item = {{"pk", "a"}, {"n", 1}}}));
  }

  static std::vector<Statement> statements(std::initializer_list<std::string> texts) {
    std::vector<Statement> all;
    for (const std::string& text : texts) all.push_back({.text = text});
    return all;
  }
  BatchStatementsDone batch(std::initializer_list<std::string> texts) {
    return must(db_->batch_execute_statement({.statements = statements(texts)}));
  }
  Error batch_refused(std::initializer_list<std::string> texts) {
    return refusal(db_->batch_execute_statement({.statements = statements(texts)}));
  }
  TransactionDone transact(std::initializer_list<std::string> texts, const std::string& token = "") {
    return must(db_->execute_transaction({.statements = statements(texts), .token = token}));
  }
  Error transact_refused(std::initializer_list<std::string> texts) {
    return refusal(db_->execute_transaction({.statements = statements(texts)}));
  }
  std::string item(const std::string& pk) {
    const Got got = must(db_->get_item({.table = "Tab", .key = {{"pk", pk}}}));
    return got.item ? got.item->to_json() : "none";
  }
};

TEST_F(StatementBatchTest, ReadsEachForItself) {
  const BatchStatementsDone done =
      batch({"SELECT n FROM Tab WHERE pk = 'a'", "SELECT * FROM Tab WHERE pk IN ['none']",
             "SELECT * FROM Nope WHERE pk = 'a'", "SELECT * FROM Tab WHERE n = 1",
             "SLECT * FROM Tab WHERE pk = 'a'"});
  ASSERT_EQ(done.members.size(), 5u);
  EXPECT_EQ(done.members[0].item->to_json(), R"({"n":{"N":"1"}})");
  EXPECT_EQ(done.members[0].table, "Tab");
  EXPECT_FALSE(done.members[1].item || done.members[1].error);
  EXPECT_EQ(*done.members[2].error, no_table());
  EXPECT_EQ(done.members[2].table, "");
  EXPECT_EQ(*done.members[3].error, invalid("Select statements within BatchExecuteStatement must specify the "
                                            "primary key in the where clause."));
  EXPECT_EQ(*done.members[4].error,
            invalid("Statement wasn't well formed, can't be processed: Expected data manipulation"));
  EXPECT_EQ(done.capacity.at("Tab").table, 1);
}

TEST_F(StatementBatchTest, WritesEachForItself) {
  const BatchStatementsDone done =
      batch({"INSERT INTO Tab VALUE {'pk': 'b'}", "INSERT INTO Tab VALUE {'pk': 'a'}",
             "UPDATE Tab SET n = 1 WHERE pk = 'c'", "DELETE FROM Tab WHERE pk = 'd' RETURNING ALL NEW *"});
  EXPECT_FALSE(done.members[0].error);
  EXPECT_EQ(*done.members[1].error, (Error{Code::kDuplicate, "Duplicate primary key exists in table"}));
  EXPECT_EQ(done.members[1].table, "Tab");
  EXPECT_FALSE(done.members[2].condition_met);
  EXPECT_EQ(done.members[2].table, "Tab");
  EXPECT_EQ(done.members[3].error->code, Code::kInvalid);
  EXPECT_EQ(done.members[3].table, "");
  EXPECT_EQ(item("b"), R"({"pk":{"S":"b"}})");
  EXPECT_EQ(batch({"DELETE FROM Tab WHERE pk = 'b' RETURNING ALL OLD *"}).members[0].item->to_json(),
            R"({"pk":{"S":"b"}})");
}

// Answers that come at once, before the next statement is begun.
TEST_F(StatementBatchTest, MayBeAnsweredWithoutWritingAnything) {
  for (const std::string text :
       {"UPDATE Tab SET n = 1 WHERE pk = 'none'", "DELETE FROM Tab WHERE pk = 'none'",
        "INSERT INTO Tab VALUE {'pk': 'a'}", "UPDATE Tab SET n = 2 WHERE pk = 'a' AND n = 9",
        "DELETE FROM Nope WHERE pk = 'a'", "DELETE FROM Tab", "UPDATE Tab SET n = 1 WHERE pk = 1", "SLECT"}) {
    EXPECT_EQ(batch({text}).members.size(), 1u) << text;
    EXPECT_EQ(batch({text, "SLECT"}).members.size(), 2u) << text;
    EXPECT_EQ(batch({"SLECT", text}).members.size(), 2u) << text;
  }
}

// The texts are AWS's.
TEST_F(StatementBatchTest, RefusesWhatDoesNotGoTogether) {
  EXPECT_EQ(batch_refused({"SELECT * FROM Tab WHERE pk = 'a'", "DELETE FROM Tab WHERE pk = 'b'"}),
            invalid("Read and write requests together in the same batch is not supported."));
  EXPECT_EQ(batch_refused({"SELECT * FROM Tab WHERE pk = 'a'", "SELECT n FROM Tab WHERE pk = 'a'"}),
            invalid("Provided list of item keys contains duplicates"));
  EXPECT_EQ(batch_refused({"INSERT INTO Tab VALUE {'pk': 'x'}", "DELETE FROM Tab WHERE pk = 'x' AND n = 1"}),
            invalid("Provided list of item keys contains duplicates"));
  // Also with what is refused by itself.
  EXPECT_EQ(batch_refused(
                {"SELECT * FROM Tab WHERE pk = 'a'", "DELETE FROM Tab WHERE pk = 'b' RETURNING ALL NEW *"}),
            invalid("Read and write requests together in the same batch is not supported."));
  EXPECT_EQ(
      batch_refused({"DELETE FROM Tab WHERE pk = 'a' AND x >= <<2>>", "UPDATE Tab SET n = 1 WHERE pk = 'a'"}),
      invalid("Provided list of item keys contains duplicates"));
  EXPECT_FALSE(db_->batch_execute_statement({}).ok());
  std::vector<Statement> many(26, {.text = "SELECT * FROM Tab WHERE pk = 'a'"});
  EXPECT_FALSE(db_->batch_execute_statement({.statements = many}).ok());
  many.resize(25);
  for (size_t i = 0; i < many.size(); ++i)
    many[i].text = "SELECT * FROM Tab WHERE pk = '" + std::to_string(i) + "'";
  EXPECT_TRUE(db_->batch_execute_statement({.statements = many}).ok());
}

TEST_F(StatementBatchTest, ATransactionWritesAllOrNothing) {
  EXPECT_TRUE(transact({"INSERT INTO Tab VALUE {'pk': 'b'}", "UPDATE Tab SET n = 2 WHERE pk = 'a' AND n = 1"})
                  .applied);
  EXPECT_EQ(item("a"), R"({"n":{"N":"2"},"pk":{"S":"a"}})");
  const TransactionDone cancelled =
      transact({"INSERT INTO Tab VALUE {'pk': 'c'}", "INSERT INTO Tab VALUE {'pk': 'b'}",
                "UPDATE Tab SET n = 3 WHERE pk = 'a' AND n = 1"});
  EXPECT_FALSE(cancelled.applied);
  ASSERT_EQ(cancelled.reasons.size(), 3u);
  EXPECT_EQ(cancelled.reasons[0].code, Reason::kNone);
  EXPECT_EQ(cancelled.reasons[1].code, Reason::kDuplicateItem);
  EXPECT_EQ(cancelled.reasons[2].code, Reason::kConditionalCheckFailed);
  EXPECT_EQ(item("c"), "none");
}

TEST_F(StatementBatchTest, ATransactionMayAskForWhatExists) {
  EXPECT_TRUE(
      transact({"EXISTS(SELECT * FROM Tab WHERE pk = 'a' AND n = 1)", "INSERT INTO Tab VALUE {'pk': 'b'}"})
          .applied);
  const TransactionDone cancelled =
      transact({"EXISTS(SELECT * FROM Tab WHERE pk = 'a' AND n = 5)", "INSERT INTO Tab VALUE {'pk': 'c'}"});
  EXPECT_EQ(cancelled.reasons[0].code, Reason::kConditionalCheckFailed);
  EXPECT_EQ(
      transact_refused({"EXISTS(SELECT * FROM Tab WHERE pk = 'a')", "INSERT INTO Tab VALUE {'pk': 'c'}"}),
      invalid("Validation failed in TransactStatements[0]: EXISTS() must contain a single item read with "
              "additional condition"));
}

TEST_F(StatementBatchTest, ATransactionReadsOneMoment) {
  const TransactionDone done =
      transact({"SELECT n FROM Tab WHERE pk = 'a'", "SELECT * FROM Tab WHERE pk = 'none'"});
  ASSERT_EQ(done.items.size(), 2u);
  EXPECT_EQ(done.items[0]->to_json(), R"({"n":{"N":"1"}})");
  EXPECT_FALSE(done.items[1]);
  EXPECT_EQ(done.capacity.at("Tab").table, 4);
}

TEST_F(StatementBatchTest, ATokenIsGoodForOneRequest) {
  EXPECT_FALSE(transact({"UPDATE Tab SET n = n + 1 WHERE pk = 'a'"}, "once").replayed);
  EXPECT_TRUE(transact({"UPDATE Tab SET n = n + 1 WHERE pk = 'a'"}, "once").replayed);
  EXPECT_EQ(item("a"), R"({"n":{"N":"2"},"pk":{"S":"a"}})");
  EXPECT_EQ(
      refusal(db_->execute_transaction(
                  {.statements = statements({"UPDATE Tab SET n = n + 2 WHERE pk = 'a'"}), .token = "once"}))
          .code,
      Code::kMismatch);
  // It is not that of another operation.
  EXPECT_TRUE(must(db_->transact_write_items(
                       {.actions = {PutItem{.table = "Tab", .item = {{"pk", "z"}}}}, .token = "once"}))
                  .applied);
}

// The texts are AWS's.
TEST_F(StatementBatchTest, ATransactionSaysWhichStatementIsWrong) {
  const std::string first = "Validation failed in TransactStatements[0]: ";
  EXPECT_EQ(
      transact_refused({"SELECT * FROM Tab WHERE pk = 'a'", "DELETE FROM Tab WHERE pk = 'b'"}),
      invalid("ExecuteTransaction API does not support both read and write operations in the same request."));
  EXPECT_EQ(transact_refused({"UPDATE Tab SET n = 1 WHERE pk = 'a' RETURNING ALL OLD *"}),
            invalid(first + "RETURNING clause is not supported in ExecuteTransaction."));
  EXPECT_EQ(transact_refused({"SELECT * FROM Tab.x WHERE pk = 'a'"}),
            invalid(first + "Reads on indices are not supported within transactions."));
  EXPECT_EQ(
      transact_refused({"SELECT * FROM Tab WHERE pk = 'a' AND n = 1"}),
      invalid(
          first +
          "Select statements within ExecuteTransaction must specify the primary key in the where clause."));
  EXPECT_EQ(transact_refused({"SELECT * FROM Tab WHERE"}),
            invalid(first + "Statement wasn't well formed, can't be processed: Unexpected term"));
  EXPECT_EQ(transact_refused({"DELETE FROM Tab WHERE pk = 'a'", "UPDATE Tab SET n = 2 WHERE pk = 'a'"}),
            invalid("Transaction request cannot include multiple operations on one item"));
  const TransactionDone missing =
      transact({"DELETE FROM Tab WHERE pk = 'a'", "DELETE FROM Nope WHERE pk = 'a'"});
  EXPECT_EQ(missing.reasons[1].code, Reason::kNotFound);
  EXPECT_EQ(missing.reasons[1].message, "Requested resource not found");
  const TransactionDone no_key = transact({"DELETE FROM Tab WHERE n = 1"});
  EXPECT_EQ(no_key.reasons[0].code, Reason::kValidationError);
  EXPECT_EQ(no_key.reasons[0].message, "The provided key element does not match the schema");
}

}  // namespace
}  // namespace sheaf
