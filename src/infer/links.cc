#include "infer/links.h"

#include <algorithm>

#include "infer/index_shapes.h"
#include "infer/key_words.h"
#include "infer/shape_alignment.h"

namespace sheaf::infer {
namespace {

using How = Link::How;

// Fewer children than this share with a parent that was seen: they are not taken for its children.
constexpr double kShareMin = 0.8;

// Of a table that was read in part: so many different ids must be among the items, and this much of the share
// that was read.
constexpr size_t kSeenMin = 3;
constexpr double kSeenShareMin = 0.5;

// Whether it could be by chance that these are ids of something.
bool is_distinctive(const Kind& kind, const std::vector<size_t>& values) {
  std::set<IdentityText> distinct;
  bool digits = false;
  for (size_t i = 0; i < kind.items.size(); ++i) {
    const auto tuple = tuple_of(kind, values, i);
    if (!tuple) continue;
    distinct.insert(*tuple);
    for (const std::string& text : *tuple) digits = digits || (has_digit(text) && text.size() > 2);
  }
  return distinct.size() > 1 || digits;
}

// What follows the parent's partition key in the child's splits it, and tells nothing.
bool is_split(const Shape& parent, const Shape& child) {
  for (size_t i = parent.pieces.size(); i < child.pieces.size(); ++i) {
    if (child.pieces[i].holds_value() || child.pieces[i].is_attribute) return false;
  }
  const bool has_bucket = std::any_of(child.pieces.begin() + static_cast<ptrdiff_t>(parent.pieces.size()),
                                      child.pieces.end(), [](const Piece& piece) { return piece.value; });
  return has_bucket || child.pieces.size() == parent.pieces.size();
}

class LinkFinder {
 public:
  LinkFinder(const Observed& observed, const std::vector<Kind>& kinds) : observed_(observed), kinds_(kinds) {
    found_.is_edge.resize(kinds.size(), false);
    found_.within.resize(kinds.size());
    for (const Kind& kind : kinds) {
      std::map<IdentityText, size_t> all;
      for (size_t i = 0; i < kind.items.size(); ++i) {
        if (auto tuple = kind.identity_of(i)) all.emplace(std::move(*tuple), i);
      }
      found_.identities.push_back(std::move(all));
      const ObservedTable& table = observed.tables[kind.table];
      const auto read = static_cast<int64_t>(table.items.size());
      const int64_t there = std::max(table.item_count.value_or(0), read);
      found_.is_sampled.push_back(there > read);
      share_read_.push_back(static_cast<double>(read) / static_cast<double>(std::max<int64_t>(there, 1)));
    }
  }

  Found run() {
    for (size_t i = 0; i < kinds_.size(); ++i) find_edge(i);
    for (size_t i = 0; i < kinds_.size(); ++i) {
      if (!found_.is_edge[i]) find_parent(i);
    }
    return std::move(found_);
  }

 private:
  // Children whose values are an identity of the parent.
  Evidence containment(size_t child, const std::vector<size_t>& values, size_t parent) const {
    Evidence evidence;
    for (size_t i = 0; i < kinds_[child].items.size(); ++i) {
      const auto tuple = tuple_of(kinds_[child], values, i);
      evidence.add(tuple && found_.identities[parent].contains(*tuple), kinds_[child].key_text(i));
    }
    return evidence;
  }

  // --- Edges

  struct Side {
    size_t kind = 0;
    std::vector<size_t> values;
    Evidence evidence;
    int score = 0;
  };

  // These values stand in an index, behind a word, as in the partition key of `target`: GROUPS#<id> beside
  // the user, and GROUP#<id> in the index.
  bool is_indexed_alike(size_t edge, const std::vector<size_t>& values, size_t target) const {
    const std::vector<IndexShape>& indexes = kinds_[edge].indexes;
    return std::any_of(indexes.begin(), indexes.end(), [&](const IndexShape& index) {
      return index.pk.has_word() && identity_in_index(kinds_[target], kinds_[edge], index) == values;
    });
  }

