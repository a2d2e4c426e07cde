#include "lsp/answers.h"

#include <array>

#include "language/error_pages.h"

namespace sheaf::lsp {

using assist::SuggestionKind;
using assist::SymbolKind;
using language::Span;

namespace {

void number(JsonWriter& writer, std::string_view name, int64_t value) {
  writer.member(name);
  writer.word(std::to_string(value));
}

void text(JsonWriter& writer, std::string_view name, std::string_view value) {
  writer.member(name);
  writer.text(value);
}

void write_position(JsonWriter& writer, OpenDocument& open, uint32_t offset) {
  const assist::EditorPosition position = open.lines().position(offset);
  writer.object([&] {
    number(writer, "line", position.line);
    number(writer, "character", position.unit);
  });
}

void write_location(JsonWriter& writer, OpenDocument& open, Span span) {
  writer.object([&] {
    text(writer, "uri", open.uri());
    writer.member("range");
    write_range(writer, open, span);
  });
}

void write_markdown(JsonWriter& writer, std::string_view name, std::string_view value) {
  writer.member(name);
  writer.object([&] {
    text(writer, "kind", "markdown");
    text(writer, "value", value);
  });
}

// Numbers of the protocol.
int completion_kind(SuggestionKind kind) {
  switch (kind) {
    case SuggestionKind::kKeyword:
      return 14;
    case SuggestionKind::kType:
      return 25;  // TypeParameter
    case SuggestionKind::kStrategy:
      return 20;  // EnumMember
    case SuggestionKind::kEntity:
      return 7;  // Class
    case SuggestionKind::kField:
      return 5;
    case SuggestionKind::kEnd:
      return 18;  // Reference
    case SuggestionKind::kTable:
      return 22;  // Struct
    case SuggestionKind::kIndex:
      return 10;  // Property
    case SuggestionKind::kLayout:
      return 9;  // Module
    case SuggestionKind::kPattern:
      return 3;  // Function
    case SuggestionKind::kParameter:
      return 6;  // Variable
    case SuggestionKind::kHole:
      return 15;  // Snippet
    case SuggestionKind::kValue:
      return 12;
  }
  return 1;
}

int symbol_kind(SymbolKind kind) {
  switch (kind) {
    case SymbolKind::kModel:
      return 4;  // Package
    case SymbolKind::kTable:
      return 23;  // Struct
    case SymbolKind::kIndex:
      return 20;  // Key
    case SymbolKind::kEntity:
      return 5;  // Class
    case SymbolKind::kField:
      return 8;
    case SymbolKind::kEnd:
      return 7;  // Property
    case SymbolKind::kLayout:
      return 3;  // Namespace
    case SymbolKind::kPattern:
      return 12;  // Function
    case SymbolKind::kOperation:
      return 6;  // Method
    case SymbolKind::kParameter:
    case SymbolKind::kAggregate:
      return 13;  // Variable
  }
  return 13;
}

constexpr auto kTokenTypes =
    std::to_array<std::string_view>({"namespace", "struct", "enumMember", "class", "property", "event",
                                     "function", "method", "parameter", "variable"});

// An index into kTokenTypes.
size_t token_type(SymbolKind kind) {
  switch (kind) {
    case SymbolKind::kModel:
    case SymbolKind::kLayout:
      return 0;
    case SymbolKind::kTable:
      return 1;
    case SymbolKind::kIndex:
      return 2;
    case SymbolKind::kEntity:
      return 3;
    case SymbolKind::kField:
      return 4;
    case SymbolKind::kEnd:
      return 5;
    case SymbolKind::kPattern:
      return 6;
    case SymbolKind::kOperation:
      return 7;
    case SymbolKind::kParameter:
      return 8;
    case SymbolKind::kAggregate:
      return 9;
  }
  return 9;
}

void write_text_edit(JsonWriter& writer, OpenDocument& open, Span span, std::string_view new_text) {
  writer.object([&] {
    writer.member("range");
    write_range(writer, open, span);
    text(writer, "newText", new_text);
  });
}

}  // namespace

void write_range(JsonWriter& writer, OpenDocument& open, Span span) {
  writer.object([&] {
    writer.member("start");
    write_position(writer, open, span.begin);
    writer.member("end");
    write_position(writer, open, span.end);
  });
}

void write_locations(JsonWriter& writer, OpenDocument& open, const std::vector<Span>& spans) {
  writer.array([&] {
    for (const Span span : spans) write_location(writer, open, span);
  });
}

void write_edits(JsonWriter& writer, OpenDocument& open, const std::vector<assist::TextEdit>& edits) {
  writer.array([&] {
    for (const assist::TextEdit& edit : edits) write_text_edit(writer, open, edit.span, edit.text);
  });
}

void write_workspace_edit(JsonWriter& writer, OpenDocument& open,
                          const std::vector<assist::TextEdit>& edits) {
  writer.object([&] {
    writer.member("changes");
    writer.object([&] {
      writer.member(open.uri());
      write_edits(writer, open, edits);
    });
  });
}

void write_hover(JsonWriter& writer, OpenDocument& open, const assist::Hover& hover) {
  writer.object([&] {
    write_markdown(writer, "contents", hover.text);
    writer.member("range");
    write_range(writer, open, hover.span);
  });
}

void write_suggestions(JsonWriter& writer, OpenDocument& open, const std::vector<assist::Suggestion>& found) {
  writer.object([&] {
    writer.member("isIncomplete");
    writer.word("false");
    writer.member("items");
    writer.array([&] {
      for (const assist::Suggestion& each : found) {
        writer.object([&] {
          text(writer, "label", each.label);
          number(writer, "kind", completion_kind(each.kind));
          if (!each.detail.empty()) text(writer, "detail", each.detail);
          if (!each.documentation.empty()) write_markdown(writer, "documentation", each.documentation);
          // Names before keywords.
          text(writer, "sortText", (each.kind == SuggestionKind::kKeyword ? "1" : "0") + each.label);
          text(writer, "filterText", each.text);
          writer.member("textEdit");
          write_text_edit(writer, open, each.replaced, each.text);
        });
      }
    });
  });
}

void write_outline(JsonWriter& writer, OpenDocument& open, const std::vector<assist::OutlineEntry>& entries) {
  writer.array([&] {
    for (const assist::OutlineEntry& each : entries) {
      writer.object([&] {
        text(writer, "name", each.name);
        if (!each.detail.empty()) text(writer, "detail", each.detail);
        number(writer, "kind", symbol_kind(each.kind));
        writer.member("range");
        write_range(writer, open, each.span);
        writer.member("selectionRange");
        write_range(writer, open, each.name_span);
        writer.member("children");
        write_outline(writer, open, each.children);
      });
    }
  });
}

void write_folds(JsonWriter& writer, OpenDocument& open) {
  writer.array([&] {
    for (const assist::Fold& fold : folds(open.document())) {
      const uint32_t last = open.lines().position(fold.span.end).line;
      writer.object([&] {
        number(writer, "startLine", open.lines().position(fold.span.begin).line);
        // The line of the } stays.
        number(writer, "endLine", fold.is_comment ? last : last - 1);
        text(writer, "kind", fold.is_comment ? "comment" : "region");
      });
    }
  });
}

void write_highlights(JsonWriter& writer, OpenDocument& open, uint32_t offset) {
  constexpr int kRead = 2, kWrite = 3;
  const assist::Symbols& symbols = open.document().symbols();
  const assist::Occurrence* const found = symbols.at(offset);
  writer.array([&] {
    for (const assist::Occurrence& each : symbols.occurrences()) {
      if (found == nullptr || each.symbol != found->symbol) continue;
      writer.object([&] {
        writer.member("range");
        write_range(writer, open, each.span);
        number(writer, "kind", each.is_declaration ? kWrite : kRead);
      });
    }
  });
}

void write_diagnostic(JsonWriter& writer, OpenDocument& open, const language::Diagnostic& diagnostic,
                      std::string_view pages_url) {
  constexpr int kError = 1, kWarning = 2;
  // Editors show nothing of an empty range.
  Span span = diagnostic.span;
  if (span.begin == span.end && span.end < open.document().text().size()) ++span.end;
  writer.object([&] {
    writer.member("range");
    write_range(writer, open, span);
    number(writer, "severity", diagnostic.severity == language::Severity::kError ? kError : kWarning);
    text(writer, "code", diagnostic.id.text());
    if (!pages_url.empty()) {
      writer.member("codeDescription");
      writer.object(
          [&] { text(writer, "href", std::string(pages_url) + std::string(diagnostic.id.text()) + ".md"); });
    }
    text(writer, "source", "sheaf");
    std::string message = diagnostic.message;
    if (!diagnostic.layout.empty()) message += " (in the layout " + diagnostic.layout + ")";
    if (!diagnostic.fix.empty()) message += "\n" + diagnostic.fix;
    text(writer, "message", message);
    if (diagnostic.id.text() == "unused-parameter") {
      constexpr int kUnnecessary = 1;
      writer.member("tags");
      writer.array([&] { writer.word(std::to_string(kUnnecessary)); });
    }
    if (diagnostic.notes.empty()) return;
    writer.member("relatedInformation");
    writer.array([&] {
      for (const language::Note& note : diagnostic.notes) {
        writer.object([&] {
          writer.member("location");
          write_location(writer, open, note.span);
          text(writer, "message", note.text);
        });
      }
    });
  });
}

void write_fixes(JsonWriter& writer, OpenDocument& open, const std::vector<assist::Fix>& fixes,
                 std::string_view pages_url) {
  writer.array([&] {
    for (const assist::Fix& fix : fixes) {
      writer.object([&] {
        text(writer, "title", fix.title);
        text(writer, "kind", "quickfix");
        writer.member("diagnostics");
        writer.array([&] {
          write_diagnostic(writer, open, open.document().diagnostics()[fix.diagnostic], pages_url);
        });
        writer.member("edit");
        write_workspace_edit(writer, open, fix.edits);
      });
    }
  });
}

void write_token_legend(JsonWriter& writer) {
  writer.object([&] {
    writer.member("tokenTypes");
    writer.array([&] {
      for (const std::string_view type : kTokenTypes) writer.text(type);
    });
    writer.member("tokenModifiers");
    writer.array([&] { writer.text("declaration"); });
  });
}

// Five numbers a name: lines and units since the one before, its length, its type, its modifiers.
void write_semantic_tokens(JsonWriter& writer, OpenDocument& open) {
  writer.object([&] {
    writer.member("data");
    writer.array([&] {
      assist::EditorPosition last;
      for (const assist::Occurrence& each : open.document().symbols().occurrences()) {
        const assist::EditorPosition begin = open.lines().position(each.span.begin);
        const assist::EditorPosition end = open.lines().position(each.span.end);
        const SymbolKind kind = open.document().symbols().symbol(each).kind;
        const size_t numbers[] = {
            begin.line - last.line, begin.line == last.line ? begin.unit - last.unit : begin.unit,
            end.unit - begin.unit, token_type(kind), each.is_declaration ? size_t{1} : 0};
        for (const size_t value : numbers) writer.word(std::to_string(value));
        last = begin;
      }
    });
  });
}

}  // namespace sheaf::lsp
