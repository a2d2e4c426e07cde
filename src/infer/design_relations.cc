#include <algorithm>
#include <cmath>

#include "infer/clusters.h"
#include "infer/designer.h"
#include "infer/field_types.h"
#include "infer/key_words.h"
#include "language/written_parts.h"
#include "model/value_type.h"

namespace sheaf::infer {

using language::Name;
using How = Link::How;
using Via = language::Via::Kind;

namespace {

// Shorter ones say nothing of what they stand before.
constexpr size_t kLabelLettersMin = 2;

std::string reason_of(How how) {
  switch (how) {
    case How::kCollection:
      return "in the partition of a parent that is there";
    case How::kPath:
      return "behind the sort key of a parent that is there";
    case How::kIndex:
      return "in the index partition of a parent that is there";
    case How::kRef:
      return "has the id of one that is there";
    case How::kEdges:
      return "keys of two that are there";
    case How::kIds:
      return "ids of some that are there";
    case How::kLists:
      return "entries on both, which agree";
    case How::kEmbedMap:
    case How::kEmbedList:
      break;
  }
  return "lies in its parent's item";
}

std::string tuple_text(const IdentityText& tuple) {
  std::string text;
  for (const std::string& part : tuple) text += part + "\n";
  return text;
}

}  // namespace

// --- Names of ends

std::string Designer::claim(size_t kind, const std::string& wanted) {
  const auto is_attribute = [&](const std::string& name) {
    const std::vector<std::string>& all = kinds_[kind].attributes;
    return std::find(all.begin(), all.end(), name) != all.end() && !taken_attributes_[kind].contains(name);
  };
  std::string name = wanted;
  for (int number = 2; members_[kind].has(name) || is_attribute(name); ++number)
    name = wanted + std::to_string(number);
  members_[kind].take(name);
  return name;
}

std::string Designer::copied_end(size_t kind, size_t target, const std::vector<size_t>& values) const {
  const auto targets = targets_of(found_, kinds_[kind], values, target);
  for (const std::string& attribute : kinds_[kind].attributes) {
    const auto copy =
        copied_field(kinds_[kind], attribute, kinds_[target], targets, found_.is_sampled[target]);
    if (copy && hole_name(copy->end) == copy->end) return copy->end;
  }
  return {};
}

void Designer::claim_copies(size_t link, size_t kind, size_t target, const std::vector<size_t>& values,
                            const std::string& end) {
  if (kinds_[target].is_by_field) return;
  const auto targets = targets_of(found_, kinds_[kind], values, target);
  language::Copy copy;
  copy.end.text = end;
  for (const std::string& attribute : kinds_[kind].attributes) {
    const auto copied =
        copied_field(kinds_[kind], attribute, kinds_[target], targets, found_.is_sampled[target]);
    const bool is_key = kinds_[kind].find_value(attribute).has_value();
    if (!copied || copied->end != end || is_key || taken_attributes_[kind].contains(attribute)) continue;
    copy.fields.push_back({.text = copied->field});
    taken_attributes_[kind].insert(attribute);
    ask(Question::About::kField, naming_.entities[target] + "." + copied->field,
        "is copied as " + attribute + ", and always the same there: is it a copy that must follow?");
  }
  if (!copy.fields.empty()) copies_[link].push_back(std::move(copy));
}

void Designer::name_tree(size_t id) {
  const Link& link = found_.links[id];
  Ends& ends = ends_[id];
  const std::string child = plural(singular(member_name(naming_.entities[link.child])));
  if (link.is_within) {
    ends.backward = naming_.within[link.child];
    ends.forward = claim(link.parent, child);
    ends.is_required = true;
    claim_copies(id, link.child, link.parent, link.values, ends.backward);
    return;
  }
  ends.backward = link.end;
  const auto is_alike = [&](const Link& other) {
    return other.how != How::kEdges && other.parent == link.parent && other.child == link.child;
  };
  const bool is_plain =
      link.end == member_name(naming_.entities[link.parent]) ||
      (link.parent != link.child && std::count_if(found_.links.begin(), found_.links.end(), is_alike) == 1);
  ends.forward = claim(link.parent, is_plain ? child : child + "_by_" + link.end);
  ends.is_required = link.evidence.of == kinds_[link.child].items.size();
  if (link.how != How::kIndex) return;
  std::vector<size_t> values;
  for (const std::string& attribute : link.attributes)
    values.push_back(*kinds_[link.child].find_value(attribute));
  claim_copies(id, link.child, link.parent, values, ends.backward);
}

void Designer::name_edges(size_t id) {
  const Link& link = found_.links[id];
  const Kind& edge = kinds_[link.edge];
  Ends& ends = ends_[id];
  const bool is_parallel = edge.identity().size() > link.values.size() + link.child_values.size();
  const auto is_one_for_all = [&](const std::vector<size_t>& values, size_t kind) {
    const std::map<std::string, size_t> counts = counts_by(link.edge, values);
    return !is_parallel && counts.size() == kinds_[kind].items.size() &&
           std::all_of(counts.begin(), counts.end(), [](const auto& each) { return each.second == 1; });
  };
  const bool has_one_parent = !link.is_symmetric && is_one_for_all(link.child_values, link.child);
  ends.is_turned = !link.is_symmetric && !has_one_parent && is_one_for_all(link.values, link.parent);
  ends.is_many_to_many = !has_one_parent && !ends.is_turned;
  ends.is_required = !ends.is_many_to_many;
  const std::string& word = edge.values[link.child_values.front()].after;
  const std::string child = member_name(naming_.entities[link.child]);
  const std::string called = word.size() >= kLabelLettersMin ? singular(member_name(word)) : child;
  std::string to_child = copied_end(link.edge, link.child, link.child_values);
  if (to_child.empty()) to_child = ends.is_turned ? called : plural(called);
  if (link.is_symmetric) {
    ends.forward = claim(link.parent, to_child);
    claim_copies(id, link.edge, link.child, link.child_values, ends.forward);
    return;
  }
  std::string to_parent = copied_end(link.edge, link.parent, link.values);
  const std::string parent = member_name(naming_.entities[link.parent]);
  if (to_parent.empty() && link.parent == link.child) to_parent = "of_" + to_child;
  if (to_parent.empty()) to_parent = has_one_parent ? parent : plural(singular(parent));
  to_child = claim(link.parent, to_child);
  to_parent = claim(link.child, to_parent);
  ends.forward = ends.is_turned ? to_parent : to_child;
  ends.backward = ends.is_turned ? to_child : to_parent;
  claim_copies(id, link.edge, link.child, link.child_values, to_child);
  claim_copies(id, link.edge, link.parent, link.values, to_parent);
}

void Designer::name_ends() {
  ends_.resize(found_.links.size());
  copies_.resize(found_.links.size());
  for (size_t kind = 0; kind < kinds_.size(); ++kind) {
    for (const auto& [value, name] : naming_.fields[kind]) {
      if (kinds_[kind].values[value].attribute.empty()) members_[kind].take(name);
    }
    if (!naming_.within[kind].empty()) members_[kind].take(naming_.within[kind]);
  }
  // What attributes are called is settled; the others go around it.
  for (const Link& link : found_.links) {
    if (!link.attribute.empty()) taken_attributes_[link.parent].insert(link.attribute);
    if (!link.other_attribute.empty()) taken_attributes_[link.child].insert(link.other_attribute);
    for (const std::string& attribute : link.attributes) taken_attributes_[link.child].insert(attribute);
  }
  for (size_t i = 0; i < found_.links.size(); ++i) {
    const Link& link = found_.links[i];
    if (!link.attribute.empty()) ends_[i].forward = claim(link.parent, link.attribute);
    if (!link.end.empty()) members_[link.child].take(link.end);
    if (!link.other_attribute.empty() && !link.is_symmetric)
      ends_[i].backward = claim(link.child, link.other_attribute);
  }
  for (size_t i = 0; i < found_.links.size(); ++i) {
    const Link& link = found_.links[i];
    switch (link.how) {
      case How::kEdges:
        name_edges(i);
        break;
      case How::kIds:
        ends_[i].backward = claim(link.child, plural(singular(member_name(naming_.entities[link.parent]))));
        ends_[i].is_many_to_many = true;
        break;
      case How::kLists:
        ends_[i].is_many_to_many = true;
        break;
      case How::kEmbedMap:
      case How::kEmbedList:
        embedded_[i] = entity_names_.claim(entity_name(singular(link.attribute)));
        ends_[i].backward = member_name(naming_.entities[link.parent]);
        break;
      default:
        name_tree(i);
    }
  }
}

// --- Sizes

std::map<std::string, size_t> Designer::counts_by(size_t kind, const std::vector<size_t>& values) const {
  std::map<std::string, size_t> counts;
  for (size_t i = 0; i < kinds_[kind].items.size(); ++i) {
    if (const auto tuple = tuple_of(kinds_[kind], values, i)) ++counts[tuple_text(*tuple)];
  }
  return counts;
}

std::map<std::string, size_t> Designer::children_by_parent(const Link& link) const {
  if (link.attributes.empty()) return counts_by(link.child, link.values);
  std::map<std::string, size_t> counts;
  for (const Item& item : kinds_[link.child].items) {
    std::string text;
    bool is_whole = true;
    for (const std::string& attribute : link.attributes) {
      const auto value = item.find(attribute);
      is_whole = is_whole && value;
      if (value) text += text_of(*value).value_or("") + "\n";
    }
    if (is_whole) ++counts[text];
  }
  return counts;
}

void Designer::add_size(language::Relation& relation, const std::map<std::string, size_t>& counts,
                        size_t holders, const std::string& end) {
  size_t most = 1, all = 0;
  for (const auto& [holder, count] : counts) {
    most = std::max(most, count);
    all += count;
  }
  const double average =
      static_cast<double>(all) / static_cast<double>(std::max<size_t>({holders, counts.size(), 1}));
  language::Size size;
  if (!end.empty()) size.end = Name{.text = end};
  size.average = language::Whole{.value = std::max<int64_t>(1, std::llround(average))};
  size.max = language::Whole{.value = static_cast<int64_t>(most)};
  // An end is a member of the side that it leads away from.
  const bool is_backward = !end.empty() && end != relation.forward.text;
  const std::string& of = is_backward ? relation.to.front().text : relation.from.front().text;
  const std::string member = end.empty() ? relation.forward.text : end;
  ask(Question::About::kSize, of + "." + member,
      "at most " + std::to_string(most) + " were seen: is that a limit, and will it grow?");
  relation.sizes.push_back(std::move(size));
}

// --- Relations

void Designer::add_tree(const Link& link, language::Relation& relation) {
  language::Via& via = *relation.via;
  via.kind = link.how == How::kPath         ? Via::kPath
             : link.how == How::kCollection ? Via::kCollection
             : link.how == How::kIndex      ? Via::kIndex
                                            : Via::kRef;
  if (link.how == How::kIndex) {
    const ObservedTable& table = observed_.tables[kinds_[link.child].table];
    via.on = Name{.text = table.indexes[*link.index].name};
  }
  add_size(relation, children_by_parent(link), kinds_[link.parent].items.size(), "");
}

void Designer::add_edges(size_t id, language::Relation& relation) {
  const Link& link = found_.links[id];
  const Kind& edge = kinds_[link.edge];
  const Ends& ends = ends_[id];
  relation.via->kind = Via::kEdges;
  const std::string owner = relation.from.front().text + "." + relation.forward.text;
  NameSet taken;
  for (const std::string& name : {ends.forward, ends.backward, std::string("from"), std::string("to")})
    taken.take(name);
  std::set<std::string> written;
  for (const size_t value : edge.identity()) {
    const auto is_of = [&](const std::vector<size_t>& values) {
      return std::find(values.begin(), values.end(), value) != values.end();
    };
    if (is_of(link.values) || is_of(link.child_values)) continue;
    language::Field field;
    field.name.text = naming_.fields[link.edge].at(value);
    field.is_id = true;
    const std::string& attribute = edge.values[value].attribute;
    if (!attribute.empty() && attribute != field.name.text) field.stored_as = Name{.text = attribute};
    field.type = edge.values[value].type;
    taken.take(field.name.text);
    written.insert(edge.values[value].attribute);
    relation.edge_fields.push_back(std::move(field));
  }
  for (const std::string& attribute : edge.stored_attributes()) {
    if (written.contains(attribute) || taken_attributes_[link.edge].contains(attribute)) continue;
    add_field(link.edge, attribute, relation.edge_fields, owner, taken);
  }
  add_physical(link.edge, relation.via->physical, owner);
  design_.entity_of[link.edge] = owner;
  const auto to_child = counts_by(link.edge, link.values),
             to_parent = counts_by(link.edge, link.child_values);
  const size_t parents = kinds_[link.parent].items.size(), children = kinds_[link.child].items.size();
  if (link.is_symmetric) {
    add_size(relation, to_child, parents, "");
  } else if (!ends.is_many_to_many) {
    add_size(relation, ends.is_turned ? to_parent : to_child, ends.is_turned ? children : parents, "");
  } else {
    add_size(relation, to_child, parents, ends.forward);
    add_size(relation, to_parent, children, ends.backward);
    const auto is_one = [](const std::map<std::string, size_t>& counts) {
      return std::all_of(counts.begin(), counts.end(), [](const auto& each) { return each.second == 1; });
    };
    if (is_one(to_parent) || is_one(to_child))
      ask(Question::About::kRelation, owner,
          "each " + naming_.entities[is_one(to_parent) ? link.child : link.parent] +
              " has at most one: is that a rule? Then it is 1--*");
  }
}

void Designer::add_ids(const Link& link, language::Relation& relation) {
  relation.via->kind = Via::kIds;
  relation.via->ids = relation.forward;
  std::map<std::string, size_t> forward, backward;
  for (size_t i = 0; i < kinds_[link.parent].items.size(); ++i) {
    const auto list = kinds_[link.parent].items[i].find(link.attribute);
    if (!list) continue;
    for (const ValueView element : list->list()) {
      ++forward[std::to_string(i)];
      ++backward[text_of(element).value_or("")];
    }
  }
  add_size(relation, forward, kinds_[link.parent].items.size(), relation.forward.text);
  add_size(relation, backward, kinds_[link.child].items.size(), relation.backward->text);
}

void Designer::add_lists(size_t id, language::Relation& relation) {
  const Link& link = found_.links[id];
  relation.via->kind = Via::kLists;
  const auto add_copies = [&](const std::string& end, const std::vector<std::string>& fields) {
    if (fields.empty()) return;
    language::Copy copy;
    copy.end.text = end;
    for (const std::string& field : fields) copy.fields.push_back({.text = field});
    relation.via->copies.push_back(std::move(copy));
  };
  add_copies(link.attribute, link.copied);
  if (!link.is_symmetric) add_copies(link.other_attribute, link.other_copied);
  std::map<std::string, std::vector<ValueView>> members;
  std::map<std::string, size_t> forward, backward;
  size_t entries = 0;
  for (size_t i = 0; i < kinds_[link.parent].items.size(); ++i) {
    const auto map = kinds_[link.parent].items[i].find(link.attribute);
    if (!map) continue;
    for (const Attribute entry : map->map()) {
      ++entries;
      ++forward[std::to_string(i)];
      ++backward[std::string(entry.name)];
      for (const Attribute member : entry.value.map())
        members[std::string(member.name)].push_back(member.value);
    }
  }
  const std::string owner = relation.from.front().text + "." + relation.forward.text;
  for (const auto& member : members) {
    const std::string& name = member.first;
    const std::vector<ValueView>& values = member.second;
    const bool is_copy = std::any_of(link.copied.begin(), link.copied.end(), [&](const std::string& field) {
      return name == link.attribute + "_" + field;
    });
    if (is_copy || is_kept_by_sheaf(name)) continue;
    language::Field field;
    field.name.text = name;
    field.type = type_of_values(values);
    field.is_optional = values.size() < entries;
    note_field(owner, field, values.size(), entries);
    relation.edge_fields.push_back(std::move(field));
  }
  add_size(relation, forward, kinds_[link.parent].items.size(),
           link.is_symmetric ? "" : relation.forward.text);
  if (!link.is_symmetric)
    add_size(relation, backward, kinds_[link.child].items.size(), relation.backward->text);
}

void Designer::ask_of_partitions(size_t id) {
  const Kind& kind = kinds_[id];
  const std::string owner = design_.entity_of[id];
  for (const IndexShape& index : kind.indexes) {
    const std::vector<size_t> held = index.pk.held();
    const bool is_said = held.empty() || held == kind.identity() || index.pk.is_whole ||
                         std::any_of(found_.links.begin(), found_.links.end(), [&](const Link& link) {
                           const bool is_of = link.how == How::kEdges ? link.edge == id : link.child == id;
                           return is_of && (link.index == index.index || link.how == How::kEdges);
                         });
    if (is_said) continue;
    const std::string where = observed_.tables[kind.table].indexes[index.index].name;
    std::string names;
    for (const size_t value : held) {
      std::string path;
      for (const Name& name : path_of(id, value)) path += (path.empty() ? "" : ".") + name.text;
      names += (names.empty() ? "" : ", ") + path;
    }
    for (size_t other = 0; other < kinds_.size(); ++other) {
      const auto targets = targets_of(found_, kind, held, other);
      const bool is_it = other != id && !found_.is_edge[other] &&
                         kinds_[other].identity().size() == held.size() &&
                         std::all_of(targets.begin(), targets.end(), [](const auto& each) { return each; });
      if (!is_it || found_.within[id] == std::optional<size_t>()) continue;
      if (found_.links[*found_.within[id]].parent == other) continue;
      ask(Question::About::kRelation, owner,
          where + " has a partition for each " + naming_.entities[other] + " (" + names +
              "): is that a relation? The language stores all of a reference, or none of it");
      names.clear();
      break;
    }
    if (names.empty()) continue;
    const std::vector<size_t> identity = kind.identity();
    const bool is_own = std::all_of(held.begin(), held.end(), [&](size_t value) {
      return std::find(identity.begin(), identity.end(), value) != identity.end();
    });
    if (is_own && counts_by(id, held).size() == kind.items.size()) {
      ask(Question::About::kIdentity, owner,
          where + " finds it by " + names + ", which no two have in common: is that all of its identity?");
      continue;
    }
    const std::string& word = kind.values[held.front()].after;
    ask(Question::About::kRelation, owner,
        where + " has a partition for each " + names + (word.empty() ? "" : ", behind " + word) +
            ": is that the id of an entity without items of its own (store none)?");
  }
}

void Designer::add_embedded(size_t id, language::Relation& relation) {
  const Link& link = found_.links[id];
  const bool is_map = link.how == How::kEmbedMap;
  relation.via->kind = Via::kEmbed;
  relation.via->embed_as = is_map ? language::Via::EmbedAs::kMap : language::Via::EmbedAs::kList;
  std::map<std::string, std::vector<ValueView>> members;
  std::map<std::string, size_t> counts;
  size_t children = 0;
  const auto look_into = [&](size_t item, ItemView child) {
    ++children;
    ++counts[std::to_string(item)];
    for (const Attribute member : child) {
      if (!is_kept_by_sheaf(member.name)) members[std::string(member.name)].push_back(member.value);
    }
  };
  for (size_t i = 0; i < kinds_[link.parent].items.size(); ++i) {
    const auto value = kinds_[link.parent].items[i].find(link.attribute);
    if (!value) continue;
    if (is_map) {
      for (const Attribute child : value->map()) look_into(i, child.value.map());
    } else {
      for (const ValueView child : value->list()) look_into(i, child.map());
    }
  }
  language::Entity entity;
  entity.name.text = embedded_.at(id);
  entity.within = relation.backward;
  NameSet taken;
  taken.take(relation.backward->text);
  for (const auto& [name, values] : members) taken.take(name);
  language::Field own;
  own.name.text = is_map ? taken.claim("id") : link.id_field;
  own.is_id = true;
  entity.fields.push_back(own);
  for (const auto& [name, values] : members) {
    if (name == own.name.text) continue;
    language::Field field;
    field.name.text = name;
    if (name == relation.backward->text) {
      field.name.text = taken.claim(name + "_value");
      field.stored_as = Name{.text = name};
    }
    field.type = type_of_values(values);
    field.is_optional = values.size() < children;
    note_field(entity.name.text, field, values.size(), children);
    entity.fields.push_back(std::move(field));
  }
  if (!is_map)
    ask(Question::About::kIdentity, entity.name.text,
        "is it " + own.name.text + " that tells one from another in its " + naming_.entities[link.parent] +
            "?");
  design_.model.entities.push_back(std::move(entity));
  add_size(relation, counts, kinds_[link.parent].items.size(), "");
}

void Designer::add_relation(size_t id) {
  const Link& link = found_.links[id];
  const Ends& ends = ends_[id];
  const bool is_embedded = link.how == How::kEmbedMap || link.how == How::kEmbedList;
  language::Relation relation;
  const std::string from = naming_.entities[link.parent];
  const std::string to = is_embedded ? embedded_.at(id) : naming_.entities[link.child];
  relation.from.push_back({.text = ends.is_turned ? to : from});
  relation.to.push_back({.text = ends.is_turned ? from : to});
  relation.forward.text = ends.forward;
  if (!link.is_symmetric) relation.backward = Name{.text = ends.backward};
  relation.cardinality = ends.is_many_to_many || link.is_symmetric ? language::Cardinality::kManyToMany
                                                                   : language::Cardinality::kOneToMany;
  relation.unchecked = !link.is_complete;
  if (!link.evidence.is_without_exception() && link.is_complete)
    ask(Question::About::kRelation, relation.from.front().text + "." + relation.forward.text,
        "is somebody there for each? Only " + std::to_string(link.evidence.agree) + " of " +
            std::to_string(link.evidence.of) +
            " were among the items that were read; if not, it is unchecked");
  relation.via = language::Via{};
  relation.via->copies = copies_[id];
  if (ends.is_required && !link.is_within && !is_embedded) relation.required.emplace_back();
  switch (link.how) {
    case How::kEdges:
      add_edges(id, relation);
      break;
    case How::kIds:
      add_ids(link, relation);
      break;
    case How::kLists:
      add_lists(id, relation);
      break;
    case How::kEmbedMap:
    case How::kEmbedList:
      add_embedded(id, relation);
      break;
    default:
      add_tree(link, relation);
  }
  note(Note::Where::kRelation, relation.from.front().text, relation.forward.text, reason_of(link.how),
       link.evidence);
  design_.model.relations.push_back(std::move(relation));
}

// --- Patterns

void Designer::add_pattern(const std::string& name, const std::string& entity,
                           const std::vector<std::string>& steps) {
  const std::string unique = pattern_names_.claim(name);
  if (options_.left_out.contains(unique)) return;
  language::Pattern pattern;
  pattern.name.text = unique;
  language::Parameter parameter;
  parameter.name.text = "x";
  parameter.type = Name{.text = entity};
  pattern.parameters.push_back(std::move(parameter));
  pattern.read.from_parameter = true;
  pattern.read.start.text = "x";
  for (const std::string& step : steps) pattern.read.steps.push_back({.name = {.text = step}});
  design_.model.patterns.push_back(std::move(pattern));
}

void Designer::add_patterns() {
  for (size_t i = 0; i < kinds_.size(); ++i) {
    if (!found_.is_edge[i]) add_pattern(pattern_name(naming_.entities[i]), naming_.entities[i], {});
  }
  for (size_t i = 0; i < found_.links.size(); ++i) {
    const Link& link = found_.links[i];
    const bool is_embedded = link.how == How::kEmbedMap || link.how == How::kEmbedList;
    const language::Relation& relation = design_.model.relations[i];
    const auto list = [&](const std::string& entity, const std::string& end) {
      add_pattern(pattern_name(entity + "_" + end), entity, {end});
    };
    if (is_embedded) continue;
    const bool is_reference = link.how == How::kRef;
    if (!is_reference) list(relation.from.front().text, relation.forward.text);
    const bool has_both = link.how == How::kEdges || link.how == How::kLists;
    const bool leads_back = is_reference || (has_both && !link.is_symmetric);
    if (leads_back) list(relation.to.front().text, relation.backward->text);
  }
}

}  // namespace sheaf::infer
