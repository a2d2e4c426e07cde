#include "assist/hover.h"

#include <gtest/gtest.h>

#include "assist/assist_fixture.h"
#include "assist/completion.h"
#include "assist/fixes.h"
#include "assist/outline.h"
#include "assist/rename.h"

namespace sheaf::assist {
namespace {

std::string text_at(std::string_view place, size_t into = 0) {
  const Document document("shop.sheaf", std::string(kShop));
  const auto found = hover(document, static_cast<uint32_t>(document.text().find(place) + into));
  return found ? found->text : "";
}

void expect_says(const std::string& text, std::initializer_list<std::string_view> parts) {
  for (const std::string_view part : parts)
    EXPECT_NE(text.find(part), std::string::npos) << part << "\nin\n" << text;
}

TEST(Hover, TellsOfAnEntity) {
  expect_says(text_at("Customer {"),
              {"entity Customer", "Who buys.", "`name` string", "`id` string, id",
               "`orders` leads to many Order", "- default: `\"C#<id>\" / \"C\"` in shop"});
}

TEST(Hover, TellsOfAField) {
  expect_says(text_at("name;"), {"A field of Customer.", "As it is on the letter."});
  expect_says(text_at("<number>", 1), {"number id int", "A field of Order."});
}

TEST(Hover, TellsWhatALayoutPromisesOfAnEnd) {
  expect_says(text_at("orders / customer"), {"rel Customer 1--* Order as orders / customer",
                                             "leads to many Order, 3 on average, at most 10",
                                             "- default: via collection", "strongly consistent"});
}

TEST(Hover, TellsThePlanAndTheCostOfAPattern) {
  expect_says(text_at("one(c"), {"pattern one(c: Customer)", "In default\n", "In other\n",
                                 "1 request, 1 round, about 5.5 units", "Query shop"});
}

TEST(Hover, TellsThePlanOfAnOperation) { expect_says(text_at("sell("), {"op sell", "TransactWriteItems"}); }

TEST(Hover, TellsOfAKeyWithAnExample) {
  expect_says(text_at("\"C#<id>\"", 1), {"`PK` of Customer in shop", "`C#id1`"});
}

TEST(Hover, TellsOfKeywords) {
  expect_says(text_at("via collection"), {"`via`: How the relation is stored."});
}

TEST(Hover, TellsWhatAMistakeMeans) {
  const MarkedText at = marked("model m { entity A { id id } pattern p(a: |B) = $a }");
  const auto found = hover(Document("m.sheaf", at.text), at.offset);
  ASSERT_TRUE(found);
  expect_says(found->text, {"**unknown-entity**: "});
}

TEST(Hover, SaysNothingOfSpace) {
  const Document document("shop.sheaf", std::string(kShop));
  EXPECT_FALSE(hover(document, static_cast<uint32_t>(document.text().size())));
}

// No place of any model is too much for any question.
TEST(Queries, EveryPlaceOfEveryModelCanBeAsked) {
  for (const auto& [path, text] : models_on_disk()) {
    const Document document(path, text);
    const auto is_inside = [&](language::Span span) {
      return span.begin <= span.end && span.end <= text.size();
    };
    for (uint32_t at = 0; at <= text.size(); ++at) {
      if (const auto found = hover(document, at)) {
        ASSERT_FALSE(found->text.empty());
        ASSERT_TRUE(is_inside(found->span));
      }
      for (const language::Span span : definition(document, at)) ASSERT_TRUE(is_inside(span));
      for (const language::Span span : references(document, at, true)) ASSERT_TRUE(is_inside(span));
      if (at % 3 != 0) continue;
      for (const Suggestion& each : complete(document, at)) ASSERT_TRUE(is_inside(each.replaced));
    }
  }
}

// Nor of one that ends in the middle.
TEST(Queries, EveryBeginningOfAModelCanBeAsked) {
  for (size_t size = 0; size < kShop.size(); size += 3) {
    const Document document("beginning.sheaf", std::string(kShop.substr(0, size)));
    const auto end = static_cast<uint32_t>(size);
    static_cast<void>(hover(document, end == 0 ? 0 : end - 1));
    static_cast<void>(rename(document, end, "fresh"));
    static_cast<void>(outline(document));
    static_cast<void>(folds(document));
    for (const Fix& fix : fixes(document, {.begin = end, .end = end})) {
      for (const TextEdit& edit : fix.edits) ASSERT_LE(edit.span.end, size);
    }
  }
}

}  // namespace
}  // namespace sheaf::assist
