// Random WHEREs over a table and its indexes: a SELECT finds the items for which they hold, each once, on
// pages of any size. The meaning of a WHERE is worked out here a second time, item by item.
#include <algorithm>
#include <functional>

#include "api/database_fixture.h"
#include "value/random_value.h"

namespace sheaf {
namespace {

// A WHERE as text with its parameters, and what it means.
struct Where {
  std::string text;
  std::vector<Value> parameters;
  std::function<bool(ItemView)> holds;
};

std::strong_ordering order_of(ValueView a, ValueView b) {
  return a.type() == Type::kNumber ? a.number() <=> b.number() : a.bytes() <=> b.bytes();
}

// A table or index: what its key is made of.
struct Source {
  std::string name;  // as FROM says
  std::string partition, sort;
  std::vector<Value> partitions, sorts;  // values that items have there, and a few that none has
};

class RandomWhere {
 public:
  RandomWhere(const Source& source, std::mt19937_64& random) : source_(source), random_(random) {}

  // Most have an equality of the partition key in each alternative, or they would all be scans.
  Where where() {
    switch (pick(6)) {
      case 0:
        return any(3);
      case 1:
        return both(one_partition(), any(2));
      case 2:
        return either(both(one_partition(), any(2)), both(one_partition(), any(2)));
      case 3:
        return either(both(one_partition(), sorts(2)), both(one_partition(), sorts(1)));
      default:
        return both(both(one_partition(), sorts(2)), sorts(1));
    }
  }

 private:
  using Order = std::strong_ordering;
  struct Sign {
    const char* text;
    bool (*holds)(Order);
  };

  uint32_t pick(size_t count) { return static_cast<uint32_t>(random_() % count); }
  const Value& one_of(const std::vector<Value>& values) { return values[pick(values.size())]; }

  static Where joined(Where a, const std::string& word, const Where& b, std::function<bool(ItemView)> holds) {
    a.text = "(" + a.text + word + b.text + ")";
    a.parameters.insert(a.parameters.end(), b.parameters.begin(), b.parameters.end());
    a.holds = std::move(holds);
    return a;
  }
  static Where both(const Where& a, const Where& b) {
    return joined(a, " AND ", b, [a, b](ItemView item) { return a.holds(item) && b.holds(item); });
  }
  static Where either(const Where& a, const Where& b) {
    return joined(a, " OR ", b, [a, b](ItemView item) { return a.holds(item) || b.holds(item); });
  }
  static Where neither(Where a) {
    a.text = "NOT (" + a.text + ")";
    a.holds = [holds = a.holds](ItemView item) { return !holds(item); };
    return a;
  }

  Where tree(int depth, const std::function<Where()>& leaf) {
    switch (depth == 0 ? 0 : pick(7)) {
      case 1:
      case 2:
        return both(tree(depth - 1, leaf), tree(depth - 1, leaf));
      case 3:
      case 4:
        return either(tree(depth - 1, leaf), tree(depth - 1, leaf));
      case 5:
        return neither(tree(depth - 1, leaf));
      default:
        return leaf();
    }
  }
  Where any(int depth) {
    return tree(depth, [this] {
      const uint32_t which = pick(4);
      return which == 0 ? one_partition() : which == 1 ? of_other() : of_sort();
    });
  }
  Where sorts(int depth) {
    return tree(depth, [this] { return of_sort(); });
  }
  Where one_partition() {
    return pick(3) == 0 ? in(source_.partition, source_.partitions)
                        : compared(source_.partition, {"=", [](Order o) { return o == 0; }},
                                   one_of(source_.partitions));
  }
  Where of_other() { return compared("x", sign(), Value(static_cast<int64_t>(pick(3)))); }

