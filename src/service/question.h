// What a request asks of a pattern or an operation, read from its body or its query.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sheaf/result.h"
#include "sheaf/value.h"

#include "clients/model_shapes.h"
#include "service/route.h"

namespace sheaf::service {

struct Question {
  std::vector<Value> arguments;  // in the order of the parameters; null for those that are left out
  std::string cursor;
  bool wants_plan = false;
  bool wants_cost = false;
};

// What is asked: its name, its parameters, and whether its answers have pages.
struct Asked {
  const clients::ModelShapes& shapes;
  const std::string& name;
  const std::vector<clients::Member>& parameters;
  bool has_cursor = false;
};

// {"with": {"d": "d-2"}, "cursor": "..", "plan": true, "cost": true}; `with` may also be a list, in the order
// of the parameters. All may be left out, and so may the body. kMalformed or kInvalid, also for members that
// there are not.
Result<Question> read_body(const Asked& asked, std::string_view json);

// d=d-2&cursor=..&plan=true. A value of a parameter whose type is not text is JSON. An id of several parts is
// a JSON list, or its parts one after the other: o=ann&o=7.
Result<Question> read_query(const Asked& asked, const Query& query);

}  // namespace sheaf::service
