#include "infer/list_links.h"

#include <algorithm>
#include <map>
#include <set>

#include "infer/clusters.h"
#include "infer/names.h"
#include "language/written_parts.h"

namespace sheaf::infer {
namespace {

using Entries =
    std::map<std::pair<size_t, size_t>, ItemView>;  // by the holder's item and the one it leads to

// Nothing if it is no map of maps under ids.
std::optional<Entries> entries_of(const Kind& kind, const std::string& attribute, const Found& found,
                                  size_t target) {
  Entries entries;
  for (size_t i = 0; i < kind.items.size(); ++i) {
    const auto map = kind.items[i].find(attribute);
    if (!map) continue;
    if (map->type() != Type::kMap) return std::nullopt;
    for (const Attribute entry : map->map()) {
      const auto item = found.identities[target].find({std::string(entry.name)});
      if (entry.value.type() != Type::kMap || item == found.identities[target].end()) return std::nullopt;
      entries.emplace(std::pair(i, item->second), entry.value.map());
    }
  }
  if (entries.empty()) return std::nullopt;
  return entries;
}

// Members END_FIELD that are what the target's field is, in every entry.
std::vector<std::string> copied_members(const Entries& entries, const std::string& end, const Kind& target) {
  std::vector<std::string> copied;
  for (const std::string& field : target.attributes) {
    const std::string member = end + "_" + field;
    const bool is_copy = std::all_of(entries.begin(), entries.end(), [&](const auto& entry) {
      const auto copy = entry.second.find(member);
      const auto source = target.items[entry.first.second].find(field);
      return copy.has_value() == source.has_value() && (!copy || *copy == *source);
    });
    const bool is_there = std::any_of(entries.begin(), entries.end(), [&](const auto& entry) {
      return entry.second.find(member).has_value();
    });
    if (is_copy && is_there) copied.push_back(field);
  }
  return copied;
}

std::map<std::string, ValueView> own_members(ItemView entry, const std::string& end,
                                             const std::vector<std::string>& copied) {
  std::map<std::string, ValueView> members;
  for (const Attribute member : entry) {
    const std::string name(member.name);
    const bool is_copy = std::any_of(copied.begin(), copied.end(),
                                     [&](const std::string& field) { return name == end + "_" + field; });
    if (!is_copy && !is_kept_by_sheaf(name)) members.emplace(name, member.value);
  }
  return members;
}

}  // namespace

bool has_ids_as_names(const Kind& kind, const std::string& attribute, const Found& found, size_t target) {
  return entries_of(kind, attribute, found, target).has_value();
}

std::optional<Link> find_lists(const std::vector<Kind>& kinds, const Found& found, size_t kind,
                               const std::string& attribute, size_t target,
                               const std::string& other_attribute) {
  const bool has_one_id = kinds[kind].identity().size() == 1 && kinds[target].identity().size() == 1;
  if (!has_one_id || (kind == target && attribute != other_attribute)) return std::nullopt;
  const auto forward = entries_of(kinds[kind], attribute, found, target);
  const auto backward = forward ? entries_of(kinds[target], other_attribute, found, kind) : std::nullopt;
  if (!backward || forward->size() != backward->size()) return std::nullopt;
  Link link{.how = Link::How::kLists, .parent = kind, .child = target, .is_symmetric = kind == target};
  link.attribute = attribute;
  link.other_attribute = other_attribute;
  link.copied = copied_members(*forward, attribute, kinds[target]);
  link.other_copied = copied_members(*backward, other_attribute, kinds[kind]);
  for (const auto& [pair, entry] : *forward) {
    const auto twin = backward->find({pair.second, pair.first});
    if (twin == backward->end() || (kind == target && pair.first == pair.second)) return std::nullopt;
    const auto here = own_members(entry, attribute, link.copied);
    if (here != own_members(twin->second, other_attribute, link.other_copied)) return std::nullopt;
    for (const auto& [name, value] : here) {
      if (!is_field_name(name)) return std::nullopt;
    }
    link.evidence.add(true, "");
  }
  return link;
}

}  // namespace sheaf::infer
