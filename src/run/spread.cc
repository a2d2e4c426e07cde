#include "run/spread.h"

#include <algorithm>

#include "base/try.h"
#include "model/time_buckets.h"
#include "run/conditions.h"
#include "run/record.h"
#include "run/time_text.h"

namespace sheaf::run {

using model::TimeBuckets;
using plan::Binding;
using Test = language::Condition::Test;

std::string last_time(const language::Type& type, std::chrono::system_clock::time_point now) {
  constexpr size_t kDateBytes = 10;
  if (type.kind == language::Type::Kind::kDate) return time_text(now + kDateAheadMax).substr(0, kDateBytes);
  return time_text(now + kTimeAheadMax);
}

Spread::Spread(const model::Model& model, const plan::Plan& plan, const plan::Request& request,
               const std::vector<Argument>& arguments, std::chrono::system_clock::time_point now)
    : request_(request), is_spread_(request.is_spread()), bucket_(request.bucket()) {
  if (bucket_ == nullptr) return;
  const TimeBuckets buckets(bucket_->format);
  int64_t first = buckets.number(bucket_->field.syntax->since->text);
  int64_t last = buckets.number(last_time(bucket_->field.type, now));
  for (const Binding& binding : request.partition) {
    for (const model::Condition* condition : binding.limits) {
      Limit limit{.test = condition->syntax->test};
      for (size_t i = 0; i < condition->syntax->operands.size(); ++i) {
        const auto value = operand_value(model, condition->syntax->operands[i], *condition, i, arguments,
                                         plan.pattern->parameters, now);
        const auto text = value ? key_text(*value) : std::nullopt;
        if (text) limit.operands.push_back(*text);
      }
      if (limit.operands.size() < condition->syntax->operands.size()) continue;
      const bool is_time = std::all_of(limit.operands.begin(), limit.operands.end(),
                                       [&](const auto& text) { return text.size() >= buckets.bytes(); });
      if (is_time && (limit.test == Test::kGreater || limit.test == Test::kGreaterOrEqual ||
                      limit.test == Test::kBetween))
        first = std::max(first, buckets.number(limit.operands.front()));
      if (is_time &&
          (limit.test == Test::kLess || limit.test == Test::kLessOrEqual || limit.test == Test::kBetween))
        last = std::min(last, buckets.number(limit.operands.back()));
      limits_.push_back(std::move(limit));
    }
  }
  left_ = std::max<int64_t>(0, last - first + 1);
  at_ = request.is_backward ? last : first;
}

// Whether there can be a time in the bucket that the pattern asks for, if it tells a part of a time.
bool Spread::passes(const std::string& bucket) const {
  return std::all_of(limits_.begin(), limits_.end(), [&](const Limit& limit) {
    if (limit.test != Test::kBegins) return true;
    const size_t bytes = std::min(bucket.size(), limit.operands.front().size());
    return bucket.compare(0, bytes, limit.operands.front(), 0, bytes) == 0;
  });
}

std::vector<Spread::Choice> Spread::choices(const std::string& bucket) const {
  std::vector<Choice> made(1);
  for (const Binding& binding : request_.partition) {
    if (binding.kind != Binding::Kind::kEach) continue;
    const int64_t count = binding.hole->is_shard() ? binding.hole->count : 1;
    std::vector<Choice> longer;
    for (const Choice& choice : made) {
      for (int64_t i = 0; i < count; ++i) {
        longer.push_back(choice);
        longer.back().push_back(binding.hole->is_shard() ? std::to_string(i) : bucket);
      }
    }
    made = std::move(longer);
  }
  return made;
}

std::optional<std::vector<Spread::Choice>> Spread::next() {
  if (!is_spread_) return left_-- > 0 ? std::optional(std::vector<Choice>(1)) : std::nullopt;
  while (waiting_.empty()) {
    if (left_ == 0) return std::nullopt;
    --left_;
    std::string bucket;
    if (bucket_ != nullptr) {
      bucket = TimeBuckets(bucket_->format).text(at_);
      at_ += request_.is_backward ? -1 : 1;
      if (!passes(bucket)) continue;
    }
    std::vector<Choice> all = choices(bucket);
    if (request_.is_merged) return all;
    waiting_.assign(std::make_move_iterator(all.rbegin()), std::make_move_iterator(all.rend()));
  }
  std::vector<Choice> one;
  one.push_back(std::move(waiting_.back()));
  waiting_.pop_back();
  return one;
}

Result<std::optional<Query>> PartitionQueries::next() {
  const auto choices = spread_.next();
  if (!choices) return std::optional<Query>();
  Query query = TRY(builder_.query(request_, known_, choices->front()));
  return std::optional<Query>(std::move(query));
}

}  // namespace sheaf::run
