#include "transfer/format.h"

#include <array>
#include <utility>

#include "transfer/json_items.h"

namespace sheaf::transfer {
namespace {

constexpr std::array<std::pair<std::string_view, Format>, 4> kFormats{{{"dynamodb", Format::kDynamoJson},
                                                                       {"json", Format::kPlainJson},
                                                                       {"csv", Format::kCsv},
                                                                       {"export", Format::kExport}}};
constexpr std::array<std::pair<std::string_view, Compression>, 3> kCompressions{
    {{"none", Compression::kNone}, {"gzip", Compression::kGzip}, {"zstd", Compression::kZstd}}};

}  // namespace

std::string_view name_of(Format format) { return kFormats[static_cast<size_t>(format)].first; }

std::optional<Format> format_of(std::string_view name) {
  for (const auto& [known, format] : kFormats) {
    if (known == name) return format;
  }
  return std::nullopt;
}

std::string_view name_of(Compression compression) {
  return kCompressions[static_cast<size_t>(compression)].first;
}

std::optional<Compression> compression_of(std::string_view name) {
  for (const auto& [known, compression] : kCompressions) {
    if (known == name) return compression;
  }
  return std::nullopt;
}

NamedForm form_of_path(std::string_view path) {
  NamedForm form;
  if (path.ends_with(".gz")) {
    form.compression = Compression::kGzip;
    path.remove_suffix(3);
  } else if (path.ends_with(".zst")) {
    form.compression = Compression::kZstd;
    path.remove_suffix(4);
  }
  if (path.ends_with(".csv")) form.format = Format::kCsv;
  return form;
}

std::optional<Format> format_of_beginning(std::string_view first_record) {
  const size_t begin = first_record.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return std::nullopt;
  if (first_record[begin] != '{' && first_record[begin] != '[') return Format::kCsv;
  return looks_typed(first_record) ? Format::kDynamoJson : Format::kPlainJson;
}

}  // namespace sheaf::transfer
