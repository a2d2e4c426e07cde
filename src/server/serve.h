// A server from start to end: opens the database, listens, and stops when it is told to.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sheaf/database.h"
#include "sheaf/result.h"

#include "http/tls.h"
#include "service/served_model.h"
#include "watch/limit.h"

namespace sheaf::server {

enum class Durability : uint8_t {
  kDurable,  // an acknowledged write survives power loss
  kRelaxed,  // it survives a crash of the process; power loss may take the last second
};

// A database behind another endpoint, which models are served from. It must outlive the server.
struct Elsewhere {
  Database* database = nullptr;
  std::string url;                         // for messages
  std::chrono::milliseconds index_lag{0};  // how long its indexes may lag behind their tables
};

struct ServeOptions {
  std::string address = "127.0.0.1";
  uint16_t port = 8000;
  std::string data_directory;  // empty: in memory
  // Models alone are served, and DynamoDB's API is not. There is no directory then.
  std::optional<Elsewhere> elsewhere;
  std::vector<service::ModelSource> models;  // applied at the start, and then offered by name
  Durability durability = Durability::kDurable;
  uint64_t memory_bytes = uint64_t{512} << 20;
  bool throttle = false;             // tables are held to their throughput
  bool throttle_partitions = false;  // and partitions to their ceilings
  bool heat = true;                  // hot keys are counted
  bool watch = true;                 // tables of models are watched against limits
  bool workbench = true;             // the page is served, and what it asks for
  std::string program;               // the path of `sheaf`, which the workbench runs commands of
  std::string version;
  watch::Lines watch_lines;
  // Which tables have readers that may be late; see OpenOptions.
  std::vector<Lag> index_lags;
  std::vector<Lag> read_lags;
  uint64_t lag_seed = 1;
  size_t loops = 0;  // 0: one for each processor
  std::optional<http::TlsFiles> tls;
  std::string credentials_path;  // empty: development mode
  std::string audit_path;        // empty: into the log
  std::vector<std::string> allowed_origins;
  std::string region = "us-east-1";
  std::string account_id = "000000000000";
  std::optional<uint16_t> admin_port;  // for /metrics and /healthz, on loopback; 0: any that is free
};

inline constexpr uint64_t kMemoryBytesMin = uint64_t{128} << 20;

// What a server tells when it listens.
struct Listening {
  std::string url;
  std::string admin_url;      // empty if there is none
  std::string workbench_url;  // empty if it is not served
};

// kInvalid, with all that is wrong with it, if a model cannot be served.
// Serves until SIGINT or SIGTERM, then finishes what was accepted. SIGHUP reads the credentials again and
// opens the audit log anew. `started` is called when clients can connect.
Result<void> serve(const ServeOptions& options, const std::function<void(const Listening&)>& started);

}  // namespace sheaf::server
