#include "bench/postgres_server.h"

#include <pwd.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <vector>

#include "base/try.h"
#include "bench/pattern.h"
#include "bench/workloads.h"

namespace sheaf::bench {
namespace {

constexpr double kStartSecondsMax = 30;
constexpr const char* kUser = "postgres";  // of the database; and of the system, where this process is root's

// ---- The messages of the protocol, version 3.

std::string big_endian(uint64_t value, size_t bytes) {
  std::string text;
  for (size_t i = bytes; i-- > 0;) text += static_cast<char>(value >> (i * 8) & 0xff);
  return text;
}

std::string zero_ended(std::string_view text) { return std::string(text) + '\0'; }

Pattern message(char type, const Pattern& content) {
  const std::string head = std::string(1, type) + big_endian(content.size() + 4, 4);
  return Pattern(std::string_view(head)) + content;
}

Pattern plain_message(char type, const std::string& content) {
  return message(type, Pattern(std::string_view(content)));
}

std::string startup_message() {
  constexpr uint32_t kVersion = 3 << 16;
  const std::string content = big_endian(kVersion, 4) + zero_ended("user") + zero_ended(kUser) +
                              zero_ended("database") + zero_ended("postgres") + '\0';
  return big_endian(content.size() + 4, 4) + content;
}

Pattern sync_message() { return plain_message('S', ""); }

Pattern parse_message(std::string_view statement, std::string_view text) {
  return plain_message('P', zero_ended(statement) + zero_ended(text) + big_endian(0, 2));
}

// Binds the number of an order, as text, to a statement, and runs it.
Pattern run_statement(std::string_view statement) {
  const std::string before = zero_ended("") + zero_ended(statement) + big_endian(0, 2) + big_endian(1, 2) +
                             big_endian(Pattern::kDigits, 4);
  const std::string after = big_endian(0, 2);  // results as text
  return message('B', Pattern(std::string_view(before)) + number() + Pattern(std::string_view(after))) +
         plain_message('E', zero_ended("") + big_endian(0, 4));
}

// ---- The statements.

struct Statement {
  std::string_view name, text;
};
constexpr std::array<Statement, 4> kStatements = {{
    {"order", "SELECT * FROM orders WHERE id = $1::int"},
    {"lines", "SELECT * FROM lines WHERE order_id = $1::int"},
    {"shipment", "SELECT * FROM shipments WHERE order_id = $1::int"},
    {"join",
     "SELECT * FROM orders JOIN lines ON lines.order_id = orders.id JOIN shipments ON shipments.order_id = "
     "orders.id WHERE orders.id = $1::int"},
}};

// Three tables of what is six items elsewhere, of the same size.
std::string schema_script(uint64_t orders) {
  const std::string rows = std::to_string(orders);
  const std::string columns = "status text, total int, created bigint, data text";
  const std::string values = "'OPEN', 4711, 1700000000, repeat('x', 90)";
  return "CREATE TABLE orders (id int PRIMARY KEY, " + columns + ");" +
         "CREATE TABLE lines (order_id int, line int, " + columns + ", PRIMARY KEY (order_id, line));" +
         "CREATE TABLE shipments (order_id int PRIMARY KEY, " + columns + ");" +
         "INSERT INTO orders SELECT i, " + values + " FROM generate_series(0, " + rows + " - 1) i;" +
         "INSERT INTO lines SELECT i, k, " + values + " FROM generate_series(0, " + rows +
         " - 1) i, generate_series(1, " + std::to_string(kOrderLines) + ") k;" +
         "INSERT INTO shipments SELECT i, " + values + " FROM generate_series(0, " + rows + " - 1) i;" +
         "ANALYZE";
}

// The requests of one form. An order may take several, one after the other on the same connection.
class PostgresSource final : public Source {
 public:
  PostgresSource(PostgresForm form, uint64_t orders) : orders_(orders) {
    const Pattern sync = sync_message();
    switch (form) {
      case PostgresForm::kThreeSelects:
        trips_ = {{run_statement("order") + sync, 1},
                  {run_statement("lines") + sync, kOrderLines},
                  {run_statement("shipment") + sync, 1}};
        break;
      case PostgresForm::kPipelinedSelects:
        trips_ = {{run_statement("order") + run_statement("lines") + run_statement("shipment") + sync,
                   kOrderItems}};
        break;
      case PostgresForm::kJoin:
        trips_ = {{run_statement("join") + sync, kOrderLines}};
        break;
    }
  }

  size_t trips() const { return trips_.size(); }

  void prepare(size_t connections) override { states_.assign(connections, {}); }

  std::string_view next(size_t connection) override {
    State& state = states_[connection];
    state.trip = (state.trip + 1) % trips_.size();
    if (state.trip == 0) state.number = next_number_++ * 7919 % orders_;
    const Pattern& request = trips_[state.trip].request;
    state.text = request.text();
    request.write(state.number, state.text.data());
    return state.text;
  }

  bool is_right(size_t connection, std::string_view answer) override {
    return rows_in(answer) == trips_[states_[connection].trip].rows;
  }

