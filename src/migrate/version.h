// In which layout a model is stored; and, while it moves, in which two. One item of the model's system table
// says so to everybody who uses the model.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sheaf/database.h"

#include "migrate/translation.h"
#include "model/layout.h"

namespace sheaf::migrate {

// A number of an item; 0 if it has none of that name.
int64_t whole_of(ItemView item, std::string_view attribute);

struct Version {
  std::string text;    // of the model, in the language
  std::string layout;  // one of those that it has
  // Under which its guards, jobs and facts are kept: no two versions at a time have the same.
  std::string label;
  std::map<std::string, std::string> tables;  // what they are called, where that is not as the layout says
};

// A layout as this version has it: under its label, with its tables' names.
void rename_as(const Version& version, model::Layout& layout);

enum class Phase : uint8_t {
  kOne,      // the current one is read and written
  kReadOld,  // both are written, the current one is read
  kReadNew,  // both are written, the next one is read
};
std::string_view name_of(Phase phase);

struct VersionRecord {
  int64_t epoch = 0;  // one more with every change
  Phase phase = Phase::kOne;
  Version current;
  std::optional<Version> next;  // unless kOne
  std::optional<Version> gone;  // no longer written, and still there; only if kOne
  Renames renames;              // from the current one to the next
  bool is_locked = false;       // nobody but the model may write the tables, where that can be had
  // Those that it was moved from and to. Who was told to use one of them uses what is here; others are stored
  // beside it, and never moved.
  std::set<std::string> layouts;
};

// Whether what is gone is what the last move led to, and not what it led from.
bool is_taken_back(const VersionRecord& record);

// Nothing if the model never moved: it is stored as it says itself.
Result<std::optional<VersionRecord>> read_versions(Database& database, const std::string& system_table);
// kConflict if somebody else was faster: `epoch` is the one before.
Result<void> write_versions(Database& database, const std::string& system_table, const VersionRecord& record);

// For which tables are about to be made, until the move is recorded: who died in between left them behind.
Result<std::optional<Version>> read_intended(Database& database, const std::string& system_table);
Result<void> write_intended(Database& database, const std::string& system_table, const Version& next);
Result<void> drop_intended(Database& database, const std::string& system_table);

// Who uses the model says so until when, for the epoch that it knows of.
struct Lease {
  std::string owner;
  int64_t epoch = 0;
  int64_t until_ms = 0;
};
Result<void> put_lease(Database& database, const std::string& system_table, const Lease& lease);
Result<void> drop_lease(Database& database, const std::string& system_table, const Lease& lease);
Result<std::vector<Lease>> list_leases(Database& database, const std::string& system_table);

}  // namespace sheaf::migrate
