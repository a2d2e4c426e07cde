// What was found out, as a model: a syntax tree, with a note for each decision and where it shows.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "infer/clusters.h"
#include "infer/evidence.h"
#include "infer/kind.h"
#include "infer/links.h"
#include "infer/naming.h"
#include "infer/observed.h"
#include "language/syntax.h"

namespace sheaf::infer {

struct Note {
  enum class Where { kTable, kTag, kEntity, kField, kKey, kIndex, kRelation };
  Where where = Where::kEntity;
  std::string of;      // the table, the entity, or the entity whose end a relation is
  std::string member;  // the field, the index, the end
  Inference inference;
};

struct Findings {
  std::vector<std::optional<Tag>> tags;  // one a table
  std::vector<Kind> kinds;
  Found found;
  Naming naming;
  std::vector<Question> questions;
};

struct DesignOptions {
  // Ids say what they begin with, where all that were seen begin alike: keys that have no words of their own
  // are told apart by that.
  bool has_matches = false;
  bool has_patterns = true;
  std::set<std::string> left_out;  // patterns that no key serves
};

struct Design {
  language::Model model;
  std::vector<Note> notes;
  std::vector<Question> questions;
  std::vector<std::string> entity_of;  // one a kind: the entity, or Entity.end of edges
};

Design design_model(const Observed& observed, const Findings& findings, const DesignOptions& options);

}  // namespace sheaf::infer
