#include "partiql/known_statements.h"

#include <functional>

#include "base/try.h"
#include "partiql/parser.h"

namespace sheaf::partiql {

Result<Statement> KnownStatements::read(std::string_view text) {
  if (text.size() > kTextBytesMax) return parse(text);
  std::unique_ptr<const Known>& known = known_[std::hash<std::string_view>()(text) % kPlaces];
  if (known == nullptr || known->text != text) {
    Statement statement = TRY(parse(text));
    known.reset(new Known{.text = std::string(text), .statement = std::move(statement)});
  }
  return known->statement;
}

}  // namespace sheaf::partiql
