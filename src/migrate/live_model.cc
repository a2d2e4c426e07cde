#include "migrate/live_model.h"

#include "base/try.h"
#include "run/data_file.h"
#include "run/system_table.h"
#include "run/time_text.h"

namespace sheaf::migrate {
namespace {

// So often a write is begun anew whose lease ran out before it was committed, or whose version was not the
// newest.
constexpr int kWriteTriesMax = 3;

}  // namespace

LiveModel::LiveModel(Database& database, std::string system_table, Version own, LiveOptions options)
    : database_(database),
      system_table_(std::move(system_table)),
      own_(std::move(own)),
      options_(std::move(options)),
      owner_(run::new_ulid(std::chrono::system_clock::now())) {}

LiveModel::~LiveModel() {
  older_.push_back(use_);
  for (const auto& each : older_) {
    if (each != nullptr) (void)drop_lease(database_, system_table_, {.owner = owner_, .epoch = each->epoch});
  }
}

int64_t LiveModel::now_ms() const { return run::epoch_milliseconds(options_.writer.clock()); }

Result<std::unique_ptr<LiveModel>> LiveModel::open(Database& database, const std::string& text,
                                                   const LiveOptions& options) {
  const model::CompiledModel compiled = model::compile(options.name, text);
  if (!compiled.ok()) return Error{Code::kInvalid, compiled.rendered()};
  std::unique_ptr<LiveModel> made(new LiveModel(
      database, run::system_table_name(compiled.model),
      {.text = text, .layout = options.layout, .label = options.layout, .tables = {}}, options));
  TRY(made->use(Need::kRead));
  return made;
}

const std::shared_ptr<const OpenVersion>& LiveModel::Use::reading() const {
  if (phase == Phase::kOne) return one;
  return phase == Phase::kReadOld ? pair->current : pair->next;
}

std::shared_ptr<const OpenVersion> LiveModel::reading() const {
  std::lock_guard lock(use_mutex_);
  return use_->reading();
}

std::vector<std::shared_ptr<const OpenVersion>> LiveModel::versions() const {
  std::lock_guard lock(use_mutex_);
  if (use_->phase == Phase::kOne) return {use_->one};
  return {use_->pair->current, use_->pair->next};
}

bool LiveModel::is_moving() const {
  std::lock_guard lock(use_mutex_);
  return use_->phase != Phase::kOne;
}

Result<VersionRecord> LiveModel::read_record() {
  std::optional<VersionRecord> record = TRY(read_versions(database_, system_table_));
  if (record && record->layouts.contains(own_.layout)) return std::move(*record);
  return VersionRecord{.current = own_};
}

Result<std::shared_ptr<const LiveModel::Use>> LiveModel::make_use(const VersionRecord& record) {
  auto made = std::make_shared<Use>();
  made->epoch = record.epoch;
  made->phase = record.phase;
  run::WriterOptions writer = options_.writer;
  writer.may_commit = [clock = writer.clock, held = made->held_until_ms] {
    return run::epoch_milliseconds(clock()) < *held;
  };
  if (record.phase == Phase::kOne) {
    // Programs may have newer patterns and operations, if what is stored is the same.
    Version own = record.current;
    own.text = own_.text;
    const bool applies = options_.applies && use_ == nullptr;
    auto opened = OpenVersion::open(database_, own, writer, applies, options_.name);
    if (!opened.ok() && own.text != record.current.text)
      opened = OpenVersion::open(database_, record.current, writer, false);
    made->one = TRY(std::move(opened));
  } else {
    std::shared_ptr<const OpenVersion> current =
        TRY(OpenVersion::open(database_, record.current, writer, false));
    std::shared_ptr<const OpenVersion> next = TRY(OpenVersion::open(database_, *record.next, writer, false));
    made->pair = TRY(open_pair(std::move(current), std::move(next), record.renames));
  }
  return std::shared_ptr<const Use>(std::move(made));
}

// Those that some call still works with keep their lease, the others end it.
Result<void> LiveModel::keep_older(int64_t until_ms) {
  std::vector<std::shared_ptr<const Use>> still;
  for (std::shared_ptr<const Use>& each : older_) {
    const Lease lease{.owner = owner_, .epoch = each->epoch, .until_ms = until_ms};
    if (each.use_count() > 1) {
      TRY(put_lease(database_, system_table_, lease));
      // One that had run out meanwhile may have been overtaken.
      if (now_ms() < *each->held_until_ms) *each->held_until_ms = until_ms;
      still.push_back(std::move(each));
    } else {
      TRY(drop_lease(database_, system_table_, lease));
    }
  }
  older_ = std::move(still);
  return {};
}

Result<void> LiveModel::renew(int64_t until_ms) {
  TRY(put_lease(database_, system_table_, {.owner = owner_, .epoch = use_->epoch, .until_ms = until_ms}));
  return keep_older(until_ms);
}

Result<void> LiveModel::learn(const VersionRecord& record) {
  if (use_ != nullptr && use_->epoch == record.epoch) return {};
  std::shared_ptr<const Use> made = TRY(make_use(record));
  if (use_ != nullptr) older_.push_back(use_);
  {
    std::lock_guard lock(use_mutex_);
    use_ = std::move(made);
  }
  renew_at_ms_ = 0;
  return {};
}

Result<std::shared_ptr<const LiveModel::Use>> LiveModel::look() {
  std::lock_guard lock(mutex_);
  if (use_ != nullptr && now_ms() < renew_at_ms_) return use_;
  const VersionRecord record = TRY(read_record());
  TRY(learn(record));
  // Leases of calls that are over would have others wait.
  if (!older_.empty()) TRY(keep_older(now_ms() + options_.lease.count()));
  return use_;
}

Result<std::shared_ptr<const LiveModel::Use>> LiveModel::use(Need need) {
  std::lock_guard lock(mutex_);
  const int64_t now = now_ms();
  if (use_ != nullptr && now < renew_at_ms_) return use_;
  const int64_t until = now + options_.lease.count();
  while (true) {
    const VersionRecord record = TRY(read_record());
    TRY(learn(record));
    if (const Result<void> renewed = renew(until); !renewed.ok()) {
      if (need == Need::kWrite && now >= *use_->held_until_ms) return renewed.error();
      return use_;
    }
    // Who moves the model first writes the epoch and then looks for leases: either sees the other.
    const VersionRecord again = TRY(read_record());
    if (again.epoch == use_->epoch) break;
  }
  *use_->held_until_ms = until;
  renew_at_ms_ = now + options_.lease.count() / 3;
  return use_;
}

Result<bool> LiveModel::is_behind(const Use& use) {
  std::lock_guard lock(mutex_);
  const VersionRecord record = TRY(read_record());
  if (record.epoch == use.epoch) return false;
  renew_at_ms_ = 0;
  return true;
}

Result<run::Session::Reply> LiveModel::read(std::string_view pattern, const std::vector<Value>& arguments,
                                            std::string_view cursor) {
  const std::shared_ptr<const Use> use = TRY(this->use(Need::kRead));
  Result<run::Session::Reply> reply = use->reading()->session().read(pattern, arguments, cursor);
  if (use->phase == Phase::kOne) return reply;
  if (cursor.empty() || reply.ok() || reply.error().code != Code::kInvalid) return reply;
  // A list that was begun in the other one is gone on with there: both are written.
  const bool is_old = use->phase == Phase::kReadOld;
  const OpenVersion& other = is_old ? *use->pair->next : *use->pair->current;
  Result<run::Session::Reply> gone_on = other.session().read(pattern, arguments, cursor);
  return gone_on.ok() ? std::move(gone_on) : std::move(reply);
}

Result<run::Session::Outcome> LiveModel::write(std::string_view operation,
                                               const std::vector<Value>& arguments) {
  for (int tries = 1;; ++tries) {
    const std::shared_ptr<const Use> use = TRY(this->use(Need::kWrite));
    Result<run::Session::Outcome> done = write_once(*use, operation, arguments);
    if (done.ok() || done.error().code == Code::kUnknown || tries == kWriteTriesMax) return done;
    // Whoever moves the model need not have waited for it: its tables may be gone.
    if (now_ms() >= *use->held_until_ms) continue;
    // Others may have left one of two layouts already, which refuses what is right by what it was.
    if (use->phase == Phase::kOne) return done;
    const Result<bool> behind = is_behind(*use);
    if (!behind.ok() || !*behind) return done;
  }
}

Result<run::Session::Outcome> LiveModel::write_once(const Use& use, std::string_view operation,
                                                    const std::vector<Value>& arguments) {
  switch (use.phase) {
    case Phase::kOne:
      break;
    case Phase::kReadOld:
      return use.pair->current->session().write(operation, arguments, use.pair->next_follows.get());
    case Phase::kReadNew:
      return use.pair->next->session().write(operation, arguments, use.pair->current_follows.get());
  }
  return use.one->session().write(operation, arguments);
}

Result<run::WriteReply> LiveModel::work() {
  // Most of the time there is nothing to do, and nobody must wait for who only looks.
  const size_t jobs = TRY(count_jobs());
  if (jobs == 0) return run::WriteReply{};
  const std::shared_ptr<const Use> use = TRY(this->use(Need::kWrite));
  if (use->phase == Phase::kOne) return use->one->session().work();
  const run::WriteReply current = TRY(use->pair->current->session().work());
  run::WriteReply reply = TRY(use->pair->next->session().work());
  reply.copies += current.copies;
  reply.deleted += current.deleted;
  reply.pending += current.pending;
  return reply;
}

Result<size_t> LiveModel::count_jobs() {
  const std::shared_ptr<const Use> use = TRY(look());
  if (use->phase == Phase::kOne) return TRY(use->one->session().jobs()).size();
  const std::vector<run::Job> current = TRY(use->pair->current->session().jobs());
  const std::vector<run::Job> next = TRY(use->pair->next->session().jobs());
  return current.size() + next.size();
}

Result<size_t> load_data(Database& database, const LiveModel& live, std::string_view json) {
  if (live.is_moving())
    return Error{Code::kConflict, "the model is being moved to another layout: load data before or after"};
  const std::shared_ptr<const OpenVersion> version = live.reading();
  const run::Data data = TRY(run::read_data(version->model(), version->layout(), json));
  return run::load_data(database, version->model(), version->layout(), data);
}

}  // namespace sheaf::migrate
