// B13, B14: what is spread over buckets and shards is read as one list.
#include "run/spread.h"

#include <gtest/gtest.h>

#include <functional>
#include <numeric>
#include <random>

#include "plan/explain.h"
#include "run/running_model.h"
#include "run/time_text.h"

namespace sheaf::run {
namespace {

std::chrono::system_clock::time_point at(std::string_view time) {
  return std::chrono::system_clock::time_point(std::chrono::seconds(*epoch_seconds(time)));
}

std::string model_text(const std::string& partition, const std::string& topics) {
  return R"(model posts {
  table app { pk PK; sk SK; tag Type; gsi GSI1 GSI1PK / GSI1SK all; gsi GSI2 GSI2PK / GSI2SK keys;
    gsi GSI3 GSI3PK / GSI3SK all }
  entity User { id id; key "USER#<id>" / "USER#<id>" }
  entity Post { id id; at time since "2026-01-01"; topic; size int;
    key ")" +
         partition +
         R"(" / "POST#<at>#<id>"; index GSI1 "POST#<id>" / "POST#<id>";
    index GSI2 ")" +
         topics + R"(" / "<at>"; index GSI3 "T#)" + topics.substr(0, topics.find("#<at")) + R"(" / "<size>" }
  rel User 1--* Post as posts / author { required; size unbounded; on delete cascade; via ref }
  pattern newest(u: User) = $u.posts order at desc page 5
  pattern oldest(u: User) = $u.posts order at page 5
  pattern some(u: User) = $u.posts page 5
  pattern from(u: User, from: time) = $u.posts where at >= $from order at page 5
  pattern until(u: User, until: time) = $u.posts where at < $until order at desc page 5
  pattern between(u: User, from: time, to: time) = $u.posts where at between $from and $to order at desc page 5
  pattern month(u: User, month: string) = $u.posts where at begins $month order at page 5
  pattern large(u: User) = $u.posts filter size > 50 order at desc page 5 reads max 10000
  pattern about(topic: string) = Post where topic = $topic order at desc page 5
  pattern aboutSince(topic: string, from: time) = Post where topic = $topic and at >= $from order at page 5
  pattern largeAbout(topic: string) = Post where topic = $topic filter size > 50 order at desc page 5 reads max 10000
  pattern allAbout(topic: string) = Post where topic = $topic page 5
  pattern bySize(topic: string) = Post where topic = $topic order size page 5
  pattern smaller(topic: string, size: int) = Post where topic = $topic and size < $size order size desc page 5
  pattern first(u: User) = $u { *, posts order at limit 3 }
  pattern post(p: Post) = $p
  op write(p: Post) = put $p
  op leave(u: User) = delete $u
})";
}

struct Post {
  std::string id, user, at, topic;
  int size = 0;
};

std::string two(int number) { return (number < 10 ? "0" : "") + std::to_string(number); }

// Many at the same moment, and months without any.
std::vector<Post> random_posts(std::mt19937& random, int count) {
  std::vector<Post> posts;
  const auto upto = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  for (int i = 0; i < count; ++i) {
    const int month = 1 + 2 * upto(5);
    posts.push_back({.id = "p" + std::to_string(1000 + i),
                     .user = upto(4) == 0 ? "u2" : "u1",
                     .at = "2026-" + two(month) + "-" + two(1 + 9 * upto(4)) + "T0" +
                           std::to_string(upto(2)) + ":00:00.000Z",
                     .topic = upto(3) == 0 ? "tea" : "work",
                     .size = upto(100)});
  }
  return posts;
}

std::string data_of(const std::vector<Post>& posts) {
  std::string text;
  for (const Post& post : posts)
    text += (text.empty() ? "" : ", ") + ("{ \"id\": \"" + post.id) + "\", \"author\": \"" + post.user +
            "\", \"at\": \"" + post.at + "\", \"topic\": \"" + post.topic +
            "\", \"size\": " + std::to_string(post.size) + " }";
  return R"({ "User": [{ "id": "u1" }, { "id": "u2" }], "Post": [)" + text + "] }";
}

struct Pages {
  std::vector<std::string> ids;  // of all pages
  std::vector<std::string> orders;
  std::vector<size_t> sizes;
  uint64_t requests = 0;
};

class SpreadReads {
 public:
  SpreadReads(const std::string& text, const std::vector<Post>& posts, std::string_view now)
      : model_(text, data_of(posts)) {
    const auto time = at(now);
    auto session = Session::open(model_.database(), model_.planned(), model_.layout_id(),
                                 {.clock = [time] { return time; }});
    EXPECT_TRUE(session.ok());
    session_ = std::move(*session);
  }

