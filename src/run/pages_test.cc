// Lists in pages, and cursors between them.
#include <gtest/gtest.h>

#include "api/forwarding_database.h"
#include "run/running_model.h"
#include "run/tables.h"

namespace sheaf::run {
namespace {

constexpr std::string_view kPagesShop = R"(model shop {
  table app { pk PK; sk SK; tag Type; gsi GSI1 GSI1PK / GSI1SK keys; gsi GSI2 GSI2PK / GSI2SK include(total) }
  entity Customer { id id; name; key "C#<id>" / "C#<id>" }
  entity Order { id id; at date; total number; state enum(NEW, SENT) changes often; note string?;
    key "O#<id>" / "O#<id>";
    index GSI1 "C#<customer.id>" / "<at>#<id>";
    index GSI2 "S#<state>" / "<at>#<id>" }
  rel Customer 1--* Order as orders / customer { via index on GSI1; size avg 50 unbounded; required }
  pattern newest(c: Customer) = $c.orders order at desc page 3
  pattern recent(c: Customer, from: date) = $c.orders where at >= $from order at page 2 { total }
  pattern large(c: Customer) = $c.orders filter total > 40 order at page 2 reads max 1000
  pattern ids(c: Customer) = $c.orders page 4 {}
  pattern totals(s: enum(NEW, SENT)) = Order where state = $s order at page 2 { total }
  pattern last(c: Customer) = $c.orders order at desc limit 2
})";

std::string pages_shop_data() {
  std::string orders;
  for (int i = 1; i <= 10; ++i) {
    const std::string n = std::to_string(i);
    orders += (i > 1 ? ", " : "") + ("{ \"id\": \"o" + n) + "\", \"customer\": \"c1\", \"at\": \"2026-01-" +
              (i < 10 ? "0" : "") + n + "\", \"total\": " + std::to_string(i * 10) + ", \"state\": \"" +
              (i % 2 == 0 ? "NEW" : "SENT") + "\" }";
  }
  return R"({ "Customer": [{ "id": "c1", "name": "Ann" }, { "id": "c2", "name": "Bob" }], "Order": [)" +
         orders + "] }";
}

// The ids of all pages, a page a line.
std::string pages(RunningModel& model, std::string_view pattern, const std::vector<std::string>& arguments) {
  std::string out;
  std::optional<std::string> cursor;
  for (int page = 0; page < 20; ++page) {
    const auto reply = model.session().read(pattern, from_json(arguments), cursor.value_or(""));
    if (!reply.ok()) return out + "error: " + reply.error().message;
    for (const Value& document : reply->documents)
      out += std::string(document.view().map().find("id")->bytes()) + " ";
    out += "\n";
    cursor = reply->cursor;
    if (!cursor) return out;
  }
  return out + "endless";
}

// A17, D5: pages in the order of a key, forwards and backwards, each order once.
TEST(Pages, FollowTheOrderOfTheirKeys) {
  RunningModel shop{std::string(kPagesShop), pages_shop_data()};
  EXPECT_EQ(pages(shop, "newest", {"\"c1\""}), "o10 o9 o8 \no7 o6 o5 \no4 o3 o2 \no1 \n");
  EXPECT_EQ(pages(shop, "recent", {"\"c1\"", "\"2026-01-07\""}), "o7 o8 \no9 o10 \n\n");
  EXPECT_EQ(pages(shop, "newest", {"\"c2\""}), "\n");
  EXPECT_EQ(pages(shop, "last", {"\"c1\""}), "o10 o9 \n") << "a limit ends";
}

TEST(Pages, AreFullBehindAFilter) {
  RunningModel shop{std::string(kPagesShop), pages_shop_data()};
  EXPECT_EQ(pages(shop, "large", {"\"c1\""}), "o5 o6 \no7 o8 \no9 o10 \n");
}

// A cut inside what was read goes on behind the last document, not behind the last item.
TEST(Pages, AnIndexThatDoesNotHoldAllCostsABatch) {
  RunningModel shop{std::string(kPagesShop), pages_shop_data()};
  shop.ask("newest", {"\"c1\""});
  EXPECT_EQ(shop.figures().requests, 2u) << "a Query of keys and a BatchGetItem";
  shop.ask("ids", {"\"c1\""});
  EXPECT_EQ(shop.figures().requests, 1u) << "the keys say it all";
  EXPECT_EQ(shop.ask("totals", {"\"NEW\""}), "{\"id\":\"o2\",\"total\":20}\n{\"id\":\"o4\",\"total\":40}\n");
  EXPECT_EQ(shop.figures().requests, 1u) << "the index includes the total";
}