  Sign sign() {
    static constexpr Sign kSigns[] = {
        {"=", [](Order o) { return o == 0; }},  {"<", [](Order o) { return o < 0; }},
        {"<=", [](Order o) { return o <= 0; }}, {">", [](Order o) { return o > 0; }},
        {">=", [](Order o) { return o >= 0; }}, {"<>", [](Order o) { return o != 0; }}};
    return kSigns[pick(6)];
  }
  Where of_sort() {
    switch (pick(5)) {
      case 0:
        return in(source_.sort, source_.sorts);
      case 1:
        return between(source_.sort, one_of(source_.sorts), one_of(source_.sorts));
      case 2:
        if (source_.sorts[0].type() != Type::kNumber) return begins_with(source_.sort, one_of(source_.sorts));
        [[fallthrough]];
      default:
        return compared(source_.sort, sign(), one_of(source_.sorts));
    }
  }

  Where compared(const std::string& name, Sign sign, const Value& value) {
    return {.text = name + " " + sign.text + " ?", .parameters = {value}, .holds = [=](ItemView item) {
              return sign.holds(order_of(*item.find(name), value.view()));
            }};
  }
  static Where between(const std::string& name, Value low, Value high) {
    if (order_of(high.view(), low.view()) < 0) std::swap(low, high);
    return {.text = name + " BETWEEN ? AND ?", .parameters = {low, high}, .holds = [=](ItemView item) {
              const ValueView value = *item.find(name);
              return order_of(value, low.view()) >= 0 && order_of(value, high.view()) <= 0;
            }};
  }
  Where in(const std::string& name, const std::vector<Value>& values) {
    std::vector<Value> some = {one_of(values), one_of(values)};
    if (some[0] == some[1]) some.pop_back();
    return {.text = name + (some.size() == 1 ? " IN [?]" : " IN [?, ?]"),
            .parameters = some,
            .holds = [=](ItemView item) {
              return std::any_of(some.begin(), some.end(), [&](const Value& each) {
                return order_of(*item.find(name), each.view()) == 0;
              });
            }};
  }
  static Where begins_with(const std::string& name, Value prefix) {
    std::string bytes(prefix.view().bytes());
    return {.text = "begins_with(" + name + ", ?)", .parameters = {prefix}, .holds = [=](ItemView item) {
              return item.find(name)->bytes().starts_with(bytes);
            }};
  }

  const Source& source_;
  std::mt19937_64& random_;
};

std::vector<Value> texts() {
  return {"", "3", "31", "3\x7f", "3\xc2\x80", "4", "a", "ab", "é", "\U0010ffff", "\U0010ffff!"};
}
std::vector<Value> numbers() {
  std::vector<Value> values;
  for (const char* text : {"-2", "-1.5", "0", "0.001", "1", "10", "2", "1E20"})
    values.emplace_back(Number::parse(text).value());
  return values;
}
std::vector<Value> binaries() {
  std::vector<Value> values;
  for (const char* text : {"3", "31", "3\xff", "3\xff\xff", "4", "\xff", "\xff\xff", "\x7f"})
    values.push_back(Value::binary(text));
  return values;
}

class SelectPropertyTest : public DatabaseTest {
 protected:
  // A table with a sort key of that type, and indexes with the others.
  void create_for(Type type, const std::string& name) {
    CreateTable table = table_of(name, "pk", "sk");
    table.key.sort[0].type = type;
    table.local_indexes = {index_of("strings", "pk", "s"), index_of("decimals", "pk", "n")};
    table.local_indexes[1].key.sort[0].type = Type::kNumber;
    table.global_indexes = {index_of("group_bytes", "g", "b"), index_of("number_sorts", "n", "sk")};
    table.global_indexes[0].key.sort[0].type = Type::kBinary;
    table.global_indexes[1].key.partition[0].type = Type::kNumber;
    table.global_indexes[1].key.sort[0].type = type;
    create(table);
  }

