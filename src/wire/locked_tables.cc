#include "wire/locked_tables.h"

#include <algorithm>

namespace sheaf::wire {
namespace {

constexpr std::string_view kTransactWrites[] = {"Put", "Update", "Delete"};

// Of "hr,shop", is it one?
bool is_among(std::string_view names, std::string_view name) {
  while (!names.empty()) {
    const size_t end = std::min(names.find(','), names.size());
    if (names.substr(0, end) == name) return true;
    names.remove_prefix(std::min(end + 1, names.size()));
  }
  return false;
}

std::optional<Answer> refuse_named(const Call& call, Json json) {
  std::string_view name;
  if (json["TableName"].get(name) != simdjson::SUCCESS) return std::nullopt;
  return refuse_locked(call, table_of(name));
}

std::optional<Answer> refuse_transaction(const Call& call, simdjson::dom::array items) {
  for (const Json item : items) {
    for (const std::string_view kind : kTransactWrites) {
      Json write;
      if (item[kind].get(write) != simdjson::SUCCESS) continue;
      if (auto refused = refuse_named(call, write)) return refused;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Answer> refuse_locked(const Call& call, std::string_view table) {
  const std::optional<std::string> writer = call.database.writers().writer_of(table);
  if (!writer || is_among(call.writer, *writer)) return std::nullopt;
  return exception("ResourceInUseException",
                   "The table " + std::string(table) + " is locked while the model " + *writer +
                       " is moved to another layout: write through the model, or wait until it has moved. "
                       "Its tag " +
                       std::string(api::kWriterTag) + " is the lock.");
}

std::optional<Answer> refuse_locked(const Call& call, const Operation& operation, Json request) {
  if (call.database.writers().empty()) return std::nullopt;
  if (operation.effect != Effect::kWrite && operation.name != "DeleteTable") return std::nullopt;
  simdjson::dom::array transaction;
  if (request["TransactItems"].get(transaction) == simdjson::SUCCESS)
    return refuse_transaction(call, transaction);
  simdjson::dom::object batch;
  if (request["RequestItems"].get(batch) == simdjson::SUCCESS) {
    for (const auto& [name, writes] : batch) {
      if (auto refused = refuse_locked(call, table_of(name))) return refused;
    }
    return std::nullopt;
  }
  return refuse_named(call, request);
}

}  // namespace sheaf::wire
