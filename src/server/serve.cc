#include "server/serve.h"

#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <ctime>
#include <fstream>
#include <memory>

#include "api/local_database.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/try.h"
#include "http/server.h"
#include "server/admin.h"
#include "server/collections_endpoint.h"
#include "server/endpoint.h"
#include "server/front_door.h"
#include "server/gate.h"
#include "server/heat_endpoint.h"
#include "server/model_endpoint.h"
#include "server/model_watch.h"
#include "server/prometheus_text.h"
#include "server/served_names.h"
#include "server/watch.h"
#include "server/workbench_endpoint.h"
#include "service/job_thread.h"
#include "service/model_service.h"
#include "store/memory_store.h"
#include "store/rocks_store.h"
#include "wire/resource_names.h"

namespace sheaf::server {
namespace {

constexpr int64_t kShutdownGraceMs = 10'000;
constexpr size_t kWorkers = 4;
// They wait for another machine most of the time.
constexpr size_t kWorkersElsewhere = 32;
// How soon jobs are found whose process died. A third of their lease: sooner would not help.
constexpr std::chrono::milliseconds kJobPeriod{10'000};
constexpr int64_t kWatchPeriodUs = int64_t{10} * 1'000'000;
constexpr std::chrono::milliseconds kModelWatchPeriod{10'000};

// The parts of the memory budget, which is for the whole process. The program itself takes about 24 MB, and a
// compaction up to 40. Half of the rest is RocksDB's block cache and write buffers. Requests and the answers
// that wait for their clients have an eighth of all, but enough for the largest request: while they are
// served they exist three times, as bytes, as items and in the commit queue. What remains is for the
// allocator.
constexpr uint64_t kProgramBytes = uint64_t{64} << 20;
constexpr uint64_t kRequestBytesMin = uint64_t{20} << 20;
constexpr int kAllocatorArenas = 2;

uint64_t store_bytes(uint64_t memory_bytes) { return (memory_bytes - kProgramBytes) / 2; }
http::MemoryBudgetOptions request_bytes(uint64_t memory_bytes) {
  const uint64_t bytes = std::max(memory_bytes / 8, kRequestBytesMin);
  return {.soft_bytes = bytes / 4, .hard_bytes = bytes};
}

Result<std::unique_ptr<store::Store>> open_store(const ServeOptions& options, const Clock& clock) {
  if (options.data_directory.empty()) return store::open_memory_store(clock);
  return store::open_rocks_store({.directory = options.data_directory,
                                  .durable = options.durability == Durability::kDurable,
                                  .memory_bytes = store_bytes(options.memory_bytes)},
                                 clock);
}

OpenOptions open_options(const ServeOptions& options, const wire::Account& account, Watch& watch) {
  OpenOptions open;
  open.throttle = options.throttle;
  open.throttle_partitions = options.throttle_partitions;
  open.resource_prefix = wire::arn_prefix(account);
  open.heat = options.heat;
  open.index_lags = options.index_lags;
  open.read_lags = options.read_lags;
  open.lag_seed = options.lag_seed;
  open.on_collection_warning = [&watch](const CollectionWarning& warning) {
    watch.tell_of_collection(warning);
  };
  return open;
}

// Signals, taken in turn by the thread that waits for them.
class Signals {
 public:
  // Blocked before threads are started, so that they all have it so.
  Signals() {
    sigemptyset(&set_);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&set_, signal);
    pthread_sigmask(SIG_BLOCK, &set_, nullptr);
    std::signal(SIGPIPE, SIG_IGN);
  }

  // Or 0, if none came in this time.
  int wait_a_second() const {
    const timespec second{.tv_sec = 1, .tv_nsec = 0};
    return std::max(sigtimedwait(&set_, nullptr, &second), 0);
  }

 private:
  sigset_t set_;
};

std::string url_of(const ServeOptions& options, uint16_t port) {
  const bool bracketed = options.address.find(':') != std::string::npos;
  return std::string(options.tls ? "https://" : "http://") + (bracketed ? "[" : "") + options.address +
         (bracketed ? "]" : "") + ":" + std::to_string(port);
}

Result<void> check(const ServeOptions& options) {
  if (options.credentials_path.empty() && !http::is_loopback_address(options.address)) {
    return Error{Code::kInvalid,
                 "without --credentials the server listens on loopback only, because it lets everybody in; " +
                     options.address + " is not loopback"};
  }
  if (options.memory_bytes < kMemoryBytesMin)
    return Error{Code::kInvalid, "--memory must be at least 128 MB"};
  for (const std::vector<Lag>* const lags : {&options.index_lags, &options.read_lags})
    TRY(engine::check_lags(*lags));
  return {};
}

struct Security {
  std::unique_ptr<http::Credentials> credentials;
  std::unique_ptr<http::AuditLog> audit;
};

Result<Security> open_security(const ServeOptions& options, const Clock& clock) {
  Security security;
  if (!options.credentials_path.empty())
    security.credentials =
        std::make_unique<http::Credentials>(TRY(http::load_credentials(options.credentials_path)));
  if (!options.audit_path.empty()) {
    security.audit = TRY(http::AuditLog::open(options.audit_path, clock));
  } else {
    security.audit = std::make_unique<http::AuditLog>(clock, [](std::string_view line) {
      log(LogLevel::kInfo, "audit", {{"entry", line}});
    });
  }
  return security;
}

void reload(const ServeOptions& options, Security& security) {
  if (security.credentials != nullptr) {
    Result<http::CredentialSet> set = http::load_credentials(options.credentials_path);
    if (set.ok()) {
      log(LogLevel::kInfo, "credentials read again", {{"users", std::to_string(set->size())}});
      security.credentials->replace(std::move(*set));
    } else {
      log(LogLevel::kError, "credentials stay as they were", {{"reason", set.error().message}});
    }
  }
  const Result<void> reopened = security.audit->reopen();
  if (!reopened.ok())
    log(LogLevel::kError, "audit log stays as it was", {{"reason", reopened.error().message}});
}

Result<std::unique_ptr<service::ModelService>> open_models(const ServeOptions& options, Database& database,
                                                           http::AuditLog& audit) {
  run::WriterOptions writing;
  if (options.elsewhere) writing.index_lag = options.elsewhere->index_lag;
  for (const Lag& lag : options.index_lags) writing.index_lag = std::max(writing.index_lag, lag.max);
  auto models = TRY(service::ModelService::open(database, options.models, writing));
  // Where the log is the audit log and everybody may do everything, the line below says the same.
  const bool is_audited = !options.audit_path.empty() || !options.credentials_path.empty();
  std::string names;
  for (const auto& model : models->models()) {
    log(LogLevel::kDebug, "serving a model", {{"model", model->name()}, {"layout", model->layout_name()}});
    if (is_audited)
      audit.control_operation({.operation = "ApplyModel", .table = model->name(), .outcome = "ok"});
    names += (names.empty() ? "" : ",") + model->name();
    if (model->layout_name() != model::kDefaultLayout) names += ":" + model->layout_name();
  }
  if (!names.empty())
    log(LogLevel::kInfo, "serving models",
        {{"count", std::to_string(models->models().size())}, {"models", names}});
  return models;
}

void append_store_figures(std::string& out, const store::Store& store) {
  PrometheusText text(out);
  for (const store::Figure& figure : store.figures())
    text.single("sheaf_" + std::string(figure.name), figure.grows ? "counter" : "gauge", figure.help,
                figure.value);
}

// The memory that the process has now, as the system counts it; 0 if it cannot be known.
uint64_t resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  uint64_t size = 0, resident = 0;
  if (!(statm >> size >> resident)) return 0;
  return resident * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

void append_server_figures(std::string& out, const http::ServerFigures& figures,
                           const http::MemoryBudget& budget, const http::WorkerPoolFigures& workers) {
  PrometheusText text(out);
  const auto number = [](uint64_t value) { return static_cast<double>(value); };
  text.single("sheaf_connections", "gauge", "Open connections", number(figures.connections_open));
  text.single("sheaf_connections_total", "counter", "Connections accepted",
              number(figures.connections_accepted));
  text.single("sheaf_connections_refused_total", "counter", "Connections beyond the maximum",
              number(figures.connections_refused));
  text.single("sheaf_http_requests_total", "counter", "Requests received", number(figures.requests));
  text.single("sheaf_http_refused_total", "counter", "Requests that were malformed or beyond a limit",
              number(figures.requests_refused));
  text.single("sheaf_http_cut_off_total", "counter", "Connections given up because the client was too slow",
              number(figures.cut_off));
  text.single("sheaf_received_bytes_total", "counter", "Bytes of requests", number(figures.bytes_received));
  text.single("sheaf_sent_bytes_total", "counter", "Bytes of answers", number(figures.bytes_sent));
  text.single("sheaf_loop_iterations_total", "counter", "Turns of the event loops",
              number(figures.loop_iterations));
  text.single("sheaf_resident_memory_bytes", "gauge", "Memory of the process", number(resident_bytes()));
  text.single("sheaf_request_memory_bytes", "gauge", "Memory of requests and answers under way",
              number(budget.used_bytes()));
  text.single("sheaf_answer_memory_bytes", "gauge", "Of it, answers that their clients have not read yet",
              number(budget.answer_bytes()));
  text.single("sheaf_request_memory_bytes_peak", "gauge", "The most that it was",
              number(budget.used_bytes_peak()));
  text.single("sheaf_request_memory_bytes_max", "gauge", "Beyond which requests are throttled",
              number(budget.options().hard_bytes));
  text.single("sheaf_throttled_total", "counter", "Requests refused for want of memory",
              number(figures.throttled));
  text.single("sheaf_memory_waits_total", "counter", "How often a connection waited for memory",
              number(figures.waited_for_memory));
  text.single("sheaf_workers_queued", "gauge", "Tasks that wait for a worker", number(workers.queued));
  text.single("sheaf_workers_running", "gauge", "Workers at work", number(workers.running));
}

}  // namespace

Result<void> serve(const ServeOptions& options, const std::function<void(const Listening&)>& started) {
  TRY(check(options));
  const Signals signals;
  // By default there are eight a processor, and each keeps for itself what a burst needed once.
  mallopt(M_ARENA_MAX, kAllocatorArenas);
  http::raise_descriptor_limit();
  const SystemClock clock;
  Security security = TRY(open_security(options, clock));
  http::OriginGuard guard = TRY(http::OriginGuard::create(
      {.development = security.credentials == nullptr, .allowed_origins = options.allowed_origins}));

  const wire::Account account{.region = options.region, .id = options.account_id};
  RequestMetrics metrics;
  ModelMetrics model_metrics;
  Watch watch;
  const Gate gate({.guard = guard,
                   .credentials = security.credentials.get(),
                   .signatures = {},
                   .audit = security.audit.get(),
                   .denials = metrics,
                   .clock = clock});
  std::unique_ptr<api::LocalDatabase> database;  // none if the items are elsewhere
  std::unique_ptr<http::Handler> items;
  if (options.elsewhere) {
    items = std::make_unique<NoItemsHere>(guard, options.elsewhere->url);
  } else {
    database = std::make_unique<api::LocalDatabase>(TRY(open_store(options, clock)), clock,
                                                    open_options(options, account, watch));
    TRY(database->read_writers());
    items = std::make_unique<Endpoint>(EndpointParts{.database = *database,
                                                     .account = account,
                                                     .guard = guard,
                                                     .credentials = security.credentials.get(),
                                                     .audit = security.audit.get(),
                                                     .metrics = metrics,
                                                     .clock = clock});
  }
  Database& served = options.elsewhere ? *options.elsewhere->database : *database;
  std::unique_ptr<service::ModelService> models = TRY(open_models(options, served, *security.audit));
  ModelEndpoint model_endpoint(
      {.service = *models, .account = account, .gate = gate, .metrics = model_metrics});
  ServedNames served_names(*models);
  const watch::KeyNamesNow names = [&] { return served_names.now(); };
  HeatEndpoint heat_endpoint(served, gate, names);
  CollectionsEndpoint collections_endpoint(served, gate);
  std::optional<ModelWatch> model_watch;
  if (database && options.watch && (!options.models.empty() || options.workbench))
    model_watch.emplace(*database, names, options.watch_lines, clock);
  // Commands of the workbench ask the server as anybody does, so its port must be known first.
  std::optional<workbench::Workbench> bench;
  std::optional<WorkbenchEndpoint> bench_endpoint;
  if (database && options.workbench) {
    bench.emplace(workbench::WorkbenchParts{.database = *database,
                                            .models = *models,
                                            .version = options.version,
                                            .has_credentials = security.credentials != nullptr,
                                            .commands = {.program = options.program}});
    TRY(bench->open());
    bench_endpoint.emplace(WorkbenchEndpointParts{.workbench = *bench,
                                                  .credentials = security.credentials.get(),
                                                  .guard = guard,
                                                  .gate = gate,
                                                  .audit = security.audit.get()});
  }
  FrontDoor door(model_endpoint, options.elsewhere ? nullptr : &heat_endpoint,
                 options.elsewhere ? nullptr : &collections_endpoint,
                 bench_endpoint ? &*bench_endpoint : nullptr, *items);
  http::WorkerPool workers({.threads = options.elsewhere ? kWorkersElsewhere : kWorkers});
  http::MemoryBudget budget(request_bytes(options.memory_bytes));
  const std::unique_ptr<http::Server> server = TRY(http::Server::start({.address = options.address,
                                                                        .port = options.port,
                                                                        .loops = options.loops,
                                                                        .tls = options.tls,
                                                                        .budget = &budget,
                                                                        .workers = &workers,
                                                                        .clock = &clock},
                                                                       door));
  // Commands of the workbench do not know the name in a certificate, nor addresses of other machines.
  std::unique_ptr<http::Server> inner_server;
  if (bench && (options.tls || !http::is_loopback_address(options.address))) {
    inner_server = TRY(http::Server::start({.address = "127.0.0.1",
                                            .port = 0,
                                            .loops = 1,
                                            .budget = &budget,
                                            .workers = &workers,
                                            .clock = &clock},
                                           door));
    bench->set_url("http://127.0.0.1:" + std::to_string(inner_server->port()));
  } else if (bench) {
    bench->set_url(url_of(options, server->port()));
  }
  Admin admin([&](std::string& out) {
    metrics.append_text(out);
    model_metrics.append_text(out);
    watch.append_text(out);
    if (model_watch) model_watch->append_text(out);
    append_server_figures(out, server->figures(), budget, workers.figures());
    if (database) append_store_figures(out, database->engine().store);
  });
  std::unique_ptr<http::Server> admin_server;
  if (options.admin_port) {
    Result<std::unique_ptr<http::Server>> made = http::Server::start(
        {.address = "127.0.0.1", .port = *options.admin_port, .loops = 1, .clock = &clock}, admin);
    if (!made.ok())
      return Error{made.error().code,
                   made.error().message +
                       "; that port is for /healthz and /metrics, and --admin-port chooses "
                       "another (0: any that is free, -1: none)"};
    admin_server = std::move(*made);
  }
  std::optional<service::JobThread> jobs;
  if (!options.models.empty() || bench) jobs.emplace(*models, kJobPeriod);
  if (model_watch) model_watch->start(kModelWatchPeriod);
  const std::string url = url_of(options, server->port());
  started({.url = url,
           .admin_url = admin_server ? "http://127.0.0.1:" + std::to_string(admin_server->port()) : "",
           .workbench_url = bench ? url + "/workbench/" : ""});

  int signal = 0;
  int64_t looked_us = clock.now_us();
  while (signal != SIGINT && signal != SIGTERM) {
    signal = signals.wait_a_second();
    if (signal == SIGHUP) reload(options, security);
    if (database && options.heat && clock.now_us() - looked_us >= kWatchPeriodUs) {
      watch.look(*database);
      looked_us = clock.now_us();
    }
    // What was freed and is kept for later goes back, if it is too much.
    if (resident_bytes() > options.memory_bytes / 4 * 3) malloc_trim(0);
  }
  log(LogLevel::kInfo, "stopping", {{"signal", signal == SIGINT ? "SIGINT" : "SIGTERM"}});
  if (admin_server) admin_server->shutdown(0);
  if (bench_endpoint) bench_endpoint->stop();
  if (inner_server) inner_server->shutdown(0);
  if (!server->shutdown(kShutdownGraceMs)) log(LogLevel::kWarning, "some requests were not finished in time");
  workers.stop();
  jobs.reset();
  if (model_watch) model_watch->stop();
  models.reset();    // it says goodbye to the database
  database.reset();  // before the loops to which it answers
  log(LogLevel::kInfo, "stopped");
  return {};
}

}  // namespace sheaf::server
