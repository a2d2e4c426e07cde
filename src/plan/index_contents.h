// What of the items that an index lists can be read in the index itself.
#pragma once

#include <string>
#include <vector>

#include "model/layout.h"
#include "model/model.h"
#include "plan/plan.h"

namespace sheaf::plan {

class IndexContents {
 public:
  // Borrows all of it. `view` is of an index.
  IndexContents(const model::Model& model, const model::Layout& layout,
                const std::vector<DocumentNode>& nodes, const View& view)
      : model_(model),
        layout_(layout),
        nodes_(nodes),
        table_(layout.tables[view.table]),
        index_(table_.indexes[*view.index]) {}

  // All that the document takes from the items, or edges, that are wanted there.
  bool hold_all(const Want& want) const;
  // The entities of `child` are named in, or lie in, the items of its parent.
  bool name(size_t child) const;

 private:
  bool hold(const std::string& attribute) const;
  bool hold_key(const model::ItemKind& kind, const model::HoleSource& source) const;
  bool hold_edge(const Want& want) const;
  // What the conditions of `where` look at: it is tested on what is found, unless the index assures them.
  bool hold_conditions(const Want& want) const;
  bool hold_place(const Want& want, const model::Place& place) const;
  // Copies of a node's wanted fields, beside the name of the end that leads to it or, in the keys of this
  // kind of items, from this source.
  bool hold_copies(size_t node, const model::ItemKind& kind, model::HoleSource source) const;

  const model::Model& model_;
  const model::Layout& layout_;
  const std::vector<DocumentNode>& nodes_;
  const model::Table& table_;
  const model::Index& index_;
};

}  // namespace sheaf::plan
