// Which items are of one kind: by their tag, by the words in their keys, by their attributes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "infer/evidence.h"
#include "infer/kind.h"
#include "infer/observed.h"

namespace sheaf::infer {

struct Tag {
  std::string attribute;
  Evidence evidence;  // items that have it
};

// The attribute that names the kind of each item: a text that every item has, and that goes with their keys
// or attributes. Usual names (type, entity, ...) are enough if there is one value; others must say what keys
// say.
std::optional<Tag> find_tag(const ObservedTable& table);

// The items of each kind, in the order in which they were seen. With facets, those are the kinds.
std::vector<Kind> find_kinds(const ObservedTable& table, size_t table_id, const std::optional<Tag>& tag);

// Those that somebody declared and that are no keys, of the table or of an index.
std::vector<DeclaredAttribute> declared_fields(const ObservedTable& table);

// Attributes that Sheaf keeps for itself in items.
bool is_kept_by_sheaf(std::string_view attribute);

}  // namespace sheaf::infer
