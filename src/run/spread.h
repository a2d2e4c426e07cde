// The partitions of a request whose partition key holds a bucket or a shard that nobody knows: which there
// are, in which order they are read, and which of them side by side.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plan/plan.h"
#include "run/requests.h"

namespace sheaf::run {

// Clocks differ: a time may lie this far ahead, a date by a day, because it is tomorrow already somewhere.
inline constexpr std::chrono::minutes kTimeAheadMax{5};
inline constexpr std::chrono::hours kDateAheadMax{24};

// The last moment that a time or a date with `since` may have, as it is written.
std::string last_time(const language::Type& type, std::chrono::system_clock::time_point now);

class Spread {
 public:
  // One value for each hole of the partition key that is `kEach`.
  using Choice = std::vector<std::string>;

  // For the buckets from the first that there can be, or that the pattern asks for, to that of `now`.
  Spread(const model::Model& model, const plan::Plan& plan, const plan::Request& request,
         const std::vector<Argument>& arguments, std::chrono::system_clock::time_point now);

  // The partitions that are read next; several if they are merged. Nothing when all have been.
  std::optional<std::vector<Choice>> next();

 private:
  std::vector<Choice> choices(const std::string& bucket) const;
  bool passes(const std::string& bucket) const;

  struct Limit {
    language::Condition::Test test;
    std::vector<std::string> operands;
  };
  const plan::Request& request_;
  const bool is_spread_;
  const model::Hole* const bucket_;
  std::vector<Limit> limits_;
  int64_t at_ = 0, left_ = 1;    // of the buckets
  std::vector<Choice> waiting_;  // shards of the bucket that are read one after the other
};

// The queries of a request for all its partitions, one after the other.
class PartitionQueries {
 public:
  // Borrows all of it.
  PartitionQueries(const model::Model& model, const model::Layout& layout, const plan::Plan& plan,
                   const KnownNodes& known, std::chrono::system_clock::time_point now)
      : request_(plan.requests.front()),
        known_(known),
        builder_(model, layout, plan, none_, now),
        spread_(model, plan, request_, none_, now) {}

  // Nothing when there are no more.
  Result<std::optional<Query>> next();

 private:
  const std::vector<Argument> none_;
  const plan::Request& request_;
  const KnownNodes& known_;
  const RequestBuilder builder_;
  Spread spread_;
};

}  // namespace sheaf::run
