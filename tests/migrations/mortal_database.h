// A database as a process sees it that is killed at one of its requests: that one is carried out or not,
// nobody hears what came of it, and none follows.
#pragma once

#include <optional>

#include "api/forwarding_database.h"

namespace sheaf::migrate {

class MortalDatabase final : public ForwardingDatabase {
 public:
  static constexpr const char* kKilled = "the process was killed";

  using ForwardingDatabase::ForwardingDatabase;

  // A process begins, which lives for so many requests. `is_last_done`: the one that it dies of is carried
  // out.
  void begin(std::optional<uint64_t> life, bool is_last_done) {
    life_ = life;
    is_last_done_ = is_last_done;
    requests_ = 0;
    is_dead_ = false;
  }
  void kill() { is_dead_ = true; }
  bool is_dead() const { return is_dead_; }
  uint64_t requests() const { return requests_; }

  Result<TableDescription> create_table(const CreateTable& request) override {
    return ask([&] { return inner_.create_table(request); });
  }
  Result<TableDescription> describe_table(std::string_view table) override {
    return ask([&] { return inner_.describe_table(table); });
  }
  Result<std::vector<std::string>> list_tables() override {
    return ask([&] { return inner_.list_tables(); });
  }
  Result<TableDescription> update_table(const UpdateTable& request) override {
    return ask([&] { return inner_.update_table(request); });
  }
  Result<TableDescription> delete_table(std::string_view table) override {
    return ask([&] { return inner_.delete_table(table); });
  }
  Result<void> update_time_to_live(std::string_view table, const std::string& attribute,
                                   bool enabled) override {
    return ask([&] { return inner_.update_time_to_live(table, attribute, enabled); });
  }
  Result<void> tag_table(std::string_view table, const std::map<std::string, std::string>& tags) override {
    return ask([&] { return inner_.tag_table(table, tags); });
  }
  Result<void> untag_table(std::string_view table, const std::vector<std::string>& keys) override {
    return ask([&] { return inner_.untag_table(table, keys); });
  }
  Result<Written> put_item(const PutItem& request) override {
    return ask([&] { return inner_.put_item(request); });
  }
  Result<Written> update_item(const UpdateItem& request) override {
    return ask([&] { return inner_.update_item(request); });
  }
  Result<Written> delete_item(const DeleteItem& request) override {
    return ask([&] { return inner_.delete_item(request); });
  }
  Result<Got> get_item(const GetItem& request) override {
    return ask([&] { return inner_.get_item(request); });
  }
  Result<Page> query(const Query& request) override {
    return ask([&] { return inner_.query(request); });
  }
  Result<Page> scan(const Scan& request) override {
    return ask([&] { return inner_.scan(request); });
  }
  Result<BatchGot> batch_get_items(const BatchGetItems& request) override {
    return ask([&] { return inner_.batch_get_items(request); });
  }
  Result<BatchWritten> batch_write_items(const BatchWriteItems& request) override {
    return ask([&] { return inner_.batch_write_items(request); });
  }
  Result<TransactWritten> transact_write_items(const TransactWriteItems& request) override {
    return ask([&] { return inner_.transact_write_items(request); });
  }
  Result<TransactGot> transact_get_items(const TransactGetItems& request) override {
    return ask([&] { return inner_.transact_get_items(request); });
  }

 private:
  template <typename Request>
  auto ask(const Request& request) -> decltype(request()) {
    if (is_dead_) return Error{Code::kUnavailable, kKilled};
    if (life_ && requests_ >= *life_) {
      is_dead_ = true;
      if (is_last_done_) (void)request();
      return Error{Code::kUnavailable, kKilled};
    }
    ++requests_;
    return request();
  }

  std::optional<uint64_t> life_;
  bool is_last_done_ = false;
  uint64_t requests_ = 0;
  bool is_dead_ = false;
};

}  // namespace sheaf::migrate
