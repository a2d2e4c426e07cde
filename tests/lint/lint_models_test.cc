// Models that trip the rules of the linter, and models that come near it. Each file of tests/lint/models says
// at its end what is found, and where:
//   // layouts: all                           (without it, `default` alone)
//   // warning: few-partitions at 4:9 in flat
//   // says: the whole message
//   // not: few-partitions                    (this rule must not find anything here)
// All of it is found, in this order, and nothing else. Every rule has a file that trips it and one that comes
// near it.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "lint/linter.h"
#include "lint/pages.h"
#include "lint/repairs.h"
#include "lint/rule.h"

namespace sheaf::lint {
namespace {

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::filesystem::path> corpus() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(SHEAF_LINT_MODELS))
    paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::vector<std::string> lines_with(const std::string& text, std::string_view start) {
  std::vector<std::string> found;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(start)) found.push_back(line.substr(start.size()));
  }
  return found;
}

bool looks_at_all(const std::string& text) { return !lines_with(text, "// layouts: all").empty(); }

std::vector<Finding> findings(const std::string& text, bool all_layouts, const Options& options = {}) {
  const plan::PlannedModel planned = plan::plan_model(model::compile("model.sheaf", text));
  std::vector<size_t> layouts;
  for (size_t i = 0; i < (all_layouts ? planned.compiled.layouts.size() : 1); ++i) layouts.push_back(i);
  return lint(planned, layouts, options);
}

std::string line_of(const Finding& finding) {
  return std::string(name_of(finding.severity)) + ": " + finding.rule + " at " +
         std::to_string(finding.place->begin.line) + ":" + std::to_string(finding.place->begin.column) +
         (finding.layout.empty() ? "" : " in " + finding.layout);
}

std::string lines_of(const std::vector<Finding>& found) {
  std::string out;
  for (const Finding& each : found) out += line_of(each) + "\n";
  return out;
}

size_t count_of(const std::vector<Finding>& found, std::string_view rule) {
  return static_cast<size_t>(
      std::count_if(found.begin(), found.end(), [&](const Finding& each) { return each.rule == rule; }));
}

std::string in_corpus(const std::string& name) {
  return text_of(std::filesystem::path(SHEAF_LINT_MODELS) / (name + ".sheaf"));
}

class LintedModel : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(LintedModel, HasTheFindingsThatItSays) {
  const std::string text = text_of(GetParam());
  const std::vector<Finding> found = findings(text, looks_at_all(text));
  std::string wanted;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    for (const std::string_view start : {"// note: ", "// warning: ", "// error: "}) {
      if (line.starts_with(start)) wanted += line.substr(3) + "\n";
    }
  }
  EXPECT_EQ(lines_of(found), wanted) << to_text({.findings = found});
  for (const std::string& message : lines_with(text, "// says: ")) {
    const bool is_said =
        std::any_of(found.begin(), found.end(), [&](const Finding& each) { return each.message == message; });
    EXPECT_TRUE(is_said) << message << "\n" << to_text({.findings = found});
  }
  for (const std::string& rule : lines_with(text, "// not: ")) EXPECT_EQ(count_of(found, rule), 0u) << rule;
  for (const Finding& each : found) EXPECT_FALSE(each.fix.empty()) << each.message;
}

INSTANTIATE_TEST_SUITE_P(Corpus, LintedModel, testing::ValuesIn(corpus()),
                         [](const testing::TestParamInfo<std::filesystem::path>& each) {
                           return each.param.stem().string();
                         });

TEST(LintCorpus, EveryRuleHasAModelThatTripsItAndOneThatComesNear) {
  std::set<std::string> tripped, near;
  for (const std::filesystem::path& path : corpus()) {
    const std::string text = text_of(path);
    for (const Finding& each : findings(text, looks_at_all(text))) tripped.insert(each.rule);
    for (const std::string& rule : lines_with(text, "// not: ")) near.insert(rule);
  }
  for (const Rule& rule : rules()) {
    EXPECT_TRUE(tripped.contains(std::string(rule.id))) << "nothing trips " << rule.id;
    EXPECT_TRUE(near.contains(std::string(rule.id))) << "nothing comes near " << rule.id;
  }
  for (const std::string& rule : near) EXPECT_NE(find_rule(rule), nullptr) << rule;
}

