// The ranges of keys in which the items and edges that a document needs can be read.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/layout.h"
#include "model/model.h"
#include "plans/questions.h"

namespace sheaf::plans {

// A value that a key needs: an operand of the pattern, or a part of somebody's identity.
struct Term {
  const model::Condition* condition = nullptr;
  size_t spot = 0;
  model::FieldPath path;

  // The same name, the same value.
  std::string name() const;
};

// Keys of one kind of items in a table or one of its indexes.
struct View {
  size_t table = 0;
  std::optional<size_t> index;
  const model::KeyTemplate* pk = nullptr;
  const model::KeyTemplate* sk = nullptr;
  const model::IndexEntry* entry = nullptr;
};

// The items of a spot, or the edges that lead to it, as one range of keys in a partition.
struct Range {
  size_t spot = 0;
  bool is_edge = false;
  const model::ItemKind* kind = nullptr;
  View view;
  std::vector<Term> partition;
  std::vector<Term> bound;
  bool is_whole = false;  // one key
  bool is_one = false;    // one item
  bool is_exact = true;
  std::optional<size_t> anchor;  // the lowest spot that a term is of: one Query for each of its entities
  Facts needs = 0;
};

class Ranges {
 public:
  Ranges(const model::Model& model, const model::Layout& layout, const model::Pattern& pattern,
         const std::vector<bool>& given, const Questions& asked, bool is_strong)
      : model_(model),
        layout_(layout),
        pattern_(pattern),
        given_(given),
        asked_(asked),
        is_strong_(is_strong) {}

  // All of them: those that have everything that belongs to a spot and serve all conditions on it.
  std::vector<Range> all();
  std::vector<View> views(const model::ItemKind& kind) const;
  // Conditions of `where` whose parameters are given.
  std::vector<const model::Condition*> conditions(size_t spot) const;
  bool is_in_identity(size_t spot, const model::FieldPath& path) const;
  bool is_above(size_t upper, size_t lower) const;

 private:
  const Spot& spot(size_t id) const { return asked_.spots()[id]; }
  const std::vector<model::FieldPath>& identity(size_t id) const {
    return model_.entities[spot(id).entity].identity;
  }
  // The condition of a kind on the value of a hole.
  const model::Condition* condition_on(const model::Hole& hole, size_t id, bool is_edge,
                                       bool is_equality) const;
  // Whose identity has the value of a hole, as far up as it can be told.
  std::optional<Term> term(const model::Hole& hole, size_t id, bool is_edge) const;
  void add(size_t id, bool is_edge, const model::ItemKind& kind);
  bool tells(const Range& range) const;
  bool is_one(const Range& range) const;
  void note_anchor(Range& range) const;
  // Whether the range has all that belongs to the spot, and serves all conditions on it.
  bool is_complete(Range& range, const std::vector<const model::Hole*>& holes) const;
  // Whether all that is wanted is in the index: nothing that an absent value or a `when` keeps out of it.
  bool is_listed(const Range& range, const std::vector<const model::Hole*>& holes,
                 const model::Condition* ranged) const;
  bool is_always_there(const model::Hole& hole, const Range& range) const;
  bool is_exact(const Range& range, const std::vector<const model::Hole*>& holes, bool is_known) const;
  bool is_cut(size_t id) const;
  void keep_exact();

  const model::Model& model_;
  const model::Layout& layout_;
  const model::Pattern& pattern_;
  const std::vector<bool>& given_;
  const Questions& asked_;
  const bool is_strong_;
  std::vector<Range> ranges_;
};

}  // namespace sheaf::plans
