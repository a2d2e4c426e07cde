#include "run/link_check.h"

#include <functional>

#include "base/try.h"
#include "run/guards.h"
#include "run/stored_items.h"

namespace sheaf::run {
namespace {

using model::EndId;

// 16 MB: of ten million entities 13 bits each, with four places one in two hundred is taken for another.
constexpr size_t kBits = size_t{1} << 27;
constexpr size_t kPlaces = 4;

// Calls `on_place` for the places of somebody in the filter, until it says false.
template <typename OnPlace>
bool all_places(const std::pair<model::EntityId, Identity>& who, OnPlace on_place) {
  const uint64_t hash = std::hash<std::string>()(std::to_string(who.first) + "\n" + joined(who.second));
  const uint64_t step = (hash >> 32) | 1;
  for (size_t i = 0; i < kPlaces; ++i) {
    if (!on_place((hash + i * step) % kBits)) return false;
  }
  return true;
}

}  // namespace

void LinkCheck::note(const Data& data) {
  for (const Record& record : data.records) note_entity({record.entity, record.identity});
  for (const Record& record : data.records) {
    for (const auto& [end, targets] : record.references) {
      for (const Identity& target : targets) note_link(end, record.identity, target);
    }
    for (const auto& [end, entries] : record.entries) {
      for (const Edge& each : entries) note_link(end, record.identity, each.ends[end.side]);
    }
  }
  for (const Edge& edge : data.edges) {
    for (const int side : {0, 1})
      note_link({.relation = edge.relation, .side = side}, edge.ends[1 - side], edge.ends[side]);
  }
}

void LinkCheck::note_entity(const Somebody& who) {
  if (seen_.empty()) seen_.resize(kBits / 64);
  all_places(who, [&](uint64_t place) {
    seen_[place / 64] |= uint64_t{1} << (place % 64);
    return true;
  });
}

bool LinkCheck::is_seen(const Somebody& who) const {
  return !seen_.empty() &&
         all_places(who, [&](uint64_t place) { return (seen_[place / 64] >> (place % 64) & 1) != 0; });
}

void LinkCheck::note_link(EndId end, const Identity& from, const Identity& to) {
  const model::End& declared = model_.end(end);
  // Who has no items exists as an end of links only.
  if (model_.relations[end.relation].syntax->unchecked || !layout_.has_items(declared.target)) return;
  const Somebody who{declared.target, to};
  if (is_seen(who)) return;
  if (open_.size() >= kOpenLinksMax) forget_seen();
  if (open_.size() >= kOpenLinksMax) {
    is_all_ = false;
    return;
  }
  open_.try_emplace(who, "the " + model_.entities[declared.holder].name + " " + shown(from) +
                             " leads by its " + declared.name + " to the " +
                             model_.entities[declared.target].name + " " + shown(to));
}

void LinkCheck::forget_seen() {
  std::erase_if(open_, [&](const auto& each) { return is_seen(each.first); });
}

Result<DanglingLinks> LinkCheck::finish() {
  forget_seen();
  DanglingLinks dangling{.is_all = is_all_};
  for (const auto& [who, link] : open_) {
    Figures unused;
    const auto found = find_item(database_, model_, layout_, who.first, who.second, unused);
    if (!found.ok() && found.error().code == Code::kInvalid) {
      dangling.is_all = false;  // nothing leads there in this layout
      continue;
    }
    if (!found.ok()) return found.error();
    if (*found) continue;
    ++dangling.count;
    if (dangling.examples.size() < kDanglingToldMax) dangling.examples.push_back(link);
  }
  return dangling;
}

}  // namespace sheaf::run
