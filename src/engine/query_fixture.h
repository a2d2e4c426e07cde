// For tests: queries and scans in one line.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/engine_fixture.h"
#include "engine/query_page.h"
#include "engine/query_plan.h"

namespace sheaf::engine {

inline expr::KeyCondition key_condition_of(const Table& table, const Index* index, std::string_view text,
                                           Values values) {
  expr::TestRequest request(values);
  Result<std::vector<expr::KeyClause>> clauses = expr::parse_key_condition(text, request);
  EXPECT_TRUE(clauses.ok()) << outcome_of(clauses);
  const KeySchema& key = index == nullptr ? table.settings.key : index->settings->key;
  std::vector<expr::KeyAttribute> partition, sort;
  for (const KeyAttribute& each : key.partition) partition.push_back({.name = each.name, .type = each.type});
  for (const KeyAttribute& each : key.sort) sort.push_back({.name = each.name, .type = each.type});
  Result<expr::KeyCondition> condition =
      expr::bind_key_condition(std::move(*clauses), {.partition = partition, .sort = sort});
  EXPECT_TRUE(condition.ok()) << outcome_of(condition);
  return std::move(*condition);
}

class QueryTest : public EngineTest {
 protected:
  struct Asked {
    std::string table = "t";
    std::string index;  // empty: the table
    bool descending = false;
    std::optional<Item> start;
    uint32_t limit = 0;
    const expr::Condition* filter = nullptr;
    bool fetch = false;
    ReadMode mode = ReadMode::kEventual;
  };
  struct ReadPage {
    std::vector<Item> items;
    PageEnd end;
  };

  const Index* index_of(const Table& in, const std::string& name) {
    return name.empty() ? nullptr : in.find_index(name);
  }

  Result<KeyRange> plan(std::string_view text, Values values, const Asked& asked) {
    const TableRef found = table(asked.table);
    const Index* index = index_of(*found, asked.index);
    const expr::KeyCondition condition = key_condition_of(*found, index, text, values);
    QueryKeys keys{.condition = condition, .descending = asked.descending};
    if (asked.start) keys.start_after = *asked.start;
    return plan_query(found, index, keys);
  }

  ReadPage read(KeyRange keys, const Asked& asked) {
    ReadPage page;
    Result<PageEnd> end = read_page(engine(),
                                    {.keys = std::move(keys),
                                     .filter = asked.filter,
                                     .limit = asked.limit,
                                     .fetch_items = asked.fetch,
                                     .mode = asked.mode},
                                    {}, [&](ItemView item) { page.items.emplace_back(item); });
    EXPECT_TRUE(end.ok()) << outcome_of(end);
    page.end = std::move(*end);
    EXPECT_EQ(page.end.count, page.items.size());
    return page;
  }

  ReadPage query(std::string_view text, Values values, const Asked& asked) {
    Result<KeyRange> keys = plan(text, values, asked);
    EXPECT_TRUE(keys.ok()) << outcome_of(keys);
    return read(std::move(*keys), asked);
  }

  ReadPage scan(const Asked& asked, uint32_t segment = 0, uint32_t segment_count = 1) {
    const TableRef found = table(asked.table);
    ScanKeys keys{.segment = segment, .segment_count = segment_count};
    if (asked.start) keys.start_after = *asked.start;
    Result<KeyRange> range = plan_scan(found, index_of(*found, asked.index), keys);
    EXPECT_TRUE(range.ok()) << outcome_of(range);
    return read(std::move(*range), asked);
  }

  // One attribute of each item, as text, with commas between.
  static std::string column(const std::vector<Item>& items, std::string_view name) {
    std::string joined;
    for (const Item& item : items) {
      const ValueView value = *item.find(name);
      joined += joined.empty() ? "" : ",";
      joined += value.type() == Type::kNumber ? value.number().to_string() : std::string(value.bytes());
    }
    return joined;
  }
};

}  // namespace sheaf::engine
