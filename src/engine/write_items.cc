#include "engine/write_items.h"

#include <algorithm>
#include <cassert>
#include <map>

#include "base/errors.h"
#include "base/try.h"
#include "engine/collection_watch.h"
#include "engine/overwritten.h"
#include "engine/request_tokens.h"

namespace sheaf::engine {
namespace {

constexpr int kWriteAttemptsMax = 64;

// What a decided request wants to be done.
struct Decision {
  WriteAnswer answer;
  store::Batch batch;
  bool submit = false;
  // By how much each collection grows that has a limit, over all writes so far.
  std::map<std::string_view, int64_t> collection_growth;
  std::vector<Overwritten> overwritten;  // for readers that may be late
};

// The item that a write makes of the one that was there; nothing if none is left.
Result<std::optional<StoredItem>> item_after(const ItemWrite& write,
                                             const std::optional<StoredItem>& before) {
  const auto store_form = [](ItemView item) {
    return std::optional(StoredItem(make_record(item.encoded(), item.size_bytes())));
  };
  switch (write.kind) {
    case ItemWrite::Kind::kPut:
      return store_form(write.item);
    case ItemWrite::Kind::kDelete:
      return std::optional<StoredItem>();
    case ItemWrite::Kind::kCheck:
      return before;
    case ItemWrite::Kind::kUpdate:
      break;
  }
  if (!write.update) return before ? before : store_form(write.item);
  if (!before && !write.update->creates_item()) return std::optional<StoredItem>();
  const Item item = TRY(before ? write.update->apply(before->item()) : write.update->create(write.item));
  std::optional<StoredItem> after = store_form(item);
  if (after->size_bytes() > kItemBytesMax) {
    return invalid("Item size to update has exceeded the maximum allowed size");
  }
  return after;
}

// One request on its way. It owns itself from start() until it has answered.
class WriteOperation {
 public:
  WriteOperation(Engine& engine, WriteRequest request, Loop& loop, WriteDone done)
      : engine_(engine), request_(std::move(request)), loop_(loop), done_(std::move(done)) {
    for (const ItemWrite& write : request_.writes) KeyLocks::add_stripe(stripes_, write.place.key);
    KeyLocks::sort_stripes(stripes_);
  }

  void start() {
    if (engine_.locks.acquire(stripes_, loop_, [this] { attempt(); })) attempt();
  }

 private:
  // Reads and decides, then submits. Without effects up to the submit, so it can be run again: where it may
  // wait for the disk, if it must.
  void attempt() {
    Result<Decision> decision = decide(!loop_.may_block());
    const bool would_block = !decision.ok() && decision.error().code == Code::kWouldBlock;
    if (!would_block) return act(std::move(decision));
    loop_.run_blocking(
        [this] { loop_.post([this, again = decide(false)]() mutable { act(std::move(again)); }); });
  }

  void act(Result<Decision> decision) {
    if (!decision.ok()) return finish(std::move(decision).error());
    if (engine_.meter != nullptr && engine_.meter->throttle() != nullptr && attempts_ == 0) {
      if (const Result<void> admitted = admit(decision->answer); !admitted.ok())
        return finish(admitted.error());
      if (is_throttled_) return finish(std::move(decision->answer));
    }
    if (!decision->submit) return finish(std::move(decision->answer));
    answer_ = std::move(decision->answer);
    if (engine_.past != nullptr) unseen_ = engine_.past->begin(std::move(decision->overwritten));
    engine_.store.submit(std::move(decision->batch), loop_,
                         [this](store::Outcome outcome) { settle(std::move(outcome)); });
  }

  // Asked once: who was let in stays in and has paid, however often it has to be tried. What the database
  // does by itself is held to nothing. In a transaction, each write that is refused is a reason.
  Result<void> admit(WriteAnswer& answer) {
    if (answer.replayed) return {};
    for (size_t i = 0; i < answer.items.size(); ++i) {
      if (request_.writes[i].cause != ChangeCause::kRequest) continue;
      const Result<void> admitted =
          engine_.meter->admit_write(cost_of(request_.writes[i], answer.items[i]), request_.transaction);
      if (admitted.ok()) continue;
      if (!request_.transaction) return admitted;
      answer.items[i].error = admitted.error();
      answer.applied = false;
      is_throttled_ = true;
    }
    if (is_throttled_) return {};
    for (size_t i = 0; i < answer.items.size(); ++i) {
      if (request_.writes[i].cause == ChangeCause::kRequest)
        engine_.meter->take_write(cost_of(request_.writes[i], answer.items[i]));
    }
    return {};
  }

