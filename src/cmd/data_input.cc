#include "cmd/data_input.h"

#include <iterator>
#include <optional>
#include <streambuf>
#include <string_view>
#include <utility>

#include "base/try.h"
#include "cmd/until_told.h"
#include "run/plain_json.h"

namespace sheaf::cmd {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == std::string_view::npos; }

bool is_named_as_lines(std::string_view path) {
  for (const std::string_view packed : {".gz", ".zst"}) {
    if (path.ends_with(packed)) path.remove_suffix(packed.size());
  }
  return path.ends_with(".jsonl") || path.ends_with(".ndjson");
}

}  // namespace

class SourceBuffer : public std::streambuf {
 public:
  explicit SourceBuffer(std::unique_ptr<transfer::ByteSource> source) : source_(std::move(source)) {}

  // Before what is still to be read.
  void give_back(std::string text) {
    text.append(gptr(), egptr());
    piece_ = std::move(text);
    show();
  }
  const std::optional<Error>& error() const { return error_; }

 protected:
  int_type underflow() override {
    while (!error_ && !UntilTold::is_told()) {
      const Result<std::string_view> next = source_->next();
      if (next.ok()) {
        piece_ = *next;
        show();
        return piece_.empty() ? traits_type::eof() : traits_type::to_int_type(piece_.front());
      }
      if (next.error().code != Code::kWouldBlock) error_ = next.error();
    }
    return traits_type::eof();
  }

 private:
  void show() { setg(piece_.data(), piece_.data(), piece_.data() + piece_.size()); }

  std::unique_ptr<transfer::ByteSource> source_;
  std::string piece_;
  std::optional<Error> error_;
};

DataInput::DataInput(std::string name, std::unique_ptr<transfer::ByteSource> source)
    : name_(std::move(name)),
      buffer_(std::make_unique<SourceBuffer>(std::move(source))),
      stream_(std::make_unique<std::istream>(buffer_.get())) {}
DataInput::DataInput(DataInput&&) noexcept = default;
DataInput::~DataInput() = default;

Result<DataInput> DataInput::open(const std::string& path) {
  std::unique_ptr<transfer::ByteSource> file = TRY(transfer::open_file(path));
  DataInput input(path == "-" ? "the standard input" : path, transfer::unpacked(std::move(file)));
  TRY(input.look(is_named_as_lines(path)));
  return input;
}

Result<void> DataInput::status() const {
  if (!buffer_->error()) return {};
  return Error{buffer_->error()->code, name_ + ": " + buffer_->error()->message};
}

Result<measure::DataFile> DataInput::read(const std::string& path) {
  DataInput input = TRY(open(path));
  measure::DataFile file{.name = input.name(), .text = {}, .is_lines = input.is_lines()};
  file.text.assign(std::istreambuf_iterator<char>(input.stream()), {});
  TRY(input.status());
  return file;
}

Result<void> DataInput::look(bool is_named_lines) {
  std::string seen, line;
  size_t number = 0;
  while (is_blank(line) && std::getline(*stream_, line)) {
    ++number;
    if (number == 1 && line.starts_with(kByteOrderMark)) line.erase(0, kByteOrderMark.size());
    seen += line;
    if (!stream_->eof()) seen += '\n';
  }
  TRY(status());
  const bool is_empty = is_blank(line);
  if (is_empty && !is_named_lines && !UntilTold::is_told())
    return Error{Code::kMalformed, name_ + ": there is nothing in it"};
  // Of lines, the first that is wrong is told with those before it.
  const char first = is_empty ? '{' : line[line.find_first_not_of(" \t\r")];
  if (first != '{' && first != '[' && !is_named_lines)
    return Error{Code::kMalformed, name_ + ":" + std::to_string(number) + ": this is no JSON"};
  is_lines_ = is_named_lines;
  bool has_more = false;
  while (!is_lines_ && !has_more && stream_->peek() != std::istream::traits_type::eof()) {
    has_more = !is_blank(std::string(1, static_cast<char>(stream_->peek())));
    if (!has_more) seen += static_cast<char>(stream_->get());
  }
  TRY(status());
  if (has_more) is_lines_ = run::from_plain_json(line).ok();
  stream_->clear();
  buffer_->give_back(std::move(seen));
  return {};
}

}  // namespace sheaf::cmd
