#include "prove/random_values.h"

#include <gtest/gtest.h>

#include "model/compiled_model.h"
#include "prove/random_model.h"
#include "run/value_check.h"

namespace sheaf::prove {
namespace {

const auto kNow = std::chrono::system_clock::now();

TEST(RandomValues, FieldsAcceptTheirValuesAndRefuseTheOthers) {
  size_t accepted = 0, refused = 0;
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    const auto made = random_model(seed);
    if (!made) continue;
    const auto compiled = model::compile("random.sheaf", made->text());
    Chance chance(seed);
    for (const model::Entity& entity : compiled.model.entities) {
      for (const model::Field& field : entity.fields) {
        if (field.kept != model::Kept::kNo) continue;
        const Value value = random_value(field, chance);
        EXPECT_EQ(run::misfit(value, field), std::nullopt)
            << seed << " " << entity.name << "." << field.name << " " << value.to_json();
        EXPECT_EQ(run::outside(value, field, kNow), std::nullopt) << seed << " " << field.name;
        ++accepted;
        const auto other = refused_value(value_kind(field), chance);
        if (!other) continue;
        ++refused;
        EXPECT_TRUE(run::misfit(*other, field) || run::outside(*other, field, kNow))
            << seed << " " << entity.name << "." << field.name << " " << other->to_json();
      }
    }
  }
  EXPECT_GT(accepted, 2000u);
  EXPECT_GT(refused, 2000u);
}

TEST(RandomValues, AFieldHasFewValuesSoThatTheyMeet) {
  const ValueKind kind{.type = {}, .name = "name"};
  const std::vector<Value> pool = value_pool(kind);
  EXPECT_GE(pool.size(), 5u);
  EXPECT_LE(pool.size(), 9u);
  for (const char* text : {"a", "a#", "a-"})
    EXPECT_NE(std::find(pool.begin(), pool.end(), Value(text)), pool.end()) << text;
}

TEST(RandomValues, LiteralsAreReadAsTheValuesThatTheyWrite) {
  EXPECT_EQ(written_value(Value("a\"b\\\n")), "\"a\\\"b\\\\\\n\"");
  EXPECT_EQ(written_value(Value::list({Value(1), Value(true)})), "[1, true]");
}

}  // namespace
}  // namespace sheaf::prove
