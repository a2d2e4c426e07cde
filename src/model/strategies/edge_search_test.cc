#include "model/strategies/edge_search.h"

#include "model/advice/advice_fixture.h"

namespace sheaf::model {
namespace {

// Places by their parts, and who lives there on which floor.
std::string town(const std::string& patterns, const std::string& via = "graph") {
  return "entity Student { id id; name } entity Place { country id; state id; city id }\n"
         "rel Place 1--* Student as residents / home { size max 40; edge { floor int; since date }; via " +
         via + " }\n" + patterns;
}

const std::string kByCountry = "pattern c(c: string) = Student where home.country = $c page 9 {}\n";
const std::string kByState =
    "pattern s(c: string, s: string) = Student where home.country = $c and home.state = $s page 9 {}\n";
const std::string kByFloor = "pattern f(p: Place, f: int) = $p.residents where edge.floor = $f {}\n";

// The key of the edges, then those of their indexes: "pk / sk".
std::vector<std::string> keys(const std::string& body) {
  const AdviceSubject subject(body);
  EXPECT_EQ(subject.rendered(), "");
  const Layout& layout = subject.layout();
  const ItemKind& edge = layout.item_kinds[*layout.relations[0].edge_kind];
  std::vector<std::string> found = {edge.pk.text() + " / " + edge.sk->text()};
  for (const IndexEntry& entry : edge.entries) found.push_back(entry.pk.text() + " / " + entry.sk->text());
  return found;
}

TEST(EdgeSearches, HaveKeysThatAreLedByThem) {
  EXPECT_EQ(
      keys(town(kByState)),
      (std::vector<std::string>{"STUDENT#<residents.id> / HOME#<home.country>#<home.state>#<home.city>",
                                "STATE#<home.country>#<home.state> / RESIDENTS#<home.city>#<residents.id>"}));
  EXPECT_EQ(keys(town(kByFloor)),
            (std::vector<std::string>{
                "STUDENT#<residents.id> / HOME#<home.country>#<home.state>#<home.city>",
                "PLACE#<home.country>#<home.state>#<home.city> / RESIDENTS#<floor>#<residents.id>"}));
}

TEST(EdgeSearches, ThatAreLedByLessServeThoseThatSayMore) {
  EXPECT_EQ(keys(town(kByState + kByCountry)),
            (std::vector<std::string>{
                "STUDENT#<residents.id> / HOME#<home.country>#<home.state>#<home.city>",
                "COUNTRY#<home.country> / RESIDENTS#<home.state>#<home.city>#<residents.id>"}));
  EXPECT_EQ(keys(town(kByCountry + kByFloor)).size(), 3U) << "neither serves the other";
}

TEST(EdgeSearches, LeaveEdgesWhereStrongPatternsFindThem) {
  const std::vector<std::string> found =
      keys(town(kByCountry + "pattern all(p: Place) = $p.residents strong"));
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0], "PLACE#<home.country>#<home.state>#<home.city> / RESIDENTS#<residents.id>");
  EXPECT_EQ(found[1], "COUNTRY#<home.country> / RESIDENTS#<home.state>#<home.city>#<residents.id>");
  EXPECT_EQ(found[2], "STUDENT#<residents.id> / HOME#<home.country>#<home.state>#<home.city>");
}

TEST(EdgeSearches, ChangeNothingOfPlainEdgesAndOfGraphsThatNobodySearches) {
  EXPECT_EQ(keys(town(kByFloor, "edges pk many")).back(),
            "PLACE#<home.country>#<home.state>#<home.city> / RESIDENTS#<residents.id>");
  const std::string plain = "pattern p(p: Place) = $p.residents {} pattern s(s: Student) = $s.home strong";
  EXPECT_EQ(keys(town(plain)), keys(town(plain, "edges")));
}

}  // namespace
}  // namespace sheaf::model
