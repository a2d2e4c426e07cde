#include "http/workspace.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace sheaf::http {

void Input::move_to_front() {
  if (begin_ == 0) return;
  std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
}

bool Input::make_room(size_t bytes_expected) {
  move_to_front();
  if (room_bytes() > 0) return true;
  const size_t doubled = buffer_.capacity() * 2;
  return buffer_.try_resize(bytes_expected == 0 ? doubled : std::min(doubled, bytes_expected + kPadding));
}

void Input::drop(size_t bytes) {
  assert(bytes <= size());
  begin_ += bytes;
  if (begin_ == end_) begin_ = end_ = 0;
  if (!is_grown() || size() + kPadding > kCapacityFirst) return;
  move_to_front();
  buffer_.resize(kCapacityFirst);
}

void Input::clear() { drop(size()); }

std::shared_ptr<Workspace> WorkspacePool::take() {
  if (kept_.empty()) return std::make_shared<Workspace>(budget_, body_bytes_max_);
  std::shared_ptr<Workspace> workspace = std::move(kept_.back());
  kept_.pop_back();
  return workspace;
}

void WorkspacePool::give_back(std::shared_ptr<Workspace> workspace) {
  // Where a handler still holds its Respond, that one has the last word.
  if (kept_.size() == kKeptMax || workspace.use_count() != 1) return;
  workspace->connection = nullptr;
  workspace->input.clear();
  workspace->parser.reset();
  workspace->inflated.clear();
  workspace->out.clear();
  if (workspace->out.capacity() > kOutBytesKept) workspace->out = std::string();
  kept_.push_back(std::move(workspace));
}

}  // namespace sheaf::http
