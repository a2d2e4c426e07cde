// The records of GetRecords.
#pragma once

#include <string>

#include "sheaf/stream.h"
#include "sheaf/table.h"

namespace sheaf::wire {

// Where a record comes from, as far as it shows in it.
struct RecordOrigin {
  std::string region;
  uint32_t stream = 0;
  uint8_t shard = 0;
  StreamView view = StreamView::kKeysOnly;
};

// {"eventID":...,"eventName":"INSERT",...}
void append_record(std::string& out, const ChangeEvent& event, const RecordOrigin& origin);

}  // namespace sheaf::wire
