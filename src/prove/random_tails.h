// What stands behind the source of a list or an entity in a pattern: where, filter, order, limit, page,
// select.
#pragma once

#include <string>
#include <vector>

#include "prove/random_patterns.h"

namespace sheaf::prove {

// Where the elements stand in the document.
struct NodePlace {
  model::EntityId entity = 0;
  std::optional<model::EndId> end;  // by which they were reached
  bool is_list = false;
  bool is_alone = false;     // `one` of what is one anyway: no key chooses
  bool is_one = false;       // behind `one`
  bool is_nested = false;    // in the braces of another
  bool is_repeated = false;  // end^k
  bool is_bounded = false;   // its size is declared
  int depth = 0;
};

class TailMaker {
 public:
  TailMaker(Draw& draw, const model::Model& model) : draw_(draw), model_(model) {}

  std::string tail(const NodePlace& place);
  // Conditions for a list of all entities of a type, which needs some.
  std::string search(const NodePlace& place);

  Parameters parameters;
  std::vector<View> views;
  bool needs_reads_max = false;

 private:
  ConditionMaker conditions(OperandPlace place = OperandPlace::kPattern) {
    return {draw_, model_, parameters, place};
  }
  bool is_bounded(model::EndId end) const;
  std::string where(const NodePlace& place, View& view);
  std::string where_when(const NodePlace& place, View& view);
  std::string filter(const NodePlace& place);
  std::string order(const NodePlace& place, View& view);
  std::string cut(const NodePlace& place, bool is_ordered);
  std::string select(const NodePlace& place);
  std::string selected(const NodePlace& place);
  std::string nested(const NodePlace& place, model::EndId end);
  std::string aggregate(const NodePlace& place, std::set<std::string>& taken);
  std::vector<model::EndId> open_ends(const NodePlace& place) const;

  Draw& draw_;
  const model::Model& model_;
  size_t nodes_ = 1;
};

}  // namespace sheaf::prove
