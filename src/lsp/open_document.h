// A text that a client has open, as it is now.
#pragma once

#include <memory>
#include <string>

#include "assist/document.h"
#include "assist/line_index.h"
#include "language/json_tree.h"

namespace sheaf::lsp {

class OpenDocument {
 public:
  OpenDocument(std::string uri, std::string text, int64_t version)
      : uri_(std::move(uri)), text_(std::move(text)), version_(version) {}

  const std::string& uri() const { return uri_; }
  int64_t version() const { return version_; }

  // The changes of textDocument/didChange, one after the other: a range and its new text, or all of it.
  void change(const language::Json& changes, int64_t version);

  // Looked at when somebody asks, and once a version.
  const assist::Document& document();
  const assist::LineIndex& lines();

  bool needs_publishing = true;

 private:
  std::string uri_;
  std::string text_;
  int64_t version_ = 0;
  std::unique_ptr<const assist::Document> document_;
  std::unique_ptr<const assist::LineIndex> lines_;  // of document_
};

// Of a position in the protocol's form; what is beyond the text is its end.
uint32_t offset_of(OpenDocument& open, const language::Json& position);

}  // namespace sheaf::lsp
