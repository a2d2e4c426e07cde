// Models whose fields take other values when they move: other types, more or fewer values, unique or counted;
// and what is refused then, by whom it is about.
#include "api/forwarding_database.h"
#include "migrate/changed_model.h"
#include "migrate/difference.h"

namespace sheaf::migrate {
namespace {

constexpr const char* kThings = R"(model m {
  table app { pk PK; sk SK; tag Type }
  entity T { id id; name; n int; st enum(A, B, C); tags list<string> max 10; at { x int; y int? }? }
  entity P { id id; email; code string?; w string default "w" }
  rel T 1--* P as ps / tt { size max 50 }
  pattern t(t: T) = $t { *, ps }
  pattern p(p: P) = $p
})";

std::string things(std::string_view was, std::string_view is) {
  std::string text = kThings;
  const size_t at = text.find(was);
  EXPECT_NE(at, std::string::npos) << was;
  return text.replace(at, was.size(), is);
}

TEST_F(ChangedModel, WhatTheNewModelDoesNotTakeIsRefusedBeforeAnythingIsDone) {
  open(kThings);
  const auto says = [&](std::string_view was, std::string_view is) { return refusal(things(was, is)); };
  const std::string head = "the new model does not hold what is there:\n  ";
  EXPECT_EQ(says("n int", "n string"), head + "T.n has another type: int becomes string");
  EXPECT_EQ(says("enum(A, B, C)", "enum(A, B)"), head + "T.st can be C, and cannot in the new model");
  EXPECT_EQ(says("list<string>", "list<int>"),
            head + "T.tags has another type: list<string> becomes list<int>");
  EXPECT_EQ(says("y int?", "y string?"),
            head + "T.at has a field y that has another type: int becomes string");
  EXPECT_EQ(says("; y int?", ""), head + "T.at has a field y, and not in the new model");
  EXPECT_EQ(says("y int?", "y int"),
            head + "T.at has a field y that can be missing, and must be there in the new model");
  EXPECT_EQ(says("{ size max 50 }", "{ required; size max 50 }"),
            head + "P.tt can be missing, and must be there in the new model");
  EXPECT_EQ(database_->list_tables()->size(), 2u);
}

TEST_F(ChangedModel, NamesThatNobodyHasAreRefused) {
  open(kUsers);
  const std::string called = R"(model m {
    table app { pk PK; sk SK; tag Type }
    entity User { id id; full; alias string? }
    entity Ticket { id id; subject }
    rel User 1--* Ticket as tickets / user { required; size max 50 }
  })";
  EXPECT_EQ(refusal(called, {{"User.nik", "alias"}}),
            "renaming User.nik to alias: the old model has no User.nik; perhaps User.nick is meant");
  EXPECT_EQ(refusal(called, {{"User.nick", "alis"}}),
            "renaming User.nick to alis: the new model has no User.alis; perhaps User.alias is meant");
  EXPECT_EQ(refusal(called, {{"Usr.nick", "alias"}}),
            "renaming Usr.nick to alias: the old model has no Usr; perhaps User is meant");
  EXPECT_EQ(refusal(called, {{"User.tickets", "alias"}}),
            "renaming User.tickets to alias: the new model has no User.alias");
  EXPECT_EQ(refusal(called, {{"User.tickets.since", "from"}}),
            "renaming User.tickets.since to from: the old model has no User.tickets.since");
  EXPECT_NE(refusal(called, {{"User.nick", "full"}}).find("User.full and User.nick would both be full"),
            std::string::npos);
  EXPECT_EQ(database_->list_tables()->size(), 2u);
}

