// A JSON text as a tree that knows where in the text each value was: for messages that name the place.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sheaf/result.h"

namespace sheaf::language {

struct Json {
  enum class Kind : uint8_t { kNull, kTrue, kFalse, kNumber, kString, kArray, kObject };
  Kind kind = Kind::kNull;
  std::string text;                // kString: its contents; kNumber: as it is written
  std::vector<Json> items;         // kArray, kObject
  std::vector<std::string> names;  // kObject: one an item
};

// Arrays and objects inside each other.
inline constexpr int kJsonLevelsMax = 200;

// kInvalid for anything that is not one JSON value in UTF-8, or has more levels.
Result<Json> read_json(std::string_view text);

// A value of a tree. Borrows the tree and the places that it was reached by.
class JsonPlace {
 public:
  explicit JsonPlace(const Json& root) : json_(&root) {}

  const Json& json() const { return *json_; }
  Json::Kind kind() const { return json_->kind; }
  // $.entities[2].name
  std::string path() const;
  // Code::kInvalid, with the path before `message`.
  Error error(std::string_view message) const;

  // Of an array or object.
  size_t size() const { return json_->items.size(); }
  JsonPlace at(size_t i) const { return JsonPlace(*this, i); }

 private:
  JsonPlace(const JsonPlace& outer, size_t i) : json_(&outer.json_->items[i]), outer_(&outer), index_(i) {}

  const Json* json_;
  const JsonPlace* outer_ = nullptr;
  size_t index_ = 0;
};

// The members of an object, each of which somebody must ask for.
class JsonMembers {
 public:
  // An error if `place` is no object, or one with two members of the same name. Borrows it.
  static Result<JsonMembers> of(const JsonPlace& place);

  const JsonPlace& place() const { return *place_; }
  bool has(std::string_view name) const;
  std::optional<JsonPlace> find(std::string_view name);
  // An error if it is not there.
  Result<JsonPlace> get(std::string_view name);
  // An error if there are members that nobody asked for.
  Result<void> finish() const;

 private:
  explicit JsonMembers(const JsonPlace& place) : place_(&place), is_known_(place.size(), false) {}

  const JsonPlace* place_;
  std::vector<bool> is_known_;
};

}  // namespace sheaf::language
