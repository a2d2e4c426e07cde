// Members of an object of plain JSON that a program of ours wrote, and that may have been changed since.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sheaf/value.h"

namespace sheaf::transfer {

class KeptJson {
 public:
  // kInvalid if it is no object of JSON.
  static Result<KeptJson> read(std::string_view json);
  explicit KeptJson(ItemView object) : object_(object) {}

  // kInvalid if there is no such member of that kind.
  Result<std::string> text(std::string_view name) const;
  Result<uint64_t> count(std::string_view name) const;
  Result<std::vector<std::string>> texts(std::string_view name) const;
  Result<std::vector<uint64_t>> counts(std::string_view name) const;
  Result<std::vector<KeptJson>> objects(std::string_view name) const;
  bool has(std::string_view name) const { return object_.view().contains(name); }

 private:
  Result<ValueView> member(std::string_view name, Type type) const;

  Item object_;
};

}  // namespace sheaf::transfer
