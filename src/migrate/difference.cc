#include "migrate/difference.h"

#include <algorithm>
#include <map>

#include "language/syntax_text.h"
#include "model/value_type.h"
#include "run/applied_layout.h"

namespace sheaf::migrate {
namespace {

using model::Entity;
using model::Field;
using model::Model;

const Field* field_named(const std::vector<Field>& fields, const std::string& name) {
  const auto found =
      std::find_if(fields.begin(), fields.end(), [&](const Field& each) { return each.name == name; });
  return found == fields.end() ? nullptr : &*found;
}

// What a field takes: "list<string> max 10".
std::string taken_by(const Field& field) {
  std::string text = model::text_of(field.type);
  if (field.syntax->max) text += " max " + std::to_string(field.syntax->max->value);
  if (field.syntax->matches) text += " matches \"" + field.syntax->matches->text + "\"";
  return text;
}

std::string default_of(const Field& field) {
  return field.syntax->default_value ? language::to_text(*field.syntax->default_value) : "";
}

class ModelDifference {
 public:
  ModelDifference(const Model& from, const Model& to, const Renames& renames)
      : from_(from), to_(to), renames_(renames) {}

  void run() {
    for (const Entity& entity : from_.entities) compare(entity);
    for (const Entity& entity : to_.entities) {
      if (!known_.contains(entity.name)) lines.push_back(entity.name + " is new");
    }
  }

  std::vector<std::string> lines;
  // Items that are there need a default, a guard or a count that they have not, or have one too much.
  bool moves = false;

 private:
  std::string new_name(const std::string& what, const std::string& name) const {
    const auto found = renames_.find(what);
    return found == renames_.end() ? name : found->second;
  }

  void compare(const Entity& entity) {
    const std::string name = new_name(entity.name, entity.name);
    const auto there = to_.find_entity(name);
    if (!there) return lines.push_back(entity.name + " is gone");
    known_[name] = entity.name;
    if (name != entity.name) lines.push_back(entity.name + " is called " + name);
    const Entity& other = to_.entities[*there];
    compare(entity.fields, other.fields, entity.name, name);
    std::map<std::string, std::string> ends;
    for (const model::EndId id : entity.ends) {
      const std::string& end = from_.end(id).name;
      const std::string now = new_name(entity.name + "." + end, end);
      ends[now] = end;
      if (!to_.find_end(*there, now)) {
        lines.push_back(entity.name + "." + end + " is gone");
      } else {
        if (now != end) lines.push_back(entity.name + "." + end + " is called " + now);
        compare(id, *to_.find_end(*there, now));
      }
    }
    for (const model::EndId id : other.ends) {
      if (!ends.contains(to_.end(id).name)) lines.push_back(name + "." + to_.end(id).name + " is new");
    }
  }

  // Of an entity, or of a relation's edges.
  void compare(const std::vector<Field>& from, const std::vector<Field>& to, const std::string& holder,
               const std::string& new_holder) {
    std::map<std::string, std::string> fields;
    for (const Field& field : from) {
      const std::string what = holder + "." + field.name;
      const std::string now = new_name(what, field.name);
      fields[now] = field.name;
      const Field* const there = field_named(to, now);
      if (there == nullptr) {
        lines.push_back(what + " is gone: what it holds is not copied");
        moves = moves || field.syntax->is_unique || field.count_of;
        continue;
      }
      if (now != field.name) lines.push_back(what + " is called " + now);
      compare(field, *there, what);
    }
    for (const Field& field : to) {
      if (fields.contains(field.name)) continue;
      const std::string how = field.count_of                ? ", and is counted"
                              : field.syntax->default_value ? ", with its default where there is none"
                                                            : "";
      lines.push_back(new_holder + "." + field.name + " is new" + how);
      moves = moves || !how.empty();
    }
  }

  void compare(const Field& field, const Field& there, const std::string& what) {
    if (taken_by(field) != taken_by(there))
      lines.push_back(what + ": " + taken_by(field) + " becomes " + taken_by(there));
    if (field.is_optional != there.is_optional)
      lines.push_back(what + (there.is_optional ? " can be missing now" : " must be there now"));
    if (default_of(field) != default_of(there))
      lines.push_back(what + " has another default for what is written from now on");
    // Those that lack it are given its default.
    moves = moves || (field.is_optional && !there.is_optional);
    const bool is_unique = there.syntax->is_unique;
    if (field.syntax->is_unique != is_unique) {
      lines.push_back(what + (is_unique ? " becomes unique" : " is no longer unique"));
      moves = true;
    }
    if (counted_by(from_, field, true) == counted_by(to_, there, false)) return;
    lines.push_back(what + (there.count_of ? " becomes a count of " + to_.end(*there.count_of).name
                                           : " is no longer counted"));
    moves = true;
  }

  // Which end a count is of, by its new name.
  std::string counted_by(const Model& model, const Field& field, bool is_old) const {
    if (!field.count_of) return "";
    const model::End& end = model.end(*field.count_of);
    return is_old ? new_name(model.entities[end.holder].name + "." + end.name, end.name) : end.name;
  }

  void compare(model::EndId id, model::EndId there) {
    const model::End& end = from_.end(id);
    const std::string what = from_.entities[end.holder].name + "." + end.name;
    if (end.is_required != to_.end(there).is_required)
      lines.push_back(what + (end.is_required ? " can be missing now" : " must be there now"));
    if (id.side != 0) return;
    const model::Relation& other = to_.relations[there.relation];
    compare(from_.relations[id.relation].edge_fields, other.edge_fields, what,
            to_.entities[other.ends[0].holder].name + "." + other.ends[0].name);
  }

  const Model& from_;
  const Model& to_;
  const Renames& renames_;
  std::map<std::string, std::string> known_;  // new names to old ones
};

}  // namespace

Difference difference(const Stored& from, const Stored& to, const Renames& renames) {
  ModelDifference models(from.model, to.model, renames);
  models.run();
  Difference made{.model = std::move(models.lines), .storage = {}};
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
  // What is called otherwise is stored otherwise.
  made.moves = !renames.empty() || models.moves || !run::moves_between(before, after).empty();
  return made;
}

}  // namespace sheaf::migrate
