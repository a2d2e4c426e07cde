#include "infer/attribute_links.h"

#include <algorithm>
#include <set>

#include "infer/field_types.h"
#include "infer/key_words.h"
#include "infer/list_links.h"
#include "infer/names.h"
#include "infer/shape_alignment.h"
#include "language/written_parts.h"
#include "model/value_type.h"

namespace sheaf::infer {
namespace {

using How = Link::How;

// Entries of 400 bytes in an item of 400 KB.
constexpr size_t kEmbeddedMax = 1000;

class AttributeLinks {
 public:
  AttributeLinks(const std::vector<Kind>& kinds, const Naming& naming, Found& found,
                 std::vector<Question>& questions)
      : kinds_(kinds), naming_(naming), found_(found), questions_(questions), used_(kinds.size()) {}

  void run() {
    // Identities of several parts first: a part of them may look like an id of its own.
    std::vector<size_t> targets;
    for (size_t i = 0; i < kinds_.size(); ++i) {
      if (!found_.is_edge[i] && !kinds_[i].identity().empty()) targets.push_back(i);
    }
    std::stable_sort(targets.begin(), targets.end(), [&](size_t a, size_t b) {
      return kinds_[a].identity().size() > kinds_[b].identity().size();
    });
    for (size_t kind = 0; kind < kinds_.size(); ++kind) {
      if (found_.is_edge[kind] || kinds_[kind].is_by_field) continue;
      for (const size_t target : targets) find_references(kind, target);
      for (const size_t target : targets) find_ids(kind, target);
    }
    for (size_t kind = 0; kind < kinds_.size(); ++kind) find_entries(kind, targets);
    for (size_t kind = 0; kind < kinds_.size(); ++kind) {
      if (!found_.is_edge[kind] && !kinds_[kind].is_by_field) find_embedded(kind, targets);
    }
  }

 private:
  // --- References

  void find_references(size_t kind_id, size_t target) {
    const Kind& kind = kinds_[kind_id];
    const std::vector<NamePath> paths = identity_paths(kinds_, found_, naming_, target);
    const std::string first = "_" + joined(paths.front(), "_");
    for (const std::string& attribute : kind.stored_attributes()) {
      if (used_[kind_id].contains(attribute)) continue;
      if (attribute.size() > first.size() && attribute.ends_with(first)) {
        const std::string end = attribute.substr(0, attribute.size() - first.size());
        add_reference(kind_id, target, end, paths);
      } else if (paths.size() == 1) {
        ask_of(kind_id, target, attribute);
      }
    }
  }

  void add_reference(size_t kind_id, size_t target, const std::string& end,
                     const std::vector<NamePath>& paths) {
    const Kind& kind = kinds_[kind_id];
    Link link{.how = How::kRef, .parent = target, .child = kind_id, .end = end};
    for (size_t part = 0; part < paths.size(); ++part) {
      const std::string name = end + "_" + joined(paths[part], "_");
      const std::vector<std::string> stored = kind.stored_attributes();
      const bool is_there = std::find(stored.begin(), stored.end(), name) != stored.end();
      const auto value = kind.find_value(name);
      if (!is_there || used_[kind_id].contains(name) || (value && kind.values[*value].is_in_key)) return;
      link.attributes.push_back(name);
    }
    if (end == naming_.within[kind_id] || hole_name(end) != end) return;
    link.evidence = holders(kind, link.attributes, target);
    // Of a table that was read in part, one that is there and a name or a key that says so must do.
    const bool is_said = is_called(end, target) || is_keyed_alike(kind, link.attributes, target);
    const bool is_enough = link.evidence.is_without_exception() ||
                           (found_.is_sampled[target] && link.evidence.agree > 0 && is_said);
    if (link.evidence.of == 0 || !is_enough || !is_told(kind, link.attributes, end, target)) return;
    for (const IndexShape& index : kind.indexes) {
      if (is_partitioned_by(kind, index, link.attributes)) {
        link.how = How::kIndex;
        link.index = index.index;
        break;
      }
    }
    used_[kind_id].insert(link.attributes.begin(), link.attributes.end());
    found_.links.push_back(std::move(link));
  }

  // Of the items that have all of them: whether they are an identity of the target.
  Evidence holders(const Kind& kind, const std::vector<std::string>& attributes, size_t target) const {
    Evidence evidence;
    const std::vector<size_t> identity = kinds_[target].identity();
    for (size_t i = 0; i < kind.items.size(); ++i) {
      IdentityText tuple;
      size_t count = 0;
      bool is_typed = true;
      for (size_t part = 0; part < attributes.size(); ++part) {
        const auto value = kind.items[i].find(attributes[part]);
        const auto text = value ? text_of(*value) : std::nullopt;
        if (!text) continue;
        ++count;
        const bool is_number = model::is_numeric(kinds_[target].values[identity[part]].type);
        is_typed = is_typed && (value->type() == Type::kNumber) == is_number;
        tuple.push_back(*text);
      }
      if (count == 0) continue;
      evidence.add(count == attributes.size() && is_typed && found_.identities[target].contains(tuple),
                   kind.key_text(i));
    }
    return evidence;
  }

