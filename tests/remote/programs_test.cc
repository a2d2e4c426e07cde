// Random programs over the protocol, every answer compared with the reference's.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <random>

#include "programs/program_generator.h"
#include "programs/program_runner.h"
#include "remote/round_trip_database.h"

namespace sheaf::programs {
namespace {

class RemoteTarget final : public TestTarget {
 public:
  explicit RemoteTarget(int64_t now_us)
      : TestTarget(now_us), database_({.collection_bytes_max = kCollectionBytesMax}, clock()) {}
  Database& database() override { return database_; }

 private:
  remote::RoundTripDatabase database_;
};

// The fixed ones, and one that is different every time; or just the one that was asked for.
std::vector<uint64_t> seeds() {
  if (const char* text = std::getenv("SHEAF_TEST_SEED")) return {std::strtoull(text, nullptr, 10)};
  std::vector<uint64_t> all = {1, 2, 3, std::random_device()()};
  std::cout << "random seed " << all.back() << "\n";
  return all;
}

TEST(RemotePrograms, AnswerLikeTheReference) {
  for (const uint64_t seed : seeds()) {
    const Program program = ProgramGenerator({.seed = seed, .operations = 3000}).generate();
    RemoteTarget target(kStartTimeUs);
    const std::optional<Failure> failure = ProgramRunner(target).run(program);
    ASSERT_FALSE(failure) << "SHEAF_TEST_SEED=" << seed << ", step " << failure->step << ": "
                          << to_text(program[failure->step]) << "\n"
                          << failure->text;
  }
}

}  // namespace
}  // namespace sheaf::programs
