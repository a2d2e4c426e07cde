#include "expr/placeholders.h"

#include <algorithm>
#include <string>

#include "expr/limits.h"

namespace sheaf::expr {
namespace {

bool is_word(std::string_view text) {
  return std::ranges::all_of(text, [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  });
}

Error invalid_map(std::string_view parameter, std::string_view problem) {
  std::string message(parameter);
  message += problem;
  return {Code::kInvalid, std::move(message)};
}

Result<void> check_key(std::string_view parameter, char prefix, std::string_view placeholder) {
  if (placeholder.size() > kPlaceholderBytesMax) {
    return invalid_map(parameter,
                       " contains invalid key: The expression attribute map contains a key that is too long; "
                       "size of key: " +
                           std::to_string(placeholder.size()));
  }
  if (placeholder.size() < 2 || placeholder.front() != prefix || !is_word(placeholder.substr(1))) {
    return invalid_map(parameter,
                       " contains invalid key: Syntax error; key: \"" + std::string(placeholder) + "\"");
  }
  return {};
}

template <typename Entries>
Result<void> check_entries_used(std::string_view parameter, const Entries& entries) {
  std::string unused;
  for (const auto& entry : entries) {
    if (entry.used) continue;
    if (!unused.empty()) unused += ", ";
    unused += entry.placeholder;
  }
  if (unused.empty()) return {};
  return invalid_map("Value provided in ",
                     std::string(parameter) + " unused in expressions: keys: {" + unused + "}");
}

constexpr std::string_view kNames = "ExpressionAttributeNames";
constexpr std::string_view kValues = "ExpressionAttributeValues";

}  // namespace

Result<void> check_value_placeholder(std::string_view placeholder) {
  return check_key(kValues, ':', placeholder);
}

Placeholders::Placeholders(std::span<const NamePlaceholder> names, ItemView values) {
  names_.reserve(names.size());
  for (const NamePlaceholder& entry : names) names_.push_back({entry.placeholder, entry.name, false});
  if (!std::ranges::is_sorted(names_, {}, &Name::placeholder))
    std::ranges::sort(names_, {}, &Name::placeholder);
  values_.reserve(values.size());
  for (const auto [name, value] : values) values_.push_back({name, value, false});
}

Result<void> Placeholders::check() const {
  for (const Name& entry : names_) {
    if (auto checked = check_key(kNames, '#', entry.placeholder); !checked.ok()) return checked;
  }
  for (const Name& entry : names_) {
    if (entry.name.empty()) {
      return invalid_map(
          kNames, " contains invalid value: Empty attribute name for key " + std::string(entry.placeholder));
    }
    if (entry.name.size() > kAttributeNameBytesMax) {
      return invalid_map(kNames, " contains invalid value: Attribute name is too large, must be less than " +
                                     std::to_string(kAttributeNameBytesMax + 1) + " bytes for key " +
                                     std::string(entry.placeholder));
    }
  }
  for (const PlacedValue& entry : values_) {
    if (auto checked = check_key(kValues, ':', entry.placeholder); !checked.ok()) return checked;
  }
  return {};
}

std::optional<std::string_view> Placeholders::name(std::string_view placeholder) {
  const auto found = std::ranges::lower_bound(names_, placeholder, {}, &Name::placeholder);
  if (found == names_.end() || found->placeholder != placeholder) return std::nullopt;
  found->used = true;
  return found->name;
}

std::optional<ValueView> Placeholders::value(std::string_view placeholder) {
  const auto found = std::ranges::lower_bound(values_, placeholder, {}, &PlacedValue::placeholder);
  if (found == values_.end() || found->placeholder != placeholder) return std::nullopt;
  found->used = true;
  return found->value;
}

Result<void> Placeholders::check_all_used() const {
  if (auto checked = check_entries_used(kNames, names_); !checked.ok()) return checked;
  return check_entries_used(kValues, values_);
}

}  // namespace sheaf::expr
