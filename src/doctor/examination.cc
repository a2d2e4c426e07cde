#include "doctor/examination.h"

#include <algorithm>

#include "base/try.h"
#include "base/varint.h"
#include "engine/store_keys.h"
#include "value/key_codec.h"

namespace sheaf::doctor {
namespace {

constexpr size_t kBatchEntries = 1000;

}  // namespace

store::Range under(std::string prefix) {
  std::string end = prefix_end(prefix);
  return {.begin = std::move(prefix), .end = std::move(end)};
}

store::Range rows_of(Space space, Id id) { return under(engine::space_key(space, id)); }

std::optional<Item> decoded(std::string_view row) {
  if (row.empty() || row.front() != engine::kRecordFormat) return std::nullopt;
  row.remove_prefix(1);
  const std::optional<uint64_t> size_bytes = take_varint(row);
  if (!size_bytes) return std::nullopt;
  Result<Item> item = Item::decode(std::string(row));
  if (!item.ok() || item->view().size_bytes() != *size_bytes) return std::nullopt;
  return std::move(*item);
}

bool Known::has_job(engine::JobKind kind, Id id) const {
  return std::any_of(jobs.begin(), jobs.end(),
                     [&](const engine::Job& job) { return job.kind == kind && job.id == id; });
}

Result<bool> Examination::each_slice(const store::Range& range, const std::string& where,
                                     const std::function<Result<void>(const std::vector<Row>&)>& slice) {
  store::Range rest = range;
  for (bool has_more = true; has_more;) {
    std::vector<Row> rows;
    const Result<store::ScanEnd> end =
        store_.view({})->scan(rest, {}, [&](std::string_view key, std::string_view value) {
          rows.push_back({.key = std::string(key), .value = std::string(value)});
          return true;
        });
    TRY(slice(rows));
    if (!end.ok()) {
      note(Trouble::kUnreadable, where, end.error().message);
      return false;
    }
    has_more = end->more;
    rest.begin = end->resume;
  }
  TRY(flush());
  return true;
}

std::optional<std::vector<store::Read>> Examination::read(const std::vector<std::string>& keys,
                                                          const std::string& where) {
  Result<std::vector<store::Read>> rows = store_.view({})->read_many(keys);
  if (rows.ok()) return std::move(*rows);
  note(Trouble::kUnreadable, where, rows.error().message);
  return std::nullopt;
}

Result<void> Examination::note(Trouble trouble, const std::string& where, std::string example,
                               const std::function<void(store::Batch&)>& mend) {
  findings_.add(trouble, where, std::move(example), options_.repairs);
  if (!options_.repairs) return {};
  mend(batch_);
  return batch_.entry_count() < kBatchEntries ? Result<void>() : flush();
}

Result<void> Examination::note_range(Trouble trouble, const std::string& where, std::string example,
                                     const store::Range& range) {
  findings_.add(trouble, where, std::move(example), options_.repairs);
  return options_.repairs ? store_.drop(range) : Result<void>();
}

Result<void> Examination::flush() {
  if (batch_.empty()) return {};
  const store::Outcome outcome = store::commit(store_, std::exchange(batch_, store::Batch()));
  if (outcome.kind == store::Outcome::Kind::kApplied) return {};
  return Error{Code::kIo, "a repair could not be written: " + outcome.reason};
}

}  // namespace sheaf::doctor
