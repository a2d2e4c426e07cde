#include "cmd/table_wait.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/try.h"
#include "cmd/progress.h"

namespace sheaf::cmd {
namespace {

constexpr std::chrono::milliseconds kFirstLook{5};
constexpr std::chrono::milliseconds kLookAtLeastEvery{1000};

// Looks often at first: most is done at once.
template <typename IsDone>
Result<void> look_until(IsDone is_done) {
  for (std::chrono::milliseconds wait = kFirstLook;; wait = std::min(wait * 2, kLookAtLeastEvery)) {
    if (TRY(is_done())) return {};
    std::this_thread::sleep_for(wait);
  }
}

}  // namespace

Result<void> wait_until_ready(Database& database, const std::string& table) {
  Progress progress("item", "items");
  return look_until([&]() -> Result<bool> {
    const TableDescription now = TRY(database.describe_table(table));
    bool is_ready = now.status == TableStatus::kActive;
    for (const IndexDescription& index : now.indexes) {
      if (index.status == IndexStatus::kActive) continue;
      is_ready = false;
      if (index.status != IndexStatus::kCreating) continue;
      const auto all = static_cast<uint64_t>(std::max<int64_t>(now.item_count, 0));
      progress.tell(static_cast<uint64_t>(std::max<int64_t>(index.items_filled, 0)), all);
    }
    return is_ready;
  });
}

Result<void> wait_until_gone(Database& database, const std::string& table) {
  return look_until([&]() -> Result<bool> {
    const Result<TableDescription> now = database.describe_table(table);
    if (now.ok()) return false;
    if (now.error().code == Code::kNotFound) return true;
    return now.error();
  });
}

}  // namespace sheaf::cmd
