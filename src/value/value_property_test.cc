// Random values written, read, decoded and compared with a tree that knows nothing of the flat form.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "sheaf/value.h"

#include "value/random_value.h"

namespace sheaf {
namespace {

constexpr int kValueRounds = 3000;

struct Tree {
  Type type = Type::kNull;
  bool boolean = false;
  Number number;
  std::string bytes;
  std::vector<Tree> list;
  std::map<std::string, Tree> map;
  std::set<std::string> set;
  std::vector<Number> numbers;  // of a number set, ascending
};

Tree random_tree(Random& random, int levels) {
  Tree tree;
  tree.type = static_cast<Type>(random.between(1, 10));
  if (levels <= 1 && (tree.type == Type::kMap || tree.type == Type::kList)) tree.type = Type::kString;
  const int64_t length = random.one_in(50) ? random.between(120, 140) : random.between(0, 6);
  switch (tree.type) {
    case Type::kNull:
      break;
    case Type::kBool:
      tree.boolean = random.one_in(2);
      break;
    case Type::kNumber:
      tree.number = random.number();
      break;
    case Type::kString:
      tree.bytes = random.text(length);
      break;
    case Type::kBinary:
      tree.bytes = random.bytes(length);
      break;
    case Type::kMap:
      for (int64_t i = 0; i < length; ++i) tree.map.emplace(random.text(4), random_tree(random, levels - 1));
      break;
    case Type::kList:
      for (int64_t i = 0; i < length; ++i) tree.list.push_back(random_tree(random, levels - 1));
      break;
    case Type::kStringSet:
    case Type::kBinarySet:
      for (int64_t i = 0; i <= length; ++i) {
        tree.set.insert(tree.type == Type::kStringSet ? random.text(4) : random.bytes(4));
      }
      break;
    case Type::kNumberSet:
      for (int64_t i = 0; i <= length; ++i) tree.numbers.push_back(random.number());
      std::sort(tree.numbers.begin(), tree.numbers.end());
      tree.numbers.erase(std::unique(tree.numbers.begin(), tree.numbers.end()), tree.numbers.end());
      break;
  }
  return tree;
}

template <typename T>
std::vector<T> shuffled(std::vector<T> elements, Random& random) {
  for (size_t i = elements.size(); i > 1; --i) {
    std::swap(elements[i - 1], elements[static_cast<size_t>(random.between(0, static_cast<int64_t>(i) - 1))]);
  }
  return elements;
}

void write(ValueWriter& writer, const Tree& tree, Random& random);

void write_attributes(ValueWriter& writer, const std::map<std::string, Tree>& map, Random& random) {
  std::vector<std::string> names;
  for (const auto& [name, value] : map) names.push_back(name);
  if (random.one_in(2)) names = shuffled(names, random);
  for (const auto& name : names) {
    writer.key(name);
    write(writer, map.at(name), random);
  }
}

void write(ValueWriter& writer, const Tree& tree, Random& random) {
  switch (tree.type) {
    case Type::kNull:
      return writer.null();
    case Type::kBool:
      return writer.boolean(tree.boolean);
    case Type::kNumber:
      return writer.number(tree.number);
    case Type::kString:
      return writer.string(tree.bytes);
    case Type::kBinary:
      return writer.binary(tree.bytes);
    case Type::kMap:
      writer.begin_map();
      write_attributes(writer, tree.map, random);
      return writer.end_map();
    case Type::kList:
      writer.begin_list();
      for (const auto& element : tree.list) write(writer, element, random);
      return writer.end_list();
    case Type::kStringSet:
    case Type::kBinarySet:
      writer.begin_set(tree.type);
      for (const auto& element :
           shuffled(std::vector<std::string>(tree.set.begin(), tree.set.end()), random)) {
        writer.element(element);
      }
      return writer.end_set();
    case Type::kNumberSet:
      writer.begin_set(tree.type);
      for (const auto& element : shuffled(tree.numbers, random)) writer.element(element.encoded());
      return writer.end_set();
  }
}

void expect_same(ValueView view, const Tree& tree);

void expect_same(ItemView item, const std::map<std::string, Tree>& map) {
  ASSERT_EQ(item.size(), map.size());
  auto expected = map.begin();
  for (const auto attribute : item) {
    ASSERT_EQ(attribute.name, expected->first);
    expect_same(attribute.value, expected->second);
    ++expected;
  }
  for (const auto& [name, value] : map) {
    const auto found = item.find(name);
    ASSERT_TRUE(found.has_value());
    ASSERT_EQ(found->type(), value.type);
    ASSERT_EQ(item.contains(name + "?"), map.contains(name + "?"));
  }
}

void expect_same(ValueView view, const Tree& tree) {
  ASSERT_EQ(view.type(), tree.type);
  switch (tree.type) {
    case Type::kNull:
      return;
    case Type::kBool:
      ASSERT_EQ(view.boolean(), tree.boolean);
      return;
    case Type::kNumber:
      ASSERT_EQ(view.number(), tree.number.view());
      return;
    case Type::kString:
    case Type::kBinary:
      ASSERT_EQ(view.bytes(), tree.bytes);
      return;
    case Type::kMap:
      return expect_same(view.map(), tree.map);
    case Type::kList: {
      ASSERT_EQ(view.list().size(), tree.list.size());
      size_t i = 0;
      for (const auto element : view.list()) expect_same(element, tree.list[i++]);
      return;
    }
    case Type::kStringSet:
    case Type::kBinarySet:
      ASSERT_EQ(view.set().size(), tree.set.size());
      ASSERT_TRUE(std::equal(view.set().begin(), view.set().end(), tree.set.begin(), tree.set.end()));
      return;
    case Type::kNumberSet: {
      ASSERT_EQ(view.set().size(), tree.numbers.size());
      size_t i = 0;
      for (const auto element : view.set()) ASSERT_EQ(element, tree.numbers[i++].encoded());
      return;
    }
  }
}

uint32_t expected_size(const Tree& tree) {
  uint32_t size = 0;
  switch (tree.type) {
    case Type::kNull:
    case Type::kBool:
      return 1;
    case Type::kNumber:
      return tree.number.view().size_bytes();
    case Type::kString:
    case Type::kBinary:
      return static_cast<uint32_t>(tree.bytes.size());
    case Type::kMap:
      for (const auto& [name, value] : tree.map)
        size += 1 + static_cast<uint32_t>(name.size()) + expected_size(value);
      return 3 + size;
    case Type::kList:
      for (const auto& element : tree.list) size += 1 + expected_size(element);
      return 3 + size;
    case Type::kStringSet:
    case Type::kBinarySet:
      for (const auto& element : tree.set) size += static_cast<uint32_t>(element.size());
      return size;
    case Type::kNumberSet:
      for (const auto& element : tree.numbers) size += element.view().size_bytes();
      return size;
  }
  return size;
}

int expected_depth(const Tree& tree) {
  int below = 0;
  for (const auto& element : tree.list) below = std::max(below, expected_depth(element));
  for (const auto& [name, value] : tree.map) below = std::max(below, expected_depth(value));
  return 1 + below;
}

TEST(ValueProperty, ValuesReadBackAsTheyWereWritten) {
  SCOPED_TRACE("seed " + std::to_string(test_seed()));
  Random random;
  ValueWriter writer;
  for (int i = 0; i < kValueRounds; ++i) {
    const Tree tree = random_tree(random, 5);
    write(writer, tree, random);
    const auto encoded = writer.finish();
    ASSERT_TRUE(encoded.ok()) << i;
    const auto value = Value::decode(*encoded);
    ASSERT_TRUE(value.ok()) << i << ": " << value.error().message;
    expect_same(*value, tree);
    ASSERT_FALSE(HasFatalFailure()) << i;
    ASSERT_EQ(value->view().size_bytes(), expected_size(tree)) << i;
    ASSERT_EQ(value->view().depth(), expected_depth(tree)) << i;
    // Written once more, in another order: the same bytes.
    write(writer, tree, random);
    ASSERT_EQ(*writer.finish(), *encoded) << i;
    writer.copy(*value);
    ASSERT_EQ(*writer.finish(), *encoded) << i;
  }
}

TEST(ValueProperty, ItemsReadBackAsTheyWereWritten) {
  SCOPED_TRACE("seed " + std::to_string(test_seed()));
  Random random;
  ValueWriter writer;
  for (int i = 0; i < kValueRounds; ++i) {
    Tree tree = random_tree(random, 4);
    tree.map.emplace("always", random_tree(random, 3));
    writer.begin_item();
    write_attributes(writer, tree.map, random);
    writer.end_item();
    const auto encoded = writer.finish();
    ASSERT_TRUE(encoded.ok()) << i;
    const auto item = Item::decode(*encoded);
    ASSERT_TRUE(item.ok()) << i << ": " << item.error().message;
    expect_same(item->view(), tree.map);
    ASSERT_FALSE(HasFatalFailure()) << i;

    Item built;
    for (const auto& [name, value] : tree.map) built.set(name, *item->find(name));
    ASSERT_EQ(built, *item) << i;
    for (const auto& [name, value] : tree.map) built.remove(name);
    ASSERT_EQ(built, Item()) << i;
  }
}

TEST(ValueProperty, DamagedBytesAreRefusedOrStillReadable) {
  SCOPED_TRACE("seed " + std::to_string(test_seed()));
  Random random;
  ValueWriter writer;
  int refused = 0;
  for (int i = 0; i < kValueRounds; ++i) {
    write(writer, random_tree(random, 4), random);
    std::string encoded = *writer.finish();
    const auto place = static_cast<size_t>(random.between(0, static_cast<int64_t>(encoded.size()) - 1));
    encoded[place] = static_cast<char>(encoded[place] ^ (1 << random.between(0, 7)));
    const auto value = Value::decode(encoded);
    refused += value.ok() ? 0 : 1;
    if (value.ok()) {
      ASSERT_EQ(value->view().encoded(), encoded) << i;
      ASSERT_FALSE(value->to_json().empty()) << i;
    }
  }
  EXPECT_GT(refused, kValueRounds / 4);
}

}  // namespace
}  // namespace sheaf
