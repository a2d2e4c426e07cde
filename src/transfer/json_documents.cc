#include "transfer/json_documents.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace sheaf::transfer {
namespace {

constexpr std::string_view kJsonBlanks = " \t\r\n";
// What may stand before the items of an answer.
constexpr std::array<std::string_view, 6> kPageMembers{
    "Count", "ScannedCount", "ConsumedCapacity", "LastEvaluatedKey", "NextToken", "ResponseMetadata"};

size_t behind_blanks(std::string_view text, size_t at) {
  return std::min(text.find_first_not_of(kJsonBlanks, at), text.size());
}

// Behind the text of JSON that begins at `at`; nothing if it does not end.
std::optional<size_t> behind_text(std::string_view text, size_t at) {
  for (++at; at < text.size(); ++at) {
    if (text[at] == '\\') {
      ++at;
    } else if (text[at] == '"') {
      return at + 1;
    }
  }
  return std::nullopt;
}

// Behind the value that begins at `at`, up to what must follow it; nothing if it does not end.
std::optional<size_t> behind_value(std::string_view text, size_t at) {
  size_t depth = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (c == '"') {
      const std::optional<size_t> end = behind_text(text, at);
      if (!end) return std::nullopt;
      at = *end;
      continue;
    }
    if (c == '{' || c == '[') ++depth;
    if ((c == ',' || c == '}' || c == ']') && depth == 0) return at;
    if (c == '}' || c == ']') --depth;
    ++at;
  }
  return std::nullopt;
}

// Whether the object that begins at `at` is an answer with items, and where these begin. Nothing if it cannot
// be seen yet.
struct PageBegin {
  bool is_page = false;
  size_t items = 0;
};
std::optional<PageBegin> page_begin(std::string_view text, size_t at) {
  for (++at;; ++at) {
    at = behind_blanks(text, at);
    if (at == text.size()) return std::nullopt;
    if (text[at] != '"') return PageBegin{};
    const size_t name_at = at + 1;
    const std::optional<size_t> name_end = behind_text(text, at);
    if (!name_end) return std::nullopt;
    const std::string_view name = text.substr(name_at, *name_end - 1 - name_at);
    const size_t colon = behind_blanks(text, *name_end);
    const size_t value = colon == text.size() ? colon : behind_blanks(text, colon + 1);
    if (value == text.size()) return std::nullopt;
    if (name == "Items" && text[value] == '[') return PageBegin{.is_page = true, .items = value + 1};
    if (std::find(kPageMembers.begin(), kPageMembers.end(), name) == kPageMembers.end()) return PageBegin{};
    const std::optional<size_t> next = behind_value(text, value);
    if (!next) return std::nullopt;
    if (text[*next] != ',') return PageBegin{};
    at = *next;
  }
}

}  // namespace

bool begins_document(std::string_view first_line) {
  const size_t begin = behind_blanks(first_line, 0);
  if (begin == first_line.size()) return false;
  if (first_line[begin] == '[') return true;
  if (first_line[begin] != '{') return false;
  if (const std::optional<PageBegin> page = page_begin(first_line, begin); page && page->is_page) return true;
  // An object that is cut off in the midst of a line is a line that is wrong.
  const char last = first_line[first_line.find_last_not_of(kJsonBlanks)];
  return last == '{' || last == '[' || last == ',' || last == ':';
}

JsonDocuments::Found JsonDocuments::fail(size_t at, std::string problem) {
  begin_ = at;
  problem_ = std::move(problem);
  return Found::kProblem;
}

JsonDocuments::Found JsonDocuments::begin_object(std::string_view text, bool is_all) {
  outside_ = place_;
  if (place_ == Place::kBetween) {
    const std::optional<PageBegin> page = page_begin(text, begin_);
    if (!page && !is_all) return Found::kMore;
    if (page && page->is_page) {
      place_ = Place::kPage;
      begin_ = page->items;
      return next(text, is_all);
    }
  }
  place_ = Place::kObject;
  seen_ = begin_;
  depth_ = 0;
  return go_on(text, is_all);
}

// Looks for the end of the object, or of what is left out.
JsonDocuments::Found JsonDocuments::go_on(std::string_view text, bool is_all) {
  for (; seen_ < text.size(); ++seen_) {
    const char c = text[seen_];
    if (is_text_) {
      if (is_escaped_) {
        is_escaped_ = false;
      } else if (c == '\\') {
        is_escaped_ = true;
      } else if (c == '"') {
        is_text_ = false;
      }
      continue;
    }
    if (c == '"') is_text_ = true;
    if (c == '{' || c == '[') ++depth_;
    if (c != '}' && c != ']') continue;
    if (--depth_ > 0) continue;
    end_ = seen_ + 1;
    if (place_ == Place::kObject) {
      place_ = outside_;
      is_found_ = true;
      return Found::kObject;
    }
    place_ = Place::kBetween;
    begin_ = end_;
    return next(text, is_all);
  }
  if (place_ == Place::kRest) begin_ = seen_;
  if (is_all) return fail(begin_, "the file ends in the midst of an object");
  return Found::kMore;
}

void JsonDocuments::drop(size_t bytes) {
  for (size_t* const offset : {&begin_, &end_, &seen_}) *offset -= std::min(*offset, bytes);
}

JsonDocuments::Found JsonDocuments::next(std::string_view text, bool is_all) {
  if (std::exchange(is_found_, false)) begin_ = end_;
  if (place_ == Place::kObject || place_ == Place::kRest) return go_on(text, is_all);
  for (; begin_ < text.size(); ++begin_) {
    const char c = text[begin_];
    if (kJsonBlanks.find(c) != std::string_view::npos || c == ',') continue;
    if (c == '{') return begin_object(text, is_all);
    if (c == '[' && place_ == Place::kBetween) {
      place_ = Place::kArray;
    } else if (c == ']' && place_ == Place::kArray) {
      place_ = Place::kBetween;
    } else if (c == ']' && place_ == Place::kPage) {
      place_ = Place::kRest;
      seen_ = ++begin_;
      depth_ = 1;
      return go_on(text, is_all);
    } else {
      return fail(begin_, std::string("an item is expected here, and there is ") + c);
    }
  }
  if (is_all && place_ != Place::kBetween) return fail(begin_, "the file ends in the midst of a list");
  return Found::kMore;
}

}  // namespace sheaf::transfer
