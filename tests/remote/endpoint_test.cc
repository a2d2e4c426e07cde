// A program and a server in one process, with a socket between them: requests signed, verified, run and
// answered.
#include "server/endpoint.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "api/database_fixture.h"
#include "http/request_fixture.h"
#include "http/server_fixture.h"
#include "http/worker_pool.h"
#include "remote/identity_fixture.h"
#include "remote/remote_database.h"
#include "store/memory_store.h"

namespace sheaf::remote {
namespace {

class RunningServer {
 public:
  explicit RunningServer(const http::Credentials* credentials = nullptr, http::ServerOptions options = {})
      : endpoint_({.database = *database_,
                   .account = {},
                   .guard = *http::OriginGuard::create({.development = credentials == nullptr}),
                   .credentials = credentials,
                   .signatures = {},
                   .metrics = metrics_,
                   .clock = clock_}) {
    options.workers = &workers_;
    server_ = http::start_server(endpoint_, options);
  }

  ~RunningServer() {
    server_->shutdown(1000);
    workers_.stop();
    database_.reset();  // before the loops to which it answers
  }

  Endpoint address(const std::string& scheme = "http", const std::string& host = "127.0.0.1") const {
    return {.url = scheme + "://" + host + ":" + std::to_string(server_->port()),
            .access_key =
                AccessKey{.id = std::string(http::kTestKeyId), .secret = std::string(http::kTestSecret)}};
  }
  http::Server& http() { return *server_; }

