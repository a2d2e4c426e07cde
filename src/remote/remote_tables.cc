// RemoteDatabase's operations on tables.
#include <algorithm>
#include <iterator>
#include <tuple>

#include "base/try.h"
#include "remote/contributor_insights.h"
#include "remote/remote_database.h"
#include "remote/table_requests.h"

namespace sheaf::remote {
namespace {

// How often to look whether a table is ready.
constexpr int64_t kFirstLookUs = 50'000;
constexpr int64_t kLookUsMax = 2'000'000;

std::string table_json(std::string_view table) { return object_json({{"TableName", table}}); }

bool changes_indexes(const TableDescription& table) {
  return std::any_of(table.indexes.begin(), table.indexes.end(),
                     [](const IndexDescription& index) { return index.status != IndexStatus::kActive; });
}

bool gives_half(const Throughput& throughput) {
  return (throughput.read_units == 0) != (throughput.write_units == 0);
}

// DynamoDB wants both kinds of units or none.
void fill_in(Throughput& throughput, const Throughput& now) {
  if (throughput.read_units == 0) throughput.read_units = now.read_units;
  if (throughput.write_units == 0) throughput.write_units = now.write_units;
}

}  // namespace

Result<DescribedTable> RemoteDatabase::describe(std::string_view table) {
  const Answer answer = TRY(client_.demand("DescribeTable", table_json(table), Doing::kReading));
  return read_table(answer.json(), "Table");
}

Result<void> RemoteDatabase::add_tags(const std::string& arn, TableDescription& table) {
  std::string token;
  do {
    const Answer answer = TRY(client_.call(
        "ListTagsOfResource", object_json({{"ResourceArn", arn}, {"NextToken", token}}), Doing::kReading));
    if (answer.exception()) return {};
    TagsPage page = TRY(read_tags(answer.json()));
    table.tags.merge(page.tags);
    token = std::move(page.next_token);
  } while (!token.empty());
  return {};
}

// Adds what DescribeTable does not tell. An exception means that the endpoint does not have it, or not for
// us.
Result<TableDescription> RemoteDatabase::describe_fully(DescribedTable described) {
  TableDescription& table = described.table;
  if (table.status == TableStatus::kDeleting) return table;
  const Answer ttl = TRY(client_.call("DescribeTimeToLive", table_json(table.name), Doing::kReading));
  if (!ttl.exception()) {
    const std::optional<std::string> attribute = TRY(read_time_to_live(ttl.json()));
    table.ttl_enabled = attribute.has_value();
    table.ttl_attribute = attribute.value_or("");
  }
  if (!described.arn.empty()) TRY(add_tags(described.arn, table));
  if (described.stream_arn.empty()) return table;
  const std::optional<std::vector<StreamPlace>> places = TRY(streams_.list(table.name));
  if (!places || places->empty()) return table;
  table.streams.clear();
  for (const StreamPlace& place : *places) table.streams.push_back(place.description);
  return table;
}

Result<TableDescription> RemoteDatabase::describe_table(std::string_view table) {
  return describe_fully(TRY(describe(table)));
}

// A table that was just made may not be known at once wherever it is asked for.
Result<TableDescription> RemoteDatabase::describe_when_ready(std::string_view table, Awaited awaited) {
  int64_t waited_us = 0;
  for (int64_t delay_us = kFirstLookUs;; delay_us = std::min(delay_us * 2, kLookUsMax)) {
    Result<DescribedTable> described = describe(table);
    const bool may_appear =
        awaited == Awaited::kTable && !described.ok() && described.error().code == Code::kNotFound;
    if (!described.ok() && !may_appear) return std::move(described).error();
    const bool is_ready =
        described.ok() &&
        (described->is_active || (awaited == Awaited::kSettings && changes_indexes(described->table)));
    if (is_ready) return describe_fully(std::move(*described));
    if (waited_us >= client_.options().table_wait_us) {
      return Error{Code::kInUse, "the endpoint is still at work on the table " + std::string(table)};
    }
    client_.sleep(delay_us);
    waited_us += delay_us;
  }
}

Result<TableDescription> RemoteDatabase::create_table(const CreateTable& request) {
  const Answer answer = TRY(client_.demand("CreateTable", to_json(request), Doing::kWritingOnce));
  TRY(read_table(answer.json(), "TableDescription"));
  return describe_when_ready(request.table, Awaited::kTable);
}

Result<UpdateTable> RemoteDatabase::with_all_units(const UpdateTable& request) {
  UpdateTable whole = request;
  const bool any_half = (whole.throughput && gives_half(*whole.throughput)) ||
                        std::any_of(whole.index_throughput.begin(), whole.index_throughput.end(),
                                    [](const auto& index) { return gives_half(index.second); });
  if (!any_half) return whole;
  const DescribedTable now = TRY(describe(request.table));
  if (whole.throughput && gives_half(*whole.throughput)) fill_in(*whole.throughput, now.table.throughput);
  for (const IndexDescription& index : now.table.indexes) {
    const auto changed = whole.index_throughput.find(index.name);
    if (changed != whole.index_throughput.end() && gives_half(changed->second))
      fill_in(changed->second, index.throughput);
  }
  return whole;
}

Result<TableDescription> RemoteDatabase::update_table(const UpdateTable& request) {
  const UpdateTable whole = TRY(with_all_units(request));
  const Answer answer = TRY(client_.demand("UpdateTable", to_json(whole), Doing::kWritingOnce));
  TRY(read_table(answer.json(), "TableDescription"));
  return describe_when_ready(request.table, Awaited::kSettings);
}

Result<TableDescription> RemoteDatabase::delete_table(std::string_view table) {
  const Answer answer = TRY(client_.demand("DeleteTable", table_json(table), Doing::kWritingOnce));
  return TRY(read_table(answer.json(), "TableDescription")).table;
}

Result<std::vector<std::string>> RemoteDatabase::list_tables() {
  std::vector<std::string> names;
  std::string last;
  do {
    const Answer answer =
        TRY(client_.demand("ListTables", object_json({{"ExclusiveStartTableName", last}}), Doing::kReading));
    NamesPage page = TRY(read_table_names(answer.json()));
    names.insert(names.end(), page.names.begin(), page.names.end());
    last = std::move(page.last);
  } while (!last.empty());
  std::sort(names.begin(), names.end());
  return names;
}

Result<void> RemoteDatabase::update_time_to_live(std::string_view table, const std::string& attribute,
                                                 bool enabled) {
  TRY(client_.demand("UpdateTimeToLive", time_to_live_json(table, attribute, enabled), Doing::kWritingOnce));
  return {};
}

Result<void> RemoteDatabase::tag_table(std::string_view table,
                                       const std::map<std::string, std::string>& tags) {
  const DescribedTable described = TRY(describe(table));
  TRY(client_.demand("TagResource", tag_json(described.arn, tags), Doing::kWriting));
  return {};
}

Result<void> RemoteDatabase::untag_table(std::string_view table, const std::vector<std::string>& keys) {
  const DescribedTable described = TRY(describe(table));
  TRY(client_.demand("UntagResource", untag_json(described.arn, keys), Doing::kWriting));
  return {};
}

Result<ContributorInsights> RemoteDatabase::update_contributor_insights(
    const UpdateContributorInsights& request) {
  TRY(client_.demand("UpdateContributorInsights", to_json(request), Doing::kWriting));
  return describe_contributor_insights({.table = request.table, .index = request.index});
}

Result<ContributorInsights> RemoteDatabase::describe_contributor_insights(
    const DescribeContributorInsights& request) {
  const Answer answer = TRY(client_.demand("DescribeContributorInsights", to_json(request), Doing::kReading));
  return read_insights(answer.json());
}

// A page may be empty, and others follow.
Result<std::vector<ContributorInsights>> RemoteDatabase::list_contributor_insights(std::string_view table) {
  std::vector<ContributorInsights> insights;
  std::string token;
  do {
    const Answer answer =
        TRY(client_.demand("ListContributorInsights",
                           object_json({{"TableName", table}, {"NextToken", token}}), Doing::kReading));
    InsightsPage page = TRY(read_insights_page(answer.json()));
    std::move(page.insights.begin(), page.insights.end(), std::back_inserter(insights));
    token = std::move(page.next_token);
  } while (!token.empty());
  std::sort(insights.begin(), insights.end(), [](const auto& a, const auto& b) {
    return std::tie(a.table, a.index) < std::tie(b.table, b.index);
  });
  return insights;
}

}  // namespace sheaf::remote
