// Whether transactions can be put into one order that agrees with what they read and wrote and with time.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sheaf::programs {

// Every write gives its item a version that nobody else writes; 0 is the version before all writes.
struct TransactionRecord {
  std::map<std::string, uint64_t> read;     // item -> the version that it saw
  std::map<std::string, uint64_t> written;  // item -> the version that it wrote; it must have read the item
  uint64_t called = 0;
  uint64_t answered = 0;

  std::string to_text() const;
};

// Nothing if there is such an order; otherwise transactions of which each must come before the next, and the
// last before the first.
std::optional<std::string> find_cycle(const std::vector<TransactionRecord>& transactions);

}  // namespace sheaf::programs
