#include "assist/rename.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "assist/assist_fixture.h"
#include "language/parser.h"
#include "language/syntax_json.h"

namespace sheaf::assist {
namespace {

constexpr std::string_view kFresh = "Fresh_name_7";

std::string json_of(const std::string& text) {
  const language::SourceText source("text", text);
  language::Diagnostics mistakes;
  const language::Model model = language::parse(source, mistakes);
  EXPECT_FALSE(mistakes.has_errors()) << text;
  return language::to_json(model);
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

// Backquotes that nothing needs are not put back: texts are compared without any.
std::string without_backquotes(std::string text) {
  std::erase(text, '`');
  return text;
}

void expect_renames(const std::string& path, const std::string& text) {
  const Document document(path, text);
  ASSERT_EQ(document.error_count(), 0u) << path;
  const std::string json = json_of(text);
  for (const Symbol& symbol : document.symbols().all()) {
    const auto edits = rename(document, symbol.declarations.front().begin, kFresh);
    ASSERT_TRUE(edits.ok()) << path << " " << symbol.name << ": " << edits.error().message;
    ASSERT_EQ(edits->size(), symbol.declarations.size() + symbol.references.size());
    const std::string renamed = applied(text, *edits);
    const Document after(path, renamed);
    ASSERT_EQ(after.error_count(), 0u) << path << " " << symbol.name << after.planned().compiled.rendered();
    // Every place says the fresh name, and with the old one in its place the model is the old one.
    EXPECT_EQ(replaced(json_of(renamed), kFresh, symbol.name), json) << path << " " << symbol.name;
    const Occurrence* const declared = after.symbols().at(static_cast<uint32_t>(renamed.find(kFresh)));
    ASSERT_NE(declared, nullptr);
    const auto back = rename(after, declared->span.begin, symbol.name);
    ASSERT_TRUE(back.ok()) << path << " " << symbol.name << ": " << back.error().message;
    EXPECT_EQ(without_backquotes(applied(renamed, *back)), without_backquotes(text))
        << path << " " << symbol.name;
  }
}

TEST(Rename, EveryNameOfEveryModelToAFreshOneAndBack) {
  for (const auto& [path, text] : models_on_disk()) expect_renames(path, text);
  expect_renames("shop", std::string(kShop));
}

std::string renamed(std::string_view text, std::string_view name) {
  const MarkedText at = marked(text);
  const Document document("m.sheaf", at.text);
  const auto edits = rename(document, at.offset, name);
  return edits.ok() ? applied(at.text, *edits) : "refused: " + edits.error().message;
}

TEST(Rename, ChangesHolesPathsSelectionsCopiesAndCounts) {
  EXPECT_EQ(renamed("model m { entity A { id id; na|me; n int = count(bs) } entity B { id id; }\n"
                    "rel A 1--* B as bs / a { via ref copy a(name) }\n"
                    "pattern p(b: B) = $b { *, a { name } } pattern q(x: A) = $x where name = \"a\" }",
                    "title"),
            "model m { entity A { id id; title; n int = count(bs) } entity B { id id; }\n"
            "rel A 1--* B as bs / a { via ref copy a(title) }\n"
            "pattern p(b: B) = $b { *, a { title } } pattern q(x: A) = $x where title = \"a\" }");
}

TEST(Rename, PutsBackquotesAroundKeywordsWhereTheyAreOne) {
  EXPECT_EQ(renamed("model m { entity A { i|d id; key \"A#<id>\" / \"A\" } }", "key"),
            "model m { entity A { `key` id; key \"A#<key>\" / \"A\" } }");
  EXPECT_EQ(renamed("model m { entity A { i|d id } }", "order"), "model m { entity A { order id } }");
}

TEST(Rename, PutsBackquotesAroundWhatHasOtherCharacters) {
  EXPECT_EQ(renamed("model m { entity A { id id; pri|ce number } }", "größe"),
            "model m { entity A { id id; `größe` number } }");
}

TEST(Rename, RefusesWhatIsTakenOrNoName) {
  EXPECT_EQ(renamed("model m { entity A { id id; na|me; title } }", "title"),
            "refused: it cannot be named title: there are two fields named title");
  EXPECT_EQ(renamed("model m { entity A| { id id } entity B { id id } }", "B"),
            "refused: it cannot be named B: there are two entities named B");
  EXPECT_EQ(renamed("model m { entity A { i|d id } }", ""),
            "refused: a name is not empty, and has no backquotes and line ends");
  EXPECT_EQ(renamed("model m { entity A { i|d id } }", "a`b"),
            "refused: a name is not empty, and has no backquotes and line ends");
  EXPECT_EQ(renamed("model m { enti|ty A { id id } }", "x"),
            "refused: there is no name here that is declared in this model");
  EXPECT_EQ(renamed("model m { entity A { i|d id; key \"A#<id>\" / \"A\" } }", "first name"),
            "refused: id is used in keys, where a name has letters, digits and _ only");
}

// A name that others would then take for something else is no new mistake, but refused all the same.
TEST(Rename, RefusesWhatWouldChangeTheMeaningOfAnotherName) {
  EXPECT_EQ(renamed("model m { entity A { id id } entity B { id id }\n"
                    "rel A 1--* B as bs / a| { via edges pk a; size max 3 } }",
                    "many"),
            "refused: it cannot be named many: many means something else already");
}

TEST(Rename, AnAttributeThatAnIndexIncludesFollowsItsField) {
  EXPECT_EQ(renamed("model m { table app { pk PK; sk SK; gsi G1A A / B include(title) }\n"
                    "entity E { id id; ti|tle; key \"E#<id>\" / \"E\"; index G1A \"E\" / \"<id>\" } }",
                    "heading"),
            "model m { table app { pk PK; sk SK; gsi G1A A / B include(heading) }\n"
            "entity E { id id; heading; key \"E#<id>\" / \"E\"; index G1A \"E\" / \"<id>\" } }");
}

}  // namespace
}  // namespace sheaf::assist
