// For tests: an engine over a store in memory, with a clock that stands still until it is moved, and short
// words for what tests do with it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "engine/engine.h"
#include "engine/jobs.h"
#include "engine/read_items.h"
#include "engine/streams.h"
#include "engine/tables.h"
#include "engine/write_items.h"
#include "expr/test_request.h"
#include "store/memory_store.h"

namespace sheaf::engine {

inline constexpr int64_t kSecondUs = 1'000'000;
inline constexpr int64_t kMinuteUs = 60 * kSecondUs;
inline constexpr int64_t kHourUs = 60 * kMinuteUs;
inline constexpr int64_t kTestStartUs = int64_t{1'800'000'000} * kSecondUs;  // January 2027

using Values = expr::TestRequest::Values;
using expr::outcome_of;

inline KeyAttribute text_key(std::string name) { return {.name = std::move(name), .type = Type::kString}; }
inline KeyAttribute number_key(std::string name) { return {.name = std::move(name), .type = Type::kNumber}; }
inline KeyAttribute binary_key(std::string name) { return {.name = std::move(name), .type = Type::kBinary}; }

inline TableSettings table_settings(std::string name, KeySchema key) {
  TableSettings settings;
  settings.name = std::move(name);
  settings.key = std::move(key);
  return settings;
}

// A table whose key is PK and SK, both strings.
inline TableSettings collection_table(std::string name) {
  return table_settings(std::move(name), {.partition = {text_key("PK")}, .sort = {text_key("SK")}});
}

inline IndexSettings global_index(std::string name, KeySchema key,
                                  ProjectionKind projection = ProjectionKind::kAll,
                                  std::vector<std::string> included = {}) {
  IndexSettings index;
  index.name = std::move(name);
  index.key = std::move(key);
  index.projection = projection;
  index.included = std::move(included);
  return index;
}

// An index of a collection_table, by PK and another attribute.
inline IndexSettings local_index(std::string name, KeyAttribute sort,
                                 ProjectionKind projection = ProjectionKind::kAll,
                                 std::vector<std::string> included = {}) {
  IndexSettings index =
      global_index(std::move(name), {.partition = {text_key("PK")}, .sort = {std::move(sort)}}, projection,
                   std::move(included));
  index.local = true;
  return index;
}

inline expr::Condition condition_of(std::string_view text, Values values = {}) {
  expr::TestRequest request(values);
  Result<expr::Condition> condition = expr::Condition::parse(text, request);
  EXPECT_TRUE(condition.ok()) << outcome_of(condition);
  return std::move(*condition);
}

inline expr::Update update_of(std::string_view text, Values values = {}) {
  expr::TestRequest request(values);
  Result<expr::Update> update = expr::Update::parse(text, request);
  EXPECT_TRUE(update.ok()) << outcome_of(update);
  return std::move(*update);
}

// The four kinds of writes. Their keys must be right.
inline ItemWrite put_write(TableRef table, Item item,
                           std::optional<expr::Condition> condition = std::nullopt) {
  Result<ItemWrite> write = ItemWrite::put(std::move(table), std::move(item));
  EXPECT_TRUE(write.ok()) << outcome_of(write);
  write->condition = std::move(condition);
  return std::move(*write);
}

inline ItemWrite key_write(ItemWrite::Kind kind, TableRef table, Item key,
                           std::optional<expr::Condition> condition) {
  Result<ItemWrite> write = ItemWrite::of_key(kind, std::move(table), std::move(key));
  EXPECT_TRUE(write.ok()) << outcome_of(write);
  write->condition = std::move(condition);
  return std::move(*write);
}

inline ItemWrite update_write(TableRef table, Item key, std::optional<expr::Update> update,
                              std::optional<expr::Condition> condition = std::nullopt) {
  ItemWrite write =
      key_write(ItemWrite::Kind::kUpdate, std::move(table), std::move(key), std::move(condition));
  write.update = std::move(update);
  return write;
}

inline ItemWrite delete_write(TableRef table, Item key,
                              std::optional<expr::Condition> condition = std::nullopt) {
  return key_write(ItemWrite::Kind::kDelete, std::move(table), std::move(key), std::move(condition));
}

inline ItemWrite check_write(TableRef table, Item key, expr::Condition condition) {
  return key_write(ItemWrite::Kind::kCheck, std::move(table), std::move(key), std::move(condition));
}

inline Result<WriteAnswer> write_one(Engine& engine, ItemWrite write) {
  WriteRequest request;
  request.writes.push_back(std::move(write));
  return write_items(engine, std::move(request));
}

template <typename... Writes>
WriteRequest transaction_of(Writes... writes) {
  WriteRequest request{.transaction = true};
  (request.writes.push_back(std::move(writes)), ...);
  return request;
}

using Rows = std::map<std::string, std::string>;

// All rows whose keys begin with `prefix`.
inline Rows rows_under(store::Store& store, const std::string& prefix) {
  Rows rows;
  store::Range range{.begin = prefix, .end = std::string(1, static_cast<char>(prefix.front() + 1))};
  for (bool more = true; more;) {
    const Result<store::ScanEnd> end =
        store.view({})->scan(range, {}, [&](std::string_view key, std::string_view value) {
          if (!key.starts_with(prefix)) return false;
          rows.emplace(key, value);
          return true;
        });
    EXPECT_TRUE(end.ok()) << outcome_of(end);
    more = end.ok() && end->more && end->resume.starts_with(prefix);
    if (more) range.begin = end->resume;
  }
  return rows;
}

inline Rows rows_of(store::Store& store, store::Space space) {
  return rows_under(store, std::string(1, static_cast<char>(space)));
}

class EngineTest : public testing::Test {
 protected:
  EngineTest() { restart(); }

  Engine& engine() { return *engine_; }
  store::Store& store() { return *store_; }
  ManualClock& clock() { return clock_; }

  // What a process finds that opens the same store anew, perhaps with other options.
  void restart(EngineOptions options = {}) {
    engine_.reset();
    engine_.emplace(*store_, clock_, std::move(options));
  }

  TableRef create(TableSettings settings) {
    Result<TableRef> table = create_table(engine(), std::move(settings));
    EXPECT_TRUE(table.ok()) << outcome_of(table);
    return std::move(*table);
  }

  TableRef table(std::string_view name) {
    Result<TableRef> found = engine().catalog.find(name);
    EXPECT_TRUE(found.ok()) << outcome_of(found);
    return std::move(*found);
  }

  // Writes that must succeed, with what they answer.
  ItemWritten write(ItemWrite write) {
    Result<WriteAnswer> answer = write_one(engine(), std::move(write));
    EXPECT_TRUE(answer.ok()) << outcome_of(answer);
    if (!answer.ok()) return {};
    EXPECT_TRUE(answer->applied);
    return std::move(answer->items.front());
  }
  ItemWritten put(std::string_view name, Item item) { return write(put_write(table(name), std::move(item))); }
  ItemWritten remove(std::string_view name, Item key) {
    return write(delete_write(table(name), std::move(key)));
  }
  ItemWritten update(std::string_view name, Item key, std::string_view text, Values values = {}) {
    return write(update_write(table(name), std::move(key), update_of(text, values)));
  }

  std::optional<Item> get(std::string_view name, Item key) {
    Result<ItemRead> read = ItemRead::of_key(table(name), key);
    EXPECT_TRUE(read.ok()) << outcome_of(read);
    Result<std::optional<StoredItem>> found = read_item(engine(), *read, ReadMode::kStrong, {});
    EXPECT_TRUE(found.ok()) << outcome_of(found);
    if (!*found) return std::nullopt;
    return Item((*found)->item());
  }

  // What the newest stream of a table holds, of all shards, in the order of the commits.
  std::vector<ChangeEvent> events(std::string_view name) {
    const TableRef read_table = table(name);
    std::vector<ChangeEvent> events;
    const StreamSettings& stream = read_table->settings.streams.back();
    for (uint8_t shard = 0; shard < stream.shard_count(); ++shard) {
      Result<StreamRead> read = read_stream(engine(), stream, shard, kOldestRecord, kStreamRecordsMax);
      EXPECT_TRUE(read.ok()) << outcome_of(read);
      for (ChangeEvent& event : read->events) events.push_back(std::move(event));
    }
    std::sort(events.begin(), events.end(),
              [](const ChangeEvent& a, const ChangeEvent& b) { return a.sequence < b.sequence; });
    return events;
  }

  // Rounds of background work until nothing more can be done now.
  void run_all_jobs(std::string_view owner = "test") {
    for (int round = 0; round < 10'000; ++round) {
      const Result<bool> more = run_jobs(engine(), owner);
      ASSERT_TRUE(more.ok()) << outcome_of(more);
      if (!*more) return;
    }
    FAIL() << "background work does not end";
  }

 private:
  ManualClock clock_{kTestStartUs};
  std::unique_ptr<store::Store> store_ = store::open_memory_store(clock_);
  std::optional<Engine> engine_;
};

}  // namespace sheaf::engine
