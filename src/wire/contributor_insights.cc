#include "wire/contributor_insights.h"

#include <algorithm>
#include <array>

#include "api/contributor_insights.h"
#include "api/table_checks.h"
#include "wire/json_object.h"

namespace sheaf::wire {
namespace {

constexpr int64_t kInsightsPerPageMax = 100;

constexpr std::array<std::string_view, 2> kActions = {"ENABLE", "DISABLE"};
constexpr std::array<std::string_view, 2> kModes = {"THROTTLED_KEYS", "ACCESSED_AND_THROTTLED_KEYS"};

constexpr Member kTable{
    "TableName", &kString, {.required = true, .alone = true, .min = 3, .max = 255, .table_name = true}};
constexpr Member kIndex{"IndexName", &kString};  // looked at by itself

enum UpdateMember : size_t { kUpdateTable, kUpdateIndex, kUpdateAction, kUpdateMode };
constexpr Member kUpdateMembers[] = {
    kTable,
    kIndex,
    {"ContributorInsightsAction", &kString, {.required = true, .values = kActions}},
    {"ContributorInsightsMode", &kString, {.values = kModes}}};

enum DescribeMember : size_t { kDescribeTable, kDescribeIndex };
constexpr Member kDescribeMembers[] = {kTable, kIndex};

enum ListMember : size_t { kListTable, kListToken, kListMax };
constexpr Member kListMembers[] = {
    {"TableName", &kString, {.alone = true, .min = 3, .max = 255, .table_name = true}},
    {"NextToken", &kString},
    {"MaxResults", &kInteger, {.max = kInsightsPerPageMax}}};

std::string_view status_name(bool enabled, bool in_transit) {
  if (in_transit) return enabled ? "ENABLING" : "DISABLING";
  return enabled ? "ENABLED" : "DISABLED";
}

void add_names(JsonObject& object, const ContributorInsights& insights) {
  object.text("TableName", insights.table);
  if (!insights.index.empty()) object.text("IndexName", insights.index);
}

// A token is where a page ended: "table", or "table/index".
std::string token_of(const ContributorInsights& last) {
  return last.index.empty() ? last.table : last.table + "/" + last.index;
}

Result<api::ListInsights> read_list(const Input& input) {
  api::ListInsights request{.table = input.has(kListTable) ? input.table(kListTable) : "",
                            .count_max = static_cast<uint32_t>(kInsightsPerPageMax)};
  // There is no least: what is none is the most.
  const int64_t count = input.fields().integer(kListMax);
  if (count > 0) request.count_max = static_cast<uint32_t>(count);
  if (!input.has(kListToken)) return request;
  const std::string_view token = input.fields().text(kListToken);
  const size_t slash = std::min(token.find('/'), token.size());
  request.after_table = token.substr(0, slash);
  if (slash < token.size()) request.after_index = token.substr(slash + 1);
  const bool is_of_table = request.table.empty() || request.table == request.after_table;
  const bool is_one = is_of_table && api::check_table_name(request.after_table).ok() &&
                      (slash == token.size() || api::check_insights_index(request.after_index).ok());
  if (!is_one) return Error{Code::kInvalid, "Invalid NextToken"};
  return request;
}

}  // namespace

constexpr Shape kUpdateContributorInsightsShape{
    .kind = Kind::kStructure, .class_name = "UpdateContributorInsightsInput", .members = kUpdateMembers};
constexpr Shape kDescribeContributorInsightsShape{
    .kind = Kind::kStructure, .class_name = "DescribeContributorInsightsInput", .members = kDescribeMembers};
constexpr Shape kListContributorInsightsShape{
    .kind = Kind::kStructure, .class_name = "ListContributorInsightsInput", .members = kListMembers};

std::string_view insights_mode_name(InsightsMode mode) {
  return mode == InsightsMode::kThrottledKeys ? "THROTTLED_KEYS" : "ACCESSED_AND_THROTTLED_KEYS";
}

void update_contributor_insights(Call call, const Input& input) {
  UpdateContributorInsights request{.table = input.table(kUpdateTable),
                                    .index = input.text(kUpdateIndex),
                                    .enabled = input.fields().text(kUpdateAction) == "ENABLE"};
  if (input.fields().text(kUpdateMode) == insights_mode_name(InsightsMode::kThrottledKeys))
    request.mode = InsightsMode::kThrottledKeys;
  const Result<api::InsightsUpdated> updated =
      api::update_contributor_insights(call.database.engine(), request);
  if (!updated.ok()) return call.done(error_answer(updated.error()));
  const ContributorInsights& now = updated->now;
  call.done(object_answer([&](JsonObject& object) {
    add_names(object, now);
    object.text("ContributorInsightsStatus", status_name(now.enabled, updated->changed));
    if (now.changed_us != 0) object.text("ContributorInsightsMode", insights_mode_name(now.mode));
  }));
}

void describe_contributor_insights(Call call, const Input& input) {
  const Result<ContributorInsights> insights = call.database.describe_contributor_insights(
      {.table = input.table(kDescribeTable), .index = input.text(kDescribeIndex)});
  if (!insights.ok()) return call.done(error_answer(insights.error()));
  call.done(object_answer([&](JsonObject& object) {
    add_names(object, *insights);
    if (insights->enabled) {
      std::string& out = object.member("ContributorInsightsRuleList");
      append_json_list(out, insights->rules, [&](const std::string& rule) { append_json_string(out, rule); });
    }
    object.text("ContributorInsightsStatus", status_name(insights->enabled, false));
    if (insights->changed_us == 0) return;
    object.time("LastUpdateDateTime", insights->changed_us);
    object.text("ContributorInsightsMode", insights_mode_name(insights->mode));
  }));
}

void list_contributor_insights(Call call, const Input& input) {
  const Result<api::ListInsights> request = read_list(input);
  if (!request.ok()) return call.done(error_answer(request.error()));
  const Result<api::ListedInsights> listed = api::list_contributor_insights(call.database.engine(), *request);
  if (!listed.ok()) return call.done(error_answer(listed.error()));
  call.done(object_answer([&](JsonObject& object) {
    std::string& out = object.member("ContributorInsightsSummaries");
    append_json_list(out, listed->insights, [&](const ContributorInsights& insights) {
      JsonObject summary(out);
      add_names(summary, insights);
      summary.text("ContributorInsightsStatus", status_name(insights.enabled, false));
      summary.text("ContributorInsightsMode", insights_mode_name(insights.mode));
    });
    if (listed->more) object.text("NextToken", token_of(listed->insights.back()));
  }));
}

}  // namespace sheaf::wire
