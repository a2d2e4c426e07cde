#include "generate/load.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/try.h"
#include "generate/records.h"
#include "run/data_writer.h"

namespace sheaf::generate {
namespace {

constexpr uint64_t kPieceSize = 250;

// Some entities of a kind, or positions of a relation.
struct Piece {
  bool is_relation = false;
  size_t id = 0;
  uint64_t begin = 0, end = 0;
};

class Loader {
 public:
  Loader(Database& database, const model::Layout& layout, const Generator& generator,
         const LoadOptions& options)
      : database_(database),
        layout_(layout),
        generator_(generator),
        options_(options),
        records_(generator, layout) {
    for (const model::EntityId entity : generator.order()) {
      if (records_.has_entity_items(entity)) add(false, entity, generator.count(entity));
    }
    for (model::RelationId relation = 0; relation < generator.model().relations.size(); ++relation) {
      if (records_.has_edge_items(relation)) add(true, relation, generator.links(relation).total());
    }
  }

  Result<Loaded> run() {
    std::vector<std::thread> others;
    for (size_t i = 1; i < options_.threads; ++i) others.emplace_back([this] { work(); });
    work();
    for (std::thread& other : others) other.join();
    if (error_) return *error_;
    return loaded_;
  }

 private:
  void add(bool is_relation, size_t id, uint64_t count) {
    ranges_.push_back({.is_relation = is_relation, .id = id, .begin = all_, .end = all_ + count});
    all_ += count;
  }

  void work() {
    while (const auto piece = next()) {
      const Result<void> done = load(*piece);
      const std::lock_guard lock(mutex_);
      if (!done.ok() && !error_) error_ = done.error();
      done_ += piece->end - piece->begin;
      if (options_.progress && !error_) options_.progress(done_, all_);
    }
  }

  std::optional<Piece> next() {
    const std::lock_guard lock(mutex_);
    while (range_ < ranges_.size() && at_ == ranges_[range_].end) ++range_;
    if (range_ == ranges_.size() || error_) return std::nullopt;
    if (options_.is_ended && options_.is_ended()) loaded_.is_ended = true;
    if (loaded_.is_ended) return std::nullopt;
    const Piece& range = ranges_[range_];
    Piece piece = range;
    piece.begin = at_ - range.begin;
    at_ = std::min(at_ + kPieceSize, range.end);
    piece.end = at_ - range.begin;
    return piece;
  }

  Result<void> load(const Piece& piece) {
    run::Data data;
    for (uint64_t i = piece.begin; i < piece.end; ++i) {
      if (!piece.is_relation) {
        data.records.push_back(records_.record(piece.id, i));
      } else if (const auto link = generator_.links(piece.id).at(i)) {
        for (uint64_t number = 0; number < generator_.parallel(piece.id, i); ++number)
          data.edges.push_back(records_.edge(piece.id, {.position = i, .number = number}, *link));
      }
    }
    run::DataWriter writer(database_, generator_.model(), layout_, {.is_ended = options_.is_ended});
    const Result<void> written = writer.write(data);
    const std::lock_guard lock(mutex_);
    loaded_.items += writer.written().items;
    loaded_.is_ended = loaded_.is_ended || writer.written().is_ended;
    if (!written.ok() || writer.written().is_ended) return written;
    loaded_.entities += data.records.size();
    loaded_.edges += data.edges.size();
    return {};
  }

  Database& database_;
  const model::Layout& layout_;
  const Generator& generator_;
  const LoadOptions& options_;
  const Records records_;
  std::vector<Piece> ranges_;  // in one row
  uint64_t all_ = 0;
  std::mutex mutex_;  // for what follows
  size_t range_ = 0;
  uint64_t at_ = 0, done_ = 0;
  Loaded loaded_;
  std::optional<Error> error_;
};

}  // namespace

Result<void> check_times(const Generator& generator) {
  if (!generator.has_since() || generator.until_ms() <= SystemClock().now_us() / 1000) return {};
  return Error{
      Code::kInvalid,
      "times would lie in the future, and a field with a since does not allow for that: say an earlier "
      "--until"};
}

Result<Loaded> load(Database& database, const model::Layout& layout, const Generator& generator,
                    const LoadOptions& options) {
  TRY(check_times(generator));
  return Loader(database, layout, generator, options).run();
}

}  // namespace sheaf::generate