// --- Pages

std::vector<std::string> examples(std::string_view page) {
  constexpr std::string_view kBegin = "```sheaf\n", kEnd = "```\n";
  std::vector<std::string> found;
  for (size_t at = page.find(kBegin); at != std::string_view::npos; at = page.find(kBegin, at)) {
    at += kBegin.size();
    found.emplace_back(page.substr(at, page.find(kEnd, at) - at));
  }
  return found;
}

TEST(LintPages, ThereIsOneForEachRuleOfItsOwn) {
  std::set<std::string_view> ids, own;
  for (const Page& page : pages()) ids.insert(page.id);
  for (const Rule& rule : rules()) {
    if (rule.check != nullptr) own.insert(rule.id);
    EXPECT_FALSE(page_of(rule.id).empty()) << rule.id;
    EXPECT_FALSE(rule.why.empty()) << rule.id;
  }
  EXPECT_EQ(ids, own);
}

TEST(LintPages, TheWrongExampleIsFoundAndTheRightOneIsNot) {
  for (const Page& page : pages()) {
    EXPECT_TRUE(page.text.starts_with("# " + std::string(page.id) + "\n\n")) << page.id;
    const std::vector<std::string> shown = examples(page.text);
    ASSERT_EQ(shown.size(), 2u) << page.id;
    std::set<std::string> ids;
    for (const Finding& each : findings(shown.front(), true)) ids.insert(each.rule);
    EXPECT_EQ(ids, std::set<std::string>{std::string(page.id)}) << page.id;
    EXPECT_EQ(lines_of(findings(shown.back(), true)), "") << page.id;
  }
}

// Every point of the two lists has a rule, but those that only traffic shows.
TEST(LintRules, NameEveryPoint) {
  std::set<std::string> points;
  for (const Rule& rule : rules()) {
    std::istringstream words{std::string(rule.points)};
    for (std::string word; words >> word;) points.insert(word);
  }
  for (int i = 1; i <= 17; ++i) EXPECT_TRUE(points.contains("H" + std::to_string(i))) << i;
  for (int i = 1; i <= 12; ++i) EXPECT_EQ(points.contains("G" + std::to_string(i)), i != 7 && i != 11) << i;
}

// --- The examples

// tests/lint/examples.txt was looked through by hand: each of its lines is right.
TEST(LintExamples, HaveTheFindingsThatAreWrittenDown) {
  std::vector<std::filesystem::path> folders;
  for (const auto& entry : std::filesystem::directory_iterator(SHEAF_MODELS)) folders.push_back(entry.path());
  std::sort(folders.begin(), folders.end());
  std::string found;
  for (const std::filesystem::path& folder : folders) {
    for (const Finding& each : findings(text_of(folder / "model.sheaf"), true))
      found += folder.filename().string() + ": " + line_of(each) + ": " + each.message + "\n";
  }
  std::string wanted;
  std::istringstream lines(text_of(SHEAF_LINT_EXAMPLES));
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && !line.starts_with("#")) wanted += line + "\n";
  }
  EXPECT_EQ(found, wanted);
}

// --- Limits

struct Line {
  const char* name;
  const char* model;  // of the corpus
  const char* rule;
  int64_t tells;
  int64_t is_silent;
};

class LintLimit : public testing::TestWithParam<Line> {};

TEST_P(LintLimit, DrawsTheLineWhereItSays) {
  const std::string text = in_corpus(GetParam().model);
  const auto count = [&](int64_t value) {
    Options options;
    EXPECT_TRUE(set_limit(options, std::string(GetParam().name) + "=" + std::to_string(value)).ok());
    return count_of(findings(text, looks_at_all(text), options), GetParam().rule);
  };
  EXPECT_GT(count(GetParam().tells), count(GetParam().is_silent));
}

