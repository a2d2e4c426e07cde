#include "run/merged_queries.h"

#include <algorithm>

#include "base/try.h"
#include "plan/key_interval.h"

namespace sheaf::run {

MergedQueries::MergedQueries(Database& database, const model::Layout& layout, const plan::Request& request,
                             std::vector<Query> queries, Figures& figures)
    : database_(database), figures_(figures), sort_(plan::sort_attribute(layout, request.view)->name) {
  for (Query& query : queries) streams_.push_back({.query = std::move(query)});
}

void MergedQueries::begin_behind(size_t at, const Item& key) {
  begun_ = at;
  behind_ = Value(*key.find(sort_));
  streams_[at].query.start_key = key;
}

Result<void> MergedQueries::fill(size_t at, uint64_t wanted) {
  Stream& stream = streams_[at];
  while (stream.is_empty() && !stream.has_ended) {
    stream.query.limit = static_cast<uint32_t>(wanted);
    Page page = TRY(database_.query(stream.query));
    ++figures_.requests;
    figures_.units += page.capacity.total();
    figures_.items_read += page.items.size();
    stream.items = std::move(page.items);
    stream.next = 0;
    stream.has_ended = !page.last_key;
    stream.query.start_key = page.last_key;
    // What an earlier query has under the same sort key was told before.
    if (at >= begun_ || !behind_) continue;
    while (!stream.is_empty() &&
           stream.items[stream.next].find(sort_)->encoded() == behind_->view().encoded())
      ++stream.next;
  }
  return {};
}

bool MergedQueries::is_before(const Stream& a, const Stream& b) const {
  const auto order = compare(*a.items[a.next].find(sort_), *b.items[b.next].find(sort_));
  return order && (a.query.descending ? *order > 0 : *order < 0);
}

Result<std::optional<ItemView>> MergedQueries::next(uint64_t wanted) {
  Stream* first = nullptr;
  for (size_t at = 0; at < streams_.size(); ++at) {
    TRY(fill(at, wanted));
    Stream& stream = streams_[at];
    if (!stream.is_empty() && (first == nullptr || is_before(stream, *first))) first = &stream;
  }
  if (first == nullptr) return std::optional<ItemView>();
  return std::optional<ItemView>(first->items[first->next++]);
}

bool MergedQueries::has_more() const {
  return std::any_of(streams_.begin(), streams_.end(),
                     [](const Stream& stream) { return !stream.is_empty() || !stream.has_ended; });
}

}  // namespace sheaf::run
