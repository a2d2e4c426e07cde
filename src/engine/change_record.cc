#include "engine/change_record.h"

#include "base/try.h"
#include "base/varint.h"

namespace sheaf::engine {
namespace {

// A later format may add fields behind the images; readers of this one skip what they do not know.
constexpr char kFormat = 1;

void append_field(std::string& out, std::string_view field) {
  append_varint(out, field.size());
  out.append(field);
}

Item key_of(const Table& table, ItemView item) {
  Item key;
  for (const auto* attributes : {&table.settings.key.partition, &table.settings.key.sort}) {
    for (const KeyAttribute& attribute : *attributes) key.set(attribute.name, *item.find(attribute.name));
  }
  return key;
}

Error corrupt() { return {Code::kCorrupt, "a row of the change log is damaged"}; }

// Nothing for an empty field: an item's form has at least one byte.
Result<std::optional<Item>> take_item(std::string_view& row) {
  const std::optional<uint64_t> length = take_varint(row);
  if (!length || *length > row.size()) return corrupt();
  const std::string_view field = row.substr(0, *length);
  row.remove_prefix(*length);
  if (field.empty()) return std::optional<Item>();
  return std::optional(TRY(Item::decode(std::string(field))));
}

}  // namespace

std::string encode_change(const Table& table, StreamView view, std::optional<ItemView> before,
                          std::optional<ItemView> after, ChangeCause cause) {
  using Kind = ChangeEvent::Kind;
  const Kind kind = !before ? Kind::kInsert : !after ? Kind::kRemove : Kind::kModify;
  const bool keep_before = view == StreamView::kOldImage || view == StreamView::kNewAndOldImages;
  const bool keep_after = view == StreamView::kNewImage || view == StreamView::kNewAndOldImages;
  std::string row{kFormat, static_cast<char>(kind), static_cast<char>(cause)};
  append_field(row, key_of(table, after ? *after : *before).encoded());
  append_field(row, keep_before && before ? before->encoded() : std::string_view());
  append_field(row, keep_after && after ? after->encoded() : std::string_view());
  return row;
}

Result<ChangeEvent> decode_change(std::string_view row, StreamPosition sequence) {
  using Kind = ChangeEvent::Kind;
  if (row.size() < 3 || row[0] != kFormat) return corrupt();
  if (row[1] < static_cast<char>(Kind::kInsert) || row[1] > static_cast<char>(Kind::kRemove))
    return corrupt();
  ChangeEvent event{.kind = static_cast<Kind>(row[1]),
                    .expired = static_cast<ChangeCause>(row[2]) == ChangeCause::kExpiry,
                    .sequence = sequence};
  row.remove_prefix(3);
  std::optional<Item> key = TRY(take_item(row));
  if (!key) return corrupt();
  event.key = std::move(*key);
  event.old_image = TRY(take_item(row));
  event.new_image = TRY(take_item(row));
  return event;
}

}  // namespace sheaf::engine
