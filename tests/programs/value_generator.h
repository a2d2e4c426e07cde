// Random values, items, conditions and updates over few attributes and few values, so that things meet.
#pragma once

#include <string>
#include <vector>

#include "sheaf/table.h"
#include "sheaf/value.h"

#include "programs/dice.h"
#include "programs/expression_model.h"

namespace sheaf::programs {

// The attributes that indexes are made of, each with the type that it has in all of them.
const std::vector<KeyAttribute>& index_attributes();

class ValueGenerator {
 public:
  // `time_s` is near the clock's: what items expire by.
  ValueGenerator(Dice& dice, int64_t time_s) : dice_(dice), time_s_(time_s) {}

  void set_time(int64_t time_s) { time_s_ = time_s; }
  // How many different sort keys there are, beside those at the edges.
  void set_sort_keys(uint32_t count) { sort_keys_ = count; }

  Value partition_value(Type type);
  Value sort_value(Type type);
  Value index_value(Type type);
  // Rarely empty, too long, or of another type.
  Value odd_value(Type type, uint32_t bytes_max);

  // A key of the schema; `oddity` is the chance in a thousand that something is wrong with it.
  Item key(const KeySchema& schema, uint32_t oddity);
  // An item with such a key and other attributes, index keys among them; `index_oddity` is for the latter.
  Item item(const KeySchema& schema, uint32_t oddity, uint32_t index_oddity);

  Condition condition(int depth = 0);
  Update update(const KeySchema& schema);
  Projection projection();
  DocumentPath path();
  Value value();

 private:
  Value small_number();
  Value text();
  Value set();
  Value document(int depth);
  Value padding();
  Value expiry_time();
  DocumentPath nested_path();
  Operand path_operand();
  Operand value_operand(Value value);
  Condition simple_condition();
  SetValue set_value(const DocumentPath& path);
  UpdateStep update_step(const KeySchema& schema);

  Dice& dice_;
  int64_t time_s_;
  uint32_t sort_keys_ = 12;
};

}  // namespace sheaf::programs
