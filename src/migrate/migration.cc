#include "migrate/migration.h"

#include <algorithm>
#include <set>

#include "api/table_writers.h"
#include "base/try.h"
#include "migrate/data_check.h"
#include "migrate/rename_check.h"
#include "migrate/sync.h"
#include "run/applied_layout.h"
#include "run/system_table.h"
#include "run/time_text.h"

namespace sheaf::migrate {
namespace {

using Stage = Progress::Stage;

// So often what was put off or differs is copied again. Who writes beside the model could go on for ever.
constexpr int64_t kRoundsMax = 50;
// So often for nothing but deletions. One whose process died goes on when its lease has run out: with the
// pauses in between, this is a few times as long.
constexpr int64_t kWaitsMax = 1000;
constexpr int kLongestPause = 6;

constexpr const char* kOldName = "the old layout";
constexpr const char* kNewName = "the new layout";

Item progress_key() { return run::system_key("version", "progress"); }

Result<bool> has_table(Database& database, const std::string& name) {
  const Result<TableDescription> there = database.describe_table(name);
  if (there.ok()) return true;
  if (there.error().code == Code::kNotFound) return false;
  return there.error();
}

// Gone, or on its way out.
Result<bool> is_going(Database& database, const std::string& table) {
  const Result<TableDescription> there = database.describe_table(table);
  if (there.ok()) return there->status == TableStatus::kDeleting;
  if (there.error().code == Code::kNotFound) return true;
  return there.error();
}

const model::Layout* find_layout(const model::CompiledModel& compiled, const std::string& name) {
  const model::Layout* const found = compiled.find_layout(name);
  return found != nullptr && found->is_sound ? found : nullptr;
}

std::string real_name(const Version& version, const std::string& table) {
  const auto real = version.tables.find(table);
  return real == version.tables.end() ? table : real->second;
}

// The tables that a version has, as they are called.
Result<std::set<std::string>> tables_of(const Version& version) {
  const model::CompiledModel compiled = model::compile("model.sheaf", version.text);
  const model::Layout* const layout = find_layout(compiled, version.layout);
  if (layout == nullptr) return Error{Code::kInvalid, "there is no layout " + version.layout};
  std::set<std::string> names;
  for (const model::Table& table : layout->tables) names.insert(real_name(version, table.name));
  return names;
}

// No two versions share a table: the items of both would lie among each other.
Result<void> name_tables(Database& database, const VersionRecord& record,
                         const std::map<std::string, std::string>& wanted, Version& next) {
  const std::set<std::string> used = TRY(tables_of(record.current));
  const model::CompiledModel compiled = model::compile("model.sheaf", next.text);
  const model::Layout* const layout = find_layout(compiled, next.layout);
  if (layout == nullptr) return Error{Code::kInvalid, "there is no layout " + next.layout};
  for (const model::Table& table : layout->tables) {
    std::string name = table.name;
    if (const auto given = wanted.find(table.name); given != wanted.end()) name = given->second;
    if (used.contains(name) && wanted.contains(table.name))
      return Error{Code::kInvalid, "the table " + name + " is in use: give the new one another name"};
    for (int number = 2; used.contains(name) || TRY(has_table(database, name)); ++number) {
      if (wanted.contains(table.name))
        return Error{Code::kInvalid, "there is a table " + name + " already: give the new one another name"};
      name = table.name + "-" + std::to_string(number);
    }
    if (name != table.name) next.tables[table.name] = name;
  }
  return {};
}

// Not there, or nothing is in it.
Result<bool> is_free(Database& database, const std::string& table) {
  const Result<TableDescription> there = database.describe_table(table);
  if (!there.ok() && there.error().code == Code::kNotFound) return true;
  if (!there.ok()) return there.error();
  if (there->status == TableStatus::kDeleting) return false;
  TRY(run::wait_until_active(database, table));
  const Page page = TRY(database.scan({.table = table, .limit = 1, .consistent = true}));
  return page.items.size() == 0 && !page.last_key;
}

// Who died before the same move was recorded has named its tables, and perhaps made them: they are used,
// unless they are somebody's by now.
Result<bool> take_over_tables(Database& database, const std::string& system_table,
                              const VersionRecord& record, const std::map<std::string, std::string>& wanted,
                              Version& next) {
  const std::optional<Version> intended = TRY(read_intended(database, system_table));
  if (!intended || intended->text != next.text || intended->layout != next.layout) return false;
  for (const auto& [table, name] : wanted) {
    if (real_name(*intended, table) != name) return false;
  }
  const std::set<std::string> used = TRY(tables_of(record.current));
  for (const std::string& table : TRY(tables_of(*intended))) {
    if (used.contains(table) || !TRY(is_free(database, table))) return false;
  }
  next.tables = intended->tables;
  return true;
}

}  // namespace

std::string_view name_of(Stage stage) {
  switch (stage) {
    case Stage::kCopy:
      return "copying";
    case Stage::kSweep:
      return "removing what is too much";
    case Stage::kCompare:
      return "comparing old with new";
    case Stage::kMatch:
      return "comparing new with old";
    case Stage::kDone:
      return "in step";
  }
  return "";
}

Result<std::unique_ptr<Migration>> Migration::begin(Database& database, const MoveRequest& request,
                                                    const run::WriterOptions& options) {
  const model::CompiledModel from = model::compile("old.sheaf", request.from_text);
  if (!from.ok()) return Error{Code::kInvalid, from.rendered()};
  const model::CompiledModel to = model::compile("new.sheaf", request.to_text);
  if (!to.ok()) return Error{Code::kInvalid, to.rendered()};
  if (from.model.name() != to.model.name())
    return Error{Code::kInvalid, "the models are " + from.model.name() + " and " + to.model.name() +
                                     ": a model that moves keeps its name"};
  const std::string system_table = run::system_table_name(from.model);
  std::optional<VersionRecord> record = TRY(read_versions(database, system_table));
  if (record && record->phase != Phase::kOne)
    return Error{Code::kConflict, "the model " + from.model.name() + " is being moved already"};
  if (record && record->gone)
    return Error{Code::kConflict,
                 "what is left of the last move of " + from.model.name() + " must be removed first"};
  if (record && record->current.layout != request.from_layout)
    return Error{Code::kInvalid, "the model " + from.model.name() + " is stored in the layout " +
                                     record->current.layout + ", not in " + request.from_layout};
  if (!record)
    record = VersionRecord{.current = {.text = {}, .layout = {}, .label = request.from_layout, .tables = {}}};
  record->current.text = request.from_text;
  record->current.layout = request.from_layout;
  Version next{.text = request.to_text,
               .layout = request.to_layout,
               .label = request.to_layout + "@" + std::to_string(record->epoch + 1),
               .tables = {}};
  if (!TRY(take_over_tables(database, system_table, *record, request.tables, next)))
    TRY(name_tables(database, *record, request.tables, next));
  const auto current = TRY(OpenVersion::open(database, record->current, options, false));
  // Both ways must be possible before anything is made.
  TRY(check_renames(current->model(), to.model, request.renames));
  const Translation there = TRY(Translation::make(current->model(), to.model, request.renames));
  TRY(there.reversed());
  TRY(check_data(current->side(), there));
  TRY(write_intended(database, system_table, next));
  TRY(OpenVersion::open(database, next, options, true));
  record->is_locked = request.locks;
  record->epoch += 1;
  record->phase = Phase::kReadOld;
  record->next = std::move(next);
  record->renames = request.renames;
  record->layouts.insert({request.from_layout, request.to_layout});
  TRY(write_versions(database, system_table, *record));
  TRY(drop_intended(database, system_table));
  return resume(database, system_table, options);
}

Result<std::unique_ptr<Migration>> Migration::resume(Database& database, const std::string& system_table,
                                                     const run::WriterOptions& options) {
  std::unique_ptr<Migration> made(new Migration(database, system_table, options));
  TRY(made->open());
  return made;
}

Result<void> Migration::open() {
  std::optional<VersionRecord> record = TRY(read_versions(database_, system_table_));
  if (!record || (record->phase == Phase::kOne && !record->gone))
    return Error{Code::kNotFound, "no model of " + system_table_ + " is being moved"};
  record_ = std::move(*record);
  if (record_.phase == Phase::kOne) return {};
  const auto current = TRY(OpenVersion::open(database_, record_.current, options_, false));
  const auto next = TRY(OpenVersion::open(database_, *record_.next, options_, false));
  pair_ = TRY(open_pair(current, next, record_.renames));
  if (record_.is_locked) TRY(lock());
  return read_progress();
}

Result<void> Migration::change(VersionRecord record) {
  record.epoch += 1;
  TRY(write_versions(database_, system_table_, record));
  record_ = std::move(record);
  return {};
}

Result<void> Migration::read_progress() {
  progress_ = {};
  const Got got =
      TRY(database_.get_item({.table = system_table_, .key = progress_key(), .consistent = true}));
  if (!got.item) return {};
  const ItemView item = *got.item;
  const auto label = item.find("label");
  if (!label || label->type() != Type::kString || label->bytes() != record_.next->label) return {};
  progress_.stage = static_cast<Stage>(std::min<int64_t>(whole_of(item, "stage"), 4));
  progress_.table = static_cast<size_t>(whole_of(item, "table"));
  progress_.seen = whole_of(item, "seen");
  progress_.changed = whole_of(item, "changed");
  progress_.put_off = whole_of(item, "put_off");
  progress_.awaiting = whole_of(item, "awaiting");
  progress_.rounds = whole_of(item, "rounds");
  progress_.waits = whole_of(item, "waits");
  const auto difference = item.find("difference");
  if (difference && difference->type() == Type::kString) progress_.difference = difference->bytes();
  progress_.differing = whole_of(item, "differing");
  const auto differences = item.find("differences");
  if (differences && differences->type() == Type::kList) {
    for (const ValueView each : differences->list()) progress_.differences.emplace_back(each.bytes());
  }
  const auto from = item.find("from");
  if (from && from->type() == Type::kMap) progress_.from = Item(from->map());
  return {};
}

Result<void> Migration::write_progress() {
  Item item = progress_key();
  item.set("label", Value(record_.next->label));
  item.set("stage", Value(static_cast<int64_t>(progress_.stage)));
  item.set("table", Value(static_cast<int64_t>(progress_.table)));
  item.set("seen", Value(progress_.seen));
  item.set("changed", Value(progress_.changed));
  item.set("put_off", Value(progress_.put_off));
  item.set("awaiting", Value(progress_.awaiting));
  item.set("rounds", Value(progress_.rounds));
  item.set("waits", Value(progress_.waits));
  item.set("difference", Value(progress_.difference));
  item.set("differing", Value(progress_.differing));
  item.set("differences",
           Value::list(std::vector<Value>(progress_.differences.begin(), progress_.differences.end())));
  if (progress_.from) item.set("from", Value(*progress_.from));
  TRY(database_.put_item({.table = system_table_, .item = std::move(item)}));
  return {};
}

Result<size_t> Migration::count_behind() const {
  const int64_t now_ms = run::epoch_milliseconds(options_.clock());
  const std::vector<Lease> leases = TRY(list_leases(database_, system_table_));
  const auto count = std::count_if(leases.begin(), leases.end(), [&](const Lease& lease) {
    return lease.epoch < record_.epoch && lease.until_ms >= now_ms;
  });
  return static_cast<size_t>(count);
}

Result<bool> Migration::is_settled() const {
  const size_t behind = TRY(count_behind());
  return behind == 0;
}

Result<void> Migration::need_settled() const {
  if (TRY(is_settled())) return {};
  return Error{Code::kConflict, "somebody still uses the model as it was before the last step; wait"};
}

Result<void> Migration::next_table(size_t tables) {
  progress_.from.reset();
  if (++progress_.table < tables) return {};
  progress_.table = 0;
  // What hinders copying may be what is too much, so that is removed before copying is tried again.
  const bool is_again = progress_.stage != Stage::kCopy && progress_.put_off > 0;
  if (!is_again) {
    progress_.stage = static_cast<Stage>(static_cast<int>(progress_.stage) + 1);
    return {};
  }
  const bool only_waits = progress_.awaiting == progress_.put_off;
  progress_.put_off = progress_.awaiting = 0;
  progress_.stage = Stage::kCopy;
  ++(only_waits ? progress_.waits : progress_.rounds);
  if (progress_.rounds <= kRoundsMax && progress_.waits <= kWaitsMax) {
    pair_->next->writer().options().pause(only_waits ? kLongestPause : static_cast<int>(progress_.rounds));
    return {};
  }
  progress_.rounds = progress_.waits = 0;
  return Error{Code::kConflict, "the two layouts differ again and again: " + progress_.difference};
}

void Migration::note_difference(const std::string& what) {
  std::vector<std::string>& named = progress_.differences;
  if (std::find(named.begin(), named.end(), what) != named.end()) return;
  ++progress_.differing;
  if (named.size() < Findings::kNamedMax) named.push_back(what);
}

Result<void> Migration::walk(uint32_t items) {
  const bool is_forward = progress_.stage == Stage::kCopy || progress_.stage == Stage::kCompare;
  const bool only_looks = progress_.stage == Stage::kCompare || progress_.stage == Stage::kMatch;
  // Once the new one is read, it leads.
  const bool is_turned = record_.phase == Phase::kReadNew;
  const OpenVersion& leader = is_turned ? *pair_->next : *pair_->current;
  const OpenVersion& follower = is_turned ? *pair_->current : *pair_->next;
  const Translation& there = is_turned ? *pair_->back : *pair_->there;
  const Translation& back = is_turned ? *pair_->there : *pair_->back;
  Sync sync(leader.side(), follower.side(), there, follower.writer(),
            {.only_looks = only_looks,
             .pause = follower.writer().options().pause,
             .follower_name = is_turned ? kOldName : kNewName});
  const auto note = [&](Synced done) {
    ++progress_.seen;
    const bool differs = only_looks && done != Synced::kSame;
    if (done == Synced::kLater || differs) {
      ++progress_.put_off;
      if (done == Synced::kLater && sync.awaits_deletion()) ++progress_.awaiting;
      progress_.difference = sync.reason();
      if (done == Synced::kChanged) note_difference(sync.reason());
    } else if (done == Synced::kChanged) {
      ++progress_.changed;
    }
  };
  const Side::Walker walker{.on_entity = [&](const SeenEntity& seen, const SourceItem& at) -> Result<void> {
                              note(TRY(is_forward ? sync.entity(seen, at) : sync.surplus(back, seen)));
                              return {};
                            },
                            .on_edge = [&](const run::Edge& edge, const SourceItem&) -> Result<void> {
                              note(TRY(is_forward ? sync.edges(edge) : sync.surplus(back, edge)));
                              return {};
                            }};
  const OpenVersion& walked = is_forward ? leader : follower;
  progress_.from = TRY(walked.side().walk(progress_.table, progress_.from, items, walker));
  if (!progress_.from) TRY(next_table(walked.layout().tables.size()));
  return {};
}

// Copies in other items are no part of the comparison. Who died while it copied may have left them to be
// brought up to date by others, when its lease has run out: those that wait when all is copied are waited
// for.
Result<bool> Migration::awaits_copies() {
  const bool begins = progress_.stage == Stage::kCompare && progress_.table == 0 && !progress_.from;
  if (!begins) {
    awaited_.reset();
    return false;
  }
  std::set<std::string> waiting;
  for (const run::Job& job : TRY(pair_->next->session().jobs())) {
    if (job.kind == run::NewJob::Kind::kCopy) waiting.insert(job.id);
  }
  if (!awaited_) awaited_ = waiting;
  std::erase_if(*awaited_, [&](const std::string& id) { return !waiting.contains(id); });
  return !awaited_->empty();
}

Result<void> Migration::advance(uint32_t items) {
  TRY(need_settled());
  if (progress_.stage == Stage::kDone) return {};
  TRY(pair_->current->session().work());
  TRY(pair_->next->session().work());
  if (TRY(awaits_copies())) {
    pair_->next->writer().options().pause(kLongestPause);
    return {};
  }
  const Result<void> walked = walk(items);
  TRY(write_progress());
  return walked;
}

Result<void> Migration::read_new() {
  TRY(need_settled());
  if (record_.phase != Phase::kReadOld || progress_.stage != Stage::kDone)
    return Error{Code::kInvalid, "the new layout cannot be read before all of it is copied and compared"};
  VersionRecord record = record_;
  record.phase = Phase::kReadNew;
  return change(std::move(record));
}

Result<Comparison> Migration::compare(const std::function<void(uint64_t)>& on_progress) const {
  TRY(need_settled());
  if (record_.phase != Phase::kReadNew)
    return Error{Code::kInvalid, "the new layout must be read before the old one is compared with it"};
  return migrate::compare({.leader = *pair_->next,
                           .follower = *pair_->current,
                           .there = *pair_->back,
                           .back = *pair_->there,
                           .follower_name = kOldName},
                          on_progress);
}

Result<Comparison> Migration::compare_back(const std::function<void(uint64_t)>& on_progress) const {
  TRY(need_settled());
  if (record_.phase == Phase::kOne)
    return Error{Code::kInvalid, "the old layout is no longer written: there is nothing to compare"};
  return migrate::compare({.leader = *pair_->current,
                           .follower = *pair_->next,
                           .there = *pair_->there,
                           .back = *pair_->back,
                           .follower_name = kNewName,
                           .only_surplus = record_.phase == Phase::kReadOld},
                          on_progress);
}

Result<void> Migration::stop_writing_old() {
  TRY(need_settled());
  if (record_.phase != Phase::kReadNew)
    return Error{Code::kInvalid, "the new layout must be read before the old one is left alone"};
  VersionRecord record = record_;
  record.gone = record.current;
  record.phase = Phase::kOne;
  record.current = *record.next;
  record.next.reset();
  record.renames.clear();
  return change(std::move(record));
}

Result<void> Migration::step_back() {
  TRY(need_settled());
  VersionRecord record = record_;
  if (record.phase == Phase::kReadNew) {
    // While the new one was read nobody looked at what came into the old one beside the model: both are
    // compared before the new one is read again. Said first, since after a crash the record alone would have
    // them agree still; who goes on reading the new one does not ask how far the comparison is.
    progress_ = {.stage = Stage::kCompare};
    TRY(write_progress());
    record.phase = Phase::kReadOld;
    return change(std::move(record));
  }
  if (record.phase != Phase::kReadOld)
    return Error{Code::kInvalid, "the old layout is no longer written: there is no way back"};
  record.gone = std::move(record.next);
  record.phase = Phase::kOne;
  record.next.reset();
  record.renames.clear();
  return change(std::move(record));
}

Result<void> Migration::remove_left_over() {
  TRY(need_settled());
  if (!record_.gone) return {};
  TRY(remove_tables(*record_.gone, record_.current));
  return keep_left_over();
}

// Also after a crash between the record and the lock; writes nothing where it is.
Result<void> Migration::lock() {
  const std::string& writer = pair_->current->model().name();
  for (const Version& version : {record_.current, *record_.next}) {
    for (const std::string& table : TRY(tables_of(version))) {
      const TableDescription there = TRY(database_.describe_table(table));
      const auto tag = there.tags.find(std::string(api::kWriterTag));
      if (tag == there.tags.end() || tag->second != writer)
        TRY(database_.tag_table(table, {{std::string(api::kWriterTag), writer}}));
    }
  }
  return {};
}

Result<void> Migration::unlock() {
  for (const Version& version : {record_.current, *record_.gone}) {
    for (const std::string& table : TRY(tables_of(version))) {
      if (!TRY(is_going(database_, table))) TRY(database_.untag_table(table, {std::string(api::kWriterTag)}));
    }
  }
  return {};
}

Result<void> Migration::keep_left_over() {
  TRY(need_settled());
  if (!record_.gone) return {};
  TRY(remove_records(*record_.gone));
  if (record_.is_locked) TRY(unlock());
  VersionRecord record = record_;
  record.is_locked = false;
  record.gone.reset();
  return change(std::move(record));
}

Result<void> Migration::remove_tables(const Version& gone, const Version& stays) {
  const std::set<std::string> used = TRY(tables_of(stays));
  for (const std::string& table : TRY(tables_of(gone))) {
    // A deletion goes on when whoever asked for it has died, and cannot be asked for twice.
    if (used.contains(table) || TRY(is_going(database_, table))) continue;
    const Result<TableDescription> deleted = database_.delete_table(table);
    if (!deleted.ok() && deleted.error().code != Code::kNotFound) return deleted.error();
  }
  return {};
}

Result<void> Migration::remove_records(const Version& gone) {
  // What it has in the system table: KIND#LABEL, or KIND#LABEL#...
  Scan scan{.table = system_table_, .consistent = true};
  while (true) {
    const Page page = TRY(database_.scan(scan));
    for (size_t i = 0; i < page.items.size(); ++i) {
      const std::string pk(page.items[i].find("pk")->bytes());
      const size_t hash = pk.find('#');
      if (hash == std::string::npos) continue;
      const std::string rest = pk.substr(hash + 1);
      if (rest != gone.label && !rest.starts_with(gone.label + "#")) continue;
      TRY(database_.delete_item(
          {.table = system_table_, .key = run::system_key(pk, page.items[i].find("sk")->bytes())}));
    }
    if (!page.last_key) break;
    scan.start_key = page.last_key;
  }
  TRY(database_.delete_item({.table = system_table_, .key = progress_key()}));
  return drop_intended(database_, system_table_);
}

// A deletion whose condition holds for no item.
Result<bool> lets_strangers_write(Database& database, const std::string& writer, Database& stranger,
                                  const std::string& table) {
  const TableDescription described = TRY(database.describe_table(table));
  DeleteItem deletion{.table = table};
  for (const auto& part : {described.key.partition, described.key.sort}) {
    for (const KeyAttribute& each : part)
      deletion.key.set(each.name, each.type == Type::kNumber   ? Value(0)
                                  : each.type == Type::kBinary ? Value::binary("sheaf")
                                                               : Value("sheaf"));
  }
  deletion.condition = "attribute_exists(#k) AND attribute_not_exists(#k)";
  deletion.names.emplace_back("#k", described.key.partition.front().name);
  const std::vector<std::string> tag{std::string(api::kWriterTag)};
  TRY(database.tag_table(table, {{tag.front(), writer}}));
  const Result<Written> tried = stranger.delete_item(deletion);
  TRY(database.untag_table(table, tag));
  if (tried.ok()) return true;
  if (tried.error().code == Code::kInUse) return false;
  return tried.error();
}

}  // namespace sheaf::migrate
