#include "programs/value_generator.h"

#include <algorithm>

namespace sheaf::programs {
namespace {

using std::string_literals::operator""s;

Number number(const std::string& text) { return Number::parse(text).value(); }

}  // namespace

const std::vector<KeyAttribute>& index_attributes() {
  static const std::vector<KeyAttribute> attributes = {
      {"gp", Type::kString}, {"gn", Type::kNumber}, {"gb", Type::kBinary},
      {"ls", Type::kString}, {"ln", Type::kNumber}, {"lb", Type::kBinary},
  };
  return attributes;
}

Value ValueGenerator::partition_value(Type type) {
  static const std::vector<std::string> texts = {"a", "b", "ab", "a\0"s, "é", "ORG#1"};
  static const std::vector<std::string> numbers = {"0", "1", "-1", "1.5", "1E20", "-0.001"};
  if (type == Type::kNumber) return number(dice_.pick(numbers));
  const std::string& text = dice_.pick(texts);
  return type == Type::kString ? Value(text) : Value::binary(text + "\xff");
}

Value ValueGenerator::sort_value(Type type) {
  static const std::vector<std::string> texts = {"x", "x#", "x#1",  "x#10",    "x#2",
                                                 "y", "é",  "x\0"s, "x\0\xef"s};
  static const std::vector<std::string> numbers = {"0",      "-1",     "-1.5", "100", "1E100",
                                                   "-1E100", "1E-100", "0.5",  "10"};
  const uint64_t nth = dice_.below(sort_keys_ + texts.size());
  if (type == Type::kNumber)
    return nth < texts.size() ? Value(number(numbers[nth])) : Value(static_cast<int64_t>(nth) - 30);
  std::string text = nth < texts.size() ? texts[nth] : "x#" + std::to_string(nth);
  if (type == Type::kString) return text == "x\0\xef"s ? Value("x\0€"s) : Value(text);
  return Value::binary(text);
}

Value ValueGenerator::index_value(Type type) {
  static const std::vector<std::string> texts = {"p", "q", "p#1", "p\0"s};
  static const std::vector<std::string> numbers = {"1", "2", "-3", "0.25"};
  if (type == Type::kNumber) return number(dice_.pick(numbers));
  return type == Type::kString ? Value(dice_.pick(texts)) : Value::binary(dice_.pick(texts));
}

Value ValueGenerator::odd_value(Type type, uint32_t bytes_max) {
  const std::string longest(bytes_max, 'k'), too_long(bytes_max + 1, 'k');
  switch (dice_.below(5)) {
    case 0:
      return type == Type::kBinary ? Value::binary("") : Value("");
    case 1:
      return type == Type::kBinary ? Value::binary(longest) : Value(longest);
    case 2:
      return type == Type::kBinary ? Value::binary(too_long) : Value(too_long);
    case 3:
      return type == Type::kNumber ? Value("1") : Value(1);
    default:
      return value();
  }
}

Item ValueGenerator::key(const KeySchema& schema, uint32_t oddity) {
  Item key;
  for (const KeyAttribute& attribute : schema.partition)
    key.set(attribute.name, partition_value(attribute.type));
  for (const KeyAttribute& attribute : schema.sort) key.set(attribute.name, sort_value(attribute.type));
  if (dice_.below(1000) >= oddity) return key;
  const bool sort = !schema.sort.empty() && dice_.one_in(2);
  const KeyAttribute& attribute = sort ? schema.sort.front() : schema.partition.front();
  switch (dice_.below(4)) {
    case 0:
      key.remove(attribute.name);
      break;
    case 1:
      key.set("other", Value(1));
      break;
    default:
      key.set(attribute.name, odd_value(attribute.type, sort ? 1024 : 2048));
  }
  return key;
}

Item ValueGenerator::item(const KeySchema& schema, uint32_t oddity, uint32_t index_oddity) {
  Item item = key(schema, oddity);
  for (const KeyAttribute& attribute : index_attributes()) {
    if (item.find(attribute.name) || dice_.percent(30)) continue;
    const bool odd = dice_.below(1000) < index_oddity;
    item.set(attribute.name,
             odd ? odd_value(attribute.type, dice_.one_in(2) ? 1024 : 2048) : index_value(attribute.type));
  }
  if (dice_.percent(80)) item.set("v", small_number());
  if (dice_.percent(40)) item.set("s", text());
  if (dice_.percent(60)) item.set("doc", document(0));
  if (dice_.percent(50)) item.set("list0", Value::list({value(), document(1), small_number()}));
  if (dice_.percent(30)) item.set("tags", set());
  if (dice_.percent(20)) item.set("flag", Value(dice_.one_in(2)));
  if (dice_.percent(10)) item.set("a b.c", value());
  if (dice_.percent(25)) item.set("ttl", expiry_time());
  if (dice_.percent(15)) item.set("pad", padding());
  return item;
}

Value ValueGenerator::small_number() {
  static const std::vector<std::string> numbers = {"0", "1", "2", "-7", "2.5", "1000000", "123456789.125"};
  return number(dice_.pick(numbers));
}

Value ValueGenerator::text() {
  static const std::vector<std::string> texts = {"", "a", "ab", "abc", "é€😀", "x y", "\"quoted\""};
  return Value(dice_.pick(texts));
}

Value ValueGenerator::set() {
  switch (dice_.below(5)) {
    case 0:
      return dice_.one_in(2) ? Value::number_set({1, 2, 30}) : Value::binary_set({"a", "\xff"});
    case 1:
      return Value::string_set({"c", "d"});
    case 2:
      return Value::string_set({"a"});
    default:
      return Value::string_set({"a", "b", "c"});
  }
}

Value ValueGenerator::document(int depth) {
  Item map;
  for (const char* name : {"x", "y", "z"}) {
    if (dice_.percent(30)) continue;
    map.set(name, depth < 2 && dice_.one_in(3) ? document(depth + 1) : value());
  }
  return Value(map);
}

// Around the borders of capacity units; seldom so much that pages and items come to their limits.
Value ValueGenerator::padding() {
  static const std::vector<uint32_t> sizes = {0, 900, 1000, 1024, 2000, 3900, 4096, 5000, 9000};
  if (dice_.below(1000) < 12) return Value(std::string(dice_.one_in(3) ? 409'000 : 300'000, 'p'));
  return Value(std::string(dice_.pick(sizes), 'p'));
}

Value ValueGenerator::expiry_time() {
  switch (dice_.below(8)) {
    case 0:
      return Value(std::to_string(time_s_));  // not a number
    case 1:
      return Value(time_s_ - int64_t{6} * 365 * 86400);  // too long ago
    case 2:
      return Value(number(std::to_string(time_s_ - 5) + ".5"));
    case 3:
      return Value(time_s_ + int64_t{1'000'000'000});
    case 4:
      return Value(-1);
    default:
      return Value(time_s_ - 60 + static_cast<int64_t>(dice_.below(600)));
  }
}

Value ValueGenerator::value() {
  switch (dice_.below(9)) {
    case 0:
      return Value();
    case 1:
      return Value(dice_.one_in(2));
    case 2:
      return Value::binary(dice_.one_in(2) ? "ab" : "");
    case 3:
      return set();
    case 4:
      return Value::list({small_number(), text()});
    case 5:
      return Value(Item{{"x", small_number()}});
    case 6:
      return text();
    default:
      return small_number();
  }
}

DocumentPath ValueGenerator::nested_path() {
  static const std::vector<DocumentPath> paths = {
      {"doc", {"x"s}},       {"doc", {"y"s}},       {"doc", {"z"s, "x"s}},       {"doc", {"z"s, "y"s}},
      {"doc", {"x"s, "x"s}}, {"list0", {0u}},       {"list0", {1u, "x"s}},       {"list0", {2u}},
      {"list0", {7u}},       {"list0", {1u, "z"s}}, {"doc", {"y"s, "z"s, "x"s}}, {"doc", {"x"s, 0u}},
      {"v", {"x"s}},         {"list0", {0u, 1u}}};
  return dice_.pick(paths);
}

DocumentPath ValueGenerator::path() {
  static const std::vector<std::string> names = {"v",  "s",  "doc", "list0", "tags", "flag", "a b.c",  "ttl",
                                                 "gp", "gn", "gb",  "ls",    "ln",   "lb",   "nowhere"};
  if (dice_.percent(35)) return nested_path();
  return {dice_.pick(names), {}};
}

Projection ValueGenerator::projection() {
  Projection projection;
  for (uint64_t left = 1 + dice_.below(4); left > 0; --left) {
    DocumentPath next = dice_.one_in(4) ? DocumentPath{dice_.one_in(2) ? "pk" : "sk", {}} : path();
    if (dice_.one_in(150)) next = {dice_.one_in(2) ? "pk" : "gp", {"x"s}};  // a key has no parts
    const bool clashes = std::any_of(projection.begin(), projection.end(),
                                     [&](const DocumentPath& each) { return paths_clash(each, next); });
    if (!clashes) projection.push_back(std::move(next));
  }
  return projection;
}

}  // namespace sheaf::programs