 private:
  struct Trip {
    Pattern request;
    size_t rows;
  };
  struct State {
    std::string text;
    uint64_t number = 0;
    size_t trip = static_cast<size_t>(-1);
  };

  uint64_t orders_;
  std::vector<Trip> trips_;
  std::vector<State> states_;
  uint64_t next_number_ = 0;
};

// ---- The server.

std::string find_postgres(const std::string& program) {
  std::vector<std::string> places;
  std::error_code none;
  for (const auto& version : std::filesystem::directory_iterator("/usr/lib/postgresql", none))
    places.push_back(version.path().string() + "/bin");
  return find_program(program, places);
}

std::string first_line(const std::string& path) {
  std::string line;
  std::getline(std::ifstream(path) >> std::ws, line);
  return line;
}

Result<void> give_directory(const std::string& directory) {
  std::filesystem::create_directories(directory);
  if (::geteuid() != 0) return {};
  const passwd* const user = ::getpwnam(kUser);
  if (user == nullptr)
    return Error{Code::kNotFound, "PostgreSQL refuses root, and there is no user postgres"};
  if (::chown(directory.c_str(), user->pw_uid, user->pw_gid) != 0)
    return Error{Code::kIo, "cannot give " + directory + " to postgres"};
  // Whoever may not look into the folder above it may still go through.
  std::filesystem::permissions(std::filesystem::path(directory).parent_path(),
                               std::filesystem::perms::group_exec | std::filesystem::perms::others_exec,
                               std::filesystem::perm_options::add);
  return {};
}

// Sends one request and waits until it is answered.
Result<void> ask(const ClientSocket& socket, const std::string& request) {
  TRY(socket.send(request));
  AnswerFraming framing(Protocol::kPostgres);
  std::string received;
  char piece[4096];
  while (!framing.is_whole(received)) {
    if (!socket.wait(static_cast<int>(kStartSecondsMax * 1e3)))
      return Error{Code::kIo, "PostgreSQL does not answer"};
    received.append(piece, TRY(socket.receive(piece, sizeof(piece))));
  }
  if (framing.status() != 200) return Error{Code::kInvalid, "PostgreSQL: " + received};
  return {};
}

Result<void> make_tables(const Address& address, uint64_t orders, ChildProcess& process) {
  const double give_up = now_seconds() + kStartSecondsMax;
  while (true) {
    const Result<ClientSocket> socket = ClientSocket::connect(address);
    if (socket.ok() && ask(*socket, startup_message()).ok())
      return ask(*socket, plain_message('Q', zero_ended(schema_script(orders))).text());
    if (interrupted()) return interruption();
    if (!process.running() || now_seconds() > give_up) return Error{Code::kUnavailable, process.last_words()};
    sleep_ms(20);
  }
}

}  // namespace

std::string_view name_of(PostgresForm form) {
  switch (form) {
    case PostgresForm::kThreeSelects:
      return "three SELECTs";
    case PostgresForm::kPipelinedSelects:
      return "three pipelined SELECTs";
    case PostgresForm::kJoin:
      break;
  }
  return "one join";
}

Result<std::unique_ptr<PostgresServer>> PostgresServer::start(const std::string& directory, uint64_t orders) {
  const std::string initdb = find_postgres("initdb"), postgres = find_postgres("postgres");
  if (initdb.empty() || postgres.empty()) return Error{Code::kNotFound, "PostgreSQL is not installed"};
  TRY(give_directory(directory));
  const std::string data = directory + "/data", log = directory + "/log";
  TRY(run_to_end(
      {.words = {initdb, "-D", data, "-A", "trust", "-U", kUser, "--no-sync", "-E", "UTF8", "--locale=C"},
       .log_path = directory + "/initdb.log",
       .user = kUser}));
  const Address tcp{.port = TRY(free_port())};
  const std::string port = std::to_string(tcp.port);
  const Address unix_socket{.unix_path = directory + "/.s.PGSQL." + port};
  std::unique_ptr<PostgresServer> server(new PostgresServer(
      TRY(ChildProcess::start(
          {.words = {postgres, "-D", data, "-p", port, "-k", directory, "-c", "listen_addresses=127.0.0.1",
                     "-c", "shared_buffers=256MB", "-c", "autovacuum=off"},
           .log_path = log,
           .user = kUser,
           .stop_signal = SIGINT})),
      tcp, unix_socket, orders));
  TRY(make_tables(tcp, orders, server->process_));
  server->version_ = first_line(data + "/PG_VERSION");
  return server;
}

Result<Sample> PostgresServer::measure(PostgresForm form, PostgresTransport transport,
                                       const LoadOptions& options) {
  Pattern statements;
  for (const Statement& statement : kStatements) statements += parse_message(statement.name, statement.text);
  const LoadTarget target{.address = transport == PostgresTransport::kTcp ? tcp_ : unix_socket_,
                          .protocol = Protocol::kPostgres,
                          .greeting = {startup_message(), (statements + sync_message()).text()},
                          .server_cpu_us = [this] { return process_.cpu_us(); }};
  PostgresSource source(form, orders_);
  Sample sample = TRY(run_load(target, source, options));
  sample.operations /= static_cast<double>(source.trips());
  return sample;
}

}  // namespace sheaf::bench
