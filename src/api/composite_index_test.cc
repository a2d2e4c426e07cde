// Global indexes with several attributes in their keys: composite keys without string concatenation.
#include "api/database_fixture.h"

namespace sheaf {
namespace {

class CompositeIndexTest : public DatabaseTest {
 protected:
  CompositeIndexTest() {
    CreateTable table = table_of("Matches", "id");
    IndexDeclaration index{
        .name = "by_region",
        .key = {.partition = strings({"tournament", "region"}),
                .sort = {{"round", Type::kString}, {"bracket", Type::kString}, {"no", Type::kNumber}}},
        .projection = ProjectionKind::kKeysOnly};
    table.global_indexes = {index};
    create(table);
    for (const char* round : {"final", "semi"}) {
      for (const char* bracket : {"lower", "upper"}) {
        for (const int number : {10, 9, 1}) put("Matches", match(round, bracket, number));
      }
    }
  }
  static Item match(const std::string& round, const std::string& bracket, int number) {
    return {{"id", round + bracket + std::to_string(number)},
            {"tournament", "winter"},
            {"region", "NA-EAST"},
            {"round", round},
            {"bracket", bracket},
            {"no", number}};
  }
  Query of(const std::string& condition,
           std::initializer_list<std::pair<std::string_view, Value>> more = {}) {
    Item values{{":t", "winter"}, {":r", "NA-EAST"}};
    for (const auto& [name, value] : more) values.set(name, value);
    return {.table = "Matches",
            .index = "by_region",
            .key_condition = "tournament = :t AND #r = :r" + condition,
            .names = {{"#r", "region"}},
            .values = values};
  }
  Texts ids(const Query& request) { return column(must(db_->query(request)).items, "id"); }
};

TEST_F(CompositeIndexTest, SortsByOneAttributeAfterTheOther) {
  EXPECT_EQ(ids(of("")),
            (Texts{"finallower1", "finallower9", "finallower10", "finalupper1", "finalupper9", "finalupper10",
                   "semilower1", "semilower9", "semilower10", "semiupper1", "semiupper9", "semiupper10"}));
}

TEST_F(CompositeIndexTest, IsQueriedFromTheLeft) {
  EXPECT_EQ(ids(of(" AND round = :o", {{":o", "semi"}})).size(), 6u);
  EXPECT_EQ(ids(of(" AND round = :o AND bracket = :b", {{":o", "semi"}, {":b", "upper"}})).size(), 3u);
  Query numbers = of(" AND round = :o AND bracket = :b AND #n BETWEEN :x AND :y",
                     {{":o", "semi"}, {":b", "upper"}, {":x", 2}, {":y", 10}});
  numbers.names.emplace_back("#n", "no");
  EXPECT_EQ(ids(numbers), (Texts{"semiupper9", "semiupper10"}));
  EXPECT_EQ(ids(of(" AND begins_with(round, :o)", {{":o", "fin"}})).size(), 6u);
  Query swapped = of(" AND round = :o", {{":o", "final"}});
  swapped.key_condition = "round = :o AND #r = :r AND tournament = :t";
  EXPECT_EQ(ids(swapped).size(), 6u);
}

TEST_F(CompositeIndexTest, RefusesGapsAndEarlyRanges) {
  EXPECT_EQ(
      refusal(db_->query(of(" AND bracket = :b", {{":b", "upper"}}))),
      invalid("RANGE key attributes round must have equality conditions specified in the query because a "
              "condition is present on key attribute bracket"));
  EXPECT_EQ(
      refusal(db_->query(of(" AND round > :o AND bracket = :b", {{":o", "a"}, {":b", "upper"}}))),
      invalid("RANGE key attributes round must have equality conditions specified in the query because a "
              "condition is present on key attribute bracket"));
  Query half = of("");
  half.key_condition = "tournament = :t";
  half.names = {};
  half.values.remove(":r");
  const std::string text = refusal(db_->query(half)).message;
  EXPECT_NE(text.find("HASH"), std::string::npos);
  EXPECT_NE(text.find("equality"), std::string::npos);
}

TEST_F(CompositeIndexTest, IsSparseInEachOfItsAttributes) {
  Item item = match("semi", "upper", 99);
  for (const char* attribute : {"tournament", "region", "round", "bracket", "no"}) {
    Item lacking = item;
    lacking.remove(attribute);
    put("Matches", lacking);
    EXPECT_EQ(must(db_->describe_table("Matches")).indexes[0].item_count, 12) << attribute;
  }
  put("Matches", item);
  EXPECT_EQ(must(db_->describe_table("Matches")).indexes[0].item_count, 13);
  Item wrong = item;
  wrong.set("no", Value("text"));
  wrong.remove("region");  // a wrong type is refused even where the item would not be indexed
  EXPECT_EQ(refusal(db_->put_item({.table = "Matches", .item = wrong})),
            invalid_parameter("Type mismatch for Index Key no Expected: N Actual: S IndexName: by_region"));
}

TEST_F(CompositeIndexTest, PagesWithAllKeyAttributes) {
  Query request = of("");
  request.limit = 5;
  Texts seen;
  do {
    const Page page = must(db_->query(request));
    for (const std::string& id : column(page.items, "id")) seen.push_back(id);
    if (page.last_key) {
      EXPECT_EQ(page.last_key->view().size(), 6u);
    }
    request.start_key = page.last_key;
  } while (request.start_key);
  EXPECT_EQ(seen, ids(of("")));
  request.start_key = Item{{"id", "x"}, {"tournament", "winter"}, {"region", "NA-EAST"}};
  EXPECT_EQ(refusal(db_->query(request)), invalid("The provided starting key is invalid"));
}

TEST_F(CompositeIndexTest, HasAtMostFourAttributesOfEachKind) {
  const auto declared = [](std::vector<KeyAttribute> partition, std::vector<KeyAttribute> sort,
                           std::string name) {
    CreateTable table = table_of(std::move(name), "id");
    table.global_indexes = {
        {.name = "gsi", .key = {.partition = std::move(partition), .sort = std::move(sort)}}};
    return table;
  };
  const auto four = strings({"a", "b", "c", "d"});
  create(declared(four, strings({"e", "f", "g", "h"}), "Most"));
  EXPECT_EQ(refusal(db_->create_table(declared(strings({"a", "b", "c", "d", "e"}), {}, "More"))),
            invalid_parameter("The KeySchema exceeds the maximum allowed number of HASH key attributes"));
  EXPECT_EQ(refusal(db_->create_table(declared(strings({"x"}), strings({"a", "b", "c", "d", "e"}), "More"))),
            invalid_parameter("The KeySchema exceeds the maximum allowed number of RANGE key attributes"));
  EXPECT_EQ(refusal(db_->create_table(declared(strings({"a", "b"}), strings({"a"}), "More"))),
            invalid("The KeySchema contains multiple key attributes with the same name"));
}

}  // namespace
}  // namespace sheaf
