// The documents' evaluation, each point by its name: what is said of the strategies, judged by what is
// measured.
#include "measure/claims/claim.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

namespace sheaf::measure {
namespace {

class ClaimsTest : public ::testing::Test {
 protected:
  // Of the point that the test is named for; of one that is quickly measured.
  const Evidence& evidence() {
    if (!evidence_) {
      const std::string test = ::testing::UnitTest::GetInstance()->current_test_info()->name();
      const size_t digits = test.find_first_not_of("0123456789", 1);
      const bool is_point = digits > 1;
      auto made =
          gather_evidence(experiments_for({is_point ? test.substr(0, digits) : std::string("K9")}), {});
      EXPECT_TRUE(made.ok()) << made.error().message;
      evidence_.emplace(std::move(*made));
    }
    return *evidence_;
  }

  static std::vector<const Claim*> of(std::string_view point) {
    std::vector<const Claim*> made;
    for (const Claim& each : claims()) {
      if (each.is_of(point)) made.push_back(&each);
    }
    return made;
  }

  // How many claims of a point come to each verdict: holds, in part, contradicted.
  std::vector<int> verdicts(std::string_view point) {
    std::vector<int> counts(3);
    for (const Claim* each : of(point)) ++counts[static_cast<size_t>(each->judge(evidence()).verdict)];
    return counts;
  }

  Judgement judged(std::string_view about, std::string_view statement) {
    for (const Claim& each : claims()) {
      if (each.about.starts_with(about) && each.statement.find(statement) != std::string_view::npos)
        return each.judge(evidence());
    }
    ADD_FAILURE() << "no claim of " << about << " says " << statement;
    return {};
  }

  Cell method(std::string_view layout, std::string_view subject) {
    return evidence().cell("methods", layout, subject);
  }

