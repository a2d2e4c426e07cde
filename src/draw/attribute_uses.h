// Which attributes the items of a kind have, and what for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/layout.h"
#include "model/model.h"

namespace sheaf::draw {

struct AttributeUse {
  enum class Kind : uint8_t {
    kKey,        // of the table
    kTag,        // which kind of item it is
    kField,      // `field` of the entity, or of the edge
    kReference,  // a part of the identity of what `end` leads to
    kCopy,       // `field` of what `end` leads to
    kIds,        // the identities of all that `end` leads to
    kEmbedded,   // all that `end` leads to
    kExpiry,     // when it expires, in seconds
    kIndexKey,   // of index `index` of the table
  };
  Kind kind = Kind::kField;
  std::string attribute;
  std::optional<model::FieldId> field;
  std::optional<model::EndId> end;
  std::optional<size_t> index;
};

// In the order in which drawings show them: keys, tag, fields as the model declares them, references, copies,
// lists, keys of indexes. An attribute that is a field by itself and also a key is there once, as a key.
std::vector<AttributeUse> attribute_uses(const model::Model& model, const model::Layout& layout,
                                         const model::ItemKind& kind);

// The attributes that hold the value in a key of the table or of an index: {"PK", "GSI1SK"}.
std::vector<std::string> key_attributes_with(const model::Layout& layout, const model::ItemKind& kind,
                                             const model::HoleSource& source);

}  // namespace sheaf::draw
