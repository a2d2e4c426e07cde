// Any text and any place, asked everything; and any bytes as a conversation.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "assist/rename.h"
#include "language/example_models.h"
#include "lsp/answers.h"
#include "lsp/session.h"

namespace {

// An example with changes, four bytes each: where, and which piece of the examples takes its place.
std::string changed_example(const uint8_t* data, size_t size) {
  constexpr size_t kPieceBytes = 12;
  const auto& examples = sheaf::language::kExampleModels;
  std::string text(examples[data[0] % examples.size()]);
  for (size_t i = 3; i + 3 < size && !text.empty(); i += 4) {
    const size_t place = (size_t{data[i]} << 8 | data[i + 1]) % text.size();
    const std::string_view source = examples[data[i + 2] % examples.size()];
    const size_t from = data[i + 3] * source.size() / 256;
    text.replace(place, std::min(kPieceBytes, text.size() - place), source.substr(from, kPieceBytes));
  }
  return text;
}

void check(bool is_kept, const char* promise, const std::string& text) {
  if (is_kept) return;
  std::fprintf(stderr, "not kept: %s, in:\n%s\n", promise, text.c_str());
  std::abort();
}

// All that the service can be asked at a place. What plans or compiles the model again takes longer, so that
// `choice` says which of it.
void ask(const std::string& text, uint32_t offset, int choice) {
  using namespace sheaf::assist;
  const Document document("fuzz.sheaf", text);
  const auto is_inside = [&](sheaf::language::Span span) {
    return span.begin <= span.end && span.end <= text.size();
  };
  for (const Suggestion& each : complete(document, offset))
    check(is_inside(each.replaced) && !each.text.empty(), "suggestions", text);
  for (const auto span : definition(document, offset)) check(is_inside(span), "definition", text);
  for (const auto span : references(document, offset, true)) check(is_inside(span), "references", text);
  for (const Fold& fold : folds(document)) check(is_inside(fold.span), "folds", text);
  for (const OutlineEntry& entry : outline(document)) check(is_inside(entry.span), "outline", text);
  const LineIndex lines(text);
  check(lines.offset(lines.position(offset)) <= offset, "lines", text);
  if (choice == 0) {
    for (const TextEdit& edit : format_edits(document)) check(is_inside(edit.span), "format", text);
  } else if (choice == 1) {
    if (const auto found = hover(document, offset))
      check(is_inside(found->span) && !found->text.empty(), "hover", text);
  } else if (choice == 2) {
    const auto renamed = rename(document, offset, "fresh_7");
    if (!renamed.ok()) return;
    const Document after("fuzz.sheaf", applied(text, *renamed));
    check(after.error_count() <= document.error_count(), "rename", text);
  } else if (choice == 3) {
    for (const Fix& fix : fixes(document, {.begin = offset, .end = offset + 1})) {
      for (const TextEdit& edit : fix.edits) check(is_inside(edit.span), "fixes", text);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 4) return 0;
  const std::string bytes(reinterpret_cast<const char*>(data + 3), size - 3);
  if (data[0] >= 240) {
    sheaf::lsp::Session session;
    session.receive(bytes);
    while (session.has_work()) session.step();
    session.idle();
    return 0;
  }
  const std::string text = data[0] < 160 ? changed_example(data, size) : bytes;
  const size_t offset = (size_t{data[1]} << 8 | data[2]) % (text.size() + 1);
  ask(text, static_cast<uint32_t>(offset), data[0] >> 2 & 7);
  return 0;
}