  void charge(const WriteAnswer& answer) const {
    for (size_t i = 0; i < answer.items.size(); ++i) {
      const ItemWrite& write = request_.writes[i];
      if (write.cause != ChangeCause::kRequest) continue;
      if (answer.replayed) {
        engine_.meter->charge_read(*write.table, write.place, answer.items[i].consumed.table);
      } else {
        engine_.meter->count_write(cost_of(write, answer.items[i]));
      }
    }
  }

  static WriteCost cost_of(const ItemWrite& write, const ItemWritten& written) {
    return {.table = *write.table,
            .place = write.place,
            .half_units = written.consumed.table,
            .entries = written.entries};
  }

  void settle(store::Outcome outcome) {
    if (engine_.past != nullptr) engine_.past->end(std::move(unseen_), outcome.kind);
    switch (outcome.kind) {
      case store::Outcome::Kind::kApplied:
        return finish(std::move(answer_));
      case store::Outcome::Kind::kUnknown:
        return finish(Error{Code::kUnknown, std::move(outcome.reason)});
      case store::Outcome::Kind::kRefused:
        return finish(Error{Code::kUnavailable, std::move(outcome.reason)});
      case store::Outcome::Kind::kGuardFailed:
        break;
    }
    if (++attempts_ == kWriteAttemptsMax) {
      return finish(Error{Code::kConflict, "Transaction is ongoing for the item"});
    }
    const Result<void> renewed = renew_tables();
    if (!renewed.ok()) return finish(renewed.error());
    attempt();
  }

  // A guard failed, perhaps a table's: plan with the tables as they are now.
  Result<void> renew_tables() {
    for (ItemWrite& write : request_.writes) {
      const TableRef now = TRY(engine_.catalog.reload(write.table->settings.name));
      if (now->settings.id != write.table->settings.id || now->settings.status != TableStatus::kActive) {
        return table_not_found();
      }
      write.table = now;
    }
    return {};
  }

  Result<Decision> decide(bool cached_only) {
    // Of several items one state is read: a transaction that is cancelled tells what it saw, and no commit
    // confirms that.
    const std::unique_ptr<store::View> view =
        engine_.store.view({.snapshot = request_.writes.size() > 1, .cached_only = cached_only});
    Decision decision;
    if (request_.token) {
      if (TRY(check_token(*view, *request_.token, engine_.clock.now_us(), decision.batch))) {
        decision.answer.replayed = true;
        TRY(meter_replay(*view, decision.answer));
        return decision;
      }
    }
    TRY(check_index_keys());
    std::vector<store::Read> reads = TRY(read_items(*view));
    decision.answer.items.resize(request_.writes.size());
    for (size_t i = 0; i < request_.writes.size(); ++i) {
      ItemWritten& written = decision.answer.items[i];
      if (reads[i].value) written.before.emplace(std::move(*reads[i].value));
      TRY(decide_one(*view, request_.writes[i], written, decision));
    }
    if (!decision.answer.applied) {
      decision.submit = false;  // what the other writes have put into the batch is not to be done either
      return decision;
    }
    for (size_t i = 0; i < reads.size(); ++i)
      decision.batch.guard(request_.writes[i].place.key, reads[i].version);
    guard_tables(decision.batch);
    return decision;
  }

  // A repeated transaction reads the items that it wrote the first time, and pays for that.
  Result<void> meter_replay(store::View& view, WriteAnswer& answer) const {
    for (const store::Read& read : TRY(read_items(view))) {
      const uint64_t bytes = read.value ? StoredItem(*read.value).size_bytes() : 0;
      answer.items.emplace_back().consumed.table = read_half_units(bytes, ReadMode::kTransactional);
    }
    return {};
  }

  // What an index cannot take is refused whatever the condition says.
  Result<void> check_index_keys() const {
    if (request_.transaction) return {};
    for (const ItemWrite& write : request_.writes) {
      if (write.kind != ItemWrite::Kind::kPut || !write.condition) continue;
      TRY(engine::check_index_keys(*write.table, write.item, write.place));
    }
    return {};
  }

  Result<std::vector<store::Read>> read_items(store::View& view) const {
    std::vector<store::Read> reads;
    if (request_.writes.size() == 1) {
      reads.push_back(TRY(view.read(request_.writes.front().place.key)));
      return reads;
    }
    std::vector<std::string> keys;
    for (const ItemWrite& write : request_.writes) keys.push_back(write.place.key);
    return view.read_many(keys);
  }

