// Tables, keys and strategies of a layout that is being made up, and their text.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "language/syntax.h"
#include "model/model.h"

namespace sheaf::prove {

enum class AttributeType : uint8_t { kString, kNumber, kBinary };

struct KeysDraft {
  language::Template pk;
  std::optional<language::Template> sk;
  // Of a template that is one hole: the attribute holds the field itself.
  AttributeType pk_type = AttributeType::kString;
  AttributeType sk_type = AttributeType::kString;
};

struct IndexLine {
  std::string index;
  KeysDraft keys;
  std::string when;
};

// The physical clauses of an entity, or of the items of a relation.
struct PhysicalDraft {
  std::string table;
  std::string tag;
  std::string store;
  std::optional<KeysDraft> key;
  std::optional<KeysDraft> second_key;
  std::vector<IndexLine> indexes;
};

struct IndexDraft {
  std::string name;
  std::string pk;
  std::string sk;  // empty if there is none
  AttributeType pk_type = AttributeType::kString;
  AttributeType sk_type = AttributeType::kString;
  std::string projection;  // with a space before it
  bool is_over_table_keys = false;
  bool is_shared = true;        // several kinds of items can lie in it
  std::set<std::string> users;  // kinds of items with a line for it
};

struct TableDraft {
  std::string name;
  std::string pk;
  std::string sk;  // empty if there is none
  AttributeType pk_type = AttributeType::kString;
  AttributeType sk_type = AttributeType::kString;
  std::string pk_word, sk_word;  // the types as they are written, each with a space before it
  std::string tag;
  std::string ttl;
  std::vector<IndexDraft> indexes;
};

struct ViaDraft {
  std::string way;  // with its options; empty if nothing is said
  std::vector<std::string> copies;
  PhysicalDraft physical;
};

struct StorageDraft {
  std::vector<TableDraft> tables;
  std::vector<PhysicalDraft> entities;  // one an entity
  std::vector<ViaDraft> relations;      // one a relation

  bool has_keys() const;
};

std::string written_keys(const KeysDraft& keys);
std::string written_table(const TableDraft& table);
// Clauses, each without a `;`.
std::vector<std::string> written_clauses(const PhysicalDraft& physical);
// What stands behind `via`; empty if nothing is said.
std::string written_via(const ViaDraft& via);

// What `storage` says and `base` does not, as the parts of a layout: `table .. {}`, `entity .. {}`, `rel ..
// via ..`.
std::vector<std::string> differences(const model::Model& model, const StorageDraft& base,
                                     const StorageDraft& storage);

}  // namespace sheaf::prove
