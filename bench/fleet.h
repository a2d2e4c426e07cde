// Everything that takes part in a run, started when it is first needed and stopped at the end.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sheaf/result.h"

#include "bench/postgres_server.h"
#include "bench/raw_process.h"
#include "bench/servers.h"

namespace sheaf::bench {

enum class Member : uint8_t {
  kSheafRelaxed,
  kSheafDurable,
  kSheafMemory,
  kSheafSigned,    // relaxed, with credentials
  kSheafUnsigned,  // relaxed, without: the one to compare that with, because it has the same data
  kDynoxideMemory,
  kDynoxideDisk,
  kDynalite,
};

// The columns of what is not a server of the DynamoDB API.
inline constexpr const char* kEcho = "echo";                // of the sizes of the row's requests and answers
inline constexpr const char* kEchoReference = "echo 1 KB";  // of GetItem's: what the goals are fractions of
inline constexpr const char* kRawRocksdb = "RocksDB";

struct FleetOptions {
  std::string sheaf_program;
  std::string directory;        // for data and logs
  std::string peers_directory;  // where npm installs
  std::vector<std::string> endpoints;
  DataSizes sizes;
};

class Fleet {
 public:
  explicit Fleet(FleetOptions options);

  const FleetOptions& options() const { return options_; }
  // Null if it is not installed, which is noted.
  Result<Server*> server(Member member);
  Result<std::vector<Server*>> endpoints();
  Result<EchoServer*> echo();
  Result<RawProcess*> raw();
  // Null if it is not installed, which is noted.
  Result<PostgresServer*> postgres();
  const http::Credential& credential() const { return *credential_; }

  // A directory of its own that exists.
  std::string new_directory(const std::string& name);

  // What readers of the figures must know.
  void note(const std::string& text);
  const std::vector<std::string>& notes() const { return notes_; }
  // The name and the durability of each that took part.
  std::vector<std::pair<std::string, std::string>> legend() const;

 private:
  Result<std::unique_ptr<Server>> start(Member member);
  Result<std::unique_ptr<Server>> start_sheaf(Member member);

  FleetOptions options_;
  std::shared_ptr<http::Credential> credential_;
  std::map<Member, std::unique_ptr<Server>> servers_;
  std::vector<std::unique_ptr<Server>> joined_;
  std::unique_ptr<EchoServer> echo_;
  std::optional<RawProcess> raw_;
  std::unique_ptr<PostgresServer> postgres_;
  bool has_joined_ = false, postgres_missing_ = false;
  std::vector<std::string> notes_;
};

}  // namespace sheaf::bench
