// A model as programs use it, while others move it from one layout to another.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "migrate/open_version.h"
#include "migrate/version.h"
#include "run/session.h"

namespace sheaf::migrate {

struct LiveOptions {
  std::string name = "model.sheaf";  // in messages
  std::string layout{model::kDefaultLayout};
  // Makes the tables and indexes that are missing.
  bool applies = false;
  run::WriterOptions writer;
  // How long who moves the model waits for one that is silent. Who was silent for longer begins anew with
  // what it was about to write.
  std::chrono::milliseconds lease{10'000};
};

// Thread-safe. Each call keeps the version that it began with.
class LiveModel {
 public:
  // As it is stored there: as the text says, or as it was moved since. kInvalid if that is neither.
  static Result<std::unique_ptr<LiveModel>> open(Database& database, const std::string& text,
                                                 const LiveOptions& options = {});
  ~LiveModel();

  Result<run::Session::Reply> read(std::string_view pattern, const std::vector<Value>& arguments,
                                   std::string_view cursor = {});
  Result<run::Session::Outcome> write(std::string_view operation, const std::vector<Value>& arguments);
  // Does the jobs that others have left, in both layouts while there are two. Writes nothing if there are
  // none.
  Result<run::WriteReply> work();
  // Those that wait.
  Result<size_t> count_jobs();

  // The version that was read last. This and the next two ask nobody, and wait for nobody who does.
  std::shared_ptr<const OpenVersion> reading() const;
  // Those that it is stored in: two while it moves.
  std::vector<std::shared_ptr<const OpenVersion>> versions() const;
  // Whether it is stored in two layouts now, as far as is known.
  bool is_moving() const;

 private:
  // What is known of one epoch.
  struct Use {
    int64_t epoch = 0;
    Phase phase = Phase::kOne;
    std::shared_ptr<const OpenVersion> one;  // kOne
    std::shared_ptr<const OpenPair> pair;    // otherwise
    // The end of its lease.
    std::shared_ptr<std::atomic<int64_t>> held_until_ms = std::make_shared<std::atomic<int64_t>>(0);

    const std::shared_ptr<const OpenVersion>& reading() const;
  };
  enum class Need : uint8_t { kRead, kWrite };

  LiveModel(Database& database, std::string system_table, Version own, LiveOptions options);

  int64_t now_ms() const;
  // The newest, under a lease that holds. Who only reads goes on without one where none can be written.
  Result<std::shared_ptr<const Use>> use(Need need);
  // The newest, without a lease: what is read by it may be of a moment ago.
  Result<std::shared_ptr<const Use>> look();
  Result<void> learn(const VersionRecord& record);
  // Whether a newer one than this is stored; the next use() learns it.
  Result<bool> is_behind(const Use& use);
  Result<std::shared_ptr<const Use>> make_use(const VersionRecord& record);
  Result<VersionRecord> read_record();
  Result<run::Session::Outcome> write_once(const Use& use, std::string_view operation,
                                           const std::vector<Value>& arguments);
  Result<void> renew(int64_t until_ms);
  Result<void> keep_older(int64_t until_ms);

  Database& database_;
  const std::string system_table_;
  const Version own_;  // as this program knows it; if it never moved
  const LiveOptions options_;
  const std::string owner_;
  // Held while the database is asked, so never by those who may not wait for it.
  std::mutex mutex_;
  // Changed under both locks, so that either is enough to read it.
  mutable std::mutex use_mutex_;
  std::shared_ptr<const Use> use_;
  std::vector<std::shared_ptr<const Use>> older_;  // that calls may still have
  int64_t renew_at_ms_ = 0;
};

// Entities and links as JSON, into tables that hold nothing of it yet; returns how many items. kConflict
// while the model is being moved.
Result<size_t> load_data(Database& database, const LiveModel& live, std::string_view json);

}  // namespace sheaf::migrate
