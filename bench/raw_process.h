// RocksDB alone, in a process of its own: what the store costs without a server in front of it. The process
// works when it is told to, so that it takes its turns among the servers.
#pragma once

#include <cstdint>
#include <string>

#include "sheaf/result.h"

#include "bench/child_process.h"
#include "bench/load_generator.h"
#include "bench/workloads.h"

namespace sheaf::bench {

enum class RawWork : uint8_t {
  kGet,         // a Get of 1 KB
  kPut,         // a Get that finds nothing, and the WriteBatch of a PutItem
  kSyncedPut,   // a Put of 1 KB whose log is synced
  kCollection,  // an iteration over 100 rows of 200 B
  kOrder,       // an iteration over 6 rows of 150 B
};

class RawProcess {
 public:
  struct Options {
    std::string directory;
    uint64_t memory_bytes = 0;
    DataSizes sizes;
  };
  static Result<RawProcess> start(const Options& options);
  RawProcess(RawProcess&& other) noexcept;
  RawProcess& operator=(RawProcess&&) = delete;
  ~RawProcess();

  // From so many threads at once.
  Result<Sample> measure(RawWork work, size_t threads, double seconds);

 private:
  RawProcess(ChildProcess process, int orders, int results)
      : process_(std::move(process)), orders_(orders), results_(results) {}

  ChildProcess process_;
  int orders_;
  int results_;
};

}  // namespace sheaf::bench
