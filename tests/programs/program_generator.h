// Random programs: thousands of operations on a handful of tables of every shape.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "programs/dice.h"
#include "programs/operation.h"
#include "programs/value_generator.h"

namespace sheaf::programs {

inline constexpr int64_t kStartTimeUs = int64_t{1'700'000'000} * 1'000'000;

struct ProgramOptions {
  uint64_t seed = 1;
  uint32_t operations = 1000;
  uint32_t check_interval = 200;  // operations between two checks of everything
};

class ProgramGenerator {
 public:
  explicit ProgramGenerator(const ProgramOptions& options);

  Program generate();

 private:
  struct Shape {
    CreateTable declared;
    std::vector<IndexDeclaration> added;
  };

  CreateTable random_table(const std::string& name, KeySchema key, bool first);
  std::vector<IndexDeclaration> local_menu(const KeySchema& key) const;
  std::vector<IndexDeclaration> global_menu(const KeySchema& key) const;
  std::vector<IndexDeclaration> indexes_of(const Shape& shape) const;

  Shape& any_shape();
  // Usually a table that there is.
  std::string table_name(const Shape& shape);

  Operation next(size_t step);
  WriteOperation write(const Shape& shape);
  WriteOperation put(const Shape& shape, uint32_t oddity);
  Item item(const Shape& shape, uint32_t oddity);
  GetOperation get(const Shape& shape);
  ReadOperation query(const Shape& shape);
  ReadOperation scan(const Shape& shape);
  void add_read_options(const Shape& shape, const KeySchema& key, ReadOperation& read);
  std::vector<KeyClause> key_clauses(const KeySchema& key);
  Value key_value(const std::string& attribute, Type type);
  Item start_key(const Shape& shape, const KeySchema& key);
  BatchGetOperation batch_get();
  BatchWriteItems batch_write();
  TransactWriteOperation transact_write();
  TransactGetOperation transact_get();
  Operation table_change(size_t step);
  Operation background();

  const ProgramOptions options_;
  Dice dice_;
  int64_t time_s_ = kStartTimeUs / 1'000'000;
  ValueGenerator values_;
  std::vector<Shape> shapes_;
  std::vector<TransactWriteOperation> tokens_;         // transactions whose tokens may come again
  std::vector<std::pair<size_t, Operation>> planned_;  // at which step
  uint32_t token_count_ = 0;
  uint32_t added_indexes_ = 0;
};

}  // namespace sheaf::programs
