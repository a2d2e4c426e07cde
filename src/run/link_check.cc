#include "run/link_check.h"

#include "base/try.h"
#include "run/guards.h"
#include "run/stored_items.h"

namespace sheaf::run {
namespace {

using model::EndId;

std::string text_of(const std::pair<model::EntityId, Identity>& who) {
  return std::to_string(who.first) + "\n" + joined(who.second);
}

}  // namespace

void LinkCheck::note(const Data& data) {
  for (const Record& record : data.records) seen_.add(text_of({record.entity, record.identity}));
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

void LinkCheck::note_link(EndId end, const Identity& from, const Identity& to) {
  const model::End& declared = model_.end(end);
  // Who has no items exists as an end of links only.
  if (model_.relations[end.relation].syntax->unchecked || !layout_.has_items(declared.target)) return;
  const Somebody who{declared.target, to};
  if (seen_.may_have(text_of(who))) return;
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
  std::erase_if(open_, [&](const auto& each) { return seen_.may_have(text_of(each.first)); });
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
