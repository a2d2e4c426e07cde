#include "infer/evidence.h"

#include <cmath>

namespace sheaf::infer {

void Evidence::add(bool agrees, const std::string& example) {
  ++of;
  if (agrees) {
    ++agree;
  } else if (counter_examples.size() < kCounterExamplesMax) {
    counter_examples.push_back(example);
  }
}

double Evidence::confidence() const {
  return (static_cast<double>(agree) + 1) / (static_cast<double>(of) + 2);
}

std::string Evidence::text() const {
  if (of == 0) return "no item says so";
  std::string text = std::to_string(agree) + " of " + std::to_string(of) +
                     (of == 1 ? " item, " : " items, ") +
                     std::to_string(static_cast<int>(std::floor(100 * confidence()))) + " %";
  if (counter_examples.empty()) return text;
  text += "; not";
  for (const std::string& example : counter_examples) text += " " + example;
  return text;
}

std::string_view name_of(Question::About about) {
  switch (about) {
    case Question::About::kField:
      return "field";
    case Question::About::kIdentity:
      return "identity";
    case Question::About::kRelation:
      return "relation";
    case Question::About::kSize:
      return "size";
    case Question::About::kTable:
      return "table";
    case Question::About::kPatterns:
      return "patterns";
  }
  return "";
}

}  // namespace sheaf::infer
