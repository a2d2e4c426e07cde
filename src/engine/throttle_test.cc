#include "engine/throttle.h"

#include <gtest/gtest.h>

#include "engine/engine_fixture.h"

namespace sheaf::engine {
namespace {

class ThrottleTest : public EngineTest {};

TEST_F(ThrottleTest, NothingIsKeptOfTablesThatAreDeleted) {
  restart({.throttle = {.throughput = true, .partitions = true}});
  const Throttle& throttle = *engine().meter->throttle();
  const auto made = [&](const char* name) {
    TableSettings settings = collection_table(name);
    settings.billing = BillingMode::kProvisioned;
    settings.throughput = {.read_units = 5, .write_units = 5};
    return create(std::move(settings));
  };
  const TableRef kept = made("kept"), gone = made("gone");
  for (const char* name : {"kept", "gone"}) put(name, {{"PK", "a"}, {"SK", "b"}});
  EXPECT_EQ(throttle.kept(), 2u);
  EXPECT_EQ(throttle.partitions(*gone, nullptr).size(), 1u);
  ASSERT_TRUE(delete_table(engine(), "gone").ok());
  EXPECT_EQ(throttle.kept(), 1u);
  EXPECT_TRUE(throttle.partitions(*gone, nullptr).empty());
  EXPECT_EQ(throttle.partitions(*kept, nullptr).size(), 1u);
}

}  // namespace
}  // namespace sheaf::engine
