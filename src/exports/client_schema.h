// Kinds of items as clients in JavaScript see them: properties under names of their own, templates of keys
// with these names, and what a client must know to read and write the items of a model.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/layout.h"
#include "model/model.h"
#include "run/item_shape.h"

namespace sheaf::exports {

struct ClientValue {
  run::ShapeValue value;
  std::string name;       // the property: orgName
  std::string attribute;  // under which clients store it; the model's own attribute, unless only keys hold it
  // Digits that keys write it with.
  std::optional<int64_t> digits;
  // It is part of a key that is more than the value itself, or it is a key by itself.
  bool is_in_template = false;
  bool is_bare = false;
  // What follows it in keys, as far as keys escape it for that reason alone: a character, or nothing.
  std::set<std::string> followers;

  // No key holds it as it is: what all of them escape can be escaped wherever it is written into a key.
  bool is_escapable() const { return is_in_template && !is_bare; }
  // What all keys escape beside the characters up to %.
  std::string common_follower() const { return followers.size() == 1 ? *followers.begin() : std::string(); }
};

// The keys of the table, or of an index.
struct ClientKey {
  std::optional<size_t> index;  // of the table
  std::string name;             // of the access pattern: primary, gsi1
  const model::KeyAttribute* pk_attribute = nullptr;
  const model::KeyTemplate* pk = nullptr;
  const model::KeyAttribute* sk_attribute = nullptr;  // null: none
  const model::KeyTemplate* sk = nullptr;
};

struct ClientKind {
  const model::ItemKind* kind = nullptr;
  std::string name;  // UserRepos
  std::vector<ClientValue> values;
  std::vector<ClientKey> keys;         // the table's first
  std::vector<std::string> left_out;   // indexes that no client can keep, and why
  std::vector<std::string> kept_only;  // what operations of the model keep, and clients do not
  std::optional<std::string> unfit;    // why no client can express it

  const ClientValue* find(const model::HoleSource& source) const;
};

// One for every kind of items, in the order of the layout.
std::vector<ClientKind> client_kinds(const model::Model& model, const model::Layout& layout);

// A template with its holes as a client writes them.
std::string template_text(const ClientKind& kind, const model::KeyTemplate& key,
                          const std::function<std::string(const ClientValue&)>& hole_text);
// The properties in a template, in order.
std::vector<std::string> properties_of(const ClientKind& kind, const model::KeyTemplate& key);

// A JavaScript pattern that tells the values from a key: /^ORG#(?<orgName>[^\x00-\x24]*)$/.
std::string key_pattern(const ClientKind& kind, const model::KeyTemplate& key);
// Each property that only keys hold, with the function that reads it: text, plain, number, boolean.
std::vector<std::pair<std::string, std::string>> key_readers(const ClientKind& kind);

// A JavaScript pattern of the texts that all keys write alike, if there are others.
std::optional<std::string> plain_pattern(const ClientValue& value);

// A default that can be written in JavaScript, if there is one.
std::optional<std::string> default_text(const ClientValue& value);

// It must be there when an item is put.
bool is_needed(const ClientValue& value);

// The part of a module that tells what keys hold, alike for all clients: KINDS, and what reads it.
std::string key_tables(const model::Layout& layout, const std::vector<const ClientKind*>& kinds);

}  // namespace sheaf::exports
