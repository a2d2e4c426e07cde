// Answers about tables, from DynamoDB's JSON. kCorrupt if one cannot be read.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sheaf/table.h"

#include "remote/answer_reader.h"

namespace sheaf::remote {

// A table as one answer describes it, and what else is needed to ask for more. Tags and time to live are in
// answers of their own, and so are all streams but the latest.
struct DescribedTable {
  TableDescription table;
  std::string arn;
  std::string stream_arn;  // of the latest stream; empty: there never was one
  bool is_active = false;  // and can be used; also while an index is filled
};

// `member` is "Table" of DescribeTable, and "TableDescription" of the other operations. Ids are made of what
// endpoints use for it, so that they differ where those do.
Result<DescribedTable> read_table(Json json, std::string_view member);

struct NamesPage {
  std::vector<std::string> names;
  std::string last;  // empty: there are no more
};
// ListTables
Result<NamesPage> read_table_names(Json json);

struct TagsPage {
  std::map<std::string, std::string> tags;
  std::string next_token;  // empty: there are no more
};
// ListTagsOfResource
Result<TagsPage> read_tags(Json json);

// DescribeTimeToLive: the attribute, if it is on.
Result<std::optional<std::string>> read_time_to_live(Json json);

// A number that is another for most other texts.
uint32_t id_of(std::string_view text);

}  // namespace sheaf::remote
