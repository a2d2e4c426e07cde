#include "reference/state.h"

#include <algorithm>

namespace sheaf::reference {

std::string key_of(const Identity& identity) {
  std::string key;
  for (const Value& part : identity) key += part.view().encoded();
  return key;
}

Value value_of(const Identity& identity) {
  return identity.size() == 1 ? identity.front() : Value::list(identity);
}

std::optional<Identity> identity_of(const Schema& schema, size_t entity, ValueView value) {
  const std::vector<IdentityPart> parts = schema.identity(entity);
  std::vector<ValueView> given;
  if (parts.size() == 1) {
    given.push_back(value);
  } else if (value.type() == Type::kList) {
    for (const ValueView each : value.list()) given.push_back(each);
  }
  if (given.size() != parts.size()) return std::nullopt;
  Identity identity;
  for (size_t i = 0; i < parts.size(); ++i) {
    auto part = stored_value(given[i], parts[i].type);
    const bool is_empty = part && part->type() == Type::kString && part->view().bytes().empty();
    if (!part || is_empty) return std::nullopt;
    identity.push_back(std::move(*part));
  }
  return identity;
}

Thing* State::find(size_t entity, const Identity& identity) {
  const auto found = things_[entity].find(key_of(identity));
  return found == things_[entity].end() ? nullptr : &found->second;
}

const Thing* State::find(size_t entity, const Identity& identity) const {
  const auto found = things_[entity].find(key_of(identity));
  return found == things_[entity].end() ? nullptr : &found->second;
}

std::vector<Link> State::links(EndRef end, const Identity& from) const {
  std::vector<Link> found;
  for (const Link& link : links_[end.relation]) {
    if (link.holder(end) == from) {
      found.push_back(link);
    } else if (schema_->relations[end.relation].is_symmetric && link.target(end) == from) {
      found.push_back({.ends = {link.ends[1], link.ends[0]}, .fields = link.fields});
    }
  }
  return found;
}

size_t State::remove(EndRef end, const Identity& from, const Identity& to) {
  const bool is_symmetric = schema_->relations[end.relation].is_symmetric;
  return std::erase_if(links_[end.relation], [&](const Link& link) {
    return (link.holder(end) == from && link.target(end) == to) ||
           (is_symmetric && link.holder(end) == to && link.target(end) == from);
  });
}

std::optional<Value> State::field(const Thing& thing, const Field& field) const {
  if (field.kept == Field::Kept::kCount)
    return Value(static_cast<int64_t>(links(field.counted, thing.identity).size()));
  const auto found = thing.fields.find(field.name);
  if (found == thing.fields.end()) return std::nullopt;
  return found->second;
}

}  // namespace sheaf::reference