TEST_F(ChangedModel, AFieldBecomesUnique) {
  open(kThings);
  for (const char* each :
       {R"({"id":"p1","email":"same"})", R"({"id":"p2","email":"same"})", R"({"id":"p3","email":"other"})"})
    ASSERT_EQ(write(*old_, "put.P", {each}), "");
  const std::string unique = things("email;", "email unique;");
  EXPECT_EQ(refusal(unique),
            "what is stored does not fit the new model:\n"
            "  P p1 and P p2 both have the email same, which is to be unique");
  EXPECT_EQ(database_->list_tables()->size(), 2u);
  ASSERT_EQ(write(*old_, "set.P", {R"("p2")", R"({"email":"mine"})"}), "");
  begin(unique);
  copy();
  // Who has the old model is told by the new one.
  const std::string refused = write(*old_, "put.P", {R"({"id":"p4","email":"same"})"});
  EXPECT_NE(refused.find("refuses P p4: there is already a P with the email same"), std::string::npos)
      << refused;
  step(&Migration::read_new);
  new_ = opened(new_text_, "default");
  end();
  // Who still has the old text cannot break it either.
  const auto late = opened(kThings, "default");
  for (LiveModel* each : {new_.get(), old_.get(), late.get()})
    EXPECT_EQ(write(*each, "put.P", {R"({"id":"p4","email":"same"})"}),
              "there is already a P with the email same");
  EXPECT_EQ(findings(*new_), 0u);
}

// Between the look at the data and the first write to both somebody may be faster.
TEST_F(ChangedModel, WhoComesInBetweenIsNamed) {
  open(kThings);
  ASSERT_EQ(write(*old_, "put.P", {R"({"id":"p1","email":"a"})"}), "");
  ASSERT_EQ(write(*old_, "put.P", {R"({"id":"p2","email":"b"})"}), "");
  begin(things("email;", "email unique;"));
  write_beside("app", "email", "same");
  std::string why;
  for (int i = 0; i < 2000 && why.empty(); ++i) {
    const auto advanced = migration_->advance(10);
    if (!advanced.ok()) why = advanced.error().message;
  }
  const bool is_first =
      why.find("P p1: there is already a P with the email same, the P p2") != std::string::npos;
  const bool is_second =
      why.find("P p2: there is already a P with the email same, the P p1") != std::string::npos;
  EXPECT_TRUE(is_first || is_second) << why;
}

TEST_F(ChangedModel, ANewCountIsCounted) {
  open(kThings);
  ASSERT_EQ(write(*old_, "put.T", {R"({"id":"1","name":"x","n":5,"st":"C","tags":[]})"}), "");
  ASSERT_EQ(write(*old_, "put.P", {R"({"id":"p1","email":"a","tt":"1"})"}), "");
  begin(things("n int;", "n int; c int = count(ps);"));
  ASSERT_EQ(write(*old_, "put.P", {R"({"id":"p2","email":"b","tt":"1"})"}), "");
  copy();
  step(&Migration::read_new);
  new_ = opened(new_text_, "default");
  end();
  EXPECT_NE(ask(*new_, "t", {R"("1")"}).find(R"("c":2)"), std::string::npos);
  EXPECT_EQ(findings(*new_), 0u);
}

TEST_F(ChangedModel, WhatTheOldModelDoesNotTakeWaitsForTheEnd) {
  open(kThings);
  ASSERT_EQ(write(*old_, "put.T", {R"({"id":"1","name":"x","n":5,"st":"C","tags":[]})"}), "");
  std::string looser = things("enum(A, B, C)", "enum(A, B, C, D)");
  looser.replace(looser.find("name;"), 5, "name string?;");
  begin(looser);
  copy();
  step(&Migration::read_new);
  new_ = opened(new_text_, "default");
  const std::vector<std::string> set_d{R"("1")", R"({"st":"D"})"};
  const std::vector<std::string> nameless{R"({"id":"2","n":5,"st":"A","tags":[]})"};
  const std::vector<std::string> removed{R"("1")", R"(["name"])"};
  const std::string refused = write(*new_, "set.T", set_d);
  EXPECT_NE(refused.find("refuses T 1: the field st must be one of enum(A, B, C)"), std::string::npos)
      << refused;
  EXPECT_NE(write(*new_, "put.T", nameless).find("refuses T 2: the field name is missing"),
            std::string::npos);
  EXPECT_NE(write(*new_, "remove.T", removed).find("refuses T 1: the field name must be there"),
            std::string::npos);
  step(&Migration::step_back);
  EXPECT_EQ(findings(*old_), 0u);
  copy();
  step(&Migration::read_new);
  end();
  EXPECT_EQ(write(*new_, "set.T", set_d), "");
  EXPECT_EQ(write(*new_, "put.T", nameless), "");
  EXPECT_EQ(write(*new_, "remove.T", removed), "");
}

