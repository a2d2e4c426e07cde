#include "generate/generator.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "base/sha256.h"
#include "generate/data_checks.h"
#include "generate/data_text.h"
#include "run/plain_json.h"
#include "run/time_text.h"

namespace sheaf::generate {
namespace {

constexpr const char* kShop = R"(model shop {
  entity Customer { id id; name; email unique; city string?; joined time; vip bool; friend_count int = count(friends) }
  entity Order { timestamps; id id ulid; status enum(NEW, DONE) default "NEW"; total number max 500; note }
  entity Line within `order` { number id int; sku matches "[A-Z]{2}-[0-9]{3}"; quantity int max 9; tags set<string>? }
  entity Seat { row id enum(A, B, C); chair id int max 10; price number }
  rel Customer 1--* Order as orders / customer { required; size avg 8 max 120; on delete cascade }
  rel Order 1--* Line as lines / `order` { size avg 3 max 40; on delete cascade }
  rel Customer *--* Customer as friends { size avg 6 max 50; edge { since date } }
  rel Customer *--* Order as watches / watchers { size of watches avg 5 max 400; size of watchers max 400 }
  rel Customer 1--* Customer as invited / inviter { size max 30 }
  pattern orders(c: Customer) = $c.orders
})";

const model::CompiledModel& shop() {
  static const model::CompiledModel compiled = model::compile("shop.sheaf", kShop);
  EXPECT_TRUE(compiled.ok()) << compiled.rendered();
  return compiled;
}

std::unique_ptr<Generator> made(const GeneratorOptions& options = {}) {
  auto generator = Generator::make(shop(), options);
  EXPECT_TRUE(generator.ok()) << generator.error().message;
  return std::move(*generator);
}

std::string why_not(const GeneratorOptions& options) {
  const auto generator = Generator::make(shop(), options);
  return generator.ok() ? "" : generator.error().message;
}

model::EntityId entity(const char* name) { return *shop().model.find_entity(name); }
model::EndId end(const char* holder, const char* name) {
  return *shop().model.find_end(entity(holder), name);
}
model::FieldId field(const char* holder, const char* name) {
  return *shop().model.find_field(entity(holder), name);
}

std::string all_lines_of(const Generator& generator) {
  std::string text;
  EXPECT_TRUE(write_lines(generator,
                          [&](std::string_view piece) -> Result<void> {
                            text += piece;
                            return {};
                          },
                          {})
                  .ok());
  return text;
}

// If this changes, everybody's data changes with the same seed: say so in the release notes.
TEST(Generator, MakesTheSameBytesAsEver) {
  const std::string lines = all_lines_of(*made({.wishes = {.scale = 0.3}}));
  EXPECT_EQ(hex_text(hex_of(sha256(lines))),
            "c5e2c563147045f6bdeff97fdae72829c1e1b700692de92ae0b46f9aa3630bc3")
      << lines.substr(0, 2000);
}

TEST(Generator, CountsFollowFromDeclaredAverages) {
  const auto generator = made();
  EXPECT_EQ(generator->count(entity("Customer")), 100u);
  EXPECT_EQ(generator->count(entity("Order")), 800u);
  EXPECT_EQ(generator->count(entity("Line")), 2400u);
  EXPECT_EQ(generator->count(entity("Seat")), 30u);  // no more ids
  EXPECT_EQ(generator->links(end("Customer", "watches").relation).total(), 500u);
  EXPECT_EQ(made({.wishes = {.scale = 3}})->count(entity("Line")), 7200u);
  // Parents from children, and the others from them.
  const auto backwards = made({.wishes = {.counts = {{"Line", 240}}}});
  EXPECT_EQ(backwards->count(entity("Order")), 80u);
  EXPECT_EQ(backwards->count(entity("Customer")), 10u);
}

