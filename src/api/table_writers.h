// Tables that only one may write for a while, as their tag kWriterTag says: a model that is being moved.
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace sheaf::api {

// Its value is the name of who may write the table. Whoever may tag the table can take it away.
inline constexpr std::string_view kWriterTag = "sheaf:writer";

// Thread-safe. Costs a load as long as no table has the tag.
class TableWriters {
 public:
  // What tags a table has now.
  void learn(std::string_view table, const std::map<std::string, std::string>& tags);
  void forget(std::string_view table) { learn(table, {}); }

  bool empty() const { return count_.load(std::memory_order_acquire) == 0; }
  // Who alone may write the table; nothing: everybody.
  std::optional<std::string> writer_of(std::string_view table) const;

 private:
  std::atomic<size_t> count_ = 0;
  mutable std::mutex mutex_;
  std::map<std::string, std::string, std::less<>> writers_;  // by table
};

}  // namespace sheaf::api
