// Tables, keys and indexes, as they are typed: one word each.
//   PK  date:N                                   an attribute; without a type a text
//   GSI1=GSI1PK/GSI1SK                           an index: name, partition key, sort key
//   byDate=date:N keys                           that has nothing but keys
//   byTeam=country,team/date:N include title,total   keys of several attributes; two others
// A backslash takes the meaning from the character behind it: "a\/b".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sheaf/result.h"
#include "sheaf/table.h"

namespace sheaf::console {

struct TableWords {
  std::string table;
  std::string key;
  std::string sort;  // empty: none
  std::vector<std::string> global_indexes;
  std::vector<std::string> local_indexes;  // "byDate=date:N": the partition key is the table's
};

// A type that is given once holds wherever the attribute is a key. kInvalid, with the word and what is wrong
// with it, if one cannot be read or an attribute has two types.
Result<CreateTable> create_table_of(const TableWords& words);

// An index to be added to a table: attributes that are keys there keep their types.
Result<IndexDeclaration> added_index_of(std::string_view words, const TableDescription& table);

// "5/10": units to read and to write. kInvalid unless both are whole numbers from 1 on.
Result<Throughput> units_of(std::string_view words);

// What create_table_of reads. An attribute always has its type, unless it is a text.
std::string words_of(const KeyAttribute& attribute);
std::string words_of(const KeySchema& key);
std::string words_of(const IndexDescription& index);

}  // namespace sheaf::console
