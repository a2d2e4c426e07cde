// Entities as people write them: {"id": "e-1", "name": "Ann", "department": "d-1"}.
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "sheaf/result.h"
#include "sheaf/value.h"

#include "model/layout.h"
#include "model/model.h"
#include "run/record.h"

namespace sheaf::run {

struct Document {
  Record record;  // its fields, what is embedded in it, and its identity; no references
  // To whom its ends lead, as far as it says.
  std::vector<std::pair<model::EndId, Identity>> ends;
};

struct DocumentOptions {
  // Defaults, generated ids and timestamps are filled in with it.
  std::chrono::system_clock::time_point now;
  // What operations keep (timestamps, versions, counts) may be given, too: when data is loaded.
  bool takes_kept_fields = false;
  // Ends that the document does not name and that its identity needs.
  std::vector<std::pair<model::EndId, Identity>> ends;
};

// kInvalid, with the reason, if it does not fit the model. An end that leads to one holds the id of its
// entity; one that leads to many is a list, of ids if the layout keeps ids there, of documents if it embeds.
Result<Document> read_document(const model::Model& model, const model::Layout& layout, model::EntityId entity,
                               ValueView value, const DocumentOptions& options);

// An identity from JSON: a value, or a list of them.
Result<Identity> identity_of(const model::Model& model, model::EntityId entity, ValueView value);

// Why the fields of an entity or edge are not whole, or nothing.
std::optional<std::string> lacking(const std::vector<model::Field>& fields, const Fields& values);

// Gives those that are missing and have a default their default.
void fill_defaults(const std::vector<model::Field>& fields, Fields& values,
                   std::chrono::system_clock::time_point now = std::chrono::system_clock::now());
// The same for a link, whose required ids are generated, too.
void fill_link(const std::vector<model::Field>& fields, Fields& values,
               std::chrono::system_clock::time_point now);

// Under which name a child lies in the map on its parent: its id, or the parts of it.
std::string embedded_name(const model::Model& model, model::EntityId child, const Fields& fields);
// The other way round: the ids that the name says.
void fill_embedded_ids(const model::Model& model, model::EntityId child, const std::string& name,
                       Fields& fields);

// The part of an identity that is the identity of what `end` leads to; empty if it is not in it.
Identity parent_in(const model::Model& model, model::EntityId entity, const Identity& identity,
                   model::EndId end);

}  // namespace sheaf::run
