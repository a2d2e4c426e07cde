// The servers that are compared: how each is started, and its table filled.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sheaf/result.h"

#include "bench/child_process.h"
#include "bench/client_socket.h"
#include "bench/load_generator.h"
#include "bench/request_source.h"
#include "bench/workloads.h"

namespace sheaf::bench {

// What a table is filled with.
enum class Data : uint8_t { kItems, kCollections, kOrders };

class Server {
 public:
  struct Parts {
    std::string name;
    std::string durability;  // what an acknowledged write survives
    Address address;
    std::optional<ChildProcess> process;           // none: somebody else started it
    std::shared_ptr<http::Credential> credential;  // shared with the server that gets the same requests
    std::string table = "bench";
  };
  explicit Server(Parts parts) : parts_(std::move(parts)) {}
  // A table on a server of somebody else's is deleted.
  ~Server();

  const std::string& name() const { return parts_.name; }
  const std::string& durability() const { return parts_.durability; }
  const std::string& table() const { return parts_.table; }
  const http::Credential* credential() const { return parts_.credential.get(); }

  // Until it answers GET `path` with anything.
  Result<void> wait_until_it_answers(std::string_view path);
  Result<void> create_table();
  // Unless it is there already.
  Result<void> fill(Data data, const DataSizes& sizes);
  Result<HttpAnswer> call(std::string_view operation, std::string_view body) const;

  // Whether it knows the operation and answers rightly: one request and, for a write, one that reads.
  Result<HttpAnswer> try_once(const Workload& workload);

  std::unique_ptr<Source> source(const Workload& workload);
  // Signed requests, whatever the server thinks of them.
  std::unique_ptr<Source> signed_source(const Workload& workload, const http::Credential& credential);
  LoadTarget target() const;
  // An error unless what was written last can be read.
  Result<void> read_back(const Workload& workload, uint64_t first_number) const;
  uint64_t next_number() const { return next_number_; }

 private:
  RequestOptions request_options() const;

  Parts parts_;
  bool has_table_ = false;
  std::set<Data> filled_;
  uint64_t next_number_ = 0;
};

// How Sheaf is started.
struct SheafOptions {
  std::string program;
  std::string directory;  // for its data and its log
  std::string name;
  std::string durability;
  std::vector<std::string> arguments;
  std::shared_ptr<http::Credential> credential;
};
// Started, answering, with its table.
Result<std::unique_ptr<Server>> start_sheaf(const SheafOptions& options);

// From the start of the process until it is healthy, in milliseconds, and its memory a moment later.
struct ColdStart {
  double milliseconds = 0;
  double resident_megabytes = 0;
};
Result<ColdStart> start_cold(const std::string& program, const std::string& directory);

// The limit.
class EchoServer {
 public:
  static Result<std::unique_ptr<EchoServer>> start();

  // Requests of the workload, answered with so many bytes.
  std::unique_ptr<Source> source(const Workload& workload, size_t answer_bytes);
  LoadTarget target() const;

 private:
  EchoServer(ChildProcess process, Address address)
      : process_(std::move(process)), address_(std::move(address)) {}

  ChildProcess process_;
  Address address_;
  uint64_t next_number_ = 0;
};

}  // namespace sheaf::bench
