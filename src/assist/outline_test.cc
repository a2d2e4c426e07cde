#include "assist/outline.h"

#include <gtest/gtest.h>

#include "assist/assist_fixture.h"
#include "language/format.h"

namespace sheaf::assist {
namespace {

std::string shown(const std::vector<OutlineEntry>& entries, const std::string& indent = "") {
  std::string out;
  for (const OutlineEntry& each : entries)
    out += indent + std::string(word_for(each.kind)) + " " + each.name +
           (each.detail.empty() ? "" : ": " + each.detail) + "\n" + shown(each.children, indent + "  ");
  return out;
}

TEST(Outline, ShowsWhatIsDeclaredInWhat) {
  const Document document("m.sheaf", R"sheaf(model m {
  table app { pk PK; sk SK; gsi GSI1 A / B }
  entity A { id id; tags set<string>; key "A#<id>" / "A" }
  entity B within a { n id int }
  rel A 1--* B as bs / a { size max 3 }
  layout l { entity A { key "X#<id>" / "A" } rel A.bs via collection }
  pattern p(x: A, n: int?) = $x.bs where n = $n
  op o(x: A) = put $x
})sheaf");
  EXPECT_EQ(shown(outline(document)),
            "model m\n"
            "  table app\n"
            "    index GSI1\n"
            "  entity A\n"
            "    field id: string\n"
            "    field tags: set<string>\n"
            "  entity B: within a\n"
            "    field n: int\n"
            "  end A.bs: A 1--* B as bs / a\n"
            "    end a\n"
            "  layout l\n"
            "    entity A\n"
            "    end A.bs\n"
            "  pattern p: (x: A, n: int?)\n"
            "  op o: (x: A)\n");
}

void expect_nested(const std::vector<OutlineEntry>& entries, language::Span outer) {
  for (const OutlineEntry& each : entries) {
    EXPECT_GE(each.span.begin, outer.begin);
    EXPECT_LE(each.span.end, outer.end);
    EXPECT_GE(each.name_span.begin, each.span.begin);
    EXPECT_LE(each.name_span.end, each.span.end);
    expect_nested(each.children, each.span);
  }
}

TEST(Outline, ChildrenLieInsideOfTheirParents) {
  for (const auto& [path, text] : models_on_disk()) {
    const Document document(path, text);
    const auto size = static_cast<uint32_t>(text.size());
    ASSERT_EQ(outline(document).size(), 1u);
    expect_nested(outline(document), {.begin = 0, .end = size});
  }
}

TEST(Folds, AreBlocksAndCommentsOfSeveralLines) {
  const Document document(
      "m.sheaf",
      "/// One\n/// two.\nmodel m {\n  entity A { id id }\n  // a\n  entity B {\n    id id\n  }\n}\n");
  const auto found = folds(document);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_TRUE(found[0].is_comment);
  EXPECT_EQ(document.source().text(found[0].span), "/// One\n/// two.");
  EXPECT_TRUE(document.source().text(found[1].span).starts_with("{\n  entity A"));
  EXPECT_EQ(document.source().text(found[2].span), "{\n    id id\n  }");
}

TEST(FormatEdits, ChangeOnlyWhatDiffers) {
  const std::string text = "// ü\nmodel m { entity   A { id id } }\n// é";
  const Document document("m.sheaf", text);
  const auto edits = format_edits(document);
  ASSERT_EQ(edits.size(), 1u);
  EXPECT_EQ(applied(text, edits), language::format(document.source()));
  EXPECT_GT(edits.front().span.begin, 5u);
  EXPECT_TRUE(format_edits(Document("m.sheaf", applied(text, edits))).empty());
  EXPECT_TRUE(format_edits(Document("m.sheaf", "model m {   entity")).empty());
}

}  // namespace
}  // namespace sheaf::assist
