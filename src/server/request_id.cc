#include "server/request_id.h"

#include <chrono>
#include <random>

namespace sheaf::server {
namespace {

uint64_t next_random() {
  static thread_local std::mt19937_64 generator{std::random_device{}()};
  return generator();
}

}  // namespace

void append_request_id(std::string& out) {
  static constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ012345";
  uint64_t bits = 0;
  for (size_t i = 0; i < kRequestIdLength; ++i) {
    if (i % 12 == 0) bits = next_random();
    out += kDigits[bits & 31];
    bits >>= 5;
  }
}

uint64_t steady_us() {
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(
                                   std::chrono::steady_clock::now().time_since_epoch())
                                   .count());
}

}  // namespace sheaf::server
