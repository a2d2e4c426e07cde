#include "plan/key_interval.h"

#include <algorithm>

namespace sheaf::plan {

using model::Hole;
using model::ItemKind;
using model::KeyTemplate;

const model::KeyAttribute& partition_attribute(const model::Layout& layout, const View& view) {
  const model::Table& table = layout.tables[view.table];
  return view.index ? table.indexes[*view.index].pk : table.pk;
}

const std::optional<model::KeyAttribute>& sort_attribute(const model::Layout& layout, const View& view) {
  const model::Table& table = layout.tables[view.table];
  return view.index ? table.indexes[*view.index].sk : table.sk;
}

const KeyTemplate* sort_key(const model::Layout& layout, const View& view, const ItemKind& kind) {
  if (!view.index) return kind.sk ? &*kind.sk : nullptr;
  for (const model::IndexEntry& entry : kind.entries) {
    if (entry.index == *view.index) return entry.sk ? &*entry.sk : nullptr;
  }
  return layout.tables[kind.table].indexes[*view.index].is_over_table_keys ? &kind.pk : nullptr;
}

const KeyTemplate* partition_key(const model::Layout& layout, const View& view, const ItemKind& kind) {
  if (kind.table != view.table) return nullptr;
  if (!view.index) return &kind.pk;
  for (const model::IndexEntry& entry : kind.entries) {
    if (entry.index == *view.index) return &entry.pk;
  }
  const bool is_inverted = layout.tables[kind.table].indexes[*view.index].is_over_table_keys;
  return is_inverted && kind.sk ? &*kind.sk : nullptr;
}

std::string literal_shape(const KeyTemplate& key) {
  std::string shape;
  for (const auto& piece : key.pieces()) {
    const auto* text = std::get_if<std::string>(&piece);
    shape += text != nullptr ? *text : std::string(1, '\0');
  }
  return shape;
}

bool same_bindings(const std::vector<Binding>& a, const std::vector<Binding>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Binding& x, const Binding& y) {
    return x.kind == y.kind && x.node == y.node && x.path == y.path && x.condition == y.condition &&
           x.hole == y.hole;
  });
}

bool KeyInterval::Token::operator==(const Token& other) const {
  if (kind != other.kind) return false;
  if (kind == Kind::kBound) return same_bindings({*bound}, {*other.bound});
  return kind == Kind::kCharacter && character == other.character;
}

KeyInterval::Range KeyInterval::range(const Want& want) const {
  Range made{.item_kind = want.item_kind, .is_whole = want.sort.is_whole};
  const KeyTemplate* const key = sort_key(layout_, query_.view, layout_.item_kinds[want.item_kind]);
  if (key == nullptr) return made;
  size_t bound = 0;
  for (const auto& piece : key->pieces()) {
    if (const auto* text = std::get_if<std::string>(&piece)) {
      for (const char c : *text) made.tokens.push_back({.character = c});
    } else if (bound < want.sort.bound.size()) {
      made.tokens.push_back({.kind = Token::Kind::kBound, .bound = &want.sort.bound[bound++]});
    } else {
      break;
    }
  }
  return made;
}

std::vector<KeyInterval::Range> KeyInterval::ranges() const {
  std::vector<Range> all;
  for (const Want& want : query_.wants) all.push_back(range(want));
  return all;
}

model::HoleSource plain_source(model::HoleSource source, model::RelationId relation) {
  if (source.root != model::HoleSource::Root::kEdgeEnd || source.path.ends.empty()) return source;
  const model::EndId back{.relation = relation, .side = 1 - source.side};
  if (source.path.ends.front() != back) return source;
  source.side = back.side;
  source.path.ends.erase(source.path.ends.begin());
  return source;
}

// What the partition key holds is known in the sort key, too.
KeyInterval::Tokens KeyInterval::any_key(const ItemKind& kind) const {
  Tokens tokens;
  const KeyTemplate* const key = sort_key(layout_, query_.view, kind);
  if (key == nullptr) return tokens;
  const std::vector<const Hole*> in_partition = partition_key(layout_, query_.view, kind)->holes();
  for (const auto& piece : key->pieces()) {
    if (const auto* text = std::get_if<std::string>(&piece)) {
      for (const char c : *text) tokens.push_back({.character = c});
      continue;
    }
    Token token{.kind = Token::Kind::kAny};
    const auto plain = [&](const Hole& hole) {
      return kind.relation ? plain_source(hole.source, *kind.relation) : hole.source;
    };
    for (size_t i = 0; i < in_partition.size(); ++i) {
      if (in_partition[i]->holds_value() && plain(*in_partition[i]) == plain(std::get<Hole>(piece)))
        token = {.kind = Token::Kind::kBound, .bound = &query_.partition[i]};
    }
    tokens.push_back(token);
  }
  return tokens;
}

