#include "migrate/difference.h"

#include <algorithm>
#include <map>

#include "run/applied_layout.h"

namespace sheaf::migrate {
namespace {

using model::Entity;
using model::Field;
using model::Model;

const Field* field_named(const Entity& entity, const std::string& name) {
  const auto found = std::find_if(entity.fields.begin(), entity.fields.end(),
                                  [&](const Field& each) { return each.name == name; });
  return found == entity.fields.end() ? nullptr : &*found;
}

class ModelDifference {
 public:
  ModelDifference(const Model& from, const Model& to, const Renames& renames)
      : from_(from), to_(to), renames_(renames) {}

  std::vector<std::string> lines() {
    for (const Entity& entity : from_.entities) compare(entity);
    for (const Entity& entity : to_.entities) {
      if (!known_.contains(entity.name)) lines_.push_back(entity.name + " is new");
    }
    return std::move(lines_);
  }

 private:
  std::string new_name(const std::string& what, const std::string& name) const {
    const auto found = renames_.find(what);
    return found == renames_.end() ? name : found->second;
  }

  void compare(const Entity& entity) {
    const std::string name = new_name(entity.name, entity.name);
    const auto there = to_.find_entity(name);
    if (!there) return lines_.push_back(entity.name + " is gone");
    known_[name] = entity.name;
    if (name != entity.name) lines_.push_back(entity.name + " is called " + name);
    const Entity& other = to_.entities[*there];
    std::map<std::string, std::string> fields, ends;
    for (const Field& field : entity.fields) {
      const std::string now = new_name(entity.name + "." + field.name, field.name);
      fields[now] = field.name;
      if (field_named(other, now) == nullptr) {
        lines_.push_back(entity.name + "." + field.name + " is gone: what it holds is not copied");
      } else if (now != field.name) {
        lines_.push_back(entity.name + "." + field.name + " is called " + now);
      }
    }
    for (const Field& field : other.fields) {
      if (!fields.contains(field.name))
        lines_.push_back(name + "." + field.name + " is new" +
                         (field.syntax->default_value ? ", with its default where there is none" : ""));
    }
    for (const model::EndId id : entity.ends) {
      const std::string& end = from_.end(id).name;
      const std::string now = new_name(entity.name + "." + end, end);
      ends[now] = end;
      if (!to_.find_end(*there, now)) {
        lines_.push_back(entity.name + "." + end + " is gone");
      } else if (now != end) {
        lines_.push_back(entity.name + "." + end + " is called " + now);
      }
    }
    for (const model::EndId id : other.ends) {
      if (!ends.contains(to_.end(id).name)) lines_.push_back(name + "." + to_.end(id).name + " is new");
    }
  }

  const Model& from_;
  const Model& to_;
  const Renames& renames_;
  std::map<std::string, std::string> known_;  // new names to old ones
  std::vector<std::string> lines_;
};

}  // namespace

Difference difference(const Stored& from, const Stored& to, const Renames& renames) {
  Difference made{.model = ModelDifference(from.model, to.model, renames).lines(), .storage = {}};
  const run::LayoutFacts before = run::layout_facts(from.model, from.layout);
  const run::LayoutFacts after = run::layout_facts(to.model, to.layout);
  const std::map<std::string, std::string> was(before.begin(), before.end());
  const std::map<std::string, std::string> is(after.begin(), after.end());
  for (const auto& [thing, text] : was) {
    const auto now = is.find(thing);
    if (now == is.end()) {
      made.storage.push_back(thing + ": " + text + ", and no more");
    } else if (now->second != text) {
      made.storage.push_back(thing + ": " + text + " becomes " + now->second);
    }
  }
  for (const auto& [thing, text] : is) {
    if (!was.contains(thing)) made.storage.push_back(thing + ": " + text + ", new");
  }
  // What is called otherwise is stored otherwise, and what has a default is written with it.
  const bool is_renamed = !renames.empty();
  const bool has_defaults = std::any_of(made.model.begin(), made.model.end(), [](const std::string& line) {
    return line.ends_with(", with its default where there is none");
  });
  made.moves = is_renamed || has_defaults || !run::moves_between(before, after).empty();
  return made;
}

}  // namespace sheaf::migrate
