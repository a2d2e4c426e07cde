// The requests of a plan with values in their keys.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sheaf/request.h"

#include "plan/plan.h"
#include "run/record.h"

namespace sheaf::run {

// A parameter's value: the identity of an entity, or a value; nothing if it is left out. Where an operation
// writes a whole entity, its document.
struct Argument {
  Identity identity;
  std::optional<Value> value;
  bool is_given = true;
};

// For each node of a document that is known, from the anchor of a request up: who.
using KnownNodes = std::map<size_t, Identity>;

// Whether a key of an item lies in the partition that a query, made here, reads.
bool is_in_partition(const model::Layout& layout, const plan::View& view, const Query& query, ItemView key);

class RequestBuilder {
 public:
  RequestBuilder(const model::Model& model, const model::Layout& layout, const plan::Plan& plan,
                 const std::vector<Argument>& arguments,
                 std::chrono::system_clock::time_point now = std::chrono::system_clock::now())
      : model_(model), layout_(layout), plan_(plan), arguments_(arguments), now_(now) {}

  // One of the queries of a request: for what `known` says, in the bucket and shard of `choice`. kInvalid if
  // an argument has no place in a key. `from`: the sort key at which it begins, in its direction.
  Result<Query> query(const plan::Request& request, const KnownNodes& known,
                      const std::vector<std::string>& choice = {}, const Value* from = nullptr) const;

 private:
  struct Interval;

  Result<std::string> bound(const plan::Binding& binding, const KnownNodes& known) const;
  Result<std::string> partition(const plan::Request& request, const KnownNodes& known,
                                const std::vector<std::string>& choice) const;
  Result<Interval> interval(const plan::Request& request, const plan::Want& want,
                            const KnownNodes& known) const;
  Result<Interval> range(const model::KeyTemplate& sk, const model::Condition& condition,
                         const std::vector<std::string>& values, const std::string& prefix) const;
  Result<void> narrow(const plan::Request& request, const KnownNodes& known, const model::KeyAttribute& sk,
                      const Value* from, Query& query) const;

  const model::Model& model_;
  const model::Layout& layout_;
  const plan::Plan& plan_;
  const std::vector<Argument>& arguments_;
  const std::chrono::system_clock::time_point now_;  // the time of the request
};

}  // namespace sheaf::run
