// A data directory as a whole: its files, and all that they hold.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "doctor/checkup.h"
#include "store/inspected_store.h"

namespace sheaf::doctor {

struct DirectoryCheck {
  store::FileCheck files;
  Checkup checkup;                      // with what is wrong with the files
  std::unique_ptr<store::Store> store;  // still open, to be read

  // Nothing is if some of it cannot be read: that could be taken for what is not there.
  bool can_be_read() const;
  bool can_be_repaired() const;
};

// Changes nothing. Errors as open_to_inspect.
Result<DirectoryCheck> check_directory(const std::string& directory, const Clock& clock,
                                       const std::function<void(const Figures&)>& progress);

enum class Backup : uint8_t { kNone, kBeside };
// Repairs what can be, after a copy was made; returns where the copy is, or "".
Result<std::string> repair_directory(const std::string& directory, const Clock& clock, Backup backup);

}  // namespace sheaf::doctor
