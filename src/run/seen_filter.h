// A Bloom filter of texts: who was seen, in 16 MB, however many there are. What it has not seen was not
// there; of what it takes for seen, one in two hundred behind ten million was not.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace sheaf::run {

// For one thread.
class SeenFilter {
 public:
  // Whether it may have had it before. Its memory is taken with the first.
  bool add(std::string_view text);
  bool may_have(std::string_view text) const;

 private:
  std::vector<uint64_t> words_;
};

}  // namespace sheaf::run
