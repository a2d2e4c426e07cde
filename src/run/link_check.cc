#include "run/link_check.h"

#include "base/try.h"
#include "plan/write_needs.h"
#include "run/guards.h"
#include "run/item_codec.h"
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
  if (links_to_sweep_ > 0) --links_to_sweep_;
  if (open_.size() >= kOpenLinksMax && links_to_sweep_ == 0) {
    forget_seen();
    links_to_sweep_ = kLinksBetweenSweeps;
  }
  if (open_.size() >= kOpenLinksMax && !open_.contains(who)) {
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

Result<std::set<LinkCheck::Somebody>> LinkCheck::find(const std::vector<Somebody>& some) {
  const ItemCodec codec(model_, layout_);
  TableKeys keys;
  for (const auto& [entity, identity] : some) {
    Item key = TRY(codec.key(entity, identity));
    keys.emplace_back(layout_.kind(entity)->table, std::move(key));
  }
  std::set<Somebody> found;
  Figures unused;
  TRY(get_items(database_, layout_, keys, true, unused, [&](size_t table, ItemView item) {
    const auto decoded = codec.decode(table, item);
    const auto* record = decoded ? std::get_if<Record>(&*decoded) : nullptr;
    if (record != nullptr) found.emplace(record->entity, record->identity);
  }));
  return found;
}

Result<std::optional<bool>> LinkCheck::is_there(const Somebody& who) {
  Figures unused;
  const auto found = find_item(database_, model_, layout_, who.first, who.second, unused);
  if (!found.ok() && found.error().code == Code::kInvalid) return std::optional<bool>();
  if (!found.ok()) return found.error();
  return std::optional(found->has_value());
}

Result<DanglingLinks> LinkCheck::finish(const LinkCheckOptions& options) {
  forget_seen();
  DanglingLinks dangling{.is_all = is_all_};
  uint64_t done = 0;
  const auto is_ended = [&] { return options.is_ended && options.is_ended(); };
  for (auto next = open_.begin(); next != open_.end();) {
    if (is_ended()) {
      dangling.is_ended = true;
      dangling.is_all = false;
      break;
    }
    // All of one entity are alike in this.
    const auto begin = next;
    const bool is_by_key = plan::has_known_key(model_, layout_, next->first.first);
    std::vector<Somebody> some;
    for (; next != open_.end() && next->first.first == begin->first.first; ++next) {
      if (some.size() >= (is_by_key ? kBatchKeysMax : 1)) break;
      some.push_back(next->first);
    }
    std::set<Somebody> found;
    if (is_by_key) {
      found = TRY(find(some));
    } else if (const auto is = TRY(is_there(some.front())); !is) {
      dangling.is_all = false;
      found.insert(some.front());
    } else if (*is) {
      found.insert(some.front());
    }
    for (auto each = begin; each != next; ++each) {
      if (found.contains(each->first)) continue;
      ++dangling.count;
      if (dangling.examples.size() < kDanglingToldMax) dangling.examples.push_back(each->second);
    }
    done += some.size();
    if (options.progress) options.progress(done, open_.size());
  }
  return dangling;
}

}  // namespace sheaf::run
