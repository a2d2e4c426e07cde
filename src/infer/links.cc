#include "infer/links.h"

#include <algorithm>

#include "infer/index_shapes.h"
#include "infer/key_words.h"

namespace sheaf::infer {
namespace {

using How = Link::How;

// Fewer children than this share with a parent that was seen: they are not taken for its children.
constexpr double kShareMin = 0.8;

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

// The values of `child` that stand where those of `parent` do, as long as the two are alike.
struct Alignment {
  std::map<size_t, size_t> values;  // of the parent's, those of the child
  bool is_parent_whole = false;     // all of the parent's key
  std::string rest;                 // the literal that follows in the child's, if so
  bool is_child_whole = false;
};

Alignment align(const Shape& parent, const Shape& child) {
  Alignment found;
  size_t i = 0;
  for (; i < parent.pieces.size() && i < child.pieces.size(); ++i) {
    const Piece& a = parent.pieces[i];
    const Piece& b = child.pieces[i];
    if (a.is_attribute || b.is_attribute || a.value.has_value() != b.value.has_value()) return found;
    if (!a.value) {
      if (a.literal == b.literal) continue;
      found.is_parent_whole = i + 1 == parent.pieces.size() && b.literal.starts_with(a.literal);
      if (found.is_parent_whole) found.rest = b.literal.substr(a.literal.size());
      return found;
    }
    if (!a.holds_value() || !b.holds_value()) return found;
    found.values.emplace(*a.value, *b.value);
  }
  found.is_parent_whole = i == parent.pieces.size();
  found.is_child_whole = i == child.pieces.size();
  if (found.is_parent_whole && !found.is_child_whole && !child.pieces[i].value)
    found.rest = child.pieces[i].literal;
  return found;
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
      found_.is_sampled.push_back(table.item_count.value_or(0) > static_cast<int64_t>(table.items.size()));
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
      const bool is_alike = alignment.is_parent_whole && !alignment.values.empty() && !key.is_whole;
      const bool is_enough = side.evidence.is_without_exception() ||
                             (is_alike && found_.is_sampled[k] && side.evidence.agree > 0);
      if (side.evidence.of == 0 || !is_enough) continue;
      if (!is_alike && !is_distinctive(kinds_[edge], side.values)) continue;
      side.score = (is_alike ? 2 : 0) + static_cast<int>(identity.size());
      if (!best || side.score > best->score) best = side;
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

  // Every pair is there in both directions, and both say the same, but for copies of what they lead to.
  bool is_mutual(const Kind& kind, const Link& link) const {
    std::map<std::pair<IdentityText, IdentityText>, size_t> pairs;
    for (size_t i = 0; i < kind.items.size(); ++i) {
      const auto from = tuple_of(kind, link.values, i), to = tuple_of(kind, link.child_values, i);
      if (from && to) pairs.emplace(std::pair(*from, *to), i);
    }
    const auto targets = targets_of(found_, kind, link.child_values, link.child);
    std::set<std::string> copies;
    for (const std::string& attribute : kind.attributes) {
      if (copied_field(kind, attribute, kinds_[link.child], targets)) copies.insert(attribute);
    }
    return kind.indexes.empty() && std::all_of(pairs.begin(), pairs.end(), [&](const auto& pair) {
             const auto twin = pairs.find({pair.first.second, pair.first.first});
             if (twin == pairs.end() || twin->second == pair.second) return false;
             return std::all_of(
                 kind.attributes.begin(), kind.attributes.end(), [&](const std::string& attribute) {
                   return copies.contains(attribute) ||
                          kind.items[pair.second].find(attribute) == kind.items[twin->second].find(attribute);
                 });
           });
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
      std::vector<const Shape*> candidates = {&parent.pk};
      for (const IndexShape& theirs : parent.indexes) {
        if (theirs.index == index.index && parent.table == child.table) candidates.push_back(&theirs.pk);
      }
      for (const Shape* shape : candidates) {
        const Alignment alignment = align(*shape, index.pk);
        if (!alignment.is_parent_whole || !alignment.is_child_whole) continue;
        link.values.clear();
        for (const size_t part : identity) {
          if (alignment.values.contains(part)) link.values.push_back(alignment.values.at(part));
        }
        if (link.values.size() == identity.size()) return link;
      }
      link.values = held;
      if (is_distinctive(child, held) && containment(child_id, held, parent_id).is_without_exception())
        return link;
    }
    return {};
  }

  const Observed& observed_;
  const std::vector<Kind>& kinds_;
  Found found_;
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
                                        const std::vector<std::optional<size_t>>& targets) {
  for (const std::string& field : target.attributes) {
    if (attribute.size() <= field.size() + 1 || !attribute.ends_with("_" + field)) continue;
    if (const auto value = target.find_value(field); value && target.values[*value].is_in_key) continue;
    size_t same = 0;
    bool is_copy = true;
    for (size_t i = 0; i < kind.items.size() && is_copy; ++i) {
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
