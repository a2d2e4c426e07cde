#include "api/table_writers.h"

namespace sheaf::api {

void TableWriters::learn(std::string_view table, const std::map<std::string, std::string>& tags) {
  const auto tag = tags.find(std::string(kWriterTag));
  std::lock_guard lock(mutex_);
  if (tag != tags.end()) {
    writers_[std::string(table)] = tag->second;
  } else if (const auto known = writers_.find(table); known != writers_.end()) {
    writers_.erase(known);
  }
  count_.store(writers_.size(), std::memory_order_release);
}

std::optional<std::string> TableWriters::writer_of(std::string_view table) const {
  if (empty()) return std::nullopt;
  std::lock_guard lock(mutex_);
  const auto found = writers_.find(table);
  return found == writers_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace sheaf::api
