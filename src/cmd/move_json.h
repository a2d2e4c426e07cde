// What `sheaf model migrate --json` tells programs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "migrate/comparison.h"
#include "migrate/difference.h"
#include "migrate/migration.h"

namespace sheaf::cmd {

struct MovePlan {
  const migrate::Difference& difference;
  bool moves = false;
  uint64_t items = 0;
  std::optional<std::string> hindrance;
};
std::string json_of(const MovePlan& plan);

// Where a model is.
struct MoveState {
  const std::string& model;
  const migrate::VersionRecord* record = nullptr;  // none: it was never moved
  const migrate::Progress* progress = nullptr;     // while there are two layouts
  size_t behind = 0;                               // programs
};

// What became of what was asked for.
struct MoveOutcome {
  bool is_done = true;
  bool is_applied = false;  // where it is: no item had to move
  std::optional<migrate::Comparison> compared;
  std::optional<bool> are_tables_kept;  // of the layout that is no longer used
};
// `outcome`: none if it was only asked for the state.
std::string json_of(const MoveState& state, const MoveOutcome* outcome);

}  // namespace sheaf::cmd
