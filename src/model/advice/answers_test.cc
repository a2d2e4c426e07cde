#include "model/advice/answers.h"

#include "model/advice/advice_fixture.h"

namespace sheaf::model {
namespace {

using Q = QuestionId;
using From = AnswerSource;

// "yes declared", as one word each.
std::string said(const Answers& answers, Q id) {
  const Answer& answer = answers.of(id);
  return answer_text(id, answer.value) + " " + std::string(name_of(answer.source));
}

// A parent with children that its patterns use in some way.
std::string shop(const std::string& relation, const std::string& rest,
                 const std::string& child = "{ id id; note }") {
  return "entity Customer { id id; name changes rarely; city immutable } entity Order within customer " +
         child + "\nrel Customer 1--* Order as orders / customer { " + relation + "; on delete cascade }\n" +
         rest;
}

TEST(AdviceAnswers, F2AndF8ComeFromSizes) {
  const Answers bounded = AdviceSubject(shop("size avg 3 max 20", "")).answers();
  EXPECT_EQ(said(bounded, Q::kF2), "no declared");
  EXPECT_EQ(said(bounded, Q::kF8), "20 declared");
  EXPECT_EQ(said(bounded, Q::kF4), "20 declared") << "one that has 20 is written 20 times";
  EXPECT_GT(bounded.of(Q::kF8).span.end, bounded.of(Q::kF8).span.begin);
  EXPECT_EQ(said(AdviceSubject(shop("size avg 3 unbounded", "")).answers(), Q::kF2), "yes declared");
  const Answers unsaid = AdviceSubject(shop("unchecked", "")).answers();
  EXPECT_EQ(said(unsaid, Q::kF2), "yes assumed");
  EXPECT_EQ(said(unsaid, Q::kF8), "100 assumed");
}

TEST(AdviceAnswers, F4AndF8WithoutBoundAreAssumedToBeThousandsWhateverTheAverage) {
  for (const char* size : {"size unbounded", "size avg 400 unbounded", "size avg 1000 unbounded"}) {
    const Answers answers = AdviceSubject(shop(size, "")).answers();
    for (const Q id : {Q::kF4, Q::kF8}) {
      EXPECT_EQ(said(answers, id), "1001 assumed") << size;
      EXPECT_EQ(answers.of(id).because, "without bound: thousands are assumed");
    }
  }
  // Somebody has the average at least.
  const Answers many = AdviceSubject(shop("size avg 5000 unbounded", "")).answers();
  EXPECT_EQ(said(many, Q::kF4), "5000 declared");
  EXPECT_EQ(many.of(Q::kF4).because, "without bound, 5000 or more hold it");
  const AdviceSubject subject(shop("size avg 400 unbounded", ""));
  // What is there now says nothing of what there will be, unless it is more.
  SeenSizes seen;
  seen.sides[0] = {.holders = 2, .links = 22, .most = 21};
  EXPECT_EQ(said(subject.answers({}, &seen), Q::kF4), "1001 assumed");
  seen.sides[0].most = 5000;
  EXPECT_EQ(said(subject.answers({}, &seen), Q::kF4), "5000 seen");
}

TEST(AdviceAnswers, F8MoreThatWereSeenThanDeclaredCount) {
  const AdviceSubject subject(shop("size max 20", ""));
  SeenSizes seen;
  seen.sides[0] = {.holders = 2, .links = 22, .most = 21};
  EXPECT_EQ(said(subject.answers({}, &seen), Q::kF8), "21 seen");
  EXPECT_NE(subject.answers({}, &seen).of(Q::kF8).instead_of.find("20 (declared)"), std::string::npos);
  seen.sides[0].most = 20;
  EXPECT_EQ(said(subject.answers({}, &seen), Q::kF8), "20 declared");
  EXPECT_EQ(said(AdviceSubject(shop("unchecked", "")).answers({}, &seen), Q::kF8), "20 seen");
}

TEST(AdviceAnswers, WhatIsToldComesFirstAndSaysWhatItReplaces) {
  const Answers answers = AdviceSubject(shop("size max 20", "")).answers({{Q::kF8, 5}});
  EXPECT_EQ(said(answers, Q::kF8), "5 told");
  EXPECT_EQ(answers.of(Q::kF8).instead_of, "20 (declared): at most 20");
  EXPECT_EQ(AdviceSubject(shop("size max 20", "")).answers({{Q::kF8, 20}}).of(Q::kF8).instead_of, "");
}

TEST(AdviceAnswers, F1F12F14ComeFromWhereChildrenAreRead) {
  const Answers together =
      AdviceSubject(shop("size max 9", "pattern p(c: Customer) = $c + orders")).answers();
  EXPECT_EQ(said(together, Q::kF12), "yes inferred");
  EXPECT_EQ(said(together, Q::kF14), "no inferred");
  EXPECT_EQ(said(together, Q::kF1), "no inferred");
  const Answers alone = AdviceSubject(shop("size max 9", "pattern p(o: Order) = $o")).answers();
  EXPECT_EQ(said(alone, Q::kF12), "no inferred");
  EXPECT_EQ(said(alone, Q::kF14), "yes inferred");
  EXPECT_EQ(alone.of(Q::kF14).because, "p asks for Order by itself");
  const Answers walked = AdviceSubject(shop("size max 9", "pattern p(c: Customer) = $c.orders")).answers();
  EXPECT_EQ(said(walked, Q::kF12), "no inferred");
  EXPECT_EQ(said(walked, Q::kF14), "no inferred");
  EXPECT_EQ(said(AdviceSubject(shop("size max 9", "")).answers(), Q::kF12), "yes assumed");
}

TEST(AdviceAnswers, F3AndF10ComeFromTheFieldsThatAreWantedBeside) {
  const auto of = [](const std::string& fields) {
    return AdviceSubject(shop("size max 9", "pattern p(o: Order) = $o { *, customer { " + fields + " } }"))
        .answers();
  };
  EXPECT_EQ(said(of("city"), Q::kF3), "yes declared");
  EXPECT_EQ(said(of("city"), Q::kF10), "never declared");
  EXPECT_EQ(said(of("name, city"), Q::kF3), "no declared");
  EXPECT_EQ(said(of("name, city"), Q::kF10), "rarely declared");
  EXPECT_EQ(said(AdviceSubject(shop("size max 9", "")).answers(), Q::kF10), "often assumed");
}

// What only edges have room for does not decide of the others.
TEST(AdviceAnswers, F3AndF10OfATreeAreAboutFieldsOfTheOne) {
  const Answers answers =
      AdviceSubject(
          "entity Department { id id; name immutable } entity Employee { id id; name changes often }\n"
          "rel Department 1--* Employee as staff / department { size max 90 }\n"
          "pattern d(d: Department) = $d { *, staff }\npattern e(e: Employee) = $e { *, department { name } "
          "}")
          .answers();
  EXPECT_EQ(said(answers, Q::kF3), "yes declared");
  EXPECT_EQ(said(answers, Q::kF10), "never declared");
}

TEST(AdviceAnswers, F10WhoWalksThereWantsFieldsOfTheOther) {
  const Answers answers =
      AdviceSubject(
          "entity Movie { id id; title immutable } entity Genre { id id; label immutable }\n"
          "rel Movie *--* Genre as genres / movies { size of genres max 4; size of movies max 10 }\n"
          "pattern g(m: Movie) = $m.genres { label }\npattern m(g: Genre) = $g.movies { title }")
          .answers();
  EXPECT_EQ(said(answers, Q::kF10), "never declared");
  EXPECT_EQ(said(answers, Q::kF3), "yes declared");
}

TEST(AdviceAnswers, F5IsAboutTheKeyOfTheMany) {
  EXPECT_EQ(said(AdviceSubject(shop("size max 9", "")).answers(), Q::kF5), "no declared");
  const std::string entities = "entity Customer { id id; name } entity Order { id id; note }\n";
  const auto of = [&](const std::string& relation, const std::string& rest) {
    return AdviceSubject(entities + "rel Customer 1--* Order as orders / customer { size max 90; " +
                         relation + " }\n" + rest)
        .answers();
  };
  EXPECT_EQ(of("", "").of(Q::kF5).because, "it can be without customer, and then has no partition to lie in");
  EXPECT_EQ(said(of("required; on delete cascade", ""), Q::kF5), "no assumed");
  const Answers looked_up = of("required; on delete cascade", "pattern p(o: Order) = $o");
  EXPECT_EQ(looked_up.of(Q::kF5).because, "it is looked up by its own id, which does not tell its parent");
  EXPECT_EQ(said(looked_up, Q::kF5), "yes inferred");
  // F14 leads to it, also if it was told.
  const AdviceSubject told(
      entities + "rel Customer 1--* Order as orders / customer { size max 90; required; on delete cascade }");
  EXPECT_EQ(said(told.answers({{Q::kF14, kAnswerYes}}), Q::kF5), "yes inferred");
}

TEST(AdviceAnswers, F6AndF7AreAboutLevelsAndWhatIsWantedOfThem) {
  const auto of = [](const std::string& patterns) {
    return AdviceSubject(
               "entity Org { id id; name } entity Project within org { id id; name } entity Task within "
               "project { id id; name }\n"
               "rel Org 1--* Project as projects / org { size max 50; on delete cascade }\n"
               "rel Project 1--* Task as tasks / project { size max 80; on delete cascade }\n" +
               patterns)
        .answers({}, nullptr, 1);
  };
  const std::string below = "pattern p(x: Project) = $x + tasks\n";
  const Answers all = of(below + "pattern o(x: Org) = $x { *, projects { *, tasks } }");
  EXPECT_EQ(said(all, Q::kF6), "yes inferred");
  EXPECT_EQ(said(all, Q::kF7), "yes inferred");
  const Answers only_projects = of(below + "pattern o(x: Org) = $x + projects");
  EXPECT_EQ(said(only_projects, Q::kF6), "yes inferred");
  EXPECT_EQ(said(only_projects, Q::kF7), "no inferred");
  EXPECT_EQ(said(of(below), Q::kF6), "no inferred");
  EXPECT_EQ(said(AdviceSubject(shop("size max 9", below.substr(0, 0))).answers(), Q::kF6), "no declared");
}

TEST(AdviceAnswers, F9AndF20AreAboutDirections) {
  const auto of = [](const std::string& patterns) {
    return AdviceSubject(
               "entity User { id id; name } entity Repo { id id; name }\n"
               "rel User *--* Repo as repos / users { size of repos max 50; size of users max 50 }\n" +
               patterns)
        .answers();
  };
  const std::string forward = "pattern a(u: User) = $u.repos\n", backward = "pattern b(r: Repo) = $r.users\n";
  EXPECT_EQ(said(of(forward + backward), Q::kF9), "yes inferred");
  EXPECT_EQ(said(of(forward), Q::kF9), "no inferred");
  EXPECT_EQ(said(of(forward), Q::kF20), "first inferred");
  EXPECT_EQ(said(of(backward), Q::kF20), "second inferred");
  EXPECT_EQ(said(of(""), Q::kF9), "no assumed");
  // Found by what an end leads to: asked for from there, not from the many.
  const std::string by_one = "pattern x(c: string) = Order where customer.id = $c\n";
  EXPECT_EQ(said(AdviceSubject(shop("size max 9", by_one)).answers(), Q::kF9), "no inferred");
  EXPECT_EQ(
      said(AdviceSubject(shop("size max 9", by_one + "pattern y(o: Order) = $o.customer")).answers(), Q::kF9),
      "yes inferred");
}

TEST(AdviceAnswers, F11AndF13ComeFromRates) {
  const auto of = [](const std::string& read, const std::string& write) {
    return AdviceSubject(
               shop("size max 9", "pattern p(o: Order) = $o { *, customer { name } } rate " + read +
                                      "\nop o(x: Order, n: string) = set $x.note = $n rate " + write +
                                      "\nop c(c: Customer, n: string) = set $c.name = $n rate " + write))
        .answers();
  };
  EXPECT_EQ(said(of("10/s", "1/s"), Q::kF11), "10 inferred");
  EXPECT_EQ(said(of("10/s", "1/s"), Q::kF13), "no inferred");
  EXPECT_EQ(said(of("11/s", "1/s"), Q::kF13), "yes inferred");
  EXPECT_EQ(said(of("60/min", "24/day"), Q::kF11), "3600 inferred");
  EXPECT_EQ(said(AdviceSubject(shop("size max 9", "")).answers(), Q::kF11), "1 assumed");
  EXPECT_EQ(said(AdviceSubject(shop("size max 9", "", "{ id id; note changes often }")).answers(), Q::kF13),
            "no declared");
  EXPECT_EQ(said(AdviceSubject(shop("size max 9", "", "{ id id; note immutable }")).answers(), Q::kF13),
            "yes declared");
}

TEST(AdviceAnswers, F11CountsWritesOfLinksAndOfWhatWouldBeCopied) {
  const auto of = [](const std::string& operation) {
    return AdviceSubject(
               "entity Customer { id id; name changes rarely; age int } entity Order { id id; note }\n"
               "rel Customer 1--* Order as orders / customer { size max 9 }\n"
               "pattern p(o: Order) = $o { *, customer { name } } rate 100/s\n" +
               operation + " rate 2/s")
        .answers()
        .of(Q::kF11);
  };
  for (const char* counted :
       {"op w(c: Customer, n: string) = set $c.name = $n", "op w(o: Order) = put $o",
        "op w(c: Customer) = upsert $c", "op w(o: Order, c: Customer) = set $o.customer = $c",
        "op w(c: Customer, o: Order) = link $c.orders $o"})
    EXPECT_EQ(of(counted).value, 50) << counted;
  for (const char* other : {"op w(c: Customer, n: int) = set $c.age = $n", "op w(c: Customer) = put $c",
                            "op w(o: Order, n: string) = set $o.note = $n"}) {
    EXPECT_EQ(of(other).value, 8'640'000) << other;
    EXPECT_EQ(of(other).because, "no operation writes links, or what would be copied: as if once a day");
  }
}

TEST(AdviceAnswers, F15AndF16ComeFromStrongPatterns) {
  const auto of = [](const std::string& clauses) {
    return AdviceSubject(shop("size max 9", "pattern p(c: Customer) = $c + orders " + clauses +
                                                "\npattern o(o: Order) = $o { *, customer { name } } " +
                                                clauses))
        .answers();
  };
  EXPECT_EQ(said(of("strong"), Q::kF16), "yes declared");
  EXPECT_EQ(said(of("strong"), Q::kF15), "no declared");
  EXPECT_EQ(said(of(""), Q::kF16), "no assumed");
  EXPECT_EQ(said(of(""), Q::kF15), "yes assumed");
  // Nothing of a customer is shown: copies of it may be as old as they like.
  EXPECT_EQ(said(AdviceSubject(shop("size max 9", "pattern p(c: Customer) = $c + orders strong")).answers(),
                 Q::kF15),
            "yes assumed");
}

TEST(AdviceAnswers, F17IsAboutOrderAndPickingByFields) {
  const auto of = [](const std::string& tail) {
    return AdviceSubject(shop("size max 9", "pattern p(c: Customer) = $c { *, orders " + tail + " limit 5 }"))
        .answers();
  };
  EXPECT_EQ(said(of("order note"), Q::kF17), "yes inferred");
  EXPECT_EQ(said(of("order id"), Q::kF17), "no inferred");
}

TEST(AdviceAnswers, F18F19D4ComeFromTheRelation) {
  const AdviceSubject subject(
      "entity User { id id; name }\nrel User *--* User as friends { edge { since date }; size max 9 }\n"
      "rel User 1--* User as reports / manager { size max 5 } rel User 1--* User as mentees / mentor { size "
      "max 5 }");
  EXPECT_EQ(said(subject.answers(), Q::kF18), "yes declared");
  EXPECT_EQ(said(subject.answers(), Q::kF19), "neither declared");
  EXPECT_EQ(said(subject.answers({}, nullptr, 1), Q::kF18), "no declared");
  EXPECT_EQ(said(subject.answers({}, nullptr, 1), Q::kF19), "first declared");
  EXPECT_EQ(said(subject.answers({}, nullptr, 1), Q::kD4), "2 declared");
}

TEST(AdviceAnswers, C4IsAboutPartsOfIdsAndDataOfThePair) {
  const std::string entities =
      "entity Student { id id; name } entity Place { country id; state id; city id }\n";
  const auto of = [&](const std::string& relation, const std::string& pattern) {
    const AdviceSubject subject(entities + relation + pattern);
    EXPECT_EQ(subject.model().patterns.size(), 1U) << subject.rendered();
    return subject.answers().of(Q::kC4);
  };
  const std::string tree = "rel Place 1--* Student as residents / home\n";
  const std::string found = "pattern p(c: string, s: string, t: string) = Student where home.country = $c";
  const Answer by_part = of(tree, found + " page 9 {}");
  EXPECT_EQ(by_part.value, kAnswerYes);
  EXPECT_EQ(by_part.because, "p asks by a part of the id of what it connects");
  EXPECT_EQ(of(tree, found + " and home.state = $s page 9 {}").value, kAnswerYes);
  EXPECT_EQ(of(tree, found + " and home.state = $s and home.city = $t page 9 {}").value, kAnswerNo);
  EXPECT_EQ(of(tree, "pattern p(s: Student) = $s { *, home }").value, kAnswerNo);

  const std::string net =
      "rel Student *--* Place as homes / residents { edge { since date; kind id; note string? } }\n";
  const Answer by_data = of(net, "pattern p(x: Place, k: string) = $x.residents where edge.kind = $k {}");
  EXPECT_EQ(by_data.value, kAnswerYes);
  EXPECT_EQ(by_data.because, "p asks by data of the pair");
  EXPECT_EQ(of(net, "pattern p(x: Student) = $x { homes order edge.since limit 3 }").value, kAnswerYes);
  // By what edges begin with, and by what an edge may be without, they are not found better.
  EXPECT_EQ(of(net, "pattern p(x: Student, c: string) = $x.homes where country = $c {}").value, kAnswerNo);
  EXPECT_EQ(of(net, "pattern p(x: Student, n: string) = $x.homes where edge.note = $n {}").value, kAnswerNo);
  EXPECT_EQ(of(net, "pattern p(x: Student) = $x.homes").value, kAnswerNo);
}

TEST(AdviceAnswers, F21IsReadLessThanOnceAMinute) {
  const auto of = [](const std::string& first, const std::string& second) {
    return AdviceSubject(shop("size max 9", "pattern p(c: Customer) = $c.orders " + first +
                                                "\npattern q(o: Order) = $o.customer " + second))
        .answers();
  };
  EXPECT_EQ(said(of("rate 1/day", "rate 1/h"), Q::kF21), "yes inferred");
  EXPECT_EQ(of("rate 1/day", "rate 1/h").of(Q::kF21).because, "it is read 25 times a day in all");
  EXPECT_EQ(said(of("rate 1439/day", "rate 0.5/day"), Q::kF21), "yes inferred");
  EXPECT_EQ(said(of("rate 1439/day", "rate 1/day"), Q::kF21), "no inferred");
  // Who says nothing may ask often; but what is often is, whatever the others are.
  EXPECT_EQ(said(of("rate 1/day", ""), Q::kF21), "no assumed");
  EXPECT_EQ(said(of("rate 1/s", ""), Q::kF21), "no inferred");
}

TEST(AdviceAnswers, F23IsMoreThanAPartitionBears) {
  const auto subject = [](const std::string& read, const std::string& write) {
    return AdviceSubject(shop("size max 9", "pattern p(o: Order) = $o rate " + read +
                                                "\npattern list(c: Customer) = $c.orders rate 9000/s"
                                                "\nop s(o: Order, n: string) = set $o.note = $n rate " +
                                                write + "\nop add(o: Order) = put $o rate 5000/s"));
  };
  EXPECT_EQ(said(subject("3000/s", "1000/s").answers(), Q::kF23), "no inferred");
  EXPECT_EQ(said(subject("3001/s", "1/s").answers(), Q::kF23), "yes assumed");
  EXPECT_EQ(said(subject("1/s", "1001/s").answers(), Q::kF23), "yes assumed");
  EXPECT_EQ(subject("1/s", "1001/s").answers().of(Q::kF23).because,
            "1 reads and 1001 writes of single ones a second, and a partition bears 3000 and 1000: nobody "
            "says how they are spread");
  // How they are spread is seen.
  SeenSizes seen;
  seen.sides[0] = {.holders = 2, .links = 4, .most = 2};
  EXPECT_EQ(said(subject("6000/s", "1/s").answers({}, &seen), Q::kF23), "no seen");
  EXPECT_EQ(said(subject("6001/s", "1/s").answers({}, &seen), Q::kF23), "yes seen");
}

TEST(AdviceAnswers, F21F22F23AreAssumedUntilSomebodySays) {
  const Answers answers = AdviceSubject(shop("size max 9", "")).answers({{Q::kF23, kAnswerYes}});
  EXPECT_EQ(said(answers, Q::kF21), "no assumed");
  EXPECT_EQ(answers.of(Q::kF22).source, From::kAssumed);
  EXPECT_EQ(said(answers, Q::kF23), "yes told");
}

}  // namespace
}  // namespace sheaf::model
