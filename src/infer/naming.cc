#include "infer/naming.h"

#include <algorithm>
#include <set>

#include "infer/key_words.h"
#include "infer/names.h"
#include "infer/shape_alignment.h"
#include "language/written_parts.h"

namespace sheaf::infer {
namespace {

// Key attributes that say nothing of what they hold.
bool is_generic(std::string_view attribute) {
  static const std::set<std::string> kNames = {
      "pk", "sk", "id", "hash", "range", "key", "hashkey", "rangekey", "partitionkey", "sortkey", "hk", "rk"};
  std::string name = lower(attribute);
  std::erase_if(name, [](char c) { return c == '_' || c == '-'; });
  return kNames.contains(name);
}

// The last label of a key that is not said of every item of its partition.
std::string word_of(const Kind& kind) {
  const auto words = [](const Shape& shape) {
    std::vector<std::string> found;
    for (const Piece& piece : shape.pieces) {
      for (const std::string& token : split_key(piece.literal).tokens) {
        if (!piece.value && is_word(token) && token != "_") found.push_back(token);
      }
    }
    return found;
  };
  std::vector<std::string> in_sk = kind.sk ? words(*kind.sk) : std::vector<std::string>();
  const bool is_head = std::any_of(in_sk.begin(), in_sk.end(), is_head_word);
  std::erase_if(in_sk, is_head_word);
  const std::vector<std::string> in_pk = words(kind.pk);
  // METADATA#order: what it is the head of.
  if (is_head) return !in_pk.empty() ? in_pk.back() : !in_sk.empty() ? in_sk.back() : "";
  if (!in_sk.empty()) return in_sk.back();
  return in_pk.empty() ? "" : in_pk.back();
}

std::string prefix_of(const Kind& kind) {
  const auto common = [&](const Shape& shape) {
    std::string prefix;
    if (shape.pieces.size() != 1 || !shape.pieces.front().value) return prefix;
    for (const auto& text : kind.values[*shape.pieces.front().value].texts) {
      const std::string its = text ? id_prefix(*text) : std::string();
      if (its.empty() || (!prefix.empty() && its != prefix)) return std::string();
      prefix = its;
    }
    return prefix;
  };
  std::string prefix = kind.sk ? common(*kind.sk) : std::string();
  if (prefix.empty()) prefix = common(kind.pk);
  return prefix;
}

class Namer {
 public:
  Namer(const Observed& observed, const std::vector<Kind>& kinds, const Found& found)
      : observed_(observed), kinds_(kinds), found_(found) {
    naming_.entities.resize(kinds.size());
    naming_.fields.resize(kinds.size());
    naming_.within.resize(kinds.size());
  }

  Naming run() {
    NameSet taken;
    for (size_t i = 0; i < kinds_.size(); ++i) {
      if (!found_.is_edge[i]) naming_.entities[i] = taken.claim(entity_name(wanted_name(i)));
    }
    // Parents before children: what a child's identity is called depends on theirs.
    std::vector<bool> is_done(kinds_.size(), false);
    for (size_t i = 0; i < kinds_.size(); ++i) name_fields(i, is_done);
    return std::move(naming_);
  }

 private:
  std::string wanted_name(size_t id) const {
    const Kind& kind = kinds_[id];
    const auto is_shared = [&](auto same) { return std::count_if(kinds_.begin(), kinds_.end(), same) > 1; };
    const bool several_facets =
        is_shared([&](const Kind& other) { return other.table == kind.table && other.facet == kind.facet; });
    const bool several_tags =
        is_shared([&](const Kind& other) { return other.table == kind.table && other.tag == kind.tag; });
    if (!kind.facet.empty() && !several_facets) return kind.facet;
    if (!kind.tag.empty() && !several_tags) return kind.tag;
    const std::string word = word_of(kind);
    if (!word.empty() && word.find_first_not_of("_-\"") != std::string::npos) return word;
    const bool is_alone =
        !is_shared([&](const Kind& other) { return other.table == kind.table; }) && kind.tag.empty();
    const std::string prefix = is_alone ? std::string() : prefix_of(kind);
    if (!prefix.empty()) return prefix;
    if (!kind.tag.empty()) return kind.tag;
    return singular(member_name(observed_.tables[kind.table].name));
  }

