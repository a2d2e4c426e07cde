#include "doctor/checkup.h"

#include "base/try.h"
#include "doctor/examination.h"

namespace sheaf::doctor {

Result<Checkup> check_store(store::Store& store, const Clock& clock, const CheckupOptions& options) {
  Examination examination(store, clock, options);
  const Known known = TRY(check_catalog(examination));
  for (const engine::TableRef& table : known.tables) {
    if (table->settings.status != TableStatus::kDeleting) TRY(check_table(examination, known, *table));
  }
  TRY(examination.flush());
  return examination.result();
}

}  // namespace sheaf::doctor
