#include "language/format.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <random>

#include "language/example_models.h"
#include "language/text_promises.h"

namespace sheaf::language {
namespace {

std::string formatted(std::string_view text) { return format(SourceText("test.sheaf", std::string(text))); }

// Of what stands in the model's block.
std::string formatted_inside(std::string_view text) {
  const std::string all = formatted("model m {\n" + std::string(text) + "\n}\n");
  return all.substr(10, all.size() - 12);
}

TEST(Format, NormalisesTheSpacesBetweenTokens) {
  EXPECT_EQ(
      formatted_inside("entity   A{id  id;x list < string >?;y number default - 1 ;z set<enum( a ,b )>}"),
      "  entity A { id id; x list<string>?; y number default -1; z set<enum(a, b)> }\n");
  EXPECT_EQ(formatted_inside("rel A|B 1--*C as cs/a{size of cs avg 1 max 2;edge{}}"),
            "  rel A | B 1--* C as cs / a { size of cs avg 1 max 2; edge {} }\n");
  EXPECT_EQ(
      formatted_inside("entity E{key \"a\"/\"b\";n int=count( ns );index I \"x\" when a<=1 and b in(1,-2)}"),
      "  entity E { key \"a\" / \"b\"; n int = count(ns); index I \"x\" when a <= 1 and b in (1, -2) }\n");
  EXPECT_EQ(formatted_inside(
                "pattern p(a:A?,b : {x;y int}) = $ a . b ^ 2 .c where list<5 and set<map and x>= - 1 + d"
                "{* ,n:sum( a*b - -1 )} rate 50 / s"),
            "  pattern p(a: A?, b: { x; y int }) = $a.b^2.c where list < 5 and set < map and x >= -1 + d {\n"
            "    *,\n"
            "    n: sum(a * b - -1)\n"
            "  } rate 50/s\n");
  EXPECT_EQ(formatted_inside("op o()={set $a.b=[ 1 ,{ \"k\" :2}],$a.c=- 1;link $a $b{x=1}}"),
            "  op o() = { set $a.b = [1, { \"k\": 2 }], $a.c = -1; link $a $b { x = 1 } }\n");
  EXPECT_EQ(formatted_inside("compare[ a,b ]\ncompare A . b[ref,edges pk both copy a( * )]"),
            "  compare [a, b]\n  compare A.b [ref, edges pk both copy a(*)]\n");
  EXPECT_EQ(formatted_inside("expect p( ):requests<=1 ,reads=2"), "  expect p(): requests <= 1, reads = 2\n");
}

TEST(Format, LeavesStringsAlone) {
  EXPECT_EQ(formatted_inside("entity A{tag \"a  {;} //\\\" b\";`x  y`}"),
            "  entity A { tag \"a  {;} //\\\" b\"; `x  y` }\n");
}

TEST(Format, IndentsByTwoSpacesABlockAndAsMuchForWhatGoesOn) {
  EXPECT_EQ(
      formatted("model m {\nentity A {\nid id;\nhome {\nstreet;\nzip\n}?;\n"
                "index I \"a\" /\n\"b\"\nwhen x = 1\n}\npattern p(a: A,\nb: B) =\n$a\nbudget 1 request\n"
                "compare [\na,\nb\n]\n}"),
      "model m {\n"
      "  entity A {\n"
      "    id id;\n"
      "    home {\n"
      "      street;\n"
      "      zip;\n"
      "    }?;\n"
      "    index I \"a\" /\n"
      "      \"b\"\n"
      "      when x = 1;\n"
      "  }\n"
      "  pattern p(a: A,\n"
      "    b: B) =\n"
      "    $a\n"
      "    budget 1 request\n"
      "  compare [\n"
      "    a,\n"
      "    b\n"
      "  ]\n"
      "}\n");
}

TEST(Format, KeepsTheLinesOfStatementsAndAtMostOneBlankLine) {
  EXPECT_EQ(
      formatted(
          "\n\nmodel m\n{\n\n\n  entity A { id id; x;\n\n\n\n y }\n\n\n  entity B { id id;\n\n}\n\n}\n\n\n"),
      "model m {\n"
      "  entity A {\n"
      "    id id; x;\n"
      "\n"
      "    y;\n"
      "  }\n"
      "\n"
      "  entity B {\n"
      "    id id;\n"
      "  }\n"
      "}\n");
  EXPECT_EQ(formatted_inside("entity A {\n}"), "  entity A {}\n");
}

TEST(Format, TokensThatBelongTogetherStandTogether) {
  EXPECT_EQ(formatted_inside("entity A\n{ id id\n; x string\n? }\npattern p(\n) = $\na\n.\nb ^\n2"),
            "  entity A {\n"
            "    id id;\n"
            "    x string?;\n"
            "  }\n"
            "  pattern p() = $a.b^2\n");
}

TEST(Format, DropsTheLastSemicolonOfALineAndAddsItInABlockOfSeveralLines) {
  EXPECT_EQ(formatted_inside("entity A { id id; }"), "  entity A { id id }\n");
  EXPECT_EQ(formatted_inside("entity A { id id; x\n}"), "  entity A {\n    id id; x;\n  }\n");
  EXPECT_EQ(formatted_inside("entity A {\nid id // why\n}"), "  entity A {\n    id id;  // why\n  }\n");
  EXPECT_EQ(formatted_inside("op o() = {\nput $a }"), "  op o() = {\n    put $a;\n  }\n");
  EXPECT_EQ(formatted_inside("op o() = link $a $b {\nx = 1 }"), "  op o() = link $a $b {\n    x = 1\n  }\n");
  EXPECT_EQ(formatted_inside("op o() = set $a.b = {\n\"k\": 1 }"),
            "  op o() = set $a.b = {\n    \"k\": 1\n  }\n");
  EXPECT_EQ(formatted_inside("pattern p() = A {\n* }"), "  pattern p() = A {\n    *\n  }\n");
  EXPECT_EQ(formatted_inside("layout l {\nentity A { key \"a\" } }"),
            "  layout l {\n    entity A { key \"a\" }\n  }\n");
}

TEST(Format, DeclarationsStandOnLinesOfTheirOwnUnlessASemicolonIsBetween) {
  EXPECT_EQ(formatted("model m { entity A { id id } entity B { id id } }"),
            "model m {\n  entity A { id id }\n  entity B { id id }\n}\n");
  EXPECT_EQ(formatted("model m { entity A { id id }; entity B { id id }; }"),
            "model m { entity A { id id }; entity B { id id } }\n");
  EXPECT_EQ(formatted_inside("layout l { rel A.b via ref rel A.c via ref }"),
            "  layout l {\n    rel A.b via ref\n    rel A.c via ref\n  }\n");
}

TEST(Format, CommentsKeepTheirLineAndAreAligned) {
  EXPECT_EQ(
      formatted(
          "// first\r\nmodel m { // second  \r\n"
          "entity A { // third\n// fourth\nid id; // fifth\nlonger string; // sixth\n\nx // seventh\n}\n"
          "// eighth\n\n// ninth\n}\n// tenth"),
      "// first\n"
      "model m {     // second\n"
      "  entity A {  // third\n"
      "    // fourth\n"
      "    id id;          // fifth\n"
      "    longer string;  // sixth\n"
      "\n"
      "    x;  // seventh\n"
      "  }\n"
      "  // eighth\n"
      "\n"
      "  // ninth\n"
      "}\n"
      "// tenth\n");
  EXPECT_EQ(formatted_inside("entity A { id // one\n; x // two\n}"),
            "  entity A {\n    id      // one\n      ; x;  // two\n  }\n");
  // Wider than its bytes.
  EXPECT_EQ(formatted_inside("entity A {\ntag \"\xC3\xA4\"; // one\ntag2; // two\n}"),
            "  entity A {\n    tag \"\xC3\xA4\";  // one\n    tag2;     // two\n  }\n");
}

TEST(Format, ALineThatIsTooLongGetsOneStatementALine) {
  const std::string name(40, 'x');
  const std::string fields = name + "1; " + name + "2; " + name + "3";
  const std::string lines = "    " + name + "1;\n    " + name + "2;\n    " + name + "3;\n";
  EXPECT_EQ(formatted_inside("entity A { " + fields + " }  // why"),
            "  entity A {\n" + lines + "  }  // why\n");
  EXPECT_EQ(formatted_inside("entity A {\n" + fields + " }"), "  entity A {\n" + lines + "  }\n");
  // Exactly as long as allowed, and one more.
  const std::string rest(kLineCharactersMax - std::string("  entity A { ; y }").size(), 'z');
  EXPECT_EQ(formatted_inside("entity A { " + rest + "; y }"), "  entity A { " + rest + "; y }\n");
  EXPECT_EQ(formatted_inside("entity A { " + rest + "z; y }"),
            "  entity A {\n    " + rest + "z;\n    y;\n  }\n");
  // The outer block first, and the inner ones only if it is not enough.
  EXPECT_EQ(formatted_inside("layout l { entity A { tag \"" + name + "\"; key \"" + name + "\" / \"" + name +
                             "\" } }"),
            "  layout l {\n    entity A {\n      tag \"" + name + "\";\n      key \"" + name + "\" / \"" +
                name + "\";\n    }\n  }\n");
}

TEST(Format, LaysOutAWholeModel) {
  EXPECT_EQ(formatted(kSupport), R"(model support {
  table app { pk PK; sk SK; tag Type; gsi GSI1 GSI1PK / GSI1SK all }
  entity Org { name id; plan enum(FREE, PRO); key "ORG#<name>" / "METADATA#<name>" }
  entity User within org {
    name id;
    email unique;
    key "ORG#<org.name>" / "USER#<name>";
    index GSI1 "ORG#<org.name>#USER#<name>" / "USER#<name>";
  }
  entity Ticket {
    id id ulid;
    subject;
    key "TICKET#<id>" / "TICKET#<id>";
    index GSI1 "ORG#<owner.org.name>#USER#<owner.name>" / "TICKET#<id>";
  }
  rel Org 1--* User as users / org { via collection; size avg 40 max 500 }
  rel User 1--* Ticket as tickets / owner { via index on GSI1; size avg 200 unbounded; required; on delete cascade }
  layout flat { entity Ticket { key "ORG#<owner.org.name>" / "TICKET#<id>" } }  // METADATA# < TICKET# < USER#
  pattern orgAndUsers(o: Org) = $o + users budget 1 request rate 50/s
  pattern userAndTickets(u: User) = $u { *, tickets order id desc limit 20 } budget 1 request  // GSI1 backwards: USER# first, then newest
  pattern ticket(t: Ticket) = $t budget 1 request                                              // not legal in flat
  compare [default, flat]
  expect orgAndUsers("acme"): requests = 1, reads = 4, returns = 4
}
)");
}

TEST(Format, KeepsItsPromisesForWholeModels) {
  for (const std::string_view model : kExampleModels) {
    const SourceText source("example.sheaf", std::string(model));
    Diagnostics diagnostics;
    const Model parsed = parse(source, diagnostics);
    ASSERT_FALSE(diagnostics.has_errors()) << render(source, diagnostics.all()[0]);
    EXPECT_EQ(broken_promise_of_model(source, parsed), "");
  }
}

TEST(Format, ATextWithMistakesStaysAsItIs) {
  EXPECT_EQ(formatted("model  m {\n entity }\n\n\n"), "model  m {\n entity }\n\n\n");
}

// The tokens of the examples, with other space between them.
class Respacing : public testing::Test {
 protected:
  size_t below(size_t n) { return static_cast<size_t>(random_() % n); }

