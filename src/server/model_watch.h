// What grows and what is hot in the tables of the models that are served, against the limits (doc/watch.md).
// Told in the log when it begins and when it ends, and in the metrics; by entity and relation, never with a
// key.
#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "sheaf/database.h"

#include "base/clock.h"
#include "watch/key_names.h"
#include "watch/sampler.h"
#include "watch/watcher.h"

namespace sheaf::server {

class ModelWatch {
 public:
  // All must outlive it. Looks at nothing yet.
  ModelWatch(Database& database, watch::KeyNamesNow names, const watch::Lines& lines, const Clock& clock);
  // As stop.
  ~ModelWatch();

  // Looks again and again, on a thread of its own. Requests do not notice: it reads what is counted anyway,
  // and a few items a minute.
  void start(std::chrono::milliseconds period);
  // Finishes the look that it is at.
  void stop();

  // Once. Waits for the disk. One thread at a time.
  void look();

  // In Prometheus' text form. Thread-safe.
  void append_text(std::string& out) const;

 private:
  Database& database_;
  const watch::KeyNamesNow names_now_;
  const Clock& clock_;
  watch::Watcher watcher_;
  std::shared_ptr<const watch::KeyNames> names_;  // that the sampler has
  std::optional<watch::Sampler> sampler_;
  mutable std::mutex mutex_;
  std::vector<watch::Figure> figures_;  // of the last look
  std::condition_variable stopping_;
  bool is_stopped_ = false;
  std::thread thread_;
};

}  // namespace sheaf::server
