// Does one job; see run/jobs.h.
#pragma once

#include <functional>
#include <string>

#include "run/writer.h"

namespace sheaf::run {

class JobWorker {
 public:
  explicit JobWorker(const Writer& writer)
      : writer_(writer),
        database_(writer.database_),
        model_(writer.model_),
        layout_(writer.layout_),
        codec_(writer.model_, writer.layout_) {}

  // Takes its lease. Nothing if somebody else holds it, or if it is done.
  Result<std::optional<Job>> take(const std::string& id);
  // To its end, or until somebody else must go first. kInUse if it deletes what may not go: then nothing is
  // deleted, and the job is over.
  Result<void> run(const Job& job, WriteReply& reply);

 private:
  // Whether it counts.
  using OnItem = std::function<Result<bool>(size_t table, ItemView item)>;

  Result<void> renew(const Job& job);
  Result<void> finish(const Job& job);
  bool leads_along(model::EndId end, size_t table, ItemView item) const;
  Result<uint64_t> each_related(model::EndId end, const Identity& from, const Job& job, const OnItem& on_item,
                                bool* is_strong);
  Result<std::optional<Record>> read(model::EntityId entity, const Identity& identity, std::string* deleting);

  // --- Copies
  Result<void> copy(const Job& job, WriteReply& reply);
  Result<bool> refresh(size_t table, ItemView item, model::EndId to_source, const Record& source);
  // The same for the other item of a pair that has two.
  Result<bool> refresh_twin(size_t table, ItemView item, model::EndId to_source, const Record& source);
  // Where both sides keep entries: how many were behind.
  Result<uint64_t> refresh_entries(const Job& job, model::EndId to_source, const Record& source);
  Result<bool> refresh_entry(const Identity& holder, model::EndId to_source, const Record& source);
  void set_entry_copies(ItemChange& change, model::EndId to_source, const Edge& entry,
                        const Record& source) const;
  Result<Transaction::Outcome> write_copy(size_t table, ItemView item, model::EndId to_source,
                                          const Record& source, bool& is_stale);

  bool is_deciding(size_t table, const std::string& attribute, model::EndId to_source) const;

  // --- Deletions
  Result<void> erase(const Job& job, WriteReply& reply);
  Result<bool> is_refused(const Job& job, const Record& record);
  Result<void> unmark(const Job& job);
  Result<void> release_named(const Job& job, model::EndId end, const Record& record, WriteReply& reply);
  Result<void> release_dependants(const Job& job, model::EndId end, WriteReply& reply);
  Result<bool> release(const Job& job, model::EndId end, size_t table, ItemView item, WriteReply& reply);
  Result<bool> release(const Job& job, model::EndId end, const Identity& other, bool is_edge,
                       WriteReply& reply);

  const Writer& writer_;
  Database& database_;
  const model::Model& model_;
  const model::Layout& layout_;
  ItemCodec codec_;
};

}  // namespace sheaf::run
