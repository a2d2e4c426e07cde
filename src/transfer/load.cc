#include "transfer/load.h"

#include <atomic>
#include <map>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "api/transactions.h"
#include "base/errors.h"
#include "base/try.h"
#include "transfer/acknowledged.h"
#include "transfer/crew.h"
#include "transfer/item_judge.h"
#include "transfer/key_turns.h"
#include "transfer/load_input.h"
#include "transfer/load_position.h"
#include "transfer/patience.h"

namespace sheaf::transfer {
namespace {

// A line that is an item, and its place in the piece.
struct Line {
  Item item;
  size_t line;
};

std::vector<std::string> key_names(const KeySchema& key) {
  std::vector<std::string> names;
  for (const auto* attributes : {&key.partition, &key.sort}) {
    for (const KeyAttribute& attribute : *attributes) names.push_back(attribute.name);
  }
  return names;
}

std::vector<std::string> columns_of(const ColumnTypes& types) {
  std::vector<std::string> names;
  for (const auto& [key, type] : types) {
    if (key != "*") names.push_back(column_of_key(key));
  }
  return names;
}

class Load {
 public:
  Load(Database& database, const TableDescription& table, const LoadOptions& options,
       const LoadPosition& position)
      : database_(database),
        table_(table),
        options_(options),
        judge_(table),
        input_({.files = options.files,
                .format = options.format,
                .types = with_keys(options.types, table),
                .keys = key_names(table.key),
                .typed = columns_of(options.types),
                .file = position.file,
                .place = position.place}),
        acknowledged_(position, options.position_path),
        crew_({.look = [this] { tell(); },
               .silence =
                   [this](std::chrono::milliseconds since) {
                     const std::lock_guard lock(progress_mutex_);
                     if (options_.silence) options_.silence(since);
                   },
               .is_ended = [this] { return is_over() && is_ended_; },
               .ending =
                   [this](size_t requests) {
                     const std::lock_guard lock(progress_mutex_);
                     if (options_.ending) options_.ending(requests);
                   }}),
        bad_count_(position.bad) {}

  Result<Loaded> run() {
    if (options_.make_table) TRY(begin_with_table());
    // Before the first item is there: who goes on is known by it.
    TRY(acknowledged_.keep());
    crew_.run(std::max<size_t>(options_.threads, 1), [this](size_t) { work(); });
    const Result<void> kept = acknowledged_.finish(!is_stopped_);
    tell();
    if (failure_) return *failure_;
    if (!kept.ok()) return kept.error();
    const Acknowledged::Sum sum = acknowledged_.sum();
    Loaded loaded{.items = sum.counts.items,
                  .there = sum.counts.there,
                  .text_bytes = sum.text_bytes,
                  .bad = bad_count_,
                  .is_given_up = is_given_up_,
                  .is_ended = is_ended_};
    for (auto& [number, texts] : bad_lines_) {
      for (std::string& text : texts) loaded.bad_lines.push_back(std::move(text));
    }
    return loaded;
  }

 private:
  // What goes wrong afterwards is of no interest.
  void stop(std::optional<Error> error) {
    const std::lock_guard lock(mutex_);
    if (!is_stopped_ && error) failure_ = std::move(*error);
    is_stopped_ = true;
    input_.stop();
    turns_.stop();
  }

  // Whether nobody waits for more.
  bool is_over() {
    if (is_stopped_) return true;
    if (!options_.is_ended || !options_.is_ended()) return false;
    is_ended_ = true;
    stop({});
    return true;
  }

  // Of a piece that is not whole. Nobody is told: it is over already.
  static Error ended_early() { return {Code::kUnavailable, "it was ended"}; }

  // Waits before the database is asked again.
  bool wait(Patience& patience, const Error& why) {
    if (options_.waiting) {
      const std::lock_guard lock(progress_mutex_);
      options_.waiting(why, patience.waited());
    }
    return patience.wait();
  }

  Patience new_patience() {
    return Patience(
        options_.patience, [this] { return is_over(); }, taken_);
  }

