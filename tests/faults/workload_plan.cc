#include "workload_plan.h"

namespace sheaf::faults {
namespace {

// Mixes three numbers into one that looks random.
uint64_t mix(uint64_t a, uint64_t b, uint64_t c) {
  uint64_t value = a * 0x9e3779b97f4a7c15u ^ b * 0xbf58476d1ce4e5b9u ^ c * 0x94d049bb133111ebu;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
  return value ^ (value >> 31);
}

// What decides about one version of one item: a few bits for each question.
struct Choices {
  explicit Choices(Slot slot, uint32_t version) : bits(mix(slot.writer, slot.number, version)) {}
  bool conditional() const { return bits % 2 == 0; }
  bool update() const { return bits / 2 % 2 == 0; }
  bool removed() const { return bits / 4 % 2 == 0; }
  bool has_label() const { return bits / 8 % 4 != 0; }
  bool has_group() const { return bits / 32 % 4 != 0; }
  bool has_color() const { return bits / 128 % 2 != 0; }
  size_t payload_bytes() const { return bits / 256 % 64 == 0 ? 20'000 : bits / 256 % 300; }
  std::string letter(uint64_t count) const {
    return std::string(1, static_cast<char>('a' + bits / 65536 % count));
  }

  uint64_t bits;
};

// Never twice in a row, so that two versions of an item that follow each other are never the same.
bool is_removed(Slot slot, uint32_t version) {
  return version == 0 || (version % 3 == 0 && Choices(slot, version).removed());
}

// Writes since the item was made; an update adds one instead of saying how many.
int writes_since_made(Slot slot, uint32_t version) {
  int writes = 0;
  for (; !is_removed(slot, version); --version) ++writes;
  return writes;
}

Item attributes_of(Slot slot, uint32_t version) {
  const Choices choices(slot, version);
  Item attributes{{"version", static_cast<int64_t>(version)},
                  {"payload", std::string(choices.payload_bytes(), static_cast<char>('A' + version % 26))}};
  if (choices.has_label()) attributes.set("label", Value("label-" + choices.letter(20)));
  if (choices.has_group()) attributes.set("group", Value("group-" + choices.letter(5)));
  if (choices.has_color()) attributes.set("color", Value("color-" + choices.letter(3)));
  return attributes;
}

KeyAttribute text(std::string name) { return {.name = std::move(name), .type = Type::kString}; }
KeyAttribute number(std::string name) { return {.name = std::move(name), .type = Type::kNumber}; }

UpdateItem update_of(Slot slot, uint32_t version) {
  const Item attributes = attributes_of(slot, version);
  UpdateItem request{.table = table_of(slot), .key = key_of(slot)};
  std::string set;
  std::string remove;
  for (const char* name : {"version", "payload", "label", "group", "color"}) {
    const std::string place = std::string("#") + name;
    request.names.emplace_back(place, name);
    if (const std::optional<ValueView> value = attributes.find(name)) {
      set += (set.empty() ? "SET " : ", ") + place + " = :" + name;
      request.values.set(std::string(":") + name, *value);
    } else {
      remove += (remove.empty() ? " REMOVE " : ", ") + place;
    }
  }
  request.update = set + remove + " ADD #writes :one";
  request.names.emplace_back("#writes", "writes");
  request.values.set(":one", Value(1));
  return request;
}

// Adds the condition that the item is where the plan left it.
template <typename Request>
void expect_version(Request& request, Slot slot, uint32_t version) {
  if (is_removed(slot, version)) {
    request.condition = "attribute_not_exists(payload)";
    return;
  }
  request.condition = "#version = :expected";
  if (request.names.empty()) request.names = {{"#version", "version"}};
  request.values.set(":expected", Value(static_cast<int64_t>(version)));
}

template <typename Request>
TransactAction finished(Request request, Slot slot, uint32_t version) {
  if (Choices(slot, version).conditional()) expect_version(request, slot, version - 1);
  return request;
}

}  // namespace

Slot group_slot(uint32_t writer, uint32_t group, uint32_t member) {
  return {.writer = writer, .number = kSingles + kBatchItems + group * kGroupMembers + member};
}

std::vector<CreateTable> planned_tables() {
  CreateTable items{.table = kItemsTable,
                    .key = {.partition = {text("pk")}, .sort = {text("sk")}},
                    .stream = StreamView::kNewAndOldImages};
  items.local_indexes = {{.name = "ByLabel",
                          .key = {.partition = {text("pk")}, .sort = {text("label")}},
                          .projection = ProjectionKind::kInclude,
                          .included = {"version"}}};
  items.global_indexes = {{.name = "ByGroup",
                           .key = {.partition = {text("group")}, .sort = {number("version")}},
                           .projection = ProjectionKind::kKeysOnly},
                          {.name = "ByColor", .key = {.partition = {text("color")}, .sort = {}}}};
  CreateTable pairs{.table = kPairsTable,
                    .key = {.partition = {text("id")}, .sort = {}},
                    .stream = StreamView::kNewAndOldImages};
  pairs.global_indexes = {{.name = "ByColorAndGroup",
                           .key = {.partition = {text("color"), text("group")}, .sort = {number("version")}},
                           .projection = ProjectionKind::kInclude,
                           .included = {"writes"}}};
  CreateTable accounts{.table = kAccountsTable,
                       .key = {.partition = {text("id")}, .sort = {}},
                       .stream = StreamView::kNewAndOldImages};
  return {items, pairs, accounts};
}

CreateTable planned_short_lived_table(uint32_t number_of_table) {
  CreateTable table{.table = "Short" + std::to_string(number_of_table),
                    .key = {.partition = {text("pk")}, .sort = {text("sk")}},
                    .stream = StreamView::kNewAndOldImages};
  table.global_indexes = {{.name = "ByColor", .key = {.partition = {text("color")}, .sort = {}}}};
  return table;
}

IndexDeclaration planned_late_index() {
  return {.name = kLateIndex,
          .key = {.partition = {text("group")}, .sort = {text("label")}},
          .projection = ProjectionKind::kInclude,
          .included = {"version"}};
}

Item filler(int at) {
  return {{"pk", "filler-" + std::to_string(at % 50)},
          {"sk", std::to_string(at)},
          {"group", "group-" + std::to_string(at % 7)},
          {"label", "label-" + std::to_string(at % 11)}};
}

const std::string& table_of(Slot slot) { return slot.number % 2 == 0 ? kItemsTable : kPairsTable; }

Item key_of(Slot slot) {
  const std::string writer = "writer-" + std::to_string(slot.writer);
  const std::string item = std::to_string(slot.number);
  if (slot.number % 2 != 0) return {{"id", writer + "-" + item}};
  return {{"pk", writer + "-" + std::to_string(slot.number % 6)}, {"sk", item}};
}

std::optional<Item> state_of(Slot slot, uint32_t version) {
  if (is_removed(slot, version)) return std::nullopt;
  Item item = attributes_of(slot, version);
  const Item key = key_of(slot);
  for (const Attribute& attribute : key.view()) item.set(attribute.name, attribute.value);
  item.set("writes", Value(writes_since_made(slot, version)));
  return item;
}

TransactAction write_of(Slot slot, uint32_t version) {
  const std::optional<Item> state = state_of(slot, version);
  if (!state) return finished(DeleteItem{.table = table_of(slot), .key = key_of(slot)}, slot, version);
  if (Choices(slot, version).update()) return finished(update_of(slot, version), slot, version);
  return finished(PutItem{.table = table_of(slot), .item = *state}, slot, version);
}

BatchWriteItems::Write batch_write_of(Slot slot, uint32_t version) {
  const std::optional<Item> state = state_of(slot, version);
  if (!state) return {.put = false, .item = key_of(slot)};
  return {.put = true, .item = *state};
}

}  // namespace sheaf::faults
