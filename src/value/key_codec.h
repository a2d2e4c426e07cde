// The order-preserving form of key attributes (doc/key-format.md): each component ends itself, and comparing
// the bytes of two keys compares their components one after the other.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sheaf/value.h"

namespace sheaf {

inline constexpr uint32_t kPartitionKeyBytesMax = 2048;
inline constexpr uint32_t kSortKeyBytesMax = 1024;

// Appends one component. `value` is a string, a number or a binary; others are asserted.
void append_key_component(std::string& out, ValueView value);

// Appends what every component begins with whose string or binary value begins with `prefix`: no terminator.
void append_key_prefix(std::string& out, std::string_view prefix);

// Takes one component of `type` from the front of `encoded`, moving it on. Bytes that no component encodes
// to: Error.
Result<Value> take_key_component(std::string_view& encoded, Type type);

// Moves `encoded` behind one component of `type`. False: it does not begin with one.
bool skip_key_component(std::string_view& encoded, Type type);

// The smallest key greater than every key that begins with `prefix`; empty if there is none.
std::string prefix_end(std::string_view prefix);

// XXH3-64 over encoded partition components: where in a table a partition lies.
uint64_t partition_hash(std::string_view encoded_components);

}  // namespace sheaf
