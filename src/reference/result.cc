#include "reference/result.h"

#include <algorithm>

namespace sheaf::reference {
namespace {

std::optional<std::string> mismatch(const Document& expected, ValueView actual);

std::optional<std::string> mismatch(const List& expected, const std::vector<ValueView>& actual) {
  std::vector<bool> is_used(expected.elements.size());
  std::optional<int64_t> last_rank, greatest;
  for (size_t i = 0; i < actual.size(); ++i) {
    std::optional<size_t> found;
    std::string why = "no element is expected";
    for (size_t j = 0; j < expected.elements.size() && !found; ++j) {
      if (is_used[j]) continue;
      auto different = mismatch(expected.elements[j].document, actual[i]);
      if (!different) {
        found = j;
      } else {
        why = *different;
      }
    }
    if (!found)
      return "element " + std::to_string(i) + " " + actual[i].to_json() + " is not expected (" + why + ")";
    is_used[*found] = true;
    const int64_t rank = expected.elements[*found].rank;
    if (expected.is_ordered && last_rank && rank < *last_rank)
      return "element " + std::to_string(i) + " " + actual[i].to_json() + " is out of order";
    last_rank = rank;
    greatest = std::max(greatest.value_or(rank), rank);
  }
  const bool is_full = expected.limit && actual.size() >= static_cast<size_t>(*expected.limit);
  if (expected.limit && actual.size() > static_cast<size_t>(*expected.limit))
    return std::to_string(actual.size()) + " elements are more than the limit " +
           std::to_string(*expected.limit);
  for (size_t j = 0; j < expected.elements.size(); ++j) {
    const Element& element = expected.elements[j];
    if (is_used[j] || element.may_be_absent) continue;
    if (!is_full) return "an element is missing: " + element.document.values.begin()->second.to_json();
    if (element.rank < *greatest) return "the limit keeps the wrong elements";
  }
  return std::nullopt;
}

std::optional<std::string> mismatch_value(const std::string& name, const Document& expected,
                                          ValueView actual) {
  if (const auto list = expected.lists.find(name); list != expected.lists.end()) {
    if (actual.type() != Type::kList) return name + " is no list";
    std::vector<ValueView> elements;
    for (const ValueView each : actual.list()) elements.push_back(each);
    if (auto why = mismatch(list->second, elements)) return name + ": " + *why;
    return std::nullopt;
  }
  if (const auto one = expected.ones.find(name); one != expected.ones.end()) {
    if (one->second.empty()) return name + " leads nowhere";
    if (auto why = mismatch(one->second.front(), actual)) return name + ": " + *why;
    return std::nullopt;
  }
  if (name == "edge" && !expected.edges.empty()) {
    const bool is_one = std::any_of(expected.edges.begin(), expected.edges.end(),
                                    [&](const auto& edge) { return edge && edge->view() == actual; });
    return is_one ? std::nullopt : std::optional("edge is " + actual.to_json());
  }
  const auto value = expected.values.find(name);
  if (value == expected.values.end()) return name + " is not expected";
  if (value->second.view() == actual) return std::nullopt;
  return name + " is " + actual.to_json() + ", not " + value->second.to_json();
}

std::optional<std::string> mismatch(const Document& expected, ValueView actual) {
  if (actual.type() != Type::kMap) return "it is no object";
  std::set<std::string> seen;
  for (const Attribute part : actual.map()) {
    const std::string name(part.name);
    seen.insert(name);
    if (expected.open.contains(name)) continue;
    if (auto why = mismatch_value(name, expected, part.value)) return why;
  }
  const auto is_missing = [&](const std::string& name) {
    return !seen.contains(name) && !expected.open.contains(name);
  };
  for (const auto& [name, value] : expected.values) {
    if (is_missing(name)) return name + " is missing";
  }
  for (const auto& [name, list] : expected.lists) {
    if (is_missing(name)) return name + " is missing";
  }
  for (const auto& [name, one] : expected.ones) {
    if (!one.empty() && is_missing(name)) return name + " is missing";
  }
  const bool has_plain_edge =
      std::any_of(expected.edges.begin(), expected.edges.end(), [](const auto& edge) { return !edge; });
  if (!expected.edges.empty() && !has_plain_edge && is_missing("edge")) return "edge is missing";
  return std::nullopt;
}

}  // namespace

std::optional<std::string> mismatch(const List& expected, const std::vector<Value>& documents) {
  std::vector<ValueView> views;
  for (const Value& document : documents) views.push_back(document.view());
  return mismatch(expected, views);
}

}  // namespace sheaf::reference
