// The tables that a layout needs, and why it needs their indexes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sheaf/table.h"

#include "language/json_writer.h"
#include "model/layout.h"
#include "model/model.h"

namespace sheaf::exports {

struct StoredTable {
  CreateTable request;  // as `sheaf model apply` makes it
  std::optional<std::string> ttl;
  bool is_system = false;          // the model's own: guards, jobs
  std::vector<std::string> notes;  // what it holds, a line each
};

// Those of the layout, then the system table.
std::vector<StoredTable> stored_tables(const model::Model& model, const model::Layout& layout);

// Every attribute that a key of the table or of an index needs, once: the table's own first.
std::vector<KeyAttribute> key_attributes(const CreateTable& request);

// S, N or B.
std::string_view type_letter(Type type);
// ALL, KEYS_ONLY or INCLUDE.
std::string_view projection_word(ProjectionKind projection);
// As the member of an index, in DynamoDB's words.
void write_projection(language::JsonWriter& json, const IndexDeclaration& index);

// A line for every relation: how it is stored, and which index it needs, or that it needs none.
std::vector<std::string> relation_notes(const model::Model& model, const model::Layout& layout);

// What stands above every export: of which model and layout, and the relations.
std::vector<std::string> heading(const model::Model& model, const model::Layout& layout);

// Lines as comments, each behind `mark`.
std::string comments(const std::vector<std::string>& lines, std::string_view mark);

}  // namespace sheaf::exports
