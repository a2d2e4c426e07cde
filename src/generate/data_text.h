// What a Generator makes, as text: one data file, or lines, each of which is a data file of one document or
// link, parents first. `sheaf model load` reads both.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "generate/generator.h"

namespace sheaf::generate {

// {"User":[{"id":"u1","name":"Ann"}]}
std::string document_line(const Generator& generator, model::EntityId entity, uint64_t ordinal);
// {"links":{"User.friends":[["u1","u2",{"since":"2026-01-01"}]]}}
std::string link_line(const Generator& generator, model::RelationId relation, const EdgePlace& place,
                      const Link& link);

struct Written {
  uint64_t documents = 0;
  uint64_t links = 0;
};
using Sink = std::function<Result<void>(std::string_view text)>;

// In pieces of some 64 KB. `progress` may be empty: documents and links that are done, of about how many.
Result<Written> write_lines(const Generator& generator, const Sink& sink,
                            const std::function<void(uint64_t done, uint64_t all)>& progress);
// The same as one file.
Result<Written> write_file(const Generator& generator, const Sink& sink,
                           const std::function<void(uint64_t done, uint64_t all)>& progress);

}  // namespace sheaf::generate
