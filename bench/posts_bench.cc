// A power user with a million posts, in partitions of a month: how large they become, and what a page costs.
//   posts_bench [--json FILE] [--quick]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

#include "sheaf/model.h"

#include "bench/expect.h"
#include "bench/figures.h"
#include "run/time_text.h"

namespace sheaf::bench {
namespace {

using std::chrono::hours;
using std::chrono::system_clock;

constexpr int kPage = 20;
// Of one item collection: what doc/compatibility.md warns of.
constexpr double kItemsMax = 10'000;

std::string model_text(const std::string& since) {
  return R"(model posts {
  table posts_app { pk PK; sk SK; tag T }
  entity User { id id; name; key "USER#<id>" / "USER#<id>" }
  entity Post { id id ulid; at time since ")" +
         since + R"("; text; key "USER#<author.id>#<at:month>" / "POST#<at>#<id>" }
  rel User 1--* Post as posts / author { required; size unbounded; via collection; unchecked; on delete cascade }
  pattern newest(u: User) = $u.posts order at desc page 20 budget 1 request
  pattern oldest(u: User) = $u.posts order at page 20
})";
}

// Ten years of posts, evenly up to now.
constexpr hours kYears{10 * 365 * 24};

void fill(Model& model, system_clock::time_point now, int posts) {
  expect(model.act("put.User", {Item{{"id", "power"}, {"name", "Power User"}}}));
  const std::string text(140, 'x');
  for (int i = 0; i < posts; ++i) {
    const auto at = now - kYears + std::chrono::duration_cast<system_clock::duration>(kYears) / posts * i;
    expect(model.act("put.Post", {Item{{"author", "power"}, {"at", run::time_text(at)}, {"text", text}}}));
    if (i % 100'000 == 99'999) std::fprintf(stderr, "%d posts\n", i + 1);
  }
}

// Items in each partition, counted by reading all of them.
std::map<std::string, int> partitions(Database& database) {
  std::map<std::string, int> found;
  Scan scan{.table = "posts_app"};
  do {
    const Page page = expect(database.scan(scan));
    for (size_t i = 0; i < page.items.size(); ++i) ++found[std::string(page.items[i].find("PK")->bytes())];
    scan.start_key = page.last_key;
  } while (scan.start_key);
  return found;
}

int run(int count, char** words) {
  bool is_quick = false;
  for (int i = 1; i < count; ++i) is_quick = is_quick || std::strcmp(words[i], "--quick") == 0;
  const int posts = is_quick ? 20'000 : 1'000'000;
  const auto now = system_clock::now();
  const auto database = Database::open_in_memory({.background_thread = false});
  const auto model = expect(Model::load(*database, model_text(run::time_text(now - kYears).substr(0, 10))));
  fill(*model, now, posts);

  Figures figures;
  int largest = 0;
  const std::map<std::string, int> months = partitions(*database);
  for (const auto& [key, items] : months) largest = std::max(largest, items);
  figures.note("posts of one user", posts, "items");
  figures.note("partitions of a month", static_cast<double>(months.size()) - 1, "");
  figures.at_most("the largest of them", largest, "items", kItemsMax);

  // In the first days of a month its partition may not fill a page yet.
  const Model::Answer first = expect(model->ask("newest", {"power"}));
  if (first.documents.size() != kPage) std::abort();
  const std::string month = run::time_text(now).substr(0, 7);
  const auto newest = months.find("USER#power#" + month);
  const bool is_filled = newest != months.end() && newest->second >= kPage;
  figures.at_most("requests for the newest page", static_cast<double>(first.requests), "", is_filled ? 1 : 2);
  figures.at_most("items read for it", static_cast<double>(first.items_read), "", kPage);

  // All of it, page after page.
  double requests = 0, seen = 0, pages = 0;
  std::string cursor;
  do {
    const Model::Answer page = expect(model->ask("newest", {"power"}, cursor));
    requests += static_cast<double>(page.requests);
    seen += static_cast<double>(page.documents.size());
    ++pages;
    cursor = page.cursor.value_or("");
  } while (!cursor.empty());
  if (seen != posts) std::abort();
  figures.at_most("requests a page, all pages", requests / pages, "", 1.5);

  const int calls = is_quick ? 1'000 : 5'000;
  const auto us = [&](const std::function<void()>& call) {
    double best = 1e18;
    for (int round = 0; round < 9; ++round)
      best = std::min(best, seconds([&] {
                              for (int i = 0; i < calls; ++i) call();
                            }) / calls *
                                1e6);
    return best;
  };
  const std::string partition = is_filled ? newest->first : std::prev(months.end())->first;
  const double raw = us([&] {
    const Page page = expect(database->query({.table = "posts_app",
                                              .key_condition = "PK = :p AND begins_with(SK, :s)",
                                              .values = {{":p", partition}, {":s", "POST#"}},
                                              .descending = true,
                                              .limit = kPage}));
    if (page.items.empty()) std::abort();
  });
  const double modelled = us([&] {
    if (expect(model->ask("newest", {"power"})).documents.size() != kPage) std::abort();
  });
  figures.note("the newest page, of the raw Query of its month", modelled / raw, "of its time");
  return figures.report(count, words);
}

}  // namespace
}  // namespace sheaf::bench

int main(int count, char** words) { return sheaf::bench::run(count, words); }
