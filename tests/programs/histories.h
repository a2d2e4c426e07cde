// Many threads on one database, and a clock that orders their calls and answers.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "sheaf/database.h"

#include "api/local_database.h"
#include "base/clock.h"
#include "base/temp_directory.h"
#include "programs/dice.h"
#include "store/store.h"

namespace sheaf::programs {

enum class StoreKind : uint8_t {
  kMemory,
  // In memory, but batches and answers are held back for a moment so that others overtake them, and guards
  // fail for nothing: what needs bad luck elsewhere happens all the time.
  kDelayed,
  // Likewise, and two engines share the store, as two servers would: no lock of one is seen by the other.
  kTwoServers,
  kDisk
};
inline constexpr StoreKind kStoreKinds[] = {StoreKind::kMemory, StoreKind::kDelayed, StoreKind::kTwoServers,
                                            StoreKind::kDisk};

// Its name, as a test's name ends with it.
inline const char* name_of(StoreKind kind) {
  static const char* const kNames[] = {"Memory", "Delayed", "TwoServers", "Disk"};
  return kNames[static_cast<size_t>(kind)];
}
inline std::string store_name(const testing::TestParamInfo<StoreKind>& info) { return name_of(info.param); }
inline void PrintTo(StoreKind kind, std::ostream* out) { *out << name_of(kind); }

// On disk not synced. Its time stands still unless it is moved.
class SharedDatabase {
 public:
  explicit SharedDatabase(StoreKind kind, bool background_thread = true);

  // Of two servers each thread has its own, so to speak.
  Database& operator*();
  Database* operator->() { return &**this; }

  ManualClock& clock() { return clock_; }

  // Grows with every call, over all threads.
  uint64_t moment() { return moments_.fetch_add(1) + 1; }

 private:
  ManualClock clock_{int64_t{1'700'000'000} * 1'000'000};
  TempDirectory directory_;
  std::unique_ptr<store::Store> store_;  // if it is shared; otherwise the database has it
  std::vector<std::unique_ptr<Database>> databases_;
  std::atomic<uint64_t> moments_ = 0;
};

// Calls `work(thread)` on so many threads at once, and returns when all have returned.
void run_threads(uint32_t count, const std::function<void(uint32_t thread)>& work);

// So many operations; SHEAF_TEST_ROUNDS multiplies them, and slow stores get fewer.
uint32_t scaled(uint32_t operations, StoreKind kind);

// The answer; asks again as long as others were faster.
template <typename Call>
auto insist(Call call) {
  auto result = call();
  while (!result.ok() && result.error().code == Code::kConflict) result = call();
  if (result.ok()) return std::move(*result);
  ADD_FAILURE() << result.error().message;
  return typename decltype(result)::Value{};
}

// Every item of a table or an index, by scanning it.
std::vector<Item> scan_all(Database& database, const std::string& table,
                           const std::optional<std::string>& index = std::nullopt);

}  // namespace sheaf::programs