  // Of a target that was read in part: about as many of the ids are among its items as can be. Where no key
  // says whose they are, it must not be by chance.
  bool are_seen(size_t edge, const std::vector<size_t>& values, size_t target, bool is_said) const {
    if (!found_.is_sampled[target] || (!is_said && !is_telling(kinds_[edge], values))) return false;
    std::set<IdentityText> distinct;
    for (size_t i = 0; i < kinds_[edge].items.size(); ++i) {
      if (auto tuple = tuple_of(kinds_[edge], values, i)) distinct.insert(std::move(*tuple));
    }
    const auto seen = static_cast<size_t>(std::count_if(
        distinct.begin(), distinct.end(),
        [&](const IdentityText& identity) { return found_.identities[target].contains(identity); }));
    const double expected = share_read_[target] * static_cast<double>(distinct.size());
    return seen >= (is_said ? 1 : kSeenMin) && static_cast<double>(seen) >= kSeenShareMin * expected;
  }

  // Whose identity the first of these values are.
  std::optional<Side> side_of(size_t edge, const std::vector<size_t>& values, const Shape& key,
                              bool takes_all) const {
    std::optional<Side> best;
    for (size_t k = 0; k < kinds_.size(); ++k) {
      const std::vector<size_t> identity = kinds_[k].identity();
      if (k == edge || found_.is_edge[k] || identity.empty() || identity.size() > values.size()) continue;
      if (takes_all && identity.size() != values.size()) continue;
      Side side{.kind = k,
                .values = {values.begin(), values.begin() + static_cast<ptrdiff_t>(identity.size())}};
      side.evidence = containment(edge, side.values, k);
      const Alignment alignment = align(kinds_[k].pk, key);
      const bool is_in_key = alignment.is_parent_whole && !alignment.values.empty() && !key.is_whole;
      const bool is_alike = is_in_key || is_indexed_alike(edge, side.values, k);
      const bool is_enough = side.evidence.is_without_exception() ||
                             (is_in_key && found_.is_sampled[k] && side.evidence.agree > 0) ||
                             are_seen(edge, side.values, k, is_alike);
      if (side.evidence.of == 0 || !is_enough) continue;
      if (!is_alike && !is_distinctive(kinds_[edge], side.values)) continue;
      side.score = (is_alike ? 2 : 0) + static_cast<int>(identity.size());
      const bool is_better = !best || side.score > best->score ||
                             (side.score == best->score && side.evidence.agree > best->evidence.agree);
      if (is_better) best = side;
    }
    return best;
  }

  // Whether the edges of what the sort key leads to are found.
  bool leads_back(const Kind& edge, const std::vector<size_t>& values) const {
    const ObservedTable& table = observed_.tables[edge.table];
    for (const ObservedIndex& index : table.indexes) {
      if (is_expressible(index) && is_over_table_keys(table, index)) return true;
    }
    return std::any_of(edge.indexes.begin(), edge.indexes.end(), [&](const IndexShape& index) {
      const std::vector<size_t> held = index.pk.held();
      return !held.empty() && std::all_of(held.begin(), held.end(), [&](size_t value) {
        return std::find(values.begin(), values.end(), value) != values.end();
      });
    });
  }

  // Two identities and nothing else but edge ids make its key.
  void find_edge(size_t id) {
    const Kind& kind = kinds_[id];
    if (!kind.sk || kind.is_by_field || kind.items.empty()) return;
    const std::vector<size_t> in_pk = kind.pk.held();
    std::vector<size_t> in_sk;
    for (const size_t value : kind.sk->held()) {
      if (std::find(in_pk.begin(), in_pk.end(), value) == in_pk.end()) in_sk.push_back(value);
    }
    if (in_pk.empty() || in_sk.empty()) return;
    const bool is_split_key =
        std::any_of(kind.pk.pieces.begin(), kind.pk.pieces.end(),
                    [](const Piece& piece) { return piece.value && !piece.holds_value(); });
    if (is_split_key) return;
    const auto from = side_of(id, in_pk, kind.pk, true);
    const auto to = from ? side_of(id, in_sk, *kind.sk, false) : std::nullopt;
    if (!to) return;
    Link link{.how = How::kEdges, .parent = from->kind, .child = to->kind, .edge = id};
    link.values = from->values;
    link.child_values = to->values;
    link.evidence = to->evidence;
    link.is_symmetric = from->kind == to->kind && to->values.size() == in_sk.size() && is_mutual(kind, link);
    if (!link.is_symmetric && !leads_back(kind, to->values)) return;
    found_.is_edge[id] = true;
    found_.links.push_back(std::move(link));
  }

