#include "transfer/salvage.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/try.h"
#include "engine/query_plan.h"
#include "engine/store_keys.h"

namespace sheaf::transfer {
namespace {

// A page that cannot be had is asked for again with fewer items, down to the last that lies before the
// damage.
constexpr uint32_t kItemsBeforeDamage = 64;
constexpr uint32_t kFewerBy = 8;

// False if there is nothing smaller.
bool make_smaller(std::optional<uint32_t>& limit) {
  if (limit == 1) return false;
  limit = limit ? std::max<uint32_t>(1, *limit / kFewerBy) : kItemsBeforeDamage;
  return true;
}

engine::TableSettings key_settings(const TableDescription& table) {
  return {.id = table.id, .name = table.name, .key = table.key};
}

}  // namespace

Salvage::Salvage(const TableDescription& table, uint32_t segment_count, Calls calls)
    : table_(table),
      known_(key_settings(table), {}),
      calls_(std::move(calls)),
      slivers_each_(std::bit_floor(engine::kSegmentsMax / segment_count)),
      slivers_(slivers_each_ * segment_count) {}

Result<uint64_t> Salvage::read(uint32_t segment) {
  uint64_t gaps = 0;
  // Where keys are rare, the way to the end of one damaged part leads over many that hold nothing.
  bool is_in_gap = false;
  const uint64_t end = (segment + 1) * slivers_each_;
  for (uint64_t at = segment * slivers_each_; at < end && !calls_.is_over();) {
    // As much at once as begins here: the whole segment, at first.
    uint64_t size = slivers_each_;
    while (at % size != 0 || at + size > end) size /= 2;
    const Reached reached = TRY(read_part(at / size, slivers_ / size));
    if (reached.has_items) is_in_gap = false;
    if (reached.is_end) {
      at += size;
      continue;
    }
    if (!std::exchange(is_in_gap, true)) ++gaps;
    uint64_t behind = at + 1;
    if (reached.last_key) {
      TRY(read_rest_of_collection(*reached.last_key));
      behind = TRY(sliver_of(*reached.last_key)) + 1;
    }
    at = TRY(next_readable(std::max(behind, at + 1), end));
  }
  return gaps;
}

Result<Salvage::Reached> Salvage::read_part(uint64_t part, uint64_t part_count) {
  Reached reached;
  Scan request{.table = table_.name};
  if (part_count > 1) {
    request.segment = static_cast<uint32_t>(part);
    request.segment_count = static_cast<uint32_t>(part_count);
  }
  while (!calls_.is_over()) {
    const Result<Page> page = calls_.scan(request);
    if (!page.ok() && !is_damage(page.error().code)) return page.error();
    if (!page.ok()) {
      if (make_smaller(request.limit)) continue;
      reached.last_key = request.start_key;
      return reached;
    }
    TRY(calls_.take(*page));
    reached.has_items |= page->items.size() > 0;
    request.start_key = page->last_key;
    if (!request.start_key) break;
  }
  reached.is_end = true;
  return reached;
}

// The damage may lie in the midst of an item collection, however large: what is behind it can be read from
// the collection's end.
Result<void> Salvage::read_rest_of_collection(const Item& last_key) {
  if (table_.key.sort.empty()) return {};
  const std::string& partition = table_.key.partition.front().name;
  const std::string& sort = table_.key.sort.front().name;
  Query request{.table = table_.name,
                .key_condition = "#p = :p AND #s > :s",
                .names = {{"#p", partition}, {"#s", sort}},
                .descending = true};
  request.values.set(":p", *last_key.find(partition));
  request.values.set(":s", *last_key.find(sort));
  while (!calls_.is_over()) {
    const Result<Page> page = calls_.query(request);
    if (!page.ok() && !is_damage(page.error().code)) return page.error();
    if (!page.ok()) {
      if (make_smaller(request.limit)) continue;
      break;
    }
    TRY(calls_.take(*page));
    request.start_key = page->last_key;
    if (!request.start_key) break;
  }
  return {};
}

Result<uint64_t> Salvage::sliver_of(const Item& key) const {
  const engine::ItemPlace place = TRY(engine::place_of_key(known_, key));
  // The last that begins at this hash or before: sliver n begins at n * 2^64 / slivers_, rounded down.
  auto sliver = static_cast<uint64_t>((static_cast<unsigned __int128>(place.hash) * slivers_) >> 64);
  const auto begin_of = [&](uint64_t n) {
    return static_cast<uint64_t>((static_cast<unsigned __int128>(n) << 64) / slivers_);
  };
  while (sliver + 1 < slivers_ && begin_of(sliver + 1) <= place.hash) ++sliver;
  return sliver;
}

// Also one without items is not, if what would hold them is damaged.
Result<bool> Salvage::is_readable(uint64_t sliver) {
  Scan request{.table = table_.name, .limit = 1};
  request.segment = static_cast<uint32_t>(sliver);
  request.segment_count = static_cast<uint32_t>(slivers_);
  const Result<Page> page = calls_.scan(request);
  if (page.ok()) return true;
  if (is_damage(page.error().code)) return false;
  return page.error();
}

// Looks further and further ahead, and then back: damage is rare, and small.
Result<uint64_t> Salvage::next_readable(uint64_t begin, uint64_t end) {
  uint64_t bad = begin - 1;
  uint64_t good = begin;
  for (uint64_t step = 1; good < end && !TRY(is_readable(good)); step *= 2) {
    bad = good;
    good = std::min(end, good + step);
  }
  while (bad + 1 < good) {
    const uint64_t middle = bad + (good - bad) / 2;
    (TRY(is_readable(middle)) ? good : bad) = middle;
  }
  return good;
}

}  // namespace sheaf::transfer
