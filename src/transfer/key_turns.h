// Order among threads that write the same keys: of two records with one key, the later must be written last.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace sheaf::transfer {

// Pieces of work enter in the order of their numbers, which begin with 0 and leave out none. Thread-safe.
class KeyTurns {
 public:
  // Waits for all before it to have entered, and for those that have a key in common with it to have left.
  // False if it was stopped meanwhile.
  bool enter(uint64_t number, const std::vector<std::string>& keys);
  void leave(uint64_t number, const std::vector<std::string>& keys);
  // Nobody waits any longer.
  void stop();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  uint64_t next_ = 0;
  bool is_stopped_ = false;
  std::set<uint64_t> inside_;
  std::unordered_map<std::string, uint64_t> last_;  // by key: the last that entered and has not left
};

}  // namespace sheaf::transfer
