#include "transfer/export_folder.h"

#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/errors.h"
#include "base/try.h"
#include "run/plain_json.h"
#include "transfer/md5.h"
#include "transfer/table_declaration.h"
#include "transfer/whole_file.h"
#include "wire/json_object.h"

namespace sheaf::transfer {
namespace {

namespace fs = std::filesystem;
using wire::JsonObject;

constexpr std::string_view kSummary = "manifest-summary.json";
constexpr std::string_view kFiles = "manifest-files.json";
constexpr std::string_view kDeclaration = "sheaf-table.json";
constexpr std::string_view kArn = "arn:aws:dynamodb:us-east-1:000000000000:table/";

// The folder that has the manifests.
std::optional<fs::path> manifests_in(const fs::path& given) {
  std::error_code ignored;
  const fs::path path = given.has_filename() ? given : given.parent_path();
  if (fs::exists(path / kSummary, ignored)) return path;
  const fs::path above = path.filename() == "AWSDynamoDB" ? path : path / "AWSDynamoDB";
  std::optional<fs::path> found;
  for (fs::directory_iterator entry(above, ignored), end; !ignored && entry != end;
       entry.increment(ignored)) {
    std::error_code unseen;
    if (!fs::exists(entry->path() / kSummary, unseen)) continue;
    if (found) return std::nullopt;
    found = entry->path();
  }
  return found;
}

Result<Value> object_of_text(std::string_view text, const std::string& where) {
  Result<Value> value = run::from_plain_json(text);
  if (value.ok() && value->type() == Type::kMap) return value;
  return Error{Code::kCorrupt, where + " is no object of JSON"};
}

std::string text_member(ItemView object, std::string_view name) {
  const std::optional<ValueView> value = object.find(name);
  return value && value->type() == Type::kString ? std::string(value->bytes()) : "";
}

uint64_t count_member(ItemView object, std::string_view name) {
  const std::optional<ValueView> value = object.find(name);
  if (!value || value->type() != Type::kNumber) return 0;
  const Result<int64_t> count = value->number().to_int64();
  return count.ok() && *count > 0 ? static_cast<uint64_t>(*count) : 0;
}

Result<ExportFile> checked_file(const fs::path& folder, ItemView entry) {
  const std::string key = text_member(entry, "dataFileS3Key");
  const fs::path path = folder / "data" / fs::path(key).filename();
  if (key.empty() || !TRY(is_there(path.string())))
    return Error{Code::kCorrupt, path.string() + " is missing, which " + std::string(kFiles) + " names"};
  const std::string md5 = TRY(md5_of_file(path.string()));
  const std::string expected = text_member(entry, "md5Checksum");
  if (!expected.empty() && expected != base64_of(md5))
    return Error{Code::kCorrupt, path.string() + " is not what was exported: its MD5 is " + base64_of(md5) +
                                     ", not " + expected};
  return ExportFile{.path = path.string(), .items = count_member(entry, "itemCount")};
}

// 2026-11-16T18:29:34.120Z
std::string iso_time(int64_t time_us) {
  const std::time_t seconds = time_us / 1'000'000;
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char text[96];
  std::snprintf(text, sizeof(text), "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", parts.tm_year + 1900,
                parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec,
                static_cast<int>(time_us / 1000 % 1000));
  return text;
}

Result<void> write_with_md5(const fs::path& folder, std::string_view name, std::string_view text) {
  TRY(write_whole_file((folder / name).string(), text));
  const std::string checksum = (folder / fs::path(name).stem()).string() + ".md5";
  return write_whole_file(checksum, base64_of(md5_of(text)));
}

}  // namespace

bool is_export_folder(const std::string& path) { return manifests_in(path).has_value(); }

Result<ExportFolder> read_export_folder(const std::string& path) {
  const std::optional<fs::path> folder = manifests_in(path);
  if (!folder)
    return invalid(path + " is no export: it has no " + std::string(kSummary) +
                   ", nor one export in AWSDynamoDB/ that has");
  ExportFolder found;
  const std::string summary_path = (*folder / kSummary).string();
  const std::string summary_text = TRY(read_whole_file(summary_path));
  const Value summary = TRY(object_of_text(summary_text, summary_path));
  const ItemView facts = summary.view().map();
  const std::string form = text_member(facts, "outputFormat");
  if (form != "DYNAMODB_JSON")
    return invalid(path + " is an export in the format \"" + form + "\"; only DYNAMODB_JSON can be read");
  if (text_member(facts, "exportType") == "INCREMENTAL_EXPORT")
    return invalid(path + " is an export of changes; only full exports can be loaded");
  const std::string arn = text_member(facts, "tableArn");
  found.table = arn.substr(arn.rfind('/') + 1);

  const std::string files_path = (*folder / kFiles).string();
  std::istringstream lines(TRY(read_whole_file(files_path)));
  size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const Value entry = TRY(object_of_text(line, files_path + ":" + std::to_string(number)));
    ExportFile file = TRY(checked_file(*folder, entry.view().map()));
    found.items += file.items;
    found.files.push_back(std::move(file));
  }
  if (const fs::path declaration = *folder / kDeclaration; TRY(is_there(declaration.string()))) {
    const std::string text = TRY(read_whole_file(declaration.string()));
    Result<CreateTable> read = read_declaration(text);
    if (!read.ok()) return Error{read.error().code, declaration.string() + ": " + read.error().message};
    found.declaration = std::move(*read);
  }
  return found;
}

Result<void> write_manifests(const std::string& folder, const ExportFacts& facts) {
  const std::string key = "AWSDynamoDB/" + facts.id + "/";
  const std::string arn = std::string(kArn) + facts.table.name;
  std::string files;
  uint64_t items = 0;
  for (const ExportFile& file : facts.files) {
    const std::string md5 = TRY(md5_of_file(file.path));
    items += file.items;
    {
      JsonObject line(files);
      line.integer("itemCount", static_cast<int64_t>(file.items));
      line.text("md5Checksum", base64_of(md5));
      line.text("etag", etag_of(md5));
      line.text("dataFileS3Key", key + "data/" + fs::path(file.path).filename().string());
    }
    files += '\n';
  }
  std::string summary;
  {
    JsonObject object(summary);
    object.text("version", "2023-08-01");
    object.text("exportArn", arn + "/export/" + facts.id);
    object.text("startTime", iso_time(facts.begin_us));
    object.text("endTime", iso_time(facts.end_us));
    object.text("tableArn", arn);
    object.text("tableId", std::to_string(facts.table.id));
    object.text("exportTime", iso_time(facts.begin_us));
    object.text("s3Bucket", "sheaf");
    object.member("s3Prefix") += "null";
    object.text("s3SseAlgorithm", "AES256");
    object.member("s3SseKmsKeyId") += "null";
    object.text("manifestFilesS3Key", key + std::string(kFiles));
    object.integer("billedSizeBytes", facts.table.size_bytes);
    object.integer("itemCount", static_cast<int64_t>(items));
    object.text("outputFormat", "DYNAMODB_JSON");
    object.text("outputView", "NEW_IMAGE");
    object.text("exportType", "FULL_EXPORT");
  }
  TRY(write_whole_file((fs::path(folder) / kDeclaration).string(),
                       to_json(declaration_of(facts.table)) + "\n"));
  TRY(write_with_md5(folder, kFiles, files));
  // Last: a folder without it is no export yet.
  return write_with_md5(folder, kSummary, summary);
}

}  // namespace sheaf::transfer
