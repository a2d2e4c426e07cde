// What a user might take instead for an order with its children: PostgreSQL, with the same data in tables.
// Spoken to in its own protocol by the same load generator, with prepared statements and nothing between.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "sheaf/result.h"

#include "bench/child_process.h"
#include "bench/load_generator.h"

namespace sheaf::bench {

// How the order is read.
enum class PostgresForm : uint8_t {
  kThreeSelects,      // one after the other
  kPipelinedSelects,  // sent together
  kJoin,
};
inline constexpr std::array<PostgresForm, 3> kPostgresForms = {
    PostgresForm::kThreeSelects, PostgresForm::kPipelinedSelects, PostgresForm::kJoin};
std::string_view name_of(PostgresForm form);

enum class PostgresTransport : uint8_t { kTcp, kUnixSocket };

class PostgresServer {
 public:
  // Started, with so many orders. kNotFound if PostgreSQL is not installed.
  static Result<std::unique_ptr<PostgresServer>> start(const std::string& directory, uint64_t orders);

  const std::string& version() const { return version_; }
  // One operation is one order, however many answers it takes.
  Result<Sample> measure(PostgresForm form, PostgresTransport transport, const LoadOptions& options);

 private:
  PostgresServer(ChildProcess process, Address tcp, Address unix_socket, uint64_t orders)
      : process_(std::move(process)),
        tcp_(std::move(tcp)),
        unix_socket_(std::move(unix_socket)),
        orders_(orders) {}

  ChildProcess process_;
  Address tcp_;
  Address unix_socket_;
  uint64_t orders_;
  std::string version_;
};

}  // namespace sheaf::bench
