#include "cmd/top_view.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "draw/shown_text.h"
#include "run/time_text.h"
#include "watch/forms.h"
#include "watch/text_table.h"
#include "wire/json_object.h"

namespace sheaf::cmd {
namespace {

using watch::TextRow;
using wire::JsonObject;

std::string shown(const std::string& text) { return draw::ShownText(text).utf8(); }

std::string figure(double value) {
  std::array<char, 32> text;
  const int length = std::snprintf(text.data(), text.size(), value >= 100 ? "%.0f" : "%.1f", value);
  return {text.data(), static_cast<size_t>(length)};
}

std::string percent(double share) { return figure(share * 100) + " %"; }

std::string place_of(const ToldHeat& told) {
  return told.index.empty() ? told.table : told.table + "/" + told.index;
}

double units_of(const ToldHeat& told) {
  return told.report.reads.units_per_second + told.report.writes.units_per_second;
}

// What the server says, or else what the models here say.
watch::KeyName name_of_key(const ToldHeat& told, const watch::KeyNames& names, const Item& key,
                           bool is_partition) {
  watch::KeyName name =
      is_partition ? names.partition(told.table, told.index, key) : names.item(told.table, told.index, key);
  if (!name.kind.empty()) return name;
  const auto found = told.names.find(key.to_json());
  return found == told.names.end() ? name : found->second;
}

TopKey top_key(const ToldHeat& told, const watch::KeyNames& names, const HotKey& hot, bool of_writes,
               bool is_partition) {
  watch::KeyName name = name_of_key(told, names, hot.key, is_partition);
  return {.place = place_of(told),
          .of_writes = of_writes,
          .is_partition = is_partition,
          .kind = std::move(name.kind),
          .name = std::move(name.text),
          .key = hot.key.to_json(),
          .units_per_second = hot.units_per_second,
          .times_per_second = hot.times_per_second,
          .share = hot.share};
}

// By what was picked at random: what is written once and never again is hot as a whole, and none of it is
// hot.
void add_kinds(TopSnapshot& snapshot, const ToldHeat& told, const watch::KeyNames& names, bool of_writes) {
  const HeatOf& heat = of_writes ? told.report.writes : told.report.reads;
  const std::string place = place_of(told);
  for (const SampledKey& sampled : heat.sample) {
    const std::string name = name_of_key(told, names, sampled.key, false).kind;
    auto kind = std::find_if(snapshot.kinds.begin(), snapshot.kinds.end(),
                             [&](const TopKind& each) { return each.place == place && each.kind == name; });
    if (kind == snapshot.kinds.end())
      kind = snapshot.kinds.insert(snapshot.kinds.end(), {.place = place, .kind = name});
    (of_writes ? kind->write_units : kind->read_units) += sampled.share * heat.units_per_second;
  }
}

template <typename Each, typename Less>
void keep_first(std::vector<Each>& list, size_t rows_max, Less less) {
  std::stable_sort(list.begin(), list.end(), less);
  if (list.size() > rows_max) list.resize(rows_max);
}

std::string resources_text(const TopSnapshot& snapshot) {
  std::vector<TextRow> rows = {
      {"table or index", "reads/s", "units/s", "writes/s", "units/s", "throttled/s", "findings"}};
  for (const ToldHeat& told : snapshot.resources) {
    const HeatReport& report = told.report;
    std::string findings;
    for (const HeatFinding& finding : report.findings) {
      findings += (findings.empty() ? "" : ", ") + std::string(name_of(finding.kind)) +
                  (finding.of_writes ? " (writes)" : " (reads)");
    }
    rows.push_back({shown(place_of(told)), figure(report.reads.requests_per_second),
                    figure(report.reads.units_per_second), figure(report.writes.requests_per_second),
                    figure(report.writes.units_per_second),
                    figure(report.reads.throttled_per_second + report.writes.throttled_per_second),
                    findings});
  }
  return watch::text_table(rows, {1, 2, 3, 4, 5});
}

std::string keys_text(const std::vector<TopKey>& keys) {
  std::vector<TextRow> rows = {{"key", "of", "", "units/s", "times/s", "share"}};
  for (const TopKey& key : keys)
    rows.push_back({shown(key.name), shown(key.place),
                    std::string(key.of_writes ? "writes" : "reads") + (key.is_partition ? ", partition" : ""),
                    figure(key.units_per_second), figure(key.times_per_second), percent(key.share)});
  return watch::text_table(rows, {3, 4, 5});
}

std::string kinds_text(const std::vector<TopKind>& kinds) {
  std::vector<TextRow> rows = {{"entity or relation", "of", "read units/s", "write units/s"}};
  for (const TopKind& kind : kinds)
    rows.push_back({kind.kind.empty() ? "(no model)" : shown(kind.kind), shown(kind.place),
                    figure(kind.read_units), figure(kind.write_units)});
  return watch::text_table(rows, {2, 3});
}

std::string collections_text(const std::vector<TopCollection>& collections) {
  std::vector<TextRow> rows = {{"collection", "of", "items", "bytes", "items/minute", "forecast"}};
  for (const TopCollection& each : collections)
    rows.push_back(
        {shown(each.name), shown(each.table),
         watch::amount_text(watch::Limit::kCollectionItems, static_cast<double>(each.size.item_count)),
         watch::amount_text(watch::Limit::kCollectionBytes, static_cast<double>(each.size.size_bytes)),
         figure(each.forecast.per_second * 60), watch::forecast_text(each.forecast)});
  return watch::text_table(rows, {2, 3, 4});
}

std::string latencies_text(const std::vector<OperationLatency>& latencies) {
  std::vector<TextRow> rows = {{"operation", "requests", "p50", "p99"}};
  for (const OperationLatency& each : latencies)
    rows.push_back({each.operation, std::to_string(static_cast<int64_t>(each.requests)),
                    latency_text(each.half), latency_text(each.ninety_nine)});
  return watch::text_table(rows, {1, 2, 3});
}

void add_figure(JsonObject& object, std::string_view name, double value) {
  std::array<char, 32> text;
  const int length = std::snprintf(text.data(), text.size(), "%.6g", value);
  object.member(name).append(text.data(), static_cast<size_t>(length));
}

void append_keys(std::string& out, const std::vector<TopKey>& keys) {
  wire::append_json_list(out, keys, [&](const TopKey& key) {
    JsonObject object(out);
    object.text("of", key.place);
    object.text("access", key.of_writes ? "writes" : "reads");
    object.flag("partition", key.is_partition);
    object.text("kind", key.kind);
    object.text("name", key.name);
    object.member("key") += key.key;
    add_figure(object, "units_per_second", key.units_per_second);
    add_figure(object, "times_per_second", key.times_per_second);
    add_figure(object, "share", key.share);
  });
}

void append_direction(std::string& out, const HeatOf& heat) {
  JsonObject object(out);
  add_figure(object, "requests_per_second", heat.requests_per_second);
  add_figure(object, "units_per_second", heat.units_per_second);
  add_figure(object, "throttled_per_second", heat.throttled_per_second);
}

std::string time_of(const TopSnapshot& snapshot) {
  using std::chrono::system_clock;
  return run::time_text(system_clock::time_point(
      std::chrono::duration_cast<system_clock::duration>(std::chrono::microseconds(snapshot.at_us))));
}

}  // namespace

void add_keys(TopSnapshot& snapshot, const ToldHeat& told, const watch::KeyNames& names) {
  for (const bool of_writes : {false, true}) {
    const HeatOf& heat = of_writes ? told.report.writes : told.report.reads;
    for (const HotKey& hot : heat.partitions)
      snapshot.keys.push_back(top_key(told, names, hot, of_writes, true));
    for (const HotKey& hot : heat.items) snapshot.keys.push_back(top_key(told, names, hot, of_writes, false));
    add_kinds(snapshot, told, names, of_writes);
    for (const HotKey& hot : heat.throttled_partitions)
      snapshot.throttled.push_back(top_key(told, names, hot, of_writes, true));
  }
  // Each once, whether it is read or written or both. What is asked for and not there is none.
  watch::SizesByKey sizes = told.collections;
  for (const HeatOf* const heat : {&told.report.writes, &told.report.reads}) {
    for (const HotKey& hot : heat->partitions) {
      const auto size = sizes.extract(hot.key.to_json());
      if (!size || (heat == &told.report.reads && size.mapped().item_count == 0)) continue;
      snapshot.collections.push_back({.table = told.table,
                                      .name = name_of_key(told, names, hot.key, true).text,
                                      .key = size.key(),
                                      .size = size.mapped()});
    }
  }
}

void arrange(TopSnapshot& snapshot, size_t rows_max) {
  keep_first(snapshot.resources, rows_max,
             [](const ToldHeat& a, const ToldHeat& b) { return units_of(a) > units_of(b); });
  keep_first(snapshot.keys, rows_max,
             [](const TopKey& a, const TopKey& b) { return a.units_per_second > b.units_per_second; });
  keep_first(snapshot.throttled, rows_max,
             [](const TopKey& a, const TopKey& b) { return a.times_per_second > b.times_per_second; });
  keep_first(snapshot.kinds, rows_max, [](const TopKind& a, const TopKind& b) {
    return a.read_units + a.write_units > b.read_units + b.write_units;
  });
  keep_first(snapshot.collections, rows_max, [](const TopCollection& a, const TopCollection& b) {
    return std::pair(a.forecast.per_second, a.size.item_count) >
           std::pair(b.forecast.per_second, b.size.item_count);
  });
  if (snapshot.latencies.size() > rows_max) snapshot.latencies.resize(rows_max);
}

std::string top_heading(const TopSnapshot& snapshot) {
  return "sheaf top  " + shown(snapshot.endpoint) + "  " + time_of(snapshot) + "  rates of the last " +
         watch::duration_text(std::round(snapshot.seconds));
}

std::vector<TopSection> top_sections(const TopSnapshot& snapshot) {
  std::vector<TopSection> sections;
  sections.push_back({.title = "TABLES AND INDEXES",
                      .table = snapshot.resources.empty() ? "none\n" : resources_text(snapshot),
                      .rank = 1});
  const auto add = [&](std::string title, std::string table, int rank) {
    sections.push_back({.title = std::move(title), .table = std::move(table), .rank = rank});
  };
  if (!snapshot.kinds.empty()) add("ENTITIES AND RELATIONS, about", kinds_text(snapshot.kinds), 4);
  if (!snapshot.keys.empty()) add("HOTTEST KEYS", keys_text(snapshot.keys), 0);
  if (!snapshot.throttled.empty()) add("THROTTLED", keys_text(snapshot.throttled), 2);
  if (!snapshot.collections.empty())
    add("COLLECTIONS that are read or written", collections_text(snapshot.collections), 3);
  if (!snapshot.latencies.empty()) {
    add(snapshot.is_since_start ? "LATENCIES since the server began" : "LATENCIES of the last moments",
        latencies_text(snapshot.latencies), 5);
  }
  return sections;
}

std::string top_text(const TopSnapshot& snapshot) {
  std::string out = top_heading(snapshot) + "\n";
  if (!snapshot.trouble.empty()) out += shown(snapshot.trouble) + "\n";
  for (const TopSection& section : top_sections(snapshot)) out += "\n" + section.title + "\n" + section.table;
  return out;
}

std::string top_json(const TopSnapshot& snapshot) {
  std::string out;
  {
    JsonObject object(out);
    object.text("at", time_of(snapshot));
    object.text("endpoint", snapshot.endpoint);
    add_figure(object, "seconds", snapshot.seconds);
    if (!snapshot.trouble.empty()) object.text("trouble", snapshot.trouble);
    wire::append_json_list(object.member("resources"), snapshot.resources, [&](const ToldHeat& told) {
      JsonObject each(out);
      each.text("table", told.table);
      if (!told.index.empty()) each.text("index", told.index);
      append_direction(each.member("reads"), told.report.reads);
      append_direction(each.member("writes"), told.report.writes);
      wire::append_json_list(each.member("findings"), told.report.findings, [&](const HeatFinding& finding) {
        JsonObject one(out);
        one.text("kind", name_of(finding.kind));
        one.text("of", finding.of_writes ? "writes" : "reads");
      });
    });
    wire::append_json_list(object.member("kinds"), snapshot.kinds, [&](const TopKind& kind) {
      JsonObject each(out);
      each.text("of", kind.place);
      each.text("kind", kind.kind);
      add_figure(each, "read_units_per_second", kind.read_units);
      add_figure(each, "write_units_per_second", kind.write_units);
    });
    append_keys(object.member("keys"), snapshot.keys);
    append_keys(object.member("throttled"), snapshot.throttled);
    wire::append_json_list(object.member("collections"), snapshot.collections, [&](const TopCollection& of) {
      JsonObject each(out);
      each.text("table", of.table);
      each.text("name", of.name);
      each.member("key") += of.key;
      each.integer("items", of.size.item_count);
      each.integer("bytes", of.size.size_bytes);
      add_figure(each, "items_per_minute", of.forecast.per_second * 60);
    });
    wire::append_json_list(object.member("latencies"), snapshot.latencies, [&](const OperationLatency& of) {
      JsonObject each(out);
      each.text("operation", of.operation);
      add_figure(each, "requests", of.requests);
      if (of.half) add_figure(each, "p50_seconds", *of.half);
      if (of.ninety_nine) add_figure(each, "p99_seconds", *of.ninety_nine);
    });
  }
  return out;
}

}  // namespace sheaf::cmd
