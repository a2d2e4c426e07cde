#include "measure/canonical_answer.h"

#include <algorithm>

#include "run/plain_json.h"

namespace sheaf::measure {
namespace {

using run::sorted_text;

const model::Node* nested_node(const model::Model& model, const model::Node& node, std::string_view name) {
  for (const model::Nested& nested : node.nested) {
    if (model.end(nested.end).name == name) return nested.node.get();
  }
  return nullptr;
}

std::string list_text(const model::Model& model, const model::Node& node,
                      const std::vector<ValueView>& documents);

std::string document_text(const model::Model& model, const model::Node& node, ValueView document) {
  if (document.type() != Type::kMap) return sorted_text(document);
  std::string text;
  for (const Attribute part : document.map()) {
    text += std::string(part.name) + ":";
    const model::Node* const nested = nested_node(model, node, part.name);
    if (nested != nullptr && part.value.type() == Type::kList) {
      std::vector<ValueView> elements;
      for (const ValueView each : part.value.list()) elements.push_back(each);
      text += list_text(model, *nested, elements);
    } else {
      text += nested != nullptr ? document_text(model, *nested, part.value) : sorted_text(part.value);
    }
    text += ",";
  }
  return "{" + text + "}";
}

// What a list is ordered by, if its documents show it.
std::string order_text(const model::Model& model, const model::Node& node,
                       const std::vector<ValueView>& documents) {
  if (!node.order) return "";
  const model::Place& place = node.order->first;
  if (place.kind != model::Place::Kind::kField || !place.ends.empty()) return "";
  const std::string& name = model.entities[node.entity].fields[place.field].name;
  std::string text;
  for (const ValueView document : documents) {
    if (document.type() != Type::kMap) continue;
    const auto value = document.map().find(name);
    text += (value ? sorted_text(*value) : "-") + ">";
  }
  return text;
}

std::string list_text(const model::Model& model, const model::Node& node,
                      const std::vector<ValueView>& documents) {
  const std::string order = order_text(model, node, documents);
  if (node.limit && documents.size() >= static_cast<size_t>(*node.limit))
    return "[" + order + std::to_string(documents.size()) + "]";
  std::vector<std::string> elements;
  for (const ValueView document : documents) elements.push_back(document_text(model, node, document));
  std::sort(elements.begin(), elements.end());
  std::string text = "[" + order;
  for (const std::string& element : elements) text += element + ",\n";
  return text + "]";
}

uint64_t entities_of(const model::Model& model, const model::Node& node, ValueView document) {
  if (document.type() != Type::kMap) return 0;
  uint64_t count = 1;
  for (const Attribute part : document.map()) {
    const model::Node* const nested = nested_node(model, node, part.name);
    if (nested == nullptr) continue;
    if (part.value.type() == Type::kList) {
      for (const ValueView each : part.value.list()) count += entities_of(model, *nested, each);
    } else {
      count += entities_of(model, *nested, part.value);
    }
  }
  return count;
}

}  // namespace

std::string canonical_answer(const model::Model& model, const model::Pattern& pattern,
                             const std::vector<Value>& documents) {
  std::vector<ValueView> views;
  for (const Value& document : documents) views.push_back(document.view());
  return list_text(model, pattern.node, views);
}

uint64_t entities_in(const model::Model& model, const model::Pattern& pattern,
                     const std::vector<Value>& documents) {
  uint64_t count = 0;
  for (const Value& document : documents) count += entities_of(model, pattern.node, document.view());
  return count;
}

}  // namespace sheaf::measure
