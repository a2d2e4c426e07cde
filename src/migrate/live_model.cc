#include "migrate/live_model.h"

#include "base/try.h"
#include "run/system_table.h"
#include "run/time_text.h"

namespace sheaf::migrate {

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

int64_t LiveModel::now_ms() const {
  return std::chrono::duration_cast<std::chrono::milliseconds>(options_.writer.clock().time_since_epoch())
      .count();
}

Result<std::unique_ptr<LiveModel>> LiveModel::open(Database& database, const std::string& text,
                                                   const LiveOptions& options) {
  const model::CompiledModel compiled = model::compile("model.sheaf", text);
  if (!compiled.ok()) return Error{Code::kInvalid, compiled.rendered()};
  std::unique_ptr<LiveModel> made(new LiveModel(
      database, run::system_table_name(compiled.model),
      {.text = text, .layout = options.layout, .label = options.layout, .tables = {}}, options));
  TRY(made->use());
  return made;
}

Result<VersionRecord> LiveModel::read_record() {
  std::optional<VersionRecord> record = TRY(read_versions(database_, system_table_));
  return record ? std::move(*record) : VersionRecord{.current = own_};
}

Result<std::shared_ptr<const LiveModel::Use>> LiveModel::make_use(const VersionRecord& record) {
  auto made = std::make_shared<Use>();
  made->epoch = record.epoch;
  made->phase = record.phase;
  if (record.phase == Phase::kOne) {
    // Programs may have newer patterns and operations, if what is stored is the same.
    Version own = record.current;
    own.text = own_.text;
    own.layout = own_.layout;
    auto opened = OpenVersion::open(database_, own, options_.writer, false);
    const bool is_other =
        !opened.ok() && own.text + own.layout != record.current.text + record.current.layout;
    if (is_other) opened = OpenVersion::open(database_, record.current, options_.writer, false);
    made->one = TRY(std::move(opened));
  } else {
    std::shared_ptr<const OpenVersion> current =
        TRY(OpenVersion::open(database_, record.current, options_.writer, false));
    std::shared_ptr<const OpenVersion> next =
        TRY(OpenVersion::open(database_, *record.next, options_.writer, false));
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
      still.push_back(std::move(each));
    } else {
      TRY(drop_lease(database_, system_table_, lease));
    }
  }
  older_ = std::move(still);
  return {};
}

Result<std::shared_ptr<const LiveModel::Use>> LiveModel::use() {
  std::lock_guard lock(mutex_);
  const int64_t now = now_ms();
  if (use_ != nullptr && now < renew_at_ms_) return use_;
  const int64_t until = now + options_.lease.count();
  while (true) {
    const VersionRecord record = TRY(read_record());
    if (use_ == nullptr || use_->epoch != record.epoch) {
      std::shared_ptr<const Use> made = TRY(make_use(record));
      if (use_ != nullptr) older_.push_back(std::move(use_));
      use_ = std::move(made);
    }
    TRY(put_lease(database_, system_table_, {.owner = owner_, .epoch = use_->epoch, .until_ms = until}));
    // Who moves the model first writes the epoch and then looks for leases: either sees the other.
    const VersionRecord again = TRY(read_record());
    if (again.epoch == use_->epoch) break;
  }
  TRY(keep_older(until));
  renew_at_ms_ = now + options_.lease.count() / 3;
  return use_;
}

Result<run::Session::Reply> LiveModel::read(std::string_view pattern, const std::vector<Value>& arguments,
                                            std::string_view cursor) {
  const std::shared_ptr<const Use> use = TRY(this->use());
  if (use->phase == Phase::kOne) return use->one->session().read(pattern, arguments, cursor);
  const bool is_old = use->phase == Phase::kReadOld;
  const OpenVersion& version = is_old ? *use->pair->current : *use->pair->next;
  Result<run::Session::Reply> reply = version.session().read(pattern, arguments, cursor);
  if (cursor.empty() || reply.ok() || reply.error().code != Code::kInvalid) return reply;
  // A list that was begun in the other one is gone on with there: both are written.
  const OpenVersion& other = is_old ? *use->pair->next : *use->pair->current;
  Result<run::Session::Reply> gone_on = other.session().read(pattern, arguments, cursor);
  return gone_on.ok() ? std::move(gone_on) : std::move(reply);
}

Result<run::Session::Outcome> LiveModel::write(std::string_view operation,
                                               const std::vector<Value>& arguments) {
  const std::shared_ptr<const Use> use = TRY(this->use());
  switch (use->phase) {
    case Phase::kOne:
      break;
    case Phase::kReadOld:
      return use->pair->current->session().write(operation, arguments, use->pair->next_follows.get());
    case Phase::kReadNew:
      return use->pair->next->session().write(operation, arguments, use->pair->current_follows.get());
  }
  return use->one->session().write(operation, arguments);
}

Result<run::WriteReply> LiveModel::work() {
  const std::shared_ptr<const Use> use = TRY(this->use());
  if (use->phase == Phase::kOne) return use->one->session().work();
  TRY(use->pair->current->session().work());
  return use->pair->next->session().work();
}

}  // namespace sheaf::migrate
