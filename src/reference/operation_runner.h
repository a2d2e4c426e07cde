// Carries an operation out on a state. doc/semantics.md, section 4, cited by its rules.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "reference/state.h"

namespace sheaf::reference {

enum class Refusal : uint8_t { kInvalid, kNotFound, kInUse, kConflict };

struct WriteResult {
  std::set<Refusal> refusals;        // it must be refused, for one of these; empty: it is carried out
  std::vector<std::string> reasons;  // all that were found, for people
  State after;                       // if it is carried out
};

// An operation of the model, or a built-in one (put.E, link.E.END, ..). `generated`: the identities of what
// is put, in the order of the writes: documents may leave generated ids out.
WriteResult run_operation(const State& before, const std::string& name, const std::vector<Value>& arguments,
                          const Moment& now, const std::vector<Identity>& generated = {});

}  // namespace sheaf::reference
