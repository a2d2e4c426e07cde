// Makes up one layout of a model: strategies, tables, keys, and indexes for what patterns look for.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "prove/random_keys.h"
#include "prove/random_patterns.h"
#include "prove/random_ways.h"
#include "prove/storage_draft.h"

namespace sheaf::prove {

class LayoutMaker {
 public:
  // `base` is what the layout extends; what it does not say stays as it is there.
  LayoutMaker(Draw& draw, const model::Model& model, const std::vector<View>& views,
              const StorageDraft& base);

  // With `has_keys` tables and keys are written down; otherwise strategies alone, unless the base has keys.
  StorageDraft run(bool has_keys);

 private:
  using EntityId = model::EntityId;
  using RelationId = model::RelationId;

  // --- What is stored as items of its own (random_layouts.cc)
  void choose_ghosts();
  void choose_stores();
  bool can_be_by_field(EntityId entity) const;
  bool is_embedded(EntityId entity) const;
  bool has_items(EntityId entity) const { return !ghosts_[entity] && !is_embedded(entity); }
  bool is_by_field(EntityId entity) const { return made_.entities[entity].store == "eav"; }
  // The relation in whose parent's partition it lies.
  std::optional<RelationId> parent_relation(EntityId entity) const;
  bool has_children_in_partition(EntityId entity) const;

  // --- Tables (random_tables.cc)
  void make_tables();
  size_t add_table(const std::string& wanted);
  size_t fill_table(const std::string& name);
  void clear_unused();
  void write_types(TableDraft& table);
  void make_natural(EntityId entity);
  std::string attribute_name(const HoleDraft& hole, const std::string& otherwise);
  void put_into(EntityId entity, size_t table);
  std::string table_name(const std::string& wanted);

  // --- Keys (random_layouts.cc)
  void make_key(EntityId entity);
  KeysDraft own_key(EntityId entity);
  KeysDraft child_key(EntityId entity, RelationId relation);
  KeysDraft by_field_key(EntityId entity);
  void spread(EntityId entity, language::Template& pk);
  void spread_sort_key(EntityId entity, KeysDraft& keys);
  std::optional<HoleDraft> own_field(EntityId entity, bool is_textual);
  bool can_be_keyed(EntityId entity) const;

  // --- Indexes (random_indexes.cc)
  void make_lines();
  void add_lookup(EntityId entity);
  std::string add_children(RelationId relation);
  void add_view(const View& view);
  void add_entity_view(const View& view);
  void add_edge_view(const View& view);
  bool can_be_copied(model::EndId end, const PlaceChoice& choice) const;
  KeysDraft view_keys(const std::string& name, std::vector<HoleDraft> led,
                      const std::optional<HoleDraft>& sorted, const std::vector<HoleDraft>& id);
  void prepare_inherited();
  void cover_inherited(EntityId entity);
  std::optional<HoleDraft> reachable(const PlaceChoice& place);
  // Adds the line to an index of the table, and returns its name.
  std::string add_line(size_t table, PhysicalDraft& physical, const std::string& kind, const KeysDraft& keys,
                       const std::string& when = "");
  std::string add_shared_line(EntityId entity, const KeysDraft& keys);
  IndexDraft& index_for(TableDraft& table, const std::string& kind, const KeysDraft& keys,
                        const std::string& wanted);
  IndexDraft new_index(const TableDraft& table, const KeysDraft& keys, const std::string& wanted);
  std::string projection_of(const std::string& kind);

  // --- Relations (random_vias.cc)
  void make_via(RelationId relation);
  std::string edges_text(RelationId relation);
  void add_copies(RelationId relation);
  void write_copies(RelationId relation);
  bool is_copyable(const model::Field& field) const;
  void edge_items(RelationId relation, int side, bool is_both);
  KeysDraft edge_key(RelationId relation, int side, const std::string& word, bool is_in_partition);
  std::vector<HoleDraft> edge_identity(RelationId relation, int side) const;
  std::vector<HoleDraft> edge_ids(RelationId relation) const;

  bool maybe() { return draw_.chance.one_in(2); }

  Draw& draw_;
  const model::Model& model_;
  const std::vector<View>& views_;
  const StorageDraft& base_;
  StorageDraft made_;
  KeyWriter keys_;
  bool has_keys_ = false;
  std::vector<bool> ghosts_;
  std::vector<Way> ways_;
  std::vector<size_t> table_of_;    // one an entity
  std::vector<std::string> words_;  // one an entity: what its keys begin with
  std::vector<bool> is_keyed_;      // its key is written down
  std::vector<bool> is_natural_;    // in a table of its own
  std::vector<bool> is_spread_;     // its partition holds a bucket of another field
  std::vector<bool> found_by_id_;   // its identity tells its key
  std::optional<size_t> edge_table_;
  std::vector<std::optional<int>> pk_side_;               // of edges whose keys are written down
  std::map<EntityId, std::vector<IndexLine>> inherited_;  // index lines of the base
  std::map<std::pair<RelationId, int>, std::set<std::string>> copies_;
  std::set<std::string> names_;  // of tables and indexes
};

// A layout that changes a few things of its base.
StorageDraft random_extension(Draw& draw, const model::Model& model, const StorageDraft& base);

}  // namespace sheaf::prove
