#include "transfer/load.h"

#include <atomic>
#include <filesystem>
#include <map>
#include <mutex>
#include <thread>
#include <unordered_map>

#include "api/transactions.h"
#include "base/errors.h"
#include "base/try.h"
#include "transfer/item_judge.h"
#include "transfer/key_turns.h"
#include "transfer/load_input.h"
#include "transfer/load_position.h"
#include "transfer/patience.h"
#include "transfer/whole_file.h"

namespace sheaf::transfer {
namespace {

constexpr std::chrono::milliseconds kLoadKeptEvery{500};

// A line that is an item, and its place in the piece.
struct Line {
  Item item;
  size_t line;
};

// How far all threads together are.
class Acknowledged {
 public:
  Acknowledged(LoadPosition position, std::string path)
      : position_(std::move(position)), path_(std::move(path)) {}

  struct Counts {
    uint64_t items = 0, there = 0, bad = 0;
  };
  // The piece is written. Keeps the position now and then.
  Result<void> add(const Piece& piece, const Counts& counts) {
    const std::lock_guard lock(mutex_);
    done_.emplace(piece.number, Done{.file = piece.file, .end = piece.end, .counts = counts});
    items_ += counts.items;
    there_ += counts.there;
    text_bytes_ += piece.text.size();
    for (auto first = done_.begin(); first != done_.end() && first->first == next_;
         first = done_.erase(first)) {
      ++next_;
      position_.file = first->second.file;
      position_.place = first->second.end;
      position_.items += first->second.counts.items;
      position_.bad += first->second.counts.bad;
    }
    const auto now = std::chrono::steady_clock::now();
    if (now - kept_ < kLoadKeptEvery) return {};
    kept_ = now;
    return keep();
  }
  Result<void> finish(bool is_whole) {
    const std::lock_guard lock(mutex_);
    if (is_whole) {
      position_.file = position_.files.size();
      position_.place = {};
    }
    return keep();
  }
  uint64_t items() const {
    const std::lock_guard lock(mutex_);
    return items_;
  }
  Loaded loaded() const {
    const std::lock_guard lock(mutex_);
    return {.items = items_, .there = there_, .text_bytes = text_bytes_};
  }

 private:
  struct Done {
    size_t file;
    Place end;
    Counts counts;
  };
  Result<void> keep() const {
    return path_.empty() ? Result<void>() : write_whole_file(path_, to_json(position_));
  }

  mutable std::mutex mutex_;
  LoadPosition position_;
  const std::string path_;
  uint64_t items_ = position_.items;
  uint64_t there_ = 0, text_bytes_ = 0;
  uint64_t next_ = 0;              // the first that is not done
  std::map<uint64_t, Done> done_;  // behind it
  std::chrono::steady_clock::time_point kept_{};
};

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
                .file = position.file,
                .place = position.place}),
        acknowledged_(position, options.position_path),
        bad_count_(position.bad) {}

  Result<Loaded> run() {
    std::vector<std::thread> threads;
    for (size_t i = 0; i < std::max<size_t>(options_.threads, 1); ++i)
      threads.emplace_back([this] { work(); });
    for (std::thread& thread : threads) thread.join();
    const Result<void> kept = acknowledged_.finish(!is_stopped_);
    if (failure_) return *failure_;
    if (!kept.ok()) return kept.error();
    Loaded loaded = acknowledged_.loaded();
    loaded.bad = bad_count_;
    loaded.is_given_up = is_given_up_;
    loaded.is_ended = is_ended_;
    for (auto& [number, texts] : bad_lines_) {
      for (std::string& text : texts) {
        if (loaded.bad_lines.size() < kBadLinesTold) loaded.bad_lines.push_back(std::move(text));
      }
    }
    return loaded;
  }

 private:
  // What goes wrong afterwards is of no interest.
  void stop(std::optional<Error> error) {
    const std::lock_guard lock(mutex_);
    if (!is_stopped_ && error) failure_ = std::move(*error);
    is_stopped_ = true;
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

  void work() {
    RecordParser parser;
    while (!is_over()) {
      Result<std::optional<Piece>> piece = input_.next();
      if (!piece.ok()) return stop(std::move(piece).error());
      if (!*piece) return;
      const Result<void> done = do_piece(**piece, parser);
      if (!done.ok()) return stop(done.error());
      tell();
    }
  }

  void tell() {
    if (!options_.progress) return;
    const LoadFigures figures{.items = acknowledged_.items(), .taken_bytes = input_.taken_bytes()};
    const std::lock_guard lock(progress_mutex_);
    options_.progress(figures);
  }

  // Whether so many may be wrong.
  bool note_bad(const Piece& piece, size_t line, const std::string& why) {
    const std::lock_guard lock(mutex_);
    std::vector<std::string>& texts = bad_lines_[piece.number];
    if (texts.size() < kBadLinesTold) texts.push_back(piece.place_of(line) + ": " + why);
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
    Patience patience(options_.patience, [this] { return is_over(); });
    while (true) {
      Result<BatchWritten> written = database_.batch_write_items(request);
      if (written.ok() && written->unprocessed.empty()) return {};
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
    Patience patience(options_.patience, [this] { return is_over(); });
    while (true) {
      const Result<Written> written = database_.put_item(request);
      if (written.ok()) {
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

  std::mutex mutex_, progress_mutex_;
  std::atomic<bool> is_stopped_ = false, is_ended_ = false;
  std::optional<Error> failure_;
  std::atomic<uint64_t> bad_count_;
  bool is_given_up_ = false;
  std::map<uint64_t, std::vector<std::string>> bad_lines_;  // by piece
};

// From the file, or from the beginning if there is none.
Result<LoadPosition> begin_of(const TableDescription& table, const LoadOptions& options) {
  LoadPosition fresh{.table = table.name, .files = options.files};
  const std::string& path = options.position_path;
  if (path.empty() || !std::filesystem::exists(path)) return fresh;
  const std::string text = TRY(read_whole_file(path));
  Result<LoadPosition> kept = read_load_position(text);
  if (!kept.ok()) return invalid(path + " does not say how far a load is: " + kept.error().message);
  if (kept->table != fresh.table || kept->files != fresh.files)
    return invalid(path + " is of another load: of " + kept->table +
                   ", from other files or in another order");
  return kept;
}

}  // namespace

Result<Loaded> load(Database& database, const TableDescription& table, const LoadOptions& options) {
  const LoadPosition position = TRY(begin_of(table, options));
  // Before the first item is there: who goes on is known by it.
  if (!options.position_path.empty()) TRY(write_whole_file(options.position_path, to_json(position)));
  Load load(database, table, options, position);
  Loaded loaded = TRY(load.run());
  loaded.is_resumed = position.file > 0 || position.place.bytes > 0;
  return loaded;
}

}  // namespace sheaf::transfer