  // Every pair is there in both directions, and both say the same, but for copies of what they lead to. Of a
  // table that was read in part, most pairs of whose other end was read: its last items may be missing.
  bool is_mutual(const Kind& kind, const Link& link) const {
    if (!kind.indexes.empty()) return false;
    std::map<std::pair<IdentityText, IdentityText>, size_t> pairs;
    for (size_t i = 0; i < kind.items.size(); ++i) {
      const auto from = tuple_of(kind, link.values, i), to = tuple_of(kind, link.child_values, i);
      if (from && to) pairs.emplace(std::pair(*from, *to), i);
    }
    const bool is_sampled = found_.is_sampled[link.child];
    const auto targets = targets_of(found_, kind, link.child_values, link.child);
    std::set<std::string> copies;
    for (const std::string& attribute : kind.attributes) {
      if (copied_field(kind, attribute, kinds_[link.child], targets, is_sampled)) copies.insert(attribute);
    }
    const auto are_same = [&](size_t one, size_t other) {
      return std::all_of(kind.attributes.begin(), kind.attributes.end(), [&](const std::string& attribute) {
        return copies.contains(attribute) ||
               kind.items[one].find(attribute) == kind.items[other].find(attribute);
      });
    };
    size_t looked_at = 0, mutual = 0;
    for (const auto& [ends, item] : pairs) {
      if (is_sampled && !found_.identities[link.child].contains(ends.second)) continue;
      ++looked_at;
      const auto twin = pairs.find({ends.second, ends.first});
      if (twin == pairs.end()) continue;
      if (twin->second == item || !are_same(item, twin->second)) return false;
      ++mutual;
    }
    if (!is_sampled) return mutual == looked_at;
    return mutual >= kSeenMin && static_cast<double>(mutual) >= kShareMin * static_cast<double>(looked_at);
  }

  // --- Children

  void find_parent(size_t child) {
    std::optional<Link> best;
    int best_score = 0;
    for (size_t parent = 0; parent < kinds_.size(); ++parent) {
      if (parent == child || found_.is_edge[parent]) continue;
      const size_t parts = kinds_[parent].identity().size();
      if (parts == 0 || parts >= kinds_[child].identity().size()) continue;
      for (Link link : {in_partition(child, parent), in_index(child, parent)}) {
        if (link.values.size() != parts) continue;
        link.evidence = containment(child, link.values, parent);
        const bool is_sampled = found_.is_sampled[parent];
        link.is_complete = link.evidence.is_without_exception() || is_sampled;
        const double share = static_cast<double>(link.evidence.agree) /
                             static_cast<double>(std::max<size_t>(link.evidence.of, 1));
        if (share < kShareMin && !(is_sampled && link.evidence.agree > 0)) continue;
        const int how = link.how == How::kPath ? 3 : link.how == How::kCollection ? 2 : 1;
        const int score = static_cast<int>(parts) * 100 + how * 10 + (is_head(kinds_[parent]) ? 2 : 0) +
                          (kinds_[parent].attributes.empty() ? 0 : 1);
        if (score <= best_score) continue;
        best_score = score;
        best = link;
      }
    }
    if (!best) return;
    found_.within[child] = found_.links.size();
    found_.links.push_back(std::move(*best));
  }