  static uint64_t seed() {
    const char* const variable = std::getenv("SHEAF_TEST_SEED");
    return variable == nullptr ? 20240601 : std::strtoull(variable, nullptr, 10);
  }
  static size_t rounds() {
    const char* const variable = std::getenv("SHEAF_TEST_ROUNDS");
    return variable == nullptr ? 1 : std::strtoull(variable, nullptr, 10);
  }

  // Between two tokens that were on one line.
  std::string blanks() {
    static constexpr std::array<const char*, 5> kBlanks = {" ", "  ", "\t", " \t ", "\r"};
    return kBlanks[below(kBlanks.size())];
  }

  std::string anything() {
    switch (below(12)) {
      case 0:
        return "\n";
      case 1:
        return "\r\n\r\n\t";
      case 2:
        return "\n\n \n\n";
      case 3:
        return " // c" + std::string(below(9), 'c') + "\n";
      case 4:
        return "\n // own line\n";
      default:
        return blanks();
    }
  }

  // What may stand directly before or after anything.
  static bool is_alone(const Token& token) {
    return token.kind == Token::Kind::kMark &&
           std::string_view("{}()[];,").find(token.text) != std::string::npos;
  }

  // Between two tokens.
  struct Gap {
    bool may_be_empty = false;
    size_t line_ends = 0;  // those that a comment does not need
  };

