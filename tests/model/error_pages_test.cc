// Every id of a mistake has its page in doc/errors, and what the pages say is so.
#include "language/error_pages.h"

#include <gtest/gtest.h>

#include <set>

#include "language/error_ids.h"
#include "plan/planned_model.h"

namespace sheaf {
namespace {

// The models of a page, the wrong one first.
std::vector<std::string> examples(std::string_view page) {
  constexpr std::string_view kBegin = "```sheaf\n", kEnd = "```\n";
  std::vector<std::string> found;
  for (size_t at = page.find(kBegin); at != std::string_view::npos; at = page.find(kBegin, at)) {
    at += kBegin.size();
    std::string text(page.substr(at, page.find(kEnd, at) - at));
    // A page is UTF-8, and shows a byte that is not in this way.
    constexpr std::string_view kByte = "{byte E4}";
    if (const size_t byte = text.find(kByte); byte != std::string::npos)
      text.replace(byte, kByte.size(), "\xE4");
    found.push_back(std::move(text));
  }
  return found;
}

plan::PlannedModel checked(const std::string& text) {
  return plan::plan_model(model::compile("example.sheaf", text));
}

TEST(ErrorPages, ThereIsOneForEachId) {
  std::vector<std::string_view> pages;
  for (const language::ErrorPage& page : language::error_pages()) pages.push_back(page.id);
  EXPECT_EQ(pages, std::vector<std::string_view>(language::kErrorIds.begin(), language::kErrorIds.end()));
}

TEST(ErrorPages, BeginWithTheirIdAndOneSentence) {
  for (const language::ErrorPage& page : language::error_pages()) {
    EXPECT_TRUE(page.text.starts_with("# " + std::string(page.id) + "\n\n")) << page.id;
    EXPECT_TRUE(page.sentence().ends_with('.')) << page.id;
    EXPECT_EQ(page.sentence().find('\n'), std::string_view::npos) << page.id;
    EXPECT_EQ(examples(page.text).size(), 2u) << page.id;
  }
}

TEST(ErrorPages, TheWrongExampleHasThisMistakeAndNoOther) {
  for (const language::ErrorPage& page : language::error_pages()) {
    const plan::PlannedModel planned = checked(examples(page.text).front());
    std::set<std::string_view> ids;
    for (const language::Diagnostic& each : planned.compiled.diagnostics.all()) ids.insert(each.id.text());
    EXPECT_EQ(ids, std::set<std::string_view>{page.id}) << planned.compiled.rendered();
  }
}

TEST(ErrorPages, TheRightExampleHasNone) {
  for (const language::ErrorPage& page : language::error_pages()) {
    const plan::PlannedModel planned = checked(examples(page.text).back());
    EXPECT_EQ(planned.compiled.rendered(), "") << page.id;
  }
}

}  // namespace
}  // namespace sheaf
