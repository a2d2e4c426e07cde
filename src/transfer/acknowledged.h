// How far all threads of a load together are.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "transfer/load_input.h"
#include "transfer/load_position.h"

namespace sheaf::transfer {

// Thread-safe.
class Acknowledged {
 public:
  struct Counts {
    uint64_t items = 0, there = 0, bad = 0;
  };
  struct Sum {
    Counts counts;             // of this load
    uint64_t text_bytes = 0;   // decompressed
    uint64_t taken_bytes = 0;  // of the files, as they lie
  };

  // `path` is where the position is kept; empty: nowhere.
  Acknowledged(LoadPosition position, std::string path)
      : position_(std::move(position)), path_(std::move(path)) {}

  // Before the first piece: it is into this table, which was just made.
  void set_table(const TableDescription& table);
  // The piece is written. Keeps the position now and then.
  Result<void> add(const Piece& piece, const Counts& counts);
  // Keeps the position: at the end of all files, or where it is.
  Result<void> finish(bool is_whole);
  Result<void> keep() const;
  Sum sum() const;

 private:
  struct Done {
    size_t file;
    Place end;
    Counts counts;
  };
  Result<void> write() const;

  mutable std::mutex mutex_;
  LoadPosition position_;
  const std::string path_;
  Sum sum_;
  uint64_t next_ = 0;              // the first that is not done
  std::map<uint64_t, Done> done_;  // behind it
  std::chrono::steady_clock::time_point kept_{};
};

}  // namespace sheaf::transfer
