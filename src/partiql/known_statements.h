// Statements that were read of late. Programs send the same few texts again and again, with other parameters.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>

#include "sheaf/result.h"

#include "partiql/statement.h"

namespace sheaf::partiql {

// What it remembers is bounded: a text takes the place of another. One thread at a time.
class KnownStatements {
 public:
  static constexpr size_t kPlaces = 64;
  // Longer ones are rarely sent twice, and their trees are large.
  static constexpr size_t kTextBytesMax = 1024;

  // As `parse`. What is wrong is not remembered.
  Result<Statement> read(std::string_view text);

 private:
  struct Known {
    std::string text;
    Statement statement;
  };
  std::array<std::unique_ptr<const Known>, kPlaces> known_;
};

}  // namespace sheaf::partiql
