#include "model/strategies/entry_bounds.h"

namespace sheaf::model {
namespace {

constexpr int64_t kItemBytesMax = 400 * 1024;

}  // namespace

void check_entries(LayoutDraft& draft, const StoredRelation& stored, const End& end, const Entries& entries) {
  if (!end.leads_to_many) return;
  if (!end.max) {
    draft.mistakes.tell("unbounded-list", entries.span,
                        entries.what + " without bound does not fit an item of 400 KB", entries.bounded_by);
  } else if (*end.max > kItemBytesMax / entries.bytes) {
    draft.mistakes.tell("item-too-large", stored.span,
                        std::to_string(*end.max) + " " + end.name + " of " + std::to_string(entries.bytes) +
                            " bytes do not fit an item of 400 KB",
                        "lower size max, or use a strategy with an item for each of them");
  }
}

}  // namespace sheaf::model
