#include "random_layout.h"

#include <map>

#include "model/compiled_model.h"

namespace sheaf::layouts {
namespace {

using Kind = RandomRelation::Kind;

constexpr size_t kIndexes = 6;

enum class Way { kIndex, kRef, kCollection, kPath, kEmbedMap, kEmbedList, kIds, kEdges, kGraph, kLists };

class Generator {
 public:
  Generator(const RandomModel& model, Chance& chance) : model_(model), chance_(chance) {}

  std::string run() {
    for (const RandomRelation& relation : model_.relations) ways_.push_back(choose(relation));
    // Now and then also what has no room for its relations, and must be refused.
    for (size_t i = 0; i < model_.entities.size(); ++i)
      is_by_field_.push_back(chance_.one_in(has_room(i) ? 3 : 40));
    is_explicit_ = maybe();
    std::string text;
    if (is_explicit_) {
      used_.resize(model_.entities.size());
      is_inverted_ = chance_.one_in(5);
      text += "table app { pk PK; sk SK; tag T";
      for (size_t i = 0; i < kIndexes; ++i) {
        const std::string g = "G" + std::to_string(i) + "X";
        text += "; gsi " + g + " " + g + "PK / " + g + "SK";
        if (chance_.one_in(4)) text += " keys";
      }
      text += std::string(is_inverted_ ? "; gsi INV SK / PK" : "") + " }\n    ";
      for (size_t i = 0; i < model_.entities.size(); ++i) keys_.push_back(key_of(i));
      for (size_t i = 0; i < model_.entities.size(); ++i) text += entity_text(i);
    }
    for (size_t i = 0; i < model_.entities.size() && !is_explicit_; ++i) {
      if (is_by_field_[i]) text += "entity " + model_.entities[i].name + " { store eav }\n    ";
    }
    for (size_t i = 0; i < model_.relations.size(); ++i) text += relation_text(i);
    return text;
  }

 private:
  struct Keys {
    std::string pk;
    std::string sk;
  };

  bool maybe() { return chance_.one_in(2); }

  Way choose(const RandomRelation& relation) {
    const bool has_edge = !relation.edge_id.empty() || !relation.edge_field.empty();
    if (relation.kind == Kind::kManyToMany && chance_.one_in(4)) return Way::kLists;
    if (relation.kind == Kind::kManyToMany)
      return !has_edge && chance_.one_in(relation.is_symmetric ? 2 : 3) ? Way::kIds
             : !relation.is_symmetric && chance_.one_in(4)              ? Way::kGraph
                                                                        : Way::kEdges;
    if (relation.is_symmetric && !chance_.one_in(10)) return maybe() ? Way::kEdges : Way::kLists;
    const RandomEntity& child = model_.entities[relation.to];
    std::vector<Way> ways = {Way::kIndex, Way::kIndex, Way::kEdges, Way::kEdges,
                             Way::kGraph, Way::kRef,   Way::kLists};
    if (relation.is_required && (!child.within || relation.is_within)) {
      for (const Way way : {Way::kCollection, Way::kPath, Way::kCollection, Way::kPath}) ways.push_back(way);
    }
    // Now and then what the checker must refuse.
    if ((relation.is_within && child.is_leaf) || chance_.one_in(20)) {
      for (const Way way : {Way::kEmbedMap, Way::kEmbedList, Way::kEmbedMap, Way::kEmbedList})
        ways.push_back(way);
    }
    if (relation.kind == Kind::kOneToMany && chance_.one_in(3)) ways.push_back(Way::kIds);
    return chance_.of(ways);
  }

  // Whether it can be stored field by field: none of its items would have to name others.
  bool has_room(size_t entity) const {
    for (size_t i = 0; i < model_.relations.size(); ++i) {
      const RandomRelation& relation = model_.relations[i];
      if (ways_[i] == Way::kEdges || ways_[i] == Way::kGraph) continue;
      const bool is_named = ways_[i] == Way::kIndex || ways_[i] == Way::kRef || ways_[i] == Way::kCollection;
      if (relation.to == entity || (relation.from == entity && !is_named)) return false;
    }
    return true;
  }

  // --- Keys

  // The holes of an identity; `prefix` leads to the entity.
  std::vector<std::string> holes_of(size_t entity, const std::string& prefix) const {
    const RandomEntity& self = model_.entities[entity];
    std::vector<std::string> holes;
    if (self.within) holes = holes_of(self.within->target, prefix + self.within->name + ".");
    for (const RandomId& id : self.ids)
      holes.push_back("<" + prefix + id.name + (id.is_number ? ":000>" : ">"));
    return holes;
  }

  std::string joined(size_t entity, const std::string& prefix) const {
    std::string text;
    for (const std::string& hole : holes_of(entity, prefix)) text += (text.empty() ? "" : "#") + hole;
    return text;
  }

