// Reads streams and compares them with what the reference says they hold.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sheaf/database.h"

#include "programs/operation.h"
#include "programs/reference_table.h"

namespace sheaf::programs {

class StreamReader {
 public:
  using Difference = std::optional<std::string>;

  // Reads on where the last poll of the table's newest stream ended.
  Difference poll(Database& database, const ReferenceTable& table, const PollOperation& poll, int64_t now_us);

  // Reads all that is kept of every stream of the table.
  static Difference check(Database& database, const ReferenceTable& table, int64_t now_us);

 private:
  // A place in the reference's events of one shard. Those of one group come in any order.
  struct Progress {
    size_t next = 0;         // all before it have come
    std::set<size_t> ahead;  // behind it, and of its group, these have come

    size_t left_of(const std::vector<ReferenceEvent>& events) const {
      return events.size() - next - ahead.size();
    }
    // Takes one event off; what is wrong with it, if anything is.
    Difference take(const std::vector<ReferenceEvent>& events, const ChangeEvent& event);
  };
  struct Cursor {
    StreamPosition position = kOldestRecord;
    Progress progress;
    int64_t reached_end_us = -1;  // when it last had read everything
  };
  struct Reader {
    uint32_t stream = 0;
    std::array<Cursor, kShardCount> shards;
  };

  static Difference take_all(Progress& progress, const std::vector<ReferenceEvent>& events,
                             const std::vector<ChangeEvent>& actual, StreamPosition from);

  std::map<std::string, Reader> readers_;
};

}  // namespace sheaf::programs
