#include "model/advice/recommendation.h"

#include <algorithm>

#include "model/advice/advice_fixture.h"
#include "model/advice/advice_report.h"

namespace sheaf::model {
namespace {

using Q = QuestionId;
using Via = language::Via::Kind;

constexpr const char* kStaff =
    "entity Department { id id; name changes rarely }\nentity Employee { id id; name }\n"
    "rel Department 1--* Employee as staff / department { required; size avg 20 max 90; on delete cascade }\n"
    "pattern team(d: Department) = $d.staff\npattern home(e: Employee) = $e { *, department { name } }\n";

constexpr const char* kAddresses =
    "entity Customer { id id; name }\nentity Address within customer { nick id; street }\n"
    "rel Customer 1--* Address as addresses / customer { size avg 3 max 10; on delete cascade }\n"
    "pattern profile(c: Customer) = $c + addresses\n";

const RejectedStrategy* rejected(const Recommendation& made, Via via) {
  const auto found = std::find_if(made.rejected.begin(), made.rejected.end(),
                                  [&](const RejectedStrategy& each) { return each.via == via; });
  return found == made.rejected.end() ? nullptr : &*found;
}

TEST(Recommendation, HasAReasonTheWayAndTheRowsThatAgree) {
  const Recommendation made = AdviceSubject(kStaff).advice();
  EXPECT_EQ(made.via, "index");
  EXPECT_EQ(made.reason, "it is looked up by its own id, which does not tell its parent");
  EXPECT_EQ(made.path.leaf->outcome, Outcome::kIndex);
  ASSERT_FALSE(made.rows_for.empty());
  EXPECT_EQ(made.rows_for.front()->name, "strategies/secondary-index");
}

TEST(Recommendation, RejectsEveryOtherStrategyWithAReason) {
  const Recommendation made = AdviceSubject(kAddresses).advice();
  EXPECT_EQ(made.via, "embed");
  EXPECT_EQ(made.rejected.size(), 8U);
  for (const RejectedStrategy& each : made.rejected) EXPECT_FALSE(each.reason.empty());
  EXPECT_EQ(rejected(made, Via::kEmbed), nullptr);
  ASSERT_NE(rejected(made, Via::kIndex), nullptr);
  EXPECT_EQ(rejected(made, Via::kIndex)->reason,
            "the parent always comes first: a collection does without the index");
  EXPECT_FALSE(rejected(made, Via::kIndex)->is_impossible);
}

TEST(Recommendation, WhatCouldBeAsWellIsToldWithTheQuestionThatDecided) {
  const Recommendation made = AdviceSubject(kStaff).advice();
  ASSERT_NE(rejected(made, Via::kEdges), nullptr);
  EXPECT_EQ(
      rejected(made, Via::kEdges)->reason,
      "it could be; what decided is D4, which is 1: an index for each relation, of 20 in all; edges share "
      "one");
}

constexpr const char* kRooms =
    "table app { pk PK; sk SK; gsi GSI1 GPK / GSK }\nentity House { id id; name; key \"H#<id>\" / \"A\" }\n";

TEST(Recommendation, KeysWithTheParentsIdInTheIdStandInNobodysWay) {
  const AdviceSubject rooms(std::string(kRooms) +
                            "entity Room within house { id id; key \"R#<house.id>#<id>\" / \"A\" }\n"
                            "rel House 1--* Room as rooms / house { size max 20; on delete restrict; "
                            "via edges pk one }");
  EXPECT_EQ(rooms.rendered(), "");
  EXPECT_EQ(rooms.advice({.told = {{Q::kF5, kAnswerYes}, {Q::kF9, kAnswerYes}}}).via, "edges pk one");
}

TEST(Recommendation, WhereTheTreeLeadsToNothingItIsWhateverCanBe) {
  const AdviceSubject rooms(
      std::string(kRooms) +
      "entity Room { id id; key \"H#<house.id>\" / \"R#<id>\"; index GSI1 \"R#<id>\" / \"R\" }\n"
      "rel House 1--* Room as rooms / house { required; size max 20; on delete restrict; "
      "via collection }");
  EXPECT_EQ(rooms.rendered(), "");
  const Recommendation made = rooms.advice({.told = {{Q::kF5, kAnswerYes}, {Q::kF9, kAnswerYes}}});
  EXPECT_EQ(made.via, "collection");
  EXPECT_EQ(made.reason, "nothing else can store it");
  EXPECT_EQ(made.path.struck.size(), 3U);
}

TEST(Recommendation, F19TwoKindsAreNeverToldToBeAlike) {
  const Recommendation made =
      AdviceSubject(
          "entity User { id id; name } entity Repo { id id; name }\n"
          "rel User *--* Repo as repos / users { size of repos max 50; size of users max 50 }\n"
          "pattern a(u: User) = $u.repos pattern b(r: Repo) = $r.users")
          .advice();
  for (const AnswerChange& each : made.changes) EXPECT_NE(each.outcome, Outcome::kSymmetric);
}

TEST(Recommendation, F2AndF17OfAnIndexAreToldHowToSplitAndToSort) {
  const auto notes = [](const std::string& size, const std::string& order) {
    return AdviceSubject(
               "entity C { id id; n } entity O { id id; at time }\n"
               "rel C 1--* O as os / c { required; size " +
               size +
               "; on delete cascade }\n"
               "pattern p(c: C) = $c.os " +
               order + " page 9 pattern o(o: O) = $o")
        .advice()
        .notes;
  };
  EXPECT_TRUE(notes("max 900", "").empty());
  ASSERT_EQ(notes("unbounded", "").size(), 1U);
  EXPECT_NE(notes("unbounded", "")[0].find("<at:month>"), std::string::npos);
  ASSERT_EQ(notes("max 900", "order at").size(), 1U);
  EXPECT_NE(notes("max 900", "order at")[0].find("\"..<c.ID>\" / \"..<FIELD>#<ID>\""), std::string::npos);
}

constexpr const char* kLadder =
    "entity Student { id id; name } entity Place { country id; state id; city id; store none }\n"
    "rel Place 1--* Student as residents / home { size unbounded }\n";

TEST(Recommendation, WhatHasNoItemsHasNoPartitionForEdges) {
  const AdviceSubject plain(std::string(kLadder) + "pattern home(s: Student) = $s { *, home }");
  EXPECT_EQ(plain.rendered(), "") << "what is chosen by itself can be stored, too";
  EXPECT_EQ(plain.advice().via, "edges pk many");
  const AdviceSubject net(
      "entity Student { id id; name } entity Teacher { id id; store none }\n"
      "rel Student *--* Teacher as teachers / students { size of teachers max 20; size of students max 300 "
      "}\n"
      "pattern p(t: Teacher) = $t.students {}");
  EXPECT_EQ(net.rendered(), "");
  EXPECT_EQ(net.advice().via, "edges pk students");
}

TEST(Recommendation, C4SearchedByAPartOfAnIdIsAGraphWithKeysForIt) {
  const AdviceSubject ladder(
      std::string(kLadder) +
      "pattern livingIn(country: string, state: string?, city: string?) = Student where home.country = "
      "$country "
      "and home.state = $state and home.city = $city page 50 {}\npattern home(s: Student) = $s { *, home }");
  EXPECT_EQ(ladder.rendered(), "");
  EXPECT_EQ(ladder.advice().via, "graph");
  EXPECT_EQ(ladder.advice().reason, "livingIn asks by a part of the id of what it connects");
  const Layout& layout = ladder.layout();
  const ItemKind& edge = layout.item_kinds[*layout.relations[0].edge_kind];
  EXPECT_EQ(edge.pk.text(), "STUDENT#<residents.id>");
  ASSERT_EQ(edge.entries.size(), 1U);
  EXPECT_EQ(edge.entries[0].pk.text(), "COUNTRY#<home.country>");
  EXPECT_EQ(edge.entries[0].sk->text(), "RESIDENTS#<home.state>#<home.city>#<residents.id>");
}

TEST(Recommendation, C4SearchedByDataOfThePairIsAGraphWithKeysForIt) {
  const std::string school =
      "entity Student { name id; full } entity Teacher { name id; store none }\n"
      "rel Student *--* Teacher as teachers / students { size of teachers max 20; size of students max 300; "
      "edge { subject id; title immutable } }\n"
      "pattern classes(s: Student) = $s.teachers {}\n"
      "pattern taught(t: Teacher, subject: string?) = $t.students where edge.subject = $subject {}\n";
  const AdviceSubject subject(school);
  EXPECT_EQ(subject.advice().via, "graph");
  const Layout& layout = subject.layout();
  const ItemKind& edge = layout.item_kinds[*layout.relations[0].edge_kind];
  EXPECT_EQ(edge.pk.text(), "STUDENT#<students.name>");
  ASSERT_EQ(edge.entries.size(), 1U);
  EXPECT_EQ(edge.entries[0].pk.text(), "TEACHER#<teachers.name>");
  EXPECT_EQ(edge.entries[0].sk->text(), "STUDENTS#<subject>#<students.name>");
  // Who also wants them in the order of what they lead to has the plain way back beside it; who says all of
  // its id has the key of the edge.
  const auto views = [&](const std::string& pattern) {
    const AdviceSubject more(school + pattern);
    return more.layout().item_kinds[*more.layout().relations[0].edge_kind].entries.size();
  };
  EXPECT_EQ(views("pattern one(t: Teacher) = $t.students order name limit 3 {}"), 2U);
  EXPECT_EQ(views("pattern one(t: Teacher, n: string) = $t.students where name = $n {}"), 1U);
}

TEST(Recommendation, WhatWouldChangeItDoes) {
  for (const char* body : {kStaff, kAddresses}) {
    const AdviceSubject subject(body);
    const Recommendation made = subject.advice();
    ASSERT_FALSE(made.changes.empty());
    for (const AnswerChange& change : made.changes) {
      const Recommendation other = subject.advice({.told = {{change.question, change.value}}});
      EXPECT_EQ(other.via, change.via) << question(change.question).name;
      EXPECT_EQ(other.outcome, change.outcome);
      EXPECT_TRUE(other.via != made.via || other.outcome != made.outcome);
    }
  }
  const Recommendation made = AdviceSubject(kAddresses).advice();
  EXPECT_TRUE(std::any_of(made.changes.begin(), made.changes.end(), [](const AnswerChange& each) {
    return each.question == Q::kF8 && each.value == 11 && each.via == "collection";
  }));
}

TEST(Recommendation, OpenQuestionsAreThoseThatNobodyAnsweredAndThatMatter) {
  const Recommendation made = AdviceSubject(kAddresses).advice();
  for (const Q id : made.open) {
    EXPECT_FALSE(made.answers.of(id).is_known());
    EXPECT_NE(id, Q::kF22);
  }
  EXPECT_NE(std::find(made.open.begin(), made.open.end(), Q::kF13), made.open.end());
  const Recommendation told = AdviceSubject(kAddresses).advice({.told = {{Q::kF13, kAnswerYes}}});
  EXPECT_EQ(std::find(told.open.begin(), told.open.end(), Q::kF13), told.open.end());
}

// F21 and F9 change nothing alone: only together with another one that is not known either.
TEST(Recommendation, OpenQuestionsAreFoundInPairs) {
  const AdviceSubject subject(
      "entity User { id id; name } entity Repo { id id; name }\n"
      "rel User *--* Repo as repos / users { size of repos max 5; size of users max 5 }\n");
  const Recommendation made = subject.advice();
  EXPECT_EQ(made.via, "edges pk users");
  EXPECT_NE(std::find(made.open.begin(), made.open.end(), Q::kF10), made.open.end());
  EXPECT_NE(std::find(made.open.begin(), made.open.end(), Q::kF11), made.open.end());
  const Recommendation both = subject.advice({.told = {{Q::kF10, kChangesRarely}, {Q::kF11, 10}}});
  EXPECT_EQ(both.via, "lists");
}

TEST(Recommendation, ManyToManyNamesTheEndWhereItLies) {
  const std::string entities =
      "entity User { id id; name } entity Repo { id id; name }\n"
      "rel User *--* Repo as repos / users { size of repos max 50; size of users max 50 }\n";
  EXPECT_EQ(AdviceSubject(entities + "pattern a(u: User) = $u.repos").advice().via, "edges pk users");
  EXPECT_EQ(AdviceSubject(entities + "pattern a(r: Repo) = $r.users").advice().via, "edges pk repos");
  EXPECT_EQ(
      AdviceSubject(entities + "pattern a(r: Repo) = $r.users strong pattern b(u: User) = $u.repos strong")
          .advice()
          .via,
      "edges pk both");
  const AdviceSubject few(
      "entity User { id id; name } entity Repo { id id; name }\n"
      "rel User *--* Repo as repos / users { size of repos max 9; size of users max 9 }\n");
  EXPECT_EQ(few.advice({.told = {{Q::kF21, kAnswerYes}, {Q::kF20, kSideFirst}}}).via, "ids repos");
  EXPECT_EQ(few.advice({.told = {{Q::kF21, kAnswerYes}, {Q::kF20, kSideSecond}}}).via, "ids users");
}

// D9, G5: an index for each relation comes near the 20 of a table.
TEST(Recommendation, SixteenRelationsOfAnEntityShareOneIndex) {
  const auto via = [](int count) {
    std::string body = "entity Employee { id id; name }\n";
    for (int i = 0; i < count; ++i) {
      const std::string number = std::to_string(i);
      body += "rel Employee 1--* Employee as many" + number + " / one" + number + " { size max 50 }\n";
    }
    const AdviceSubject subject(body);
    EXPECT_EQ(subject.rendered(), "");
    return subject.advice().via;
  };
  EXPECT_EQ(via(15), "index");
  EXPECT_EQ(via(16), "edges pk many");
}

TEST(Recommendation, OneToOneFromTheSideWithoutTheIdHasAnIndex) {
  const std::string entities =
      "entity User { id id; name } entity Badge { id id; color }\nrel User 1--1 Badge as badge / user\n";
  EXPECT_EQ(AdviceSubject(entities + "pattern p(b: Badge) = $b.user").advice().via, "ref");
  EXPECT_EQ(AdviceSubject(entities + "pattern p(u: User) = $u.badge").advice().via, "index");
}

TEST(Recommendation, TakesTheNextOneIfATrialFails) {
  const AdviceInputs inputs{.trial = [](const std::string& via) -> std::optional<std::string> {
    return via == "embed" ? std::optional<std::string>("profile takes 2 requests") : std::nullopt;
  }};
  const Recommendation made = AdviceSubject(kAddresses).advice(inputs);
  EXPECT_EQ(made.via, "collection");
  ASSERT_NE(rejected(made, Via::kEmbed), nullptr);
  EXPECT_EQ(rejected(made, Via::kEmbed)->reason, "profile takes 2 requests");
  // One that fails everywhere tells nothing.
  const AdviceInputs hopeless{.trial = [](const std::string&) { return std::optional<std::string>("no"); }};
  EXPECT_EQ(AdviceSubject(kAddresses).advice(hopeless).via, "embed");
}

TEST(Recommendation, F3F4F10CopiesAreAdvisedWhereTheyPay) {
  const Recommendation unknown = AdviceSubject(kStaff).advice();
  EXPECT_FALSE(unknown.copies.is_advised);
  const AdviceSubject subject(kStaff);
  const Recommendation read = subject.advice({.told = {{Q::kF11, 10}}});
  EXPECT_TRUE(read.copies.is_advised);
  EXPECT_EQ(copies_text(subject.model(), read), "copy department(name)");
  EXPECT_FALSE(subject.advice({.told = {{Q::kF11, 10}, {Q::kF4, 1001}}}).copies.is_advised);
}

TEST(Recommendation, F3F10CopiesAreDecidedByWhatCanBeCopied) {
  const AdviceSubject subject(
      "entity Department { id id; name immutable } entity Employee { id id; name changes often }\n"
      "rel Department 1--* Employee as staff / department { required; size max 90; on delete cascade }\n"
      "pattern d(d: Department) = $d { *, staff }\npattern e(e: Employee) = $e { *, department { name } }\n");
  const Recommendation made = subject.advice();
  EXPECT_EQ(made.via, "index");
  EXPECT_TRUE(made.copies.is_advised) << made.copies.reason;
  EXPECT_EQ(copies_text(subject.model(), made), "copy department(name)");
}

TEST(Recommendation, CopiesAreToldWithTheirWayAndWhatWouldChangeThem) {
  const Recommendation made = AdviceSubject(kStaff).advice();
  ASSERT_EQ(made.copies.path.steps.size(), 5U);
  EXPECT_EQ(made.copies.answers.value(Q::kF10), kChangesRarely);
  const auto is_f11 = [](const AnswerChange& each) {
    return each.question == Q::kF11 && each.value == 10 && each.outcome == Outcome::kCopy;
  };
  EXPECT_TRUE(std::any_of(made.copies.changes.begin(), made.copies.changes.end(), is_f11));
}

TEST(Recommendation, WhatDecidesOfCopiesAndNobodySaidIsOpen) {
  const auto open = [](const std::string& name, const std::string& size, const std::string& rest,
                       const ToldAnswers& told = {}) {
    const Recommendation made =
        AdviceSubject("entity Department { id id; " + name +
                      " }\nentity Employee { id id; name }\n"
                      "rel Department 1--* Employee as staff / department { required; size " +
                      size +
                      "; on delete cascade }\n"
                      "pattern home(e: Employee) = $e { *, department { name } } " +
                      rest)
            .advice({.told = told});
    for (const Q id : made.copies.open) {
      EXPECT_NE(std::find(made.open.begin(), made.open.end(), id), made.open.end());
      EXPECT_EQ(made.assumed(id).value, made.copies.answers.value(id));
    }
    return made.copies.open;
  };
  using Open = std::vector<Q>;
  EXPECT_EQ(open("name changes rarely", "max 90", ""), Open{Q::kF11});
  EXPECT_EQ(open("name", "max 90", ""), (Open{Q::kF10, Q::kF11}));
  EXPECT_EQ(open("name", "avg 9 unbounded", ""), (Open{Q::kF10, Q::kF4, Q::kF11}));
  EXPECT_EQ(open("name changes often", "max 90", ""), Open{});
  EXPECT_EQ(open("name immutable", "max 90", ""), Open{});
  EXPECT_EQ(open("name changes rarely", "max 90", "", {{Q::kF11, 10}}), Open{Q::kF15});
  EXPECT_EQ(open("name changes rarely", "max 90", "", {{Q::kF11, 1}}), Open{});
  EXPECT_EQ(open("name changes rarely", "max 90", "strong"), Open{}) << "F15 is declared to be no";
}

TEST(Recommendation, F4WhatGrowsWithoutBoundIsNotCopiedForItsAverage) {
  const AdviceSubject subject(
      "entity Department { id id; name changes rarely }\nentity Employee { id id; name }\n"
      "rel Department 1--* Employee as staff / department { required; size avg 400 unbounded; on delete "
      "cascade }\n"
      "pattern home(e: Employee) = $e { *, department { name } } rate 100/s\n"
      "op rename(d: Department, n: string) = set $d.name = $n rate 1/day");
  const Recommendation made = subject.advice();
  EXPECT_FALSE(made.copies.is_advised);
  EXPECT_EQ(made.copies.open, std::vector<Q>{Q::kF4});
  EXPECT_TRUE(subject.advice({.told = {{Q::kF4, 1000}}}).copies.is_advised);
}

TEST(Recommendation, F21SeldomReadIdsAreEnough) {
  const auto via = [](const std::string& rate) {
    return AdviceSubject(
               "entity User { id id; name } entity Repo { id id; name }\n"
               "rel User *--* Repo as repos / users { size of repos max 5; size of users max 5 }\n"
               "pattern a(u: User) = $u.repos " +
               rate)
        .advice()
        .via;
  };
  EXPECT_TRUE(via("rate 1/day").starts_with("ids")) << via("rate 1/day");
  EXPECT_TRUE(via("rate 1/s").starts_with("edges")) << via("rate 1/s");
}

TEST(Recommendation, F22MeasurementsThatContradictAreTold) {
  const AdviceSubject subject(kStaff);
  const Recommendation made =
      subject.advice({.measured = {{.via = "index", .requests = 2, .units = 5},
                                   {.via = "edges pk one", .requests = 2, .units = 4},
                                   {.via = "ref", .requests = 2, .units = 5},
                                   {.via = "collection", .requests = 1, .units = 6}}});
  ASSERT_EQ(made.contradictions.size(), 1U);
  EXPECT_EQ(made.contradictions[0], "via edges pk one took 2 requests and 4 units, via index took 2 and 5");
  EXPECT_TRUE(subject.advice({.measured = {{.via = "edges pk one", .requests = 1}}}).contradictions.empty());
}

TEST(Recommendation, F22MeasuredCopiesContradictTheAdviceToMakeNone) {
  const AdviceSubject subject(kStaff);
  const AdviceInputs inputs{.measured = {{.via = "index", .requests = 2, .units = 5},
                                         {.via = "index copy department(*)", .requests = 1, .units = 4}}};
  const Recommendation made = subject.advice(inputs);
  ASSERT_FALSE(made.copies.is_advised);
  ASSERT_EQ(made.contradictions.size(), 1U);
  EXPECT_EQ(made.contradictions[0],
            "via index copy department(*) took 1 requests and 4 units, via index took 2 and 5");
  // Where copies are advised, it is with them that the advice was measured.
  AdviceInputs often = inputs;
  often.told = {{Q::kF11, 10}};
  const Recommendation copied = subject.advice(often);
  ASSERT_TRUE(copied.copies.is_advised) << copied.copies.reason;
  EXPECT_TRUE(copied.contradictions.empty());
}

// --- What is written down

TEST(WrittenStrategies, AgreeDifferOrAreContradicted) {
  const AdviceSubject subject(kAddresses);
  const Recommendation made = subject.advice();
  using Kind = WrittenVerdict::Kind;
  EXPECT_EQ(judge(subject.model(), made, {.kind = Via::kEmbed}).kind, Kind::kAgrees);
  EXPECT_EQ(judge(subject.model(), made, {.kind = Via::kCollection}).kind, Kind::kDiffers);
  EXPECT_EQ(judge(subject.model(), made, {.kind = Via::kIndex}).kind, Kind::kContradicted);
  const Recommendation told = subject.advice({.told = {{Q::kF14, kAnswerYes}}});
  const WrittenVerdict verdict = judge(subject.model(), told, {.kind = Via::kEmbed});
  EXPECT_EQ(verdict.kind, Kind::kContradicted);
  ASSERT_FALSE(verdict.objections.empty());
  EXPECT_EQ(verdict.objections[0], "one of them is asked for by itself, and no key leads into an item");
}

TEST(WrittenStrategies, WhatIsOnlyAssumedIsHeldAgainstNobody) {
  const AdviceSubject subject(
      "entity Customer { id id; name }\nentity Address within customer { nick id; street }\n"
      "rel Customer 1--* Address as addresses / customer { size max 10; on delete cascade }");
  EXPECT_EQ(subject.advice().via, "embed");
  EXPECT_EQ(judge(subject.model(), subject.advice(), {.kind = Via::kIndex}).kind,
            WrittenVerdict::Kind::kDiffers);
}

TEST(WrittenStrategies, G2TwentyAreFewAndTwentyOneAreNot) {
  const auto verdict = [](int64_t max) {
    const AdviceSubject subject(
        "entity Customer { id id; name }\nentity Address within customer { nick id; street }\n"
        "rel Customer 1--* Address as addresses / customer { size max " +
        std::to_string(max) + "; on delete cascade }");
    return judge(subject.model(), subject.advice(), {.kind = Via::kEmbed}).kind;
  };
  EXPECT_EQ(verdict(20), WrittenVerdict::Kind::kDiffers);
  EXPECT_EQ(verdict(21), WrittenVerdict::Kind::kContradicted);
}

TEST(WrittenStrategies, CopiesAreJudgedByWhatTheyCopy) {
  const AdviceSubject subject(
      "entity Customer { id id; name changes often; born date immutable }\nentity Order { id id; note }\n"
      "rel Customer 1--* Order as orders / customer { required; size max 90; on delete cascade }\n"
      "pattern order(o: Order) = $o { *, customer { name } }\n");
  const auto verdict = [&](const char* field) {
    return judge(
               subject.model(), subject.advice(),
               {.kind = Via::kIndex, .copies = {{.end = {.text = "customer"}, .fields = {{.text = field}}}}})
        .kind;
  };
  EXPECT_EQ(verdict("name"), WrittenVerdict::Kind::kContradicted);
  EXPECT_EQ(verdict("born"), WrittenVerdict::Kind::kAgrees);
}

TEST(DecisionText, DrawsEveryQuestionLeafAndRow) {
  const std::string text = decision_text();
  for (const Question& asked : questions()) EXPECT_NE(text.find(std::string(asked.text)), std::string::npos);
  for (const DecisionTree* tree : decision_trees()) {
    for (const DecisionNode& node : tree->nodes)
      EXPECT_NE(text.find(std::string(node.why)), std::string::npos);
  }
  for (const SummaryRow& row : summary_rows())
    EXPECT_NE(text.find("| " + std::string(row.name) + " |"), std::string::npos);
}

}  // namespace
}  // namespace sheaf::model
