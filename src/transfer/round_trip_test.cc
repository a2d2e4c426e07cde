// Items that are written in a form and read in it are the same items.
#include <gtest/gtest.h>

#include "transfer/csv_items.h"
#include "transfer/json_items.h"
#include "transfer/plain_items.h"
#include "transfer/random_item.h"
#include "transfer/record_reader.h"

namespace sheaf::transfer {
namespace {

constexpr int kRounds = 2000;

std::string without_break(std::string line) {
  EXPECT_TRUE(line.ends_with('\n'));
  line.pop_back();
  if (line.ends_with('\r')) line.pop_back();
  return line;
}

TEST(RoundTrip, OfTypedJsonIsExact) {
  RandomItems items;
  TypedItemReader reader;
  for (int i = 0; i < kRounds; ++i) {
    const Item item = items.item(i);
    std::string line;
    append_export_line(line, item);
    ASSERT_EQ(line.find('\n'), line.size() - 1);
    Result<Item> read = reader.read(without_break(line));
    ASSERT_TRUE(read.ok()) << line << read.error().message;
    EXPECT_EQ(*read, item) << line;
    read = reader.read(item.to_json());
    ASSERT_TRUE(read.ok()) << item.to_json() << read.error().message;
    EXPECT_EQ(*read, item);
    EXPECT_TRUE(looks_typed(without_break(line))) << line;
  }
}

TEST(RoundTrip, OfPlainJsonIsExact) {
  RandomItems items;
  for (int i = 0; i < kRounds; ++i) {
    const Item item = items.item(i);
    std::string line;
    append_plain_line(line, item);
    ASSERT_EQ(line.find('\n'), line.size() - 1);
    const Result<Item> read = read_plain_item(without_break(line));
    ASSERT_TRUE(read.ok()) << line << read.error().message;
    EXPECT_EQ(*read, item) << line;
    EXPECT_FALSE(looks_typed(line)) << line;
  }
}

TEST(RoundTrip, OfCsvIsExactWithTheTypesThatTheDumpTells) {
  RandomItems random;
  TypedItemReader reader;
  for (int round = 0; round < 50; ++round) {
    std::vector<Item> items;
    ColumnsSeen seen;
    for (int i = 0; i < 20; ++i) {
      items.push_back(random.item(i));
      seen.add(items.back());
    }
    const std::vector<Column> columns =
        seen.columns({.partition = {{.name = "pk"}}, .sort = {{.name = "sk", .type = Type::kNumber}}});
    EXPECT_EQ(columns[0].name, "pk");
    EXPECT_EQ(columns[1].name, "sk");
    std::string file;
    append_header(file, columns);
    ColumnTypes types;
    for (const Column& column : columns) types.emplace(column.name, column.type);
    const Result<ColumnTypes> parsed = parse_column_types(to_text(types));
    ASSERT_TRUE(parsed.ok()) << to_text(types) << parsed.error().message;
    EXPECT_EQ(*parsed, types);
    for (const Item& item : items) ASSERT_TRUE(append_row(file, item, columns).ok());

    RecordReader records(source_of(file, static_cast<size_t>(random.random().between(1, 100))));
    records.read_csv();
    Result<std::optional<Record>> record = records.next();
    ASSERT_TRUE(record.ok() && *record);
    const Result<std::vector<Column>> header = read_header((*record)->text, *parsed);
    ASSERT_TRUE(header.ok()) << header.error().message;
    for (const Item& item : items) {
      record = records.next();
      ASSERT_TRUE(record.ok() && *record);
      const Result<Item> read = read_row((*record)->text, *header, reader);
      ASSERT_TRUE(read.ok()) << (*record)->text << read.error().message;
      EXPECT_EQ(*read, item) << (*record)->text;
    }
    record = records.next();
    EXPECT_TRUE(record.ok() && !*record);
    EXPECT_EQ(records.place().bytes, file.size());
  }
}

}  // namespace
}  // namespace sheaf::transfer
