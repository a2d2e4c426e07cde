// What an operation asks for, with its arguments filled in.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reference/pattern_reader.h"
#include "reference/state.h"

namespace sheaf::reference {

struct Assignment {
  const Field* field = nullptr;
  std::vector<std::string> inside;
  const language::Expression* expression = nullptr;  // or else:
  Value value;                                       // as the request gives it
};

struct Change {
  using Kind = language::Write::Kind;
  Kind kind = Kind::kPut;
  size_t entity = 0;
  Identity identity;
  Fields fields;                                  // put, upsert
  std::vector<std::pair<EndRef, Identity>> ends;  // put, upsert; set: moves; link, unlink: one
  std::vector<Assignment> assigned;               // set, add
  std::vector<Assignment> removed;                // remove: fields
  std::vector<EndRef> removed_ends;
  Fields edge_fields;  // link: those that are given
  const language::Condition* check = nullptr;
};

struct Request {
  const Schema& schema;
  const language::Operation* operation = nullptr;  // null: a built-in one
  std::vector<Argument> arguments;
  std::vector<Change> changes;
  std::string wrong;  // why it makes no sense, whatever is stored

  // The parameter of a path, by its first name.
  size_t parameter(const language::Path& path) const;
};

Request read_request(const Schema& schema, const std::string& name, const std::vector<Value>& arguments,
                     const Moment& now, const std::vector<Identity>& generated);

}  // namespace sheaf::reference
