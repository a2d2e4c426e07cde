// A request's members, as operations read them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sheaf/request.h"

#include "wire/item_reader.h"
#include "wire/shape.h"

namespace sheaf::wire {

// A request whose shape was checked. Borrows everything.
class Input {
 public:
  Input(Json json, const Shape& shape, ItemReader& reader)
      : root_(json), root_shape_(shape), reader_(reader), fields_(json, shape) {}
  // A structure inside another request.
  Input(const Input& whole, Json json, const Shape& shape)
      : root_(whole.root_), root_shape_(whole.root_shape_), reader_(whole.reader_), fields_(json, shape) {}

  const Fields& fields() const { return fields_; }
  bool has(size_t member) const { return fields_.has(member); }
  std::optional<std::string> text(size_t member) const;
  bool flag(size_t member) const { return fields_.flag(member); }

  // A table by its name or its ARN.
  std::string table(size_t member) const;
  // A map of attribute values; empty if it is not there.
  Result<Item> item(size_t member) const { return has(member) ? item(fields_.json(member)) : Item(); }
  Result<Item> item(Json json) const { return judge(reader_.item(json)); }
  Result<Value> value(Json json) const { return judge(reader_.value(json)); }
  // ExpressionAttributeNames and ExpressionAttributeValues.
  Result<Names> names(size_t member) const;
  Result<Item> values(size_t member) const;

 private:
  // AWS reads all of a request before it judges any value in it.
  template <typename T>
  Result<T> judge(Result<T> read) const {
    if (read.ok()) return read;
    Result<void> checked = check_shape(root_, root_shape_, Depth::kWithValues);
    if (!checked.ok() && checked.error().code == Code::kMalformed) return std::move(checked).error();
    return read;
  }

  Json root_;
  const Shape& root_shape_;
  ItemReader& reader_;
  Fields fields_;
};

// The table of an ARN, or `name` itself.
std::string_view table_of(std::string_view name);

}  // namespace sheaf::wire
