// In which forms items stand in files.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace sheaf::transfer {

enum class Format : uint8_t {
  kDynamoJson,  // a line an item: {"Item":{"pk":{"S":"a"}}}, as AWS's exports have it; read too:
                // {"pk":{"S":"a"}}
  kPlainJson,   // a line an item: {"pk":"a"}; see plain_items.h
  kCsv,         // a row of names, then a row an item; see csv_items.h
  kExport,      // a folder as "Export to S3" writes it; see export_folder.h
};
// "dynamodb", "json", "csv", "export"
std::string_view name_of(Format format);
std::optional<Format> format_of(std::string_view name);

enum class Compression : uint8_t { kNone, kGzip, kZstd };
std::optional<Compression> compression_of(std::string_view name);  // "none", "gzip", "zstd"
std::string_view name_of(Compression compression);

// What a file is by the end of its name: "a.csv.gz" is CSV, compressed by gzip.
struct NamedForm {
  std::optional<Format> format;
  Compression compression = Compression::kNone;
};
NamedForm form_of_path(std::string_view path);

// What a file is by how it begins. Nothing if it begins with neither an object of JSON nor text.
std::optional<Format> format_of_beginning(std::string_view first_record);

}  // namespace sheaf::transfer
