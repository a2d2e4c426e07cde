// Looks through everything that a model has stored, and says what is not as it should be.
#pragma once

#include <string>
#include <vector>

#include "sheaf/database.h"

#include "model/layout.h"
#include "model/model.h"

namespace sheaf::run {

struct Finding {
  enum class Kind : uint8_t {
    kForeign,       // no entity and no relation explains the item
    kMisfit,        // a field is missing, or no value of its type
    kStaleKey,      // an index key, or the tag, is not what its fields say
    kDangling,      // it leads to somebody who is not there
    kMissingEnd,    // a required end leads to nobody
    kTwice,         // an end that leads to one leads to two
    kMissingGuard,  // nothing would stop a second one
    kStrayGuard,    // it guards what is not there
    kWrongCount,    // a kept count is not the number
    kDrift,         // a copy is older than its source, and no job is under way
    kLostMark,      // marked as being deleted, and no job does it
    kHalfPair,      // a pair that is stored in both directions is so in one, or the two differ
  };
  Kind kind = Kind::kForeign;
  std::string what;     // the item, for people
  std::string message;  // what is wrong with it
  bool is_mended = false;
};
std::string_view name_of(Finding::Kind kind);

struct Audit {
  std::vector<Finding> findings;
  uint64_t items = 0;
  uint64_t entities = 0;
  uint64_t edges = 0;
  uint64_t being_deleted = 0;
  uint64_t copies_under_way = 0;  // behind their source, with a job that will bring them in step
  int64_t oldest_job_ms = 0;      // how long ago it was made; 0: there is none
};

struct AuditOptions {
  // Mends what is safe: guards, counts, index keys, copies, edges to nobody, half pairs, lost marks. Each
  // under the condition that it is still as it was found.
  bool repairs = false;
};

// Reads all items, so it is for quiet times: what is written meanwhile may be told as a finding.
Result<Audit> audit(Database& database, const model::Model& model, const model::Layout& layout,
                    const AuditOptions& options);

}  // namespace sheaf::run