  // The one item that stands for its partition: its sort key repeats the partition key, or says so.
  static bool is_head(const Kind& kind) {
    if (!kind.sk) return true;
    for (const Piece& piece : kind.sk->pieces) {
      if (piece.value) return true;
      for (const std::string& token : split_key(piece.literal).tokens) {
        if (is_head_word(token)) return true;
      }
    }
    return false;
  }

  Link in_partition(size_t child_id, size_t parent_id) const {
    const Kind& child = kinds_[child_id];
    const Kind& parent = kinds_[parent_id];
    Link link{.parent = parent_id, .child = child_id, .is_within = true};
    if (child.table != parent.table || !child.sk || !parent.sk) return link;
    const Alignment pk = align(parent.pk, child.pk);
    if (!pk.is_parent_whole || pk.values.empty() || !is_split(parent.pk, child.pk)) return link;
    std::map<size_t, size_t> values = pk.values;
    Alignment sk = align(*parent.sk, *child.sk);
    if (!tells_identity(parent, values, sk)) sk = {.values = under_another_word(child_id, parent_id, values)};
    bool is_behind = false;
    for (const auto& [of_parent, of_child] : sk.values) {
      if (values.contains(of_parent)) continue;
      values.emplace(of_parent, of_child);
      is_behind = true;
    }
    for (const size_t part : parent.identity()) {
      if (!values.contains(part)) return Link{.parent = parent_id, .child = child_id};
      link.values.push_back(values.at(part));
    }
    const bool is_path = is_behind && sk.is_parent_whole && sk.rest.starts_with('#');
    link.how = is_path ? How::kPath : How::kCollection;
    return link;
  }

  // Whether both keys together tell all of the parent's identity.
  static bool tells_identity(const Kind& parent, const std::map<size_t, size_t>& values,
                             const Alignment& sk) {
    const std::vector<size_t> identity = parent.identity();
    return std::all_of(identity.begin(), identity.end(),
                       [&](size_t part) { return values.contains(part) || sk.values.contains(part); });
  }

  // UNIT#<unit> and DOC#<unit>#<no> in one partition: another word, and then the parent's id. `values`: what
  // the partition tells. Nothing if a parent is missing, or if it could be by chance.
  std::map<size_t, size_t> under_another_word(size_t child_id, size_t parent_id,
                                              const std::map<size_t, size_t>& values) const {
    const Kind& child = kinds_[child_id];
    std::map<size_t, size_t> found;
    std::vector<size_t> whole, own;
    auto next = child.sk->pieces.begin();
    for (const size_t part : kinds_[parent_id].identity()) {
      if (values.contains(part)) {
        whole.push_back(values.at(part));
        continue;
      }
      next = std::find_if(next, child.sk->pieces.end(), [](const Piece& piece) { return piece.value; });
      if (next == child.sk->pieces.end() || !next->holds_value()) return {};
      found.emplace(part, *next->value);
      whole.push_back(*next->value);
      own.push_back(*next->value);
      ++next;
    }
    if (own.empty() || !is_telling(child, own)) return {};
    return containment(child_id, whole, parent_id).is_without_exception() ? found
                                                                          : std::map<size_t, size_t>();
  }

  // Small numbers are everywhere; and what is always the same may be a word.
  static bool is_telling(const Kind& kind, const std::vector<size_t>& values) {
    constexpr size_t kDigitsMin = 4;
    std::set<IdentityText> distinct;
    for (size_t i = 0; i < kind.items.size(); ++i) {
      const auto tuple = tuple_of(kind, values, i);
      if (!tuple) return false;
      for (const std::string& text : *tuple) {
        const bool is_number = text.find_first_not_of("0123456789") == std::string::npos;
        if (is_number && text.size() < kDigitsMin) return false;
      }
      distinct.insert(*tuple);
    }
    return distinct.size() > 1;
  }

