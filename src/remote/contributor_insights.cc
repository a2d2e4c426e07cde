#include "remote/contributor_insights.h"

#include <utility>

#include "wire/contributor_insights.h"
#include "wire/json_object.h"

namespace sheaf::remote {
namespace {

using wire::JsonObject;

void add_names(JsonObject& object, const std::string& table, const std::optional<std::string>& index) {
  object.text("TableName", table);
  if (index) object.text("IndexName", *index);
}

ContributorInsights read_summary(const Members& members) {
  const std::string status = members.text("ContributorInsightsStatus");
  const std::string mode = members.text("ContributorInsightsMode");
  ContributorInsights insights{.table = members.text("TableName"),
                               .index = members.text("IndexName"),
                               .enabled = status == "ENABLED" || status == "ENABLING"};
  if (mode == wire::insights_mode_name(InsightsMode::kThrottledKeys))
    insights.mode = InsightsMode::kThrottledKeys;
  return insights;
}

}  // namespace

std::string to_json(const UpdateContributorInsights& request) {
  std::string out;
  {
    JsonObject object(out);
    add_names(object, request.table, request.index);
    object.text("ContributorInsightsAction", request.enabled ? "ENABLE" : "DISABLE");
    // Some endpoints have only this one, and do not know that it has a name.
    const bool is_usual = request.mode == InsightsMode::kAccessedAndThrottledKeys;
    if (request.enabled && !is_usual)
      object.text("ContributorInsightsMode", wire::insights_mode_name(request.mode));
  }
  return out;
}

std::string to_json(const DescribeContributorInsights& request) {
  std::string out;
  {
    JsonObject object(out);
    add_names(object, request.table, request.index);
  }
  return out;
}

Result<ContributorInsights> read_insights(Json json) {
  AnswerReader reader("DescribeContributorInsights");
  const Members answer(reader, json);
  ContributorInsights insights = read_summary(answer);
  insights.changed_us = answer.time_us("LastUpdateDateTime");
  answer.list("ContributorInsightsRuleList", [&](Json rule) {
    std::string_view text;
    if (rule.get(text) != simdjson::SUCCESS) return reader.note("a rule's name is no text");
    insights.rules.emplace_back(text);
  });
  return reader.finish(std::move(insights));
}

Result<InsightsPage> read_insights_page(Json json) {
  AnswerReader reader("ListContributorInsights");
  const Members answer(reader, json);
  InsightsPage page;
  answer.objects("ContributorInsightsSummaries", [&](const Members& summary) {
    ContributorInsights insights = read_summary(summary);
    if (insights.enabled) page.insights.push_back(std::move(insights));
  });
  page.next_token = answer.text("NextToken");
  return reader.finish(std::move(page));
}

}  // namespace sheaf::remote
