#include "lsp/open_document.h"

#include <algorithm>

#include "lsp/message.h"

namespace sheaf::lsp {

using language::Json;

void OpenDocument::change(const Json& changes, int64_t version) {
  version_ = version;
  needs_publishing = true;
  lines_.reset();
  document_.reset();
  for (const Json& each : changes.items) {
    const std::string& text = text_member(each, "text");
    const Json& range = member(each, "range");
    if (range.kind != Json::Kind::kObject) {
      text_ = text;
      continue;
    }
    const assist::LineIndex before(text_);
    const auto offset = [&](std::string_view end) {
      const Json& position = member(range, end);
      return before.offset(
          {.line = number_member(position, "line"), .unit = number_member(position, "character")});
    };
    const uint32_t begin = offset("start");
    const uint32_t end = std::max(begin, offset("end"));
    text_.replace(begin, end - begin, text);
  }
}

const assist::Document& OpenDocument::document() {
  if (document_ == nullptr) document_ = std::make_unique<const assist::Document>(uri_, text_);
  return *document_;
}

const assist::LineIndex& OpenDocument::lines() {
  if (lines_ == nullptr) lines_ = std::make_unique<const assist::LineIndex>(document().text());
  return *lines_;
}

uint32_t offset_of(OpenDocument& open, const Json& position) {
  return open.lines().offset(
      {.line = number_member(position, "line"), .unit = number_member(position, "character")});
}

}  // namespace sheaf::lsp
