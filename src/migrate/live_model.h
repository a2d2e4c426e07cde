// A model as programs use it, while others move it from one layout to another.
#pragma once

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
  std::string layout{model::kDefaultLayout};
  run::WriterOptions writer;
  // How long who moves the model waits for one that is silent. What takes longer is not safe.
  std::chrono::milliseconds lease{10'000};
};

// Thread-safe. Each call keeps the version that it began with.
class LiveModel {
 public:
  // As it is applied there. kInvalid if that is not what the text says.
  static Result<std::unique_ptr<LiveModel>> open(Database& database, const std::string& text,
                                                 const LiveOptions& options = {});
  ~LiveModel();

  Result<run::Session::Reply> read(std::string_view pattern, const std::vector<Value>& arguments,
                                   std::string_view cursor = {});
  Result<run::Session::Outcome> write(std::string_view operation, const std::vector<Value>& arguments);
  // Does the jobs that others have left, in both layouts while there are two.
  Result<run::WriteReply> work();

 private:
  // What is known of one epoch.
  struct Use {
    int64_t epoch = 0;
    Phase phase = Phase::kOne;
    std::shared_ptr<const OpenVersion> one;  // kOne
    std::shared_ptr<const OpenPair> pair;    // otherwise
  };

  LiveModel(Database& database, std::string system_table, Version own, LiveOptions options);

  int64_t now_ms() const;
  // The newest, under a lease that holds.
  Result<std::shared_ptr<const Use>> use();
  Result<std::shared_ptr<const Use>> make_use(const VersionRecord& record);
  Result<VersionRecord> read_record();
  Result<void> keep_older(int64_t until_ms);

  Database& database_;
  const std::string system_table_;
  const Version own_;  // as this program knows it; if it never moved
  const LiveOptions options_;
  const std::string owner_;
  std::mutex mutex_;
  std::shared_ptr<const Use> use_;
  std::vector<std::shared_ptr<const Use>> older_;  // that calls may still have
  int64_t renew_at_ms_ = 0;
};

}  // namespace sheaf::migrate
