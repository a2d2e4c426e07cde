#include "programs/answer_text.h"

#include <algorithm>

#include "programs/operation.h"
#include "programs/reference_table.h"

namespace sheaf::programs {
namespace {

std::string number_text(double number) {
  std::string text = std::to_string(number);
  while (text.ends_with('0')) text.pop_back();
  return text.ends_with('.') ? text + "0" : text;
}

std::string item_text(const std::optional<Item>& item) { return item ? to_text(item->view()) : "none"; }

std::string capacity_text(const Capacity& capacity) {
  std::string text = number_text(capacity.table);
  for (const auto& [index, units] : capacity.indexes) text += " " + index + ":" + number_text(units);
  return "(" + text + ")";
}

std::string capacity_text(const std::map<std::string, Capacity>& capacities) {
  std::string text;
  for (const auto& [table, capacity] : capacities) text += " " + table + capacity_text(capacity);
  return text;
}

std::string collection_text(const CollectionMetrics& metrics) {
  return metrics.partition_key.to_json() + ":" + std::to_string(metrics.size_bytes);
}

std::string collections_text(const std::map<std::string, std::vector<CollectionMetrics>>& collections) {
  std::string text;
  for (const auto& [table, list] : collections) {
    std::vector<std::string> parts;
    for (const CollectionMetrics& metrics : list) parts.push_back(collection_text(metrics));
    std::sort(parts.begin(), parts.end());
    text += " " + table + "[" + to_text(parts) + "]";
  }
  return text;
}

std::string reasons_text(const std::vector<CancellationReason>& reasons) {
  std::string text;
  for (const CancellationReason& reason : reasons) {
    text += "\n    " + std::to_string(static_cast<int>(reason.code)) + " " + reason.message;
    if (reason.item) text += " " + item_text(reason.item);
  }
  return text;
}

void forget_units(Capacity& expected, Capacity& actual) {
  for (auto each = expected.indexes.begin(); each != expected.indexes.end();) {
    if (each->second == kUnknownUnits) {
      actual.indexes.erase(each->first);
      each = expected.indexes.erase(each);
    } else {
      ++each;
    }
  }
}

template <typename Answer>
void forget_of_tables(Answer& expected, Answer& actual) {
  for (auto& [table, capacity] : expected.capacity) {
    if (const auto found = actual.capacity.find(table); found != actual.capacity.end())
      forget_units(capacity, found->second);
  }
  for (auto& [table, collections] : expected.collections) {
    const auto found = actual.collections.find(table);
    if (found == actual.collections.end()) continue;
    for (const CollectionMetrics& metrics : collections) {
      if (metrics.size_bytes != kUnknownBytes) continue;
      for (CollectionMetrics& each : found->second) {
        if (each.partition_key == metrics.partition_key) each.size_bytes = kUnknownBytes;
      }
    }
  }
}

}  // namespace

std::string to_text(const Error& error) {
  return "error " + std::to_string(static_cast<int>(error.code)) + ": " + error.message;
}

std::string to_text(const Written& written) {
  return std::string(written.condition_met ? "written" : "condition not met") +
         " attributes=" + item_text(written.attributes) + " capacity=" + capacity_text(written.capacity) +
         " collection=" + (written.collection ? collection_text(*written.collection) : "none");
}

std::string to_text(const Got& got) {
  return "got " + item_text(got.item) + " capacity=" + capacity_text(got.capacity);
}

std::string to_text(const Page& page) {
  std::string text = "page count=" + std::to_string(page.count) +
                     " scanned=" + std::to_string(page.scanned_count) +
                     " capacity=" + capacity_text(page.capacity) + " last_key=" + item_text(page.last_key);
  for (size_t i = 0; i < page.items.size(); ++i) text += "\n    " + to_text(page.items[i]);
  return text;
}

std::string to_text(const BatchGot& got) {
  std::string text = "batch got capacity=" + capacity_text(got.capacity);
  for (const auto& [table, list] : got.items) {
    std::vector<std::string> items;
    for (size_t i = 0; i < list.size(); ++i) items.push_back(to_text(list[i]));
    std::sort(items.begin(), items.end());
    text += "\n  " + table;
    for (const std::string& item : items) text += "\n    " + item;
  }
  for (const auto& [table, keys] : got.unprocessed) text += "\n  unprocessed " + table;
  return text;
}

std::string to_text(const BatchWritten& written) {
  std::string text = "batch written capacity=" + capacity_text(written.capacity) +
                     " collections=" + collections_text(written.collections);
  for (const auto& [table, writes] : written.unprocessed) text += "\n  unprocessed " + table;
  return text;
}

std::string to_text(const TransactWritten& written) {
  return std::string(written.applied ? "applied" : "cancelled") +
         " capacity=" + capacity_text(written.capacity) +
         " collections=" + collections_text(written.collections) + reasons_text(written.reasons);
}

std::string to_text(const TransactGot& got) {
  std::string text = std::string(got.applied ? "got" : "cancelled") +
                     " capacity=" + capacity_text(got.capacity) + reasons_text(got.reasons);
  for (const std::optional<Item>& item : got.items) text += "\n    " + item_text(item);
  return text;
}

std::string to_text(const CollectionSize& size) {
  return std::to_string(size.item_count) + " items, " + std::to_string(size.size_bytes) + " bytes";
}

std::string to_text(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::string to_text(const TableDescription& description) {
  std::string text = description.name + " key(" + to_text(description.key) +
                     ") status=" + std::to_string(static_cast<int>(description.status)) +
                     " ttl=" + (description.ttl_enabled ? description.ttl_attribute : "off");
  // What is being deleted is no longer anybody's to count.
  if (description.status != TableStatus::kDeleting) {
    text += " items=" + std::to_string(description.item_count) +
            " bytes=" + std::to_string(description.size_bytes);
  }
  if (description.deletion_protected) text += " protected";
  for (const auto& [key, value] : description.tags) text += " tag:" + key + "=" + value;
  for (const IndexDescription& index : description.indexes) {
    text += std::string("\n    ") + (index.local ? "local " : "global ") + index.name + " key(" +
            to_text(index.key) + ") projection=" + std::to_string(static_cast<int>(index.projection)) + " " +
            to_text(index.included) + " status=" + std::to_string(static_cast<int>(index.status));
    if (index.status == IndexStatus::kActive && description.status != TableStatus::kDeleting) {
      text += " items=" + std::to_string(index.item_count) + " bytes=" + std::to_string(index.size_bytes);
    }
  }
  for (const StreamDescription& stream : description.streams) {
    text += "\n    stream view=" + std::to_string(static_cast<int>(stream.view)) +
            (stream.open ? " open" : " closed") + " shards=" + std::to_string(stream.shard_count);
  }
  return text;
}

std::string to_text(const ChangeEvent& event) {
  return std::to_string(static_cast<int>(event.kind)) + (event.expired ? " expired " : " ") +
         to_text(event.key.view()) + " old=" + item_text(event.old_image) +
         " new=" + item_text(event.new_image);
}

void forget_unknown(Written& expected, Written& actual) { forget_units(expected.capacity, actual.capacity); }
void forget_unknown(BatchWritten& expected, BatchWritten& actual) { forget_of_tables(expected, actual); }
void forget_unknown(TransactWritten& expected, TransactWritten& actual) {
  forget_of_tables(expected, actual);
}

}  // namespace sheaf::programs
