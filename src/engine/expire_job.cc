// Time to live: deletes items whose time has come, as DynamoDB's own service would.
#include "base/big_endian.h"
#include "base/try.h"
#include "engine/jobs.h"
#include "engine/store_keys.h"
#include "engine/write_items.h"
#include "expr/condition.h"
#include "value/key_codec.h"

namespace sheaf::engine {
namespace {

constexpr int64_t kPeriodUs = 1'000'000;
constexpr uint32_t kItemsPerStepMax = 256;
// DynamoDB leaves items alone whose time lies further back: more likely a mistake than an expiry.
constexpr int64_t kPastMaxS = int64_t{5} * 365 * 24 * 3600;

// Still there, and still due: a number from the first time up to but not including the second.
expr::Condition still_expired(const std::string& attribute, int64_t from_s, int64_t now_s) {
  expr::ConditionBuilder builder;
  const auto expires = builder.path(expr::Path(attribute));
  const auto low = builder.literal(Value(from_s));
  const auto high = builder.literal(Value(now_s));
  const auto due = builder.compare(expr::Comparator::kLess, expires, high);
  const auto recent = builder.compare(expr::Comparator::kGreaterEqual, expires, low);
  const auto both = builder.all_of(std::array{recent, due});
  return std::move(builder).build(both);
}

// The item's key, out of the expiry entry's.
Result<Item> decode_primary_key(const Table& table, std::string_view components) {
  Item key;
  for (const auto* attributes : {&table.settings.key.partition, &table.settings.key.sort}) {
    for (const KeyAttribute& attribute : *attributes) {
      key.set(attribute.name, TRY(take_key_component(components, attribute.type)));
    }
  }
  return key;
}

}  // namespace

Result<Step> expire_items(Engine& engine, Job& job) {
  const Result<TableRef> found = engine.catalog.find(job.table);
  if (!found.ok() && found.error().code == Code::kNotFound) return Step::kFinished;
  const TableRef table = TRY(found);
  const TtlSettings& ttl = table->settings.ttl;
  if (!ttl.enabled || ttl.id != job.id) return Step::kFinished;

  const int64_t now_s = engine.clock.now_us() / 1'000'000;
  const std::string prefix = space_key(store::Space::kExpiry, ttl.id);
  store::Range due{.begin = prefix, .end = prefix};
  append_u64(due.begin, static_cast<uint64_t>(std::max<int64_t>(0, now_s - kPastMaxS)));
  append_u64(due.end, static_cast<uint64_t>(now_s));
  std::vector<std::string> entries;
  std::vector<store::Read> reads;
  {
    const std::unique_ptr<store::View> view = engine.store.view({});
    TRY(view->scan(due, {.rows_max = kItemsPerStepMax}, [&](std::string_view key, std::string_view) {
      entries.emplace_back(key);
      return true;
    }));
    reads = TRY(view->read_many(entries));
  }

  for (size_t i = 0; i < entries.size(); ++i) {
    const std::string& entry = entries[i];
    Item key =
        TRY(decode_primary_key(*table, std::string_view(entry).substr(prefix.size() + sizeof(uint64_t))));
    ItemWrite write = TRY(ItemWrite::of_key(ItemWrite::Kind::kDelete, table, std::move(key)));
    write.condition = still_expired(ttl.attribute, std::max<int64_t>(0, now_s - kPastMaxS), now_s);
    write.cause = ChangeCause::kExpiry;
    WriteRequest request;
    request.writes.push_back(std::move(write));
    const WriteAnswer answer = TRY(write_items(engine, std::move(request)));
    if (answer.applied && answer.items.front().before) {
      ++job.items_done;
      continue;
    }
    // The item is gone or lives longer, and its writer has moved the entry; one that is still here, and was
    // not written anew meanwhile, stands for nothing.
    store::Batch stale;
    stale.guard(entry, reads[i].version);
    stale.erase(entry);
    commit(engine.store, std::move(stale));
  }
  job.due_us = entries.size() < kItemsPerStepMax ? engine.clock.now_us() + kPeriodUs : 0;
  return job.due_us == 0 ? Step::kMore : Step::kWait;
}

}  // namespace sheaf::engine
