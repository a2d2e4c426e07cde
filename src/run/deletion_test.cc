// Deletions, and the jobs that finish them and keep copies in step.
#include <gtest/gtest.h>

#include "run/running_model.h"

namespace sheaf::run {
namespace {

using std::chrono::milliseconds;

std::string shop(const std::string& lines_via, const std::string& on_delete) {
  return "model shop { entity Customer { id id; name } entity Order { id id; note string? } entity Line { id "
         "id; sku } "
         "rel Customer 1--* Order as orders / customer { via index; size max 90; required; on delete cascade "
         "} "
         "rel Order 1--* Line as lines / order { via " +
         lines_via + "; size max 90; on delete " + on_delete +
         " } "
         "pattern customer(c: Customer) = $c "
         "pattern orders(c: Customer) = $c.orders {} "
         "pattern order(o: Order) = $o "
         "pattern lines(o: Order) = $o.lines {} "
         "pattern line(l: Line) = $l }";
}

std::string shop_data() {
  std::string lines;
  for (int i = 1; i <= 40; ++i)
    lines += (i > 1 ? ", " : "") + ("{ \"id\": \"l" + std::to_string(i)) +
             "\", \"sku\": \"s\", \"order\": \"o" + (i % 2 == 0 ? "1" : "2") + "\" }";
  return R"({ "Customer": [{ "id": "c1", "name": "Ann" }],
    "Order": [{ "id": "o1", "customer": "c1" }, { "id": "o2", "customer": "c1" }],
    "Line": [)" +
         lines + "] }";
}

size_t count_of(RunningModel& model, std::string_view pattern, const std::string& argument) {
  const auto reply = model.session().read(pattern, from_json({argument}));
  EXPECT_TRUE(reply.ok()) << reply.error().message;
  return reply.ok() ? reply->documents.size() : 0;
}

// All items of all tables, but for the system table's own records.
size_t items_left(RunningModel& model) {
  size_t count = 0;
  const auto tables = model.database().list_tables();
  for (const std::string& table : *tables) {
    const auto page = model.database().scan({.table = table});
    for (size_t i = 0; i < page->items.size(); ++i) {
      const auto pk = page->items[i].find("pk");
      const bool is_record =
          table.ends_with("-sheaf") && pk && (pk->bytes() == "model" || pk->bytes().starts_with("layout#"));
      if (!is_record) ++count;
    }
  }
  return count;
}

TEST(Deletion, CascadesThroughTheLevels) {
  for (const std::string via : {"index", "edges pk one", "edges pk many"}) {
    RunningModel model(shop(via, "cascade"), shop_data());
    EXPECT_EQ(model.write("delete.Customer", {"\"c1\""}), "") << via;
    EXPECT_EQ(model.reply().deleted, 42u) << via;
    EXPECT_EQ(items_left(model), 0u) << via;
  }
}

// Between an account's characters lie their inventories, in one partition.
TEST(Deletion, CascadesThroughLevelsThatLieAmongEachOther) {
  for (const char* const layout : {"default", "kinds"}) {
    RunningModel model(model_file("accounts/model.sheaf"), model_file("accounts/data.json"), layout);
    const size_t before = items_left(model);
    EXPECT_EQ(model.write("delete.Account", {R"("account_456")"}), "") << layout;
    EXPECT_EQ(model.reply().deleted, 5u) << layout;
    EXPECT_EQ(items_left(model), before - 6) << layout;
    EXPECT_EQ(count_of(model, "everything", R"("account_456")"), 0u) << layout;
  }
}

// Levels among each other are no children of the first, and do not hinder that it goes.
TEST(Deletion, OnlyChildrenRestrict) {
  RunningModel model(R"(model m {
    table app { pk PK; sk SK; tag T }
    entity Top { id id; key "T#<id>" / "A" }
    entity Mid within top { id id; key "T#<top.id>" / "M#<id>" }
    entity Low within mid { id id; key "T#<mid.top.id>" / "M#<mid.id>#L#<id>" }
    rel Top 1--* Mid as mids / top { via collection; required; size max 9; on delete restrict }
    rel Mid 1--* Low as lows / mid { via collection; required; size max 9; on delete restrict }
    pattern top(t: Top) = $t
  })",
                     R"({"Top": [{"id": "t"}], "Mid": [{"id": "m", "top": "t"}],
                         "Low": [{"id": "l", "mid": ["t", "m"]}]})");
  EXPECT_NE(model.write("delete.Top", {R"("t")"}), "");
  EXPECT_NE(model.write("delete.Mid", {R"(["t","m"])"}), "");
  EXPECT_EQ(model.write("delete.Low", {R"(["t","m","l"])"}), "");
  EXPECT_EQ(model.write("delete.Mid", {R"(["t","m"])"}), "");
  EXPECT_EQ(model.write("delete.Top", {R"("t")"}), "");
  EXPECT_EQ(items_left(model), 0u);
}

