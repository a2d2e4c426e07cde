#include "api/answers.h"

namespace sheaf::api {
namespace {

double to_units(engine::HalfUnits half_units) { return static_cast<double>(half_units) / 2; }

}  // namespace

Capacity to_capacity(const engine::Table& table, const engine::Consumed& consumed) {
  Capacity capacity{.table = to_units(consumed.table)};
  for (const engine::Consumed::OfIndex& part : consumed.indexes) {
    for (const engine::IndexSettings& index : table.settings.indexes) {
      if (index.id == part.index) capacity.indexes[index.name] += to_units(part.half_units);
    }
  }
  return capacity;
}

void add_capacity(Capacity& sum, const Capacity& part) {
  sum.table += part.table;
  for (const auto& [index, units] : part.indexes) sum.indexes[index] += units;
}

std::optional<CollectionMetrics> collection_metrics(const engine::ItemWrite& write,
                                                    const engine::ItemWritten& written) {
  if (!written.collection_bytes) return std::nullopt;
  CollectionMetrics metrics{.size_bytes = *written.collection_bytes};
  for (const KeyAttribute& attribute : write.table->settings.key.partition) {
    metrics.partition_key.set(attribute.name, *write.item.find(attribute.name));
  }
  return metrics;
}

}  // namespace sheaf::api
