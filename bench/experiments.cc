#include "bench/experiments.h"

#include <algorithm>
#include <cstdio>
#include <memory>

#include "base/try.h"
#include "bench/figures.h"

namespace sheaf::bench {
namespace {

// Whoever takes this long for one round is measured once.
constexpr double kSlowSeconds = 5;
constexpr size_t kBulkConnections = 4;

// Somebody who does the work of a row.
struct Participant {
  std::string column;
  std::function<Result<Sample>(size_t connections, double seconds)> measure;
};

// ---- Rounds.

// In turns, so that what disturbs the machine disturbs all of them, and each round in another order, so that
// nobody always works while the same neighbour still cleans up.
Result<void> run_rounds(std::vector<Participant> participants, const Plan& plan, Row& row) {
  for (const Participant& participant : participants) {
    if (participant.column != kEchoReference || row.connections == kGoalConnections)
      row.cells.push_back({.column = participant.column});
  }
  for (int round = 0; round < plan.rounds; ++round) {
    for (const Participant& participant : participants) {
      Row::Cell* const cell = row.find(participant.column);
      if (cell == nullptr || (round > 0 && cell->rounds.front().seconds > kSlowSeconds)) continue;
      cell->rounds.push_back(TRY(participant.measure(row.connections, plan.seconds)));
    }
    std::rotate(participants.begin(), participants.begin() + 1, participants.end());
  }
  std::fprintf(stderr, "%s, %zu connection%s:", row.name.c_str(), row.connections,
               row.connections == 1 ? "" : "s");
  for (const Row::Cell& cell : row.cells)
    std::fprintf(stderr, " %s %.0f/s", cell.column.c_str(), cell.rate());
  std::fputc('\n', stderr);
  return {};
}

Result<void> warm_up(const std::vector<Participant>& participants, size_t connections, double seconds) {
  for (const Participant& participant : participants) TRY(participant.measure(connections, seconds));
  return {};
}

// ---- Participants.

Participant load_participant(Server& server, const Workload& workload) {
  const std::shared_ptr<Source> source = server.source(workload);
  return {server.name(), [&server, workload, source](size_t connections, double seconds) -> Result<Sample> {
            const uint64_t first = server.next_number();
            const Sample sample = TRY(run_load(
                server.target(), *source,
                {.connections = connections, .seconds = seconds, .checked_each = workload.checked_each}));
            TRY(server.read_back(workload, first));
            return sample;
          }};
}

Participant echo_participant(EchoServer& echo, const char* column, const Workload& workload,
                             size_t answer_bytes) {
  const std::shared_ptr<Source> source = echo.source(workload, answer_bytes);
  return {column, [&echo, source](size_t connections, double seconds) {
            return run_load(echo.target(), *source, {.connections = connections, .seconds = seconds});
          }};
}

Participant raw_participant(RawProcess& raw, RawWork work) {
  return {kRawRocksdb, [&raw, work](size_t connections, double seconds) {
            return raw.measure(work, work == RawWork::kSyncedPut ? connections : 1, seconds);
          }};
}

// ---- Experiments of one operation.

using MakeWorkload = std::function<Workload(std::string_view table, const DataSizes& sizes)>;

struct OperationExperiment {
  const char* id;
  const char* name;
  MakeWorkload workload;
  std::vector<Data> data;
  std::optional<RawWork> raw;
  bool has_echo = true;
  bool has_postgres = false;
  std::vector<Member> members;
};

const std::vector<Member>& unsynced_members() {
  static const std::vector<Member> members = {Member::kSheafRelaxed, Member::kSheafMemory,
                                              Member::kDynoxideMemory, Member::kDynalite};
  return members;
}

const std::vector<OperationExperiment>& operation_experiments() {
  const auto without_sizes = [](Workload (*make)(std::string_view)) {
    return [make](std::string_view table, const DataSizes&) { return make(table); };
  };
  static const std::vector<OperationExperiment> experiments = {
      {.id = "get",
       .name = "GetItem 1 KB",
       .workload = get_item,
       .data = {Data::kItems},
       .raw = RawWork::kGet,
       .members = unsynced_members()},
      {.id = "query",
       .name = "Query of 100 x 200 B",
       .workload = query_collection,
       .data = {Data::kCollections},
       .raw = RawWork::kCollection,
       .members = unsynced_members()},
      {.id = "order",
       .name = "order with 5 children",
       .workload = query_order,
       .data = {Data::kOrders},
       .raw = RawWork::kOrder,
       .has_postgres = true,
       .members = unsynced_members()},
      {.id = "batch-get",
       .name = "BatchGetItem of 25 x 1 KB",
       .workload = batch_get,
       .data = {Data::kItems},
       .members = unsynced_members()},
      {.id = "put",
       .name = "PutItem 1 KB",
       .workload = without_sizes(put_item),
       .raw = RawWork::kPut,
       .members = unsynced_members()},
      {.id = "transact",
       .name = "TransactWriteItems of 3 x 1 KB",
       .workload = without_sizes(transact_write),
       .members = {Member::kSheafRelaxed, Member::kSheafDurable, Member::kSheafMemory,
                   Member::kDynoxideMemory, Member::kDynoxideDisk, Member::kDynalite}},
      {.id = "durable",
       .name = "PutItem 1 KB, durable",
       .workload = without_sizes(put_item),
       .raw = RawWork::kSyncedPut,
       .has_echo = false,
       .members = {Member::kSheafDurable, Member::kDynoxideDisk}},
  };
  return experiments;
}

// The servers of a list that are there, know the operation and have the data. Sheaf must.
Result<std::vector<Server*>> servers_for(const OperationExperiment& experiment, Fleet& fleet) {
  std::vector<Server*> candidates;
  for (const Member member : experiment.members)
    if (Server* const server = TRY(fleet.server(member))) candidates.push_back(server);
  for (Server* const server : TRY(fleet.endpoints())) candidates.push_back(server);
  std::vector<Server*> servers;
  for (Server* const server : candidates) {
    for (const Data data : experiment.data) TRY(server->fill(data, fleet.options().sizes));
    const Result<HttpAnswer> answer =
        server->try_once(experiment.workload(server->table(), fleet.options().sizes));
    if (answer.ok()) {
      servers.push_back(server);
    } else if (server->name().starts_with("Sheaf") || interrupted()) {
      return answer.error();
    } else {
      fleet.note("left out of \"" + std::string(experiment.name) + "\": " + answer.error().message);
    }
  }
  return servers;
}

// Answers of these sizes, from the server whose limit it is.
Result<std::vector<Participant>> echo_participants(const OperationExperiment& experiment, Fleet& fleet) {
  const DataSizes& sizes = fleet.options().sizes;
  Server& sheaf = *TRY(fleet.server(Member::kSheafRelaxed));
  const Workload workload = experiment.workload(sheaf.table(), sizes);
  EchoServer& echo = *TRY(fleet.echo());
  std::vector<Participant> participants;
  participants.push_back(echo_participant(echo, kEcho, workload, TRY(sheaf.try_once(workload)).bytes));
  TRY(sheaf.fill(Data::kItems, sizes));
  const Workload reference = get_item(sheaf.table(), sizes);
  participants.push_back(
      echo_participant(echo, kEchoReference, reference, TRY(sheaf.try_once(reference)).bytes));
  return participants;
}

constexpr std::string_view kPostgresPrefix = "PostgreSQL, ";

// The order as PostgreSQL keeps it, in each form; nobody if it is not installed.
Result<std::vector<Participant>> postgres_participants(Fleet& fleet) {
  std::vector<Participant> participants;
  PostgresServer* const server = TRY(fleet.postgres());
  if (server == nullptr) return participants;
  for (const PostgresTransport transport : {PostgresTransport::kTcp, PostgresTransport::kUnixSocket}) {
    for (const PostgresForm form : kPostgresForms) {
      const char* const suffix = transport == PostgresTransport::kTcp ? ", TCP" : ", unix socket";
      participants.push_back({std::string(kPostgresPrefix) + std::string(name_of(form)) + suffix,
                              [server, form, transport](size_t connections, double seconds) {
                                return server->measure(form, transport,
                                                       {.connections = connections, .seconds = seconds});
                              }});
    }
  }
  return participants;
}

// Its cells as a row of their own: the columns are other ones.
Row split_postgres(Row& row, const std::string& version) {
  Row other{.experiment = row.experiment,
            .name = row.name + ", PostgreSQL " + version,
            .connections = row.connections};
  const auto first = std::stable_partition(row.cells.begin(), row.cells.end(), [](const Row::Cell& cell) {
    return !cell.column.starts_with(kPostgresPrefix);
  });
  for (auto cell = first; cell != row.cells.end(); ++cell) {
    cell->column.erase(0, kPostgresPrefix.size());
    other.cells.push_back(std::move(*cell));
  }
  row.cells.erase(first, row.cells.end());
  return other;
}

Result<void> run_operation(const OperationExperiment& experiment, Fleet& fleet, const Plan& plan,
                           Findings& findings) {
  const std::vector<Server*> servers = TRY(servers_for(experiment, fleet));
  std::vector<Participant> participants;
  if (experiment.has_echo) participants = TRY(echo_participants(experiment, fleet));
  if (experiment.raw) participants.push_back(raw_participant(*TRY(fleet.raw()), *experiment.raw));
  for (Server* const server : servers)
    participants.push_back(
        load_participant(*server, experiment.workload(server->table(), fleet.options().sizes)));
  if (experiment.has_postgres) {
    for (Participant& each : TRY(postgres_participants(fleet))) participants.push_back(std::move(each));
  }
  TRY(warm_up(participants, kGoalConnections, plan.seconds));
  for (const size_t connections : plan.connections) {
    Row row{.experiment = experiment.id, .name = experiment.name, .connections = connections};
    TRY(run_rounds(participants, plan, row));
    if (experiment.has_postgres && TRY(fleet.postgres()) != nullptr)
      findings.postgres.push_back(split_postgres(row, TRY(fleet.postgres())->version()));
    findings.rows.push_back(std::move(row));
  }
  return {};
}

// ---- The other experiments.

Participant signed_participant(Server& server, const Workload& workload, const http::Credential& credential) {
  const std::shared_ptr<Source> source = server.signed_source(workload, credential);
  return {server.name(), [&server, source](size_t connections, double seconds) {
            return run_load(server.target(), *source, {.connections = connections, .seconds = seconds});
          }};
}

// The same signed requests to a server that verifies them and to one that does not.
Result<void> run_signed(Fleet& fleet, const Plan& plan, Findings& findings) {
  Server& believing = *TRY(fleet.server(Member::kSheafUnsigned));
  Server& verifying = *TRY(fleet.server(Member::kSheafSigned));
  const DataSizes& sizes = fleet.options().sizes;
  struct Part {
    const char* id;
    const char* name;
    Workload workload;
  };
  for (const Part& part :
       {Part{"signed-get", "GetItem 1 KB, signed requests", get_item(believing.table(), sizes)},
        Part{"signed-put", "PutItem 1 KB, signed requests", put_item(believing.table())}}) {
    std::vector<Participant> participants;
    for (Server* const server : {&believing, &verifying}) {
      TRY(server->fill(Data::kItems, sizes));
      TRY(server->try_once(part.workload));
      participants.push_back(signed_participant(*server, part.workload, fleet.credential()));
    }
    TRY(warm_up(participants, kGoalConnections, plan.seconds));
    Plan longer = plan;  // a difference of two figures needs better ones
    longer.rounds *= 3;
    Row row{.experiment = part.id, .name = part.name, .connections = kGoalConnections};
    TRY(run_rounds(participants, longer, row));
    findings.rows.push_back(std::move(row));
  }
  return {};
}

Result<void> run_bulk(Fleet& fleet, const Plan& plan, Findings& findings) {
  std::vector<Server*> servers;
  for (const Member member : {Member::kSheafRelaxed, Member::kSheafDurable, Member::kSheafMemory,
                              Member::kDynoxideMemory, Member::kDynalite})
    if (Server* const server = TRY(fleet.server(member))) servers.push_back(server);
  for (Server* const server : TRY(fleet.endpoints())) servers.push_back(server);
  std::vector<Participant> participants;
  for (Server* const server : servers) {
    const Workload workload = batch_write(server->table());
    const std::shared_ptr<Source> source = server->source(workload);
    const uint64_t requests = plan.bulk_items / kBatchWrites;
    participants.push_back(
        {server->name(), [server, source, workload, requests](size_t connections, double) -> Result<Sample> {
           const uint64_t first = server->next_number();
           Sample sample = TRY(run_load(
               server->target(), *source,
               {.connections = connections, .requests = requests, .checked_each = workload.checked_each}));
           TRY(server->read_back(workload, first));
           sample.operations *= kBatchWrites;
           return sample;
         }});
  }
  Row row{.experiment = "bulk",
          .name = "bulk load of " + std::to_string(plan.bulk_items) + " x 1 KB, items",
          .connections = kBulkConnections};
  TRY(run_rounds(participants, plan, row));
  findings.rows.push_back(std::move(row));
  return {};
}

Result<void> run_cold_starts(Fleet& fleet, const Plan& plan, Findings& findings) {
  for (int i = 0; i < plan.cold_starts; ++i) {
    const std::string directory = fleet.new_directory("start-" + std::to_string(i));
    findings.cold_starts.push_back(TRY(start_cold(fleet.options().sheaf_program, directory)));
    std::fprintf(stderr, "cold start: %.1f ms, %.1f MB\n", findings.cold_starts.back().milliseconds,
                 findings.cold_starts.back().resident_megabytes);
  }
  return {};
}

}  // namespace

double Row::Cell::rate() const {
  std::vector<double> rates;
  for (const Sample& sample : rounds) rates.push_back(sample.rate());
  return median(std::move(rates));
}

std::optional<double> Row::Cell::cpu_us() const {
  std::vector<double> each;
  for (const Sample& sample : rounds) {
    if (!sample.cpu_us) return std::nullopt;
    each.push_back(*sample.cpu_us / sample.operations);
  }
  return median(std::move(each));
}

double Row::Cell::client_cpu_us() const {
  std::vector<double> each;
  for (const Sample& sample : rounds) each.push_back(sample.client_cpu_us / sample.operations);
  return median(std::move(each));
}

Row::Cell* Row::find(std::string_view column) {
  for (Cell& cell : cells)
    if (cell.column == column) return &cell;
  return nullptr;
}

const Row::Cell* Row::find(std::string_view column) const { return const_cast<Row*>(this)->find(column); }

const Row* Findings::find(std::string_view experiment, size_t connections) const {
  for (const Row& row : rows)
    if (row.experiment == experiment && row.connections == connections) return &row;
  return nullptr;
}

const std::vector<std::string>& experiment_names() {
  static const std::vector<std::string> names = {"start", "get",      "query",   "order",  "batch-get",
                                                 "put",   "transact", "durable", "signed", "bulk"};
  return names;
}

Result<void> run_experiment(const std::string& name, Fleet& fleet, const Plan& plan, Findings& findings) {
  if (name == "start") return run_cold_starts(fleet, plan, findings);
  if (name == "signed") return run_signed(fleet, plan, findings);
  if (name == "bulk") return run_bulk(fleet, plan, findings);
  for (const OperationExperiment& experiment : operation_experiments())
    if (name == experiment.id) return run_operation(experiment, fleet, plan, findings);
  return Error{Code::kNotFound, "no experiment " + name};
}

}  // namespace sheaf::bench
