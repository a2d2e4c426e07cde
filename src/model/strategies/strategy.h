// How a relation can be stored. One module a strategy in this folder; all others ask this interface, and know
// none of them by name.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/layout.h"
#include "model/layout_draft.h"
#include "model/mistakes.h"
#include "model/model.h"

namespace sheaf::model {

class Strategy {
 public:
  virtual ~Strategy() = default;

  // As it is written behind `via`.
  virtual language::Via::Kind kind() const = 0;
  // What it does with a relation, more closely: "map", "on GSI1".
  virtual std::string detail(const Model& model, const Layout& layout, const StoredRelation& stored) const;

  // --- What it can store. Each tells what is wrong.

  // Whether a relation can be stored like this at all, whatever its keys are.
  virtual bool fits(const Model& model, const Relation& relation, language::Span span,
                    Mistakes& mistakes) const = 0;
  // Whether it can store one whose ends are alike.
  virtual bool takes_symmetric() const { return false; }
  // Whether both ends must have items.
  virtual bool needs_items() const { return true; }
  // Whether it has items of its own, which can be given keys.
  virtual bool has_items() const { return false; }
  // Whether fields of what an end leads to have a place to be copied to.
  virtual bool has_room(const LayoutDraft& draft, const StoredRelation& stored, const language::Copy& copy,
                        int side) const = 0;

  // Whether who changes finds the copies of a field again, to change them, too.
  virtual bool finds_copies(const LayoutDraft&, const StoredRelation&, const language::Copy&,
                            const Field&) const {
    return true;
  }

  // --- Keys

  // Where a child lies whose key nobody wrote down.
  enum class ChildKey : uint8_t { kOwn, kInPartition, kBehindParent };
  virtual ChildKey child_key() const { return ChildKey::kOwn; }
  // Reads what was said, adds the items and indexes that it needs, and checks its claim.
  virtual void store(LayoutDraft& draft, StoredRelation& stored,
                     const std::optional<language::Via>& said) const = 0;

  // --- What it stores where, and what that promises

  virtual EndStorage storage(const StoredRelation& stored, int side) const = 0;
  // Whether the holder of an end finds what it leads to by a strongly consistent read.
  virtual bool is_found_strongly(const StoredRelation& stored, int side) const = 0;
};

// Whether a relation can be stored like this, symmetric ones among them. Tells what is wrong.
bool fits(const Strategy& strategy, const Model& model, const Relation& relation, language::Span span,
          Mistakes& mistakes);

// None for auto.
const Strategy* find_strategy(language::Via::Kind kind);

// Modules
const Strategy& ref_strategy();
const Strategy& collection_strategy();
const Strategy& path_strategy();
const Strategy& index_strategy();
const Strategy& embed_strategy();
const Strategy& ids_strategy();
const Strategy& edges_strategy();
const Strategy& graph_strategy();
const Strategy& lists_strategy();

}  // namespace sheaf::model
