// Folders as DynamoDB's "Export to S3" leaves them, in its JSON:
//   manifest-summary.json  what was exported, when, how many items
//   manifest-files.json    a line for each data file, with its count and checksums
//   *.md5                  of each of the two, in base64
//   data/*.json.gz         lines {"Item":{...}}
// AWS does not say how the table was made; folders of Sheaf have that too, in sheaf-table.json.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sheaf/table.h"

namespace sheaf::transfer {

struct ExportFile {
  std::string path;
  uint64_t items = 0;
};

struct ExportFolder {
  std::vector<ExportFile> files;
  uint64_t items = 0;
  std::string table;  // its name, of its ARN; empty if it is not said
  std::optional<CreateTable> declaration;
};

// `path` is the folder of the manifests, or one above of it that has just one export in AWSDynamoDB/.
bool is_export_folder(const std::string& path);
// Reads the manifests and compares every data file with its checksum. kCorrupt if one is missing or not what
// was written; kInvalid if it is an export of another kind: Ion, or of changes only.
Result<ExportFolder> read_export_folder(const std::string& path);

struct ExportFacts {
  TableDescription table;
  std::string id;        // "01693685827463-2d8752fd"
  int64_t begin_us = 0;  // since 1970
  int64_t end_us = 0;
  std::vector<ExportFile> files;  // in data/ of the folder, whole
};
// What export `folder` needs beside its data files.
Result<void> write_manifests(const std::string& folder, const ExportFacts& facts);

}  // namespace sheaf::transfer
