#include "console/painted_text.h"

#include <gtest/gtest.h>

namespace sheaf::console {
namespace {

constexpr std::string_view kFinding =
    "shop.sheaf:3:7: error: there is no entity named Custmer [unknown-entity]\n"
    "   3 |   rel Custmer 1--* Order\n"
    "     |       ^^^^^^^\n"
    "shop.sheaf:1:7: note: this one is there\n"
    "   1 | model shop\n"
    "     |       ^^^^\n"
    "     : why it matters\n"
    "     = write Customer\n";

std::string without_codes(std::string text) {
  for (size_t begin = 0; (begin = text.find("\033[")) != std::string::npos;)
    text.erase(begin, text.find('m', begin) + 1 - begin);
  return text;
}

TEST(PaintedText, FindingsHaveTheColourOfTheirSeverity) {
  EXPECT_EQ(painted_findings(kFinding, true),
            "\033[1mshop.sheaf:3:7:\033[0m \033[1;31merror:\033[0m there is no entity named Custmer "
            "\033[2m[unknown-entity]\033[0m\n"
            "\033[2m   3 | \033[0m  rel Custmer 1--* Order\n"
            "\033[2m     | \033[0m\033[1;31m      ^^^^^^^\033[0m\n"
            "\033[1mshop.sheaf:1:7:\033[0m \033[1;36mnote:\033[0m this one is there\n"
            "\033[2m   1 | \033[0mmodel shop\n"
            "\033[2m     | \033[0m\033[1;36m      ^^^^\033[0m\n"
            "\033[2m     : \033[0mwhy it matters\n"
            "\033[32m     = \033[0mwrite Customer\n");
  EXPECT_EQ(painted_findings("a:1:1: warning: x: error: y", true),
            "\033[1ma:1:1:\033[0m \033[1;33mwarning:\033[0m x: error: y");
}

TEST(PaintedText, NothingButColourIsAdded) {
  for (const std::string_view text :
       {kFinding, std::string_view("app has mistakes:\n a | b\n\n | ^\n12345 | \n     | \t^"),
        std::string_view(""), std::string_view("\n"), std::string_view("a: error: [b]")}) {
    EXPECT_EQ(without_codes(painted_findings(text, true)), text);
    EXPECT_EQ(without_codes(painted_heads(text, Paint::kWrong, true)), text);
    EXPECT_EQ(painted_findings(text, false), text);
    EXPECT_EQ(painted_heads(text, Paint::kHead, false), text);
  }
  EXPECT_EQ(painted("x", Paint::kGood, false), "x");
  EXPECT_EQ(painted("", Paint::kGood, true), "");
}

TEST(PaintedText, HeadsEndWithTheColon) {
  EXPECT_EQ(painted_heads("users(o): 1 request\n  1. Query: x\nOrg.users via index\n", Paint::kHead, true),
            "\033[1musers(o)\033[0m: 1 request\n  1. Query: x\n\033[1mOrg.users via index\033[0m\n");
}

TEST(PaintedText, ReportsHaveBoldHeadsAndMarksInTheirColours) {
  const std::string report = "name  units\na         1\n\ntotal: 3\n  holds: it is\n  holds not\n";
  EXPECT_EQ(
      painted_report(report, {{"holds:", Paint::kGood}}, true),
      "\033[1mname  units\033[0m\na         1\n\n\033[1mtotal\033[0m: 3\n  \033[32mholds:\033[0m it is\n"
      "  holds not\n");
  EXPECT_EQ(painted_report(report, {{"holds:", Paint::kGood}}, false), report);
}

TEST(PaintedText, RemarksOfModelsAreDim) {
  EXPECT_EQ(painted_remarks("// one\nmodel m { // two\n  // three\n}\n", true),
            "\033[2m// one\033[0m\nmodel m { // two\n\033[2m  // three\033[0m\n}\n");
}

}  // namespace
}  // namespace sheaf::console