TEST(Generator, WishesThatCannotBeKeptAreRefused) {
  const auto counts = [](std::map<std::string, uint64_t> wished) {
    return why_not({.wishes = {.counts = std::move(wished)}});
  };
  EXPECT_EQ(counts({{"Seat", 30}}), "");
  EXPECT_EQ(counts({{"Seat", 31}}),
            "there can be only 30 of Seat: its ids and unique fields have no more values");
  EXPECT_EQ(counts({{"Customer", 10}, {"Order", 1200}}), "");
  EXPECT_NE(counts({{"Customer", 10}, {"Order", 1201}}).find("do not fit"), std::string::npos);
  EXPECT_EQ(counts({{"Costumer", 10}}), "there is no entity Costumer");
  EXPECT_EQ(counts({{"Customer", kCountMax + 1}}).substr(0, 13), "1099511627777");
  EXPECT_EQ(why_not({.skew = {kSkewThousandthsMax}}), "");
  EXPECT_NE(why_not({.skew = {kSkewThousandthsMax + 1}}), "");
  EXPECT_NE(why_not({.wishes = {.scale = 0}}), "");
  EXPECT_NE(why_not({.item_bytes = {{"Customer", 500'000}}}), "");
  EXPECT_NE(why_not({.item_bytes = {{"Seat", 500}}}).find("no text"), std::string::npos);
  EXPECT_EQ(why_not({.item_bytes = {{"Order", 399'600}}}), "");
  EXPECT_NE(why_not({.item_bytes = {{"Order", 399'601}}}), "");
}

TEST(Generator, NothingIsFine) {
  const auto generator =
      made({.wishes = {.counts = {{"Customer", 0}, {"Order", 0}, {"Line", 0}, {"Seat", 0}}}});
  EXPECT_EQ(all_lines_of(*generator), "");
  EXPECT_EQ(broken_bound(*generator), "");
}

TEST(Generator, KeepsAllBoundsAtEverySkew) {
  for (const uint32_t skew : {0, 700, 1000, 2000, 3000}) {
    for (const double scale : {0.01, 0.07, 1.0})
      EXPECT_EQ(broken_bound(*made({.wishes = {.scale = scale}, .skew = {skew}, .seed = skew})), "")
          << skew << " " << scale;
  }
}

// Children and links over parents: Zipf's law, cut at the max; and the mean is the declared average.
TEST(Generator, SpreadsByZipfsLawWithinTheMax) {
  for (const uint32_t skew : {0, 500, 1000, 1500}) {
    constexpr uint64_t kCustomers = 3000;
    const auto generator = made({.wishes = {.counts = {{"Customer", kCustomers}}}, .skew = {skew}});
    for (const auto& [name, average, max] :
         {std::tuple("orders", 8.0, 120.0), std::tuple("watches", 5.0, 400.0)}) {
      std::vector<double> degrees;
      double sum = 0;
      for (uint64_t i = 0; i < kCustomers; ++i) {
        degrees.push_back(static_cast<double>(generator->degree(end("Customer", name), i)));
        sum += degrees.back();
      }
      EXPECT_EQ(sum, average * kCustomers) << name;
      std::sort(degrees.rbegin(), degrees.rend());
      EXPECT_LE(degrees[0], max);
      // What is cut off the first goes to the others: the law with a larger factor.
      double low = 0, high = 1e9;
      for (int i = 0; i < 100; ++i) {
        const double factor = (low + high) / 2;
        double all = 0;
        for (uint64_t k = 0; k < kCustomers; ++k)
          all += std::min(degrees[0], factor * std::pow(k + 1, -(skew / 1000.0)));
        (all < sum ? low : high) = factor;
      }
      for (uint64_t k = 0; k < kCustomers; ++k) {
        const double law = std::min(degrees[0], low * std::pow(k + 1, -(skew / 1000.0)));
        ASSERT_NEAR(degrees[k], law, 1.5 + 0.04 * law) << name << " " << skew << " rank " << k;
      }
      if (skew == 0) {
        EXPECT_LE(degrees[0] - degrees.back(), 1) << name;
      } else if (skew >= 1000 && std::string(name) == "orders") {
        EXPECT_EQ(degrees[0], max);
      }
    }
  }
}

// The heads of relations that lead to many on both sides are as heavy as two lists without a pair twice allow
// for, and of symmetric ones a square.
TEST(Generator, LinksOfBothSidesKeepTheirMean) {
  const auto generator = made({.wishes = {.counts = {{"Customer", 20000}}}});
  const Links& friends = generator->links(end("Customer", "friends").relation);
  EXPECT_NEAR(static_cast<double>(friends.total()), 60000, 600);
  EXPECT_EQ(friends.most(0), 50u);
  const Links& watches = generator->links(end("Customer", "watches").relation);
  EXPECT_EQ(watches.total(), 100000u);
  EXPECT_GT(watches.most(0) * watches.most(1), 30000u);
}

TEST(Generator, PicksThePopularOnesMoreOften) {
  const auto generator = made({.wishes = {.counts = {{"Customer", 1000}}}});
  Chance chance(4);
  std::map<uint64_t, int> picked;
  for (int i = 0; i < 100'000; ++i) ++picked[generator->pick(entity("Customer"), chance)];
  // The most popular one has the most orders, and a share of 1 / H(1000) of what is picked.
  const auto most =
      std::max_element(picked.begin(), picked.end(), [](auto& a, auto& b) { return a.second < b.second; });
  EXPECT_EQ(generator->degree(end("Customer", "orders"), most->first), 120u);
  EXPECT_NEAR(most->second, 100'000 / 7.485, 600);
  const auto even = made({.wishes = {.counts = {{"Customer", 10}}}, .skew = {0}});
  picked.clear();
  for (int i = 0; i < 10'000; ++i) ++picked[even->pick(entity("Customer"), chance)];
  for (const auto& [ordinal, times] : picked) EXPECT_NEAR(times, 1000, 150);
}

TEST(Generator, TimesLieInTheYearBeforeMoreOfThemLately) {
  const auto generator = made();
  int late = 0, count = 0;
  for (uint64_t i = 0; i < generator->count(entity("Customer")); ++i) {
    const std::string time(
        generator->field(entity("Customer"), i, field("Customer", "joined"))->view().bytes());
    EXPECT_GE(time, "2025-07-01");
    EXPECT_LT(time, "2026-07-01");
    late += time >= "2026-01-01" ? 1 : 0;
    ++count;
  }
  EXPECT_GT(late, count * 6 / 10);
  const auto earlier = made({.until_ms = *run::epoch_seconds("2020-01-01") * 1000});
  EXPECT_LT(earlier->field(entity("Customer"), 0, field("Customer", "joined"))->view().bytes(), "2020-01-01");
}

// A ulid begins with the time at which its entity was made, and nobody is older than their parent.
TEST(Generator, UlidsAgreeWithTheirTimes) {
  const auto generator = made();
  for (uint64_t i = 0; i < 200; ++i) {
    const std::string ulid(generator->field(entity("Order"), i, field("Order", "id"))->view().bytes());
    const std::string created(
        generator->field(entity("Order"), i, field("Order", "created_at"))->view().bytes());
    const std::string updated(
        generator->field(entity("Order"), i, field("Order", "updated_at"))->view().bytes());
    uint64_t ms = 0;
    for (size_t k = 0; k < 10; ++k)
      ms = ms * 32 + std::string_view("0123456789ABCDEFGHJKMNPQRSTVWXYZ").find(ulid[k]);
    EXPECT_EQ(run::time_text(std::chrono::system_clock::time_point(std::chrono::milliseconds(ms))), created);
    EXPECT_LE(created, updated);
    const uint64_t customer = *generator->target(end("Order", "customer"), i);
    EXPECT_LE(generator->field(entity("Customer"), customer, field("Customer", "joined"))->view().bytes(),
              created);
  }
}

TEST(Generator, FillsItemsUpToTheirSize) {
  const auto generator = made({.item_bytes = {{"Order", 3000}}});
  for (uint64_t i = 0; i < 50; ++i) {
    uint64_t bytes = 0;
    for (const auto& [name, value] : generator->fields(entity("Order"), i))
      bytes += name.size() + value.view().size_bytes();
    EXPECT_NEAR(static_cast<double>(bytes), 3000, 60);
  }
}

TEST(Generator, NewOnesAreNotThere) {
  const auto generator = made();
  for (const char* name : {"Customer", "Order", "Line"}) {
    std::set<std::string> ids;
    for (uint64_t i = 0; i < generator->count(entity(name)); ++i)
      ids.insert(run::to_plain_json(generator->id(entity(name), i)));
    EXPECT_EQ(ids.size(), generator->count(entity(name)));
    for (uint64_t nonce = 0; nonce < 100; ++nonce)
      EXPECT_FALSE(ids.contains(run::to_plain_json(generator->missing_id(entity(name), nonce)))) << name;
  }
  EXPECT_TRUE(generator->new_document(entity("Line"), 7).ok());
  EXPECT_FALSE(generator->new_document(entity("Seat"), 0).ok());
}

}  // namespace
}  // namespace sheaf::generate