TEST(Pages, CursorsSurviveAReopenedSession) {
  RunningModel shop{std::string(kPagesShop), pages_shop_data()};
  shop.ask("newest", {"\"c1\""});
  const std::string cursor = *shop.cursor();
  const auto again = Session::open(shop.database(), shop.planned(), shop.layout_id());
  ASSERT_TRUE(again.ok());
  const auto reply = (*again)->read("newest", from_json({"\"c1\""}), cursor);
  ASSERT_TRUE(reply.ok()) << reply.error().message;
  EXPECT_EQ(reply->documents.front().view().map().find("id")->bytes(), "o7");
}

TEST(Pages, CursorsOfOtherParametersOrPatternsAreRefused) {
  RunningModel shop{std::string(kPagesShop), pages_shop_data()};
  shop.ask("newest", {"\"c1\""});
  const std::string cursor = *shop.cursor();
  EXPECT_EQ(shop.ask("newest", {"\"c2\""}, cursor),
            "error: this cursor cannot be used: it was given for other parameters");
  EXPECT_EQ(
      shop.ask("ids", {"\"c1\""}, cursor),
      "error: this cursor cannot be used: the model has changed since it was given; begin again without it");
}

TEST(Pages, ForgedCursorsAreRefused) {
  RunningModel shop{std::string(kPagesShop), pages_shop_data()};
  shop.ask("newest", {"\"c1\""});
  const std::string cursor = *shop.cursor();
  for (size_t i = 0; i < cursor.size(); ++i) {
    std::string forged = cursor;
    forged[i] = forged[i] == 'A' ? 'B' : 'A';
    // The last character may hold bits that mean nothing.
    if (i + 1 == cursor.size()) continue;
    EXPECT_TRUE(shop.ask("newest", {"\"c1\""}, forged).starts_with("error: this cursor cannot be used")) << i;
  }
  EXPECT_TRUE(shop.ask("newest", {"\"c1\""}, "nonsense").starts_with("error: this cursor"));
  RunningModel other{std::string(kPagesShop), pages_shop_data()};
  EXPECT_EQ(other.ask("newest", {"\"c1\""}, cursor),
            "error: this cursor cannot be used: it was changed, or comes from another database");
}

// A list that no key sorts is read whole, sorted, and given in pages all the same.
TEST(Pages, OfListsThatAreSortedAfterwards) {
  RunningModel shop{R"(model git {
    entity User { id id; name }
    entity Repo { id id; stars int }
    rel User *--* Repo as repos / users { via ids repos; size of repos max 90 }
    pattern best(u: User) = $u.repos order stars desc page 2
    pattern some(u: User) = $u.repos page 2
  })",
                    R"({ "User": [{ "id": "u1", "name": "Ann" }],
    "Repo": [{ "id": "a", "stars": 1 }, { "id": "b", "stars": 5 }, { "id": "c", "stars": 5 }, { "id": "d", "stars": 3 }, { "id": "e", "stars": 9 }],
    "links": { "User.repos": [["u1", "d"], ["u1", "a"], ["u1", "b"], ["u1", "e"], ["u1", "c"]] } })"};
  EXPECT_EQ(pages(shop, "best", {"\"u1\""}), "e c \nb d \na \n");
  EXPECT_EQ(pages(shop, "some", {"\"u1\""}), "a b \nc d \ne \n");
}

// Where nothing but an id, or an edge, tells one from another, a page may end between them.
TEST(Pages, OfListsThatAreSortedAfterwardsEndAnywhere) {
  RunningModel model{R"(model shelf {
    entity Reader { id id; rank int? }
    entity Book { id id; rank int? }
    rel Reader *--* Book as books / readers { edge { role id; n int? }; size of books max 90; size of readers max 90; via lists }
    layout edges { rel Reader.books via edges }
    pattern all(r: Reader) = $r.books page 1
    pattern up(r: Reader) = $r.books order rank page 1
    pattern down(r: Reader) = $r.books order rank desc page 1
  })",
                     R"({ "Reader": [{ "id": "r" }],
    "Book": [{ "id": "a" }, { "id": "b", "rank": 1 }, { "id": "c", "rank": 1 }, { "id": "d" }],
    "links": { "Reader.books": [["r", "a", { "role": "x" }], ["r", "b", { "role": "x" }], ["r", "b", { "role": "y" }],
      ["r", "b", { "role": "z" }], ["r", "c", { "role": "x" }], ["r", "d", { "role": "x" }], ["r", "d", { "role": "y" }]] } })"};
  EXPECT_EQ(pages(model, "all", {"\"r\""}), "a \nb \nb \nb \nc \nd \nd \n");
  EXPECT_EQ(pages(model, "up", {"\"r\""}), "a \nd \nd \nb \nb \nb \nc \n") << "without a value first";
  EXPECT_EQ(pages(model, "down", {"\"r\""}), "c \nb \nb \nb \nd \nd \na \n") << "and last";
}

