#include "infer/clusters.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>

#include "infer/key_words.h"

namespace sheaf::infer {
namespace {

// So many words in one place are values, not names of kinds.
constexpr size_t kWordsMax = 5;
constexpr size_t kTagValuesMax = 60;
// Key shapes in one group; with more of them nothing is to be learned from where keys are cut.
constexpr size_t kShapesMax = 24;

struct KeySign {
  std::string pk_cut;  // where it is cut
  std::string sk_cut;
  std::string pk_word;  // its first word, if it seems to be a label
  std::string sk_word;

  auto operator<=>(const KeySign&) const = default;
};

std::string lines_of(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) out += text + "\n";
  return out;
}

std::string label(const KeyTokens& key) {
  const std::string& first = key.tokens.front();
  if (key.tokens.size() == 1 && !is_word(first)) return id_prefix(first);
  if (key.tokens.size() > 1 && first.empty()) return "#" + key.tokens[1];
  return is_word(first) ? first : std::string();
}

KeySign sign_of(const ObservedTable& table, ItemView item) {
  KeySign sign;
  const auto read = [&](const KeyAttribute& key, std::string& cut, std::string& word) {
    const auto value = item.find(key.name);
    if (!value || value->type() != Type::kString) return;
    const KeyTokens tokens = split_key(value->bytes());
    cut = lines_of(tokens.delimiters);
    word = label(tokens);
  };
  read(table.key.partition.front(), sign.pk_cut, sign.pk_word);
  if (!table.key.sort.empty()) read(table.key.sort.front(), sign.sk_cut, sign.sk_word);
  return sign;
}

std::set<std::string> key_names(const ObservedTable& table) {
  std::set<std::string> names;
  const auto add = [&](const KeySchema& key) {
    for (const KeyAttribute& each : key.partition) names.insert(each.name);
    for (const KeyAttribute& each : key.sort) names.insert(each.name);
  };
  add(table.key);
  for (const ObservedIndex& index : table.indexes) {
    if (!index.is_local) add(index.key);
  }
  return names;
}

struct Group {
  KeySign sign;
  std::set<std::string> attributes;
  std::vector<size_t> items;
};

double likeness(const std::set<std::string>& a, const std::set<std::string>& b) {
  if (a.empty() && b.empty()) return 1;
  size_t common = 0;
  for (const std::string& each : a) common += b.contains(each) ? 1 : 0;
  return static_cast<double>(common) / static_cast<double>(a.size() + b.size() - common);
}

std::vector<Group> groups_by(const ObservedTable& table, const std::vector<size_t>& items,
                             const std::function<KeySign(const KeySign&)>& kept) {
  const std::set<std::string> keys = key_names(table);
  std::vector<Group> groups;
  std::map<KeySign, size_t> known;
  for (const size_t i : items) {
    const KeySign sign = kept(sign_of(table, table.items[i]));
    const auto [found, is_new] = known.emplace(sign, groups.size());
    if (is_new) groups.push_back({.sign = sign});
    Group& group = groups[found->second];
    group.items.push_back(i);
    for (const Attribute attribute : table.items[i].view()) {
      if (!keys.contains(std::string(attribute.name)) && !is_kept_by_sheaf(attribute.name))
        group.attributes.insert(std::string(attribute.name));
    }
  }
  return groups;
}

void join(Group& into, Group& from) {
  into.items.insert(into.items.end(), from.items.begin(), from.items.end());
  into.attributes.merge(from.attributes);
  from.items.clear();
}

bool is_cut_alike(const KeySign& a, const KeySign& b) { return a.pk_cut == b.pk_cut && a.sk_cut == b.sk_cut; }

// Words that stand for kinds are few, and kinds have different attributes: groups that differ in a word alone
// are one kind if there are too many words in that place, or if the words are ids and the attributes alike.
std::vector<Group> joined_groups(std::vector<Group> groups) {
  const auto join_where = [&](auto differ_in_one, auto may_join) {
    for (size_t i = 0; i < groups.size(); ++i) {
      std::vector<size_t> others;
      for (size_t j = i + 1; j < groups.size(); ++j) {
        if (!groups[j].items.empty() && !groups[i].items.empty() &&
            is_cut_alike(groups[i].sign, groups[j].sign) && differ_in_one(groups[i].sign, groups[j].sign) &&
            may_join(groups[i], groups[j], false))
          others.push_back(j);
      }
      const bool is_many = others.size() + 1 > kWordsMax;
      for (const size_t j : others) {
        if (is_many || may_join(groups[i], groups[j], true)) join(groups[i], groups[j]);
      }
    }
    std::erase_if(groups, [](const Group& group) { return group.items.empty(); });
  };
  const auto is_id = [](const std::string& word) { return word.ends_with('_') || word.ends_with('-'); };
  const auto alike = [&](const Group& a, const Group& b, bool is_strict) {
    if (likeness(a.attributes, b.attributes) < 0.5) return false;
    if (!is_strict) return true;
    // Words alone in a key: values, unless they are in capitals. Where one is no word, none is a label.
    const auto is_value = [&](const std::string& cut, const std::string& x, const std::string& y) {
      if (x.empty() != y.empty()) return true;
      return cut.empty() && x != y && (is_id(x) || !is_capital_word(x) || !is_capital_word(y)) &&
             !a.attributes.empty();
    };
    return is_value(a.sign.pk_cut, a.sign.pk_word, b.sign.pk_word) ||
           is_value(a.sign.sk_cut, a.sign.sk_word, b.sign.sk_word);
  };
  join_where([](const KeySign& a, const KeySign& b) { return a.pk_word == b.pk_word; }, alike);
  join_where([](const KeySign& a, const KeySign& b) { return a.sk_word == b.sk_word; }, alike);
  return groups;
}

std::vector<Group> untagged_groups(const ObservedTable& table, const std::vector<size_t>& items) {
  std::vector<Group> groups =
      joined_groups(groups_by(table, items, [](const KeySign& sign) { return sign; }));
  if (groups.size() <= kShapesMax) return groups;
  groups = groups_by(table, items, [](const KeySign& sign) {
    return KeySign{.pk_cut = sign.pk_cut, .sk_cut = sign.sk_cut};
  });
  if (groups.size() <= kShapesMax) return groups;
  return groups_by(table, items, [](const KeySign&) { return KeySign(); });
}

// Where the tag says what they are: keys that are cut in different places, or that lie in partitions of
// different kinds.
std::vector<Group> tagged_groups(const ObservedTable& table, const std::vector<size_t>& items) {
  std::vector<Group> groups = groups_by(table, items, [](const KeySign& sign) {
    return KeySign{.pk_cut = sign.pk_cut,
                   .sk_cut = sign.sk_cut,
                   .pk_word = sign.pk_cut.empty() ? std::string() : sign.pk_word};
  });
  if (groups.size() <= kWordsMax) return groups;
  groups = groups_by(table, items, [](const KeySign& sign) {
    return KeySign{.pk_cut = sign.pk_cut, .sk_cut = sign.sk_cut};
  });
  if (groups.size() <= kWordsMax) return groups;
  return groups_by(table, items, [](const KeySign&) { return KeySign(); });
}

bool is_usual_name(std::string_view attribute) {
  static constexpr std::array<std::string_view, 12> kNames = {
      "type", "entity", "entitytype", "itemtype", "recordtype", "objecttype",
      "kind", "et",     "edbe",       "typename", "model",      "tag"};
  std::string name = lower(attribute);
  std::erase_if(name, [](char c) { return c == '_' || c == '-'; });
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

std::string letters(std::string_view text) {
  std::string out = lower(text);
  std::erase_if(out, [](char c) { return c < 'a' || c > 'z'; });
  return out;
}

// Whether items of different values differ in something else, too.
bool goes_with_items(const ObservedTable& table, const std::map<std::string, std::vector<size_t>>& by_value,
                     const std::string& attribute, bool is_usual) {
  std::vector<std::pair<KeySign, std::set<std::string>>> signs;
  for (const auto& [value, items] : by_value) {
    const std::vector<Group> groups = groups_by(table, items, [](const KeySign& sign) { return sign; });
    Group whole = groups.front();
    for (const Group& group : groups)
      whole.attributes.insert(group.attributes.begin(), group.attributes.end());
    whole.attributes.erase(attribute);
    if (!is_usual && (groups.size() > 1 || (letters(value) != letters(whole.sign.sk_word) &&
                                            letters(value) != letters(whole.sign.pk_word))))
      return false;
    if (std::find(signs.begin(), signs.end(), std::pair(whole.sign, whole.attributes)) != signs.end())
      return false;
    signs.emplace_back(whole.sign, whole.attributes);
  }
  return true;
}

std::vector<std::string> attributes_of(const ObservedTable& table, const std::vector<Item>& items,
                                       const std::string& tag) {
  const std::set<std::string> keys = key_names(table);
  std::vector<std::string> names;
  std::set<std::string> known;
  for (const Item& item : items) {
    for (const Attribute attribute : item.view()) {
      const std::string name(attribute.name);
      if (name != tag && !keys.contains(name) && !is_kept_by_sheaf(name) && known.insert(name).second)
        names.push_back(name);
    }
  }
  return names;
}

}  // namespace

std::vector<DeclaredAttribute> declared_fields(const ObservedTable& table) {
  const std::set<std::string> keys = key_names(table);
  std::vector<DeclaredAttribute> fields;
  std::set<std::string> known;
  for (const DeclaredAttribute& each : table.declared_attributes) {
    if (!keys.contains(each.name) && known.insert(each.name).second) fields.push_back(each);
  }
  return fields;
}

bool is_kept_by_sheaf(std::string_view attribute) {
  return attribute == "_v" || attribute == "_deleting" ||
         (attribute.starts_with('_') && attribute.ends_with("_v") && attribute.size() > 3);
}

std::optional<Tag> find_tag(const ObservedTable& table) {
  if (table.items.empty()) return std::nullopt;
  const std::set<std::string> keys = key_names(table);
  std::optional<Tag> found;
  for (const Attribute candidate : table.items.front().view()) {
    const std::string name(candidate.name);
    if (keys.contains(name) || candidate.value.type() != Type::kString) continue;
    const bool is_usual = is_usual_name(name);
    Evidence evidence;
    std::map<std::string, std::vector<size_t>> by_value;
    for (size_t i = 0; i < table.items.size(); ++i) {
      const auto value = table.items[i].find(name);
      const bool is_text = value && value->type() == Type::kString;
      evidence.add(is_text, "");
      if (is_text) by_value[std::string(value->bytes())].push_back(i);
    }
    // An item without it would not be explained.
    if (!evidence.is_without_exception() || by_value.size() > kTagValuesMax) continue;
    if (by_value.size() == 1 && !is_usual) continue;
    if (by_value.size() > 1 && !goes_with_items(table, by_value, name, is_usual)) continue;
    if (!found || (is_usual && !is_usual_name(found->attribute))) found = Tag{name, evidence};
  }
  return found;
}

std::vector<Kind> find_kinds(const ObservedTable& table, size_t table_id, const std::optional<Tag>& tag) {
  std::vector<Kind> kinds;
  const std::string tag_name = tag ? tag->attribute : std::string();
  const auto add = [&](const std::vector<size_t>& items, const std::string& facet) -> Kind& {
    Kind kind{.table = table_id, .facet = facet};
    for (const size_t i : items) kind.items.push_back(table.items[i]);
    if (tag && !items.empty()) kind.tag = std::string(kind.items.front().find(tag_name)->bytes());
    kind.attributes = attributes_of(table, kind.items, tag_name);
    kinds.push_back(std::move(kind));
    return kinds.back();
  };
  // By tag value, in the order of the items.
  const auto add_all = [&](const std::vector<size_t>& items, const std::string& facet) {
    if (!tag) {
      for (const Group& group : untagged_groups(table, items)) add(group.items, facet);
      return;
    }
    std::vector<std::string> values;
    std::map<std::string, std::vector<size_t>> by_value;
    for (const size_t i : items) {
      std::string value(table.items[i].find(tag_name)->bytes());
      if (!by_value.contains(value)) values.push_back(value);
      by_value[value].push_back(i);
    }
    for (const std::string& value : values) {
      for (const Group& group : tagged_groups(table, by_value[value])) add(group.items, facet);
    }
  };
  std::vector<bool> is_in_facet(table.items.size(), false);
  for (const Facet& facet : table.facets) {
    for (const size_t i : facet.items) is_in_facet[i] = true;
    if (!facet.items.empty()) {
      add_all(facet.items, facet.name);
      continue;
    }
    Kind& kind = add({}, facet.name);
    kind.pk_alias = facet.pk_alias;
    kind.sk_alias = facet.sk_alias;
    for (const DeclaredAttribute& each : declared_fields(table)) {
      const auto& names = facet.attributes;
      if (std::find(names.begin(), names.end(), each.name) != names.end()) kind.declared.push_back(each);
    }
  }
  std::vector<size_t> rest;
  for (size_t i = 0; i < table.items.size(); ++i) {
    if (!is_in_facet[i]) rest.push_back(i);
  }
  if (!rest.empty()) add_all(rest, "");
  return kinds;
}

}  // namespace sheaf::infer
