#include "api/heat_report.h"

#include <algorithm>
#include <cmath>

#include "api/answers.h"
#include "base/try.h"
#include "engine/store_keys.h"
#include "traffic/heat.h"

namespace sheaf {

std::string_view name_of(HeatFinding::Kind kind) {
  switch (kind) {
    case HeatFinding::Kind::kThrottled:
      return "throttled";
    case HeatFinding::Kind::kHotKey:
      return "hot-key";
    case HeatFinding::Kind::kUneven:
      return "uneven";
    case HeatFinding::Kind::kFewKeys:
      break;
  }
  return "few-keys";
}

namespace api {
namespace {

using traffic::Kind;
using traffic::Tally;

constexpr double kMilli = 1000;

std::vector<HotKey> to_hot_keys(const std::vector<Tally>& tallies, const KeySchema& schema,
                                const AskHeat& request, double units, double seconds) {
  std::vector<HotKey> keys;
  for (const Tally& tally : tallies) {
    if (keys.size() == request.keys_max) break;
    Result<Item> key = engine::key_item(schema, tally.key);
    if (!key.ok()) continue;  // where a scan was refused
    keys.push_back({.key = std::move(*key),
                    .units_per_second = static_cast<double>(tally.units) / kMilli / seconds,
                    .times_per_second = static_cast<double>(tally.touches) / seconds,
                    .share = units == 0 ? 0 : static_cast<double>(tally.units) / units});
  }
  return keys;
}

std::vector<SampledKey> to_sample(const std::vector<traffic::SampledKey>& sampled, const KeySchema& schema) {
  std::vector<SampledKey> keys;
  double all = 0;
  for (const traffic::SampledKey& each : sampled) {
    Result<Item> key = engine::key_item(schema, each.key);
    if (!key.ok()) continue;
    keys.push_back({.key = std::move(*key), .share = static_cast<double>(each.units)});
    all += keys.back().share;
  }
  for (SampledKey& each : keys) each.share = all == 0 ? 0 : each.share / all;
  return keys;
}

struct Resource {
  engine::Id id;
  KeySchema partition;  // without the sort key
  KeySchema item;
};

// All rates are of the same `seconds`, which the first look tells (0 before it): the others come some
// milliseconds later.
HeatOf heat_of(const traffic::Heat& heat, const Resource& resource, bool of_writes, const AskHeat& request,
               double& seconds) {
  const traffic::Heat::Report report =
      heat.report(resource.id, of_writes ? Kind::kWrite : Kind::kRead, request.seconds);
  const traffic::Heat::Report throttled =
      heat.report(resource.id, of_writes ? Kind::kThrottledWrite : Kind::kThrottledRead, request.seconds);
  if (seconds == 0) seconds = report.seconds;
  const auto units = static_cast<double>(report.seen.units);
  HeatOf of{.units_per_second = units / kMilli / seconds,
            .requests_per_second = static_cast<double>(report.seen.requests) / seconds,
            .throttled_per_second = static_cast<double>(throttled.seen.requests) / seconds,
            .partition_keys = std::round(report.seen.partition_keys.count()),
            .partitions = to_hot_keys(report.seen.partitions, resource.partition, request, units, seconds),
            .items = to_hot_keys(report.seen.items, resource.item, request, units, seconds),
            .throttled_partitions = to_hot_keys(throttled.seen.partitions, resource.partition, request,
                                                static_cast<double>(throttled.seen.units), seconds),
            .sample = to_sample(report.seen.sample, resource.item)};
  for (size_t i = 0; i < of.quarters.size(); ++i)
    of.quarters[i] = static_cast<double>(report.seen.parts[i]) / kMilli / seconds;
  return of;
}

std::string rounded(double number) { return std::to_string(std::lround(number)); }

void find_in(const HeatOf& heat, bool of_writes, std::vector<HeatFinding>& findings) {
  const std::string what = of_writes ? "writes" : "reads";
  const auto found = [&](HeatFinding::Kind kind, std::string text) {
    findings.push_back({.kind = kind, .of_writes = of_writes, .text = std::move(text)});
  };
  if (heat.throttled_per_second > 0) found(HeatFinding::Kind::kThrottled, what + " were throttled");
  if (heat.partitions.empty()) return;
  const HotKey& hottest = heat.partitions.front();
  const auto ceiling = static_cast<double>(of_writes ? traffic::kRangeWriteUnits : traffic::kRangeReadUnits);
  if (hottest.units_per_second >= kHotShareOfCeiling * ceiling)
    found(HeatFinding::Kind::kHotKey, "one partition key has " + rounded(hottest.units_per_second) +
                                          " units a second of " + what + "; a partition can bear " +
                                          rounded(ceiling));
  if (heat.units_per_second < kNotableUnits) return;
  if (heat.partition_keys <= kFewKeys)
    found(HeatFinding::Kind::kFewKeys, "all " + what + " go to " + rounded(heat.partition_keys) +
                                           " partition key" + (heat.partition_keys == 1 ? "" : "s") +
                                           ": choose one with more values");
  else if (hottest.share >= kUnevenShare)
    found(HeatFinding::Kind::kUneven,
          "one partition key has " + rounded(100 * hottest.share) + " % of the " + what);
}

}  // namespace

Result<HeatReport> heat_report(engine::Engine& engine, const AskHeat& request) {
  if (engine.meter == nullptr || engine.meter->heat() == nullptr)
    return Error{Code::kInvalid, "Heat is not counted: the database was opened without it."};
  if (request.seconds < 1 || request.seconds > traffic::kWindowSecondsMax)
    return Error{Code::kInvalid, "Heat is known of the last 1 to 3,600 seconds"};
  if (request.keys_max < 1 || request.keys_max > kHotKeysMax)
    return Error{Code::kInvalid,
                 "1 to " + std::to_string(kHotKeysMax) + " of the hottest keys can be asked for"};
  const engine::TableRef table = TRY(engine.catalog.find(request.table));
  const engine::Index* index = nullptr;
  if (!request.index.empty()) {
    index = table->find_index(request.index);
    if (index == nullptr)
      return Error{Code::kNotFound, "There is no index " + request.index + " of table " + request.table};
  }
  const KeySchema& schema = engine::schema_of(*table, index);
  const Resource resource{.id = engine::id_of(*table, index),
                          .partition = {.partition = schema.partition, .sort = {}},
                          .item = schema};
  const traffic::Heat& heat = *engine.meter->heat();
  HeatReport report;
  report.reads = heat_of(heat, resource, false, request, report.seconds);
  report.writes = heat_of(heat, resource, true, request, report.seconds);
  if (engine.meter->throttle() != nullptr)
    report.partitions = static_cast<uint32_t>(engine.meter->throttle()->partitions(*table, index).size());
  if (report.seconds >= kFindingSecondsMin) {
    find_in(report.reads, false, report.findings);
    find_in(report.writes, true, report.findings);
  }
  return report;
}

}  // namespace api
}  // namespace sheaf
