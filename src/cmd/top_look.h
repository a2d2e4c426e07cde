// Looks at a running server for `sheaf top`: its heat, and the metrics of its admin port.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sheaf/remote_database.h"
#include "sheaf/result.h"

#include "base/clock.h"
#include "cmd/top_view.h"

namespace sheaf::cmd {

struct TopOptions {
  // Where the server is; without a URL: there is only the admin port, which knows no keys.
  Endpoint endpoint;
  std::string admin_url;  // empty: there are no latencies
  bool admin_may_be_absent = false;
  int64_t seconds = 60;  // how far to look back
  size_t rows_max = 10;
};

class TopLook {
 public:
  // `names` must outlive it.
  TopLook(TopOptions options, const watch::KeyNames& names);

  // An error if the server does not answer.
  Result<TopSnapshot> look();

 private:
  Result<void> add_heat(TopSnapshot& snapshot);
  Result<void> add_metrics(TopSnapshot& snapshot);
  void add_rates(TopSnapshot& snapshot, const std::vector<Metric>& page, double seconds);
  void add_growth(TopSnapshot& snapshot);

  const TopOptions options_;
  const watch::KeyNames& names_;
  const SystemClock clock_;
  watch::Watcher watcher_;
  std::vector<Metric> page_;  // the one before
  int64_t page_us_ = 0;
};

}  // namespace sheaf::cmd
