// Runs a program on a database and on the reference at once, and compares every answer.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "programs/operation.h"
#include "programs/reference_database.h"
#include "programs/stream_reader.h"
#include "programs/test_target.h"

namespace sheaf::programs {

struct Failure {
  size_t step = 0;
  std::string text;
};

class ProgramRunner {
 public:
  explicit ProgramRunner(TestTarget& target);

  // The first difference, if there is one.
  std::optional<Failure> run(const Program& program);

  // How many operations of each kind had which answer, for a look at what a program covers.
  const std::map<std::string, uint64_t>& answers() const { return answers_; }

 private:
  // Each returns what went wrong, if anything did.
  using Difference = std::optional<std::string>;

  Difference step(const WriteOperation& write);
  Difference step(const GetOperation& get);
  Difference step(const ReadOperation& read);
  Difference step(const BatchGetOperation& batch);
  Difference step(const BatchWriteItems& batch);
  Difference step(const TransactWriteOperation& transaction);
  Difference step(const TransactGetOperation& transaction);
  Difference step(const CreateTable& request);
  Difference step(const UpdateTable& request);
  Difference step(const DeleteTableOperation& request);
  Difference step(const TimeToLiveOperation& request);
  Difference step(const TagOperation& request);
  Difference step(const CollectionSizeOperation& request);
  Difference step(const DescribeOperation& request);
  Difference step(const ListTablesOperation& request);
  Difference step(const PollOperation& poll);
  Difference step(const AdvanceClockOperation& advance);
  Difference step(const WorkOperation& work);
  Difference step(const ReopenOperation& request);
  Difference step(const CheckStateOperation& request);

  template <typename T>
  Difference compare(const char* what, const Result<T>& expected, const Result<T>& actual);
  template <typename T>
  bool is_open(const Result<T>& actual);
  // After an answer that left the outcome open: `apply` on the reference, or not, whichever is true of the
  // items, or of the table.
  template <typename Apply>
  Difference adopt_items(const std::vector<std::pair<std::string, Item>>& keys, Apply apply, bool* certain);
  template <typename Apply>
  Difference adopt_table(const std::string& table, Apply apply);
  template <typename T, typename Apply>
  Difference compare_table_change(const char* what, const std::string& table, const Result<T>& actual,
                                  Apply apply);

  bool shows(const ReferenceDatabase& state, const std::string& table, const Item& key);
  void advance(int64_t by_us);
  // What background work may have done since: indexes that are ready, tables that are gone, expired items.
  Difference adopt_work();
  Difference adopt_work(const std::string& table);
  bool is_settled() const;
  Difference settle();
  Difference check_table(const ReferenceTable& table);

  TestTarget& target_;
  ReferenceDatabase reference_;
  StreamReader streams_;
  std::set<std::string> uncertain_tokens_;  // of transactions that may or may not have been applied
  std::map<std::string, uint64_t> answers_;
};

// Leaves out operations as long as `fails` holds for what remains.
Program shrink(Program program, const std::function<bool(const Program&)>& fails, int runs_max);

}  // namespace sheaf::programs