  // Its own ids only.
  std::string own(size_t entity) const {
    std::string text;
    for (const RandomId& id : model_.entities[entity].ids)
      text += (text.empty() ? "<" : "#<") + id.name + (id.is_number ? ":000>" : ">");
    return text;
  }

  static std::string moved(std::string key, const std::string& end) {
    for (size_t at = key.find('<'); at != std::string::npos; at = key.find('<', at + 1))
      key.insert(at + 1, end + ".");
    return key;
  }

  // The relation in whose parent's partition it lies.
  const RandomRelation* partition_of(size_t entity) const {
    for (size_t i = 0; i < model_.relations.size(); ++i) {
      const bool is_child = model_.relations[i].to == entity && model_.relations[i].from < entity;
      if (is_child && (ways_[i] == Way::kCollection || ways_[i] == Way::kPath)) return &model_.relations[i];
    }
    return nullptr;
  }

  Keys key_of(size_t entity) {
    const std::string& name = model_.entities[entity].name;
    if (is_by_field_[entity])
      return {.pk = name + "#" + joined(entity, ""), .sk = maybe() ? "<attribute>" : "A#<attribute>"};
    if (const RandomRelation* const relation = partition_of(entity)) {
      const Keys& parent = keys_[relation->from];
      const bool is_path = ways_[static_cast<size_t>(relation - model_.relations.data())] == Way::kPath;
      // An order of its own is no part of the id: then an index is needed to find it.
      const std::string order = chance_.one_in(4) ? "<rank:0000>#" : "";
      return {.pk = moved(parent.pk, relation->up),
              .sk = (is_path ? moved(parent.sk, relation->up) + "#" : "") + name + "#" + order +
                    (relation->is_within ? own(entity) : joined(entity, ""))};
    }
    const std::string id = joined(entity, "");
    return {.pk = name + "#" + id, .sk = maybe() ? "A" : "A#" + id};
  }

  std::string index_for(size_t entity) {
    std::vector<bool>& used = used_[entity];
    used.resize(kIndexes);
    const size_t first = chance_.below(kIndexes);
    for (size_t i = 0; i < kIndexes; ++i) {
      const size_t index = (first + i) % kIndexes;
      if (used[index]) continue;
      used[index] = true;
      return "G" + std::to_string(index) + "X";
    }
    return "";
  }

  std::string order_of(size_t entity) {
    const std::string id = joined(entity, "");
    switch (chance_.below(4)) {
      case 0:
        return "<rank:0000>#" + id;
      case 1:
        return "<color>#<rank:0000>#" + id;
      default:
        return id;
    }
  }

  std::string entity_text(size_t entity) {
    const std::string& name = model_.entities[entity].name;
    for (size_t i = 0; i < model_.relations.size(); ++i) {
      const bool is_embedded = ways_[i] == Way::kEmbedMap || ways_[i] == Way::kEmbedList;
      if (is_embedded && model_.relations[i].to == entity) return "";
    }
    std::string text = "entity " + name + " { " + (is_by_field_[entity] ? "store eav; " : "") + "key \"" +
                       keys_[entity].pk + "\" / \"" + keys_[entity].sk + "\"";
    if (is_by_field_[entity] && !chance_.one_in(20)) return text + " }\n    ";
    const auto add = [&](const std::string& pk, const std::string& sk) {
      const std::string index = index_for(entity);
      if (!index.empty()) text += "; index " + index + " \"" + pk + "\" / \"" + sk + "\"";
      return index;
    };
    for (size_t i = 0; i < model_.relations.size(); ++i) {
      const RandomRelation& relation = model_.relations[i];
      if (relation.to != entity || ways_[i] != Way::kIndex) continue;
      const std::string index = add("R" + std::to_string(i) + "#" + joined(relation.from, relation.up + "."),
                                    name + "#" + order_of(entity));
      if (maybe()) on_[i] = index;
    }
    if (partition_of(entity) != nullptr && !chance_.one_in(4)) add(name + "ID#" + joined(entity, ""), name);
    if (chance_.one_in(3)) add("ALL" + name + "#<color>", "<rank:0000>#" + joined(entity, ""));
    return text + " }\n    ";
  }

  // --- Relations