INSTANTIATE_TEST_SUITE_P(
    All, LintLimit,
    testing::Values(Line{"few", "not_few", "not-few", 20, 21},
                    Line{"item-bytes", "large_item_not", "large-item", 409'598, 409'600},
                    Line{"collection-items", "large_collection", "large-collection", 10'000, 10'001},
                    Line{"collection-bytes", "large_collection", "large-collection", 1'110'022'200,
                         1'120'000'000},
                    Line{"indexes", "many_indexes", "many-indexes", 20, 21},
                    Line{"relation-indexes", "index_per_relation", "index-per-relation", 2, 3},
                    Line{"levels", "unused_levels", "unused-levels", 5, 6},
                    Line{"levels", "rigid_hierarchy", "rigid-hierarchy", 3, 4},
                    Line{"copies", "many_copies", "many-copies", 1000, 1001},
                    Line{"copied-changes-per-day", "copied_often", "copied-often", 143, 144},
                    Line{"edge-changes-per-day", "mutable_edge", "mutable-edge", 239, 240},
                    Line{"sort-key-bytes", "long_sort_key", "long-sort-key", 1025, 1026},
                    Line{"partition-values", "few_partitions", "few-partitions", 3, 2},
                    Line{"dropped-percent", "mixed_levels", "mixed-levels", 98, 99},
                    Line{"near-percent", "long_sort_key", "long-sort-key", 80, 81}));

// --- Severities

TEST(LintSeverities, CanBeSetAndTurnedOff) {
  const std::string text = in_corpus("not_few");
  Options options;
  ASSERT_TRUE(set_severity(options, "not-few=error").ok());
  EXPECT_EQ(findings(text, false, options).front().severity, Severity::kError);
  ASSERT_TRUE(set_severity(options, "not-few=off").ok());
  EXPECT_TRUE(findings(text, false, options).empty());
  EXPECT_EQ(rule_texts({}, options).size() + 1, rules().size());
}

TEST(LintSeverities, WarningsOfTheCheckCanBeSetToo) {
  Options options;
  ASSERT_TRUE(set_severity(options, "constant-partition=off").ok());
  EXPECT_TRUE(findings(in_corpus("constant_partition"), false, options).empty());
}

TEST(LintSeverities, AnOptionThatMeansNothingIsRefused) {
  Options options;
  EXPECT_NE(set_severity(options, "not-fwe=off").error().message.find("there is not-few"), std::string::npos);
  EXPECT_NE(set_severity(options, "not-few=loud").error().message.find("off, note, warning or error"),
            std::string::npos);
  EXPECT_NE(set_severity(options, "not-few").error().message.find("RULE="), std::string::npos);
  EXPECT_NE(set_severity(options, "key-too-long=off").error().message.find("is a mistake"),
            std::string::npos);
  EXPECT_NE(set_limit(options, "fewe=3").error().message.find("there is few"), std::string::npos);
  for (const char* value : {"few=0", "few=-1", "few=x", "few=", "few=3.5", "few=99999999999999999999"})
    EXPECT_FALSE(set_limit(options, value).ok()) << value;
  EXPECT_TRUE(set_limit(options, "few=1").ok());
}

TEST(LintOptions, AreReadFromJsonWholeOrNotAtAll) {
  Options options;
  EXPECT_TRUE(read_options(options, R"({"limits": {"few": 5}, "severities": {"not-few": "off"}})").ok());
  EXPECT_EQ(options.limits.few, 5);
  EXPECT_EQ(options.severities.size(), 1u);
  for (const char* json :
       {"", "[]", R"({"limit": {}})", R"({"limits": {"few": 7, "fw": 5}})",
        R"({"limits": {"few": 7, "few": 8}})", R"({"limits": [7]})",
        R"({"limits": {"few": 7}, "severities": {"not-few": 3}})", R"({"limits": {"few": "x"}})"})
    EXPECT_FALSE(read_options(options, json).ok()) << json;
  EXPECT_EQ(options.limits.few, 5);
}

// --- Repairs

TEST(LintRepairs, EachLeavesAModelThatCompilesAndIsWithoutWhatItMends) {
  size_t helped = 0;
  for (const std::filesystem::path& path : corpus()) {
    const std::string text = text_of(path);
    const Repaired repaired = repair("model.sheaf", text, {}, {});
    helped += repaired.count();
    if (repaired.count() == 0) {
      EXPECT_EQ(repaired.text, text) << path;
      continue;
    }
    EXPECT_TRUE(plan::plan_model(model::compile("model.sheaf", repaired.text)).compiled.ok())
        << repaired.text;
    EXPECT_LT(findings(repaired.text, true).size(), findings(text, true).size()) << repaired.text;
  }
  EXPECT_EQ(helped, 4u);
}

std::string repaired_text(const std::string& text) { return repair("model.sheaf", text, {}, {}).text; }

TEST(LintRepairs, APrefixIsWrittenAndCommentsStay) {
  const std::string after = repaired_text(in_corpus("unprefixed_sort_key"));
  EXPECT_NE(after.find("/ \"ORDER#<number:00000000>\";  // by its number"), std::string::npos) << after;
  EXPECT_NE(after.find("/ \"ORDER#<customer.id>#<number:00000000>\""), std::string::npos) << after;
  EXPECT_EQ(count_of(findings(after, true), "unprefixed-sort-key"), 0u);
}

TEST(LintRepairs, ALevelIsLeftOut) {
  const std::string after = repaired_text(in_corpus("unused_levels"));
  EXPECT_NE(after.find("/ \"<state>#<city>#<id>\";  // nobody asks for a zip code"), std::string::npos)
      << after;
  EXPECT_EQ(count_of(findings(after, true), "unused-levels"), 0u);
}

TEST(LintRepairs, TwoIndexesBecomeOne) {
  const std::string after = repaired_text(in_corpus("index_per_view"));
  EXPECT_NE(after.find("table app { pk PK; sk SK; gsi by_email email_key / email_sort; }"), std::string::npos)
      << after;
  EXPECT_NE(after.find("index by_email \"SKU#<sku>\" / \"PRODUCT#<id>\""), std::string::npos) << after;
  EXPECT_EQ(count_of(findings(after, true), "index-per-view"), 0u);
}

TEST(LintRepairs, NoCommentIsLost) {
  std::string text = in_corpus("index_per_view");
  text.replace(text.find(" gsi by_sku"), 4, "  // for labels\n  gsi");
  ASSERT_EQ(count_of(findings(text, true), "index-per-view"), 1u);
  EXPECT_EQ(repaired_text(text), text);
}

TEST(LintRepairs, WhatWouldBreakSomethingIsNotDone) {
  // The prefix would be the key of another kind.
  const std::string text = R"(model shop {
  table app { pk PK; sk SK }
  entity Customer { id id; name; key "C#<id>" / "C" }
  entity Order within customer { id id; key "C#<customer.id>" / "<id>#" }
  entity Other within customer { id id; key "C#<customer.id>" / "ORDER#<id>#" }
  rel Customer 1--* Order as orders / customer { via collection; size max 50; on delete cascade }
  rel Customer 1--* Other as others / customer { via collection; size max 50; on delete cascade }
}
)";
  ASSERT_EQ(lines_of(findings(text, true)), "warning: unprefixed-sort-key at 4:65\n");
  const Repaired repaired = repair("model.sheaf", text, {}, {});
  ASSERT_EQ(repaired.tried.size(), 1u);
  EXPECT_FALSE(repaired.tried.front().helped);
  EXPECT_EQ(repaired.text, text);
}

TEST(LintRepairs, AModelWithMistakesIsLeftAsItIs) {
  const std::string text = "model m { entity A { id id; key \"<id>\" / \"<id>\" } entity }";
  EXPECT_EQ(repaired_text(text), text);
}

}  // namespace
}  // namespace sheaf::lint
