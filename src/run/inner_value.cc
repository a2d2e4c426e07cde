#include "run/inner_value.h"

#include "base/try.h"

namespace sheaf::run {

std::optional<Value> value_inside(ValueView value, std::span<const std::string> names) {
  for (const std::string& name : names) {
    if (value.type() != Type::kMap) return std::nullopt;
    const auto inner = value.map().find(name);
    if (!inner) return std::nullopt;
    value = *inner;
  }
  return Value(value);
}

Result<Value> with_inside(ValueView value, std::span<const std::string> names,
                          const std::optional<Value>& what) {
  if (value.type() != Type::kMap) {
    if (!what) return Value(value);
    return Error{Code::kInvalid, names.front() + " would lie inside a value that is no object"};
  }
  Item map(value.map());
  const std::string& name = names.front();
  if (names.size() == 1) {
    if (what) {
      map.set(name, *what);
    } else {
      map.remove(name);
    }
    return Value(map);
  }
  const auto inner = map.find(name);
  if (!inner && !what) return Value(value);
  if (!inner) return Error{Code::kInvalid, "there is no " + name + " to put " + names[1] + " into"};
  const Value changed = TRY(with_inside(*inner, names.subspan(1), what));
  map.set(name, changed);
  return Value(map);
}

}  // namespace sheaf::run
