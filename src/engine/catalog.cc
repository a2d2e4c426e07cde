#include "engine/catalog.h"

#include "base/big_endian.h"
#include "base/try.h"
#include "engine/store_keys.h"

namespace sheaf::engine {
namespace {

constexpr int kCatalogAttemptsMax = 100;
constexpr Id kFirstId = 1;

}  // namespace

Error table_not_found() { return {Code::kNotFound, "Requested resource not found"}; }

Result<TableRef> Catalog::find(std::string_view name) {
  {
    std::shared_lock lock(mutex_);
    if (const auto found = tables_.find(name); found != tables_.end()) return found->second;
  }
  TableRef table = TRY(reload(name));
  if (table->settings.status != TableStatus::kActive) return table_not_found();
  return table;
}

Result<TableRef> Catalog::reload(std::string_view name) {
  std::lock_guard reloading(reload_mutex_);
  const std::unique_ptr<store::View> view = store_.view({});
  store::Read read = TRY(view->read(table_catalog_key(name)));
  if (!read.value) {
    std::unique_lock lock(mutex_);
    if (const auto found = tables_.find(name); found != tables_.end()) tables_.erase(found);
    return table_not_found();
  }
  TableSettings settings = TRY(decode_settings(std::move(*read.value)));
  const bool active = settings.status == TableStatus::kActive;
  TableRef table = std::make_shared<Table>(std::move(settings), read.version);

  std::unique_lock lock(mutex_);
  const auto found = tables_.find(name);
  if (!active) {
    if (found != tables_.end()) tables_.erase(found);
  } else if (found == tables_.end()) {
    tables_.emplace(name, table);
  } else {
    found->second = table;
  }
  return table;
}

Result<Catalog::Names> Catalog::list(std::string_view after, uint32_t count_max) {
  store::Range range = all_tables();
  if (!after.empty()) range.begin = table_catalog_key(after) + '\0';
  Names result;
  for (bool more = true; more && !result.more;) {
    const std::unique_ptr<store::View> view = store_.view({});
    const store::ScanEnd end = TRY(view->scan(range, {}, [&](std::string_view key, std::string_view) {
      if (result.names.size() == count_max) {
        result.more = true;
        return false;
      }
      result.names.emplace_back(table_name_of(key));
      return true;
    }));
    more = end.more;
    range.begin = end.resume;
  }
  return result;
}

Result<void> Catalog::change(std::string_view name, const Change& change) {
  const std::string row_key = table_catalog_key(name);
  const std::string id_key = next_id_key();
  for (int attempt = 0; attempt < kCatalogAttemptsMax; ++attempt) {
    store::Batch batch;
    {
      const std::unique_ptr<store::View> view = store_.view({});
      store::Read row = TRY(view->read(row_key));
      const store::Read next_id = TRY(view->read(id_key));
      std::optional<TableSettings> before;
      if (row.value) before = TRY(decode_settings(std::move(*row.value)));
      Ids ids(next_id.value ? read_u32(next_id.value->data()) : kFirstId);
      const Id first_free = ids.next();

      const std::optional<TableSettings> after = TRY(change(before, ids, batch));
      batch.guard(row_key, row.version);
      if (after) {
        batch.put(row_key, encode_settings(*after).encoded());
      } else {
        batch.erase(row_key);
      }
      if (ids.next() != first_free) {
        batch.guard(id_key, next_id.version);
        std::string encoded_id;
        append_u32(encoded_id, ids.next());
        batch.put(id_key, encoded_id);
      }
    }
    const store::Outcome outcome = commit(store_, std::move(batch));
    if (outcome.kind == store::Outcome::Kind::kGuardFailed) continue;
    if (outcome.kind == store::Outcome::Kind::kUnknown) return Error{Code::kUnknown, outcome.reason};
    if (outcome.kind == store::Outcome::Kind::kRefused) return Error{Code::kUnavailable, outcome.reason};
    (void)reload(name);  // so that this process needs no failed guard to notice
    return {};
  }
  return Error{Code::kConflict, "the table is being changed by others at the same time; try again"};
}

}  // namespace sheaf::engine