  // By one of its indexes, whose partitions are the parent's, or are named after ids that the parent has.
  Link in_index(size_t child_id, size_t parent_id) const {
    const Kind& child = kinds_[child_id];
    const Kind& parent = kinds_[parent_id];
    const std::vector<size_t> identity = parent.identity();
    const std::vector<size_t> own = child.identity();
    for (const IndexShape& index : child.indexes) {
      Link link{.how = How::kIndex,
                .parent = parent_id,
                .child = child_id,
                .index = index.index,
                .is_within = true};
      const std::vector<size_t> held = index.pk.held();
      if (held.size() != identity.size() || index.when) continue;
      const bool is_own = std::all_of(held.begin(), held.end(), [&](size_t value) {
        return std::find(own.begin(), own.end(), value) != own.end();
      });
      if (!is_own) continue;
      link.values = identity_in_index(parent, child, index);
      if (!link.values.empty()) return link;
      link.values = held;
      if (is_distinctive(child, held) && containment(child_id, held, parent_id).is_without_exception())
        return link;
    }
    return {};
  }

  const Observed& observed_;
  const std::vector<Kind>& kinds_;
  Found found_;
  std::vector<double> share_read_;  // one a kind: of its table's items
};

}  // namespace

std::optional<IdentityText> tuple_of(const Kind& kind, const std::vector<size_t>& values, size_t item) {
  IdentityText tuple;
  for (const size_t value : values) {
    if (!kind.values[value].texts[item]) return std::nullopt;
    tuple.push_back(*kind.values[value].texts[item]);
  }
  return tuple;
}

std::vector<std::optional<size_t>> targets_of(const Found& found, const Kind& kind,
                                              const std::vector<size_t>& values, size_t target) {
  std::vector<std::optional<size_t>> targets;
  for (size_t i = 0; i < kind.items.size(); ++i) {
    const auto tuple = tuple_of(kind, values, i);
    const auto item = tuple ? found.identities[target].find(*tuple) : found.identities[target].end();
    targets.push_back(item == found.identities[target].end() ? std::nullopt : std::optional(item->second));
  }
  return targets;
}

std::optional<CopiedField> copied_field(const Kind& kind, const std::string& attribute, const Kind& target,
                                        const std::vector<std::optional<size_t>>& targets, bool is_sampled) {
  for (const std::string& field : target.attributes) {
    if (attribute.size() <= field.size() + 1 || !attribute.ends_with("_" + field)) continue;
    if (const auto value = target.find_value(field); value && target.values[*value].is_in_key) continue;
    size_t same = 0;
    bool is_copy = true;
    for (size_t i = 0; i < kind.items.size() && is_copy; ++i) {
      if (is_sampled && !targets[i]) continue;
      const auto copy = kind.items[i].find(attribute);
      const auto source = targets[i] ? target.items[*targets[i]].find(field) : std::nullopt;
      is_copy = copy.has_value() == source.has_value() && (!copy || *copy == *source);
      same += copy ? 1 : 0;
    }
    if (is_copy && same > 0)
      return CopiedField{.end = attribute.substr(0, attribute.size() - field.size() - 1), .field = field};
  }
  return std::nullopt;
}

std::vector<std::pair<size_t, size_t>> shared_partitions(const std::vector<Kind>& kinds, const Found& found) {
  std::vector<std::pair<size_t, size_t>> shared;
  for (size_t child = 0; child < kinds.size(); ++child) {
    if (!kinds[child].items.empty() || found.is_edge[child] || found.within[child]) continue;
    for (size_t parent = 0; parent < kinds.size(); ++parent) {
      const std::vector<size_t> identity = kinds[parent].identity();
      const bool is_larger = kinds[child].identity().size() > identity.size();
      if (parent == child || kinds[parent].table != kinds[child].table || !is_larger) continue;
      const Alignment alignment = align(kinds[parent].pk, kinds[child].pk);
      const bool is_head = std::all_of(identity.begin(), identity.end(),
                                       [&](size_t part) { return alignment.values.contains(part); });
      if (alignment.is_parent_whole && alignment.is_child_whole && is_head && !identity.empty())
        shared.emplace_back(child, parent);
    }
  }
  return shared;
}

Found find_links(const Observed& observed, const std::vector<Kind>& kinds) {
  return LinkFinder(observed, kinds).run();
}

}  // namespace sheaf::infer