  // The next piece, when there is one. Nothing at the end, and if nobody waits for more.
  Result<std::optional<Piece>> next_piece() {
    {
      const std::lock_guard lock(mutex_);
      if (first_) return std::exchange(first_, std::nullopt);
    }
    while (!is_over()) {
      Result<std::optional<Piece>> piece = input_.next();
      if (piece.ok() || piece.error().code != Code::kWouldBlock) return piece;
    }
    return std::optional<Piece>();
  }

  // A table that nothing can be put into is of no use: it would be in the way of the next try.
  Result<void> begin_with_table() {
    first_ = TRY(next_piece());
    if (is_stopped_) return {};
    uint64_t bad = 0;
    if (RecordParser parser; first_) {
      for (size_t i = 0; i < first_->lines.size(); ++i) {
        const Result<Item> item = parser.parse(first_->record(i), *first_->form);
        if (!item.ok() || !judge_.key_of(*item).ok()) ++bad;
      }
    }
    // The lines are told of as ever.
    if (bad > options_.bad_max) return {};
    acknowledged_.set_table(TRY(options_.make_table()));
    return {};
  }

  void work() {
    RecordParser parser;
    while (!is_over()) {
      Result<std::optional<Piece>> piece = next_piece();
      if (!piece.ok()) return stop(std::move(piece).error());
      if (!*piece) return;
      const Result<void> done = do_piece(**piece, parser);
      if (!done.ok()) return stop(done.error());
      tell();
    }
  }

  void tell() {
    if (!options_.progress) return;
    const Acknowledged::Sum sum = acknowledged_.sum();
    const uint64_t skipped = input_.skipped_bytes();
    const std::lock_guard lock(progress_mutex_);
    options_.progress(
        {.items = sum.counts.items, .taken_bytes = sum.taken_bytes, .done_bytes = skipped + sum.taken_bytes});
  }

  // Whether so many may be wrong.
  bool note_bad(const Piece& piece, size_t line, const std::string& why) {
    const std::lock_guard lock(mutex_);
    bad_lines_[piece.number].push_back(piece.place_of(line) + ": " + why);
    // Those of earlier pieces may come later.
    if (++bad_lines_kept_ > kBadLinesTold) {
      --bad_lines_kept_;
      const auto last = std::prev(bad_lines_.end());
      last->second.pop_back();
      if (last->second.empty()) bad_lines_.erase(last);
    }
    if (++bad_count_ <= options_.bad_max) return true;
    is_given_up_ = true;
    return false;
  }

  // What does not end well ends the whole load.
  Result<void> do_piece(const Piece& piece, RecordParser& parser) {
    Acknowledged::Counts counts;
    std::vector<Line> lines;
    std::vector<std::string> keys;
    std::unordered_map<std::string, size_t> places;  // by key
    for (size_t i = 0; i < piece.lines.size(); ++i) {
      Result<Item> item = parser.parse(piece.record(i), *piece.form);
      Result<std::string> key = item.ok() ? judge_.key_of(*item) : item.error();
      if (!key.ok()) {
        ++counts.bad;
        if (!note_bad(piece, i, key.error().message)) return stop({}), Result<void>();
        continue;
      }
      const auto [found, is_new] = places.emplace(*key, lines.size());
      if (is_new) {
        lines.push_back({.item = std::move(*item), .line = i});
        keys.push_back(std::move(*key));
      } else if (options_.is_if_absent) {
        ++counts.there;
      } else {
        lines[found->second] = {.item = std::move(*item), .line = i};
        ++counts.items;
      }
    }
    if (!turns_.enter(piece.number, keys)) return {};
    const Result<bool> written =
        options_.is_if_absent ? put_absent(piece, lines, counts) : put_all(piece, lines, counts);
    turns_.leave(piece.number, keys);
    if (!written.ok()) return written.error();
    if (!*written) return stop({}), Result<void>();
    return acknowledged_.add(piece, counts);
  }

