#include "wire/consumed.h"

#include <charconv>
#include <cmath>

#include "value/value_json.h"

namespace sheaf::wire {
namespace {

constexpr double kGigabyte = 1024.0 * 1024 * 1024;

void append_split(std::string& out, double units, Units split) {
  out += "\"CapacityUnits\":";
  append_units(out, units);
  if (split == Units::kUnsplit) return;
  out += split == Units::kRead ? ",\"ReadCapacityUnits\":" : ",\"WriteCapacityUnits\":";
  append_units(out, units);
}

// ,"GlobalSecondaryIndexes":{"name":{"CapacityUnits":1},...}
void append_indexes(std::string& out, std::string_view member, const Capacity& capacity,
                    const engine::TableSettings& table, bool local, Units split) {
  bool any = false;
  for (const auto& [name, units] : capacity.indexes) {
    const engine::IndexSettings* const index = table.find_index(name);
    if (index == nullptr || index->local != local) continue;
    if (any) {
      out += ',';
    } else {
      out += ",\"";
      out += member;
      out += "\":{";
    }
    any = true;
    append_json_string(out, name);
    out += ":{";
    append_split(out, units, split);
    out += '}';
  }
  if (any) out += '}';
}

void append_object(std::string& out, ReturnCapacity wanted, engine::Engine& engine, const std::string& table,
                   const Capacity& capacity, Units split) {
  out += "{\"TableName\":";
  append_json_string(out, table);
  out += ',';
  append_split(out, capacity.total(), split);
  if (wanted == ReturnCapacity::kIndexes) {
    out += ",\"Table\":{";
    append_split(out, capacity.table, split);
    out += '}';
    const Result<engine::TableRef> found = engine.catalog.find(table);
    if (found.ok()) {
      append_indexes(out, "LocalSecondaryIndexes", capacity, (*found)->settings, true, split);
      append_indexes(out, "GlobalSecondaryIndexes", capacity, (*found)->settings, false, split);
    }
  }
  out += '}';
}

void append_metrics_object(std::string& out, const CollectionMetrics& metrics) {
  // AWS tells a range whose ends are a gigabyte apart.
  const double gigabytes = std::floor(static_cast<double>(metrics.size_bytes) / kGigabyte);
  out += "{\"ItemCollectionKey\":";
  append_json(out, metrics.partition_key.view());
  out += ",\"SizeEstimateRangeGB\":[";
  append_units(out, gigabytes);
  out += ',';
  append_units(out, gigabytes + 1);
  out += "]}";
}

}  // namespace

ReturnCapacity return_capacity(std::string_view text) {
  if (text == "TOTAL") return ReturnCapacity::kTotal;
  return text == "INDEXES" ? ReturnCapacity::kIndexes : ReturnCapacity::kNone;
}

void append_units(std::string& out, double units) {
  char text[32];
  const std::to_chars_result end = std::to_chars(text, text + sizeof(text), units, std::chars_format::fixed);
  const std::string_view digits(text, end.ptr);
  out += digits;
  if (digits.find('.') == std::string_view::npos) out += ".0";
}

void append_capacity(std::string& out, ReturnCapacity wanted, engine::Engine& engine,
                     const std::string& table, const Capacity& capacity) {
  if (wanted == ReturnCapacity::kNone) return;
  out += ",\"ConsumedCapacity\":";
  append_object(out, wanted, engine, table, capacity, Units::kUnsplit);
}

void append_capacities(std::string& out, ReturnCapacity wanted, engine::Engine& engine,
                       const std::map<std::string, Capacity>& capacities, Units units) {
  if (wanted == ReturnCapacity::kNone) return;
  out += ",\"ConsumedCapacity\":[";
  bool first = true;
  for (const auto& [table, capacity] : capacities) {
    if (!first) out += ',';
    first = false;
    append_object(out, wanted, engine, table, capacity, units);
  }
  out += ']';
}

void append_metrics(std::string& out, const CollectionMetrics& metrics) {
  out += ",\"ItemCollectionMetrics\":";
  append_metrics_object(out, metrics);
}

void append_metrics(std::string& out, const std::map<std::string, std::vector<CollectionMetrics>>& metrics) {
  if (metrics.empty()) return;
  out += ",\"ItemCollectionMetrics\":{";
  bool first_table = true;
  for (const auto& [table, collections] : metrics) {
    if (!first_table) out += ',';
    first_table = false;
    append_json_string(out, table);
    out += ":[";
    for (size_t i = 0; i < collections.size(); ++i) {
      if (i > 0) out += ',';
      append_metrics_object(out, collections[i]);
    }
    out += ']';
  }
  out += '}';
}

void add_consumed(Answer& answer, std::map<std::string, Capacity>& capacities) {
  for (auto& [table, units] : capacities) answer.consumed.emplace_back(table, std::move(units));
}

}  // namespace sheaf::wire
