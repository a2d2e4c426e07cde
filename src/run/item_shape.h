// Which attributes the items of a kind have, and which values of the model they hold.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/layout.h"
#include "model/model.h"

namespace sheaf::run {

struct ShapeValue {
  enum class Kind : uint8_t {
    kField,      // of the entity, or of the edge
    kReference,  // a part of the identity of what an end leads to
    kCopy,       // a field of what an end leads to
    kIds,        // the identities of all that an end leads to
    kEmbedded,   // all that an end leads to, or an entry for each
    kExpiry,     // when it expires, in seconds
  };
  Kind kind = Kind::kField;
  model::HoleSource source;  // of kField, kReference and kCopy
  std::string attribute;     // under which it is stored, if it is
  model::Field field;        // its type; of kIds, kEmbedded and kExpiry: none
  std::optional<model::EndId> end;
  bool is_optional = false;
  // The primary key holds it: it is not stored by itself.
  bool is_in_key = false;

  // Keys can hold it.
  bool has_source() const { return kind == Kind::kField || kind == Kind::kReference || kind == Kind::kCopy; }
};

// In the order of the model: fields, references with their copies, lists.
std::vector<ShapeValue> item_shape(const model::Model& model, const model::Layout& layout,
                                   const model::ItemKind& kind);

// The type that DynamoDB gives values of this type: S, N, B, BOOL, L, M, SS, NS, BS. `any` is S.
std::string_view stored_type(const language::Type& type);
std::string_view stored_type(const model::Layout& layout, const ShapeValue& value);

}  // namespace sheaf::run
