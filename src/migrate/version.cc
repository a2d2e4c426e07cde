#include "migrate/version.h"

#include <cstdlib>

#include "base/try.h"
#include "run/system_table.h"

namespace sheaf::migrate {
namespace {

constexpr std::string_view kLeases = "lease";
// Two texts must fit into one item of 400 KB.
constexpr size_t kTextBytesMax = 180'000;

Item record_key() { return run::system_key("version", "record"); }
Item intended_key() { return run::system_key("version", "intended"); }
Item lease_key(const Lease& lease) {
  return run::system_key(kLeases, lease.owner + "#" + std::to_string(lease.epoch));
}

Value map_of(const std::map<std::string, std::string>& names) {
  Item item;
  for (const auto& [from, to] : names) item.set(from, Value(to));
  return Value(item);
}

std::map<std::string, std::string> names_of(ItemView item, std::string_view attribute) {
  std::map<std::string, std::string> names;
  const auto value = item.find(attribute);
  if (!value || value->type() != Type::kMap) return names;
  for (const Attribute each : value->map()) {
    if (each.value.type() == Type::kString)
      names.emplace(std::string(each.name), std::string(each.value.bytes()));
  }
  return names;
}

std::string text_of(ItemView item, std::string_view attribute) {
  const auto value = item.find(attribute);
  return value && value->type() == Type::kString ? std::string(value->bytes()) : std::string();
}

void set_version(Item& item, const std::string& prefix, const Version& version) {
  item.set(prefix + "_text", Value(version.text));
  item.set(prefix + "_layout", Value(version.layout));
  item.set(prefix + "_label", Value(version.label));
  item.set(prefix + "_tables", map_of(version.tables));
}

Version version_of(ItemView item, const std::string& prefix) {
  return {.text = text_of(item, prefix + "_text"),
          .layout = text_of(item, prefix + "_layout"),
          .label = text_of(item, prefix + "_label"),
          .tables = names_of(item, prefix + "_tables")};
}

// At which epoch the move began that led to it; 0: none did.
int64_t epoch_of(const Version& version) {
  const size_t at = version.label.rfind('@');
  return at == std::string::npos ? 0 : std::strtoll(version.label.c_str() + at + 1, nullptr, 10);
}

}  // namespace

int64_t whole_of(ItemView item, std::string_view attribute) {
  const auto value = item.find(attribute);
  if (!value || value->type() != Type::kNumber) return 0;
  const auto number = value->number().to_int64();
  return number.ok() ? *number : 0;
}

void rename_as(const Version& version, model::Layout& layout) {
  layout.name = version.label;
  for (model::Table& table : layout.tables) {
    const auto real = version.tables.find(table.name);
    if (real != version.tables.end()) table.name = real->second;
  }
}

std::string_view name_of(Phase phase) {
  switch (phase) {
    case Phase::kOne:
      return "one";
    case Phase::kReadOld:
      return "writing both, reading old";
    case Phase::kReadNew:
      return "writing both, reading new";
  }
  return "";
}

bool is_taken_back(const VersionRecord& record) {
  return record.gone && epoch_of(*record.gone) > epoch_of(record.current);
}

Result<std::optional<VersionRecord>> read_versions(Database& database, const std::string& system_table) {
  const Result<Got> got = database.get_item({.table = system_table, .key = record_key(), .consistent = true});
  if (!got.ok()) {
    if (got.error().code == Code::kNotFound) return std::optional<VersionRecord>();
    return got.error();
  }
  if (!got->item) return std::optional<VersionRecord>();
  const ItemView item = *got->item;
  const auto phase = static_cast<Phase>(whole_of(item, "phase"));
  if (phase > Phase::kReadNew || text_of(item, "current_text").empty())
    return Error{Code::kCorrupt, "the record of the model's versions cannot be read"};
  VersionRecord record{.epoch = whole_of(item, "epoch"),
                       .phase = phase,
                       .current = version_of(item, "current"),
                       .next = {},
                       .gone = {},
                       .renames = names_of(item, "renames"),
                       .is_locked = whole_of(item, "locked") != 0,
                       .layouts = {}};
  for (const auto& [name, same] : names_of(item, "layouts")) record.layouts.insert(name);
  if (phase != Phase::kOne) record.next = version_of(item, "next");
  if (!text_of(item, "gone_text").empty()) record.gone = version_of(item, "gone");
  return std::optional(std::move(record));
}

Result<void> write_versions(Database& database, const std::string& system_table,
                            const VersionRecord& record) {
  if (record.current.text.size() > kTextBytesMax || (record.next && record.next->text.size() > kTextBytesMax))
    return Error{Code::kTooLarge, "a model of more than 180,000 bytes cannot be moved"};
  Item item = record_key();
  item.set("epoch", Value(record.epoch));
  item.set("phase", Value(static_cast<int64_t>(record.phase)));
  item.set("renames", map_of(record.renames));
  item.set("locked", Value(record.is_locked ? 1 : 0));
  std::map<std::string, std::string> layouts;
  for (const std::string& each : record.layouts) layouts.emplace(each, each);
  item.set("layouts", map_of(layouts));
  set_version(item, "current", record.current);
  if (record.next) set_version(item, "next", *record.next);
  if (record.gone) set_version(item, "gone", *record.gone);
  PutItem put{.table = system_table, .item = std::move(item)};
  put.condition = "attribute_not_exists(pk) OR epoch = :before";
  put.values.set(":before", Value(record.epoch - 1));
  const Written written = TRY(database.put_item(put));
  if (!written.condition_met)
    return Error{Code::kConflict, "somebody else moves this model; look at its state again"};
  return {};
}

Result<std::optional<Version>> read_intended(Database& database, const std::string& system_table) {
  const Result<Got> got =
      database.get_item({.table = system_table, .key = intended_key(), .consistent = true});
  if (got.ok() && got->item) return std::optional(version_of(*got->item, "next"));
  if (got.ok() || got.error().code == Code::kNotFound) return std::optional<Version>();
  return got.error();
}

Result<void> write_intended(Database& database, const std::string& system_table, const Version& next) {
  Item item = intended_key();
  set_version(item, "next", next);
  TRY(database.put_item({.table = system_table, .item = std::move(item)}));
  return {};
}

Result<void> drop_intended(Database& database, const std::string& system_table) {
  TRY(database.delete_item({.table = system_table, .key = intended_key()}));
  return {};
}

Result<void> put_lease(Database& database, const std::string& system_table, const Lease& lease) {
  Item item = lease_key(lease);
  item.set("owner", Value(lease.owner));
  item.set("epoch", Value(lease.epoch));
  item.set("until_ms", Value(lease.until_ms));
  TRY(database.put_item({.table = system_table, .item = std::move(item)}));
  return {};
}

Result<void> drop_lease(Database& database, const std::string& system_table, const Lease& lease) {
  TRY(database.delete_item({.table = system_table, .key = lease_key(lease)}));
  return {};
}

Result<std::vector<Lease>> list_leases(Database& database, const std::string& system_table) {
  Query query{.table = system_table, .key_condition = "pk = :p", .consistent = true};
  query.values.set(":p", Value(kLeases));
  std::vector<Lease> leases;
  while (true) {
    const Page page = TRY(database.query(query));
    for (size_t i = 0; i < page.items.size(); ++i)
      leases.push_back({.owner = text_of(page.items[i], "owner"),
                        .epoch = whole_of(page.items[i], "epoch"),
                        .until_ms = whole_of(page.items[i], "until_ms")});
    if (!page.last_key) return leases;
    query.start_key = page.last_key;
  }
}

}  // namespace sheaf::migrate
