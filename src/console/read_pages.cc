#include "console/read_pages.h"

#include <algorithm>
#include <mutex>
#include <thread>
#include <vector>

#include "base/try.h"

namespace sheaf::console {
namespace {

Result<Page> ask(Database& database, const Query& request) { return database.query(request); }
Result<Page> ask(Database& database, const Scan& request) { return database.scan(request); }

void add_to(Capacity& all, const Capacity& more) {
  all.table += more.table;
  for (const auto& [name, units] : more.indexes) all.indexes[name] += units;
}

// Adds what was counted, up to so many. Whether that is not all of it.
bool count_up_to(const std::optional<uint64_t>& items_max, uint64_t count, PagesRead& read) {
  const uint64_t wanted = items_max ? std::min(count, *items_max - read.items) : count;
  read.items += wanted;
  return wanted < count;
}

template <typename Request>
Result<PagesRead> follow(Database& database, Request request, const PagesUntil& until,
                         const OnItem& on_item) {
  const std::optional<uint64_t>& items_max = until.items_max;
  PagesRead read;
  const bool counts = request.select == Select::kCount;
  for (;;) {
    if (items_max && !request.filter)
      request.limit = static_cast<uint32_t>(std::min<uint64_t>(*items_max - read.items, UINT32_MAX));
    const Page page = TRY(ask(database, request));
    ++read.requests;
    read.scanned += page.scanned_count;
    add_to(read.capacity, page.capacity);
    bool has_rest = false;
    if (counts) has_rest = count_up_to(items_max, page.count, read);
    size_t used = 0;
    for (; used < page.items.size() && (!items_max || read.items < *items_max); ++used, ++read.items)
      on_item(page.items[used]);
    has_rest = has_rest || used < page.items.size();
    const bool is_enough = items_max && read.items >= *items_max;
    read.is_ended = page.last_key && until.is_ended && until.is_ended();
    if (has_rest || (is_enough && page.last_key) || read.is_ended) {
      read.is_cut = true;
      if (!has_rest) read.next_key = page.last_key;
      return read;
    }
    if (!page.last_key) return read;
    request.start_key = page.last_key;
  }
}

}  // namespace

Result<PagesRead> read_pages(Database& database, Query request, const PagesUntil& until,
                             const OnItem& on_item) {
  return follow(database, std::move(request), until, on_item);
}

Result<PagesRead> read_pages(Database& database, Scan request, const PagesUntil& until,
                             const OnItem& on_item) {
  return follow(database, std::move(request), until, on_item);
}

Result<PagesRead> read_segments(Database& database, const Scan& request, uint32_t segments,
                                const PagesUntil& until, const OnItem& on_item) {
  const std::optional<uint64_t>& items_max = until.items_max;
  std::mutex mutex;
  PagesRead all;
  std::optional<Error> error;
  const auto work = [&](uint32_t segment) {
    Scan part = request;
    part.segment = segment;
    part.segment_count = segments;
    const bool counts = part.select == Select::kCount;
    for (;;) {
      Result<Page> page = database.scan(part);
      std::lock_guard lock(mutex);
      if (!page.ok() && !error) error = page.error();
      if (error) return;
      ++all.requests;
      all.scanned += page->scanned_count;
      add_to(all.capacity, page->capacity);
      if (counts && count_up_to(items_max, page->count, all)) {
        all.is_cut = true;
        return;
      }
      for (size_t i = 0; i < page->items.size(); ++i, ++all.items) {
        if (items_max && all.items >= *items_max) {
          all.is_cut = true;
          return;
        }
        on_item(page->items[i]);
      }
      if (!page->last_key) return;
      if (until.is_ended && until.is_ended()) all.is_ended = true;
      if (all.is_ended || (items_max && all.items >= *items_max)) {
        all.is_cut = true;
        return;
      }
      part.start_key = page->last_key;
    }
  };
  std::vector<std::thread> threads;
  for (uint32_t segment = 0; segment < segments; ++segment) threads.emplace_back(work, segment);
  for (std::thread& thread : threads) thread.join();
  if (error) return *error;
  return all;
}

std::optional<Item> start_key_of(const TableDescription& table, const std::optional<std::string>& index,
                                 ItemView item) {
  Item key;
  const auto take = [&](const KeySchema& schema) {
    for (const auto* side : {&schema.partition, &schema.sort}) {
      for (const KeyAttribute& each : *side) {
        const std::optional<ValueView> value = item.find(each.name);
        if (!value) return false;
        key.set(each.name, *value);
      }
    }
    return true;
  };
  if (!take(table.key)) return std::nullopt;
  for (const IndexDescription& each : table.indexes)
    if (index && each.name == *index && !take(each.key)) return std::nullopt;
  return key;
}

}  // namespace sheaf::console
