#include "transfer/load_input.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/errors.h"
#include "base/try.h"
#include "transfer/plain_items.h"

namespace sheaf::transfer {

namespace {

// Of the first `count` of them, as they lie.
uint64_t bytes_of_files(const std::vector<std::string>& files, size_t count) {
  uint64_t all = 0;
  for (size_t i = 0; i < count; ++i) {
    std::error_code none;
    const uint64_t bytes = std::filesystem::file_size(files[i], none);
    if (!none) all += bytes;
  }
  return all;
}

// The first row does not name the key: what may be wrong with it.
Error no_column(const std::string& key, std::string_view first_row) {
  constexpr size_t kRowShown = 80;
  std::string text = "there is no column " + key + ", which is of the table's key; the first row is \"" +
                     std::string(first_row.substr(0, kRowShown)) +
                     (first_row.size() > kRowShown ? "...\"" : "\"");
  for (const char separator : {';', '\t', '|'}) {
    if (first_row.find(separator) == std::string_view::npos || first_row.find(',') != std::string_view::npos)
      continue;
    text += std::string(": is ") + (separator == '\t' ? "a tab" : std::string(1, separator)) +
            " the separator? Only commas are read";
  }
  return invalid(std::move(text));
}

// A type was given to what is no column.
Error no_typed_column(const std::string& name, const std::vector<Column>& columns) {
  constexpr size_t kShown = 20;
  std::string text = "there is no column " + name + ", which was given a type; there are ";
  for (size_t i = 0; i < std::min(columns.size(), kShown); ++i)
    text += (i == 0 ? "" : ", ") + columns[i].name;
  return invalid(text + (columns.size() > kShown ? ", ..." : ""));
}

bool is_column(const std::string& name, const std::vector<Column>& columns) {
  return std::any_of(columns.begin(), columns.end(),
                     [&](const Column& column) { return column.name == name; });
}

}  // namespace

std::string Piece::place_of(size_t line) const {
  std::string place = form->path + ":" + std::to_string(lines[line].number);
  const std::string_view text = record(line);
  const auto breaks = std::count(text.begin(), text.end(), '\n');
  if (breaks > 0) place += "-" + std::to_string(lines[line].number + static_cast<uint64_t>(breaks));
  return place;
}

LoadInput::LoadInput(InputOptions options)
    : options_(std::move(options)),
      before_(bytes_of_files(options_.files, options_.file)),
      file_(options_.file) {}

// May be called again after kWouldBlock.
Result<void> LoadInput::open_next() {
  const std::string& path = options_.files[file_];
  if (reader_ == nullptr) {
    reader_ = std::make_unique<RecordReader>(unpacked(TRY(open_file(path))));
    form_ = std::make_unique<FileForm>();
    form_->path = path;
  }
  TRY(read_form());
  if (file_ == options_.file && options_.place.bytes > reader_->place().bytes) {
    held_.reset();
    TRY(reader_->skip_to(options_.place));
    skipped_ = reader_->taken_bytes();
  }
  file_taken_ = file_ == options_.file ? skipped_.load() : 0;
  piece_ = {};
  forms_.push_back(std::move(form_));
  return {};
}

Result<void> LoadInput::read_form() {
  const std::string_view beginning = TRY(reader_->beginning());
  const NamedForm named = form_of_path(form_->path);
  std::optional<Format> format = options_.format ? options_.format : named.format;
  const bool is_csv =
      format.value_or(format_of_beginning(beginning).value_or(Format::kDynamoJson)) == Format::kCsv;
  if (is_csv) return read_csv_form();
  if (begins_document(beginning)) {
    reader_->read_documents();
    // What its objects are is seen by the first of them.
    if (!held_) {
      const std::optional<Record> first = TRY(reader_->next());
      if (first) held_ = Held{.text = std::string(first->text), .line = first->line};
    }
    if (!format && held_) format = looks_typed(held_->text) ? Format::kDynamoJson : Format::kPlainJson;
  } else if (!format) {
    format = format_of_beginning(beginning);
  }
  form_->format = format.value_or(Format::kDynamoJson);
  return {};
}

Result<void> LoadInput::read_csv_form() {
  form_->format = Format::kCsv;
  reader_->read_csv();
  if (!form_->columns.empty()) return {};
  const std::optional<Record> header = TRY(reader_->next());
  if (!header) return {};
  form_->columns = TRY(read_header(header->text, options_.types));
  for (const std::string& key : options_.keys) {
    if (!is_column(key, form_->columns)) return no_column(key, header->text);
  }
  // Of several files, each may have its own.
  for (const std::string& name : options_.typed) {
    if (options_.files.size() == 1 && !is_column(name, form_->columns))
      return no_typed_column(name, form_->columns);
  }
  return {};
}

Result<std::optional<Record>> LoadInput::next_record() {
  // What it is about lives until the next call.
  if (held_) {
    piece_.lines.push_back({.begin = piece_.text.size(), .bytes = held_->text.size(), .number = held_->line});
    piece_.text += held_->text;
    held_.reset();
  }
  return reader_->next();
}

// False if the file has no more.
Result<bool> LoadInput::fill() {
  while (piece_.lines.size() < kPieceRecordsMax && piece_.text.size() < kPieceBytesMax) {
    const Result<std::optional<Record>> record = next_record();
    if (!record.ok()) {
      const bool waits = record.error().code == Code::kWouldBlock;
      if (waits && !piece_.lines.empty() && std::chrono::steady_clock::now() - piece_since_ >= kPieceWait)
        break;
      return record.error();
    }
    if (!*record) break;
    if (piece_.lines.empty()) piece_since_ = std::chrono::steady_clock::now();
    piece_.lines.push_back(
        {.begin = piece_.text.size(), .bytes = (*record)->text.size(), .number = (*record)->line});
    piece_.text += (*record)->text;
  }
  piece_.end = reader_->place();
  return !piece_.lines.empty();
}

Result<std::optional<Piece>> LoadInput::next() {
  const std::lock_guard lock(mutex_);
  const auto named = [&](const Error& error) {
    return Error{error.code, error.message.find(options_.files[file_]) == std::string::npos
                                 ? options_.files[file_] + ": " + error.message
                                 : error.message};
  };
  while (file_ < options_.files.size() && !is_stopped_) {
    if (reader_ == nullptr || form_ != nullptr) {
      if (const Result<void> opened = open_next(); !opened.ok()) return named(opened.error());
    }
    const Result<bool> filled = fill();
    if (!filled.ok()) return named(filled.error());
    if (*filled) {
      Piece piece = std::exchange(piece_, {});
      piece.number = pieces_++;
      piece.file = file_;
      piece.form = forms_.back().get();
      const uint64_t taken = reader_->taken_bytes();
      piece.taken_bytes = taken - std::min(file_taken_, taken);
      file_taken_ = std::max(file_taken_, taken);
      return std::optional<Piece>(std::move(piece));
    }
    reader_ = nullptr;
    ++file_;
  }
  return std::optional<Piece>();
}

Result<Item> RecordParser::parse(std::string_view record, const FileForm& form) {
  if (form.format == Format::kCsv) return read_row(record, form.columns, typed_);
  if (form.format == Format::kPlainJson) return read_plain_item(record);
  return typed_.read(record);
}

}  // namespace sheaf::transfer
