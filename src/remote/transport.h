// How a request's text reaches an endpoint and the answer's text comes back.
#pragma once

#include <string>
#include <string_view>
#include <variant>

namespace sheaf::remote {

struct Question {
  std::string_view target;  // "DynamoDB_20120810.PutItem"
  std::string_view body;    // JSON
};

// What the endpoint said, whatever it was.
struct Reply {
  int status = 200;
  std::string body;
};

// There is no reply, or none that can be trusted.
struct Silence {
  // The endpoint may have got the question, and done what it asks for.
  bool may_be_heard = false;
  // Asking again would not help.
  bool is_final = false;
  std::string why;
};

using Exchanged = std::variant<Reply, Silence>;

// Thread-safe.
class Transport {
 public:
  virtual ~Transport() = default;
  // Asks once. Returns within a bounded time.
  virtual Exchanged exchange(const Question& question) = 0;
};

}  // namespace sheaf::remote
