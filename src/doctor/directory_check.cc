#include "doctor/directory_check.h"

#include <algorithm>
#include <filesystem>

#include "base/try.h"
#include "store/data_directory.h"
#include "store/rocks_store.h"

namespace sheaf::doctor {
namespace {

// Beside the directory, under a name that is free.
Result<std::string> backup_path(const std::string& directory) {
  for (int number = 1;; ++number) {
    std::string path = store::without_slashes(directory) + ".before-repair-" + std::to_string(number);
    std::error_code failed;
    const bool is_taken = std::filesystem::exists(path, failed);
    if (failed) return Error{Code::kIo, "cannot look at " + path + ": " + failed.message()};
    if (!is_taken) return path;
  }
}

}  // namespace

bool DirectoryCheck::can_be_read() const {
  return std::none_of(checkup.findings.begin(), checkup.findings.end(), [](const Finding& finding) {
    return finding.trouble == Trouble::kDamagedFile || finding.trouble == Trouble::kUnreadable ||
           finding.trouble == Trouble::kBadSettings;
  });
}

bool DirectoryCheck::can_be_repaired() const {
  return can_be_read() &&
         std::any_of(checkup.findings.begin(), checkup.findings.end(),
                     [](const Finding& finding) { return !remedy_of(finding.trouble).empty(); });
}

Result<DirectoryCheck> check_directory(const std::string& directory, const Clock& clock,
                                       const std::function<void(const Figures&)>& progress) {
  DirectoryCheck check;
  check.store = TRY(store::open_to_inspect(directory));
  check.files = TRY(store::check_files(*check.store));
  check.checkup = TRY(check_store(*check.store, clock, {.progress = progress}));
  std::vector<Finding>& findings = check.checkup.findings;
  for (const store::DamagedFile& file : check.files.damaged)
    findings.insert(
        findings.begin(),
        {.trouble = Trouble::kDamagedFile, .where = file.path, .count = 1, .example = file.problem});
  return check;
}

Result<std::string> repair_directory(const std::string& directory, const Clock& clock, Backup backup) {
  const std::unique_ptr<store::Store> store = TRY(store::open_rocks_store({.directory = directory}, clock));
  std::string copy;
  if (backup == Backup::kBeside) {
    copy = TRY(backup_path(directory));
    TRY(store->checkpoint(copy));
  }
  TRY(check_store(*store, clock, {.repairs = true}));
  return copy;
}

}  // namespace sheaf::doctor
