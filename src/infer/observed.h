// What was seen of tables: their descriptions and some of their items. All that the inference looks at.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sheaf/table.h"
#include "sheaf/value.h"

namespace sheaf::infer {

struct ObservedIndex {
  std::string name;
  KeySchema key;
  ProjectionKind projection = ProjectionKind::kAll;
  std::vector<std::string> included;
  bool is_local = false;
};

// Items that somebody calls one kind: a facet of NoSQL Workbench. It may have a name for its keys
// (ORG#<name>), and need not have items.
struct Facet {
  std::string name;
  std::string pk_alias;
  std::string sk_alias;
  std::vector<std::string> attributes;
  std::vector<size_t> items;  // of the table's
};

struct DeclaredAttribute {
  std::string name;
  std::string type;  // DynamoDB's word: S, N, M, ...
};

struct ObservedTable {
  std::string name;
  KeySchema key;
  std::vector<ObservedIndex> indexes;
  std::string ttl;  // the attribute; empty: none
  std::vector<Item> items;
  std::optional<int64_t> item_count;                   // in the table, if that is known
  std::vector<Facet> facets;                           // none: kinds are found by tag and keys
  std::vector<DeclaredAttribute> declared_attributes;  // where somebody wrote them down
};

struct Observed {
  std::string name;  // of the model
  std::vector<ObservedTable> tables;
};

}  // namespace sheaf::infer
