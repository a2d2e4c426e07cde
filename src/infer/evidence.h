// Why something is believed: how many items say so, and which do not.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::infer {

inline constexpr size_t kCounterExamplesMax = 3;

struct Evidence {
  size_t agree = 0;
  size_t of = 0;
  std::vector<std::string> counter_examples;  // at most kCounterExamplesMax

  void add(bool agrees, const std::string& example);
  bool is_without_exception() const { return agree == of; }
  // Between 0 and 1: what the rule of succession expects of the next item, (agree + 1) / (of + 2). One item
  // that agrees is 0.67, ten are 0.92, nothing at all is 0.5.
  double confidence() const;
  // 7 of 7 items, 89 %
  std::string text() const;
};

// One decision: about what, what was decided, and why.
struct Inference {
  std::string subject;  // Order.key, Customer.orders, Order.status
  std::string decided;
  Evidence evidence;
};

// What data cannot show.
struct Question {
  enum class About { kField, kIdentity, kRelation, kSize, kTable, kPatterns };
  std::string subject;
  std::string text;
  About about = About::kField;
};
std::string_view name_of(Question::About about);

}  // namespace sheaf::infer
