#include "engine/lagged_view.h"

#include "base/try.h"
#include "store/scan_bounds.h"

namespace sheaf::engine {
namespace {

using Row = FunctionRef<bool(std::string_view, std::string_view)>;

// Lays the past over what a scan of the store shows, in the order of the scan. A scan shows one state of the
// store, so the past need not be asked again about what it was asked about after the scan began.
class Overlay {
 public:
  Overlay(const Past::Reader& past, const store::Range& range, const store::ScanOptions& options, Row row)
      : past_(past),
        is_forward_(options.direction == store::Direction::kForward),
        bounds_(options),
        row_(row),
        begin_(range.begin),
        end_(store::ends_with_space(range) ? std::string(1, static_cast<char>(range.begin.front() + 1))
                                           : range.end) {}

  // One row of the store, and the past's rows in front of it. False: the scan is over.
  bool take(std::string_view key, std::string_view value) {
    if (!give_past([&](std::string_view past) { return is_forward_ ? past < key : past > key; }))
      return false;
    if (!next_ || next_->key != key) return give(key, value);
    const PastRow now = take_next();
    return !now.value || give(now.key, *now.value);
  }

  // The past's rows in the rest of what the store has shown.
  store::ScanEnd finish(store::ScanEnd end) {
    if (end_of_scan_) return std::move(*end_of_scan_);
    const bool is_done = give_past([&](std::string_view past) {
      return !end.more || (is_forward_ ? past < end.resume : past >= end.resume);
    });
    return is_done ? std::move(end) : std::move(*end_of_scan_);
  }

 private:
  // Those that are due.
  template <typename IsDue>
  bool give_past(IsDue is_due) {
    if (!is_next_known_) find_next();
    while (next_ && is_due(next_->key)) {
      const PastRow row = take_next();
      if (row.value && !give(row.key, *row.value)) return false;
    }
    return true;
  }

  bool give(std::string_view key, std::string_view value) {
    if (!bounds_.take(key.size() + value.size())) return stop(key, false);
    return row_(key, value) || stop(key, true);
  }

  bool stop(std::string_view key, bool was_given) {
    end_of_scan_ = store::ScanEnd{.more = true, .resume = std::string(key)};
    if (was_given == is_forward_) end_of_scan_->resume.push_back('\0');
    return false;
  }

  PastRow take_next() {
    PastRow taken = std::move(*next_);
    (is_forward_ ? begin_ : end_) = taken.key;
    if (is_forward_) begin_.push_back('\0');
    find_next();
    return taken;
  }

  void find_next() {
    next_ = is_forward_ ? past_.first(begin_, end_) : past_.last(begin_, end_);
    is_next_known_ = true;
  }

  const Past::Reader& past_;
  const bool is_forward_;
  store::SliceBounds bounds_;
  const Row row_;
  std::string begin_, end_;  // where the past has not been looked at
  std::optional<PastRow> next_;
  bool is_next_known_ = false;  // the store has shown its state
  std::optional<store::ScanEnd> end_of_scan_;
};

class LaggedView final : public store::View {
 public:
  LaggedView(Engine& engine, const store::ViewOptions& options)
      : past_(*engine.past), view_(engine.store.view(options)) {}

  Result<store::Read> read(std::string_view key) override {
    store::Read read = TRY(view_->read(key));
    lay_over(key, read);
    return read;
  }

  Result<std::vector<store::Read>> read_many(std::span<const std::string> keys) override {
    std::vector<store::Read> reads = TRY(view_->read_many(keys));
    for (size_t i = 0; i < keys.size(); ++i) lay_over(keys[i], reads[i]);
    return reads;
  }

  Result<store::ScanEnd> scan(const store::Range& range, const store::ScanOptions& options,
                              Row row) override {
    if (store::is_empty(range)) return store::ScanEnd{};
    Overlay overlay(past_, range, options, row);
    store::ScanEnd end = TRY(view_->scan(range, options, [&](std::string_view key, std::string_view value) {
      return overlay.take(key, value);
    }));
    return overlay.finish(std::move(end));
  }

 private:
  void lay_over(std::string_view key, store::Read& read) const {
    if (std::optional<PastRow> row = past_.find(key)) read.value = std::move(row->value);
  }

  const Past::Reader past_;  // made before the view
  const std::unique_ptr<store::View> view_;
};

}  // namespace

std::unique_ptr<store::View> open_lagged_view(Engine& engine, const store::ViewOptions& options) {
  return std::make_unique<LaggedView>(engine, options);
}

}  // namespace sheaf::engine
