#include "wire/resource_names.h"

#include <xxhash.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <optional>

#include "base/big_endian.h"
#include "base/errors.h"

namespace sheaf::wire {
namespace {

constexpr std::string_view kTablePrefix = "table/";
constexpr std::string_view kStreamPart = "/stream/";
constexpr std::string_view kIndexPart = "/index/";
constexpr size_t kTableNameBytesMin = 3;
constexpr size_t kTableNameBytesMax = 255;

// arn:partition:service:region:account:resource
struct Arn {
  std::string_view service;
  std::string_view account;
  std::string_view resource;
};

std::optional<Arn> parse_arn(std::string_view arn) {
  std::array<std::string_view, 5> parts;
  for (std::string_view& part : parts) {
    const size_t colon = arn.find(':');
    if (colon == std::string_view::npos) return std::nullopt;
    part = arn.substr(0, colon);
    arn.remove_prefix(colon + 1);
  }
  if (parts[0] != "arn" || parts[1].empty() || arn.empty()) return std::nullopt;
  return Arn{.service = parts[2], .account = parts[4], .resource = arn};
}

bool is_table_name(std::string_view name) {
  return name.size() >= kTableNameBytesMin && name.size() <= kTableNameBytesMax &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
                  c == '.' || c == '-';
         });
}

}  // namespace

std::string arn_prefix(const Account& account) {
  return "arn:aws:dynamodb:" + account.region + ':' + account.id + ':';
}

std::string table_arn(const Account& account, std::string_view table) {
  return arn_prefix(account) + "table/" + std::string(table);
}

std::string index_arn(const Account& account, std::string_view table, std::string_view index) {
  return table_arn(account, table) + std::string(kIndexPart) + std::string(index);
}

std::string stream_arn(const Account& account, std::string_view table, int64_t created_us) {
  return table_arn(account, table) + std::string(kStreamPart) + stream_label(created_us);
}

std::string stream_label(int64_t created_us) {
  using namespace std::chrono;
  const sys_time<microseconds> time{microseconds(created_us)};
  const sys_days day = floor<days>(time);
  const year_month_day date(day);
  const hh_mm_ss<milliseconds> clock(floor<milliseconds>(time - day));
  char text[64];
  const int length =
      std::snprintf(text, sizeof(text), "%04d-%02u-%02uT%02d:%02d:%02d.%03d", static_cast<int>(date.year()),
                    static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                    static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
                    static_cast<int>(clock.seconds().count()), static_cast<int>(clock.subseconds().count()));
  return std::string(text, static_cast<size_t>(length));
}

std::string table_uuid(std::string_view table, uint32_t id, int64_t created_us) {
  std::string identity(table);
  append_u32(identity, id);
  append_u64(identity, static_cast<uint64_t>(created_us));
  const XXH128_hash_t hash = XXH3_128bits(identity.data(), identity.size());
  // Version 4 and the usual variant: what most who look into it expect.
  const uint64_t high = (hash.high64 & ~uint64_t{0xf000}) | 0x4000;
  const uint64_t low = (hash.low64 & (~uint64_t{0} >> 2)) | (uint64_t{1} << 63);
  char text[40];
  const int length = std::snprintf(
      text, sizeof(text), "%08x-%04x-%04x-%04x-%012llx", static_cast<unsigned>(high >> 32),
      static_cast<unsigned>(high >> 16 & 0xffff), static_cast<unsigned>(high & 0xffff),
      static_cast<unsigned>(low >> 48), static_cast<unsigned long long>(low & 0xffff'ffff'ffff));
  return std::string(text, static_cast<size_t>(length));
}

Result<StreamName> parse_stream_arn(std::string_view text) {
  const std::optional<Arn> arn = parse_arn(text);
  const Error not_a_stream = invalid("Invalid StreamArn");
  if (!arn || arn->service != "dynamodb" || !arn->resource.starts_with(kTablePrefix)) return not_a_stream;
  const std::string_view resource = arn->resource.substr(kTablePrefix.size());
  const size_t stream = resource.find(kStreamPart);
  if (stream == std::string_view::npos) return not_a_stream;
  const std::string_view table = resource.substr(0, stream);
  const std::string_view label = resource.substr(stream + kStreamPart.size());
  if (!is_table_name(table) || label.empty()) return not_a_stream;
  return StreamName{.table = std::string(table), .label = std::string(label)};
}

Result<ResourceName> parse_resource_arn(std::string_view text) {
  const std::string opening = "One or more parameter values were invalid: ";
  if (!text.starts_with("arn:"))
    return invalid(opening + "ARNs must start with 'arn:': " + std::string(text));
  const std::optional<Arn> arn = parse_arn(text);
  if (!arn || arn->service != "dynamodb")
    return invalid(opening + "Provided Arn is not a DynamoDB resource arn: " + std::string(text));
  const Error not_table_or_stream = invalid(
      opening + "Invalid resource arn provided, only table or stream is accepted. Provided resource " +
      "arn: " + std::string(text));
  if (!arn->resource.starts_with(kTablePrefix)) return not_table_or_stream;
  const std::string_view table = arn->resource.substr(kTablePrefix.size());
  if (table.find(kIndexPart) != std::string_view::npos) return not_table_or_stream;
  if (!is_table_name(table))
    return invalid("Invalid TableArn: Invalid ResourceArn provided as input " + std::string(text));
  return ResourceName{.account = std::string(arn->account), .table = std::string(table)};
}

}  // namespace sheaf::wire
