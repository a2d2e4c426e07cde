#include "workbench/kept_models.h"

#include "base/try.h"

namespace sheaf::workbench {
namespace {

const std::string kTable(kKeptModelsTable);

std::string text_of(ItemView item, std::string_view name) {
  const auto value = item.find(name);
  return value && value->type() == Type::kString ? std::string(value->bytes()) : std::string();
}

Result<void> need_table(Database& database) {
  const Result<TableDescription> there = database.describe_table(kTable);
  if (there.ok()) return {};
  if (there.error().code != Code::kNotFound) return there.error();
  const Result<TableDescription> made =
      database.create_table({.table = kTable, .key = {.partition = {{.name = "name"}}, .sort = {}}});
  if (!made.ok() && made.error().code != Code::kInUse) return made.error();
  return {};
}

}  // namespace

Result<std::vector<service::ModelSource>> read_kept_models(Database& database) {
  std::vector<service::ModelSource> sources;
  Scan scan{.table = kTable, .consistent = true};
  while (true) {
    const Result<Page> page = database.scan(scan);
    if (!page.ok() && page.error().code == Code::kNotFound) return sources;
    if (!page.ok()) return page.error();
    for (size_t i = 0; i < page->items.size(); ++i) {
      const std::string name = text_of(page->items[i], "name");
      sources.push_back({.path = name + ".sheaf",
                         .text = text_of(page->items[i], "text"),
                         .layout = text_of(page->items[i], "layout")});
    }
    if (!page->last_key) return sources;
    scan.start_key = page->last_key;
  }
}

Result<void> keep_model(Database& database, const std::string& name, const service::ModelSource& source) {
  TRY(need_table(database));
  TRY(database.put_item(
      {.table = kTable, .item = {{"name", name}, {"text", source.text}, {"layout", source.layout}}}));
  return {};
}

Result<void> forget_model(Database& database, const std::string& name) {
  const Result<Written> gone = database.delete_item({.table = kTable, .key = {{"name", name}}});
  if (!gone.ok() && gone.error().code != Code::kNotFound) return gone.error();
  return {};
}

}  // namespace sheaf::workbench
