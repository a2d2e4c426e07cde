#include "api/contributor_insights.h"

#include <algorithm>
#include <tuple>

#include "api/table_checks.h"
#include "base/try.h"
#include "engine/table_insights.h"
#include "engine/tables.h"

namespace sheaf::api {
namespace {

using engine::IndexSettings;
using engine::InsightsSettings;
using engine::TableSettings;

// As long as a rule's name may be.
constexpr size_t kRuleBytesMax = 128;

// PKC: partition keys that are accessed most; PKT: throttled most; SKC and SKT: of pairs with a sort key.
std::string rule_name(std::string_view kind, const ContributorInsights& of, int64_t enabled_us) {
  const std::string start = "DynamoDBContributorInsights-" + std::string(kind) + "-";
  const std::string end = "-" + std::to_string(enabled_us / 1000);
  std::string resource = of.table;
  if (!of.index.empty()) resource += "-" + of.index;
  resource.resize(std::min(resource.size(), kRuleBytesMax - start.size() - end.size()));
  return start + resource + end;
}

std::vector<std::string> rules_of(const ContributorInsights& of, int64_t enabled_us, const KeySchema& key) {
  std::vector<std::string> rules;
  const auto add = [&](std::string_view partition_rule, std::string_view sort_rule) {
    rules.push_back(rule_name(partition_rule, of, enabled_us));
    if (!key.sort.empty()) rules.push_back(rule_name(sort_rule, of, enabled_us));
  };
  if (of.mode == InsightsMode::kAccessedAndThrottledKeys) add("PKC", "SKC");
  add("PKT", "SKT");
  return rules;
}

ContributorInsights summary_of(const TableSettings& table, const IndexSettings* index) {
  const InsightsSettings& settings = index != nullptr ? index->insights : table.insights;
  return {.table = table.name,
          .index = index != nullptr ? index->name : "",
          .enabled = settings.enabled,
          .mode = settings.mode};
}

Result<ContributorInsights> describe(const TableSettings& table, const std::optional<std::string>& name) {
  const IndexSettings* const index = name ? TRY(engine::find_insights_index(table, *name)) : nullptr;
  const InsightsSettings& settings = index != nullptr ? index->insights : table.insights;
  ContributorInsights insights = summary_of(table, index);
  insights.changed_us = settings.changed_us;
  if (settings.enabled)
    insights.rules = rules_of(insights, settings.enabled_us, index != nullptr ? index->key : table.key);
  return insights;
}

Result<void> check_names(std::string_view table, const std::optional<std::string>& index) {
  TRY(check_table_name(table));
  return index ? check_insights_index(*index) : Result<void>();
}

// Those of one table that are on, in order.
std::vector<ContributorInsights> those_on(const TableSettings& table) {
  std::vector<ContributorInsights> insights;
  if (table.insights.enabled) insights.push_back(summary_of(table, nullptr));
  for (const IndexSettings& index : table.indexes) {
    if (index.insights.enabled) insights.push_back(summary_of(table, &index));
  }
  std::sort(insights.begin(), insights.end(), [](const auto& a, const auto& b) { return a.index < b.index; });
  return insights;
}

}  // namespace

Result<ContributorInsights> describe_contributor_insights(engine::Engine& engine,
                                                          const DescribeContributorInsights& request) {
  TRY(check_names(request.table, request.index));
  const engine::TableRef table = TRY(engine::current_table(engine, request.table));
  return describe(table->settings, request.index);
}

Result<InsightsUpdated> update_contributor_insights(engine::Engine& engine,
                                                    const UpdateContributorInsights& request) {
  TRY(check_names(request.table, request.index));
  const engine::InsightsUpdated updated = TRY(engine::update_insights(
      engine, request.table, {.index = request.index, .enabled = request.enabled, .mode = request.mode}));
  ContributorInsights now = TRY(describe(updated.table, request.index));
  return InsightsUpdated{.now = std::move(now), .changed = updated.changed};
}

Result<ListedInsights> list_contributor_insights(engine::Engine& engine, const ListInsights& request) {
  std::vector<std::string> names = {request.table};
  if (request.table.empty()) {
    names = TRY(engine.catalog.list("", UINT32_MAX)).names;
  } else {
    TRY(check_table_name(request.table));
  }
  ListedInsights listed;
  for (const std::string& name : names) {
    if (name < request.after_table) continue;
    const Result<engine::TableRef> table = engine::current_table(engine, name);
    const bool is_gone = !table.ok() && table.error().code == Code::kNotFound;
    if (is_gone && request.table.empty()) continue;
    for (ContributorInsights& insights : those_on(TRY(table)->settings)) {
      if (std::tie(insights.table, insights.index) <= std::tie(request.after_table, request.after_index))
        continue;
      listed.more = listed.insights.size() == request.count_max;
      if (listed.more) return listed;
      listed.insights.push_back(std::move(insights));
    }
  }
  return listed;
}

}  // namespace sheaf::api
