#include "lsp/question.h"

#include "lsp/answers.h"
#include "lsp/message.h"

namespace sheaf::lsp {

using language::Json;

Result<std::string> answer_question(const Json& question) {
  const std::string& ask = text_member(question, "ask");
  OpenDocument open("model.sheaf", text_member(question, "text"), 0);
  const assist::Document& document = open.document();
  JsonWriter writer;
  if (ask == "check") {
    writer.array([&] {
      for (const language::Diagnostic& each : document.diagnostics())
        write_diagnostic(writer, open, each, {});
    });
  } else if (ask == "format") {
    write_edits(writer, open, format_edits(document));
  } else if (ask == "outline") {
    write_outline(writer, open, outline(document));
  } else if (ask == "complete") {
    write_suggestions(writer, open, complete(document, offset_of(open, member(question, "at"))));
  } else if (ask == "hover") {
    const auto found = hover(document, offset_of(open, member(question, "at")));
    found ? write_hover(writer, open, *found) : writer.word("null");
  } else if (ask == "fixes") {
    const Json& range = member(question, "range");
    const language::Span span{.begin = offset_of(open, member(range, "start")),
                              .end = offset_of(open, member(range, "end"))};
    write_fixes(writer, open, fixes(document, span), {});
  } else {
    return Error{Code::kInvalid, "there is no question " + ask +
                                     ": there are check, format, outline, complete, hover and fixes"};
  }
  return writer.take();
}

}  // namespace sheaf::lsp