  void name_fields(size_t id, std::vector<bool>& is_done) {
    if (is_done[id]) return;
    is_done[id] = true;
    const Kind& kind = kinds_[id];
    std::vector<size_t> own = kind.identity();
    NameSet taken;
    for (const std::string& attribute : kind.attributes) taken.take(attribute);
    if (const auto within = found_.within[id]) {
      const Link& link = found_.links[*within];
      name_fields(link.parent, is_done);
      naming_.within[id] = taken.claim(end_name(id, link));
      std::erase_if(own, [&](size_t value) {
        return std::find(link.values.begin(), link.values.end(), value) != link.values.end();
      });
    }
    for (size_t value = 0; value < kind.values.size(); ++value) {
      if (kind.values[value].attribute.empty()) continue;
      // Holes are of letters, digits and _ alone.
      const std::string& attribute = kind.values[value].attribute;
      const std::string name = hole_name(attribute);
      naming_.fields[id][value] = name == attribute ? name : taken.claim(name);
    }
    std::erase_if(own, [&](size_t value) { return naming_.fields[id].contains(value); });
    std::map<size_t, std::string> referred =
        own.empty() ? std::map<size_t, std::string>() : indexed_names(id);
    for (const size_t value : own) {
      const std::string& name = referred[value];
      naming_.fields[id][value] =
          taken.claim(name.empty() ? id_name(id, value, own.size(), value == own.back()) : name);
    }
  }

  // As copies of the parent's fields call it, or else after the parent.
  std::string end_name(size_t id, const Link& link) const {
    const auto targets = targets_of(found_, kinds_[id], link.values, link.parent);
    for (const std::string& attribute : kinds_[id].attributes) {
      const auto copy =
          copied_field(kinds_[id], attribute, kinds_[link.parent], targets, found_.is_sampled[link.parent]);
      if (copy && hole_name(copy->end) == copy->end) return copy->end;
    }
    return member_name(naming_.entities[link.parent]);
  }

  std::string id_name(size_t id, size_t value_id, size_t count, bool is_last) const {
    const KeyValue& value = kinds_[id].values[value_id];
    if (count == 1) {
      if (const std::string name = referred_name(id, value_id); !name.empty()) return name;
    }
    const std::string bare = member_name(value.bare_of);
    if (!value.bare_of.empty() && !is_generic(value.bare_of)) {
      const std::string own = member_name(naming_.entities[id]) + "_";
      return bare.starts_with(own) && bare.size() > own.size() ? bare.substr(own.size())
                                                               : hole_name(value.bare_of);
    }
    if (count == 1) return "id";
    if (value.type.kind == language::Type::Kind::kTime) return "at";
    if (value.type.kind == language::Type::Kind::kDate) return "date";
    const std::string word = member_name(value.after);
    const bool is_word_free = !value.after.empty() && entity_name(value.after) != naming_.entities[id];
    if (is_word_free && !is_last) return word;
    return is_last ? "id" : "part";
  }

  // What the attributes that hold these values begin with, up to the last _ that all have; empty if they do
  // not, or if the primary key holds one of them.
  static std::string common_end(const Kind& kind, const std::vector<size_t>& values) {
    std::string end = kind.values[values.front()].attribute;
    for (const size_t value : values) {
      const std::string& attribute = kind.values[value].attribute;
      if (kind.values[value].is_in_key) return {};
      const auto differ = std::mismatch(end.begin(), end.end(), attribute.begin(), attribute.end());
      end.erase(differ.first, end.end());
    }
    // A name is left to each.
    for (const size_t value : values) {
      if (end == kind.values[value].attribute && !end.empty()) end.pop_back();
    }
    const size_t cut = end.rfind('_');
    return cut == std::string::npos || cut == 0 ? std::string() : end.substr(0, cut + 1);
  }

  // As the attributes END_NAME call its parts with which others are in an index behind the word of its
  // partitions: handle of PERSON#<writer_handle>. Nothing if they have no END in common.
  std::map<size_t, std::string> indexed_names(size_t id) const {
    const std::vector<size_t> identity = kinds_[id].identity();
    for (const Kind& other : kinds_) {
      for (const IndexShape& index : other.indexes) {
        if (!index.pk.has_word()) continue;
        const std::vector<size_t> values = identity_in_index(kinds_[id], other, index);
        const std::string end = values.empty() ? std::string() : common_end(other, values);
        if (end.empty()) continue;
        std::map<size_t, std::string> names;
        for (size_t part = 0; part < values.size(); ++part)
          names.emplace(identity[part], other.values[values[part]].attribute.substr(end.size()));
        const bool are_names = std::all_of(names.begin(), names.end(), [](const auto& each) {
          return hole_name(each.second) == each.second;
        });
        if (are_names) return names;
      }
    }
    return {};
  }