TEST_F(ChangedModel, WhatTakesLessIsLookedAt) {
  open(kThings);
  ASSERT_EQ(write(*old_, "put.T", {R"({"id":"1","name":"x","n":5,"st":"C","tags":["a","b","c"]})"}), "");
  const std::string shorter = things("max 10", "max 2");
  EXPECT_EQ(refusal(shorter),
            "what is stored does not fit the new model:\n"
            "  T 1: the field tags has more than its max of 2 elements");
  ASSERT_EQ(write(*old_, "set.T", {R"("1")", R"({"tags":["a"]})"}), "");
  begin(shorter);
  EXPECT_NE(write(*old_, "set.T", {R"("1")", R"({"tags":["a","b","c"]})"}).find("refuses T 1"),
            std::string::npos);
}

// While the new one is read, nobody looks at what strangers write to the old one.
TEST_F(ChangedModel, AfterAStepBackBothAreComparedAgain) {
  open(kUsers);
  ASSERT_EQ(write(*old_, "put.User", {R"({"id":"u1","full":"Ann"})"}), "");
  begin(kUsers);
  copy();
  step(&Migration::read_new);
  write_beside("app", "full", "of a stranger");
  step(&Migration::step_back);
  // Also after a crash.
  migration_ = std::move(*Migration::resume(*database_, "m-sheaf", options_));
  EXPECT_EQ(migration_->progress().stage, Progress::Stage::kCompare);
  EXPECT_FALSE(migration_->read_new().ok());
  copy();
  step(&Migration::read_new);
  end();
  EXPECT_EQ(ask(*old_, "user", {R"("u1")"}), "{\"full\":\"of a stranger\",\"id\":\"u1\",\"tickets\":[]}\n");
}

// As a crash would: the record of the versions is no longer written.
class StopsBeforeTheRecord final : public ForwardingDatabase {
 public:
  using ForwardingDatabase::ForwardingDatabase;
  Result<Written> put_item(const PutItem& request) override {
    if (request.table == "m-sheaf" && request.condition) return Error{Code::kUnavailable, "gone"};
    return ForwardingDatabase::put_item(request);
  }
};

TEST_F(ChangedModel, AStepBackThatIsNotTakenToItsEndIsNone) {
  open(kUsers);
  ASSERT_EQ(write(*old_, "put.User", {R"({"id":"u1","full":"Ann"})"}), "");
  begin(kUsers);
  copy();
  step(&Migration::read_new);
  StopsBeforeTheRecord stopping(*database_);
  EXPECT_FALSE((*Migration::resume(stopping, "m-sheaf", options_))->step_back().ok());
  migration_ = std::move(*Migration::resume(*database_, "m-sheaf", options_));
  EXPECT_EQ(migration_->record().phase, Phase::kReadNew);
  // Both ways are open still, and the one back leads to a comparison.
  step(&Migration::step_back);
  EXPECT_EQ(migration_->progress().stage, Progress::Stage::kCompare);
  copy();
  step(&Migration::read_new);
  EXPECT_FALSE((*Migration::resume(stopping, "m-sheaf", options_))->step_back().ok());
  migration_ = std::move(*Migration::resume(*database_, "m-sheaf", options_));
  end();
  EXPECT_EQ(ask(*old_, "user", {R"("u1")"}), "{\"full\":\"Ann\",\"id\":\"u1\",\"tickets\":[]}\n");
}

TEST_F(ChangedModel, FieldsOfLinksAreCalledOtherwiseThereAndBack) {
  const std::string was = R"(model m {
    table app { pk PK; sk SK; tag Type; gsi GSI1 GSI1PK / GSI1SK all }
    entity A { id id }
    entity B { id id }
    rel A *--* B as bs / as { edge { role }; size of bs max 9; size of as max 9 }
    pattern a(a: A) = $a { *, bs }
  })";
  std::string is = was;
  for (size_t at = is.find("role"); at != std::string::npos; at = is.find("role")) is.replace(at, 4, "part");
  open(was);
  ASSERT_EQ(write(*old_, "put.A", {R"({"id":"a"})"}), "");
  ASSERT_EQ(write(*old_, "put.B", {R"({"id":"b"})"}), "");
  ASSERT_EQ(write(*old_, "link.A.bs", {R"("a")", R"("b")", R"({"role":"x"})"}), "");
  begin(is, "default", {{"A.bs.role", "part"}});
  copy();
  step(&Migration::read_new);
  new_ = opened(new_text_, "default");
  EXPECT_EQ(ask(*new_, "a", {R"("a")"}),
            "{\"bs\":[{\"edge\":{\"part\":\"x\"},\"id\":\"b\"}],\"id\":\"a\"}\n");
  ASSERT_EQ(write(*new_, "put.B", {R"({"id":"c"})"}), "");
  ASSERT_EQ(write(*new_, "link.A.bs", {R"("a")", R"("c")", R"({"part":"y"})"}), "");
  step(&Migration::step_back);
  EXPECT_EQ(ask(*old_, "a", {R"("a")"}),
            R"({"bs":[{"edge":{"role":"x"},"id":"b"},{"edge":{"role":"y"},"id":"c"}],"id":"a"})"
            "\n");
}

