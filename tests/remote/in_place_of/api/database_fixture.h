// Found in place of src/api/database_fixture.h: the same tests, over the protocol.
#pragma once

#define DatabaseTest DatabaseInProcessTest
#include_next "api/database_fixture.h"
#undef DatabaseTest

#include "remote/round_trip_database.h"

namespace sheaf {

class DatabaseTest : public DatabaseInProcessTest {
 protected:
  explicit DatabaseTest(OpenOptions options = {}) {
    db_ = std::make_unique<remote::RoundTripDatabase>(std::move(options), clock_);
  }

 private:
  ManualClock clock_{SystemClock().now_us()};
};

}  // namespace sheaf