 private:
  const SystemClock clock_;
  http::WorkerPool workers_{{.threads = 2}};
  std::unique_ptr<api::LocalDatabase> database_ =
      std::make_unique<api::LocalDatabase>(store::open_memory_store(clock_), clock_, OpenOptions{});
  server::RequestMetrics metrics_;
  server::Endpoint endpoint_;
  std::unique_ptr<http::Server> server_;
};

std::unique_ptr<RemoteDatabase> connected(const Endpoint& endpoint, Sleep sleep = {}) {
  Result<std::unique_ptr<RemoteDatabase>> remote = RemoteDatabase::connect(endpoint, std::move(sleep));
  EXPECT_TRUE(remote.ok()) << remote.error().message;
  return remote.ok() ? std::move(*remote) : nullptr;
}

// A day in the life of a table.
void use(Database& database) {
  CreateTable table = table_of("Things", "pk", "sk");
  table.global_indexes = {index_of("by-kind", "kind")};
  EXPECT_EQ(must(database.create_table(table)).status, TableStatus::kActive);
  for (int i = 0; i < 20; ++i) {
    must(database.put_item(
        {.table = "Things",
         .item = {{"pk", "p"}, {"sk", std::to_string(i)}, {"kind", i % 2 == 0 ? "even" : "odd"}}}));
  }
  const Page page = must(database.query(
      {.table = "Things", .index = "by-kind", .key_condition = "kind = :k", .values = {{":k", "odd"}}}));
  EXPECT_EQ(page.count, 10u);
  EXPECT_GT(page.capacity.indexes.at("by-kind"), 0);
  EXPECT_FALSE(must(database.put_item({.table = "Things",
                                       .item = {{"pk", "p"}, {"sk", "1"}},
                                       .condition = "attribute_not_exists(pk)"}))
                   .condition_met);
  EXPECT_TRUE(must(database.transact_write_items(
                       {.actions = {DeleteItem{.table = "Things", .key = {{"pk", "p"}, {"sk", "1"}}},
                                    PutItem{.table = "Things", .item = {{"pk", "q"}, {"sk", "1"}}}}}))
                  .applied);
  EXPECT_EQ(must(database.scan({.table = "Things"})).count, 20u);
  must(database.delete_table("Things"));
}

TEST(RemoteEndpoint, IsUsedLikeADatabaseInThisProcess) {
  RunningServer server;
  const auto remote = connected(server.address());
  use(*remote);
  use(*Database::open_in_memory());
  EXPECT_EQ(server.http().figures().connections_accepted, 1u);
  EXPECT_EQ(must(remote->capabilities()).transactions, true);
}

TEST(RemoteEndpoint, LetsInWhoHasTheKey) {
  const http::Credentials credentials(http::test_credentials());
  RunningServer server(&credentials);
  use(*connected(server.address()));
  Endpoint wrong = server.address();
  wrong.access_key->secret += "x";
  const Error error = refusal(connected(wrong)->list_tables());
  EXPECT_EQ(error.code, Code::kDenied);
  EXPECT_TRUE(error.message.starts_with("InvalidSignatureException: ")) << error.message;
  wrong = server.address();
  wrong.access_key->id = "SOMEBODYELSE";
  EXPECT_TRUE(refusal(connected(wrong)->list_tables()).message.starts_with("UnrecognizedClientException: "));
}

TEST(RemoteEndpoint, IsUsedOverTls) {
  const TempDirectory directory;
  const TestIdentity identity(directory, "server", "DNS:localhost");
  const http::Credentials credentials(http::test_credentials());
  RunningServer server(&credentials, {.tls = identity.files});
  Endpoint address = server.address("https", "localhost");
  address.authorities_path = identity.files.certificate_path;
  use(*connected(address));
  address.authorities_path.clear();
  const Error error = refusal(connected(address)->list_tables());
  EXPECT_EQ(error.code, Code::kDenied);
  EXPECT_TRUE(error.message.starts_with("the certificate of localhost is not trusted: ")) << error.message;
}

TEST(RemoteEndpoint, ServesManyThreads) {
  RunningServer server;
  Endpoint address = server.address();
  address.connections_max = 4;
  const auto remote = connected(address);
  must(remote->create_table(table_of("Counts", "pk")));
  std::atomic<int> failures = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) {
        const Result<Written> written = remote->update_item(
            {.table = "Counts", .key = {{"pk", "n"}}, .update = "ADD n :one", .values = {{":one", 1}}});
        if (!written.ok()) ++failures;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failures, 0);
  const Got got = must(remote->get_item({.table = "Counts", .key = {{"pk", "n"}}, .consistent = true}));
  EXPECT_EQ(got.item, (Item{{"pk", "n"}, {"n", 400}}));
  EXPECT_LE(server.http().figures().connections_accepted, 4u);
}

TEST(RemoteEndpoint, ThatGoesAwayIsUnavailableAndComesBack) {
  auto server = std::make_unique<RunningServer>();
  Endpoint address = server->address();
  const uint16_t port = server->http().port();
  int sleeps = 0;
  std::unique_ptr<RunningServer> next;
  const Sleep sleep = [&](int64_t) {
    if (++sleeps == 3) {
      http::ServerOptions same;
      same.port = port;
      next = std::make_unique<RunningServer>(nullptr, same);
    }
  };
  const auto remote = connected(address, sleep);
  EXPECT_TRUE(must(remote->list_tables()).empty());
  server.reset();
  must(remote->create_table(table_of("Things", "pk")));
  EXPECT_EQ(sleeps, 3) << "asked again until it was back";
  EXPECT_EQ(must(remote->list_tables()), (Texts{"Things"}));
  next.reset();
  sleeps = 100;
  const Error error =
      refusal(remote->put_item({.table = "Things", .item = {{"pk", "a"}}, .condition = "x = x"}));
  EXPECT_EQ(error.code, Code::kUnavailable) << error.message;
}

TEST(RemoteEndpoint, OptionsThatMakeNoSenseAreRefused) {
  Endpoint address{.access_key = AccessKey{.id = "id", .secret = "secret"}};
  EXPECT_TRUE(sheaf::connect(address).ok()) << "AWS's own endpoint";
  address.url = "localhost:8000";
  EXPECT_EQ(sheaf::connect(address).error().code, Code::kInvalid);
  address.url = "http://localhost:8000";
  address.region = "";
  EXPECT_EQ(sheaf::connect(address).error().code, Code::kInvalid);
  address.region = "us-east-1";
  address.access_key = AccessKey();
  EXPECT_EQ(sheaf::connect(address).error().code, Code::kInvalid);
}

}  // namespace
}  // namespace sheaf::remote
