#include "assist/strategy_edit.h"

#include <gtest/gtest.h>

namespace sheaf::assist {
namespace {

std::string edited(const std::string& text, const std::string& layout, const std::string& via) {
  const Document document("test", text);
  return applied(text, strategy_edits(document, layout, 0, via));
}

const std::string kParts = "model m {\n  entity A { id id }\n  entity B within a { id id }\n";

TEST(StrategyEdit, ReplacesWhatIsSaidWithItsCopies) {
  EXPECT_EQ(edited(kParts + "  rel A 1--* B as b / a { via index on G copy a(x); on delete cascade }\n}\n",
                   "default", "collection"),
            kParts + "  rel A 1--* B as b / a { via collection; on delete cascade }\n}\n");
}

TEST(StrategyEdit, AddsAClauseOrABlock) {
  EXPECT_EQ(edited(kParts + "  rel A 1--* B as b / a { on delete cascade }\n}\n", "default", "path"),
            kParts + "  rel A 1--* B as b / a { on delete cascade; via path }\n}\n");
  EXPECT_EQ(edited(kParts + "  rel A 1--* B as b / a\n}\n", "default", "path"),
            kParts + "  rel A 1--* B as b / a { via path }\n}\n");
}

TEST(StrategyEdit, WritesIntoTheLayoutThatIsNamed) {
  const std::string body = kParts + "  rel A 1--* B as b / a { on delete cascade }\n";
  EXPECT_EQ(edited(body + "  layout x { rel B.a via index }\n}\n", "x", "path"),
            body + "  layout x { rel B.a via path }\n}\n");
  EXPECT_EQ(edited(body + "  layout x { entity A { tag \"a\" } }\n}\n", "x", "path"),
            body + "  layout x { entity A { tag \"a\" }\n    rel A.b via path\n  }\n}\n");
  EXPECT_EQ(edited(body + "}\n", "x", "path"), body + "}\n");
}

}  // namespace
}  // namespace sheaf::assist
