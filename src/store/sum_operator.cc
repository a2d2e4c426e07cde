#include "store/sum_operator.h"

#include <algorithm>
#include <string>

#include "store/batch.h"

namespace sheaf::store {
namespace {

class SumOperator final : public rocksdb::AssociativeMergeOperator {
 public:
  bool Merge(const rocksdb::Slice&, const rocksdb::Slice* existing, const rocksdb::Slice& operand,
             std::string* sums, rocksdb::Logger*) const override {
    if (existing == nullptr) {
      sums->assign(operand.data(), operand.size());
    } else {
      sums->assign(existing->data(), existing->size());
      fold_sums(*sums, {operand.data(), operand.size()});
    }
    return true;
  }

  const char* Name() const override { return "sheaf.sum"; }
};

class ZeroSumFilter final : public rocksdb::CompactionFilter {
 public:
  bool Filter(int, const rocksdb::Slice&, const rocksdb::Slice& sums, std::string*, bool*) const override {
    return is_zero(sums);
  }
  bool FilterMergeOperand(int, const rocksdb::Slice&, const rocksdb::Slice& deltas) const override {
    return is_zero(deltas);
  }

  const char* Name() const override { return "sheaf.zero-sum"; }

 private:
  static bool is_zero(const rocksdb::Slice& sums) {
    return std::all_of(sums.data(), sums.data() + sums.size(), [](char byte) { return byte == 0; });
  }
};

}  // namespace

std::shared_ptr<rocksdb::MergeOperator> sum_operator() { return std::make_shared<SumOperator>(); }

const rocksdb::CompactionFilter* zero_sum_filter() {
  static const ZeroSumFilter filter;
  return &filter;
}

}  // namespace sheaf::store