// Over several partitions a page ends in one of them.
TEST(Pages, GoOnFromPartitionToPartition) {
  std::string data = R"({ "Org": [{ "id": "o" }], "Team": [)";
  for (int i = 1; i <= 3; ++i)
    data += (i > 1 ? ", " : "") + ("{ \"id\": \"t" + std::to_string(i)) + "\", \"org\": \"o\" }";
  data += R"(], "Member": [)";
  for (int i = 1; i <= 9; ++i)
    data += (i > 1 ? ", " : "") + ("{ \"id\": \"m" + std::to_string(i)) + "\", \"team\": [\"o\", \"t" +
            std::to_string((i - 1) / 3 + 1) + "\"] }";
  data += "] }";
  RunningModel orgs{R"(model orgs {
    table app { pk PK; sk SK; tag Type; gsi GSI1 GSI1PK / GSI1SK }
    entity Org { id id; key "ORG#<id>" / "ORG" }
    entity Team within org { id id; key "ORG#<org.id>" / "TEAM#<id>" }
    entity Member { id id; key "M#<id>" / "M"; index GSI1 "T#<team.org.id>#<team.id>" / "M#<id>" }
    rel Org 1--* Team as teams / org { via collection; size max 20 }
    rel Team 1--* Member as members / team { via index on GSI1; size max 90; required }
    pattern all(o: Org) = $o.teams.members page 4
  })",
                    data};
  EXPECT_EQ(pages(orgs, "all", {"\"o\""}), "m1 m2 m3 m4 \nm5 m6 m7 m8 \nm9 \n");
}

constexpr const char* kSnapshotModel = R"(model hr {
    entity Department { id id; name }
    entity Employee { id id; name }
    rel Department 1--* Employee as staff / department { via ref; required; size max 90 }
    pattern both(d: Department, e: Employee) = $e snapshot budget 1 request
  })";
constexpr const char* kSnapshotData =
    R"({ "Department": [{ "id": "d", "name": "D" }], "Employee": [{ "id": "e", "name": "E", "department": "d" }] })";

// D8: all items of one moment.
TEST(Reader, ASnapshotIsOneTransaction) {
  RunningModel hr{kSnapshotModel, kSnapshotData};
  EXPECT_EQ(hr.ask("both", {"\"d\"", "\"e\""}), "{\"id\":\"e\",\"name\":\"E\"}\n");
  EXPECT_EQ(hr.figures().units, 2) << "a transaction costs double";
}

// Of one whose items are all there, what is read together is cancelled for these reasons.
class CancelledReads final : public ForwardingDatabase {
 public:
  CancelledReads(Database& inner, CancellationReason reason)
      : ForwardingDatabase(inner), reason_(std::move(reason)) {}
  Result<TransactGot> transact_get_items(const TransactGetItems& request) override {
    TransactGot got{.applied = false};
    got.reasons.resize(request.gets.size());
    got.reasons.back() = reason_;
    return got;
  }

 private:
  const CancellationReason reason_;
};

TEST(Reader, ASnapshotThatIsNotGivenSaysWhy) {
  RunningModel hr{kSnapshotModel, kSnapshotData};
  using Reason = CancellationReason::Code;
  for (const auto& [reason, code] : {std::pair(Reason::kThroughputExceeded, Code::kThroughputExceeded),
                                     {Reason::kThrottled, Code::kThrottled},
                                     {Reason::kValidationError, Code::kInvalid},
                                     {Reason::kConflict, Code::kConflict}}) {
    CancelledReads database(hr.database(), {.code = reason, .message = "why"});
    const auto session = Session::open(database, hr.planned(), 0);
    ASSERT_TRUE(session.ok());
    const auto reply = (*session)->read("both", from_json({"\"d\"", "\"e\""}));
    ASSERT_FALSE(reply.ok());
    EXPECT_EQ(reply.error().code, code) << reply.error().message;
    EXPECT_EQ(reply.error().message == "why", code != Code::kConflict);
  }
}

