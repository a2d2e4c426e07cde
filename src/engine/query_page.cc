#include "engine/query_page.h"

#include "base/try.h"
#include "engine/lagged_view.h"
#include "engine/record.h"

namespace sheaf::engine {
namespace {

class PageReader {
 public:
  PageReader(Engine& engine, const PageRequest& request, const ReadOptions& options,
             FunctionRef<void(ItemView)> row)
      : engine_(engine), request_(request), options_(options), row_(row) {}

  // The rows are noted that are read, if somebody wants to know.
  Result<PageEnd> read(RowSample* rows) {
    rows_ = rows;
    store::Range rest = request_.keys.range;
    for (bool more = !request_.keys.empty(); more;) {
      const store::ScanEnd end = TRY(read_slice(rest));
      if (failure_) return std::move(*failure_);
      more = end.more && !full_;
      (request_.keys.direction == store::Direction::kForward ? rest.begin : rest.end) = end.resume;
    }
    meter();
    return std::move(page_);
  }

 private:
  // One view a slice, so that no view lives long.
  Result<store::ScanEnd> read_slice(const store::Range& range) {
    // Fetching reads the table while the index is being read: one snapshot for both.
    view_ = open_view(engine_,
                      {.table = *request_.keys.table, .index = request_.keys.index, .mode = request_.mode},
                      {.snapshot = request_.fetch_items, .cached_only = options_.cached_only});
    Result<store::ScanEnd> end = view_->scan(range, {.direction = request_.keys.direction},
                                             [this](std::string_view key, std::string_view value) {
                                               const Record entry = Record::of(value);
                                               if (rows_ != nullptr) rows_->add(key, entry.size_bytes);
                                               return take(entry);
                                             });
    view_.reset();
    return end;
  }

  // False: the page is full.
  bool take(const Record& entry) {
    ++page_.scanned;
    bytes_ += entry.size_bytes;
    if (request_.fetch_items) {
      if (!fetch(entry)) return false;
    } else {
      filter(entry.item, entry.item);
    }
    full_ = bytes_ >= kPageBytesMax || (request_.limit != 0 && page_.scanned == request_.limit);
    if (full_) page_.last_key = key_attributes(*request_.keys.table, request_.keys.index, entry.item);
    return !full_;
  }

  // Gives `item` if the filter likes `asked`.
  void filter(ItemView asked, ItemView item) {
    if (request_.filter != nullptr && !request_.filter->matches(asked)) return;
    ++page_.count;
    row_(item);
  }

  bool fetch(const Record& entry) {
    Result<store::Read> read = view_->read(place_of_stored(*request_.keys.table, entry.item).key);
    if (!read.ok()) {
      failure_ = std::move(read).error();
      return false;
    }
    if (!read->value) {
      failure_ =
          Error{Code::kCorrupt, "an entry of index " + request_.keys.index->settings->name + " has no item"};
      return false;
    }
    const Record item = Record::of(*read->value);
    page_.consumed.table += read_half_units(item.size_bytes, request_.mode);
    filter(request_.filter_entries ? entry.item : item.item, item.item);
    return true;
  }

  void meter() {
    const HalfUnits units = read_half_units(bytes_, request_.mode);
    if (request_.keys.index == nullptr) {
      page_.consumed.table += units;
    } else {
      page_.consumed.add_index(request_.keys.index->settings->id, units);
    }
  }

  Engine& engine_;
  const PageRequest& request_;
  const ReadOptions& options_;
  const FunctionRef<void(ItemView)> row_;
  std::unique_ptr<store::View> view_;
  PageEnd page_;
  uint64_t bytes_ = 0;
  bool full_ = false;
  std::optional<Error> failure_;
  RowSample* rows_ = nullptr;
};

}  // namespace

Result<PageEnd> read_page(Engine& engine, const PageRequest& request, const ReadOptions& options,
                          FunctionRef<void(ItemView)> row) {
  if (engine.meter == nullptr) return PageReader(engine, request, options, row).read(nullptr);
  TRY(engine.meter->admit_page(request.keys));
  RowSample rows;
  Result<PageEnd> page = PageReader(engine, request, options, row).read(&rows);
  if (page.ok()) engine.meter->charge_page(request.keys, page->consumed, rows);
  return page;
}

}  // namespace sheaf::engine
