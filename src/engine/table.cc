#include "engine/table.h"

#include <algorithm>

#include "engine/store_keys.h"

namespace sheaf::engine {
namespace {

bool names_contain(const std::vector<KeyAttribute>& attributes, std::string_view name) {
  return std::any_of(attributes.begin(), attributes.end(),
                     [&](const auto& attribute) { return attribute.name == name; });
}

void append_names(std::vector<std::string>& names, const KeySchema& key) {
  for (const auto* attributes : {&key.partition, &key.sort}) {
    for (const KeyAttribute& attribute : *attributes) names.push_back(attribute.name);
  }
}

Index make_index(const TableSettings& table, const IndexSettings& settings) {
  Index index{.settings = &settings,
              .prefix = space_key(store::Space::kIndexes, settings.id),
              .projects_all = settings.projection == ProjectionKind::kAll,
              .projected = settings.included};
  append_names(index.projected, table.key);
  append_names(index.projected, settings.key);
  std::sort(index.projected.begin(), index.projected.end());
  index.projected.erase(std::unique(index.projected.begin(), index.projected.end()), index.projected.end());
  return index;
}

}  // namespace

bool contains(const KeySchema& key, std::string_view attribute) {
  return names_contain(key.partition, attribute) || names_contain(key.sort, attribute);
}

const StreamSettings* TableSettings::open_stream() const {
  return streams.empty() || streams.back().closed_us != 0 ? nullptr : &streams.back();
}

const IndexSettings* TableSettings::find_index(std::string_view index_name) const {
  const auto found = std::find_if(indexes.begin(), indexes.end(),
                                  [&](const auto& index) { return index.name == index_name; });
  return found == indexes.end() ? nullptr : &*found;
}

bool TableSettings::has_local_index() const {
  return std::any_of(indexes.begin(), indexes.end(), [](const auto& index) { return index.local; });
}

bool Index::projects(std::string_view name) const {
  return projects_all || std::binary_search(projected.begin(), projected.end(), name);
}

Table::Table(TableSettings table_settings, store::Version catalog_version)
    : settings(std::move(table_settings)),
      version(catalog_version),
      catalog_key(table_catalog_key(settings.name)),
      item_prefix(space_key(store::Space::kItems, settings.id)) {
  indexes.reserve(settings.indexes.size());
  for (const IndexSettings& index : settings.indexes) indexes.push_back(make_index(settings, index));
  std::sort(indexes.begin(), indexes.end(),
            [](const Index& a, const Index& b) { return a.settings->name < b.settings->name; });
}

const Index* Table::find_index(std::string_view name) const {
  const auto found = std::find_if(indexes.begin(), indexes.end(),
                                  [&](const Index& index) { return index.settings->name == name; });
  return found == indexes.end() ? nullptr : &*found;
}

Id id_of(const Table& table, const Index* index) {
  return index != nullptr ? index->settings->id : table.settings.id;
}

const KeySchema& schema_of(const Table& table, const Index* index) {
  return index != nullptr ? index->settings->key : table.settings.key;
}

}  // namespace sheaf::engine
