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

std::string problem_of(const std::string& text, bool is_csv) {
  RecordReader reader(source_of(text, 7));
  if (is_csv) reader.read_csv();
  while (true) {
    const Result<std::optional<Record>> record = reader.next();
    if (!record.ok()) return record.error().message;
    if (!*record) return "";
  }
}

TEST(Records, AStrayQuoteIsTheMistakeOfItsRow) {
  EXPECT_EQ(records_of("a,b\n1,5\" pipe\n2,x\n3,y\n", 4, true),
            (std::vector<std::string>{"1:a,b", "2:1,5\" pipe", "3:2,x", "4:3,y"}));
  EXPECT_EQ(records_of("1,\"b\"c\"\n2,x\n", 4, true), (std::vector<std::string>{"1:1,\"b\"c\"", "2:2,x"}));
  EXPECT_EQ(records_of("1,\"a,\"\"\n\"\n2,x\n", 4, true),
            (std::vector<std::string>{"1:1,\"a,\"\"\n\"", "3:2,x"}));
  EXPECT_EQ(problem_of("a,b\n1,\"x\n2,y\n", true),
            "line 2: a quote opens a cell in this row, and nothing closes it");
  EXPECT_EQ(problem_of("a,b\n1,\"x\n2,y\n", false), "");
}

TEST(Records, TheBeginningIsTheFirstLineWithSomethingInIt) {
  const std::string big = R"({"Item":{"pk":{"S":")" + std::string(200'000, 'x') + R"("}}})";
  RecordReader reader(source_of("\xef\xbb\xbf \r\n\n" + big + "\nmore\n", 1000));
  const Result<std::string_view> beginning = reader.beginning();
  ASSERT_TRUE(beginning.ok());
  EXPECT_EQ(*beginning, big);
  EXPECT_EQ(format_of_beginning(*beginning), Format::kDynamoJson);
  const Result<std::optional<Record>> first = reader.next();
  ASSERT_TRUE(first.ok() && *first);
  EXPECT_EQ((*first)->text, big);
  EXPECT_EQ((*first)->line, 3u);
}

std::vector<std::string> objects_of(const std::string& text, size_t at_once) {
  RecordReader reader(source_of(text, at_once));
  reader.read_documents();
  std::vector<std::string> records;
  while (true) {
    const Result<std::optional<Record>> record = reader.next();
    if (!record.ok()) records.push_back(record.error().message);
    if (!record.ok() || !*record) return records;
    records.push_back(std::to_string((*record)->line) + ":" + std::string((*record)->text));
  }
}

TEST(Documents, AreReadAsTheObjectsInThem) {
  using Texts = std::vector<std::string>;
  for (const size_t at_once : {1, 5, 1000}) {
    EXPECT_EQ(objects_of("[{\"a\":1},\n {\"a\":\"]}\\\"\"} ]\n", at_once),
              (Texts{"1:{\"a\":1}", "2:{\"a\":\"]}\\\"\"}"}));
    EXPECT_EQ(objects_of("{\n \"Items\": [\n {\"a\":{\"S\":\"x\"}}, {\"b\":[{}]}\n],\n"
                         "\"Count\": 2, \"ConsumedCapacity\": {\"a\":[]}\n}\n{\"c\":1}",
                         at_once),
              (Texts{"3:{\"a\":{\"S\":\"x\"}}", "3:{\"b\":[{}]}", "7:{\"c\":1}"}));
    EXPECT_EQ(objects_of("{\"Count\":1,\"Items\":[{\"a\":1}]}", at_once), (Texts{"1:{\"a\":1}"}));
    EXPECT_EQ(objects_of("{\"id\":1,\"Items\":[{\"a\":1}]}", at_once),
              (Texts{"1:{\"id\":1,\"Items\":[{\"a\":1}]}"}));
    EXPECT_EQ(objects_of("{\n\"a\": 1\n}\n{\n\"a\": 2}", at_once),
              (Texts{"1:{\n\"a\": 1\n}", "4:{\n\"a\": 2}"}));
    EXPECT_EQ(objects_of("[]", at_once), Texts());
    EXPECT_EQ(objects_of("[{\"a\":1},\n{\"b\"", at_once),
              (Texts{"1:{\"a\":1}", "line 2: the file ends in the midst of an object"}));
    EXPECT_EQ(objects_of("[1]", at_once), (Texts{"line 1: an item is expected here, and there is 1"}));
    EXPECT_EQ(objects_of("[{}", at_once), (Texts{"1:{}", "line 1: the file ends in the midst of a list"}));
  }
  for (const char* document :
       {"[", " [{\"a\":1}]", "{", "{\"Items\": [", "{\"Items\":[{\"a\":1}]}", "{\"a\": {", "{ \"a\":1,"})
    EXPECT_TRUE(begins_document(document)) << document;
  for (const char* line : {"", "a,b", "{\"a\":1}", "{\"Item\":{}}", "{\"a\":1", "{\"id\":1,\"Items\":[{}]}"})
    EXPECT_FALSE(begins_document(line)) << line;
}

