#include "engine/lags.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <unordered_set>

namespace sheaf::engine {
namespace {

constexpr std::string_view kOthers = "*";

std::optional<LagRange> find(const std::vector<Lag>& lags, std::string_view table) {
  const auto found =
      std::find_if(lags.begin(), lags.end(), [&](const Lag& lag) { return lag.table == table; });
  if (found == lags.end()) return std::nullopt;
  const auto to_us = [](std::chrono::milliseconds time) { return std::chrono::microseconds(time).count(); };
  return LagRange{.min_us = to_us(found->min), .max_us = to_us(found->max)};
}

}  // namespace

bool TableLags::is_late(const Index* index, ReadMode mode) const {
  if (index != nullptr && !index->settings->local) return of_global_indexes.has_value();
  return mode == ReadMode::kEventual && of_reads.has_value();
}

Result<void> check_lags(const std::vector<Lag>& lags) {
  std::unordered_set<std::string_view> tables;
  for (const Lag& lag : lags) {
    const auto invalid = [&](const std::string& text) {
      return Error{Code::kInvalid, "the lag of table " + lag.table + " " + text};
    };
    if (lag.table.empty()) return Error{Code::kInvalid, "a lag has no table"};
    if (!tables.insert(lag.table).second) return invalid("is given twice");
    if (lag.min.count() < 0) return invalid("is below zero");
    if (lag.min > lag.max) return invalid("ends before it begins");
    if (lag.max > kLagMax) return invalid("is more than " + std::to_string(kLagMax.count()) + " ms");
  }
  return {};
}

Lags::Lags(const std::vector<Lag>& index_lags, const std::vector<Lag>& read_lags) {
  assert(check_lags(index_lags).ok() && check_lags(read_lags).ok());
  others_ = {.of_global_indexes = find(index_lags, kOthers), .of_reads = find(read_lags, kOthers)};
  for (const std::vector<Lag>* const lags : {&index_lags, &read_lags}) {
    for (const Lag& lag : *lags) {
      const auto of_index = find(index_lags, lag.table), of_reads = find(read_lags, lag.table);
      named_.emplace(lag.table,
                     TableLags{.of_global_indexes = of_index ? of_index : others_.of_global_indexes,
                               .of_reads = of_reads ? of_reads : others_.of_reads});
    }
  }
}

const TableLags* Lags::of(const std::string& table) const {
  const auto found = named_.find(table);
  if (found != named_.end()) return &found->second;
  return others_.of_global_indexes || others_.of_reads ? &others_ : nullptr;
}

}  // namespace sheaf::engine
