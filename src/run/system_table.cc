#include "run/system_table.h"

#include <chrono>
#include <random>
#include <thread>

#include "base/try.h"

namespace sheaf::run {
namespace {

constexpr std::string_view kPk = "pk";
constexpr std::string_view kSk = "sk";
constexpr size_t kSecretBytes = 32;

Item secret_key() { return system_key("model", "secret"); }

std::string new_secret() {
  std::random_device device;
  std::string bytes;
  while (bytes.size() < kSecretBytes) {
    const uint32_t word = device();
    bytes.append(reinterpret_cast<const char*>(&word), sizeof word);
  }
  return bytes;
}

}  // namespace

std::string system_table_name(const model::Model& model) { return model.name() + "-sheaf"; }

CreateTable system_table_request(const model::Model& model) {
  return {.table = system_table_name(model),
          .key = {.partition = {{.name = std::string(kPk), .type = Type::kString}},
                  .sort = {{.name = std::string(kSk), .type = Type::kString}}}};
}

Item system_key(std::string_view pk, std::string_view sk) {
  return Item{{kPk, std::string(pk)}, {kSk, std::string(sk)}};
}

Result<void> wait_until_active(Database& database, const std::string& table) {
  for (int i = 0; i < kPollsMax; ++i) {
    const TableDescription description = TRY(database.describe_table(table));
    if (description.status == TableStatus::kActive) return {};
    std::this_thread::sleep_for(kPollEvery);
  }
  return Error{Code::kUnavailable, "the table " + table + " does not become active"};
}

Result<void> make_system_table(Database& database, const model::Model& model) {
  const std::string name = system_table_name(model);
  const Result<TableDescription> there = database.describe_table(name);
  if (!there.ok()) {
    if (there.error().code != Code::kNotFound) return there.error();
    TRY(database.create_table(system_table_request(model)));
    TRY(wait_until_active(database, name));
  }
  Item item = secret_key();
  item.set("secret", Value::binary(new_secret()));
  // Whoever comes first says what it is.
  TRY(database.put_item({.table = name, .item = std::move(item), .condition = "attribute_not_exists(pk)"}));
  return {};
}

Result<std::string> read_secret(Database& database, const model::Model& model) {
  const Got got =
      TRY(database.get_item({.table = system_table_name(model), .key = secret_key(), .consistent = true}));
  const auto secret = got.item ? got.item->find("secret") : std::nullopt;
  if (!secret || secret->type() != Type::kBinary)
    return Error{Code::kNotFound,
                 "the model " + model.name() + " is not applied here; run sheaf model apply"};
  return std::string(secret->bytes());
}

}  // namespace sheaf::run
