#include "cmd/top_look.h"

#include <algorithm>

#include "base/try.h"
#include "remote/http_get.h"

namespace sheaf::cmd {
namespace {

// Of so many tables and indexes, the busiest, keys are asked for.
constexpr size_t kPlacesAsked = 8;
// Growth is shown as soon as there is any to speak of; a forecast of days it is not.
constexpr watch::ForecastNeeds kTopNeeds{.points = 4, .seconds = 5};

bool is_throttling(const std::string& exception) {
  return exception == "ProvisionedThroughputExceededException" || exception == "ThrottlingException" ||
         exception == "RequestLimitExceeded";
}

}  // namespace

TopLook::TopLook(TopOptions options, const watch::KeyNames& names)
    : options_(std::move(options)), names_(names), watcher_({.needs = kTopNeeds}) {}

Result<TopSnapshot> TopLook::look() {
  const bool has_endpoint = !options_.endpoint.url.empty();
  TopSnapshot snapshot{.at_us = clock_.now_us(),
                       .endpoint = has_endpoint ? options_.endpoint.url : options_.admin_url};
  if (has_endpoint) TRY(add_heat(snapshot));
  if (!options_.admin_url.empty()) {
    const Result<void> added = add_metrics(snapshot);
    if (!added.ok() && !options_.admin_may_be_absent) return added.error();
  }
  arrange(snapshot, options_.rows_max);
  return snapshot;
}

Result<void> TopLook::add_heat(TopSnapshot& snapshot) {
  const HeatClient client(options_.endpoint);
  Result<std::vector<ToldHeat>> resources = client.ask_all(options_.seconds);
  if (!resources.ok() && resources.error().code == Code::kUnavailable)
    return Error{Code::kUnavailable,
                 resources.error().message + ": is a server running there? --endpoint URL says where it is"};
  if (!resources.ok()) return resources.error();
  snapshot.resources = std::move(*resources);
  std::vector<const ToldHeat*> busiest;
  for (const ToldHeat& told : snapshot.resources) {
    snapshot.seconds = std::max(snapshot.seconds, told.report.seconds);
    if (told.report.reads.requests_per_second + told.report.writes.requests_per_second +
            told.report.reads.throttled_per_second + told.report.writes.throttled_per_second >
        0)
      busiest.push_back(&told);
  }
  const auto units = [](const ToldHeat* told) {
    return told->report.reads.units_per_second + told->report.writes.units_per_second;
  };
  std::stable_sort(busiest.begin(), busiest.end(),
                   [&](const ToldHeat* a, const ToldHeat* b) { return units(a) > units(b); });
  if (busiest.size() > kPlacesAsked) busiest.resize(kPlacesAsked);
  for (const ToldHeat* const told : busiest) {
    const Result<ToldHeat> whole = client.ask(
        {.table = told->table, .index = told->index, .seconds = options_.seconds, .keys_max = kHotKeysMax});
    if (whole.ok()) add_keys(snapshot, *whole, names_);  // else it is gone meanwhile
  }
  add_growth(snapshot);
  return {};
}

void TopLook::add_growth(TopSnapshot& snapshot) {
  for (const TopCollection& each : snapshot.collections) {
    watcher_.note({.limit = watch::Limit::kCollectionItems,
                   .subject = {.table = each.table, .key = each.key},
                   .value = static_cast<double>(each.size.item_count)},
                  snapshot.at_us);
  }
  for (const watch::Growth& growth : watcher_.fastest(watch::Limit::kCollectionItems, watcher_.subjects())) {
    for (TopCollection& each : snapshot.collections) {
      if (each.table == growth.subject.table && each.key == growth.subject.key)
        each.forecast = growth.forecast;
    }
  }
}

Result<void> TopLook::add_metrics(TopSnapshot& snapshot) {
  Endpoint admin;
  admin.url = options_.admin_url;
  const remote::Reply reply = TRY(remote::http_get(admin, "/metrics"));
  if (reply.status != 200)
    return Error{Code::kInvalid, options_.admin_url + "/metrics has no metrics (status " +
                                     std::to_string(reply.status) + "): is it the admin port of a server?"};
  std::vector<Metric> page = read_metrics(reply.body);
  snapshot.is_since_start = page_.empty();
  snapshot.latencies = latencies(page_, page);
  if (options_.endpoint.url.empty() && !page_.empty())
    add_rates(snapshot, page, static_cast<double>(snapshot.at_us - page_us_) / 1e6);
  page_ = std::move(page);
  page_us_ = snapshot.at_us;
  return {};
}

// Without heat: units by table and index, and what was refused, from counters.
void TopLook::add_rates(TopSnapshot& snapshot, const std::vector<Metric>& page, double seconds) {
  snapshot.seconds = seconds;
  if (seconds <= 0) return;
  std::map<std::vector<std::string>, ToldHeat> places;
  for (const bool of_writes : {false, true}) {
    const char* const name = of_writes ? "sheaf_write_units_total" : "sheaf_read_units_total";
    // Those that are idle, too.
    for (const Metric& each : page) {
      if (each.name != name) continue;
      ToldHeat& told = places[{each.label("table"), each.label("index")}];
      told.table = each.label("table");
      told.index = each.label("index");
    }
    for (const auto& [labels, units] : growth_of(name, {"table", "index"}, page_, page)) {
      ToldHeat& told = places[labels];
      (of_writes ? told.report.writes : told.report.reads).units_per_second = units / seconds;
    }
  }
  for (auto& [labels, told] : places) snapshot.resources.push_back(std::move(told));
  double throttled = 0;
  for (const auto& [labels, count] : growth_of("sheaf_errors_total", {"exception"}, page_, page)) {
    if (is_throttling(labels[0])) throttled += count;
  }
  snapshot.trouble = "without --endpoint there are no keys";
  if (throttled > 0)
    snapshot.trouble += "; " + std::to_string(static_cast<int64_t>(throttled)) + " requests were throttled";
}

}  // namespace sheaf::cmd
