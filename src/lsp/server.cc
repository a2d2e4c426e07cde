#include "lsp/server.h"

#include <algorithm>
#include <array>

#include "assist/rename.h"
#include "lsp/answers.h"

namespace sheaf::lsp {

using language::Json;
using language::Span;

namespace {

// A document that is not open has no answer other than nothing.
constexpr auto kQueries = std::to_array<std::string_view>(
    {"textDocument/codeAction", "textDocument/completion", "textDocument/definition",
     "textDocument/documentHighlight", "textDocument/documentSymbol", "textDocument/foldingRange",
     "textDocument/formatting", "textDocument/hover", "textDocument/prepareRename", "textDocument/references",
     "textDocument/rename", "textDocument/semanticTokens/full"});

void write_null(JsonWriter& writer) { writer.word("null"); }

void flag(JsonWriter& writer, std::string_view name, bool value = true) {
  writer.member(name);
  writer.word(value ? "true" : "false");
}

void write_capabilities(JsonWriter& writer) {
  constexpr std::string_view kIncremental = "2";
  writer.object([&] {
    writer.member("positionEncoding");
    writer.text("utf-16");
    writer.member("textDocumentSync");
    writer.object([&] {
      flag(writer, "openClose");
      writer.member("change");
      writer.word(kIncremental);
    });
    writer.member("completionProvider");
    writer.object([&] {
      writer.member("triggerCharacters");
      writer.array([&] {
        for (const std::string_view character : {".", "$", "<", ":", "\""}) writer.text(character);
      });
    });
    for (const std::string_view name :
         {"hoverProvider", "definitionProvider", "referencesProvider", "documentHighlightProvider",
          "documentSymbolProvider", "documentFormattingProvider", "foldingRangeProvider"})
      flag(writer, name);
    writer.member("renameProvider");
    writer.object([&] { flag(writer, "prepareProvider"); });
    writer.member("codeActionProvider");
    writer.object([&] {
      writer.member("codeActionKinds");
      writer.array([&] { writer.text("quickfix"); });
    });
    writer.member("semanticTokensProvider");
    writer.object([&] {
      writer.member("legend");
      write_token_legend(writer);
      flag(writer, "full");
    });
  });
}

}  // namespace

std::string Server::handle(const Message& message) {
  if (message.method.empty()) return {};  // an answer, and nothing was asked
  return message.id ? request(message, *message.id) : notice(message);
}

OpenDocument* Server::find(const Message& message) {
  const auto found = documents_.find(text_member(member(message.params, "textDocument"), "uri"));
  return found == documents_.end() ? nullptr : &found->second;
}

std::string Server::notice(const Message& message) {
  if (message.method == "exit") is_done_ = true;
  if (!is_initialized_ || is_shut_down_) return {};
  const Json& document = member(message.params, "textDocument");
  const int64_t version = number_member(document, "version");
  if (message.method == "textDocument/didOpen") {
    const std::string& uri = text_member(document, "uri");
    documents_.insert_or_assign(uri, OpenDocument(uri, text_member(document, "text"), version));
  } else if (message.method == "textDocument/didChange") {
    if (OpenDocument* const open = find(message))
      open->change(member(message.params, "contentChanges"), version);
  } else if (message.method == "textDocument/didClose") {
    // What was wrong in it is shown no more.
    const std::string uri = text_member(document, "uri");
    if (documents_.erase(uri) == 0) return {};
    return notification("textDocument/publishDiagnostics", [&](JsonWriter& writer) {
      writer.object([&] {
        writer.member("uri");
        writer.text(uri);
        writer.member("diagnostics");
        writer.array([] {});
      });
    });
  }
  return {};
}

std::string Server::request(const Message& message, const std::string& id) {
  if (message.method == "initialize") {
    if (is_initialized_) return error_answer(id, ErrorCode::kInvalidRequest, "initialize comes once");
    return initialize(id);
  }
  if (!is_initialized_) return error_answer(id, ErrorCode::kNotInitialized, "initialize comes first");
  if (is_shut_down_) return error_answer(id, ErrorCode::kInvalidRequest, "only exit comes behind shutdown");
  if (message.method == "shutdown") {
    is_shut_down_ = true;
    return answer(id, write_null);
  }
  if (std::find(kQueries.begin(), kQueries.end(), message.method) == kQueries.end())
    return error_answer(id, ErrorCode::kMethodNotFound, "there is no " + message.method);
  OpenDocument* const open = find(message);
  if (open == nullptr) return error_answer(id, ErrorCode::kInvalidParams, "this document is not open");
  return query(message, id, *open);
}

std::string Server::initialize(const std::string& id) {
  is_initialized_ = true;
  return answer(id, [](JsonWriter& writer) {
    writer.object([&] {
      writer.member("capabilities");
      write_capabilities(writer);
      writer.member("serverInfo");
      writer.object([&] {
        writer.member("name");
        writer.text("sheaf");
      });
    });
  });
}

std::string Server::query(const Message& message, const std::string& id, OpenDocument& open) {
  const std::string_view method = message.method;
  const assist::Document& document = open.document();
  const uint32_t offset = offset_of(open, member(message.params, "position"));
  return method == "textDocument/rename"
             ? rename(message, id, open, offset)
             : answer(id, [&](JsonWriter& writer) {
                 if (method == "textDocument/completion") {
                   write_suggestions(writer, open, complete(document, offset));
                 } else if (method == "textDocument/hover") {
                   const auto found = hover(document, offset);
                   found ? write_hover(writer, open, *found) : write_null(writer);
                 } else if (method == "textDocument/definition") {
                   write_locations(writer, open, definition(document, offset));
                 } else if (method == "textDocument/references") {
                   const bool with_declarations =
                       flag_member(member(message.params, "context"), "includeDeclaration");
                   write_locations(writer, open, references(document, offset, with_declarations));
                 } else if (method == "textDocument/documentHighlight") {
                   write_highlights(writer, open, offset);
                 } else if (method == "textDocument/documentSymbol") {
                   write_outline(writer, open, outline(document));
                 } else if (method == "textDocument/foldingRange") {
                   write_folds(writer, open);
                 } else if (method == "textDocument/formatting") {
                   write_edits(writer, open, format_edits(document));
                 } else if (method == "textDocument/semanticTokens/full") {
                   write_semantic_tokens(writer, open);
                 } else if (method == "textDocument/prepareRename") {
                   const auto span = assist::renamable(document, offset);
                   span ? write_range(writer, open, *span) : write_null(writer);
                 } else if (method == "textDocument/codeAction") {
                   const Json& range = member(message.params, "range");
                   const Span span{.begin = offset_of(open, member(range, "start")),
                                   .end = offset_of(open, member(range, "end"))};
                   write_fixes(writer, open, fixes(document, span), options_.pages_url);
                 } else {
                   write_null(writer);
                 }
               });
}

std::string Server::rename(const Message& message, const std::string& id, OpenDocument& open,
                           uint32_t offset) {
  std::string_view name = text_member(message.params, "newName");
  // Whoever renames something in backquotes may write them, too.
  if (name.size() > 2 && name.starts_with('`') && name.ends_with('`')) name = name.substr(1, name.size() - 2);
  const auto edits = assist::rename(open.document(), offset, name);
  if (!edits.ok()) return error_answer(id, ErrorCode::kRequestFailed, edits.error().message);
  return answer(id, [&](JsonWriter& writer) { write_workspace_edit(writer, open, *edits); });
}

bool Server::has_unpublished() const {
  return std::any_of(documents_.begin(), documents_.end(),
                     [](const auto& each) { return each.second.needs_publishing; });
}

std::string Server::publish() {
  std::string out;
  for (auto& [uri, open] : documents_) {
    if (open.needs_publishing) out += publish(open);
  }
  return out;
}

std::string Server::publish(OpenDocument& open) {
  open.needs_publishing = false;
  return notification("textDocument/publishDiagnostics", [&](JsonWriter& writer) {
    writer.object([&] {
      writer.member("uri");
      writer.text(open.uri());
      writer.member("version");
      writer.word(std::to_string(open.version()));
      writer.member("diagnostics");
      writer.array([&] {
        for (const language::Diagnostic& each : open.document().diagnostics())
          write_diagnostic(writer, open, each, options_.pages_url);
      });
    });
  });
}

}  // namespace sheaf::lsp
