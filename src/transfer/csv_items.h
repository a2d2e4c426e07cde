// Items as rows of CSV.
//
// The first row has the names of attributes; each other is an item. A cell with nothing in it is an attribute
// that the item does not have, "" an empty string. What a cell means is said by the type of its column:
//   S            the text itself
//   N            a number
//   B            base64
//   BOOL, NULL   true, false; null
//   M, L         JSON, as in plain_items.h
//   SS, NS, BS   a list in JSON: ["a","b"], [1,2], ["base64"]
//   any          DynamoDB's JSON, {"N":"5"}: for columns with values of several types
//   guess        whatever it looks like: a number that would be written just so, true, false, null, JSON, or
//                else a string
// A head may say it itself: `age:N`, with any of these but guess. An attribute whose values are of several
// types may then have a column for each, of which a row fills one.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sheaf/table.h"
#include "sheaf/value.h"

#include "transfer/json_items.h"

namespace sheaf::transfer {

struct ColumnType {
  enum class Kind : uint8_t { kOne, kAny, kGuess };
  Kind kind = Kind::kOne;
  Type type = Type::kString;

  bool operator==(const ColumnType&) const = default;
};

// By column_key of the attribute's name; "*" stands for all that are not named.
using ColumnTypes = std::map<std::string, ColumnType, std::less<>>;
// The name; "\\*" of an attribute that is called "*" itself, and a backslash more of what could be taken for
// it.
std::string column_key(std::string_view name);
std::string column_of_key(std::string_view key);

// age:N,tags:SS,*:guess, which is a row of CSV itself: a name with a comma stands in quotes. kInvalid, with
// what is wrong.
Result<ColumnTypes> parse_column_types(std::string_view text);
std::string to_text(const ColumnTypes& types);
// With those of the attributes that are keys of the table or of its indexes, where nothing else is said.
ColumnTypes with_keys(ColumnTypes types, const TableDescription& table);

struct Column {
  std::string name;
  ColumnType type;
  bool is_another = false;  // there is one of the same name, and another type, before it
};

// What the first row says; `types` go before what a head says. kInvalid if a name is empty or there twice
// with one type, or if this is no row but all of a file whose lines end in another way.
Result<std::vector<Column>> read_header(std::string_view record, const ColumnTypes& types);

// `reader` is scratch. A row may have fewer cells than there are columns, but not more.
Result<Item> read_row(std::string_view record, const std::vector<Column>& columns, TypedItemReader& reader);

// Of the items that will be written: which columns they need.
class ColumnsSeen {
 public:
  void add(ItemView item);
  void add(const ColumnsSeen& others);
  // The key first, then the others by their names. A column of one type has it.
  std::vector<Column> columns(const KeySchema& key) const;

 private:
  std::map<std::string, std::set<Type>, std::less<>> types_;
};

void append_header(std::string& out, const std::vector<Column>& columns);
// kInvalid if an attribute has no column, or not its type.
Result<void> append_row(std::string& out, ItemView item, const std::vector<Column>& columns);

}  // namespace sheaf::transfer
