// Requests about models from anywhere: each has an answer, which is JSON with a status of its kind, and no
// error is one of our own making.
#include <cstdlib>

#include "run/plain_json.h"
#include "service/model_service.h"

namespace {

using sheaf::service::ModelService;

constexpr const char* kModel = R"(model m {
  entity Org { name id; plan enum(FREE, PRO); tags set<string>?; extra any?; timestamps }
  entity User within org { name id; email unique; level int default 1; born date?; blob binary? }
  rel Org 1--* User as users / org { size max 50; on delete cascade }
  rel User *--* User as friends { edge { since time?; weight number }; size max 20 }
  pattern org(o: Org) = $o { *, users { *, friends }, n: count(users), sum: sum(users.level) }
  pattern users(o: Org, name: string?) = $o.users where name begins $name order name desc page 3
  op join(u: User, o: Org) = { put $u; link $u.org $o }
  op grow(u: User, by: int) = add $u.level = $by
})";

const ModelService& service() {
  static const std::unique_ptr<sheaf::Database> database = sheaf::Database::open_in_memory();
  static const auto opened = ModelService::open(*database, {{.path = "m.sheaf", .text = kModel}});
  if (!opened.ok()) std::abort();
  return **opened;
}

}  // namespace

// The first line is the method, the second the target, the rest the body.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const size_t first = input.find('\n');
  const size_t second = first == std::string_view::npos ? first : input.find('\n', first + 1);
  if (second == std::string_view::npos) return 0;
  const std::string target = "/models/" + std::string(input.substr(first + 1, second - first - 1));
  const auto route = sheaf::service::find_route(target);
  if (!route) return 0;
  const sheaf::service::Reply reply = service().answer(
      *route, {.method = input.substr(0, first), .target = target, .body = input.substr(second + 1)});
  if (reply.status >= 500) std::abort();
  if ((reply.status == 200) != reply.error.empty()) std::abort();
  if (!sheaf::run::from_plain_json(reply.body).ok()) std::abort();
  return 0;
}
