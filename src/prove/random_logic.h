// Entities and relations made by chance: the half of a model that has nothing to do with storage.
#pragma once

#include <array>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "language/syntax.h"
#include "prove/draw.h"
#include "prove/random_types.h"

namespace sheaf::prove {

struct EntityDraft {
  std::string name;
  std::string within;  // the end that leads to the parent; empty if there is none
  std::vector<FieldDraft> fields;
  std::vector<std::string> clauses;  // timestamps, versioned, ttl
  bool is_ghost = false;             // it has ids only, so that it can be stored as none
  bool is_leaf = false;              // it has its parent and no other relations, so that it can be embedded
  std::set<std::string> taken;       // names of its members
};

struct RelationDraft {
  size_t from = 0;
  size_t to = 0;
  language::Cardinality cardinality = language::Cardinality::kOneToMany;
  std::array<std::string, 2> ends;  // the second is empty if it is symmetric
  bool is_within = false;
  std::vector<FieldDraft> edge_fields;
  std::vector<std::string> clauses;  // sizes, required, on delete, unchecked, loops

  bool is_symmetric() const { return ends[1].empty(); }
};

struct LogicDraft {
  std::string name;
  std::vector<EntityDraft> entities;
  std::vector<RelationDraft> relations;
};

LogicDraft random_logic(Draw& draw);

// Adds relations between the entities; part of random_logic.
void add_relations(Draw& draw, LogicDraft& logic);

// `entity NAME [within END] {`, and the same of a relation; bodies follow.
std::string head_of(const EntityDraft& entity);
std::string head_of(const LogicDraft& logic, const RelationDraft& relation);
// The clauses of the bodies, those about storage not among them.
std::vector<std::string> body_of(const EntityDraft& entity);
std::vector<std::string> body_of(const RelationDraft& relation);

// A model of the entities and relations alone.
std::string text_of(const LogicDraft& logic);

}  // namespace sheaf::prove