  // Each sort key in two partitions; some items are in no index.
  std::vector<Item> fill(const std::string& table, const std::vector<Value>& sorts) {
    std::vector<Item> items;
    for (const char* pk : {"a", "b"}) {
      for (const Value& sk : sorts) {
        if (sk.view().bytes().empty()) continue;
        Item item{{"pk", pk}, {"sk", sk}, {"x", static_cast<int64_t>(random_() % 3)}};
        if (random_() % 4 > 0) item.set("s", texts()[1 + random_() % 10]);
        if (random_() % 4 > 0) item.set("n", numbers()[random_() % 4]);
        if (random_() % 4 > 0) item.set("b", binaries()[random_() % 8]);
        if (random_() % 4 > 0) item.set("g", Value(random_() % 2 == 0 ? "g1" : "g2"));
        put(table, item);
        items.push_back(std::move(item));
      }
    }
    return items;
  }

  Texts found(const Source& source, const Where& where, uint32_t limit) {
    Texts keys;
    ExecuteStatement request{.statement = {.text = "SELECT * FROM " + source.name + " WHERE " + where.text,
                                           .parameters = where.parameters},
                             .limit = limit};
    do {
      const Result<StatementDone> page = db_->execute_statement(request);
      if (!page.ok()) return {page.error().message};
      for (size_t i = 0; i < page->items.size(); ++i) keys.push_back(key_text(page->items[i]));
      request.next_token = page->next_token;
    } while (request.next_token);
    std::sort(keys.begin(), keys.end());
    return keys;
  }

  static Texts expected(const Source& source, const Where& where, const std::vector<Item>& items) {
    Texts keys;
    for (const Item& item : items) {
      if (item.find(source.partition) && item.find(source.sort) && where.holds(item.view()))
        keys.push_back(key_text(item.view()));
    }
    std::sort(keys.begin(), keys.end());
    return keys;
  }

  static std::string key_text(ItemView item) {
    return Value(*item.find("pk")).to_json() + Value(*item.find("sk")).to_json();
  }

  static bool is_refusal(const Texts& keys) {
    return keys.size() == 1 &&
           (keys[0] == "Overlapping conditions with range keys are not supported in where clause" ||
            keys[0] == "Too many decomposed read operations for a given query.");
  }

  std::mt19937_64 random_{test_seed()};
};

TEST_F(SelectPropertyTest, FindsEachItemOnceThatTheWhereHoldsFor) {
  SCOPED_TRACE("SHEAF_TEST_SEED=" + std::to_string(test_seed()));
  const std::vector<Value> partitions = {"a", "b", "c"}, groups = {"g1", "g2", "g3"};
  struct Case {
    Type type;
    std::string table;
    std::vector<Value> sorts;
  };
  size_t compared = 0, refused = 0;
  for (const Case& each : {Case{Type::kString, "texts", texts()}, Case{Type::kNumber, "numbers", numbers()},
                           Case{Type::kBinary, "binaries", binaries()}}) {
    create_for(each.type, each.table);
    const std::vector<Item> items = fill(each.table, each.sorts);
    settle();
    for (const Source& source : {Source{each.table, "pk", "sk", partitions, each.sorts},
                                 Source{each.table + ".strings", "pk", "s", partitions, texts()},
                                 Source{each.table + ".decimals", "pk", "n", partitions, numbers()},
                                 Source{each.table + ".group_bytes", "g", "b", groups, binaries()},
                                 Source{each.table + ".number_sorts", "n", "sk", numbers(), each.sorts}}) {
      for (int round = 0; round < 250; ++round) {
        const Where where = RandomWhere(source, random_).where();
        const Texts right = expected(source, where, items);
        for (const uint32_t limit : {100u, 1u, static_cast<uint32_t>(2 + random_() % 5)}) {
          const Texts keys = found(source, where, limit);
          ++(is_refusal(keys) ? refused : compared);
          if (is_refusal(keys)) break;
          std::string values;
          for (const Value& value : where.parameters) values += " " + value.to_json();
          ASSERT_EQ(keys, right) << source.name << " " << where.text << values << " limit " << limit;
        }
      }
    }
  }
  EXPECT_GT(compared, 4000u);
  EXPECT_GT(refused, 50u);
}

}  // namespace
}  // namespace sheaf