  bool is_called(const std::string& end, size_t target) const {
    return lower(end).find(lower(naming_.entities[target])) != std::string::npos;
  }

  // An index has them behind the word of the target's partitions: PERSON#<writer_handle>, and
  // PERSON#<handle>.
  bool is_keyed_alike(const Kind& kind, const std::vector<std::string>& attributes, size_t target) const {
    return std::any_of(kind.indexes.begin(), kind.indexes.end(), [&](const IndexShape& index) {
      std::vector<std::string> held;
      for (const size_t value :
           index.pk.has_word() ? identity_in_index(kinds_[target], kind, index) : std::vector<size_t>())
        held.push_back(kind.values[value].attribute);
      return held == attributes;
    });
  }

  // Not by chance: several values, or ids that look like ids, or a name or a key that says so.
  bool is_told(const Kind& kind, const std::vector<std::string>& attributes, const std::string& end,
               size_t target) const {
    if (is_called(end, target) || is_keyed_alike(kind, attributes, target)) return true;
    std::set<std::string> distinct;
    bool are_texts = true;
    for (const Item& item : kind.items) {
      const auto value = item.find(attributes.back());
      const auto text = value ? text_of(*value) : std::nullopt;
      if (!text) continue;
      are_texts = are_texts && value->type() == Type::kString;
      if (has_digit(*text) && text->size() > 2 && value->type() == Type::kString) return true;
      distinct.insert(*text);
    }
    return distinct.size() > 1 && are_texts;
  }

  static bool is_partitioned_by(const Kind& kind, const IndexShape& index,
                                const std::vector<std::string>& attributes) {
    const std::vector<size_t> held = index.pk.held();
    if (index.when || held.size() != attributes.size()) return false;
    return std::all_of(held.begin(), held.end(), [&](size_t value) {
      return std::find(attributes.begin(), attributes.end(), kind.values[value].attribute) !=
             attributes.end();
    });
  }

  // Ids of a target under a name that no end could have.
  void ask_of(size_t kind_id, size_t target, const std::string& attribute) {
    const Kind& kind = kinds_[kind_id];
    if (const auto value = kind.find_value(attribute); value && kind.values[*value].is_in_key) return;
    const Evidence evidence = holders(kind, {attribute}, target);
    if (evidence.of < 2 || !evidence.is_without_exception() || !is_told(kind, {attribute}, attribute, target))
      return;
    const std::string wanted = member_name(naming_.entities[target]) + "_" +
                               joined(identity_paths(kinds_, found_, naming_, target).front(), "_");
    questions_.push_back({.subject = naming_.entities[kind_id] + "." + attribute,
                          .text = "holds ids of " + naming_.entities[target] + " (" + evidence.text() +
                                  "): is it a reference? The language stores one as " + wanted,
                          .about = Question::About::kRelation});
  }

  // --- Lists of ids

  void find_ids(size_t kind_id, size_t target) {
    const Kind& kind = kinds_[kind_id];
    if (kinds_[target].identity().size() != 1) return;
    for (const std::string& attribute : kind.attributes) {
      if (used_[kind_id].contains(attribute) || !is_field_name(attribute)) continue;
      Link link{.how = How::kIds, .parent = kind_id, .child = target, .attribute = attribute};
      size_t longest = 0;
      bool are_lists = true;
      for (const Item& item : kind.items) {
        const auto list = item.find(attribute);
        if (!list) continue;
        if (list->type() != Type::kList) {
          are_lists = false;
          break;
        }
        longest = std::max<size_t>(longest, list->list().size());
        std::set<std::string> distinct;
        for (const ValueView element : list->list()) {
          const auto text = element.type() == Type::kString ? text_of(element) : std::nullopt;
          const bool is_new = text && distinct.insert(*text).second;
          link.evidence.add(is_new && found_.identities[target].contains({*text}), text.value_or("?"));
        }
      }
      if (!are_lists || link.evidence.of == 0 || !link.evidence.is_without_exception() ||
          longest > kEmbeddedMax)
        continue;
      used_[kind_id].insert(attribute);
      found_.links.push_back(std::move(link));
    }
  }

  // --- Entries on both sides

  void find_entries(size_t kind_id, const std::vector<size_t>& targets) {
    if (found_.is_edge[kind_id]) return;
    for (const std::string& attribute : kinds_[kind_id].attributes) {
      for (const size_t target : targets) {
        for (const std::string& other : kinds_[target].attributes) {
          const bool is_free = !used_[kind_id].contains(attribute) && !used_[target].contains(other) &&
                               is_field_name(attribute) && is_field_name(other);
          auto link = is_free ? find_lists(kinds_, found_, kind_id, attribute, target, other) : std::nullopt;
          if (!link) continue;
          used_[kind_id].insert(attribute);
          used_[target].insert(other);
          found_.links.push_back(std::move(*link));
        }
      }
    }
  }

