#include "bench/servers.h"

#include "base/try.h"
#include "bench/echo_server.h"

namespace sheaf::bench {
namespace {

constexpr double kStartSecondsMax = 20;
constexpr size_t kFillingConnections = 4;
constexpr size_t kSignedAhead = 4096;

Filling filling_of(Data data, std::string_view table, const DataSizes& sizes) {
  switch (data) {
    case Data::kItems:
      return fill_items(table, sizes);
    case Data::kCollections:
      return fill_collections(table, sizes);
    case Data::kOrders:
      break;
  }
  return fill_orders(table, sizes);
}

std::string health_request(std::string_view path, const Address& address) {
  return "GET " + std::string(path) + " HTTP/1.1\r\nHost: " + address.text() + "\r\n\r\n";
}

// Whether a whole answer of this status came. Tries again, as fast as is polite, until it did.
Result<void> wait_for_answer(const Address& address, std::string_view path, ChildProcess* process,
                             double pause_ms, std::optional<int> status) {
  const std::string request = health_request(path, address);
  const double give_up = now_seconds() + kStartSecondsMax;
  while (true) {
    const Result<HttpAnswer> answer = request_once(address, request);
    if (answer.ok() && (!status || answer->status == *status)) return {};
    if (interrupted()) return interruption();
    if (process != nullptr && !process->running()) return Error{Code::kUnavailable, process->last_words()};
    if (now_seconds() > give_up)
      return Error{Code::kUnavailable, address.text() + " does not answer: " +
                                           (answer.ok() ? answer->body : answer.error().message)};
    sleep_ms(pause_ms);
  }
}

Error refused(const std::string& name, std::string_view operation, const HttpAnswer& answer) {
  return {Code::kInvalid,
          name + ": " + std::string(operation) + ": " + std::to_string(answer.status) + " " + answer.body};
}

}  // namespace

Server::~Server() {
  if (!parts_.process && has_table_) (void)call("DeleteTable", "{\"TableName\":\"" + parts_.table + "\"}");
}

RequestOptions Server::request_options() const {
  return {.host = parts_.address.text(), .credential = parts_.credential.get()};
}

Result<HttpAnswer> Server::call(std::string_view operation, std::string_view body) const {
  return request_once(parts_.address, request_text(request_options(), operation, body));
}

Result<void> Server::wait_until_it_answers(std::string_view path) {
  return wait_for_answer(parts_.address, path, parts_.process ? &*parts_.process : nullptr, 5, {});
}

Result<void> Server::create_table() {
  const HttpAnswer created = TRY(call("CreateTable", table_definition(parts_.table)));
  if (created.status != 200) return refused(name(), "CreateTable", created);
  has_table_ = true;
  const double give_up = now_seconds() + kStartSecondsMax;
  while (now_seconds() < give_up) {
    const HttpAnswer described = TRY(call("DescribeTable", "{\"TableName\":\"" + parts_.table + "\"}"));
    if (described.body.find("\"TableStatus\":\"ACTIVE\"") != std::string::npos) return {};
    if (interrupted()) return interruption();
    sleep_ms(10);
  }
  return Error{Code::kUnavailable, name() + ": the table does not become active"};
}

Result<void> Server::fill(Data data, const DataSizes& sizes) {
  if (!filled_.insert(data).second) return {};
  const Filling filling = filling_of(data, parts_.table, sizes);
  uint64_t number = 0;
  const std::unique_ptr<Source> requests =
      parts_.credential ? bench::signed_source(request_options(), filling.workload, number, 0)
                        : plain_source(request_options(), filling.workload, number);
  TRY(run_load(target(), *requests,
               {.connections = kFillingConnections,
                .requests = filling.requests,
                .checked_each = filling.workload.checked_each}));
  return {};
}

Result<HttpAnswer> Server::try_once(const Workload& workload) {
  const uint64_t n = workload.numbers == 0 ? next_number_++ : 0;
  HttpAnswer answer = TRY(call(workload.operation, workload.body.at(n)));
  if (answer.status != 200) return refused(name(), workload.operation, answer);
  for (const Pattern& expected : workload.expected)
    if (answer.body.find(expected.at(n)) == std::string::npos)
      return refused(name(), workload.operation, answer);
  TRY(read_back(workload, n));
  return answer;
}

std::unique_ptr<Source> Server::source(const Workload& workload) {
  return plain_source(request_options(), workload, next_number_);
}

std::unique_ptr<Source> Server::signed_source(const Workload& workload, const http::Credential& credential) {
  RequestOptions options = request_options();
  options.credential = &credential;
  return bench::signed_source(options, workload, next_number_, kSignedAhead);
}

LoadTarget Server::target() const {
  LoadTarget target{.address = parts_.address};
  if (parts_.process) target.server_cpu_us = [this] { return parts_.process->cpu_us(); };
  return target;
}

Result<void> Server::read_back(const Workload& workload, uint64_t first_number) const {
  if (workload.read_back.empty() || first_number >= next_number_) return {};
  const uint64_t last = next_number_ - 1;
  for (const uint64_t n : {first_number, first_number + (last - first_number) / 2, last}) {
    const HttpAnswer answer = TRY(call("GetItem", workload.read_back.at(n)));
    if (answer.status != 200 || answer.body.find(workload.written.at(n)) == std::string::npos)
      return refused(name(), "GetItem of what was written", answer);
  }
  return {};
}

Result<std::unique_ptr<Server>> start_sheaf(const SheafOptions& options) {
  const Address address{.port = TRY(free_port())};
  Command command{
      .words = {options.program, "serve", "--port", std::to_string(address.port), "--admin-port", "-1"},
      .log_path = options.directory + "/log"};
  command.words.insert(command.words.end(), options.arguments.begin(), options.arguments.end());
  auto server = std::make_unique<Server>(Server::Parts{.name = options.name,
                                                       .durability = options.durability,
                                                       .address = address,
                                                       .process = TRY(ChildProcess::start(command)),
                                                       .credential = options.credential});
  TRY(server->wait_until_it_answers("/healthz"));
  TRY(server->create_table());
  return server;
}

Result<ColdStart> start_cold(const std::string& program, const std::string& directory) {
  constexpr double kPauseMs = 0.2;
  constexpr double kIdleMs = 300;
  const Address address{.port = TRY(free_port())};
  const Command command{.words = {program, "serve", "--port", std::to_string(address.port), "--admin-port",
                                  "0", "--data", directory + "/data"},
                        .log_path = directory + "/log"};
  const double begin = now_seconds();
  ChildProcess process = TRY(ChildProcess::start(command));
  TRY(wait_for_answer(address, "/healthz", &process, kPauseMs, 200));
  ColdStart start{.milliseconds = (now_seconds() - begin) * 1e3};
  sleep_ms(kIdleMs);
  start.resident_megabytes = process.resident_megabytes();
  return start;
}

Result<std::unique_ptr<EchoServer>> EchoServer::start() {
  const Address address{.port = TRY(free_port())};
  std::unique_ptr<EchoServer> server(
      new EchoServer(TRY(ChildProcess::fork([&address] { serve_echo(address.port); })), address));
  const double give_up = now_seconds() + kStartSecondsMax;
  while (!ClientSocket::connect(address).ok()) {
    if (now_seconds() > give_up || interrupted()) return Error{Code::kUnavailable, "the echo does not start"};
    sleep_ms(5);
  }
  return server;
}

std::unique_ptr<Source> EchoServer::source(const Workload& workload, size_t answer_bytes) {
  Workload unchecked = workload;
  unchecked.expected.clear();
  unchecked.answer_bytes_min = answer_bytes;
  return plain_source({.host = address_.text(), .target = "/" + std::to_string(answer_bytes)}, unchecked,
                      next_number_);
}

LoadTarget EchoServer::target() const {
  return {.address = address_, .server_cpu_us = [this] { return process_.cpu_us(); }};
}

}  // namespace sheaf::bench