  // The end of attributes elsewhere that hold these ids: id of customer_id, name of owner_org_name.
  std::string referred_name(size_t id, size_t value) const {
    std::set<IdentityText> known;
    for (const auto& [identity, item] : found_.identities[id]) known.insert(identity);
    if (known.size() < 2 && (known.empty() || !has_digit(known.begin()->back()))) return {};
    std::vector<std::string> before;  // the parents' parts, as references call them
    for (const size_t part : kinds_[id].identity()) {
      if (part != value) before.push_back(joined(value_path(kinds_, found_, naming_, id, part), "_"));
    }
    for (size_t other = 0; other < kinds_.size(); ++other) {
      for (const std::string& attribute : kinds_[other].stored_attributes()) {
        const size_t cut = attribute.rfind('_');
        if (cut == std::string::npos || cut == 0 || cut + 1 == attribute.size()) continue;
        const std::string end = attribute.substr(0, cut), last = attribute.substr(cut + 1);
        if (kinds_[other].find_value(attribute) &&
            kinds_[other].values[*kinds_[other].find_value(attribute)].is_in_key)
          continue;
        if (holds_ids(kinds_[other], end, before, last, id, value, known)) return last;
      }
    }
    return {};
  }

  bool holds_ids(const Kind& kind, const std::string& end, const std::vector<std::string>& before,
                 const std::string& last, size_t target, size_t value,
                 const std::set<IdentityText>& known) const {
    size_t count = 0;
    for (const Item& item : kind.items) {
      IdentityText tuple;
      size_t next = 0;
      bool is_missing = false;
      for (const size_t part : kinds_[target].identity()) {
        const auto stored = item.find(end + "_" + (part == value ? last : before[next++]));
        if (!stored || stored->type() != Type::kString) {
          is_missing = true;
          break;
        }
        tuple.emplace_back(stored->bytes());
      }
      if (is_missing) continue;
      if (!known.contains(tuple) && !found_.is_sampled[target]) return false;
      count += known.contains(tuple) ? 1 : 0;
    }
    return count > 0;
  }

  const Observed& observed_;
  const std::vector<Kind>& kinds_;
  const Found& found_;
  Naming naming_;
};

}  // namespace

Naming name_kinds(const Observed& observed, const std::vector<Kind>& kinds, const Found& found) {
  return Namer(observed, kinds, found).run();
}

NamePath value_path(const std::vector<Kind>& kinds, const Found& found, const Naming& naming, size_t kind,
                    size_t value) {
  if (const auto within = found.within[kind]) {
    const Link& link = found.links[*within];
    const auto part = std::find(link.values.begin(), link.values.end(), value);
    if (part != link.values.end()) {
      NamePath path = {naming.within[kind]};
      const size_t of_parent = kinds[link.parent].identity()[static_cast<size_t>(part - link.values.begin())];
      for (std::string& name : value_path(kinds, found, naming, link.parent, of_parent))
        path.push_back(std::move(name));
      return path;
    }
  }
  for (const Link& link : found.links) {
    const bool is_reference = !link.attributes.empty() && link.child == kind && !found.is_edge[kind];
    if (!is_reference) continue;
    const auto part =
        std::find(link.attributes.begin(), link.attributes.end(), kinds[kind].values[value].attribute);
    if (part == link.attributes.end()) continue;
    NamePath path = {link.end};
    const size_t of_parent =
        kinds[link.parent].identity()[static_cast<size_t>(part - link.attributes.begin())];
    for (std::string& name : value_path(kinds, found, naming, link.parent, of_parent))
      path.push_back(std::move(name));
    return path;
  }
  const auto name = naming.fields[kind].find(value);
  return {name == naming.fields[kind].end() ? "id" : name->second};
}

std::vector<NamePath> identity_paths(const std::vector<Kind>& kinds, const Found& found, const Naming& naming,
                                     size_t kind) {
  std::vector<NamePath> paths;
  for (const size_t value : kinds[kind].identity())
    paths.push_back(value_path(kinds, found, naming, kind, value));
  return paths;
}

std::string joined(const NamePath& path, std::string_view between) {
  std::string text;
  for (const std::string& name : path) text += (text.empty() ? "" : std::string(between)) + name;
  return text;
}

}  // namespace sheaf::infer
