// What operations that read have in common.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "api/expressions.h"
#include "engine/read_items.h"
#include "wire/operation.h"

namespace sheaf::wire {

// Calls `read(engine, request, options)` on the loop from memory alone, and, if that is not enough, again
// where it may wait for the disk; then answers with `answer(engine, request, result)`, made where it was
// read.
template <typename Request, typename Read, typename MakeAnswer>
void read_where_possible(Call call, Request request, Read read, MakeAnswer make_answer) {
  engine::Engine& engine = call.database.engine();
  const auto attempt = [&engine, read, make_answer](Request& asked,
                                                    bool cached_only) -> std::optional<Answer> {
    auto result = read(engine, asked, engine::ReadOptions{.cached_only = cached_only});
    if (result.ok()) return make_answer(engine, asked, std::move(*result));
    if (cached_only && result.error().code == Code::kWouldBlock) return std::nullopt;
    return error_answer(result.error());
  };
  if (std::optional<Answer> answer = attempt(request, !call.loop.may_block()))
    return call.done(std::move(*answer));
  Loop& loop = call.loop;
  loop.run_blocking([&loop, attempt, request = std::move(request), done = std::move(call.done)]() mutable {
    loop.post(
        [answer = *attempt(request, false), done = std::move(done)]() mutable { done(std::move(answer)); });
  });
}

// Which members hold the placeholders.
struct PlaceholderMembers {
  size_t names;
  std::optional<size_t> values = std::nullopt;
};

// Placeholders are refused where there is no expression to use them in, also if there are none of them.
inline Result<void> check_placeholders_wanted(const Input& input, const PlaceholderMembers& members,
                                              api::ExpressionsGiven given, std::string_view expressions) {
  if (!given.any && input.has(members.names)) return api::names_not_wanted();
  if (!given.with_values && members.values && input.has(*members.values))
    return api::values_not_wanted(expressions);
  return {};
}

}  // namespace sheaf::wire