// A pair with two classes: the first takes both with it, and then there is none. Teachers have no items.
TEST(Deletion, OfSeveralEdgesBetweenTheSameTwo) {
  for (const char* const layout : {"default", "pairs"}) {
    RunningModel model(model_file("school/model.sheaf"), model_file("school/data.json"), layout);
    ASSERT_EQ(model.write("put.Student", {R"({"name":"ZOE","full":"Zoe"})"}), "");
    for (const char* const subject : {R"("ART")", R"("BIO")"})
      ASSERT_EQ(model.write("enrol", {R"("ZOE")", R"("SIMON")", subject, R"("t")", R"("f")"}), "") << layout;
    EXPECT_EQ(model.write("delete.Student", {R"("ZOE")"}), "") << layout;
    EXPECT_EQ(count_of(model, "student", R"("ZOE")"), 0u) << layout;
  }
}

TEST(Deletion, LeavesWhatIsOnlyUnlinked) {
  for (const std::string via : {"index", "edges pk one", "edges pk many"}) {
    RunningModel model(shop(via, "unlink"), shop_data());
    EXPECT_EQ(model.write("delete.Order", {"\"o1\""}), "") << via;
    EXPECT_EQ(count_of(model, "order", "\"o1\""), 0u) << via;
    EXPECT_EQ(count_of(model, "lines", "\"o1\""), 0u) << via;
    EXPECT_EQ(count_of(model, "line", "\"l2\""), 1u) << via;
    EXPECT_EQ(model.write("move.Line.order", {"\"l2\"", "\"o2\""}), "") << via;
    EXPECT_EQ(count_of(model, "lines", "\"o2\""), 21u) << via;
    EXPECT_EQ(model.write("link.Line.order", {"\"l4\"", "\"o1\""}), "error: there is no Order o1") << via;
  }
}

TEST(Deletion, IsRefusedWhereSomebodyIsLeft) {
  for (const std::string via : {"edges pk one", "collection"}) {
    const std::string model_text =
        via == "collection"
            ? "model shop { entity Order { id id } entity Line within order { id id } "
              "rel Order 1--* Line as lines / order { via collection; size max 90; on delete restrict } "
              "pattern order(o: Order) = $o pattern lines(o: Order) = $o.lines {} }"
            : "model shop { entity Order { id id } entity Line { id id } "
              "rel Order 1--* Line as lines / order { via edges pk one; size max 90; on delete restrict } "
              "pattern order(o: Order) = $o pattern lines(o: Order) = $o.lines {} }";
    RunningModel model(
        model_text,
        R"({ "Order": [{ "id": "o1" }, { "id": "o2" }], "Line": [{ "id": "l1", "order": "o1" }] })");
    EXPECT_EQ(model.write("delete.Order", {"\"o1\""}),
              "error: the Order o1 still has others that depend on it")
        << via;
    EXPECT_EQ(count_of(model, "order", "\"o1\""), 1u) << "and is as it was";
    EXPECT_EQ(count_of(model, "lines", "\"o1\""), 1u) << via;
    EXPECT_TRUE(model.session().jobs()->empty()) << via;
    EXPECT_EQ(model.write("put.Line", {R"({"id": "l2", "order": "o1"})"}), "") << via;
    EXPECT_EQ(model.write("delete.Order", {"\"o2\""}), "") << via;
    EXPECT_EQ(model.write("put.Line", {R"({"id": "l3", "order": "o2"})"}), "error: there is no Order o2")
        << via;
  }
}

