// Entities and edges as the model sees them, taken out of their items.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sheaf/value.h"

#include "model/layout.h"
#include "model/model.h"

namespace sheaf::run {

// The values of an entity's identity, in its order, as the text that keys hold.
using Identity = std::vector<std::string>;

using Fields = std::map<std::string, Value>;  // by name; what is missing is not there

struct EndOrder {
  bool operator()(const model::EndId& a, const model::EndId& b) const {
    return std::pair(a.relation, a.side) < std::pair(b.relation, b.side);
  }
};

// Attributes that no field has: of the items themselves.
inline constexpr std::string_view kDeletingAttribute = "_deleting";  // the job that deletes it
inline constexpr std::string_view kVersionAttribute = "_v";  // how often it was written, if no field says it

struct Edge {
  model::RelationId relation = 0;
  Identity ends[2];  // what the first and the second end lead to
  Fields fields;
  Fields copies[2];  // of what they lead to
  int64_t copy_versions[2] = {0, 0};
  // Of a pair with two items, or entries: the end along which this one is read. It has copies of what that
  // leads to.
  std::optional<int> leads;
  bool is_partial = false;  // from an index that does not hold all of it
};

struct Record {
  model::EntityId entity = 0;
  Identity identity;
  Fields fields;  // its id fields among them
  // To whom its item refers: one for an end that leads to one, several for a list of ids or of entries.
  std::map<model::EndId, std::vector<Identity>, EndOrder> references;
  std::map<model::EndId, Fields, EndOrder> copies;                 // fields of those to whom it refers
  std::map<model::EndId, int64_t, EndOrder> copy_versions;         // the source's, when they were made
  std::map<model::EndId, std::vector<Fields>, EndOrder> embedded;  // children that lie in it
  std::map<model::EndId, std::vector<Edge>, EndOrder> entries;     // where both sides keep some
  int64_t version = 0;      // how often it was written, if somebody must know; 0: nobody counts
  bool is_partial = false;  // from an index that does not hold all of it
  // Of data: fields that it does not give, and that were made for it, of the entity and of each child in it.
  std::set<std::string> made;
  std::map<model::EndId, std::vector<std::set<std::string>>, EndOrder> embedded_made;
  // One field of an entity that is stored field by field, and not the one that tells that it is there.
  bool is_fragment = false;
};

// Under which attribute the version of an entity is stored, and that of a copy from what an end leads to.
std::string version_attribute(const model::Entity& entity);
std::string copy_version_attribute(const std::string& end_name);

// The same edge, seen from the other of the two; of symmetric relations both are alike.
Edge turned(Edge edge);

// A number, a text or a bool as keys hold it. Nothing for what cannot be in a key.
std::optional<std::string> key_text(ValueView value);
// The other way round.
Value value_of(const std::string& text, const language::Type& type);
Value key_value(const std::string& text, const model::KeyAttribute& attribute);

// Of an entity whose fields, and those of its parents, are there: {"org": .., "name": ..} for a User within
// an Org is given as what `identity` wants, in order.
const model::Field& identity_field(const model::Model& model, model::EntityId entity, size_t part);
// org_name: under which a part of an identity is stored beside the name of an end.
std::string identity_attribute(const model::Model& model, model::EntityId entity, size_t part);

}  // namespace sheaf::run
