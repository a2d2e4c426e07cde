// Data of a model, as functions: the entity of a number, and whom it is linked with, follow from the seed
// alone. Nothing is kept, so that there may be as many as one likes; and nothing depends on a layout.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sheaf/result.h"
#include "sheaf/value.h"

#include "generate/chance.h"
#include "generate/field_values.h"
#include "generate/links.h"
#include "generate/shares.h"
#include "generate/sizes.h"
#include "model/compiled_model.h"
#include "run/record.h"

namespace sheaf::generate {

struct GeneratorOptions {
  Wishes wishes;
  Skew skew;
  uint64_t seed = 1;
  // Times lie in the year before this; none: 2026-07-01, or half a year after the last `since`.
  std::optional<int64_t> until_ms;
  std::map<std::string, uint64_t> item_bytes;  // by entity: about how large its items are to be
};

// An edge: the pair, and which of those between the two.
struct EdgePlace {
  uint64_t position = 0;
  uint64_t number = 0;
};

// Thread-safe: it holds nothing that changes.
class Generator {
 public:
  // `compiled` has no mistakes and outlives it. kInvalid, with what to ask for instead, if there is no such
  // data.
  static Result<std::unique_ptr<Generator>> make(const model::CompiledModel& compiled,
                                                 const GeneratorOptions& options);

  const model::Model& model() const { return model_; }
  uint64_t count(model::EntityId entity) const { return populations_[entity].count(); }
  const Links& links(model::RelationId relation) const { return *links_[relation]; }
  // Parents before their children.
  const std::vector<model::EntityId>& order() const { return order_; }
  // When the last times are, in milliseconds since 1970.
  int64_t until_ms() const { return period_.end_ms; }
  // Whether there are times that may not lie in the future.
  bool has_since() const { return has_since_; }

  // --- Entities, by number.

  run::Identity identity(model::EntityId entity, uint64_t ordinal) const;
  // As arguments and documents have it: a value, or a list of them.
  Value id(model::EntityId entity, uint64_t ordinal) const;
  // As it is stored; nothing if it has none.
  std::optional<Value> field(model::EntityId entity, uint64_t ordinal, model::FieldId field) const;
  run::Fields fields(model::EntityId entity, uint64_t ordinal) const;
  // As data files have it: without what operations count, with the ends that lead to one and have no fields.
  Value document(model::EntityId entity, uint64_t ordinal) const;

  // --- Edges: links, of which there may be several between two.

  uint64_t parallel(model::RelationId relation, uint64_t position) const {
    return 1 + position % sizes_.relations[relation].parallel_max;
  }
  // How many the holder of an end has.
  uint64_t degree(model::EndId end, uint64_t ordinal) const;
  // Those of a holder, with whom each leads to, until `each` returns false.
  void each_edge(model::EndId end, uint64_t ordinal,
                 const std::function<bool(const EdgePlace&, uint64_t other)>& each) const;
  // To whom an end that leads to one leads.
  std::optional<uint64_t> target(model::EndId end, uint64_t ordinal) const;
  run::Fields edge_fields(model::RelationId relation, const EdgePlace& place) const;
  // Whether the documents of this end's holder name whom it leads to; otherwise edges tell it.
  bool is_in_document(model::EndId end) const;

  // --- For asking.

  // Some entity: the more popular, the likelier, by the skew. There is at least one.
  uint64_t pick(model::EntityId entity, Chance& chance) const;
  // The id of one that is not there.
  Value missing_id(model::EntityId entity, uint64_t nonce) const;
  // How many nonces give different new ones.
  uint64_t room(model::EntityId entity) const;
  // A document of one that is not there, with the ends that it needs but those in `without`; kInvalid if ids
  // have no more values.
  Result<Value> new_document(model::EntityId entity, uint64_t nonce,
                             const std::vector<model::EndId>& without = {}) const;
  // A value that a field, or an edge's field, could have.
  Value some_value(model::EntityId entity, model::FieldId field, Chance& chance) const;
  Value some_edge_value(model::RelationId relation, model::FieldId field, Chance& chance) const;

 private:
  struct EntityPlan {
    uint64_t key = 0;
    std::vector<FieldValues> values;      // one a field
    std::optional<model::EndId> primary;  // by which children lie one parent after the other
    std::vector<model::FieldId> ids;      // its own
    std::optional<size_t> carrier;        // the one of them that tells siblings apart; none: all together
    bool is_by_ordinal = false;           // the carrier is so in all the model
    Period period;
    std::optional<model::FieldId> filled;  // up to so many bytes
    uint64_t bytes = 0;
  };

  explicit Generator(const model::CompiledModel& compiled) : model_(compiled.model) {}

  Result<void> prepare(const model::CompiledModel& compiled, const GeneratorOptions& options);
  Result<void> make_values(const GeneratorOptions& options, const std::vector<uint64_t>& wanted);
  Capacities capacities() const;
  void choose_primary();
  void make_links(const GeneratorOptions& options);
  void choose_carriers();
  Result<void> choose_filled(const GeneratorOptions& options);

  // A number for each of those with one parent, and in all where there is none.
  struct Place {
    std::optional<uint64_t> parent;
    uint64_t number = 0;
  };
  Place place(model::EntityId entity, uint64_t ordinal) const;
  // One entity, and what its fields go along with.
  struct Subject {
    model::EntityId entity = 0;
    uint64_t ordinal = 0;
    Place place;
    Occasion occasion;
  };
  Subject subject(model::EntityId entity, uint64_t ordinal) const;
  Value own_id(const Subject& subject, size_t id) const;
  std::optional<Value> field_of(const Subject& subject, model::FieldId field) const;
  run::Identity identity_of(const Subject& subject) const;
  int64_t moment(model::EntityId entity, uint64_t ordinal) const;
  int64_t moment_after(model::EntityId entity, uint64_t ordinal, std::optional<int64_t> parent) const;
  std::optional<Value> plain_field(model::EntityId entity, uint64_t ordinal, model::FieldId field,
                                   const Occasion& occasion) const;
  Value filled_text(const Subject& subject, Value text) const;
  Value id_value(model::EntityId entity, const run::Identity& identity) const;

  const model::Model& model_;
  Sizes sizes_;
  Period period_;
  bool has_since_ = false;
  std::vector<std::vector<KeyNeeds>> needs_;  // by entity and field
  std::vector<std::vector<KeyNeeds>> edge_needs_;
  std::vector<std::vector<std::vector<std::string>>> likely_;  // by entity and field
  std::vector<EntityPlan> plans_;
  std::vector<std::vector<FieldValues>> edge_values_;  // by relation and field
  std::vector<uint64_t> edge_keys_;
  std::vector<Population> populations_;
  std::vector<Shares> popularity_;
  std::vector<std::unique_ptr<Links>> links_;
  std::vector<model::EntityId> order_;
};

}  // namespace sheaf::generate