  // --- Embedded

  void find_embedded(size_t kind_id, const std::vector<size_t>& targets) {
    const Kind& kind = kinds_[kind_id];
    for (const std::string& attribute : kind.attributes) {
      const auto value = kind.find_value(attribute);
      if (value || used_[kind_id].contains(attribute) || !is_field_name(attribute)) continue;
      auto link = embedded_map(kind, attribute);
      if (!link) link = embedded_list(kind, attribute);
      if (!link) continue;
      for (const size_t target : targets) {
        if (link->how == How::kEmbedMap && has_ids_as_names(kind, attribute, found_, target))
          questions_.push_back({.subject = naming_.entities[kind_id] + "." + attribute,
                                .text = "has ids of " + naming_.entities[target] +
                                        " as names: is it a relation, of which the other side keeps nothing?",
                                .about = Question::About::kRelation});
      }
      link->parent = kind_id;
      used_[kind_id].insert(attribute);
      found_.links.push_back(std::move(*link));
    }
  }

  static bool has_names(ItemView map) {
    for (const Attribute member : map) {
      if (!is_field_name(member.name)) return false;
    }
    return true;
  }

  // How much a name sounds like that of an id.
  static int id_likeness(const std::string& name) {
    const std::string text = lower(name);
    if (text == "id") return 4;
    if (text.ends_with("id")) return 3;
    return text.ends_with("name") || text.ends_with("key") || text.ends_with("code") ? 2 : 1;
  }

  // Maps whose names differ from item to item, or whose values are alike: names are ids then.
  static std::optional<Link> embedded_map(const Kind& kind, const std::string& attribute) {
    Link link{.how = How::kEmbedMap, .attribute = attribute};
    std::set<std::set<std::string>> names;
    std::set<std::set<std::string>> members;
    for (size_t i = 0; i < kind.items.size(); ++i) {
      const auto map = kind.items[i].find(attribute);
      if (!map) continue;
      if (map->type() != Type::kMap || map->map().size() > kEmbeddedMax) return std::nullopt;
      std::set<std::string> here;
      for (const Attribute child : map->map()) {
        if (child.value.type() != Type::kMap || child.name.empty() || !has_names(child.value.map()))
          return std::nullopt;
        here.insert(std::string(child.name));
        std::set<std::string> fields;
        for (const Attribute member : child.value.map()) fields.insert(std::string(member.name));
        members.insert(std::move(fields));
        link.evidence.add(true, "");
      }
      names.insert(std::move(here));
    }
    const bool are_alike = members.size() == 1 && !members.begin()->empty();
    if (link.evidence.of == 0 || (names.size() == 1 && (kind.items.size() > 1 || !are_alike)))
      return std::nullopt;
    return link;
  }

  // Lists of maps with a member that tells them apart.
  static std::optional<Link> embedded_list(const Kind& kind, const std::string& attribute) {
    Link link{.how = How::kEmbedList, .attribute = attribute};
    std::map<std::string, size_t> seen;  // names of texts that are different in each list
    std::set<std::string> refused;
    for (const Item& item : kind.items) {
      const auto list = item.find(attribute);
      if (!list) continue;
      if (list->type() != Type::kList || list->list().size() > kEmbeddedMax) return std::nullopt;
      std::map<std::string, std::set<std::string>> distinct;
      for (const ValueView child : list->list()) {
        if (child.type() != Type::kMap || !has_names(child.map())) return std::nullopt;
        for (const Attribute member : child.map()) {
          const std::string name(member.name);
          if (member.value.type() != Type::kString ||
              !distinct[name].insert(std::string(member.value.bytes())).second)
            refused.insert(name);
          ++seen[name];
        }
        link.evidence.add(true, "");
      }
    }
    if (link.evidence.of == 0) return std::nullopt;
    for (const auto& [name, count] : seen) {
      if (count != link.evidence.of || refused.contains(name)) continue;
      if (link.id_field.empty() || id_likeness(name) > id_likeness(link.id_field)) link.id_field = name;
    }
    if (link.id_field.empty()) return std::nullopt;
    return link;
  }

  const std::vector<Kind>& kinds_;
  const Naming& naming_;
  Found& found_;
  std::vector<Question>& questions_;
  std::vector<std::set<std::string>> used_;
};

}  // namespace

void find_attribute_links(const std::vector<Kind>& kinds, const Naming& naming, Found& found,
                          std::vector<Question>& questions) {
  AttributeLinks(kinds, naming, found, questions).run();
}

}  // namespace sheaf::infer
