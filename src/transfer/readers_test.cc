// What is wrong with files, and what is not.
#include <gtest/gtest.h>

#include "transfer/byte_source.h"
#include "transfer/csv_fields.h"
#include "transfer/csv_items.h"
#include "transfer/format.h"
#include "transfer/json_items.h"
#include "transfer/output_file.h"
#include "transfer/plain_items.h"
#include "transfer/record_reader.h"

namespace sheaf::transfer {
namespace {

std::vector<std::string> records_of(const std::string& text, size_t at_once, bool is_csv = false) {
  RecordReader reader(source_of(text, at_once));
  if (is_csv) reader.read_csv();
  std::vector<std::string> records;
  while (true) {
    const Result<std::optional<Record>> record = reader.next();
    EXPECT_TRUE(record.ok());
    if (!record.ok() || !*record) return records;
    records.push_back(std::to_string((*record)->line) + ":" + std::string((*record)->text));
  }
}

std::string all_of(std::unique_ptr<ByteSource> source, std::string* problem = nullptr) {
  std::string all;
  while (true) {
    const Result<std::string_view> part = source->next();
    if (!part.ok() && problem != nullptr) *problem = part.error().message;
    if (!part.ok() || part->empty()) return all;
    all += *part;
  }
}

TEST(Records, AreLinesWithTheirNumbersWhateverThePieces) {
  for (const size_t at_once : {1, 2, 3, 100}) {
    EXPECT_EQ(records_of("a\n\nb\r\n  \nc", at_once), (std::vector<std::string>{"1:a", "3:b", "5:c"}));
    EXPECT_EQ(records_of("\xef\xbb\xbf"
                         "a\n",
                         at_once),
              (std::vector<std::string>{"1:a"}));
    EXPECT_EQ(records_of("", at_once), std::vector<std::string>());
    EXPECT_EQ(records_of("a,\"b\nc\"\"\n\"\r\nd\n", at_once, true),
              (std::vector<std::string>{"1:a,\"b\nc\"\"\n\"", "4:d"}));
  }
}

TEST(Records, CanBeGoneOnWithFromAPlace) {
  const std::string text = "one\ntwo\nthree\n";
  RecordReader first(source_of(text, 5));
  ASSERT_TRUE(first.next().ok());
  const Place place = first.place();
  EXPECT_EQ(place, (Place{.bytes = 4, .lines = 1}));
  RecordReader second(source_of(text, 5));
  ASSERT_TRUE(second.skip_to(place).ok());
  const Result<std::optional<Record>> record = second.next();
  ASSERT_TRUE(record.ok() && *record);
  EXPECT_EQ((*record)->text, "two");
  EXPECT_EQ((*record)->line, 2u);
  RecordReader shorter(source_of("one", 5));
  EXPECT_FALSE(shorter.skip_to(place).ok());
}

TEST(Records, ThatNeverEndAreRefused) {
  RecordReader reader(source_of(std::string(kRecordBytesMax + 100'000, 'x'), 1 << 20));
  const Result<std::optional<Record>> record = reader.next();
  ASSERT_FALSE(record.ok());
  EXPECT_EQ(record.error().message, "line 1 is longer than 16 MB");
}

TEST(Compressed, IsFoundByItsContents) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += std::to_string(i) + "\n";
  for (const Compression compression : {Compression::kNone, Compression::kGzip, Compression::kZstd}) {
    const std::string one = packed(text, compression);
    for (const size_t at_once : {7, 1000, 1'000'000}) {
      EXPECT_EQ(all_of(unpacked(source_of(one, at_once))), text) << name_of(compression);
      EXPECT_EQ(all_of(unpacked(source_of(one + packed("end", compression), at_once))), text + "end");
    }
    EXPECT_EQ(all_of(unpacked(source_of(packed("", compression), 10))), "");
    if (compression == Compression::kNone) continue;
    std::string problem;
    all_of(unpacked(source_of(one.substr(0, one.size() - 3), 1000)), &problem);
    EXPECT_EQ(problem, "the compressed data is cut off");
    std::string damaged = one;
    damaged[damaged.size() / 2] ^= 0x55;
    problem.clear();
    all_of(unpacked(source_of(damaged, 1000)), &problem);
    EXPECT_FALSE(problem.empty()) << name_of(compression);
  }
}

TEST(Format, IsFoundByTheFirstRecord) {
  EXPECT_EQ(format_of_beginning(R"({"Item":{"pk":{"S":"a"}}})"), Format::kDynamoJson);
  EXPECT_EQ(format_of_beginning(R"({"pk":{"S":"a"},"n":{"N":"1"}})"), Format::kDynamoJson);
  EXPECT_EQ(format_of_beginning(R"({"pk":"a"})"), Format::kPlainJson);
  EXPECT_EQ(format_of_beginning(R"({"pk":"a","map":{"S":"a"}})"), Format::kPlainJson);
  EXPECT_EQ(format_of_beginning("pk,sk"), Format::kCsv);
  EXPECT_EQ(format_of_beginning("\"pk\",sk"), Format::kCsv);
  EXPECT_EQ(form_of_path("a.csv.gz").format, Format::kCsv);
  EXPECT_EQ(form_of_path("a.csv.gz").compression, Compression::kGzip);
  EXPECT_EQ(form_of_path("a.jsonl.zst").compression, Compression::kZstd);
}

TEST(TypedItems, AreReadBareAndAsExportsHaveThem) {
  TypedItemReader reader;
  const Item item{{"Item", "x"}};
  EXPECT_EQ(*reader.read(R"({"Item":{"Item":{"S":"x"}}})"), item);
  EXPECT_EQ(*reader.read(R"({"Item":{"S":"x"}})"), item);
  EXPECT_EQ(*reader.read(R"({"Item":{"S":{"S":"x"}}})"), (Item{{"S", "x"}}));
  for (const char* wrong :
       {"", "3", "[]", "{", R"({"a":3})", R"({"a":{"X":"1"}})", R"({"a":{"SS":[]}})", R"({"a":{"N":"1x"}})",
        R"({"a":{"B":"?"}})", R"({"a":{"S":"x"}} {"b":1})", "{\"a\":{\"S\":\"\xff\"}}"}) {
    EXPECT_FALSE(reader.read(wrong).ok()) << wrong;
  }
  EXPECT_EQ(reader.read(R"({"a":{"SS":[]}})").error().message,
            "One or more parameter values were invalid: An string set  may not be empty");
}

TEST(PlainItems, MarkWhatJsonHasNoFormFor) {
  const Item item{
      {"b", Value::binary("hi")}, {"s", Value::string_set({"a", "b"})}, {"m", Value(Item{{"$B", "x"}})}};
  std::string line;
  append_plain_line(line, item);
  EXPECT_EQ(line, "{\"b\":{\"$B\":\"aGk=\"},\"m\":{\"$M\":{\"$B\":\"x\"}},\"s\":{\"$SS\":[\"a\",\"b\"]}}\n");
  EXPECT_EQ(*read_plain_item(line), item);
  for (const char* wrong :
       {"3", "[]", "", R"({"a":{"$B":3}})", R"({"a":{"$B":"?"}})", R"({"a":{"$SS":[]}})",
        R"({"a":{"$SS":["a","a"]}})", R"({"a":{"$NS":["1"]}})", R"({"a":1,"a":2})", R"({"":1})"}) {
    EXPECT_FALSE(read_plain_item(wrong).ok()) << wrong;
  }
}

TEST(Csv, IsSplitAsRfc4180Says) {
  const auto texts = [](std::string_view record) {
    std::string all;
    const Result<std::vector<Cell>> cells = split_cells(record);
    if (!cells.ok()) return cells.error().message;
    for (const Cell& cell : *cells) all += (cell.is_quoted ? "'" : "") + cell.text + "|";
    return all;
  };
  EXPECT_EQ(texts("a,,\"\",\"x\"\"y\",\"a,b\""), "a||'|'x\"y|'a,b|");
  EXPECT_EQ(texts(""), "|");
  EXPECT_EQ(texts("a,"), "a||");
  EXPECT_EQ(texts("\"a"), "cell 1 begins with a quote that nothing ends");
  EXPECT_EQ(texts("a,\"b\"c"), "there is text behind the quotes of cell 2");
  EXPECT_EQ(texts("a\"b"), "there is a quote inside of cell 1, which does not begin with one");
}

TEST(Csv, CellsHaveTheTypesOfTheirColumns) {
  TypedItemReader reader;
  const Result<ColumnTypes> types =
      parse_column_types("n:N,b:B,t:BOOL,m:M,l:L,ss:SS,ns:NS,bs:BS,x:any,g:guess,z:NULL");
  ASSERT_TRUE(types.ok());
  const Result<std::vector<Column>> columns = read_header("pk,n,b,t,m,l,ss,ns,bs,x,g,z", *types);
  ASSERT_TRUE(columns.ok());
  const Result<Item> item = read_row(
      "007,1.50,aGk=,true,\"{\"\"a\"\":1}\",\"[1,\"\"x\"\"]\",\"[\"\"a\"\"]\",[2],\"[\"\"aGk=\"\"]\",\"{"
      "\"\"N\"\":\"\"5\"\"}\",12,null",
      *columns, reader);
  ASSERT_TRUE(item.ok()) << item.error().message;
  EXPECT_EQ(*item, (Item{{"pk", "007"},
                         {"n", *Number::parse("1.5")},
                         {"b", Value::binary("hi")},
                         {"t", true},
                         {"m", Item{{"a", 1}}},
                         {"l", Value::list({1, "x"})},
                         {"ss", Value::string_set({"a"})},
                         {"ns", Value::number_set({Number(2)})},
                         {"bs", Value::binary_set({"hi"})},
                         {"x", 5},
                         {"g", 12},
                         {"z", Value()}}));
  EXPECT_EQ(read_row("a,", *columns, reader)->encoded(), (Item{{"pk", "a"}}).encoded());
  EXPECT_EQ(read_row("a,x", *columns, reader).error().message.substr(0, 3), "n: ");
  EXPECT_FALSE(read_row(std::string(20, ','), *columns, reader).ok());
  EXPECT_FALSE(read_row("a,,,,,,[]", *columns, reader).ok());
  EXPECT_FALSE(read_header("a,a", {}).ok());
  EXPECT_FALSE(read_header("a,", {}).ok());
  EXPECT_FALSE(parse_column_types("a").ok());
  EXPECT_FALSE(parse_column_types("a:X").ok());
  EXPECT_FALSE(parse_column_types("a:S,a:N").ok());
}

}  // namespace
}  // namespace sheaf::transfer
