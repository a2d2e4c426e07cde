// `now` is the time at which the request began, whatever the clock says meanwhile (S2.4).
#include <gtest/gtest.h>

#include "run/running_model.h"

namespace sheaf::run {
namespace {

constexpr std::string_view kVisits = R"(model visits {
  entity Place { id id }
  entity Visit within place { id id; at time default now; day date default now; ms int default now; note?;
    stamp { at time default now; day date? }? }
  rel Place 1--* Visit as visits / place { size max 9; via collection }
  pattern before(p: Place) = $p.visits filter at < now limit 9 { id }
  pattern today(p: Place) = $p.visits filter day = now and ms = now limit 9 { id }
  pattern later(p: Place) = $p.visits filter at >= now order at limit 9 { id }
  pattern visit(v: Visit) = $v
  op touch(v: Visit) = set $v.at = now, $v.day = now, $v.ms = now
  op shift(v: Visit) = set $v.ms = now - 1000
  op past(v: Visit) = check $v.at < now and $v.day <= now and $v.ms in (1, now)
  op stamped(v: Visit, s: { at time default now; day date? }) = set $v.stamp = $s })";

class Now : public testing::Test {
 protected:
  Now() : running_(std::string(kVisits), R"({ "Place": [{ "id": "p" }] })") {
    auto session =
        Session::open(running_.database(), running_.planned(), 0, {.clock = [this] { return now_; }});
    session_ = std::move(*session);
  }

  std::string write(std::string_view operation, const std::vector<std::string>& arguments) {
    const auto done = session_->write(operation, from_json(arguments));
    return done.ok() ? "" : done.error().message;
  }
  std::string read(std::string_view pattern, const std::string& argument) {
    const auto reply = session_->read(pattern, from_json({argument}));
    if (!reply.ok()) return reply.error().message;
    std::string out;
    for (const Value& document : reply->documents) out += to_plain_json(document);
    return out;
  }

  // 2020-02-03T04:05:06.789Z
  static constexpr int64_t kMs = 1'580'702'706'789;
  std::chrono::system_clock::time_point now_{std::chrono::milliseconds(kMs)};
  RunningModel running_;
  std::unique_ptr<Session> session_;
};

TEST_F(Now, IsATimeADateOrMillisecondsByTheTypeOfTheField) {
  const std::string whole =
      R"({"at":"2020-02-03T04:05:06.789Z","day":"2020-02-03","id":"v","ms":1580702706789,"place":"p"})";
  ASSERT_EQ(write("put.Visit", {R"({"place": "p", "id": "v"})"}), "");
  EXPECT_EQ(read("visit", R"(["p", "v"])"), whole);
  ASSERT_EQ(write("set.Visit",
                  {R"(["p", "v"])", R"({"at": "2000-01-01T00:00:00.000Z", "day": "2000-01-01", "ms": 1})"}),
            "");
  ASSERT_EQ(write("touch", {R"(["p", "v"])"}), "");
  EXPECT_EQ(read("visit", R"(["p", "v"])"), whole);
  ASSERT_EQ(write("shift", {R"(["p", "v"])"}), "");
  EXPECT_NE(read("visit", R"(["p", "v"])").find("\"ms\":1580702705789"), std::string::npos);
  ASSERT_EQ(write("stamped", {R"(["p", "v"])", R"({"day": null})"}), "");
  EXPECT_NE(read("visit", R"(["p", "v"])").find(R"("stamp":{"at":"2020-02-03T04:05:06.789Z"})"),
            std::string::npos)
      << read("visit", R"(["p", "v"])");
}

TEST_F(Now, IsTheTimeOfTheRequestInChecksAndPatterns) {
  ASSERT_EQ(write("put.Visit", {R"({"place": "p", "id": "v"})"}), "");
  EXPECT_EQ(write("past", {R"(["p", "v"])"}), "the check on $v.at fails");
  EXPECT_EQ(read("before", "\"p\""), "");
  EXPECT_EQ(read("later", "\"p\""), R"({"id":"v"})");
  EXPECT_EQ(read("today", "\"p\""), R"({"id":"v"})");
  now_ += std::chrono::milliseconds(1);
  EXPECT_EQ(read("before", "\"p\""), R"({"id":"v"})");
  EXPECT_EQ(read("later", "\"p\""), "");
  EXPECT_EQ(read("today", "\"p\""), "");
  ASSERT_EQ(write("set.Visit", {R"(["p", "v"])", R"({"ms": 1580702706790})"}), "");
  EXPECT_EQ(write("past", {R"(["p", "v"])"}), "");
}

}  // namespace
}  // namespace sheaf::run
