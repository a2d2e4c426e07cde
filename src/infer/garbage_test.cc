// Tables that nobody designed: whatever is in them, there is a model that compiles and explains every item.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <random>

#include "infer/infer.h"
#include "model/compiled_model.h"
#include "run/applied_layout.h"
#include "run/audit.h"

namespace sheaf::infer {
namespace {

class Garbage {
 public:
  explicit Garbage(uint32_t seed) : random_(seed) {}

  Observed run() {
    Observed observed{.name = "garbage"};
    const size_t tables = 1 + below(2);
    for (size_t i = 0; i < tables; ++i) observed.tables.push_back(table("table" + std::to_string(i)));
    return observed;
  }

 private:
  size_t below(size_t bound) { return std::uniform_int_distribution<size_t>(0, bound - 1)(random_); }
  bool maybe() { return below(2) == 0; }

  Type key_type() {
    const size_t choice = below(6);
    return choice == 0 ? Type::kNumber : choice == 1 ? Type::kBinary : Type::kString;
  }

  std::string text() {
    static const std::vector<std::string> kWords = {
        "USER", "ORDER#", "#",  "::",      "a b", "%41", "<x>",        "é",
        "\"",   "\n",     "_",  "007",     "x-1", "/",   "2026-01-02", "2026-11-15T08:30:00.000Z",
        "{",    "`",      "\\", "METADATA"};
    std::string text;
    for (size_t i = 0, count = 1 + below(4); i < count; ++i)
      text += maybe() ? kWords[below(kWords.size())] : std::to_string(below(30));
    return text;
  }

  Value scalar(Type type) {
    if (type == Type::kNumber) return Value(static_cast<int64_t>(below(40)));
    if (type == Type::kBinary) return Value::binary(text());
    return Value(text());
  }

  Value value(int depth) {
    switch (below(depth > 2 ? 5 : 8)) {
      case 0:
        return Value(static_cast<int64_t>(below(1000)));
      case 1:
        return Value(maybe());
      case 2:
        return Value();
      case 3:
        return Value::binary(text());
      case 4:
        return Value(text());
      case 5:
        return Value::string_set({"a", "b"});
      case 6: {
        std::vector<Value> elements;
        for (size_t i = below(3); i > 0; --i) elements.push_back(value(depth + 1));
        return Value::list(elements);
      }
      default: {
        Item map;
        for (size_t i = below(3); i > 0; --i) map.set(names_[below(names_.size())], value(depth + 1));
        return Value(map);
      }
    }
  }

  ObservedTable table(std::string name) {
    ObservedTable table{.name = std::move(name)};
    table.key.partition = {{"PK", key_type()}};
    if (maybe()) table.key.sort = {{"SK-1", key_type()}};
    for (size_t i = below(3); i > 0; --i) {
      ObservedIndex index{.name = "GSI" + std::to_string(i), .projection = ProjectionKind::kAll};
      index.key.partition = {{"g" + std::to_string(i), key_type()}};
      if (maybe()) index.key.sort = {{"h#" + std::to_string(i), key_type()}};
      table.indexes.push_back(std::move(index));
    }
    std::map<std::string, Item> items;
    for (size_t i = below(30); i > 0; --i) {
      Item item;
      std::string key;
      for (const auto& each : {table.key.partition, table.key.sort}) {
        for (const KeyAttribute& attribute : each) {
          item.set(attribute.name, scalar(attribute.type));
          key += item.find(attribute.name)->encoded();
        }
      }
      for (const ObservedIndex& index : table.indexes) {
        for (const auto& each : {index.key.partition, index.key.sort}) {
          for (const KeyAttribute& attribute : each) {
            if (below(4) > 0) item.set(attribute.name, scalar(attribute.type));
          }
        }
      }
      for (size_t j = below(5); j > 0; --j) item.set(names_[below(names_.size())], value(0));
      items.emplace(key, std::move(item));
    }
    for (auto& [key, item] : items) table.items.push_back(std::move(item));
    return table;
  }

  std::mt19937 random_;
  std::vector<std::string> names_ = {"type", "name", "a.b", "user_id", "key", "entity", "in",    "id",
                                     "x y",  "`",    "",    "_v",      "tag", "value",  "index", "pk"};
};

// As the tables would be, with the system table of the model beside them.
std::unique_ptr<Database> database_of(const Observed& observed) {
  std::unique_ptr<Database> database = Database::open_in_memory();
  for (const ObservedTable& table : observed.tables) {
    CreateTable request{.table = table.name, .key = table.key};
    for (const ObservedIndex& index : table.indexes)
      request.global_indexes.push_back(
          {.name = index.name, .key = index.key, .projection = index.projection});
    EXPECT_TRUE(database->create_table(request).ok());
    for (const Item& item : table.items) {
      const Result<Written> put = database->put_item({.table = table.name, .item = item});
      EXPECT_TRUE(put.ok()) << put.error().message << item.to_json();
    }
  }
  return database;
}

TEST(InferredGarbage, CompilesAndExplainsEveryItem) {
  const char* const rounds = std::getenv("SHEAF_TEST_ROUNDS");
  const uint32_t seeds = 150 * (rounds != nullptr ? static_cast<uint32_t>(std::stoul(rounds)) : 1);
  for (uint32_t seed = 1; seed <= seeds; ++seed) {
    const Observed observed = Garbage(seed).run();
    const Inferred inferred = infer_model(observed);
    const model::CompiledModel compiled = model::compile("garbage", inferred.text);
    ASSERT_TRUE(compiled.ok()) << seed << compiled.rendered() << inferred.text;
    std::unique_ptr<Database> database = database_of(observed);
    const Result<void> applied = run::apply_layout(*database, compiled.model, compiled.layouts.front());
    ASSERT_TRUE(applied.ok()) << seed << applied.error().message << inferred.text;
    const Result<run::Audit> audit = run::audit(*database, compiled.model, compiled.layouts.front(), {});
    ASSERT_TRUE(audit.ok()) << seed;
    for (const run::Finding& finding : audit->findings) {
      ADD_FAILURE() << seed << " " << run::name_of(finding.kind) << " " << finding.what << " "
                    << finding.message << "\n"
                    << inferred.text;
    }
    if (HasFailure()) break;
  }
}

}  // namespace
}  // namespace sheaf::infer
