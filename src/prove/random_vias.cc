#include <algorithm>

#include "prove/layout_maker.h"
#include "prove/random_names.h"

namespace sheaf::prove {
namespace {

using language::Cardinality;

bool all_fit(const std::vector<HoleDraft>& holes) {
  return std::all_of(holes.begin(), holes.end(), [](const HoleDraft& hole) { return fits_in_keys(hole); });
}

}  // namespace

bool LayoutMaker::is_copyable(const model::Field& field) const {
  return !field.is_id && !field.count_of && field.kept != model::Kept::kUpdated &&
         field.kept != model::Kept::kVersion;
}

std::vector<HoleDraft> LayoutMaker::edge_identity(RelationId relation, int side) const {
  const model::Relation& self = model_.relations[relation];
  return keys_.identity(self.ends[side].target, {std::string(self.edge_end_name(side))});
}

std::vector<HoleDraft> LayoutMaker::edge_ids(RelationId relation) const {
  std::vector<HoleDraft> holes;
  for (const model::Field& field : model_.relations[relation].edge_fields) {
    if (field.is_id) holes.push_back({.names = {field.name}, .type = field.type});
  }
  return holes;
}

// The items in the partitions of what the end of this side leads to.
KeysDraft LayoutMaker::edge_key(RelationId relation, int side, const std::string& word,
                                bool is_in_partition) {
  const model::Relation& self = model_.relations[relation];
  KeysDraft keys;
  const PhysicalDraft& holder = made_.entities[self.ends[side].target];
  if (is_in_partition && holder.key && found_by_id_[self.ends[side].target]) {
    keys.pk = KeyWriter::moved(holder.key->pk, std::string(self.edge_end_name(side)));
  } else {
    keys.pk = keys_.joined(word, edge_identity(relation, side));
  }
  std::vector<HoleDraft> rest = edge_identity(relation, 1 - side);
  // What the partition does not tell.
  for (const HoleDraft& hole : edge_identity(relation, side)) {
    const std::string path = written_keys({.pk = keys_.bare(hole)});
    const std::string inside = path.substr(2, path.size() - 4);
    if (written_keys({.pk = keys.pk}).find("<" + inside + ">") == std::string::npos && is_in_partition)
      rest.push_back(hole);
  }
  const std::vector<HoleDraft> ids = edge_ids(relation);
  rest.insert(rest.end(), ids.begin(), ids.end());
  keys.sk = keys_.joined(word, rest);
  return keys;
}

// Keys of the edges, and of the view in the other direction.
void LayoutMaker::edge_items(RelationId relation, int side, bool is_both) {
  const model::Relation& self = model_.relations[relation];
  if (!all_fit(edge_identity(relation, 0)) || !all_fit(edge_identity(relation, 1)) ||
      !all_fit(edge_ids(relation)))
    return;
  ViaDraft& via = made_.relations[relation];
  const EntityId holder = self.ends[side].target;
  const bool is_natural = is_natural_[holder] || (is_both && is_natural_[self.ends[1 - side].target]);
  const bool is_generic = has_items(holder) && !is_natural;
  const bool is_elsewhere = !is_generic || draw_.chance.one_in(6);
  if (is_elsewhere) via.physical.table = made_.tables[*edge_table_].name;
  const size_t table = is_elsewhere ? *edge_table_ : table_of_[holder];
  const std::string word = keys_.fresh_word("R" + self.ends[0].name);
  pk_side_[relation] = side;
  via.physical.key = edge_key(relation, side, word,
                              is_generic && !is_elsewhere && !is_spread_[holder] && draw_.chance.one_in(3));
  if (is_both && !self.is_symmetric) {
    if (is_elsewhere || maybe())
      via.physical.second_key =
          edge_key(relation, 1 - side, keys_.fresh_word("B" + self.ends[1].name), false);
    return;
  }
  if (self.is_symmetric || draw_.chance.one_in(3)) return;
  const std::string other = keys_.fresh_word("I" + self.ends[1].name);
  const std::vector<HoleDraft> known = edge_identity(relation, 1 - side);
  std::vector<HoleDraft> rest = edge_identity(relation, side);
  KeysDraft keys;
  if (ways_[relation] == Way::kGraph && known.size() > 1) {
    // Led by the first part alone: the rest are levels.
    keys.pk = keys_.joined(other, {known.front()});
    rest.insert(rest.begin(), known.begin() + 1, known.end());
  } else {
    keys.pk = keys_.joined(other, known);
  }
  const std::vector<HoleDraft> ids = edge_ids(relation);
  rest.insert(rest.end(), ids.begin(), ids.end());
  keys.sk = keys_.joined(maybe() ? other : "", rest);
  add_line(table, via.physical, "edges of " + std::to_string(relation), keys);
}

// pk one, many, both or an end; nothing if the keys tell.
std::string LayoutMaker::edges_text(RelationId relation) {
  const model::Relation& self = model_.relations[relation];
  const bool is_graph = ways_[relation] == Way::kGraph;
  const bool is_restricting = self.on_delete == language::OnDelete::kRestrict;
  int side = maybe() ? 1 : 0;
  const bool is_many_to_many = self.cardinality == Cardinality::kManyToMany;
  const auto is_sure = [&](int end) {
    return !self.ends[end].leads_to_many || is_counted(model_, {.relation = relation, .side = end});
  };
  bool is_both = !is_graph && !self.is_symmetric && draw_.chance.one_in(4);
  if (is_restricting && !self.is_symmetric) {
    if (!is_sure(0)) side = 1;
    if (!is_sure(1) && is_many_to_many) is_both = !is_graph;
  }
  // Those without items have no partition in which edges could lie.
  if (!has_keys_ && (ghosts_[self.ends[0].target] || ghosts_[self.ends[1].target])) {
    side = ghosts_[self.ends[0].target] ? 1 : 0;
    is_both = false;
  }
  if (self.is_symmetric) side = 1;
  const auto is_odd = [&](int end) {
    const EntityId target = self.ends[end].target;
    return ghosts_[target] || is_spread_[target] || (has_keys_ && is_natural_[target]);
  };
  const bool needs_key = is_odd(side) || (is_both && is_odd(1 - side));
  if (has_keys_ && (needs_key || maybe())) edge_items(relation, side, is_both);
  const bool has_key = made_.relations[relation].physical.key.has_value();
  if (is_graph) return "graph";
  if (is_both) return "edges pk both";
  if (self.is_symmetric) return maybe() ? "edges" : "edges pk both";
  if (has_key && maybe()) return "edges";
  const bool by_number = self.cardinality == Cardinality::kOneToMany && maybe();
  if (by_number) return side == 1 ? "edges pk one" : "edges pk many";
  const bool may_be_unsaid = !has_key && !is_restricting && draw_.chance.one_in(3);
  if (may_be_unsaid) return "edges";
  return "edges pk " + written_name(self.ends[side].name);
}

void LayoutMaker::make_via(RelationId relation) {
  const model::Relation& self = model_.relations[relation];
  ViaDraft& via = made_.relations[relation];
  const bool was_said = !via.way.empty();
  via = {};
  switch (ways_[relation]) {
    case Way::kAuto:
      if (was_said || maybe()) via.way = "auto";
      return;
    case Way::kRef:
      via.way = "ref";
      break;
    case Way::kCollection:
      via.way = "collection";
      break;
    case Way::kPath:
      via.way = "path";
      break;
    case Way::kGraph:
    case Way::kEdges:
      via.way = edges_text(relation);
      break;
    case Way::kLists:
      via.way = "lists";
      break;
    case Way::kEmbed: {
      static const std::vector<std::string> forms = {"embed", "embed map", "embed list"};
      via.way = draw_.chance.of(forms);
      return;
    }
    case Way::kIndex: {
      via.way = "index";
      const EntityId child = self.ends[0].target;
      const bool may_be_told =
          has_keys_ && !is_by_field(child) && can_be_keyed(child) && !draw_.chance.one_in(6);
      const std::string name = may_be_told ? add_children(relation) : "";
      if (!name.empty() && maybe()) via.way += " on " + written_name(name);
      break;
    }
    case Way::kIds: {
      const auto fits = [&](int side) { return self.ends[side].leads_to_many && self.ends[side].max; };
      const int side = fits(0) && (!fits(1) || maybe()) ? 0 : 1;
      via.way = "ids " + written_name(self.ends[side].name);
      return;
    }
  }
  if (draw_.chance.one_in(8) && is_edge(ways_[relation]))
    via.physical.tag = "edge " + std::to_string(relation);
  add_copies(relation);
}

void LayoutMaker::add_copies(RelationId relation) {
  const model::Relation& self = model_.relations[relation];
  const bool is_pair = is_edge(ways_[relation]) || ways_[relation] == Way::kLists;
  for (const int side : {1, 0}) {
    if ((!is_pair && side == 0) || (self.is_symmetric && side == 1)) continue;
    const EntityId source = self.ends[side].target;
    if (!has_items(source) || is_by_field(source) || !draw_.wants(Topic::kCopies, 20)) continue;
    std::set<std::string>& copied = copies_[{relation, side}];
    for (const model::Field& field : model_.entities[source].fields) {
      const bool may_be = is_copyable(field) && (ways_[relation] != Way::kRef || field.syntax->is_immutable);
      if (may_be && draw_.chance.one_in(3)) copied.insert(field.name);
    }
    if (ways_[relation] != Way::kRef && draw_.chance.one_in(4)) copied = {"*"};
  }
}

void LayoutMaker::write_copies(RelationId relation) {
  for (const int side : {0, 1}) {
    const auto found = copies_.find({relation, side});
    if (found == copies_.end() || found->second.empty()) continue;
    std::string names;
    for (const std::string& name : found->second) {
      if (name != "*") names += (names.empty() ? "" : ", ") + written_name(name);
    }
    if (found->second.contains("*")) names = "*";
    made_.relations[relation].copies.push_back(written_name(model_.relations[relation].ends[side].name) +
                                               "(" + names + ")");
  }
}

}  // namespace sheaf::prove
