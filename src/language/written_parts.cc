#include "language/written_parts.h"

#include <algorithm>
#include <charconv>

#include "base/try.h"
#include "language/key_parser.h"

namespace sheaf::language {
namespace {

bool is_decimal(char c) { return c >= '0' && c <= '9'; }
bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || is_decimal(c);
}

std::string_view format_word(Hole::Format format) {
  switch (format) {
    case Hole::Format::kRaw:
      return "raw";
    case Hole::Format::kYear:
      return "year";
    case Hole::Format::kMonth:
      return "month";
    case Hole::Format::kDay:
      return "day";
    case Hole::Format::kHour:
      return "hour";
    case Hole::Format::kPlain:
    case Hole::Format::kDigits:
    case Hole::Format::kShard:
      break;
  }
  return {};
}

std::string written(const Hole& hole) {
  std::string out = "<";
  // Only letters, digits and _ can be in a hole, so nothing is quoted there.
  for (const Name& name : hole.path.names) out += (out.size() > 1 ? "." : "") + name.text;
  switch (hole.format) {
    case Hole::Format::kPlain:
      break;
    case Hole::Format::kDigits:
      out += ":" + std::string(static_cast<size_t>(hole.count), '0');
      break;
    case Hole::Format::kShard:
      out += ":shard(" + std::to_string(hole.count) + ")";
      break;
    default:
      out += ":" + std::string(format_word(hole.format));
  }
  return out + ">";
}

// `special` are the characters that need a backslash besides line ends and tabs.
void append_escaped(std::string& out, std::string_view text, std::string_view special) {
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else {
      if (special.find(c) != std::string_view::npos) out += '\\';
      out += c;
    }
  }
}

std::string written_template(const Template& text, std::string_view special) {
  std::string out;
  for (const auto& piece : text.pieces) {
    if (const auto* literal = std::get_if<std::string>(&piece)) {
      append_escaped(out, *literal, special);
    } else {
      out += written(std::get<Hole>(piece));
    }
  }
  return out;
}

// Reads names and steps one after the other.
class PartReader {
 public:
  explicit PartReader(std::string_view text) : rest_(text) {}

  bool at_end() const { return rest_.empty(); }
  bool take(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  Result<Name> name() {
    size_t end = 0;
    const bool is_quoted = take('`');
    if (is_quoted) {
      end = rest_.find('`');
      if (end == std::string_view::npos) return fail("` without another");
    } else {
      while (end < rest_.size() && is_plain(rest_[end])) ++end;
      if (end > 0 && is_decimal(rest_.front())) return fail("a name does not begin with a digit");
    }
    Name name{.text = std::string(rest_.substr(0, end))};
    rest_.remove_prefix(is_quoted ? end + 1 : end);
    if (!is_name(name.text)) return fail("a name is missing");
    return name;
  }

  Result<Step> step() {
    Step step;
    step.name = TRY(name());
    if (!take('^')) return step;
    Whole depth;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), depth.value);
    if (error != std::errc() || !is_decimal(rest_.front())) return fail("there is no number behind ^");
    rest_.remove_prefix(static_cast<size_t>(end - rest_.data()));
    step.depth = depth;
    return step;
  }

  Result<void> finish() const {
    if (!at_end()) return fail(std::string(rest_) + " cannot follow");
    return {};
  }

 private:
  static Error fail(std::string message) { return {Code::kInvalid, std::move(message)}; }

  std::string_view rest_;
};

}  // namespace

bool is_name(std::string_view text) {
  return !text.empty() && text.find_first_of("`\n") == std::string_view::npos;
}

std::string written(const Name& name) {
  const bool plain =
      std::all_of(name.text.begin(), name.text.end(), is_plain) && !is_decimal(name.text.front());
  return plain ? name.text : "`" + name.text + "`";
}

std::string written(const Path& path) {
  std::string out = path.from_parameter ? "$" : "";
  for (const Name& name : path.names) {
    if (&name != &path.names.front()) out += '.';
    out += written(name);
  }
  return out;
}

std::string written(const Step& step) {
  return written(step.name) + (step.depth ? "^" + std::to_string(step.depth->value) : "");
}

std::string written(const Template& text) { return written_template(text, "\\<>"); }

std::string written_source(const Read& read) {
  std::string out = (read.from_parameter ? "$" : "") + written(read.start);
  for (const Step& step : read.steps) out += "." + written(step);
  return out;
}

Result<Path> read_path(std::string_view text) {
  PartReader reader(text);
  Path path;
  path.from_parameter = reader.take('$');
  do {
    path.names.push_back(TRY(reader.name()));
  } while (reader.take('.'));
  TRY(reader.finish());
  return path;
}

Result<Step> read_step(std::string_view text) {
  PartReader reader(text);
  Step step = TRY(reader.step());
  TRY(reader.finish());
  return step;
}

Result<void> read_source(std::string_view text, Read& read) {
  PartReader reader(text);
  read.from_parameter = reader.take('$');
  read.start = TRY(reader.name());
  while (read.from_parameter && reader.take('.')) read.steps.push_back(TRY(reader.step()));
  return reader.finish();
}

Result<Template> read_template(std::string_view text) {
  std::string token = "\"";
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      if (++i == text.size()) return Error{Code::kInvalid, "there is nothing behind the \\ at its end"};
      token += '\\';
    } else if (text[i] == '"' || text[i] == '\n') {
      token += '\\';
    }
    token += text[i] == '\n' ? 'n' : text[i];
  }
  const SourceText source("", token + "\"");
  Diagnostics diagnostics;
  TokenReader reader(source, diagnostics);
  Template made = parse_template(reader);
  if (diagnostics.has_errors()) {
    const Diagnostic& mistake = diagnostics.all().front();
    return Error{Code::kInvalid, mistake.message + "; " + mistake.fix};
  }
  return made;
}

std::string written_number(std::string_view digits) {
  std::string out;
  if (digits.starts_with('-')) {
    out = "-";
    digits.remove_prefix(1);
  }
  while (digits.size() > 1 && digits[0] == '0' && is_decimal(digits[1])) digits.remove_prefix(1);
  return out + std::string(digits);
}

bool is_number(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  const size_t point = text.find('.');
  const std::string_view whole = text.substr(0, point);
  const auto are_digits = [](std::string_view digits) {
    return !digits.empty() && std::all_of(digits.begin(), digits.end(), is_decimal);
  };
  if (!are_digits(whole) || (whole.size() > 1 && whole.front() == '0')) return false;
  return point == std::string_view::npos || are_digits(text.substr(point + 1));
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  append_escaped(out, text, "\\\"");
  return out + "\"";
}

std::string quoted(const Template& text) { return "\"" + written_template(text, "\\<>\"") + "\""; }

}  // namespace sheaf::language