  std::string relation_text(size_t i) {
    const RandomRelation& relation = model_.relations[i];
    if (chance_.one_in(12)) return "";
    std::string via;
    switch (ways_[i]) {
      case Way::kIndex:
        via = "index" + (on_.contains(i) ? " on " + on_[i] : "") + copies(relation, false);
        break;
      case Way::kRef:
        via = "ref" + (chance_.one_in(10) ? copies(relation, false) : "");
        break;
      case Way::kCollection:
        via = "collection" + copies(relation, false);
        break;
      case Way::kPath:
        via = "path" + copies(relation, false);
        break;
      case Way::kEmbedMap:
        via = "embed map";
        break;
      case Way::kEmbedList:
        via = "embed list";
        break;
      case Way::kIds:
        via =
            "ids " + ((relation.kind == Kind::kManyToMany && maybe()) || chance_.one_in(20) ? relation.up
                                                                                            : relation.down);
        break;
      case Way::kEdges:
        via = edges(i);
        break;
      case Way::kGraph:
        via = graph(i);
        break;
      case Way::kLists:
        via = "lists" + copies(relation, true);
        break;
    }
    return "rel " + model_.entities[relation.from].name + "." + relation.down + " via " + via + "\n    ";
  }

  std::string copies(const RandomRelation& relation, bool both) {
    const std::vector<std::string> some = {"(name)", "(name, n)", "(*)", "(nick, rank)", "(color)"};
    std::string text;
    if (chance_.one_in(3)) text += " copy " + relation.up + chance_.of(some);
    if (both && !relation.is_symmetric && chance_.one_in(3))
      text += " copy " + relation.down + chance_.of(some);
    return text;
  }

  std::string edges(size_t i) {
    const RandomRelation& relation = model_.relations[i];
    const bool from_down = maybe();
    std::string text = "edges";
    const bool both = !relation.is_symmetric && chance_.one_in(3);
    if (both) {
      text += " pk both";
    } else if (relation.kind == Kind::kOneToMany && maybe()) {
      text += from_down ? " pk many" : " pk one";
    } else if (!relation.is_symmetric) {
      text += " pk " + (from_down ? relation.down : relation.up);
    }
    text += copies(relation, true);
    if (!is_explicit_ || maybe()) return text;
    const std::string r = "R" + std::to_string(i) + "#";
    if (relation.is_symmetric)
      return text + " key \"" + r + joined(relation.from, "from.") + "\" / \"" + r +
             joined(relation.to, "to.") + (relation.edge_id.empty() ? "" : "#<" + relation.edge_id + ">") +
             "\"";
    const std::string down = joined(relation.to, relation.down + "."),
                      up = joined(relation.from, relation.up + ".");
    const std::string id = relation.edge_id.empty() ? "" : "#<" + relation.edge_id + ">";
    const std::string &first = from_down ? down : up, &second = from_down ? up : down;
    text += " key \"" + r + first + "\" / \"" + r + second + id + "\"";
    if (both && !chance_.one_in(3)) {
      text += " key \"B" + r + second + "\" / \"B" + r + first + id + "\"";
    } else if (!is_inverted_ && (!both || chance_.one_in(3)))
      text += " index G" + std::to_string(chance_.below(kIndexes)) + "X \"I" + r + second + "\" / \"I" + r +
              first + id + "\"";
    return text;
  }

  // In the index the first part of an identity is the partition, the rest are levels.
  std::string graph(size_t i) {
    const RandomRelation& relation = model_.relations[i];
    std::string text = "graph" + copies(relation, true);
    if (!is_explicit_ || chance_.one_in(3) || relation.is_symmetric) return text;
    const bool from_down = maybe();
    const std::string r = "R" + std::to_string(i) + "#";
    const std::string down = joined(relation.to, relation.down + "."),
                      up = joined(relation.from, relation.up + ".");
    const std::string id = relation.edge_id.empty() ? "" : "#<" + relation.edge_id + ">";
    const std::string &first = from_down ? down : up, &second = from_down ? up : down;
    const size_t part = second.find('>') + 1;
    return text + " key \"" + r + first + "\" / \"" + r + second + id + "\" index G" +
           std::to_string(chance_.below(kIndexes)) + "X \"I" + r + second.substr(0, part) + "\" / \"I" + r +
           (part < second.size() ? second.substr(part + 1) + "#" : "") + first + id + "\"";
  }

  const RandomModel& model_;
  Chance& chance_;
  std::vector<Way> ways_;
  std::vector<bool> is_by_field_;
  bool is_explicit_ = false;
  bool is_inverted_ = false;  // an index over the table's own keys
  std::vector<Keys> keys_;
  std::vector<std::vector<bool>> used_;  // indexes, by entity
  std::map<size_t, std::string> on_;     // the index that a relation names
};

}  // namespace

std::string random_layout(const RandomModel& model, Chance& chance) { return Generator(model, chance).run(); }

RandomModel random_model_with(Chance& chance, size_t layouts) {
  RandomModel model = random_model(chance);
  std::string text = model.text;
  for (size_t i = 0; i < layouts; ++i) {
    const std::string more =
        text + "  layout l" + std::to_string(i) + " {\n    " + random_layout(model, chance) + "}\n";
    if (model::compile("random.sheaf", more + "}\n").ok()) text = more;
  }
  model.text = text + "}\n";
  return model;
}

}  // namespace sheaf::layouts
