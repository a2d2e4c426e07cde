// Runs a pattern on a state. doc/semantics.md, section 3, cited by its rules.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reference/result.h"
#include "reference/state.h"

namespace sheaf::reference {

// A parameter's value: an identity, a document, or another value. Nothing if it was left out.
struct Argument {
  std::optional<Identity> identity;
  std::optional<Value> value;

  bool is_given() const { return identity || value; }
};

struct ReadResult {
  bool is_invalid = false;  // it must be refused
  bool may_fail = false;    // it may be refused: a sum that is too large, more reads than `reads max` allows
  bool is_open = false;     // which of several links an entity was met by decides something
  List documents;
};

ReadResult read_pattern(const State& state, const language::Pattern& pattern,
                        const std::vector<Value>& arguments, const Moment& now);

// The arguments of a pattern or operation; nothing if one does not fit. `puts`: parameters that are
// documents.
std::optional<std::vector<Argument>> arguments_of(const Schema& schema,
                                                  const std::vector<language::Parameter>& parameters,
                                                  const std::vector<Value>& values,
                                                  const std::vector<bool>& puts);

}  // namespace sheaf::reference