  // False if lines that the database refuses are too many.
  Result<bool> put_all(const Piece& piece, std::vector<Line>& lines, Acknowledged::Counts& counts) {
    for (size_t begin = 0; begin < lines.size(); begin += api::kBatchWritesMax) {
      if (is_over()) return ended_early();
      const size_t end = std::min(lines.size(), begin + api::kBatchWritesMax);
      BatchWriteItems request;
      std::vector<BatchWriteItems::Write>& writes = request.tables[table_.name];
      for (size_t i = begin; i < end; ++i) writes.push_back({.put = true, .item = lines[i].item});
      const Result<void> put = put_batch(std::move(request));
      if (put.ok()) {
        counts.items += end - begin;
        continue;
      }
      if (put.error().code != Code::kInvalid && put.error().code != Code::kTooLarge) return put.error();
      // The database looks at all before it writes any: which one is it?
      if (bad_count_ >= options_.bad_max && end - begin > 1) {
        note_bad(piece, lines[begin].line,
                 put.error().message + " (of this line or one of the next " +
                     std::to_string(end - begin - 1) + ")");
        return false;
      }
      for (size_t i = begin; i < end; ++i) {
        if (!TRY(put_one(piece, lines[i], {}, counts))) return false;
      }
    }
    return true;
  }

  Result<void> put_batch(BatchWriteItems request) {
    Patience patience = new_patience();
    while (true) {
      Result<BatchWritten> written = crew_.request([&] { return database_.batch_write_items(request); });
      if (written.ok() && written->unprocessed.empty()) return taken_.note(), Result<void>();
      if (!written.ok() && !is_worth_asking_again(written.error().code)) return written.error();
      if (written.ok()) {
        if (written->unprocessed[table_.name].size() < request.tables[table_.name].size()) patience.renew();
        request.tables = std::move(written->unprocessed);
      }
      const Error why =
          written.ok() ? Error{Code::kThrottled, "the database takes no more"} : written.error();
      if (!wait(patience, why)) return why;
    }
  }

  Result<bool> put_absent(const Piece& piece, const std::vector<Line>& lines, Acknowledged::Counts& counts) {
    const std::string condition = "attribute_not_exists(#k)";
    for (const Line& line : lines) {
      if (is_over()) return ended_early();
      if (!TRY(put_one(piece, line, condition, counts))) return false;
    }
    return true;
  }

  Result<bool> put_one(const Piece& piece, const Line& line, std::optional<std::string> condition,
                       Acknowledged::Counts& counts) {
    PutItem request{.table = table_.name, .item = line.item, .condition = std::move(condition)};
    if (request.condition) request.names = {{"#k", table_.key.partition.front().name}};
    Patience patience = new_patience();
    while (true) {
      const Result<Written> written = crew_.request([&] { return database_.put_item(request); });
      if (written.ok()) {
        taken_.note();
        ++(written->condition_met ? counts.items : counts.there);
        return true;
      }
      const Error& error = written.error();
      if (error.code == Code::kInvalid || error.code == Code::kTooLarge) {
        ++counts.bad;
        return note_bad(piece, line.line, error.message);
      }
      if (!is_worth_asking_again(error.code) || !wait(patience, error)) return error;
    }
  }

  Database& database_;
  const TableDescription& table_;
  const LoadOptions& options_;
  const ItemJudge judge_;
  LoadInput input_;
  Acknowledged acknowledged_;
  KeyTurns turns_;
  LastTime taken_;
  Crew crew_;

  std::mutex mutex_, progress_mutex_;
  std::atomic<bool> is_stopped_ = false, is_ended_ = false;
  std::optional<Error> failure_;
  std::optional<Piece> first_;  // that was read before the others
  std::atomic<uint64_t> bad_count_;
  bool is_given_up_ = false;
  std::map<uint64_t, std::vector<std::string>> bad_lines_;  // by piece
  size_t bad_lines_kept_ = 0;
};

}  // namespace

Result<Loaded> load(Database& database, const TableDescription& table, const LoadOptions& options) {
  LoadPosition position = fresh_position(table, options.files);
  if (!options.position_path.empty()) {
    std::optional<LoadPosition> kept = TRY(kept_load_position(options.position_path));
    if (kept) TRY(check_same_load(options.position_path, *kept, position));
    if (kept && kept->has_begun()) position = std::move(*kept);
  }
  const bool is_resumed = position.has_begun();
  Loaded loaded{.was_whole = is_resumed && position.is_whole()};
  if (!loaded.was_whole) {
    Load load(database, table, options, position);
    loaded = TRY(load.run());
  }
  loaded.items_before = position.items;
  loaded.is_resumed = is_resumed;
  return loaded;
}

}  // namespace sheaf::transfer
