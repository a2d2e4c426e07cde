#include "assist/hover.h"

#include <gtest/gtest.h>

#include "assist/assist_fixture.h"

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
                                 "1 request, 1 round, 0.5 units", "Query shop"});
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

// No place of any model, and no query, is too much.
TEST(Hover, EveryPlaceOfEveryModelCanBeAsked) {
  for (const auto& [path, text] : models_on_disk()) {
    const Document document(path, text);
    for (uint32_t at = 0; at <= text.size(); at += 3) {
      const auto found = hover(document, at);
      if (!found) continue;
      EXPECT_FALSE(found->text.empty());
      EXPECT_LE(found->span.end, text.size());
    }
  }
}

}  // namespace
}  // namespace sheaf::assist
