#include "measure/meter.h"

#include <utility>

namespace sheaf::measure {
namespace {

double total(const std::map<std::string, Capacity>& tables) {
  double sum = 0;
  for (const auto& [name, capacity] : tables) sum += capacity.total();
  return sum;
}

void add_capacity(Capacity& to, const Capacity& capacity) {
  to.table += capacity.table;
  for (const auto& [name, units] : capacity.indexes) to.indexes[name] += units;
}

void add_capacities(std::map<std::string, Capacity>& to, const std::map<std::string, Capacity>& tables) {
  for (const auto& [name, capacity] : tables) add_capacity(to[name], capacity);
}

void add_items(Usage& usage, const ItemList& items) {
  for (size_t i = 0; i < items.size(); ++i) usage.bytes_read += items[i].size_bytes();
}

}  // namespace

double Usage::read_units() const { return total(reads); }
double Usage::write_units() const { return total(writes); }

Usage& Usage::operator+=(const Usage& other) {
  requests += other.requests;
  items_read += other.items_read;
  bytes_read += other.bytes_read;
  items_written += other.items_written;
  cancelled += other.cancelled;
  add_capacities(reads, other.reads);
  add_capacities(writes, other.writes);
  return *this;
}

Usage Meter::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(usage_, {});
}

void Meter::add(const Usage& usage) {
  const std::lock_guard lock(mutex_);
  usage_ += usage;
}

Result<Written> Meter::counted(const std::string& table, Result<Written> written) {
  Usage usage{.requests = 1};
  if (written.ok()) {
    usage.items_written = written->condition_met ? 1 : 0;
    usage.writes[table] = written->capacity;
  }
  add(usage);
  return written;
}

Result<Page> Meter::counted(const std::string& table, Result<Page> page) {
  Usage usage{.requests = 1};
  if (page.ok()) {
    usage.items_read = page->scanned_count;
    add_items(usage, page->items);
    usage.reads[table] = page->capacity;
  }
  add(usage);
  return page;
}

Result<Written> Meter::put_item(const PutItem& request) {
  return counted(request.table, inner_.put_item(request));
}

Result<Written> Meter::update_item(const UpdateItem& request) {
  return counted(request.table, inner_.update_item(request));
}

Result<Written> Meter::delete_item(const DeleteItem& request) {
  return counted(request.table, inner_.delete_item(request));
}

Result<Page> Meter::query(const Query& request) { return counted(request.table, inner_.query(request)); }

Result<Page> Meter::scan(const Scan& request) { return counted(request.table, inner_.scan(request)); }

Result<Got> Meter::get_item(const GetItem& request) {
  auto got = inner_.get_item(request);
  Usage usage{.requests = 1};
  if (got.ok()) {
    if (got->item) {
      usage.items_read = 1;
      usage.bytes_read = got->item->view().size_bytes();
    }
    usage.reads[request.table] = got->capacity;
  }
  add(usage);
  return got;
}

Result<BatchGot> Meter::batch_get_items(const BatchGetItems& request) {
  auto got = inner_.batch_get_items(request);
  Usage usage{.requests = 1};
  if (got.ok()) {
    for (const auto& [table, items] : got->items) {
      usage.items_read += items.size();
      add_items(usage, items);
    }
    usage.reads = got->capacity;
  }
  add(usage);
  return got;
}

Result<BatchWritten> Meter::batch_write_items(const BatchWriteItems& request) {
  auto written = inner_.batch_write_items(request);
  Usage usage{.requests = 1};
  if (written.ok()) {
    for (const auto& [table, writes] : request.tables) usage.items_written += writes.size();
    for (const auto& [table, left] : written->unprocessed) usage.items_written -= left.size();
    usage.writes = written->capacity;
  }
  add(usage);
  return written;
}

Result<TransactWritten> Meter::transact_write_items(const TransactWriteItems& request) {
  auto written = inner_.transact_write_items(request);
  Usage usage{.requests = 1};
  if (written.ok() && written->replayed) {
    usage.reads = written->capacity;
  } else if (written.ok() && written->applied) {
    for (const TransactAction& action : request.actions)
      usage.items_written += std::holds_alternative<ConditionCheck>(action) ? 0 : 1;
    usage.writes = written->capacity;
  } else if (written.ok()) {
    usage.cancelled = 1;
    usage.writes = written->capacity;
  }
  add(usage);
  return written;
}

Result<TransactGot> Meter::transact_get_items(const TransactGetItems& request) {
  auto got = inner_.transact_get_items(request);
  Usage usage{.requests = 1};
  if (got.ok()) {
    for (const auto& item : got->items) {
      if (!item) continue;
      ++usage.items_read;
      usage.bytes_read += item->view().size_bytes();
    }
    usage.reads = got->capacity;
  }
  add(usage);
  return got;
}

}  // namespace sheaf::measure