// C11, D12: what is stored stays where it is until somebody moves it.
TEST(Apply, RefusesWhatWouldMoveItems) {
  const std::string before = R"(model m { table app { pk PK; sk SK; tag T }
    entity A { id id; name; key "A#<id>" / "A" } pattern a(a: A) = $a })";
  const std::string after = R"(model m { table app { pk PK; sk SK; tag T }
    entity A { id id; name; key "A_<id>" / "A" } pattern a(a: A) = $a })";
  const std::string more = R"(model m { table app { pk PK; sk SK; tag T }
    entity A { id id; name; key "A#<id>" / "A" } entity B { id id; key "B#<id>" / "B" } pattern a(a: A) = $a })";
  RunningModel running(before, R"({ "A": [{ "id": "1", "name": "n" }] })");
  const auto compiled = [](const std::string& text) {
    return plan::plan_model(model::compile("m.sheaf", text));
  };
  const plan::PlannedModel changed = compiled(after), grown = compiled(more);
  const auto refused = apply_layout(running.database(), changed.compiled.model, changed.compiled.layouts[0]);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(
      refused.error().message.find(
          "A was in app tag \"A\" key \"A#<id>\" / \"A\", and is in app tag \"A\" key \"A_<id>\" / \"A\""),
      std::string::npos)
      << refused.error().message;
  EXPECT_FALSE(Session::open(running.database(), changed, 0).ok());
  EXPECT_TRUE(apply_layout(running.database(), running.model(), running.layout()).ok()) << "again is nothing";
  EXPECT_TRUE(apply_layout(running.database(), grown.compiled.model, grown.compiled.layouts[0]).ok());
  EXPECT_TRUE(Session::open(running.database(), grown, 0).ok());
}

TEST(Apply, AddsIndexesToATableThatIsThere) {
  auto database = Database::open_in_memory();
  const plan::PlannedModel planned = plan::plan_model(model::compile("m.sheaf", std::string(kPagesShop)));
  CreateTable bare = create_request(planned.compiled.layouts[0].tables[0]);
  bare.global_indexes.clear();
  ASSERT_TRUE(database->create_table(bare).ok());
  const auto applied = apply_layout(*database, planned.compiled.model, planned.compiled.layouts[0]);
  ASSERT_TRUE(applied.ok()) << applied.error().message;
  EXPECT_EQ(database->describe_table("app")->indexes.size(), 2u);
}

// C4: entities that edges find, page by page, also those of one key; what others of the document read is not
// taken for more of them.
TEST(Pages, OfWhatEdgesFind) {
  constexpr std::string_view kModel = R"(model library {
    table app { pk PK; sk SK; tag Type; gsi GSI1 GSI1PK / GSI1SK all; gsi GSI2 GSI2PK / GSI2SK keys }
    entity Book { id id; title immutable; key "B#<id>" / "B" }
    entity Shelf { hall id; number id; key "S#<hall>#<number>" / "S" }
    rel Shelf 1--* Book as books / shelf { size max 90;
      via graph copy books(title) key "B#<books.id>" / "S#<shelf.hall>#<shelf.number>"
        index GSI1 "H#<shelf.hall>" / "<shelf.number>" index GSI2 "N#<shelf.number>" / "<books.id>" }
    pattern onShelf(h: string, n: string?) = Book where shelf.hall = $h and shelf.number = $n page 2 {}
    pattern titles(h: string) = Book where shelf.hall = $h page 2 { title }
    pattern byNumber(n: string) = Book where shelf.number = $n order id desc page 2 { title }
    pattern whole(h: string) = Book where shelf.hall = $h page 2 { id, shelf { books {} } }
  })";
  std::string books;
  for (int i = 1; i <= 7; ++i) {
    const std::string n = std::to_string(i);
    books += (i > 1 ? ", " : "") + ("{ \"id\": \"b" + n) + "\", \"title\": \"T" + n + "\", \"shelf\": [\"" +
             (i == 7 ? "x" : "h") + "\", \"" + (i < 6 ? "1" : "2") + "\"] }";
  }
  RunningModel library{std::string(kModel),
                       R"({ "Shelf": [{ "hall": "h", "number": "1" }, { "hall": "h", "number": "2" },
                         { "hall": "x", "number": "2" }], "Book": [)" +
                           books + "] }"};
  EXPECT_EQ(pages(library, "onShelf", {"\"h\"", "\"1\""}), "b1 b2 \nb3 b4 \nb5 \n");
  EXPECT_EQ(pages(library, "onShelf", {"\"h\""}), "b1 b2 \nb3 b4 \nb5 b6 \n\n");
  EXPECT_EQ(pages(library, "whole", {"\"h\""}), "b1 b2 \nb3 b4 \nb5 b6 \n\n");
  EXPECT_EQ(pages(library, "byNumber", {"\"2\""}), "b7 b6 \n\n");
  EXPECT_EQ(library.ask("titles", {"\"x\""}), "{\"id\":\"b7\",\"title\":\"T7\"}\n");
  EXPECT_EQ(library.figures().requests, 1u) << "the edges have copies of the titles";
  EXPECT_EQ(library.ask("byNumber", {"\"2\""}),
            "{\"id\":\"b7\",\"title\":\"T7\"}\n{\"id\":\"b6\",\"title\":\"T6\"}\n");
  EXPECT_EQ(library.figures().requests, 2u) << "this index has keys alone";
}

