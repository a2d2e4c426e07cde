#include "lint/report.h"

#include <gtest/gtest.h>

#include "language/json_tree.h"

namespace sheaf::lint {
namespace {

// What any check may tell: budgets that are exceeded, say.
Report report() {
  return {
      .tool = "sheaf budget",
      .version = "1.2",
      .subjects = {"a b.sheaf", "c.sheaf"},
      .rules =
          {{.id = "over-budget", .points = "G1 H2", .title = "Too dear.", .why = "It costs.", .page = "# x"},
           {.id = "near-budget", .title = "Nearly too dear.", .severity = Severity::kNote}},
      .findings = {
          {.rule = "over-budget",
           .subject = "a b.sheaf",
           .place = Place{.file = "a b.sheaf",
                          .begin = {.line = 3, .column = 5},
                          .end = {.line = 3, .column = 8},
                          .line = "    abc \"<&>"},
           .message = "takes 3 \"requests\" <&>",
           .fix = "use fewer",
           .layout = "flat",
           .notes = {{.place = {.file = "a b.sheaf",
                                .begin = {.line = 1, .column = 1},
                                .end = {.line = 2, .column = 1},
                                .line = "model"},
                      .text = "here"}}},
          {.rule = "near-budget", .severity = Severity::kNote, .subject = "table t", .message = "2 of 3"}}};
}

// Text of a member, following names and numbers.
std::string at(const std::string& json, const std::vector<std::string>& path) {
  const Result<language::Json> tree = language::read_json(json);
  EXPECT_TRUE(tree.ok()) << json;
  const language::Json* place = &*tree;
  for (const std::string& step : path) {
    const language::Json* next = nullptr;
    for (size_t i = 0; i < place->items.size(); ++i) {
      const bool is_it =
          place->kind == language::Json::Kind::kObject ? place->names[i] == step : std::to_string(i) == step;
      if (is_it) next = &place->items[i];
    }
    if (next == nullptr) return "(nothing)";
    place = next;
  }
  return place->kind == language::Json::Kind::kArray ? std::to_string(place->items.size()) + " items"
                                                     : place->text;
}

TEST(Report, TextShowsPlaceRulePointsWhyAndFix) {
  EXPECT_EQ(to_text(report()),
            "a b.sheaf:3:5: warning: takes 3 \"requests\" <&> (in layout flat) [over-budget G1 H2]\n"
            "   3 |     abc \"<&>\n"
            "     |     ^^^\n"
            "a b.sheaf:1:1: note: here\n"
            "   1 | model\n"
            "     | ^^^^^\n"
            "     : It costs.\n"
            "     = use fewer\n"
            "table t: note: 2 of 3 [near-budget]\n");
}

TEST(Report, FailsByTheGravestOfItsFindings) {
  Report some = report();
  EXPECT_TRUE(some.fails());
  some.fail_on = Severity::kError;
  EXPECT_FALSE(some.fails());
  some.findings.front().severity = Severity::kError;
  EXPECT_TRUE(some.fails());
  some.findings.erase(some.findings.begin());
  some.fail_on = Severity::kNote;
  EXPECT_TRUE(some.fails());
}

TEST(Report, JsonHasOneObjectAFinding) {
  const std::string json = to_json(report());
  EXPECT_EQ(at(json, {}), "2 items");
  EXPECT_EQ(at(json, {"0", "file"}), "a b.sheaf");
  EXPECT_EQ(at(json, {"0", "end_column"}), "8");
  EXPECT_EQ(at(json, {"0", "points"}), "G1 H2");
  EXPECT_EQ(at(json, {"0", "notes", "0", "message"}), "here");
  EXPECT_EQ(at(json, {"1", "subject"}), "table t");
  EXPECT_EQ(at(json, {"1", "file"}), "(nothing)");
  EXPECT_EQ(at(json, {"1", "severity"}), "note");
}

TEST(Report, SarifHasWhatCodeScanningAsksFor) {
  const std::string json = to_sarif(report());
  EXPECT_EQ(at(json, {"version"}), "2.1.0");
  EXPECT_EQ(at(json, {"runs"}), "1 items");
  EXPECT_EQ(at(json, {"runs", "0", "tool", "driver", "name"}), "sheaf budget");
  EXPECT_EQ(at(json, {"runs", "0", "tool", "driver", "rules"}), "2 items");
  EXPECT_EQ(at(json, {"runs", "0", "tool", "driver", "rules", "0", "properties", "tags", "1"}), "H2");
  EXPECT_EQ(at(json, {"runs", "0", "results", "0", "ruleId"}), "over-budget");
  EXPECT_EQ(at(json, {"runs", "0", "results", "0", "level"}), "warning");
  EXPECT_EQ(at(json, {"runs", "0", "results", "1", "ruleIndex"}), "1");
  const std::vector<std::string> place = {"runs", "0", "results", "0", "locations", "0", "physicalLocation"};
  const auto in_place = [&](std::vector<std::string> path) {
    path.insert(path.begin(), place.begin(), place.end());
    return at(json, path);
  };
  EXPECT_EQ(in_place({"artifactLocation", "uri"}), "a%20b.sheaf");
  EXPECT_EQ(in_place({"region", "startLine"}), "3");
  EXPECT_EQ(in_place({"region", "endColumn"}), "8");
  EXPECT_EQ(at(json, {"runs", "0", "results", "1", "locations", "0", "logicalLocations", "0",
                      "fullyQualifiedName"}),
            "table t");
}

TEST(Report, JUnitHasASuiteASubjectAndACaseARule) {
  Report some = report();
  some.findings.back().subject = "c.sheaf";
  EXPECT_EQ(to_junit(some),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<testsuites name=\"sheaf budget\" tests=\"4\" failures=\"1\">\n"
            "  <testsuite name=\"a b.sheaf\" tests=\"2\" failures=\"1\">\n"
            "    <testcase classname=\"a b.sheaf\" name=\"over-budget\">\n"
            "      <failure type=\"warning\" message=\"takes 3 &quot;requests&quot; &lt;&amp;&gt;\">"
            "a b.sheaf:3:5: warning: takes 3 &quot;requests&quot; &lt;&amp;&gt; (in layout flat)\n"
            "  = use fewer\n"
            "</failure>\n"
            "    </testcase>\n"
            "    <testcase classname=\"a b.sheaf\" name=\"near-budget\"/>\n"
            "  </testsuite>\n"
            "  <testsuite name=\"c.sheaf\" tests=\"2\" failures=\"0\">\n"
            "    <testcase classname=\"c.sheaf\" name=\"over-budget\"/>\n"
            "    <testcase classname=\"c.sheaf\" name=\"near-budget\">\n"
            "      <system-out>note: 2 of 3\n"
            "</system-out>\n"
            "    </testcase>\n"
            "  </testsuite>\n"
            "</testsuites>\n");
}

TEST(Report, BytesThatAreNotUtf8AreReplaced) {
  Report some = report();
  some.findings.front().message = "a\xE4z";
  EXPECT_EQ(at(to_json(some), {"0", "message"}), "a\xEF\xBF\xBDz");
  EXPECT_EQ(at(to_sarif(some), {"runs", "0", "results", "0", "message", "text"}).substr(0, 5),
            "a\xEF\xBF\xBDz");
  EXPECT_NE(to_junit(some).find("a\xEF\xBF\xBDz"), std::string::npos);
}

}  // namespace
}  // namespace sheaf::lint
