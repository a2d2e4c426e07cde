#include "measure/report.h"

#include <gtest/gtest.h>

#include "measure/example_model.h"
#include "measure/figure_text.h"
#include "run/plain_json.h"

namespace sheaf::measure {
namespace {

// Two layouts of the example, in memory.
class ReportTest : public ::testing::Test {
 protected:
  ReportTest() : planned_(example_model("order")) {
    generator_ = std::move(*generate::Generator::make(planned_.compiled, {.wishes = {.scale = 0.1}}));
    data_ = generated_data(*generator_);
    ComparisonOptions options{.script = {.runs = 3}};
    options.open = []() -> Result<std::unique_ptr<Database>> {
      return Database::open_in_memory({.background_thread = false});
    };
    auto made = compare(declared_comparison(planned_, 0), *data_, options);
    EXPECT_TRUE(made.ok()) << made.error().message;
    comparison_ = std::move(*made);
  }

  const ReportHead head_{.model = "order <1>", .data = "10 Order", .store = "memory", .runs = 3};
  plan::PlannedModel planned_;
  std::unique_ptr<generate::Generator> generator_;
  std::unique_ptr<DataSet> data_;
  Comparison comparison_;
};

TEST_F(ReportTest, TextHasRankingGridAndWhatIsLacking) {
  const std::string text = report_text(head_, comparison_, false);
  for (const char* part : {"2 layouts, 10 Order, memory, 3 runs of each", "all alike", "share of the mix",
                           "fewest requests: default", "index: whole cannot be answered"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  EXPECT_EQ(text.find("median"), std::string::npos);
  EXPECT_NE(report_text(head_, comparison_, true).find("median us"), std::string::npos);
}

TEST_F(ReportTest, JsonIsJsonWithEveryFigure) {
  const auto read = run::from_plain_json(report_json(head_, comparison_));
  ASSERT_TRUE(read.ok()) << read.error().message;
  const auto root = read->view().map();
  const auto layouts = root.find("layouts");
  ASSERT_TRUE(layouts);
  std::vector<ValueView> all;
  for (const ValueView each : layouts->list()) all.push_back(each);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].map().find("name")->bytes(), "default");
  for (const char* name : {"mix", "ratio_to_best", "stored", "subjects", "unserved", "shortfalls"})
    EXPECT_TRUE(all[0].map().find(name)) << name;
}

// Whoever opens it needs nothing else, and names in it are no markup.
TEST_F(ReportTest, HtmlIsOnePageOfItsOwn) {
  const std::string page = report_html(head_, comparison_);
  EXPECT_NE(page.find("order &lt;1&gt;"), std::string::npos);
  EXPECT_EQ(page.find("order <1>"), std::string::npos);
  for (const char* outside : {"http", "<script", "<link", "src=", "@import", "url("})
    EXPECT_EQ(page.find(outside), std::string::npos) << outside;
  EXPECT_NE(page.find("prefers-color-scheme: dark"), std::string::npos);
  size_t charts = 0;
  for (size_t at = page.find("<svg"); at != std::string::npos; at = page.find("<svg", at + 1)) ++charts;
  EXPECT_EQ(charts, std::size(kCriteria));
  // All that is opened is closed.
  for (const char* tag : {"svg", "table", "ul", "figure", "tr", "li", "div"}) {
    size_t opened = 0, closed = 0;
    for (size_t at = page.find("<" + std::string(tag)); at != std::string::npos;
         at = page.find("<" + std::string(tag), at + 1))
      ++opened;
    for (size_t at = page.find("</" + std::string(tag) + ">"); at != std::string::npos;
         at = page.find("</" + std::string(tag) + ">", at + 1))
      ++closed;
    EXPECT_EQ(opened, closed) << tag;
  }
}

TEST_F(ReportTest, WhatIsRefusedIsToldWithTheReason) {
  EXPECT_TRUE(refused_lines(comparison_).empty());
  std::vector<Contestant>& all = comparison_.contestants;
  const std::string name = comparison_.script.subjects[0].name;
  for (Contestant& each : all) {
    Measured& one = each.trial.measured[0];
    one.runs = 0;
    one.refused = 3;
    one.refusal = "it is <there>";
  }
  const std::string line = name + ": 3 of 3 runs were refused: it is ";
  EXPECT_EQ(refused_lines(comparison_), std::vector<std::string>{line + "<there>"});
  EXPECT_NE(report_text(head_, comparison_, false).find("Refused, and in no figure:\n  " + line),
            std::string::npos);
  EXPECT_NE(report_html(head_, comparison_).find("<li>" + line + "&lt;there&gt;</li>"), std::string::npos);
  all[1].trial.measured[0].refusal = "it is gone";
  EXPECT_EQ(refused_lines(comparison_),
            (std::vector<std::string>{all[0].candidate.name + ": " + line + "<there>",
                                      all[1].candidate.name + ": " + line + "gone"}));
}

// A line of a chart does not wrap by itself.
TEST_F(ReportTest, LongNamesTakeSeveralLinesOfAChart) {
  comparison_.contestants[0].candidate.name =
      "Department.staff via edges pk both copy staff(name, room, telephone) copy department(name, floor)";
  const std::string page = report_html(head_, comparison_);
  const std::string charts = page.substr(0, page.find("<table"));
  EXPECT_NE(charts.find(">Department.staff via edges pk both copy staff(name, room,</text>"),
            std::string::npos);
  EXPECT_NE(charts.find(">telephone) copy department(name, floor)</text>"), std::string::npos);
  comparison_.contestants[0].candidate.name = std::string(100, 'x');
  EXPECT_NE(report_html(head_, comparison_).find(">" + std::string(36, 'x') + "</text>"), std::string::npos);
}

TEST(Figures, AreShort) {
  EXPECT_EQ(figure_text(3), "3");
  EXPECT_EQ(figure_text(0.5), "0.5");
  EXPECT_EQ(figure_text(1.255), "1.25");
  EXPECT_EQ(figure_text(99.99), "99.99");
  EXPECT_EQ(figure_text(100.04), "100");
  EXPECT_EQ(figure_text(12345.6), "12,346");
  EXPECT_EQ(figure_text(1234567), "1,234,567");
  EXPECT_EQ(bytes_text(1023), "1023 B");
  EXPECT_EQ(bytes_text(1024), "1 KB");
  EXPECT_EQ(bytes_text(1.5 * 1024 * 1024), "1.5 MB");
  EXPECT_EQ(ratio_text(3, 2), "1.5x");
  EXPECT_EQ(ratio_text(0, 0), "1x");
  EXPECT_EQ(ratio_text(1, 0), "-");
}

}  // namespace
}  // namespace sheaf::measure
