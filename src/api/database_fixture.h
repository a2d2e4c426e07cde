// What tests of the public interface share: a database in memory whose background work runs when the test
// says so, and short forms for what tests say often.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sheaf/database.h"

#include "base/errors.h"

namespace sheaf {

inline void PrintTo(const Error& error, std::ostream* out) {
  *out << "code " << static_cast<int>(error.code) << ": " << error.message;
}
inline void PrintTo(const Item& item, std::ostream* out) { *out << item.to_json(); }
inline void PrintTo(ItemView item, std::ostream* out) { *out << item.to_json(); }

// What a call that must succeed returned.
template <typename T>
T must(Result<T> result) {
  if (result.ok()) return std::move(*result);
  ADD_FAILURE() << "refused: " << result.error().message;
  return T();
}
inline void must(const Result<void>& result) {
  if (!result.ok()) ADD_FAILURE() << "refused: " << result.error().message;
}

// The error of a call that must fail.
template <typename T>
Error refusal(const Result<T>& result) {
  if (!result.ok()) return result.error();
  ADD_FAILURE() << "was not refused";
  return {Code::kIo, "no error"};
}

inline Error no_table() { return {Code::kNotFound, "Requested resource not found"}; }

inline std::vector<KeyAttribute> strings(std::initializer_list<const char*> names) {
  std::vector<KeyAttribute> attributes;
  for (const char* name : names) attributes.push_back({.name = name, .type = Type::kString});
  return attributes;
}

// A table with string keys, and none for `sort` if it is empty.
inline CreateTable table_of(std::string name, const char* partition, const char* sort = "") {
  CreateTable table{.table = std::move(name), .key = {.partition = strings({partition}), .sort = {}}};
  if (*sort != '\0') table.key.sort = strings({sort});
  return table;
}

inline IndexDeclaration index_of(std::string name, const char* partition, const char* sort = "",
                                 ProjectionKind projection = ProjectionKind::kAll,
                                 std::vector<std::string> included = {}) {
  IndexDeclaration index{.name = std::move(name),
                         .key = {.partition = strings({partition}), .sort = {}},
                         .projection = projection,
                         .included = std::move(included)};
  if (*sort != '\0') index.key.sort = strings({sort});
  return index;
}

// "table 4, gsi 2", to be compared at a glance.
inline std::string units(const Capacity& capacity) {
  const auto number = [](double value) {
    std::string text = std::to_string(value);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text;
  };
  std::string text = "table " + number(capacity.table);
  for (const auto& [index, value] : capacity.indexes) text += ", " + index + " " + number(value);
  return text;
}

// One attribute of all items, as text; "-" where it is missing.
inline std::vector<std::string> column(const ItemList& items, std::string_view attribute) {
  std::vector<std::string> texts;
  for (size_t i = 0; i < items.size(); ++i) {
    const std::optional<ValueView> value = items[i].find(attribute);
    if (!value) {
      texts.emplace_back("-");
    } else if (value->type() == Type::kNumber) {
      texts.push_back(value->number().to_string());
    } else {
      texts.emplace_back(value->bytes());
    }
  }
  return texts;
}

using Texts = std::vector<std::string>;

inline std::vector<Item> items_of(const ItemList& list) {
  std::vector<Item> items;
  for (size_t i = 0; i < list.size(); ++i) items.emplace_back(list[i]);
  return items;
}

class DatabaseTest : public ::testing::Test {
 protected:
  explicit DatabaseTest(OpenOptions options = {}) {
    options.background_thread = false;
    db_ = Database::open_in_memory(options);
  }

  TableDescription create(const CreateTable& table) { return must(db_->create_table(table)); }
  Written put(const std::string& table, Item item) {
    return must(db_->put_item({.table = table, .item = std::move(item)}));
  }
  std::optional<Item> get(const std::string& table, Item key) {
    return must(db_->get_item({.table = table, .key = std::move(key), .consistent = true})).item;
  }
  // Does the background work that there is.
  void settle() {
    while (must(db_->run_background_work())) {
    }
  }

  std::unique_ptr<Database> db_;
};

}  // namespace sheaf
