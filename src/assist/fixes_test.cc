#include "assist/fixes.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "assist/assist_fixture.h"

namespace sheaf::assist {
namespace {

struct Offered {
  std::vector<std::string> titles;
  std::string text;  // with the first one applied
};

Offered offered(const std::string& text) {
  const Document document("m.sheaf", text);
  Offered made{.text = text};
  const auto found = fixes(document, {.begin = 0, .end = static_cast<uint32_t>(text.size())});
  for (const Fix& fix : found) made.titles.push_back(fix.title);
  if (!found.empty()) made.text = applied(text, found.front().edits);
  return made;
}

using Titles = std::vector<std::string>;

TEST(Fixes, WriteTheNameThatWasMeant) {
  const Offered found = offered("model m { entity Customer { id id } pattern p(c: Custmer) = $c }");
  EXPECT_EQ(found.titles, (Titles{"Write Customer"}));
  EXPECT_EQ(found.text, "model m { entity Customer { id id } pattern p(c: Customer) = $c }");
}

TEST(Fixes, PutWhatIsMissingInItsPlace) {
  EXPECT_EQ(offered("model m { entity A { id id\n name; } }").text,
            "model m { entity A { id id;\n name; } }");
  EXPECT_EQ(offered("model m { entity A { id id; key \"A } }").titles, (Titles{"Close it with \""}));
  EXPECT_EQ(offered("model m { entity A { id id }").text, "model m { entity A { id id }\n}\n");
}

TEST(Fixes, AddClausesAsTheOthersAreLaidOut) {
  const Offered found = offered(
      "model m {\n  entity A { id id }\n  entity B within a { id id }\n  rel A 1--* B as bs / a {\n    "
      "required;\n"
      "    size max 3;\n  }\n  op f(a: A) = delete $a\n}\n");
  EXPECT_EQ(found.titles, (Titles{"Say on delete cascade", "Say on delete restrict"}));
  EXPECT_EQ(found.text,
            "model m {\n  entity A { id id }\n  entity B within a { id id }\n  rel A 1--* B as bs / a {\n    "
            "required;\n"
            "    size max 3;\n    on delete cascade;\n  }\n  op f(a: A) = delete $a\n}\n");
}

TEST(Fixes, AddTheIndexLineThatAPatternNeeds) {
  const Offered found = offered(
      "model m {\n  table app { pk PK; sk SK; gsi GSI1 A / B }\n"
      "  entity User { id id; email; key \"USER#<id>\" / \"USER\" }\n"
      "  pattern byEmail(e: string) = User where email = $e\n}\n");
  ASSERT_FALSE(found.titles.empty());
  EXPECT_EQ(found.titles.front(), "Add index GSI1 \"User#<email>\" / \"<id>\" to User");
  EXPECT_EQ(Document("m.sheaf", found.text).error_count(), 0u);
}

TEST(Fixes, AddTheIndexToItsTableIfThereIsNone) {
  const Offered found = offered(
      "model m {\n  table app { pk PK; sk SK }\n"
      "  entity User { id id; email; key \"USER#<id>\" / \"USER\" }\n"
      "  pattern byEmail(e: string) = User where email = $e\n}\n");
  ASSERT_FALSE(found.titles.empty());
  EXPECT_NE(found.text.find("sk SK; gsi GSI1 GSI1PK / GSI1SK }"), std::string::npos) << found.text;
  EXPECT_EQ(Document("m.sheaf", found.text).error_count(), 0u);
}

TEST(Fixes, SayASizeWhereAListHasNone) {
  const Offered found = offered(
      "model m { entity A { id id } entity B within a { id id; n int }\n"
      "rel A 1--* B as bs / a { via collection; size unbounded }\npattern p(a: A) = $a { *, bs } }");
  ASSERT_FALSE(found.titles.empty());
  EXPECT_EQ(found.titles.front(), "Say size max 100");
  EXPECT_EQ(Document("m.sheaf", found.text).error_count(), 0u);
}

TEST(Fixes, RemoveWhatIsNotUsed) {
  const Offered found = offered("model m { entity A { id id } pattern p(a: A, n: int) = $a }");
  EXPECT_EQ(found.titles, (Titles{"Remove n"}));
  EXPECT_EQ(found.text, "model m { entity A { id id } pattern p(a: A) = $a }");
}

TEST(Fixes, OfferNothingWhereNothingIsWrong) { EXPECT_TRUE(offered(std::string(kShop)).titles.empty()); }

// Of models as people get them wrong, many can be mended like this.
TEST(Fixes, OfferedForBadModelsTakeTheMistakeAway) {
  size_t mended = 0, models = 0;
  for (const auto& entry : std::filesystem::directory_iterator(SHEAF_MODELS "/../tests/model/bad")) {
    std::ifstream file(entry.path());
    const std::string text(std::istreambuf_iterator<char>(file), {});
    const Document document(entry.path().string(), text);
    ++models;
    const auto found = fixes(document, {.begin = 0, .end = static_cast<uint32_t>(text.size())});
    mended += !found.empty();
    for (const Fix& fix : found) {
      const language::Diagnostic& wrong = document.diagnostics()[fix.diagnostic];
      const Document after(entry.path().string(), applied(text, fix.edits));
      const auto same = [&](const Document& in) {
        return std::count_if(in.diagnostics().begin(), in.diagnostics().end(),
                             [&](const language::Diagnostic& each) {
                               return each.id == wrong.id && each.message == wrong.message;
                             });
      };
      EXPECT_LT(same(after), same(document)) << entry.path() << " " << fix.title;
    }
  }
  EXPECT_GT(models, 100u);
  EXPECT_GT(mended * 4, models) << mended << " of " << models;
}

}  // namespace
}  // namespace sheaf::assist