KeyInterval::Outcomes KeyInterval::compare(const Tokens& key, const Range& range, size_t first) {
  Outcomes made;
  for (size_t i = first;; ++i) {
    if (i >= range.tokens.size()) {
      made.inside = made.inside || !range.is_whole || i >= key.size();
      made.behind = made.behind || (range.is_whole && i < key.size());
      return made;
    }
    if (i >= key.size()) {
      made.before = true;
      return made;
    }
    const Token &a = key[i], &b = range.tokens[i];
    if (a == b) continue;
    if (a.kind == Token::Kind::kCharacter && b.kind == Token::Kind::kCharacter) {
      (static_cast<unsigned char>(a.character) < static_cast<unsigned char>(b.character) ? made.before
                                                                                         : made.behind) =
          true;
      return made;
    }
    made.before = made.behind = true;
    // Two values may be the same; a value and a word are not, or keys could not be told apart.
    if (a.kind == Token::Kind::kCharacter || b.kind == Token::Kind::kCharacter) return made;
  }
}

bool KeyInterval::is_stranger(size_t item_kind, const std::vector<Range>& ranges) const {
  // All that lies between begins with what all ranges begin with.
  size_t common = ranges.front().tokens.size();
  for (const Range& range : ranges) {
    const Tokens &a = ranges.front().tokens, &b = range.tokens;
    const auto end =
        std::mismatch(a.begin(), a.begin() + static_cast<ptrdiff_t>(std::min(common, b.size())), b.begin());
    common = static_cast<size_t>(end.first - a.begin());
  }
  const Tokens key = any_key(layout_.item_kinds[item_kind]);
  for (size_t i = 0; i < common; ++i) {
    const Token& token = ranges.front().tokens[i];
    if (i >= key.size()) return false;
    const bool may_be =
        key[i] == token || (key[i].kind == Token::Kind::kAny && token.kind == Token::Kind::kBound);
    if (!may_be) return false;
  }
  const auto is_own = [&](const Range& range) { return range.item_kind == item_kind; };
  const bool is_wanted = std::any_of(ranges.begin(), ranges.end(), is_own);
  for (const Range& range : ranges) {
    const Outcomes from = compare(key, range, common);
    if (is_own(range) && !from.before && !from.behind) return false;  // all of them are wanted
  }
  for (const Range& a : ranges) {
    const Outcomes from_a = compare(key, a, common);
    if (!is_own(a) && from_a.inside) return true;
    if (is_wanted && !is_own(a)) continue;
    for (const Range& b : ranges) {
      if (&a == &b) continue;
      const Outcomes from_b = compare(key, b, common);
      if ((from_a.behind && from_b.before) || (from_a.before && from_b.behind)) return true;
    }
  }
  return false;
}

std::vector<Strangers> KeyInterval::strangers() const {
  std::vector<Strangers> found;
  const std::vector<Range> wanted = ranges();
  if (wanted.size() == 1 && wanted.front().is_whole) return found;
  const ItemKind& first = layout_.item_kinds[query_.wants.front().item_kind];
  const std::string shape = literal_shape(*partition_key(layout_, query_.view, first));
  for (size_t id = 0; id < layout_.item_kinds.size(); ++id) {
    const KeyTemplate* const partition = partition_key(layout_, query_.view, layout_.item_kinds[id]);
    if (partition == nullptr || literal_shape(*partition) != shape || !is_stranger(id, wanted)) continue;
    const Tokens key = any_key(layout_.item_kinds[id]);
    const bool is_one = std::none_of(key.begin(), key.end(),
                                     [](const Token& token) { return token.kind == Token::Kind::kAny; });
    found.push_back({.item_kind = id, .is_one = is_one});
  }
  return found;
}

bool KeyInterval::comes_last(const Want& want, bool is_backward) const {
  const Range last = range(want);
  return std::all_of(query_.wants.begin(), query_.wants.end(), [&](const Want& other) {
    if (&other == &want) return true;
    if (!other.sort.is_one) return false;
    const Outcomes where = compare(range(other).tokens, last, 0);
    return !where.inside && (is_backward ? !where.before : !where.behind);
  });
}

}  // namespace sheaf::plan
