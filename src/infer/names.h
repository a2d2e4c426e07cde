// Names for what has none: entities, ends, the parts of keys.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace sheaf::infer {

// order_item, ORDER-ITEM, orderItem: OrderItem; orderItem; order_item. Letters and digits alone; never empty.
std::string entity_name(std::string_view text);
std::string member_name(std::string_view text);   // order_item
std::string pattern_name(std::string_view text);  // orderItem

// Whether a field can be called and stored like that: attributes that begin with _ belong to Sheaf.
bool is_field_name(std::string_view attribute);

// A name as holes of keys can have it, as near to the text as possible.
std::string hole_name(std::string_view text);

std::string plural(std::string_view word);
std::string singular(std::string_view word);

// Gives every name once.
class NameSet {
 public:
  void take(const std::string& name) { taken_.insert(name); }
  bool has(const std::string& name) const { return taken_.contains(name); }
  // `wanted`, or else with a number behind it.
  std::string claim(const std::string& wanted);

 private:
  std::set<std::string> taken_;
};

}  // namespace sheaf::infer
