#include "value/utf8.h"

#include <cstdint>
#include <cstring>

namespace sheaf {
namespace {

// Bytes of the sequence that starts with `lead`, and what its second byte may be; 0 if none starts with it.
struct Sequence {
  int length;
  unsigned char second_min;
  unsigned char second_max;
};

Sequence sequence_of(unsigned char lead) {
  if (lead < 0xc2) return {0, 0, 0};
  if (lead < 0xe0) return {2, 0x80, 0xbf};
  if (lead == 0xe0) return {3, 0xa0, 0xbf};
  if (lead == 0xed) return {3, 0x80, 0x9f};
  if (lead < 0xf0) return {3, 0x80, 0xbf};
  if (lead == 0xf0) return {4, 0x90, 0xbf};
  if (lead < 0xf4) return {4, 0x80, 0xbf};
  if (lead == 0xf4) return {4, 0x80, 0x8f};
  return {0, 0, 0};
}

}  // namespace

bool is_utf8(std::string_view bytes) {
  const auto* position = reinterpret_cast<const unsigned char*>(bytes.data());
  const auto* const end = position + bytes.size();
  while (position != end) {
    if (end - position >= 8) {
      uint64_t group;
      std::memcpy(&group, position, sizeof(group));
      if ((group & 0x8080808080808080) == 0) {
        position += 8;
        continue;
      }
    }
    if (*position < 0x80) {
      ++position;
      continue;
    }
    const Sequence sequence = sequence_of(*position);
    if (sequence.length == 0 || end - position < sequence.length) return false;
    if (position[1] < sequence.second_min || position[1] > sequence.second_max) return false;
    for (int i = 2; i < sequence.length; ++i) {
      if ((position[i] & 0xc0) != 0x80) return false;
    }
    position += sequence.length;
  }
  return true;
}

}  // namespace sheaf
