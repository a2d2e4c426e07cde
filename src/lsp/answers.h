// What the language service says, as the protocol writes it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "assist/completion.h"
#include "assist/fixes.h"
#include "assist/hover.h"
#include "assist/outline.h"
#include "language/json_writer.h"
#include "lsp/open_document.h"

namespace sheaf::lsp {

using language::JsonWriter;

void write_range(JsonWriter& writer, OpenDocument& open, language::Span span);
// A list of places in the document.
void write_locations(JsonWriter& writer, OpenDocument& open, const std::vector<language::Span>& spans);
void write_edits(JsonWriter& writer, OpenDocument& open, const std::vector<assist::TextEdit>& edits);
void write_workspace_edit(JsonWriter& writer, OpenDocument& open, const std::vector<assist::TextEdit>& edits);
void write_hover(JsonWriter& writer, OpenDocument& open, const assist::Hover& hover);
void write_suggestions(JsonWriter& writer, OpenDocument& open, const std::vector<assist::Suggestion>& found);
void write_outline(JsonWriter& writer, OpenDocument& open, const std::vector<assist::OutlineEntry>& entries);
void write_folds(JsonWriter& writer, OpenDocument& open);
void write_highlights(JsonWriter& writer, OpenDocument& open, uint32_t offset);

// `pages_url` is where the error pages are, with a / at its end; empty if nobody said.
void write_diagnostic(JsonWriter& writer, OpenDocument& open, const language::Diagnostic& diagnostic,
                      std::string_view pages_url);
void write_fixes(JsonWriter& writer, OpenDocument& open, const std::vector<assist::Fix>& fixes,
                 std::string_view pages_url);

// The names of token types and modifiers, and all names of the document as numbers into them.
void write_token_legend(JsonWriter& writer);
void write_semantic_tokens(JsonWriter& writer, OpenDocument& open);

}  // namespace sheaf::lsp