TEST(Deletion, NeedsTheModelToSayWhatBecomesOfTheChildren) {
  RunningModel hr(model_file("hr/model.sheaf"), model_file("hr/data.json"), "method4");
  EXPECT_EQ(
      hr.write("delete.Department", {"\"d-1\""}),
      "error: a Department may still have staff, and each needs its department; say on delete cascade or "
      "restrict in the relation");
  EXPECT_EQ(hr.write("delete.Employee", {"\"e-3\""}), "");
  EXPECT_EQ(hr.ask("teamIds", {"\"d-2\""}), "{\"id\":\"e-4\"}\n{\"id\":\"e-5\"}\n");
}

// A marked parent is absent: reads do not find it, links fail, and whoever comes later finishes it.
TEST(Deletion, GoesOnWhenItsWorkerDied) {
  RunningModel model(shop("edges pk one", "cascade"), shop_data());
  auto now = std::chrono::system_clock::now();
  WriterOptions idle{.clock = [&] { return now; }, .pause = [](int) {}, .runs_jobs = false};
  const auto session = Session::open(model.database(), model.planned(), model.layout_id(), idle);
  ASSERT_TRUE((*session)->write("delete.Customer", from_json({"\"c1\""})).ok());
  EXPECT_EQ(count_of(model, "customer", "\"c1\""), 0u);
  EXPECT_EQ(model.write("put.Order", {R"({"id": "o9", "customer": "c1"})"}),
            "error: the Customer c1 is being deleted");
  EXPECT_EQ(model.write("delete.Customer", {"\"c1\""}), "error: the Customer c1 is being deleted");
  ASSERT_EQ((*session)->jobs()->size(), 1u);
  EXPECT_EQ((*session)->jobs()->front().done, 0);
  now += milliseconds(1);
  // Its children make jobs of their own, which nobody runs yet: each call does what can be done.
  for (int i = 0; i < 10 && !(*session)->jobs()->empty(); ++i) {
    now += milliseconds(60'000);
    const auto worked = (*session)->work();
    ASSERT_TRUE(worked.ok() || worked.error().code == Code::kConflict) << worked.error().message;
  }
  EXPECT_TRUE((*session)->jobs()->empty());
  EXPECT_EQ(items_left(model), 0u);
}

TEST(Deletion, ALeaseKeepsOthersAway) {
  RunningModel model(shop("index", "unlink"), shop_data());
  auto now = std::chrono::system_clock::now();
  WriterOptions idle{.clock = [&] { return now; }, .pause = [](int) {}, .runs_jobs = false};
  const auto session = Session::open(model.database(), model.planned(), model.layout_id(), idle);
  ASSERT_TRUE((*session)->write("delete.Order", from_json({"\"o1\""})).ok());
  const std::string id = (*session)->jobs()->front().id;
  UpdateItem held{
      .table = "shop-sheaf", .key = job_key(model.layout(), id), .update = "SET lease_until_ms = :t"};
  held.values.set(":t",
                  Value(std::chrono::duration_cast<milliseconds>(now.time_since_epoch()).count() + 1000));
  ASSERT_TRUE(model.database().update_item(held).ok());
  EXPECT_EQ((*session)->work()->pending, 1u);
  now += milliseconds(1001);
  EXPECT_EQ((*session)->work()->pending, 0u);
  EXPECT_TRUE((*session)->jobs()->empty());
}

// D6: every copy, wherever it lies, also if an index keys it.
TEST(Copies, FollowTheirSource) {
  for (const std::string via : {"index on GSI1 copy owner(name, city)", "edges pk one copy owner(name, city)",
                                "edges pk many copy owner(name, city)"}) {
    const bool is_index = via.starts_with("index");
    RunningModel model(
        "model m { table app { pk PK; sk SK; tag T; gsi GSI1 GSI1PK / GSI1SK } "
        "entity Owner { id id; name; city string?; key \"O#<id>\" / \"O\" } "
        "entity Car { id id; plate; key \"C#<id>\" / \"C\"" +
            std::string(is_index ? "; index GSI1 \"O#<owner.id>\" / \"<owner.name>#<id>\"" : "") +
            " } rel Owner 1--* Car as cars / owner { size max 90; via " + via +
            " } pattern cars(o: Owner) = $o.cars {} pattern owner(c: Car) = $c { *, owner { name, city } } }",
        R"({ "Owner": [{ "id": "o1", "name": "Ann", "city": "Rome" }, { "id": "o2", "name": "Bob" }],
      "Car": [{ "id": "a", "plate": "A", "owner": "o1" }, { "id": "b", "plate": "B", "owner": "o1" }, { "id": "c", "plate": "C", "owner": "o2" }] })");
    EXPECT_EQ(model.write("set.Owner", {"\"o1\"", R"({"name": "Zoe"})"}), "") << via;
    EXPECT_EQ(model.reply().copies, 2u) << via;
    EXPECT_EQ(model.ask("owner", {"\"a\""}),
              "{\"id\":\"a\",\"owner\":{\"city\":\"Rome\",\"id\":\"o1\",\"name\":\"Zoe\"},\"plate\":\"A\"}\n")
        << via;
    EXPECT_EQ(model.write("remove.Owner", {"\"o1\"", "[\"city\"]"}), "") << via;
    EXPECT_EQ(model.ask("owner", {"\"b\""}),
              "{\"id\":\"b\",\"owner\":{\"id\":\"o1\",\"name\":\"Zoe\"},\"plate\":\"B\"}\n")
        << via;
    EXPECT_EQ(model.write("move.Car.owner", {"\"a\"", "\"o2\""}), "") << via;
    EXPECT_EQ(model.ask("owner", {"\"a\""}),
              "{\"id\":\"a\",\"owner\":{\"id\":\"o2\",\"name\":\"Bob\"},\"plate\":\"A\"}\n")
        << via;
    EXPECT_EQ(model.write("set.Car", {"\"a\"", R"({"plate": "AA"})"}), "") << via;
    EXPECT_EQ(model.reply().copies, 0u) << "nobody has a copy of it";
    EXPECT_EQ(count_of(model, "cars", "\"o2\""), 2u) << via;
  }
}

// A fan-out that comes late does no harm: a copy is only overwritten by a later one.
TEST(Copies, ALateJobChangesNothing) {
  RunningModel hr(model_file("hr/model.sheaf"), model_file("hr/data.json"), "method2");
  WriterOptions idle{.runs_jobs = false};
  const auto session = Session::open(hr.database(), hr.planned(), hr.layout_id(), idle);
  ASSERT_TRUE((*session)->write("rename", from_json({"\"d-2\"", "\"First\""})).ok());
  ASSERT_EQ(hr.write("rename", {"\"d-2\"", "\"Second\""}), "");
  EXPECT_EQ(hr.ask("home", {"\"e-4\""}), "{\"id\":\"d-2\",\"name\":\"Second\"}\n");
  const auto worked = (*session)->work();
  ASSERT_TRUE(worked.ok());
  EXPECT_EQ(worked->copies, 0u);
  EXPECT_EQ(hr.ask("home", {"\"e-4\""}), "{\"id\":\"d-2\",\"name\":\"Second\"}\n");
  EXPECT_TRUE((*session)->jobs()->empty());
}

}  // namespace
}  // namespace sheaf::run
