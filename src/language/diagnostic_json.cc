#include "language/diagnostic_json.h"

#include "language/excerpt.h"

namespace sheaf::language {
namespace {

void write_position(JsonWriter& writer, const SourceText& source, Span span) {
  const Position begin = source.position(span.begin);
  const Position end = source.position(span.end);
  const auto number = [&](std::string_view name, size_t value) {
    writer.member(name);
    writer.word(std::to_string(value));
  };
  number("line", begin.line);
  number("column", begin.column);
  number("end_line", end.line);
  number("end_column", end.column);
}

void write_text(JsonWriter& writer, std::string_view name, std::string_view text) {
  writer.member(name);
  writer.text(repaired_text(text));
}

}  // namespace

void write_json(JsonWriter& writer, const SourceText& source, const Diagnostics& diagnostics) {
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    writer.object([&] {
      write_text(writer, "file", source.name());
      write_position(writer, source, diagnostic.span);
      write_text(writer, "severity", diagnostic.severity == Severity::kError ? "error" : "warning");
      write_text(writer, "id", diagnostic.id.text());
      write_text(writer, "message", diagnostic.message);
      if (!diagnostic.fix.empty()) write_text(writer, "fix", diagnostic.fix);
      if (!diagnostic.layout.empty()) write_text(writer, "layout", diagnostic.layout);
      if (diagnostic.notes.empty()) return;
      writer.member("notes");
      writer.array([&] {
        for (const Note& note : diagnostic.notes) {
          writer.object([&] {
            write_position(writer, source, note.span);
            write_text(writer, "message", note.text);
          });
        }
      });
    });
  }
}

}  // namespace sheaf::language
