// Contributor Insights: a setting that is kept and told.
#include "api/database_fixture.h"

namespace sheaf {

inline void PrintTo(const ContributorInsights& insights, std::ostream* out) {
  *out << insights.table << "/" << insights.index << (insights.enabled ? " on" : " off");
}

namespace {

class ContributorInsightsTest : public DatabaseTest {
 protected:
  ContributorInsightsTest() {
    CreateTable table = table_of("Things", "pk", "sk");
    table.local_indexes = {index_of("local", "pk", "l")};
    table.global_indexes = {index_of("pairs", "g", "h"), index_of("alone", "g")};
    create(table);
    create(table_of("Others", "pk"));
  }

  ContributorInsights set(const UpdateContributorInsights& request) {
    return must(db_->update_contributor_insights(request));
  }
  ContributorInsights now(const std::string& table, std::optional<std::string> index = {}) {
    return must(db_->describe_contributor_insights({.table = table, .index = std::move(index)}));
  }
  // "Things/pairs", and "Things" of a table itself.
  Texts listed(const std::string& table = "") {
    Texts names;
    for (const ContributorInsights& each : must(db_->list_contributor_insights(table))) {
      EXPECT_TRUE(each.enabled);
      names.push_back(each.index.empty() ? each.table : each.table + "/" + each.index);
    }
    return names;
  }
  // Of each rule what stands before the time, which is the same in all.
  static Texts rules_of(const ContributorInsights& insights) {
    Texts starts;
    std::string time;
    for (const std::string& rule : insights.rules) {
      const size_t dash = rule.rfind('-');
      if (starts.empty()) time = rule.substr(dash);
      EXPECT_EQ(rule.substr(dash), time);
      starts.push_back(rule.substr(0, dash));
    }
    return starts;
  }
};

constexpr auto kAll = InsightsMode::kAccessedAndThrottledKeys;
constexpr auto kThrottled = InsightsMode::kThrottledKeys;

const std::string kRule = "DynamoDBContributorInsights-";

TEST_F(ContributorInsightsTest, AreOffUntilTheyAreTurnedOn) {
  EXPECT_EQ(now("Things"), (ContributorInsights{.table = "Things"}));
  EXPECT_EQ(now("Things", "pairs"), (ContributorInsights{.table = "Things", .index = "pairs"}));
  EXPECT_EQ(set({.table = "Things", .enabled = false, .mode = kThrottled}),
            (ContributorInsights{.table = "Things"}))
      << "as if it had never been touched";
  EXPECT_EQ(listed(), Texts());
}

TEST_F(ContributorInsightsTest, AreTurnedOnAndOff) {
  const ContributorInsights on = set({.table = "Things"});
  EXPECT_TRUE(on.enabled);
  EXPECT_EQ(on.mode, kAll);
  EXPECT_NE(on.changed_us, 0);
  EXPECT_EQ(now("Things"), on);
  EXPECT_EQ(set({.table = "Things"}), on) << "nothing to do";
  EXPECT_EQ(now("Things", "pairs"), (ContributorInsights{.table = "Things", .index = "pairs"}));
  const ContributorInsights off = set({.table = "Things", .enabled = false});
  EXPECT_FALSE(off.enabled);
  EXPECT_EQ(off.mode, kAll);
  EXPECT_GE(off.changed_us, on.changed_us);
  EXPECT_EQ(off.rules, Texts());
  EXPECT_EQ(now("Things"), off);
}

TEST_F(ContributorInsightsTest, HaveRulesForTheirKeysAndTheirMode) {
  EXPECT_EQ(rules_of(set({.table = "Others"})), (Texts{kRule + "PKC-Others", kRule + "PKT-Others"}));
  EXPECT_EQ(rules_of(set({.table = "Things"})),
            (Texts{kRule + "PKC-Things", kRule + "SKC-Things", kRule + "PKT-Things", kRule + "SKT-Things"}));
  EXPECT_EQ(rules_of(set({.table = "Things", .index = "alone"})),
            (Texts{kRule + "PKC-Things-alone", kRule + "PKT-Things-alone"}));
  EXPECT_EQ(rules_of(set({.table = "Things", .index = "pairs", .mode = kThrottled})),
            (Texts{kRule + "PKT-Things-pairs", kRule + "SKT-Things-pairs"}));
  EXPECT_EQ(rules_of(set({.table = "Others", .mode = kThrottled})), (Texts{kRule + "PKT-Others"}));
}

TEST_F(ContributorInsightsTest, AnotherModeKeepsTheRulesThatBothHave) {
  const ContributorInsights all = set({.table = "Others"});
  const ContributorInsights throttled = set({.table = "Others", .mode = kThrottled});
  EXPECT_EQ(throttled.mode, kThrottled);
  ASSERT_EQ(all.rules.size(), 2u);
  EXPECT_EQ(throttled.rules, (Texts{all.rules[1]}));
  EXPECT_EQ(set({.table = "Others"}).rules, all.rules) << "without a word about the mode it is the first";
}

// As long as CloudWatch lets a rule's name be.
TEST_F(ContributorInsightsTest, NoRuleHasMoreThan128Bytes) {
  const auto first_rule = [&](size_t table_bytes) {
    const std::string name(table_bytes, 'n');
    create(table_of(name, "pk"));
    return set({.table = name}).rules.at(0);
  };
  // 32 bytes in front, and behind a dash and a time of 13 digits.
  EXPECT_EQ(first_rule(81).size(), 127u);
  EXPECT_EQ(first_rule(82).size(), 128u);
  EXPECT_EQ(first_rule(83).size(), 128u);
  EXPECT_EQ(first_rule(255).size(), 128u);
  EXPECT_NE(first_rule(254).back(), 'n') << "the time is there";
}

TEST_F(ContributorInsightsTest, ThoseThatAreOnAreListed) {
  set({.table = "Things", .index = "pairs", .mode = kThrottled});
  set({.table = "Things", .index = "alone"});
  EXPECT_EQ(listed("Things"), (Texts{"Things/alone", "Things/pairs"}));
  set({.table = "Things"});
  set({.table = "Others"});
  EXPECT_EQ(listed(), (Texts{"Others", "Things", "Things/alone", "Things/pairs"}));
  EXPECT_EQ(listed("Others"), (Texts{"Others"}));
  set({.table = "Things", .enabled = false});
  EXPECT_EQ(listed(), (Texts{"Others", "Things/alone", "Things/pairs"}));
  EXPECT_EQ(must(db_->list_contributor_insights("Things")),
            (std::vector<ContributorInsights>{
                {.table = "Things", .index = "alone", .enabled = true, .mode = kAll},
                {.table = "Things", .index = "pairs", .enabled = true, .mode = kThrottled}}));
}

TEST_F(ContributorInsightsTest, GoWithTheirTable) {
  set({.table = "Others"});
  must(db_->delete_table("Others"));
  settle();
  EXPECT_EQ(listed(), Texts());
  EXPECT_EQ(refusal(db_->list_contributor_insights("Others")).code, Code::kNotFound);
  create(table_of("Others", "pk"));
  EXPECT_EQ(now("Others"), (ContributorInsights{.table = "Others"}));
}

TEST_F(ContributorInsightsTest, WhatIsNotThereIsNotFound) {
  const Error no_table{Code::kNotFound, "Requested resource not found: Table: Nothing not found"};
  EXPECT_EQ(refusal(db_->update_contributor_insights({.table = "Nothing"})), no_table);
  EXPECT_EQ(refusal(db_->describe_contributor_insights({.table = "Nothing", .index = "any"})), no_table);
  EXPECT_EQ(refusal(db_->list_contributor_insights("Nothing")), no_table);
  for (const std::string index : {"local", "none"}) {
    const Error no_index{Code::kNotFound,
                         "Requested resource not found: Index: " + index + " not found for table: Things"};
    EXPECT_EQ(refusal(db_->update_contributor_insights({.table = "Things", .index = index})), no_index);
    EXPECT_EQ(refusal(db_->describe_contributor_insights({.table = "Things", .index = index})), no_index);
  }
}

TEST_F(ContributorInsightsTest, NamesHaveTheirLimits) {
  const auto refused = [&](const std::string& index) {
    const Error error = refusal(db_->describe_contributor_insights({.table = "Things", .index = index}));
    EXPECT_EQ(refusal(db_->update_contributor_insights({.table = "Things", .index = index})), error);
    return error;
  };
  const Error length =
      invalid("IndexName must be at least 3 characters long and at most 255 characters long");
  EXPECT_EQ(refused(""), length);
  EXPECT_EQ(refused("ab"), length);
  EXPECT_EQ(refused(std::string(256, 'a')), length);
  EXPECT_EQ(refused("abc").code, Code::kNotFound);
  EXPECT_EQ(refused(std::string(255, 'a')).code, Code::kNotFound);
  EXPECT_EQ(refused("a;b"),
            invalid("1 validation error detected: Value 'a;b' at 'indexName' failed to satisfy constraint: "
                    "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"));
  const Error short_table = invalid(
      "1 validation error detected: Value 'ab' at 'tableName' failed to satisfy constraint: Member "
      "must have length greater than or equal to 3");
  EXPECT_EQ(refusal(db_->update_contributor_insights({.table = "ab"})), short_table);
  EXPECT_EQ(refusal(db_->describe_contributor_insights({.table = "ab"})), short_table);
  EXPECT_EQ(refusal(db_->list_contributor_insights("ab")), short_table);
}

}  // namespace
}  // namespace sheaf