// An edge is found again in an index that has no more than its keys.
TEST(Pages, OfEdgesGoOnBehindAFilter) {
  constexpr std::string_view kModel = R"(model net {
    table net { pk PK; sk SK; tag Type; gsi GSI1 GSI1PK / GSI1SK keys }
    entity Node { id id; key "N#<id>" / "N" }
    rel Node *--* Node as next / before { size of next max 90; size of before max 90; edge { weight int };
      via edges pk next key "N#<next.id>" / "B#<before.id>" index GSI1 "B#<before.id>" / "<next.id>" }
    pattern heavy(n: Node) = $n.next filter edge.weight > 1 page 2 {} reads max 1000
  })";
  std::string nodes = R"({ "id": "n0" })", links;
  for (int i = 1; i <= 7; ++i) {
    const std::string n = std::to_string(i);
    nodes += ", { \"id\": \"n" + n + "\" }";
    links += (i > 1 ? ", " : "") + ("[\"n0\", \"n" + n) + "\", { \"weight\": " + n + " }]";
  }
  RunningModel net{std::string(kModel),
                   "{ \"Node\": [" + nodes + "], \"links\": { \"Node.next\": [" + links + "] } }"};
  EXPECT_EQ(pages(net, "heavy", {"\"n0\""}), "n2 n3 \nn4 n5 \nn6 n7 \n");
}

// Over the edges of one relation there and back: those of the first step are on no page of the second.
TEST(Pages, OfAWalkThereAndBack) {
  constexpr int kPeople = 7;
  std::string people, links;
  for (int i = 0; i < kPeople; ++i) {
    people += (i > 0 ? ", " : "") + ("{ \"id\": \"p" + std::to_string(i)) + "\" }";
    for (int j = 0; j < kPeople; ++j) {
      if (i == j) continue;
      links += (links.empty() ? "" : ", ") + ("[\"p" + std::to_string(i)) + "\", \"p" + std::to_string(j) +
               "\", { \"since\": " + std::to_string(i) + " }]";
    }
  }
  RunningModel model{R"(model m {
    entity Person { id id }
    rel Person *--* Person as knows / known { edge { since int }; size of knows max 100; size of known max 100 }
    pattern others(p: Person) = $p.knows.known page 4
  })",
                     "{ \"Person\": [" + people + "], \"links\": { \"Person.knows\": [" + links + "] } }"};
  std::istringstream found(pages(model, "others", {"\"p0\""}));
  std::map<std::string, int> times;
  for (std::string id; found >> id;) ++times[id];
  // Everybody but p0 is known by each of the six whom p0 knows, but by itself; p0 by all of them.
  std::map<std::string, int> expected{{"p0", kPeople - 1}};
  for (int i = 1; i < kPeople; ++i) expected["p" + std::to_string(i)] = kPeople - 2;
  EXPECT_EQ(times, expected);
}

// Found by random models: those whom edges lead to are looked up one by one, and none of these is a page.
TEST(Pages, AreOfEdgesAlsoIfEntitiesAreLookedUpByQuery) {
  std::string people, knows;
  for (const std::string id : {"a", "b", "c", "d", "e"}) {
    people += (people.empty() ? "" : ", ") + ("{ \"id\": \"" + id) + "\", \"town\": \"t\" }";
    if (id != "a") knows += (knows.empty() ? "" : ", ") + ("[\"a\", \"" + id) + "\"]";
  }
  RunningModel model(
      R"(model m { table app { pk PK; sk SK; gsi INV SK / PK }
    entity Town { id id; key "T#<id>" / "T" }
    entity Person { id id; key "T#<town.id>" / "P#<id>" }
    rel Town 1--* Person as people / town { required; size max 50; via collection }
    rel Person *--* Person as knows / knownBy { size of knows max 50; size of knownBy max 50;
      via edges pk knows key "K#<knows.id>" / "K#<knownBy.id>" }
    pattern knows(p: Person) = $p.knows page 2 { id } })",
      R"({ "Town": [{ "id": "t" }], "Person": [)" + people + R"(], "links": { "Person.knows": [)" + knows +
          "] } }");
  EXPECT_EQ(pages(model, "knows", {"\"a\""}), "b c \nd e \n\n");
}

}  // namespace
}  // namespace sheaf::run
