// Moves a model from the layout that it is stored in to another, while it is used: both are written, what is
// there is copied and compared, the new one is read, the old one is no longer written. Every step can be
// taken again after a crash, and until the last one all of it can be taken back.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "migrate/comparison.h"
#include "migrate/open_version.h"
#include "migrate/version.h"

namespace sheaf::migrate {

struct MoveRequest {
  std::string from_text;
  std::string from_layout{model::kDefaultLayout};
  std::string to_text;
  std::string to_layout{model::kDefaultLayout};
  Renames renames;
  std::map<std::string, std::string> tables;  // what new tables are to be called
  // Until it is over, a Sheaf server lets nobody but the model write the tables, old and new. Other endpoints
  // do not know this: see lets_strangers_write.
  bool locks = false;
};

// How far the copying of one layout into the other is.
struct Progress {
  enum class Stage : uint8_t {
    kCopy,     // from the old one to the new one
    kSweep,    // what the new one has too much
    kCompare,  // the old one with the new one
    kMatch,    // the new one with the old one
    kDone,
  };
  Stage stage = Stage::kCopy;
  size_t table = 0;
  std::optional<Item> from;  // where to go on in it
  int64_t seen = 0;          // entities and edges
  int64_t changed = 0;       // that were copied, or taken away
  int64_t put_off = 0;       // what could not be copied yet, or differs
  int64_t awaiting = 0;      // how much of that waits for a deletion that is under way
  int64_t rounds = 0;        // how often it was begun anew for what is put off
  int64_t waits = 0;         // and how often for deletions alone
  std::string difference;    // the last that was found, for people
  // What the comparison found to differ though it had been copied: somebody wrote it beside the model. How
  // often, and the first of them.
  int64_t differing = 0;
  std::vector<std::string> differences;
};
std::string_view name_of(Progress::Stage stage);

// One at a time: who is slower is told kConflict.
class Migration {
 public:
  // Makes the tables of the new layout, and has everybody write both. kInvalid if the models do not fit
  // together; kConflict if one is under way.
  static Result<std::unique_ptr<Migration>> begin(Database& database, const MoveRequest& request,
                                                  const run::WriterOptions& options);
  // The one that is under way, wherever it is. kNotFound if there is none. While what is left of the last one
  // is still there, it is that, for remove_left_over alone.
  static Result<std::unique_ptr<Migration>> resume(Database& database, const std::string& system_table,
                                                   const run::WriterOptions& options);

  const VersionRecord& record() const { return record_; }
  const Progress& progress() const { return progress_; }

  // How many still use what was before the newest change. Each of the following needs that to be none.
  Result<size_t> count_behind() const;
  Result<bool> is_settled() const;

  // Copies and compares a piece, of about so many items. Progress::Stage::kDone: both say the same.
  Result<void> advance(uint32_t items);
  // From now on the new one is read. Only if both say the same.
  Result<void> read_new();
  // Both once more, while the new one is read and both are written: what the old one says otherwise, and what
  // is in its tables that the model does not explain, is lost when it is left alone. Changes nothing.
  Result<Comparison> compare(const std::function<void(uint64_t)>& on_progress = {}) const;
  // Likewise before a step back: what the new one says otherwise, and what is in its tables that the model
  // does not explain. Before the new one is read, only what it has too much: the rest may be still to be
  // copied.
  Result<Comparison> compare_back(const std::function<void(uint64_t)>& on_progress = {}) const;
  // From now on the old one is neither read nor written, and there is no way back. Only while the new one is
  // read. Does not look at what only the old one says: see compare.
  Result<void> stop_writing_old();
  // One step back: to reading the old one, or to writing it alone. Does not look at what only the new one
  // says: see compare_back.
  Result<void> step_back();
  // Removes what is left of the one that is no longer written: its tables, its guards and its jobs.
  Result<void> remove_left_over();
  // Leaves its tables to whoever wants them.
  Result<void> keep_left_over();

 private:
  Migration(Database& database, std::string system_table, run::WriterOptions options)
      : database_(database), system_table_(std::move(system_table)), options_(std::move(options)) {}

  Result<void> open();
  Result<void> change(VersionRecord record);
  Result<void> read_progress();
  Result<void> write_progress();
  Result<void> need_settled() const;
  Result<void> next_table(size_t tables);
  Result<void> walk(uint32_t items);
  Result<bool> awaits_copies();
  void note_difference(const std::string& what);
  Result<void> remove_tables(const Version& gone, const Version& stays);
  Result<void> lock();
  Result<void> unlock();
  Result<void> remove_records(const Version& gone);

  Database& database_;
  const std::string system_table_;
  const run::WriterOptions options_;
  VersionRecord record_;
  Progress progress_;
  std::shared_ptr<const OpenPair> pair_;          // while there are two
  std::optional<std::set<std::string>> awaited_;  // jobs, before the comparison begins
};

// Tags a table as only this writer's for a moment, and tries whether somebody else could write it then;
// writes nothing. `stranger`: the same database, asked as nobody in particular.
Result<bool> lets_strangers_write(Database& database, const std::string& writer, Database& stranger,
                                  const std::string& table);

}  // namespace sheaf::migrate