// What need not be there any more is needed in the old one as long as that is written.
TEST_F(ChangedModel, AnEndThatCanBeMissingNowWaitsForTheEnd) {
  open(kUsers);
  std::string looser = kUsers;
  looser.replace(looser.find("required; "), 10, "");
  begin(looser);
  copy();
  step(&Migration::read_new);
  new_ = opened(new_text_, "default");
  const std::vector<std::string> alone{R"({"id":"t1","subject":"a"})"};
  const std::string refused = write(*new_, "put.Ticket", alone);
  EXPECT_NE(refused.find("refuses Ticket t1: a Ticket needs its user"), std::string::npos) << refused;
  end();
  EXPECT_EQ(write(*new_, "put.Ticket", alone), "");
}

TEST_F(ChangedModel, WhatMustBeThereNowHasItsDefaultWhenItIsRemoved) {
  open(kUsers);
  ASSERT_EQ(write(*old_, "put.User", {R"({"id":"u1","full":"Ann"})"}), "");
  begin(R"(model m {
    table app { pk PK; sk SK; tag Type }
    entity User { id id; full; nick string default "none" }
    entity Ticket { id id; subject }
    rel User 1--* Ticket as tickets / user { required; size max 50 }
    pattern user(u: User) = $u
  })");
  copy();
  ASSERT_EQ(write(*old_, "set.User", {R"("u1")", R"({"nick":"an"})"}), "");
  ASSERT_EQ(write(*old_, "remove.User", {R"("u1")", R"(["nick"])"}), "");
  step(&Migration::read_new);
  new_ = opened(new_text_, "default");
  EXPECT_EQ(ask(*new_, "user", {R"("u1")"}), "{\"full\":\"Ann\",\"id\":\"u1\",\"nick\":\"none\"}\n");
}

TEST(Difference, TellsWhatTakesOtherValues) {
  const model::CompiledModel from = model::compile("m.sheaf", kThings);
  const auto between = [&](std::string_view was, std::string_view is) {
    const model::CompiledModel to = model::compile("m.sheaf", things(was, is));
    EXPECT_TRUE(to.ok()) << to.rendered();
    const Difference found = difference({from.model, from.layouts[0]}, {to.model, to.layouts[0]}, {});
    std::string text;
    for (const std::string& line : found.model) text += line + "\n";
    return text + (found.moves ? "moves" : "stays");
  };
  EXPECT_EQ(between("n int", "n string"), "T.n: int becomes string\nstays");
  EXPECT_EQ(between("(A, B, C)", "(A, B)"), "T.st: enum(A, B, C) becomes enum(A, B)\nstays");
  EXPECT_EQ(between("max 10", "max 5"), "T.tags: list<string> max 10 becomes list<string> max 5\nstays");
  EXPECT_EQ(between("email;", "email unique;"), "P.email becomes unique\nmoves");
  EXPECT_EQ(between("n int;", "n int; c int = count(ps);"), "T.c is new, and is counted\nmoves");
  EXPECT_EQ(between("n int;", "n int = count(ps);"), "T.n becomes a count of ps\nmoves");
  EXPECT_EQ(between("name;", "name string?;"), "T.name can be missing now\nstays");
  EXPECT_EQ(between("code string?", "code string default \"c\""),
            "P.code must be there now\nP.code has another default for what is written from now on\nmoves");
  EXPECT_EQ(between("{ size", "{ required; size"), "P.tt must be there now\nstays");
}

}  // namespace
}  // namespace sheaf::migrate
