// ConsumedCapacity and ItemCollectionMetrics, in the forms in which operations answer them.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "sheaf/request.h"

#include "api/local_database.h"
#include "wire/answer.h"

namespace sheaf::wire {

enum class ReturnCapacity : uint8_t { kNone, kTotal, kIndexes };
ReturnCapacity return_capacity(std::string_view text);

// Transactions also tell whether units were read or written.
enum class Units : uint8_t { kUnsplit, kRead, kWrite };

// ,"ConsumedCapacity":{...} — nothing if it is not wanted. Which index is local is looked up in the table.
void append_capacity(std::string& out, ReturnCapacity wanted, engine::Engine& engine,
                     const std::string& table, const Capacity& capacity);
// ,"ConsumedCapacity":[{...},...]
void append_capacities(std::string& out, ReturnCapacity wanted, engine::Engine& engine,
                       const std::map<std::string, Capacity>& capacities, Units units);

// ,"ItemCollectionMetrics":{...}
void append_metrics(std::string& out, const CollectionMetrics& metrics);
// ,"ItemCollectionMetrics":{"table":[{...},...],...}
void append_metrics(std::string& out, const std::map<std::string, std::vector<CollectionMetrics>>& metrics);

// For the metrics.
void add_consumed(Answer& answer, std::map<std::string, Capacity>& capacities);

// 0.5, 12: as AWS writes them.
void append_units(std::string& out, double units);

}  // namespace sheaf::wire
