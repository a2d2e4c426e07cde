#include <algorithm>
#include <cassert>

#include "sheaf/value.h"

#include "value/base64.h"
#include "value/flat_format.h"

namespace sheaf {
namespace {

constexpr std::string_view kInvalidValues = "One or more parameter values were invalid: ";

std::string empty_set_message(Type type) {
  std::string message(kInvalidValues);
  if (type == Type::kStringSet) return message += "An string set  may not be empty";
  if (type == Type::kNumberSet) return message += "An number set  may not be empty";
  return message += "Binary sets should not be empty";
}

template <typename Integer>
uint64_t load(const char* bytes) {
  Integer integer;
  std::memcpy(&integer, bytes, sizeof(integer));
  return integer;
}

// The first eight bytes as a number that compares as they do, with zeros for missing ones. Short keys are
// read by two loads that overlap.
uint64_t prefix_of(std::string_view key) {
  const char* const bytes = key.data();
  const size_t size = key.size();
  uint64_t prefix = 0;
  if (size >= 8) {
    prefix = load<uint64_t>(bytes);
  } else if (size >= 4) {
    prefix = load<uint32_t>(bytes) | load<uint32_t>(bytes + size - 4) << (8 * (size - 4));
  } else if (size >= 2) {
    prefix = load<uint16_t>(bytes) | load<uint16_t>(bytes + size - 2) << (8 * (size - 2));
  } else if (size == 1) {
    prefix = load<uint8_t>(bytes);
  }
  return __builtin_bswap64(prefix);
}

uint32_t offset(size_t position) {
  assert(position <= UINT32_MAX);
  return static_cast<uint32_t>(position);
}

}  // namespace

// Where `bytes` more may be written. Appending to a string would check its room and end it after every piece.
inline char* ValueWriter::reserve(size_t bytes) {
  if (buffer_.size() - size_ < bytes) [[unlikely]]
    grow(bytes);
  return buffer_.data() + size_;
}

inline void ValueWriter::advance_to(const char* position) {
  size_ = static_cast<size_t>(position - buffer_.data());
  assert(size_ <= buffer_.size());
}

void ValueWriter::grow(size_t bytes) { buffer_.resize(std::max(size_ + bytes, 2 * buffer_.size() + 256)); }

void ValueWriter::reset() {
  size_ = 0;
  levels_.clear();
  nesting_ = 0;
  error_.reset();
}

void ValueWriter::begin_item() {
  assert(size_ == 0);
  open(Type::kMap, true);
}

void ValueWriter::end_item() { close(Type::kMap); }

void ValueWriter::key(std::string_view name) {
  assert(!levels_.empty() && levels_.back().type == Type::kMap && !levels_.back().key_given);
  levels_.back().key_given = true;
  append_entry_key(levels_.back(), name);
}

void ValueWriter::null() {
  before_value();
  char* out = reserve(kTagBytes);
  *out++ = static_cast<char>(Type::kNull);
  advance_to(out);
}

void ValueWriter::boolean(bool value) {
  before_value();
  char* out = reserve(kTagBytes + 1);
  *out++ = static_cast<char>(Type::kBool);
  *out++ = value ? 1 : 0;
  advance_to(out);
}

void ValueWriter::number(NumberView value) {
  // A number's length fits in one byte, which is what it takes as a varint.
  before_value();
  append_bytes(Type::kNumber, value.encoded());
}

void ValueWriter::string(std::string_view value) {
  before_value();
  append_bytes(Type::kString, value);
}

void ValueWriter::binary(std::string_view value) {
  before_value();
  append_bytes(Type::kBinary, value);
}

void ValueWriter::begin_map() {
  before_value();
  ++nesting_;
  open(Type::kMap, false);
}

void ValueWriter::end_map() {
  close(Type::kMap);
  --nesting_;
}

void ValueWriter::begin_list() {
  before_value();
  ++nesting_;
  open(Type::kList, false);
}

void ValueWriter::end_list() {
  close(Type::kList);
  --nesting_;
}

void ValueWriter::begin_set(Type type) {
  assert(is_set(type));
  before_value();
  open(type, false);
}

void ValueWriter::element(std::string_view bytes) {
  assert(!levels_.empty() && is_set(levels_.back().type));
  append_entry_key(levels_.back(), bytes);
}

void ValueWriter::end_set() {
  assert(!levels_.empty());
  const Level& level = levels_.back();
  if (level.count == 0) fail(empty_set_message(level.type));
  close(level.type);
}

void ValueWriter::copy(ValueView value) {
  before_value();
  const bool can_nest = value.type() == Type::kMap || value.type() == Type::kList;
  if (can_nest && nesting_ + value.depth() > nesting_max_) fail_nesting();
  char* const out = reserve(value.encoded().size());
  std::memcpy(out, value.encoded().data(), value.encoded().size());
  advance_to(out + value.encoded().size());
}

Result<std::string> ValueWriter::finish() {
  assert(levels_.empty() && size_ > 0);
  auto result = error_.has_value() ? Result<std::string>(*std::move(error_))
                                   : Result<std::string>({buffer_.data(), size_});
  reset();
  return result;
}

void ValueWriter::append_bytes(Type type, std::string_view bytes) {
  char* out = reserve(kTagBytes + kVarintBytesMax + bytes.size());
  *out++ = static_cast<char>(type);
  advance_to(put_sized(out, bytes));
}

void ValueWriter::open(Type type, bool is_item) {
  char* out = reserve(kTagBytes + kBodyLengthBytes + 1);
  if (!is_item) {
    *out++ = static_cast<char>(type);
    out += kBodyLengthBytes;
  }
  advance_to(out);
  levels_.push_back({.type = type,
                     .is_item = is_item,
                     .sorted = true,
                     .key_given = false,
                     .start = offset(size_),
                     .count = 0,
                     .last_start = 0,
                     .last_length = 0,
                     .last_prefix = 0});
  advance_to(out + 1);  // the count takes one byte if it is below 128
}

void ValueWriter::close([[maybe_unused]] Type type) {
  assert(!levels_.empty() && levels_.back().type == type && !levels_.back().key_given);
  const Level level = levels_.back();
  levels_.pop_back();
  if (!level.sorted) sort_entries(level);
  if (level.count < 0x80) {
    buffer_[level.start] = static_cast<char>(level.count);
  } else {
    reserve(kVarintBytesMax);
    char count[kVarintBytesMax];
    const auto count_bytes = static_cast<size_t>(put_varint(count, level.count) - count);
    char* const entries = buffer_.data() + level.start + 1;
    std::memmove(entries + count_bytes - 1, entries, size_ - level.start - 1);
    std::memcpy(buffer_.data() + level.start, count, count_bytes);
    size_ += count_bytes - 1;
  }
  if (level.is_item) return;
  write_body_length(buffer_.data() + level.start - kBodyLengthBytes, offset(size_ - level.start));
}

void ValueWriter::before_value() {
  if (nesting_ >= nesting_max_) [[unlikely]]
    fail_nesting();
  if (levels_.empty()) {
    assert(size_ == 0);
    return;
  }
  Level& level = levels_.back();
  assert(level.type == Type::kList || level.key_given);
  level.key_given = false;
  if (level.type == Type::kList) ++level.count;
}

void ValueWriter::append_entry_key(Level& level, std::string_view key) {
  const uint64_t prefix = prefix_of(key);
  if (level.count++ > 0 && prefix <= level.last_prefix && level.sorted) {
    const std::string_view last(buffer_.data() + level.last_start, level.last_length);
    level.sorted = prefix == level.last_prefix && last < key;
  }
  advance_to(put_sized(reserve(kVarintBytesMax + key.size()), key));
  level.last_start = offset(size_ - key.size());
  level.last_length = offset(key.size());
  level.last_prefix = prefix;
}

void ValueWriter::collect_entries(const Level& level) {
  entries_.clear();
  const char* position = buffer_.data() + level.start + 1;
  for (uint32_t i = 0; i < level.count; ++i) {
    const char* const begin = position;
    const auto key = read_sized(position);
    if (level.type == Type::kMap) position = skip_value(position);
    entries_.push_back({prefix_of(key), key, {begin, static_cast<size_t>(position - begin)}});
  }
}

void ValueWriter::sort_entries(const Level& level) {
  collect_entries(level);
  std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
    return a.prefix != b.prefix ? a.prefix < b.prefix : a.key < b.key;
  });
  const auto twice = std::adjacent_find(entries_.begin(), entries_.end(),
                                        [](const Entry& a, const Entry& b) { return a.key == b.key; });
  if (twice != entries_.end()) return fail_duplicate(level, twice->key);

  sorted_entries_.clear();
  for (const auto& entry : entries_) sorted_entries_.append(entry.whole);
  std::memcpy(buffer_.data() + level.start + 1, sorted_entries_.data(), sorted_entries_.size());
}

void ValueWriter::fail_duplicate(const Level& level, std::string_view key) {
  if (level.type == Type::kMap) {
    return fail(std::string(kInvalidValues).append("The attribute name is given twice: ").append(key));
  }
  if (level.type == Type::kNumberSet) return fail("Input collection contains duplicates");

  const bool binary = level.type == Type::kBinarySet;
  collect_entries(level);  // the message lists the elements as they were given
  std::string message = std::string(kInvalidValues).append("Input collection ");
  char before = '[';
  for (const auto& entry : entries_) {
    message += before;
    if (before == ',') message += ' ';
    before = ',';
    binary ? append_base64(message, entry.key) : static_cast<void>(message += entry.key);
  }
  message += binary ? "]of type BS contains duplicates." : "] contains duplicates.";
  fail(std::move(message));
}

void ValueWriter::fail_nesting() {
  fail(
      "Nesting Levels have exceeded supported limits: "
      "Attributes in the item have nested levels beyond supported limit");
}

void ValueWriter::fail(std::string message) {
  if (!error_.has_value()) error_ = Error{Code::kInvalid, std::move(message)};
}

}  // namespace sheaf
