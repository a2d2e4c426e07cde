#include "cmd/lint_table_items.h"

#include <algorithm>

#include "base/try.h"
#include "cmd/key_text.h"

namespace sheaf::cmd {
namespace {

bool has_all(const std::vector<KeyAttribute>& attributes, ItemView item) {
  return std::all_of(attributes.begin(), attributes.end(),
                     [&](const KeyAttribute& each) { return item.contains(each.name); });
}

int64_t key_bytes(const std::vector<KeyAttribute>& attributes, ItemView item) {
  int64_t bytes = 0;
  for (const KeyAttribute& each : attributes) {
    const auto value = item.find(each.name);
    if (value) bytes += value->size_bytes();
  }
  return bytes;
}

std::string form_of(const IndexDescription& index) {
  std::string form;
  for (const std::vector<KeyAttribute>* attributes : {&index.key.partition, &index.key.sort}) {
    for (const KeyAttribute& each : *attributes) form += type_name(each.type);
    form += "/";
  }
  form += std::to_string(static_cast<int>(index.projection));
  for (const std::string& each : index.included) form += "/" + each;
  return form;
}

int64_t entries_of(ValueView value) {
  switch (value.type()) {
    case Type::kList:
      return value.list().size();
    case Type::kMap:
      return value.map().size();
    case Type::kStringSet:
    case Type::kNumberSet:
    case Type::kBinarySet:
      return value.set().size();
    default:
      return 0;
  }
}

}  // namespace

Result<TableDescription> LintTableItems::describe_table(std::string_view table) {
  TableDescription description = TRY(ForwardingDatabase::describe_table(table));
  if (!table_) {
    table_ = description;
    std::vector<lint::IndexShape> shapes;
    for (const IndexDescription& index : description.indexes) {
      if (index.local) continue;
      indexes_.push_back(index);
      shapes.push_back({.name = index.name, .form = form_of(index)});
    }
    shapes_.emplace(std::move(shapes));
  }
  return description;
}

Result<Page> LintTableItems::scan(const Scan& request) {
  Page page = TRY(ForwardingDatabase::scan(request));
  if (table_ && request.table == table_->name && !request.index) {
    for (size_t i = 0; i < page.items.size(); ++i) look(page.items[i]);
  }
  return page;
}

void LintTableItems::look(ItemView item) {
  const KeySchema& key = table_->key;
  lint::ItemShape shape{.key = key_text(key.partition, item),
                        .bytes = item.size_bytes(),
                        .sort_bytes = key_bytes(key.sort, item)};
  if (const std::string sort = key_text(key.sort, item); !sort.empty()) shape.key += ", " + sort;
  for (const Attribute& attribute : item) {
    const int64_t entries = entries_of(attribute.value);
    if (entries > 0) shape.lists.push_back({.attribute = std::string(attribute.name), .entries = entries});
  }
  for (size_t i = 0; i < indexes_.size(); ++i) {
    const KeySchema& of_index = indexes_[i].key;
    if (!has_all(of_index.partition, item) || !has_all(of_index.sort, item)) continue;
    shape.indexes.push_back({.index = i,
                             .partition = key_text(of_index.partition, item),
                             .sort_bytes = key_bytes(of_index.sort, item)});
  }
  shapes_->add(shape);
}

}  // namespace sheaf::cmd
