#include "clients/client.h"

#include <gtest/gtest.h>

#include "model/compiled_model.h"

namespace sheaf::clients {
namespace {

std::string client(const std::string& text, Language language) {
  const model::CompiledModel compiled = model::compile("test.sheaf", text);
  EXPECT_TRUE(compiled.ok()) << compiled.rendered();
  return client_of(compiled.model, compiled.layouts.front(), language);
}

constexpr const char* kModel = R"(
  /// What "others" call */ a \ thing
  model model {
    entity Page { id id; `class` enum(A, B); note string?; seen set<string>? }
    entity Line within page { number id int; text }
    rel Page 1--* Line as lines / page { size max 20; on delete cascade }
    /// A page with all its lines
    pattern whole(p: Page) = $p { *, lines }
    pattern `lines`(p: Page) = $p.lines
    pattern upTo(p: Page, number: int?) = $p.lines where number <= $number
    op shout(l: Line, text: string) = set $l.text = $text
  })";

TEST(Client, TypeScriptHasTypesAndMethodsUnderNamesThatAreFree) {
  const std::string text = client(kModel, Language::kTypeScript);
  for (const char* const part : {
           "export interface Page2 {\n  id: string;\n  class: 'A' | 'B';\n  note?: string;\n  seen?: "
           "Array<string>;\n}",
           "export type LineId = [string, number];",
           "export class ModelClient2 extends ModelClient {",
           "/** A page with all its lines */\n  whole(parameters: { p: PageId }, options: CallOptions = "
           "{}): "
           "Promise<WholeDocument | undefined> {",
           "lines(parameters: { p: PageId }, options: CallOptions = {}): Pages<LinesDocument> {",
           "upTo(parameters: { p: PageId; number?: number | null }, options: CallOptions = {}): Pages<",
           "shout(parameters: { l: LineId; text: string }, options: CallOptions = {}): Promise<Outcome> {",
           "removePage(id: PageId, names: Array<'note' | 'seen'>, options: CallOptions = {}): "
           "Promise<Outcome> {",
           "call * / a",
       })
    EXPECT_NE(text.find(part), std::string::npos) << part;
}

TEST(Client, PythonHasTypesAndMethodsUnderNamesThatAreFree) {
  const std::string text = client(kModel, Language::kPython);
  for (const char* const part : {
           "Page2 = TypedDict(\n    \"Page2\",\n    {\n        \"id\": \"str\",\n        \"class\": "
           "\"Literal[",
           "LineId: TypeAlias = \"tuple[str, int] | list[str | int]\"",
           "class ModelClient2(ModelClient):",
           "    def whole(self, p: PageId) -> WholeDocument | None:\n        \"\"\"A page with all its "
           "lines\"\"\"",
           "    def lines(self, p: PageId) -> Pages[LinesDocument]:",
           "    def up_to(self, p: PageId, number: int | None = None) -> Pages[",
           "    def shout(self, l: LineId, text: str) -> Outcome:",
           R"(What \"others\" call */ a \\ thing)",
       })
    EXPECT_NE(text.find(part), std::string::npos) << part;
}

TEST(Client, IsTheSameForTheSameModel) {
  for (const Language language : {Language::kTypeScript, Language::kPython})
    EXPECT_EQ(client(kModel, language), client(kModel, language));
}

}  // namespace
}  // namespace sheaf::clients
