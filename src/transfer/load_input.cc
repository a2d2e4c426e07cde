#include "transfer/load_input.h"

#include "base/errors.h"
#include "base/try.h"
#include "transfer/plain_items.h"

namespace sheaf::transfer {

std::string Piece::place_of(size_t line) const {
  return form->path + ":" + std::to_string(lines[line].number);
}

Result<void> LoadInput::open_next() {
  const std::string& path = options_.files[file_];
  reader_ = std::make_unique<RecordReader>(unpacked(TRY(open_file(path))));
  auto form = std::make_unique<FileForm>();
  form->path = path;
  const std::string_view beginning = TRY(reader_->beginning());
  const NamedForm named = form_of_path(path);
  form->format = options_.format ? *options_.format
                 : named.format  ? *named.format
                                 : format_of_beginning(beginning).value_or(Format::kDynamoJson);
  if (form->format == Format::kCsv) {
    reader_->read_csv();
    const std::optional<Record> header = TRY(reader_->next());
    if (header) form->columns = TRY(read_header(header->text, options_.types));
  }
  if (file_ == options_.file && options_.place.bytes > 0) TRY(reader_->skip_to(options_.place));
  forms_.push_back(std::move(form));
  return {};
}

// False if the file has no more.
Result<bool> LoadInput::fill(Piece& piece) {
  while (piece.lines.size() < kPieceRecordsMax && piece.text.size() < kPieceBytesMax) {
    const std::optional<Record> record = TRY(reader_->next());
    if (!record) break;
    piece.lines.push_back({.begin = piece.text.size(), .bytes = record->text.size(), .number = record->line});
    piece.text += record->text;
  }
  piece.end = reader_->place();
  return !piece.lines.empty();
}

Result<std::optional<Piece>> LoadInput::next() {
  const std::lock_guard lock(mutex_);
  const auto named = [&](const Error& error) {
    return Error{error.code, error.message.find(options_.files[file_]) == std::string::npos
                                 ? options_.files[file_] + ": " + error.message
                                 : error.message};
  };
  while (file_ < options_.files.size()) {
    if (reader_ == nullptr) {
      if (const Result<void> opened = open_next(); !opened.ok()) return named(opened.error());
    }
    Piece piece{.number = pieces_, .file = file_, .form = forms_.back().get()};
    const Result<bool> filled = fill(piece);
    if (!filled.ok()) return named(filled.error());
    if (*filled) {
      ++pieces_;
      return std::optional<Piece>(std::move(piece));
    }
    taken_before_ += reader_->taken_bytes();
    reader_ = nullptr;
    ++file_;
  }
  return std::optional<Piece>();
}

uint64_t LoadInput::taken_bytes() const {
  const std::lock_guard lock(mutex_);
  return taken_before_ + (reader_ == nullptr ? 0 : reader_->taken_bytes());
}

Result<Item> RecordParser::parse(std::string_view record, const FileForm& form) {
  if (form.format == Format::kCsv) return read_row(record, form.columns, typed_);
  if (form.format == Format::kPlainJson) return read_plain_item(record);
  return typed_.read(record);
}

}  // namespace sheaf::transfer
