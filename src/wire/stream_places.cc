#include "wire/stream_places.h"

#include <xxhash.h>

#include <algorithm>
#include <charconv>
#include <cstdio>

#include "base/big_endian.h"
#include "value/base64.h"

namespace sheaf::wire {
namespace {

// A sequence number is a 1, so that none begins with a 0, then a stamp, then a position.
constexpr size_t kStampDigits = 17;
constexpr size_t kPositionDigits = 5;

// Behind the ARN: a version, so that a later form can be told from this one.
constexpr std::string_view kVersionPart = "|1|";
constexpr size_t kIteratorBytes = 4 + 1 + 1 + 8 + 2 + 8 + 8;

std::string padded(uint64_t number, size_t digits) {
  const std::string text = std::to_string(number);
  return text.size() < digits ? std::string(digits - text.size(), '0') + text : text;
}

std::optional<uint64_t> parse_digits(std::string_view text) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

uint64_t check_of(std::string_view arn, std::string_view bytes) {
  std::string checked(arn);
  checked += bytes;
  return XXH3_64bits(checked.data(), checked.size());
}

Error invalid_iterator() { return {Code::kInvalid, "Invalid ShardIterator"}; }

}  // namespace

std::string shard_id(const engine::StreamSettings& stream, uint32_t shard) {
  char number[16];
  std::snprintf(number, sizeof(number), "%08x", stream.id << 8 | shard);
  return "shardId-" + padded(static_cast<uint64_t>(stream.created_us / 1000), 20) + '-' + number;
}

std::string sequence_number(StreamPosition position) {
  return '1' + padded(position.stamp, kStampDigits) + padded(position.position, kPositionDigits);
}

std::optional<StreamPosition> parse_sequence_number(std::string_view text) {
  if (text.size() < 1 + kStampDigits + kPositionDigits || text[0] != '1') return std::nullopt;
  const size_t position_at = text.size() - kPositionDigits;
  const std::optional<uint64_t> stamp = parse_digits(text.substr(1, position_at - 1));
  const std::optional<uint64_t> position = parse_digits(text.substr(position_at));
  if (!stamp || !position || *position > UINT16_MAX) return std::nullopt;
  return StreamPosition{.stamp = *stamp, .position = static_cast<uint16_t>(*position)};
}

std::string ShardIterator::text() const {
  std::string bytes;
  append_u32(bytes, stream);
  bytes += static_cast<char>(shard);
  bytes += static_cast<char>(view);
  append_u64(bytes, from.stamp);
  append_u16(bytes, from.position);
  append_u64(bytes, static_cast<uint64_t>(made_us));
  append_u64(bytes, check_of(stream_arn, bytes));
  std::string text = stream_arn;
  text += kVersionPart;
  append_base64(text, bytes);
  return text;
}

Result<ShardIterator> ShardIterator::parse(std::string_view text, int64_t now_us) {
  const size_t version = text.find(kVersionPart);
  if (version == std::string_view::npos) return invalid_iterator();
  std::string bytes;
  if (!decode_base64(bytes, text.substr(version + kVersionPart.size())) || bytes.size() != kIteratorBytes)
    return invalid_iterator();
  ShardIterator iterator{.stream_arn = std::string(text.substr(0, version))};
  const char* at = bytes.data();
  iterator.stream = read_u32(at);
  iterator.shard = static_cast<uint8_t>(at[4]);
  iterator.view = static_cast<StreamView>(at[5]);
  iterator.from = {.stamp = read_u64(at + 6), .position = read_u16(at + 14)};
  iterator.made_us = static_cast<int64_t>(read_u64(at + 16));
  const std::string_view checked = std::string_view(bytes).substr(0, kIteratorBytes - 8);
  if (read_u64(at + 24) != check_of(iterator.stream_arn, checked) ||
      iterator.view > StreamView::kNewAndOldImages)
    return invalid_iterator();
  if (now_us - iterator.made_us > kIteratorLifetimeUs) {
    return Error{Code::kExpired, "Iterator expired. The iterator was created more than 15 minutes ago."};
  }
  return iterator;
}

}  // namespace sheaf::wire
