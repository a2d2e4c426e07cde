// A state: which entities and links there are. Value semantics: an operation works on a copy.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reference/schema.h"
#include "reference/values.h"

namespace sheaf::reference {

using Identity = std::vector<Value>;

// Equal identities have equal keys.
std::string key_of(const Identity& identity);
// As requests and documents have it: a value, or a list of several.
Value value_of(const Identity& identity);
// Nothing if the value is no identity of the entity.
std::optional<Identity> identity_of(const Schema& schema, size_t entity, ValueView value);

struct Thing {
  Identity identity;
  Fields fields;  // without counts
};

struct Link {
  Identity ends[2];  // what the first and the second end lead to
  Fields fields;

  const Identity& target(EndRef end) const { return ends[end.side]; }
  const Identity& holder(EndRef end) const { return ends[1 - end.side]; }
};

class State {
 public:
  explicit State(const Schema& schema)
      : schema_(&schema),
        things_(schema.entities.size()),
        links_(schema.relations.size()),
        is_virtual_(schema.entities.size()) {}

  // Of `store none`: every identity exists.
  void set_virtual(size_t entity) { is_virtual_[entity] = true; }

  const Schema& schema() const { return *schema_; }
  const std::map<std::string, Thing>& things(size_t entity) const { return things_[entity]; }
  Thing* find(size_t entity, const Identity& identity);
  const Thing* find(size_t entity, const Identity& identity) const;
  bool exists(size_t entity, const Identity& identity) const {
    return is_virtual_[entity] || find(entity, identity) != nullptr;
  }
  void put(size_t entity, Thing thing) { things_[entity][key_of(thing.identity)] = std::move(thing); }
  void erase(size_t entity, const Identity& identity) { things_[entity].erase(key_of(identity)); }

  // The links by which an entity has somebody at an end, turned so that the end leads from it.
  std::vector<Link> links(EndRef end, const Identity& from) const;
  const std::vector<Link>& links(size_t relation) const { return links_[relation]; }
  void add(size_t relation, Link link) { links_[relation].push_back(std::move(link)); }
  // Those between two; returns how many.
  size_t remove(EndRef end, const Identity& from, const Identity& to);

  // A field of an entity, counts included.
  std::optional<Value> field(const Thing& thing, const Field& field) const;

 private:
  const Schema* schema_;
  std::vector<std::map<std::string, Thing>> things_;  // one an entity, by key
  std::vector<std::vector<Link>> links_;              // one a relation
  std::vector<bool> is_virtual_;
};

}  // namespace sheaf::reference