  // `space(gap)` says what is there instead.
  template <typename Space>
  static std::string respaced(std::string_view text, Space space) {
    const SourceText source("", std::string(text));
    Diagnostics ignored;
    const std::vector<Token> tokens = tokens_of(source, ignored);
    std::string out;
    for (size_t i = 0; i + 1 < tokens.size(); ++i) {
      const std::string_view was =
          source.text({.begin = tokens[i].span.end, .end = tokens[i + 1].span.begin});
      Gap gap{.may_be_empty = is_alone(tokens[i]) || is_alone(tokens[i + 1]),
              .line_ends = static_cast<size_t>(std::count(was.begin(), was.end(), '\n'))};
      out += tokens[i].text;
      if (is_comment(tokens[i])) {
        out += "\n";
        gap.line_ends -= 1;
      }
      out += space(gap);
    }
    return out;
  }

  std::mt19937_64 random_{seed()};
};

TEST_F(Respacing, KeepsAllPromises) {
  SCOPED_TRACE("SHEAF_TEST_SEED=" + std::to_string(seed()));
  for (size_t round = 0; round < 40 * rounds(); ++round) {
    const std::string text = respaced(kExampleModels[round % kExampleModels.size()], [&](const Gap& gap) {
      return gap.may_be_empty && below(2) == 0 ? std::string() : anything();
    });
    const SourceText source("respaced.sheaf", text);
    Diagnostics diagnostics;
    const Model model = parse(source, diagnostics);
    ASSERT_FALSE(diagnostics.has_errors()) << render(source, diagnostics.all()[0]) << text;
    ASSERT_EQ(broken_promise_of_model(source, model), "") << text;
  }
}

TEST_F(Respacing, BlanksWithinALineDoNotMatter) {
  SCOPED_TRACE("SHEAF_TEST_SEED=" + std::to_string(seed()));
  for (size_t round = 0; round < 20 * rounds(); ++round) {
    const std::string_view model = kExampleModels[round % kExampleModels.size()];
    const std::string text = respaced(model, [&](const Gap& gap) {
      const bool is_empty = (gap.may_be_empty || gap.line_ends > 0) && below(2) == 0;
      return std::string(gap.line_ends, '\n') + (is_empty ? "" : blanks());
    });
    ASSERT_EQ(formatted(text), formatted(model)) << text;
  }
}

}  // namespace
}  // namespace sheaf::language
