// The endpoint that the tests of peers are about.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "sheaf/remote_database.h"

#include "api/database_fixture.h"

namespace sheaf::remote {

struct Peer {
  std::string name;
  Endpoint endpoint;
  Capabilities capabilities;  // that it is known to have
};

// As the command line names it.
const Peer& peer();

// The peer, and a database in this process that is asked the same.
class PeerTest : public ::testing::Test {
 protected:
  PeerTest() {
    Result<std::unique_ptr<Database>> connected = connect(peer().endpoint);
    EXPECT_TRUE(connected.ok()) << connected.error().message;
    there_ = std::move(*connected);
    remove_tables();
  }
  ~PeerTest() override { remove_tables(); }

  // Here and there.
  void remove_tables() {
    for (Database* const database : {here_.get(), there_.get()}) {
      for (const std::string& table : must(database->list_tables())) (void)database->delete_table(table);
      EXPECT_TRUE(await([&] { return must(database->list_tables()).empty(); }));
    }
  }

  void create(const CreateTable& table) {
    must(here_->create_table(table));
    must(there_->create_table(table));
  }
  void put(const std::string& table, const Item& item) {
    must(here_->put_item({.table = table, .item = item}));
    must(there_->put_item({.table = table, .item = item}));
  }
  // Until that holds, or five seconds have passed.
  template <typename Holds>
  static bool await(Holds holds) {
    for (int i = 0; i < 500; ++i) {
      if (holds()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }

  const std::unique_ptr<Database> here_ = Database::open_in_memory();
  std::unique_ptr<Database> there_;
};

}  // namespace sheaf::remote
