// What a pattern asks for, as a list of facts: who the entities of its document are, and which values of
// theirs it shows. Written from the language alone; nothing here is the planner's.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/layout.h"
#include "model/model.h"

namespace sheaf::plans {

using Facts = uint64_t;  // a set of them

// How the entities of a place are told from those above.
enum class Found : uint8_t {
  kGiven,       // a parameter
  kConditions,  // `where` finds it
  kOwnItems,    // their items name the one above
  kEdges,       // that lead from the one above, or from what `where` names
  kNamed,       // the item above names them
  kIdentity,    // the identity above contains theirs
  kEmbedded,    // they lie in the item above
  kNever,
};

// Entities at one place of the document.
struct Spot {
  std::optional<size_t> above;
  std::optional<model::EndId> end;
  model::EntityId entity = 0;
  const model::Node* shown = nullptr;  // null: walked through, or only counted
  double per_one = 1;                  // how many for one above, as declared
  double total = 1;
  bool is_bounded = true;  // for one above
  Found found = Found::kGiven;
  std::set<model::FieldId> fields;  // values that the answer depends on, beside the identity
  bool shows_edge = false;
  bool is_summed = false;  // all of it is wanted, even if a part is shown
};

// Which attributes of an item a view has.
struct Held {
  const model::Index* index = nullptr;  // null: all of them
  const model::Table* table = nullptr;
  const model::ItemKind* kind = nullptr;

  bool attribute(const std::string& name) const;
  // In the text of a key.
  bool source(const model::HoleSource& source) const;
};

class Questions {
 public:
  // `given`: which parameters there are.
  Questions(const model::Model& model, const model::Layout& layout, const model::Pattern& pattern,
            const std::vector<bool>& given);

  const std::vector<Spot>& spots() const { return spots_; }
  size_t result() const { return result_; }
  bool is_list(size_t spot) const;
  // How many of a list are kept, if it ends or has pages.
  std::optional<int64_t> kept(size_t spot) const;

  Facts at_start() const;
  Facts goal() const { return goal_; }
  Facts known(size_t spot) const { return bit({'i', spot, 0}); }
  // The values of the entities of a spot.
  Facts values(size_t spot) const { return values(spot, spots_[spot].fields); }
  // All that follows from the facts without a request.
  Facts closed(Facts facts) const;
  // What an item of the spot, or an edge that leads to it, tells.
  Facts from_item(size_t spot, const Held& held) const;
  Facts from_edge(size_t spot, const Held& held) const;
  Facts from_finder(const Held& held) const;
  // Values that an item has copies of, of entities whose own items must be read for others.
  Facts spare_copies(size_t spot) const;
  // What in an edge that leads to the spot a place of the pattern is.
  model::HoleSource in_edge(size_t spot, const model::Place& place) const;

 private:
  struct Name {
    char kind;  // i: identity, v: value, e: edge field, x: that it exists
    size_t spot;
    size_t field;
    auto operator<=>(const Name&) const = default;
  };
  size_t add(std::optional<size_t> above, std::optional<model::EndId> end, const model::Node* shown);
  void add_below(size_t spot);
  bool must_be_there() const;
  static bool applies(const model::Condition& condition, const std::vector<bool>& given);
  void look_at_others(size_t id, const std::vector<bool>& given);
  size_t follow(size_t at, model::EndId end, const model::Place& place);
  void look_for_edges(const std::vector<bool>& given);
  void add_fields(size_t spot);
  Found found(const Spot& spot) const;
  Facts bit(Name name) const;
  Facts values(size_t spot, const std::set<model::FieldId>& of) const;
  Facts embedded(size_t spot) const;
  std::set<model::FieldId> copied(size_t spot) const;
  bool holds_identity(const Held& held, model::HoleSource start, const std::string& prefix,
                      model::EntityId entity) const;

  const model::Model& model_;
  const model::Layout& layout_;
  const model::Pattern& pattern_;
  std::vector<Spot> spots_;
  size_t result_ = 0;
  std::map<Name, size_t> names_;
  Facts goal_ = 0;
};

}  // namespace sheaf::plans
