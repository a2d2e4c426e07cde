// Any text is a statement or is refused, and nothing else; what it asks of a key never leaves out what its
// condition holds for.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "partiql/changes.h"
#include "partiql/conditions.h"
#include "partiql/key_reads.h"
#include "partiql/literals.h"
#include "partiql/parser.h"

namespace sheaf::partiql {
namespace {

void look_at(const Select& select) {
  if (!select.where) return;
  const Result<expr::Condition> condition = to_condition(*select.where);
  const ReadKey key{.partition = "pk", .sort = "sk"};
  const Result<KeyReads> reads = key_reads(select.where, select.order, key);
  if (!condition.ok() || !reads.ok() || reads->is_scan) return;
  for (const char* pk : {"a", "b", ""}) {
    for (const char* sk : {"", "1", "2", "ab"}) {
      const Item item{{"pk", pk}, {"sk", sk}, {"x", 1}};
      const bool is_read =
          std::any_of(reads->reads.begin(), reads->reads.end(),
                      [&](const expr::KeyCondition& read) { return read.partition[0] == Value(pk); });
      if (condition->matches(item) && !is_read) std::abort();
    }
  }
}

void look_at(std::string_view text) {
  Result<Statement> statement = parse(text);
  if (!statement.ok()) return;
  const std::vector<Value> parameters(statement->parameters, Value("a"));
  if (!fold_literals(*statement, parameters).ok()) return;
  if (const auto* select = std::get_if<Select>(&statement->what)) look_at(*select);
  if (const auto* update = std::get_if<UpdateStatement>(&statement->what))
    (void)to_update(update->actions).ok();
}

}  // namespace
}  // namespace sheaf::partiql

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size > sheaf::partiql::kStatementBytesMax) return 0;
  sheaf::partiql::look_at(std::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