  Pages pages(std::string_view pattern, const std::vector<std::string>& arguments, const std::string& order) {
    Pages all;
    std::string cursor;
    do {
      const auto reply = session_->read(pattern, from_json(arguments), cursor);
      EXPECT_TRUE(reply.ok()) << pattern << ": " << reply.error().message;
      if (!reply.ok()) break;
      all.sizes.push_back(reply->documents.size());
      all.requests += reply->figures.requests;
      for (const Value& document : reply->documents) {
        all.ids.emplace_back(document.view().map().find("id")->bytes());
        if (!order.empty()) all.orders.push_back(to_plain_json(Value(*document.view().map().find(order))));
      }
      cursor = reply->cursor.value_or("");
      EXPECT_LE(all.ids.size(), 10'000u) << "it does not end";
    } while (!cursor.empty() && all.ids.size() <= 10'000);
    return all;
  }

  RunningModel& model() { return model_; }
  Session& session() { return *session_; }

 private:
  RunningModel model_;
  std::unique_ptr<Session> session_;
};

// Each once, in order, no page before the last one short.
void expect_list(const std::string& what, const Pages& is, std::vector<Post> should, const std::string& order,
                 bool is_descending) {
  std::vector<std::string> is_ids = is.ids, should_ids, orders;
  for (const Post& post : should) should_ids.push_back(post.id);
  std::sort(is_ids.begin(), is_ids.end());
  std::sort(should_ids.begin(), should_ids.end());
  EXPECT_EQ(is_ids, should_ids) << what;
  if (!order.empty()) {
    std::stable_sort(should.begin(), should.end(), [&](const Post& a, const Post& b) {
      const bool is_less = order == "at" ? a.at < b.at : a.size < b.size;
      const bool is_more = order == "at" ? b.at < a.at : b.size < a.size;
      return is_descending ? is_more : is_less;
    });
    for (const Post& post : should)
      orders.push_back(order == "at" ? "\"" + post.at + "\"" : std::to_string(post.size));
    EXPECT_EQ(is.orders, orders) << what;
  }
  for (size_t page = 0; page < is.sizes.size(); ++page) {
    const size_t given =
        std::accumulate(is.sizes.begin(), is.sizes.begin() + static_cast<ptrdiff_t>(page), size_t{0});
    EXPECT_EQ(is.sizes[page], std::min<size_t>(5, should.size() - given)) << what << ", page " << page;
  }
}

constexpr const char* kPartitions[] = {
    "USER#<author.id>",
    "USER#<author.id>#<at:month>",
    "USER#<author.id>#<at:day>",
    "USER#<author.id>#<at:year>",
    "USER#<author.id>#<id:shard(3)>",
    "USER#<author.id>#<at:month>#<id:shard(3)>",
    "USER#<author.id>#<id:shard(2)>#<at:month>#<topic:shard(5)>",
};
constexpr const char* kTopics[] = {"<topic>", "<topic>#<id:shard(12)>", "<topic>#<at:month>",
                                   "<topic>#<at:month>#<id:shard(2)>"};

class RandomSpread : public testing::TestWithParam<std::tuple<const char*, const char*>> {};

// Merged pages are those of a plain sort, whatever the buckets, shards and cursors.
TEST_P(RandomSpread, PagesAreThoseOfAPlainSort) {
  const auto [partition, topics] = GetParam();
  for (unsigned seed = 1; seed <= 4; ++seed) {
    std::mt19937 random(seed);
    const std::vector<Post> posts = random_posts(random, static_cast<int>(random() % 60));
    SpreadReads reads(model_text(partition, topics), posts, "2026-11-15");
    const auto some = [&](const std::function<bool(const Post&)>& is_wanted) {
      std::vector<Post> wanted;
      std::copy_if(posts.begin(), posts.end(), std::back_inserter(wanted), is_wanted);
      return wanted;
    };
    const std::string note = " of " + std::string(partition) + ", seed " + std::to_string(seed);
    const auto is_own = [](const Post& post) { return post.user == "u1"; };
    expect_list("newest" + note, reads.pages("newest", {"\"u1\""}, "at"), some(is_own), "at", true);
    expect_list("oldest" + note, reads.pages("oldest", {"\"u1\""}, "at"), some(is_own), "at", false);
    expect_list("some" + note, reads.pages("some", {"\"u1\""}, ""), some(is_own), "", false);
    const std::string from = "2026-03-10T01:00:00.000Z", to = "2026-07-01T00:00:00.000Z";
    const std::string from_json = "\"" + from + "\"", to_json = "\"" + to + "\"";
    expect_list("from" + note, reads.pages("from", {"\"u1\"", from_json}, "at"),
                some([&](const Post& post) { return is_own(post) && post.at >= from; }), "at", false);
    expect_list("until" + note, reads.pages("until", {"\"u1\"", to_json}, "at"),
                some([&](const Post& post) { return is_own(post) && post.at < to; }), "at", true);
    expect_list("between" + note, reads.pages("between", {"\"u1\"", from_json, to_json}, "at"),
                some([&](const Post& post) { return is_own(post) && post.at >= from && post.at <= to; }),
                "at", true);
    expect_list("month" + note, reads.pages("month", {"\"u1\"", "\"2026-0\""}, "at"), some(is_own), "at",
                false);
    expect_list("large" + note, reads.pages("large", {"\"u1\""}, "at"),
                some([&](const Post& post) { return is_own(post) && post.size > 50; }), "at", true);
    const auto is_tea = [](const Post& post) { return post.topic == "tea"; };
    expect_list("about" + note, reads.pages("about", {"\"tea\""}, "at"), some(is_tea), "at", true);
    // Many have the same sort key in the index, and the page ends among them.
    expect_list("largeAbout" + note, reads.pages("largeAbout", {"\"tea\""}, "at"),
                some([&](const Post& post) { return is_tea(post) && post.size > 50; }), "at", true);
    expect_list("aboutSince" + note, reads.pages("aboutSince", {"\"tea\"", from_json}, "at"),
                some([&](const Post& post) { return is_tea(post) && post.at >= from; }), "at", false);
    expect_list("allAbout" + note, reads.pages("allAbout", {"\"tea\""}, ""), some(is_tea), "", false);
    expect_list("bySize" + note, reads.pages("bySize", {"\"tea\""}, "size"), some(is_tea), "size", false);
    expect_list("smaller" + note, reads.pages("smaller", {"\"tea\"", "40"}, "size"),
                some([&](const Post& post) { return is_tea(post) && post.size < 40; }), "size", true);
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Keys, RandomSpread,
                         testing::Combine(testing::ValuesIn(kPartitions), testing::ValuesIn(kTopics)));

std::vector<Post> some_posts() {
  return {{.id = "a", .user = "u1", .at = "2026-02-01T00:00:00.000Z", .topic = "tea", .size = 1},
          {.id = "b", .user = "u1", .at = "2026-09-30T23:59:59.999Z", .topic = "tea", .size = 2},
          {.id = "c", .user = "u1", .at = "2026-10-01T00:00:00.000Z", .topic = "tea", .size = 3},
          {.id = "d", .user = "u1", .at = "2026-11-02T00:00:00.000Z", .topic = "tea", .size = 4}};
}

// All have the same sort key in the index, and lie there in the order of the table's keys: by user, not by
// id.
TEST(Spread, APageMayEndAmongEqualSortKeys) {
  std::vector<Post> posts;
  for (int i = 0; i < 12; ++i)
    posts.push_back({.id = "p" + std::to_string(10 + i),
                     .user = i % 2 == 0 ? "u1" : "u2",
                     .at = "2026-05-01T00:00:00.000Z",
                     .topic = "tea",
                     .size = 60});
  for (const char* topics : kTopics) {
    SpreadReads reads(model_text("USER#<author.id>", topics), posts, "2026-11-15");
    expect_list(topics, reads.pages("largeAbout", {"\"tea\""}, "at"), posts, "at", true);
    expect_list(topics, reads.pages("about", {"\"tea\""}, "at"), posts, "at", true);
  }
}

TEST(Spread, EveryBucketOnTheWayIsARequest) {
  SpreadReads reads(model_text("USER#<author.id>#<at:month>", "<topic>"), some_posts(), "2026-11-15");
  EXPECT_EQ(reads.pages("newest", {"\"u1\""}, "at").requests, 11u) << "January to November";
  EXPECT_EQ(reads.pages("newest", {"\"u2\""}, "at").requests, 11u) << "also if they are empty";
  EXPECT_EQ(reads.pages("from", {"\"u1\"", "\"2026-10-01T00:00:00.000Z\""}, "at").requests, 2u);
  EXPECT_EQ(reads.pages("until", {"\"u1\"", "\"2026-02-01T00:00:00.000Z\""}, "at").requests, 2u);
  EXPECT_EQ(
      reads.pages("between", {"\"u1\"", "\"2026-09-30T00:00:00.000Z\"", "\"2026-09-30T23:59:59.999Z\""}, "at")
          .requests,
      1u);
  EXPECT_EQ(
      reads.pages("between", {"\"u1\"", "\"2027-09-30T00:00:00.000Z\"", "\"2027-09-30T23:59:59.999Z\""}, "at")
          .requests,
      0u)
      << "nothing is in the future";
  EXPECT_EQ(reads.pages("month", {"\"u1\"", "\"2026-09\""}, "at").requests, 1u);
  EXPECT_EQ(reads.pages("post", {"\"a\""}, "").requests, 1u) << "the index knows it by its id";
}

// E14: the newest page is one request, as long as the newest bucket fills it.
TEST(Spread, TheNewestPageIsInTheNewestBucket) {
  std::vector<Post> posts = some_posts();
  for (int i = 0; i < 20; ++i)
    posts.push_back(
        {.id = "n" + std::to_string(i), .user = "u1", .at = "2026-11-03T00:00:00.000Z", .topic = "work"});
  SpreadReads reads(model_text("USER#<author.id>#<at:month>", "<topic>"), posts, "2026-11-15");
  const auto reply = reads.session().read("newest", from_json({"\"u1\""}));
  ASSERT_TRUE(reply.ok());
  EXPECT_EQ(reply->documents.size(), 5u);
  EXPECT_EQ(reply->figures.requests, 1u);
  EXPECT_EQ(reply->figures.items_read, 5u);
}

TEST(Spread, ShardsAreAskedAllOnceIfThereIsAnOrder) {
  SpreadReads reads(model_text("USER#<author.id>#<id:shard(7)>", "<topic>"), some_posts(), "2026-11-15");
  const auto newest = reads.session().read("newest", from_json({"\"u1\""}));
  ASSERT_TRUE(newest.ok());
  EXPECT_EQ(newest->figures.requests, 7u);
  EXPECT_EQ(newest->figures.rounds, 1u);
  const auto nested = reads.session().read("first", from_json({"\"u1\""}));
  ASSERT_TRUE(nested.ok()) << nested.error().message;
  EXPECT_EQ(nested->figures.requests, 8u);
  EXPECT_EQ(to_plain_json(nested->documents.front()).find("\"d\""), std::string::npos)
      << "the first three only";
}

// Nothing lies where open-ended reads do not look.
TEST(Spread, TimesLieBetweenTheirBeginningAndNow) {
  SpreadReads reads(model_text("USER#<author.id>#<at:month>", "<topic>"), {}, "2026-11-15T12:00:00.000Z");
  const auto put = [&](const std::string& at) {
    const auto done = reads.session().write(
        "write", from_json({R"({ "id": ")" + at + R"(", "author": "u1", "topic": "tea", "size": 1, "at": ")" +
                            at + "\" }"}));
    return done.ok() ? "" : done.error().message;
  };
  EXPECT_EQ(put("2025-12-31T23:59:59.999Z"), "the field at lies before its beginning: since 2026-01-01");
  EXPECT_EQ(put("2026-01-01T00:00:00.000Z"), "");
  EXPECT_EQ(put("2026-11-15T12:05:00.000Z"), "") << "clocks differ";
  EXPECT_EQ(put("2026-11-15T12:05:00.001Z"),
            "the field at lies in the future, and it has a since: until now");
  EXPECT_EQ(reads.pages("newest", {"\"u1\""}, "at").ids.size(), 2u);
}

TEST(Spread, WhoGoesTakesAllBucketsAlong) {
  SpreadReads reads(model_text("USER#<author.id>#<at:month>#<id:shard(2)>", "<topic>"), some_posts(),
                    "2026-11-15");
  ASSERT_TRUE(reads.session().write("leave", from_json({"\"u1\""})).ok());
  EXPECT_EQ(reads.pages("allAbout", {"\"tea\""}, "").ids.size(), 0u);
}

TEST(Spread, PlansTellThePartitions) {
  const RunningModel model(model_text("USER#<author.id>#<at:month>", "<topic>#<id:shard(12)>"), "{}");
  std::string text;
  for (const plan::PlannedPattern& each : model.planned().plans[model.layout_id()])
    text += plan::explain(model.model(), model.layout(), std::get<plan::Plan>(each.plan));
  EXPECT_NE(text.find("a call for every month from the newest back until there are enough"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("about(topic): 13 requests"), std::string::npos) << text;
  EXPECT_NE(text.find("GSI2PK = \"<$topic>#<each of 12 shards>\""), std::string::npos) << text;
  EXPECT_NE(text.find("merged in their order"), std::string::npos) << text;
}

}  // namespace
}  // namespace sheaf::run