TEST(Documents, CanBeGoneOnWithFromAPlace) {
  const std::string text = "{\"Items\":[{\"a\":1},\n{\"a\":2},\n{\"a\":3}],\"Count\":3}";
  RecordReader first(source_of(text, 5));
  first.read_documents();
  ASSERT_TRUE(first.next().ok());
  ASSERT_TRUE(first.next().ok());
  RecordReader second(source_of(text, 5));
  second.read_documents();
  ASSERT_TRUE(second.skip_to(first.place()).ok());
  const Result<std::optional<Record>> record = second.next();
  ASSERT_TRUE(record.ok() && *record);
  EXPECT_EQ((*record)->text, "{\"a\":3}");
  EXPECT_EQ((*record)->line, 3u);
  const Result<std::optional<Record>> end = second.next();
  EXPECT_TRUE(end.ok() && !*end);
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

TEST(Compressed, ByWhatIsNotReadHereIsNamed) {
  const auto problem_with = [](const std::string& beginning) {
    std::string problem;
    all_of(unpacked(source_of(beginning + std::string(100, 'x'), 1000)), &problem);
    return problem;
  };
  EXPECT_NE(problem_with("\xfd"
                         "7zXZ")
                .find("xz"),
            std::string::npos);
  EXPECT_NE(problem_with("BZh91AY&SY").find("bzip2"), std::string::npos);
  EXPECT_EQ(problem_with("BZh9,id\n"), "");
  EXPECT_NE(problem_with("PK\x03\x04").find("zip"), std::string::npos);
  EXPECT_NE(problem_with("\xff\xfe").find("UTF-16"), std::string::npos);
  EXPECT_NE(problem_with("\xfe\xff").find("UTF-16"), std::string::npos);
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
  EXPECT_EQ(*reader.read(R"({"Item":{"a":{"S":"x"}},"ConsumedCapacity":{"TableName":"t"}})"),
            (Item{{"a", "x"}}));
  EXPECT_EQ(*reader.read(R"({"Item":{"S":"x"},"a":{"S":"y"}})"), (Item{{"Item", "x"}, {"a", "y"}}));
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
  EXPECT_EQ(read_header("a,,c", {}).error().message,
            "column 2 has no name: the first row names the attributes");
  EXPECT_NE(read_header("a,b\rx,y\r", {}).error().message.find("carriage return"), std::string::npos);
  EXPECT_FALSE(parse_column_types("a").ok());
  EXPECT_FALSE(parse_column_types("a:X").ok());
  EXPECT_FALSE(parse_column_types("a:S,a:N").ok());
}

TEST(Csv, GuessesOnlyNumbersThatAreWrittenAsTheyWouldBe) {
  TypedItemReader reader;
  const Result<std::vector<Column>> columns = read_header("x", {{"*", {.kind = ColumnType::Kind::kGuess}}});
  ASSERT_TRUE(columns.ok());
  for (const char* text : {"0", "12", "-1.5", "0.25"})
    EXPECT_EQ(*read_row(text, *columns, reader), (Item{{"x", *Number::parse(text)}})) << text;
  for (const char* text : {"01234", "+4179", "1e5", "1.50", "-0", "1."})
    EXPECT_EQ(*read_row(text, *columns, reader), (Item{{"x", text}})) << text;
}

TEST(Csv, HeadsMaySayTheTypes) {
  TypedItemReader reader;
  const Result<std::vector<Column>> columns = read_header(
      "pk,n:N,t:BOOL,m:M,ss:SS,x:any,x:N,time:of,a:N:S,code:N", {{"code", {.type = Type::kString}}});
  ASSERT_TRUE(columns.ok()) << columns.error().message;
  EXPECT_EQ(*read_row(R"(a,5,true,"{""k"":1}","[""v""]","{""S"":""""}",,noon,b,12)", *columns, reader),
            (Item{{"pk", "a"},
                  {"n", 5},
                  {"t", true},
                  {"m", Item{{"k", 1}}},
                  {"ss", Value::string_set({"v"})},
                  {"x", ""},
                  {"time:of", "noon"},
                  {"a:N", "b"},
                  {"code", "12"}}));
  EXPECT_EQ(*read_row("a,,,,,,7", *columns, reader), (Item{{"pk", "a"}, {"x", 7}}));
  EXPECT_EQ(read_row(R"(a,,,,,"{""S"":""y""}",7)", *columns, reader).error().message,
            "two cells say what x is");
  EXPECT_FALSE(read_header("x:N,x:N", {}).ok());
  EXPECT_FALSE(read_header("x,x:S", {}).ok());
  EXPECT_EQ((*read_header(":N", {}))[0].name, ":N");
  EXPECT_EQ((*read_header("a:guess", {}))[0].name, "a:guess");
}

TEST(Csv, NamesThatLookTypedComeBackAsTheyWere) {
  const Item item{{"pk", "a"}, {"age:N", "old"}, {"x:any", 3}};
  ColumnsSeen seen;
  seen.add(item);
  const std::vector<Column> columns = seen.columns({.partition = {{.name = "pk"}}});
  std::string header;
  append_header(header, columns);
  EXPECT_EQ(header, "pk,age:N:S,x:any:N\r\n");
  std::string row;
  ASSERT_TRUE(append_row(row, item, columns).ok());
  TypedItemReader reader;
  const Result<std::vector<Column>> read = read_header("pk,age:N:S,x:any:N", {});
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(*read_row("a,old,3", *read, reader), item);
}

TEST(Csv, AColumnMayBeCalledAsTheOthersAre) {
  EXPECT_EQ(column_key("a"), "a");
  for (const std::string name : {"*", "\\*", "\\\\*", "\\", "**", ""})
    EXPECT_EQ(column_of_key(column_key(name)), name);
  const Result<ColumnTypes> types = parse_column_types(to_text({{column_key("*"), {.type = Type::kNumber}}}));
  ASSERT_TRUE(types.ok());
  const Result<std::vector<Column>> columns = read_header("*,b", *types);
  ASSERT_TRUE(columns.ok());
  EXPECT_EQ((*columns)[0].type.type, Type::kNumber);
  EXPECT_EQ((*columns)[1].type.type, Type::kString);
}

TEST(Csv, BlanksAtTheEndsAreKept) {
  for (const char* text : {"\t", " ", "\tx", "x\t", "x y"}) {
    std::string row;
    append_cell(row, text);
    EXPECT_EQ(records_of(row + "\n", 3, true), (std::vector<std::string>{"1:" + row})) << text;
    EXPECT_EQ((*split_cells(row))[0].text, text);
  }
}

}  // namespace
}  // namespace sheaf::transfer
