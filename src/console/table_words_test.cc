#include "console/table_words.h"

#include <gtest/gtest.h>

namespace sheaf::console {
namespace {

const KeyAttribute kPk{.name = "PK"}, kSk{.name = "SK"};

std::string create_refusal(const TableWords& words) {
  const Result<CreateTable> request = create_table_of(words);
  return request.ok() ? "not refused" : request.error().message;
}

TEST(TableWords, MakeATable) {
  const Result<CreateTable> request =
      create_table_of({.table = "app",
                       .key = "PK",
                       .sort = "SK",
                       .global_indexes = {"GSI1=GSI1PK/GSI1SK", "byDate=date:N keys",
                                          "byPlace=country,city/date include title,total", "all=x all"},
                       .local_indexes = {"recent=date"}});
  ASSERT_TRUE(request.ok()) << request.error().message;
  EXPECT_EQ(request->table, "app");
  EXPECT_EQ(request->key, (KeySchema{.partition = {kPk}, .sort = {kSk}}));
  ASSERT_EQ(request->global_indexes.size(), 4u);
  EXPECT_EQ(request->global_indexes[0].key,
            (KeySchema{.partition = {{.name = "GSI1PK"}}, .sort = {{.name = "GSI1SK"}}}));
  const KeyAttribute date{.name = "date", .type = Type::kNumber};
  EXPECT_EQ(request->global_indexes[1].key, (KeySchema{.partition = {date}, .sort = {}}));
  EXPECT_EQ(request->global_indexes[1].projection, ProjectionKind::kKeysOnly);
  // The type that it has elsewhere.
  EXPECT_EQ(request->global_indexes[2].key,
            (KeySchema{.partition = {{.name = "country"}, {.name = "city"}}, .sort = {date}}));
  EXPECT_EQ(request->global_indexes[2].included, (std::vector<std::string>{"title", "total"}));
  EXPECT_EQ(request->global_indexes[3].projection, ProjectionKind::kAll);
  EXPECT_EQ(request->local_indexes[0].key, (KeySchema{.partition = {kPk}, .sort = {date}}));
}

TEST(TableWords, SayWhatIsWrong) {
  EXPECT_EQ(create_refusal({.table = "t", .key = "PK:X"}),
            "\"PK:X\": a key is of type S (text), N (number) or B (binary), and not X");
  EXPECT_EQ(create_refusal({.table = "t", .key = "PK/SK"}),
            "\"PK/SK\": a key of a table is one attribute, as in PK or date:N");
  EXPECT_EQ(create_refusal({.table = "t", .key = ""}), "\"\": the name of a key attribute is missing");
  EXPECT_EQ(create_refusal({.table = "t", .key = "PK", .global_indexes = {"GSI1"}}),
            "\"GSI1\": it wants name=key, as in GSI1=GSI1PK/GSI1SK");
  EXPECT_EQ(create_refusal({.table = "t", .key = "PK", .global_indexes = {"GSI1=a/"}}),
            "\"GSI1=a/\": the name of a key attribute is missing");
  EXPECT_EQ(create_refusal({.table = "t", .key = "PK", .global_indexes = {"GSI1=a some"}}),
            "\"GSI1=a some\": an index has all, keys or include A,B, and not some");
  EXPECT_EQ(create_refusal({.table = "t", .key = "PK", .global_indexes = {"GSI1=a keys b"}}),
            "\"GSI1=a keys b\": there is more than name=keys and what the index has");
  EXPECT_EQ(create_refusal({.table = "t", .key = "PK:N", .global_indexes = {"GSI1=PK:S"}}),
            "PK cannot be both of type N and of type S");
}

TEST(TableWords, AddIndexesWithTheTypesOfTheTable) {
  const TableDescription table{.name = "t",
                               .key = {.partition = {kPk}, .sort = {{.name = "at", .type = Type::kNumber}}}};
  const Result<IndexDeclaration> index = added_index_of("x=kind/at", table);
  ASSERT_TRUE(index.ok());
  EXPECT_EQ(index->key.sort.front().type, Type::kNumber);
  EXPECT_FALSE(added_index_of("x=kind/at:S", table).ok());
}

TEST(TableWords, ReadUnits) {
  const Result<Throughput> units = units_of("5/10");
  ASSERT_TRUE(units.ok());
  EXPECT_EQ(units->read_units, 5);
  EXPECT_EQ(units->write_units, 10);
  for (const char* wrong :
       {"", "5", "5/", "/5", "0/1", "1/0", "a/b", "1/2/3", "-1/1", "99999999999999999999/1"})
    EXPECT_FALSE(units_of(wrong).ok()) << wrong;
}

TEST(TableWords, AreWrittenAsTheyAreRead) {
  const std::vector<IndexDescription> indexes{
      {.name = "a", .key = {.partition = {kPk}, .sort = {}}},
      {.name = "b=c", .key = {.partition = {{.name = "x/y"}, {.name = "z:N"}}, .sort = {kSk}}},
      {.name = "c",
       .key = {.partition = {{.name = "n", .type = Type::kNumber}},
               .sort = {{.name = "b", .type = Type::kBinary}}},
       .projection = ProjectionKind::kKeysOnly},
      {.name = "d e",
       .key = {.partition = {{.name = "\\"}}, .sort = {}},
       .projection = ProjectionKind::kInclude,
       .included = {"a b", "c,d"}}};
  for (const IndexDescription& index : indexes) {
    const Result<IndexDeclaration> again = added_index_of(words_of(index), TableDescription{});
    ASSERT_TRUE(again.ok()) << words_of(index) << ": " << again.error().message;
    EXPECT_EQ(again->name, index.name);
    EXPECT_EQ(again->key, index.key);
    EXPECT_EQ(again->projection, index.projection);
    EXPECT_EQ(again->included, index.included);
  }
}

}  // namespace
}  // namespace sheaf::console
