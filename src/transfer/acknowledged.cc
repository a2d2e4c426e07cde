#include "transfer/acknowledged.h"

#include "transfer/whole_file.h"

namespace sheaf::transfer {
namespace {

constexpr std::chrono::milliseconds kLoadKeptEvery{500};

}  // namespace

void Acknowledged::set_table(const TableDescription& table) {
  const std::lock_guard lock(mutex_);
  position_.table_id = table.id;
  position_.table_created_us = table.created_us;
}

Result<void> Acknowledged::add(const Piece& piece, const Counts& counts) {
  const std::lock_guard lock(mutex_);
  done_.emplace(piece.number, Done{.file = piece.file, .end = piece.end, .counts = counts});
  sum_.counts.items += counts.items;
  sum_.counts.there += counts.there;
  sum_.counts.bad += counts.bad;
  sum_.text_bytes += piece.text.size();
  sum_.taken_bytes += piece.taken_bytes;
  for (auto first = done_.begin(); first != done_.end() && first->first == next_;
       first = done_.erase(first)) {
    ++next_;
    position_.file = first->second.file;
    position_.place = first->second.end;
    position_.items += first->second.counts.items;
    position_.there += first->second.counts.there;
    position_.bad += first->second.counts.bad;
  }
  const auto now = std::chrono::steady_clock::now();
  if (now - kept_ < kLoadKeptEvery) return {};
  kept_ = now;
  return write();
}

Result<void> Acknowledged::finish(bool is_whole) {
  const std::lock_guard lock(mutex_);
  if (is_whole) {
    position_.file = position_.files.size();
    position_.place = {};
  }
  return write();
}

Result<void> Acknowledged::keep() const {
  const std::lock_guard lock(mutex_);
  return write();
}

Result<void> Acknowledged::write() const {
  return path_.empty() ? Result<void>() : write_whole_file(path_, to_json(position_));
}

Acknowledged::Sum Acknowledged::sum() const {
  const std::lock_guard lock(mutex_);
  return sum_;
}

}  // namespace sheaf::transfer
