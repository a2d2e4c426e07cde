// An item as the store holds it: a format byte, DynamoDB's size of the item, the item.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sheaf/value.h"

#include "base/varint.h"

namespace sheaf::engine {

inline constexpr char kRecordFormat = 1;

// Borrows the bytes that the store returned.
struct Record {
  ItemView item;
  uint32_t size_bytes;

  static Record of(std::string_view stored) {
    const char* position = stored.data() + 1;
    const auto size = static_cast<uint32_t>(read_varint(position));
    return {.item = ItemView(stored.substr(static_cast<size_t>(position - stored.data()))),
            .size_bytes = size};
  }
};

inline std::string make_record(std::string_view encoded_item, uint32_t size_bytes) {
  std::string record;
  record.reserve(encoded_item.size() + 6);
  record.push_back(kRecordFormat);
  append_varint(record, size_bytes);
  return record.append(encoded_item);
}

// An item read from the store, with the bytes that hold it.
class StoredItem {
 public:
  explicit StoredItem(std::string record) : record_(std::move(record)) {}

  Record record() const { return Record::of(record_); }
  ItemView item() const { return record().item; }
  uint32_t size_bytes() const { return record().size_bytes; }
  std::string_view bytes() const { return record_; }

 private:
  std::string record_;
};

}  // namespace sheaf::engine
