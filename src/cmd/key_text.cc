#include "cmd/key_text.h"

#include "run/plain_json.h"

namespace sheaf::cmd {

std::string key_text(ValueView value) {
  return value.type() == Type::kString ? std::string(value.bytes()) : run::to_plain_json(value);
}

std::string key_text(const std::vector<KeyAttribute>& attributes, ItemView item) {
  std::string text;
  for (const KeyAttribute& each : attributes) {
    const auto value = item.find(each.name);
    if (value) text += (text.empty() ? "" : ", ") + key_text(*value);
  }
  return text;
}

}  // namespace sheaf::cmd