  Result<void> decide_one(store::View& view, const ItemWrite& write, ItemWritten& written,
                          Decision& decision) {
    written.condition_met =
        !write.condition || write.condition->matches(written.before ? written.before->item() : ItemView());
    if (!written.condition_met) {
      decision.answer.applied = false;
      written.consumed.table = 2 * write_units(written.before ? written.before->size_bytes() : 0);
      if (request_.transaction) written.consumed.table *= 2;
      return {};
    }
    const Result<void> changed = change_one(view, write, written, decision);
    if (changed.ok() || !becomes_reason(changed.error())) return changed;
    written.error = changed.error();
    decision.answer.applied = false;
    return {};
  }

  // In a transaction, why one write cannot be done is a reason beside the others'.
  bool becomes_reason(const Error& error) const {
    return request_.transaction && (error.code == Code::kInvalid || error.code == Code::kTooLarge);
  }

  Result<void> change_one(store::View& view, const ItemWrite& write, ItemWritten& written,
                          Decision& decision) {
    written.after = TRY(item_after(write, written.before));
    const ItemChange change{
        .table = *write.table,
        .place = write.place,
        .before = written.before ? &*written.before : nullptr,
        .after = written.after ? &*written.after : nullptr,
        .cause = write.cause,
        .origin = write.kind == ItemWrite::Kind::kPut ? ItemOrigin::kPut : ItemOrigin::kUpdate,
        .note_entries = engine_.meter != nullptr};
    const size_t entries_before = decision.batch.entry_count();
    ChangeEffect effect = TRY(add_change(decision.batch, view, change));
    if (engine_.past != nullptr) TRY(keep_overwritten(view, write, entries_before, decision));
    // A lone write that changes nothing needs no commit; a transaction must still have its reads confirmed.
    decision.submit =
        decision.submit || request_.transaction || decision.batch.entry_count() > entries_before;
    if (write.table->settings.has_local_index()) {
      int64_t& growth = decision.collection_growth[write.place.collection()];
      growth += effect.collection_bytes;
      written.collection_bytes =
          TRY(check_collection(view, engine_.options, *write.table, write.place, growth));
    }
    written.consumed = std::move(effect.consumed);
    written.entries = std::move(effect.entries);
    if (request_.transaction) written.consumed.table *= 2;  // its index entries are metered once
    return {};
  }

  Result<void> keep_overwritten(store::View& view, const ItemWrite& write, size_t first_entry,
                                Decision& decision) const {
    std::optional<Overwritten> overwritten = TRY(overwritten_by(
        {.table = *write.table, .place = write.place, .batch = decision.batch, .first = first_entry}, view,
        engine_.past->lags()));
    if (overwritten) decision.overwritten.push_back(std::move(*overwritten));
    return {};
  }

  void guard_tables(store::Batch& batch) const {
    const Table* guarded = nullptr;
    for (const ItemWrite& write : request_.writes) {
      if (write.table.get() != guarded) batch.guard(write.table->catalog_key, write.table->version);
      guarded = write.table.get();
    }
  }

  void finish(Result<WriteAnswer> result) {
    engine_.locks.release(stripes_);
    const std::unique_ptr<WriteOperation> self(this);
    if (result.ok() && result->applied && !result->replayed) watch_collections(engine_, request_, *result);
    if (result.ok() && engine_.meter != nullptr && !is_throttled_) charge(*result);
    if (result.ok()) result->writes = std::move(request_.writes);
    done_(std::move(result));
  }

  Engine& engine_;
  WriteRequest request_;
  Loop& loop_;
  WriteDone done_;
  std::vector<KeyLocks::Stripe> stripes_;
  WriteAnswer answer_;
  Past::Pending unseen_;
  int attempts_ = 0;
  bool is_throttled_ = false;  // a transaction, of which nothing is paid for
};

}  // namespace

Result<ItemWrite> ItemWrite::put(TableRef table, Item item) {
  ItemPlace place = TRY(place_of_item(*table, item));
  if (item.view().size_bytes() > kItemBytesMax)
    return invalid("Item size has exceeded the maximum allowed size");
  return ItemWrite{
      .kind = Kind::kPut, .table = std::move(table), .item = std::move(item), .place = std::move(place)};
}

Result<ItemWrite> ItemWrite::of_key(Kind kind, TableRef table, Item key) {
  assert(kind != Kind::kPut);
  ItemPlace place = TRY(place_of_key(*table, key));
  return ItemWrite{
      .kind = kind, .table = std::move(table), .item = std::move(key), .place = std::move(place)};
}

void write_items(Engine& engine, WriteRequest request, Loop& loop, WriteDone done) {
  (new WriteOperation(engine, std::move(request), loop, std::move(done)))->start();
}

Result<WriteAnswer> write_items(Engine& engine, WriteRequest request) {
  return await<Result<WriteAnswer>>(
      [&](Loop& loop, WriteDone done) { write_items(engine, std::move(request), loop, std::move(done)); });
}

}  // namespace sheaf::engine
