// Whether what several threads saw of one item can be explained by one order of their operations that agrees
// with time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sheaf::programs {

// One operation on one item, which holds a number or is not there. Times grow from call to answer, over all
// threads.
struct ItemOperation {
  enum class Kind : uint8_t {
    kPut,      // writes `argument`; saw what was there before
    kGet,      // saw what is there
    kAdd,      // adds `argument` to the number, or to 0 if there is none; saw the new number
    kReplace,  // if the number is `expected`, writes `argument`; `done` tells, and then or else what was
               // there
    kDelete    // saw what was there before
  };
  Kind kind = Kind::kGet;
  int64_t argument = 0;
  std::optional<int64_t> expected;  // kReplace: nothing for an item that is not there
  bool done = true;                 // kReplace
  std::optional<int64_t> seen;
  uint64_t called = 0;
  uint64_t answered = 0;

  std::string to_text() const;
};

// Nothing if there is such an order; otherwise the operations around the place where none was found.
std::optional<std::string> find_unexplained(std::vector<ItemOperation> history);

}  // namespace sheaf::programs
