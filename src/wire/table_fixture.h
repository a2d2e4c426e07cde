// For tests: a database in memory, with a clock that stands still until it is moved, asked in DynamoDB's
// JSON.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "api/local_database.h"
#include "base/clock.h"
#include "store/memory_store.h"
#include "wire/operation.h"

namespace sheaf::wire {

inline constexpr int64_t kSecondUs = 1'000'000;
inline constexpr int64_t kTestStartUs = int64_t{1'800'000'000} * kSecondUs + 123'456;  // January 2027

// 'a' for "a", so that JSON is readable in a test.
inline std::string json(std::string text) {
  std::replace(text.begin(), text.end(), '\'', '"');
  return text;
}

// An answer, to be looked into by JSON pointers: "/Table/TableStatus". What is not there is shown as "-".
class Reply {
 public:
  explicit Reply(Answer answer) : answer_(std::move(answer)) {}

  const std::string& body() const { return answer_.body; }
  int status() const { return answer_.status; }
  bool ok() const { return answer_.status == 200; }
  bool has(std::string_view pointer) const { return at(pointer) != "-"; }
  // Texts without their quotes; anything else as JSON.
  std::string at(std::string_view pointer) const {
    simdjson::dom::parser parser;
    simdjson::dom::element root, found;
    if (parser.parse(answer_.body).get(root) != simdjson::SUCCESS) return "no JSON: " + answer_.body;
    if (root.at_pointer(pointer).get(found) != simdjson::SUCCESS) return "-";
    std::string_view text;
    return found.get(text) == simdjson::SUCCESS ? std::string(text) : simdjson::minify(found);
  }
  // "ValidationException: text"
  std::string refusal() const {
    if (ok()) return "was not refused: " + answer_.body;
    return std::string(answer_.error) + ": " + at(has("/message") ? "/message" : "/Message");
  }

 private:
  Answer answer_;
};

// What a reply must be.
inline std::string invalid(const std::string& message) { return "ValidationException: " + message; }
inline std::string invalid_value(const std::string& message) {
  return invalid("One or more parameter values were invalid: " + message);
}
inline std::string violated(const std::string& value, const std::string& member, const std::string& must) {
  return invalid("1 validation error detected: Value " + value + " at '" + member +
                 "' failed to satisfy constraint: Member must " + must);
}

class WireTest : public ::testing::Test {
 protected:
  using OpenStore = std::unique_ptr<store::Store> (*)(const Clock& clock);
  explicit WireTest(OpenStore open_store = store::open_memory_store,
                    const OpenOptions& options = {.background_thread = false})
      : database_(open_store(clock_), clock_, options) {}

  // `body` with ' for ".
  Reply call(std::string_view name, const std::string& body) { return call_exactly(name, json(body)); }
  Reply call_exactly(std::string_view name, const std::string& body) {
    const Operation* operation = find_operation("DynamoDB_20120810." + std::string(name));
    if (operation == nullptr) operation = find_operation("DynamoDBStreams_20120810." + std::string(name));
    if (operation == nullptr) {
      ADD_FAILURE() << "there is no " << name;
      return Reply(Answer());
    }
    const std::string padded = body + std::string(simdjson::SIMDJSON_PADDING, ' ');
    return Reply(await<Answer>([&](Loop& loop, auto done) {
      run(*operation, std::string_view(padded).substr(0, body.size()),
          Call{.database = database_,
               .account = account_,
               .loop = loop,
               .done = std::move(done),
               .writer = writer_});
    }));
  }
  std::string refusal(std::string_view name, const std::string& body) { return call(name, body).refusal(); }
  // A call that must succeed.
  Reply must(std::string_view name, const std::string& body) {
    Reply reply = call(name, body);
    EXPECT_TRUE(reply.ok()) << name << ' ' << body << " was refused: " << reply.body();
    return reply;
  }

  // A table with the key pk (and sk), on demand; `more` are further members.
  Reply create(const std::string& name, const std::string& more = "") {
    return must("CreateTable", table_request(name, more));
  }
  static std::string table_request(const std::string& name, const std::string& more = "") {
    return "{'TableName':'" + name +
           "','AttributeDefinitions':[{'AttributeName':'pk','AttributeType':'S'}],"
           "'KeySchema':[{'AttributeName':'pk','KeyType':'HASH'}],'BillingMode':'PAY_PER_REQUEST'" +
           more + "}";
  }
  Reply describe(const std::string& name) { return must("DescribeTable", "{'TableName':'" + name + "'}"); }
  void put(const std::string& table, const std::string& item) {
    must("PutItem", "{'TableName':'" + table + "','Item':" + item + "}");
  }
  // Does the background work that there is.
  void settle() {
    for (Result<bool> more = true; more.ok() && *more;) {
      more = database_.run_background_work();
      ASSERT_TRUE(more.ok()) << more.error().message;
    }
  }

  ManualClock clock_{kTestStartUs};
  Account account_;
  std::string_view writer_;  // as whom it is called
  api::LocalDatabase database_;
};

}  // namespace sheaf::wire