 private:
  std::optional<Evidence> evidence_;
};

using Counts = std::vector<int>;

// Four methods and four operations, and that methods 3 and 4 are said to be the same.
TEST_F(ClaimsTest, I1TheGridOfMethodsAndOperations) {
  EXPECT_EQ(of("I1").size(), 17u);
  EXPECT_EQ(verdicts("I1"), (Counts{13, 2, 2}));
  EXPECT_EQ(judged("method 4", "fetch one").verdict, Verdict::kContradicted);        // J7
  EXPECT_EQ(judged("method 4", "does not differ").verdict, Verdict::kContradicted);  // J15
  EXPECT_EQ(judged("method 3", "reassign").verdict, Verdict::kPartly);
  EXPECT_EQ(method("method1", "home").requests, 2);
  EXPECT_EQ(method("method2", "home").requests, 1);
  EXPECT_EQ(method("method3", "team").requests, 2);
  EXPECT_EQ(method("method4", "move").items_written, 2);
}

TEST_F(ClaimsTest, I1IsDrawnAsAGrid) {
  const std::string text = claims_text(evidence(), {"I1"});
  const std::string grid = method_grid(evidence());
  EXPECT_TRUE(text.starts_with(grid));
  std::vector<std::string> lines;
  for (size_t at = 0; at < grid.size(); at = grid.find('\n', at) + 1)
    lines.push_back(grid.substr(at, grid.find('\n', at) - at));
  ASSERT_EQ(lines.size(), 7u) << grid;
  EXPECT_TRUE(lines[2].starts_with("method 1  easy: 1 / ")) << grid;
  EXPECT_TRUE(lines[2].ends_with("medium: 2 / 1  bad: 3 indexes")) << grid;
  EXPECT_TRUE(lines[4].starts_with("method 3  easy: 2 / ")) << grid;
  EXPECT_NE(lines[4].find(" ~ "), std::string::npos) << grid;
  EXPECT_TRUE(lines[5].ends_with("easy: 2 / 1 !  best: 1 index")) << grid;
  EXPECT_FALSE(claims_text(evidence(), {"K9"}).starts_with(grid));
}

TEST_F(ClaimsTest, I2OneQueryAgainstThreeIsCheaperWhereBytesAreFew) {
  EXPECT_EQ(verdicts("I2"), (Counts{1, 1, 1}));
  EXPECT_EQ(judged("one Query", "cheaper").verdict, Verdict::kPartly);  // J11
  const Cell small = evidence().cell("profile", "default", "loosely"),
             small_apart = evidence().cell("profile", "apart", "loosely");
  EXPECT_EQ(small_apart.read_units, 3 * small.read_units);
  const Cell large = evidence().cell("large profile", "default", "loosely"),
             large_apart = evidence().cell("large profile", "apart", "loosely");
  EXPECT_LT(large_apart.read_units, 1.1 * large.read_units);
}

TEST_F(ClaimsTest, I3CopiesAndEdgesTakeStorage) {
  EXPECT_EQ(verdicts("I3"), (Counts{2, 0, 0}));
  const Stored& keys = evidence().stored("methods", "method1");
  EXPECT_EQ(evidence().stored("methods", "method2").items(), keys.items());
  EXPECT_GT(evidence().stored("methods", "method2").bytes(), keys.bytes());
  EXPECT_GE(evidence().stored("methods", "method4").items(), keys.items() + 400);
}

TEST_F(ClaimsTest, I4AnIndexCostsWhoWritesAndNotWhoReadsElsewhere) {
  EXPECT_EQ(verdicts("I4"), (Counts{1, 0, 1}));
  EXPECT_EQ(method("references", "hire").index_write_units, 0);
  EXPECT_EQ(method("method1", "hire").write_units,
            method("references", "hire").write_units + method("method1", "hire").index_write_units);
}

TEST_F(ClaimsTest, I5CopiesCostUpdatesAndSaveReads) {
  EXPECT_EQ(verdicts("I5"), (Counts{2, 0, 0}));
  EXPECT_EQ(method("method1", "rename").items_written, 1);
  EXPECT_GE(method("method2", "rename").items_written, 1 + method("method2", "rename").copies);
  EXPECT_EQ(method("method1", "home").read_units - method("method2", "home").read_units, 0.5);
}

TEST_F(ClaimsTest, I6ProsAndConsAreRows) {
  EXPECT_GE(of("I6").size(), 54u);
  const Counts counts = verdicts("I6");
  EXPECT_EQ(counts[1], 1);  // 10 GB: only with a local index (J10)
  EXPECT_EQ(counts[2], 1);  // transactions are not bound to a partition (J17)
  EXPECT_EQ(judged("item collection", "10 GB").verdict, Verdict::kPartly);
  EXPECT_EQ(judged("item collection", "transactions are for").verdict, Verdict::kContradicted);
}

TEST_F(ClaimsTest, K1Embed) {
  EXPECT_EQ(verdicts("K1"), (Counts{6, 0, 0}));
  EXPECT_FALSE(evidence().cell("embedded", "embed", "address").is_served);
  EXPECT_NE(evidence().rejection("too much embedded", "embed"), "");
  EXPECT_EQ(evidence().rejection("too much embedded", "collection"), "");
}

TEST_F(ClaimsTest, K2Copy) { EXPECT_EQ(verdicts("K2"), (Counts{4, 0, 0})); }

TEST_F(ClaimsTest, K3Collection) {
  EXPECT_EQ(verdicts("K3"), (Counts{11, 0, 0}));
  EXPECT_FALSE(evidence().cell("customers", "collection", "single").is_served);
  EXPECT_TRUE(evidence().cell("customers", "both_ways", "single").is_served);
}

TEST_F(ClaimsTest, K4Index) {
  EXPECT_EQ(verdicts("K4"), (Counts{7, 0, 0}));
  EXPECT_FALSE(evidence().cell("customers", "index", "strongly").is_served);
  EXPECT_TRUE(evidence().cell("customers", "collection", "strongly").is_served);
}

TEST_F(ClaimsTest, K5Path) {
  EXPECT_EQ(verdicts("K5"), (Counts{4, 0, 0}));
  EXPECT_NE(evidence().rejection("deep hierarchy", "path").find("1024"), std::string::npos)
      << evidence().rejection("deep hierarchy", "path");
}

TEST_F(ClaimsTest, K6Adjacency) {
  EXPECT_EQ(verdicts("K6"), (Counts{5, 0, 0}));
  EXPECT_EQ(evidence().stored("roles", "adjacency").items(),
            80 + 2 + static_cast<int64_t>(evidence().generator("roles").links(0).total()));
}

TEST_F(ClaimsTest, K7ShallowLists) {
  EXPECT_EQ(verdicts("K7"), (Counts{4, 0, 0}));
  EXPECT_EQ(evidence().indexes("roles", "lists"), 0u);
  EXPECT_NE(evidence().rejection("too large lists", "lists"), "");
}

TEST_F(ClaimsTest, K8Normalised) { EXPECT_EQ(verdicts("K8"), (Counts{6, 0, 0})); }

TEST_F(ClaimsTest, K9OneIndexForAllRelations) {
  EXPECT_EQ(verdicts("K9"), (Counts{2, 0, 1}));
  EXPECT_EQ(evidence().indexes("methods", "method3"), 1u);
  EXPECT_EQ(evidence().indexes("methods", "method1"), 3u);
}

TEST_F(ClaimsTest, K10EntityAttributeValue) {
  EXPECT_EQ(verdicts("K10"), (Counts{5, 0, 0}));
  EXPECT_FALSE(evidence().cell("products", "default", "colored").is_served);
}

TEST_F(ClaimsTest, K11TypeAndId) { EXPECT_EQ(verdicts("K11"), (Counts{2, 0, 0})); }

TEST_F(ClaimsTest, K12MaterialisedGraph) {
  EXPECT_EQ(verdicts("K12"), (Counts{2, 0, 0}));
  EXPECT_FALSE(evidence().cell("school", "pairs", "taught").is_served);
}

// A verdict follows from the figures: with nothing measured nearly nothing holds.
TEST_F(ClaimsTest, NothingIsJudgedWithoutFigures) {
  const Claim* const easy = of("I1").front();
  EXPECT_EQ(easy->judge(evidence()).verdict, Verdict::kHolds);
  EXPECT_EQ(holds_if(false, "").verdict, Verdict::kContradicted);
  EXPECT_EQ(partly_if(true, "").verdict, Verdict::kPartly);
  EXPECT_EQ(partly_if(false, "").verdict, Verdict::kContradicted);
  EXPECT_FALSE(evidence().cell("methods", "method1", "nothing").is_served);
  EXPECT_FALSE(evidence().cell("methods", "method9", "team").is_served);
}

TEST_F(ClaimsTest, AreOfPointsThatTheyName) {
  const Claim claim{.points = "I6 K1"};
  EXPECT_TRUE(claim.is_of("I6") && claim.is_of("K1"));
  EXPECT_FALSE(claim.is_of("K") || claim.is_of("K12") || claim.is_of("I") || claim.is_of(""));
}

// The tests above run those alone.
TEST_F(ClaimsTest, NameTheExperimentsThatTheyNeed) {
  for (const Claim& each : claims()) {
    const bool is_named = std::any_of(experiments().begin(), experiments().end(), [&](const Experiment& one) {
      return each.how.find("`" + std::string(one.name) + "`") != std::string_view::npos;
    });
    EXPECT_TRUE(is_named || each.statement.find("10 GB") != std::string_view::npos) << each.statement;
  }
}

TEST_F(ClaimsTest, AreToldAsTextAndJson) {
  const std::string text = claims_text(evidence(), {"K9"});
  EXPECT_NE(text.find("contradicted: it does not differ from method 3"), std::string::npos) << text;
  EXPECT_NE(text.find("2 hold, 0 hold in part, 1 is contradicted"), std::string::npos) << text;
  const std::string json = claims_json(evidence(), {"K9"});
  EXPECT_NE(json.find("\"verdict\": \"contradicted\""), std::string::npos) << json;
}

}  // namespace
}  // namespace sheaf::measure
