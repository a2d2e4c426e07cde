#include "assist/symbols.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "assist/assist_fixture.h"
#include "language/example_models.h"
#include "language/written_parts.h"

namespace sheaf::assist {
namespace {

using language::Span;

// Without backquotes.
std::string name_at(const Document& document, Span span) {
  std::string text(document.source().text(span));
  if (text.starts_with('`')) text = text.substr(1, text.size() - 2);
  return text;
}

std::vector<std::string> lines_of(const Document& document, const std::vector<Span>& spans) {
  std::vector<std::string> lines;
  for (const Span span : spans)
    lines.push_back(std::to_string(document.source().position(span.begin).line) + ":" +
                    std::to_string(document.source().position(span.begin).column));
  return lines;
}

void expect_names_agree(const std::string& path, const std::string& text) {
  const Document document(path, text);
  const Symbols& symbols = document.symbols();
  ASSERT_FALSE(symbols.occurrences().empty()) << path;
  for (const Occurrence& each : symbols.occurrences()) {
    const Symbol& symbol = symbols.symbol(each);
    EXPECT_EQ(name_at(document, each.span), symbol.name) << path;
    EXPECT_EQ(name_at(document, each.declaration), symbol.name) << path;
    EXPECT_NE(std::find(symbol.declarations.begin(), symbol.declarations.end(), each.declaration),
              symbol.declarations.end())
        << path << " " << symbol.name;
    // Every place of the name finds it.
    for (uint32_t at = each.span.begin; at < each.span.end; ++at) EXPECT_EQ(symbols.at(at), &each) << path;
  }
}

TEST(Symbols, EveryNameMeansADeclarationWithTheSameName) {
  for (const auto& [path, text] : models_on_disk()) expect_names_agree(path, text);
  for (const std::string_view text : language::kExampleModels)
    expect_names_agree("example", std::string(text));
  expect_names_agree("shop", std::string(kShop));
}

// What is a plain name in a text without mistakes is a keyword, or its meaning is found: attributes, values
// of enums and what a model keeps by itself aside.
TEST(Symbols, NoNameIsForgotten) {
  const Document document("shop.sheaf", std::string(kShop));
  ASSERT_EQ(document.error_count(), 0u) << document.planned().compiled.rendered();
  for (const Symbol& symbol : document.symbols().all()) {
    size_t written = 0;
    const std::string_view text = document.text();
    for (size_t at = text.find(symbol.name); at != std::string_view::npos;
         at = text.find(symbol.name, at + 1)) {
      const Occurrence* const found = document.symbols().at(static_cast<uint32_t>(at));
      written += found != nullptr && found->span.begin == at &&
                 document.symbols().symbol(*found).name == symbol.name;
    }
    EXPECT_GE(written, symbol.declarations.size() + symbol.references.size()) << symbol.name;
  }
  const auto references_of = [&](std::string_view declared) {
    return lines_of(document,
                    references(document, static_cast<uint32_t>(document.text().find(declared)), false));
  };
  EXPECT_EQ(references_of("Customer {"), (std::vector<std::string>{"15:7", "18:21", "20:18", "22:14"}));
  EXPECT_EQ(references_of("number id"), (std::vector<std::string>{"13:78", "18:49"}));
  EXPECT_EQ(references_of("GSI1 A"), (std::vector<std::string>{"13:69"}));
  EXPECT_EQ(references_of("quantity int"), (std::vector<std::string>{"19:48", "21:62"}));
  EXPECT_EQ(references_of("street;"), (std::vector<std::string>{"22:63"}));
  EXPECT_EQ(references_of("customer {"), (std::vector<std::string>{"13:23", "13:91"}));
}

TEST(Symbols, AnIndexOfSeveralLayoutsIsOne) {
  const Document document("m.sheaf", R"sheaf(model m {
  table app { pk PK; sk SK; gsi GSI1 A / B }
  entity E { id id; key "E#<id>" / "E"; index GSI1 "E" / "<id>" }
  layout other {
    table second { pk PK; sk SK; gsi GSI1 A / B }
    entity E { in second }
  }
}
)sheaf");
  const auto found = references(document, static_cast<uint32_t>(document.text().find("GSI1 \"E\"")), true);
  EXPECT_EQ(lines_of(document, found), (std::vector<std::string>{"2:33", "3:47", "5:38"}));
}

TEST(Symbols, APatternWithAMistakeStillHasNames) {
  const MarkedText at = marked("model m { entity Org { name id } pattern p(o: Org) = $|o + }");
  const Document document("m.sheaf", at.text);
  const auto found = definition(document, at.offset);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(lines_of(document, found), (std::vector<std::string>{"1:44"}));
}

}  // namespace
}  // namespace sheaf::assist
