#include "model/key_template.h"

#include <gtest/gtest.h>

#include <random>

namespace sheaf::model {
namespace {

using Format = language::Hole::Format;
using Kind = language::Type::Kind;

const language::Field& plain_field() {
  static const language::Field field;
  return field;
}

Hole hole(Kind kind = Kind::kString, Format format = Format::kPlain, int64_t count = 0) {
  Field field{.syntax = &plain_field(), .name = "f"};
  field.type.kind = kind;
  return {.field = field, .format = format, .count = count, .text = "<f>"};
}

KeyTemplate key(std::vector<KeyTemplate::Piece> pieces) { return KeyTemplate(std::move(pieces), {}); }

TEST(KeyTemplate, WritesLiteralsAndValues) {
  const KeyTemplate made = key({"ORG#", hole(), "#USER#", hole()});
  EXPECT_EQ(*made.encode({"acme", "ann"}), "ORG#acme#USER#ann");
  EXPECT_EQ(*made.encode_prefix({"acme"}), "ORG#acme#USER#");
  EXPECT_EQ(*made.encode_prefix({}), "ORG#");
  EXPECT_EQ(made.text(), "ORG#<f>#USER#<f>");
}

TEST(KeyTemplate, EscapesWhatSeparates) {
  EXPECT_EQ(*key({"A#", hole()}).encode({"a#b %!"}), "A#a%23b%20%25%21");
  EXPECT_EQ(*key({hole(), "::", hole()}).encode({"a:b", "c:d"}), "a%3Ab::c:d");
  EXPECT_EQ(*key({hole(), "ä", hole()}).encode({"xäy", "ä"}), "x%C3%A4yää");
  EXPECT_EQ(*key({hole()}).encode({"a#b"}), "a#b") << "the field itself";
}

TEST(KeyTemplate, RawRefusesInstead) {
  const KeyTemplate raw = key({"A#", hole(Kind::kString, Format::kRaw), "-", hole()});
  EXPECT_EQ(*raw.encode({"x", "y"}), "A#x-y");
  EXPECT_FALSE(raw.encode({"x-", "y"}).ok());
  EXPECT_FALSE(raw.encode({"x#", "y"}).ok());
}

TEST(KeyTemplate, NumbersHaveAWidth) {
  const KeyTemplate padded = key({"N#", hole(Kind::kInt, Format::kDigits, 5)});
  EXPECT_EQ(*padded.encode({"42"}), "N#00042");
  EXPECT_EQ(*padded.decode("N#00042"), std::vector<std::string>{"42"});
  EXPECT_EQ(*padded.decode("N#00000"), std::vector<std::string>{"0"});
  EXPECT_FALSE(padded.encode({"123456"}).ok());
  EXPECT_FALSE(padded.encode({"-1"}).ok());
  EXPECT_FALSE(padded.encode({"1.5"}).ok());
}

TEST(KeyTemplate, BucketsAndShardsCannotBeDecodedToValues) {
  const KeyTemplate bucket = key({"U#", hole(), "#", hole(Kind::kTime, Format::kMonth)});
  EXPECT_EQ(*bucket.encode({"ann", "2026-11-15T10:20:30.123Z"}), "U#ann#2026-11");
  EXPECT_FALSE(bucket.holes()[1]->holds_value());
  const KeyTemplate shard = key({"P#", hole(Kind::kString, Format::kShard, 16)});
  EXPECT_EQ(*shard.encode({"x"}), *shard.encode({"x"}));
  EXPECT_EQ(shard.encode({"x"})->size(), 4u);
}

// The values of the published test vectors of FNV-1a.
TEST(KeyTemplate, ShardsNeverMove) {
  EXPECT_EQ(shard_hash(""), 0xcbf29ce484222325u);
  EXPECT_EQ(shard_hash("a"), 0xaf63dc4c8601ec8cu);
  EXPECT_EQ(shard_hash("foobar"), 0x85944171f73967e8u);
}

TEST(KeyTemplate, FindsHolesThatRunIntoEachOther) {
  EXPECT_TRUE(key({hole(), hole()}).ambiguous().has_value());
  EXPECT_FALSE(key({hole(Kind::kTime), hole()}).ambiguous().has_value());
  EXPECT_FALSE(key({hole(), "#", hole()}).ambiguous().has_value());
}

class RandomKeys : public testing::Test {
 protected:
  std::string random_text() {
    static const std::vector<std::string> kPieces = {"a", "b", "z", "#", "%",    "%23", " ", ":",
                                                     "-", "ä", "€", "😀", "\x01", "&",   "~", "0"};
    std::string text;
    for (size_t i = chance_() % 6; i > 0; --i) text += kPieces[chance_() % kPieces.size()];
    return text;
  }
  KeyTemplate random_key() {
    static const std::vector<std::string> kLiterals = {"#", "A#", "::", "ä", "-", "#B#", "_x"};
    std::vector<KeyTemplate::Piece> pieces;
    if (chance_() % 2 == 0) pieces.emplace_back(kLiterals[chance_() % kLiterals.size()]);
    for (size_t i = 1 + chance_() % 3; i > 0; --i) {
      pieces.emplace_back(hole());
      if (i > 1 || chance_() % 2 == 0) pieces.emplace_back(kLiterals[chance_() % kLiterals.size()]);
    }
    return key(std::move(pieces));
  }
  std::mt19937_64 chance_{20261115};
};

TEST_F(RandomKeys, DecodeToWhatWasEncoded) {
  for (int round = 0; round < 5000; ++round) {
    const KeyTemplate made = random_key();
    std::vector<std::string> values;
    for (size_t i = 0; i < made.holes().size(); ++i) values.push_back(random_text());
    const std::string text = *made.encode(values);
    const auto decoded = made.decode(text);
    ASSERT_TRUE(decoded.has_value()) << made.text() << " " << text;
    ASSERT_EQ(*decoded, values) << made.text() << " " << text;
    ASSERT_TRUE(text.empty() || made.language().contains(text)) << made.text() << " " << text;
  }
}

// What follows a value sorts below every value that continues it, so a parent is next to its descendants.
TEST_F(RandomKeys, SortAsTheirValuesDoBeforeASeparator) {
  const KeyTemplate made = key({"A#", hole(), "#", hole()});
  for (int round = 0; round < 5000; ++round) {
    const std::string first = random_text(), second = random_text();
    if (first == second) continue;
    ASSERT_EQ(*made.encode({first, "x"}) < *made.encode({second, "x"}), first < second)
        << first << " and " << second;
  }
}

TEST_F(RandomKeys, OfDisjointTemplatesAreNeverEqual) {
  int disjoint = 0;
  for (int round = 0; round < 400; ++round) {
    const KeyTemplate a = random_key(), b = random_key();
    const auto common = RegularLanguage::common_text(a.language(), b.language());
    if (common) {
      ASSERT_TRUE(a.decode(*common) || a.bare_hole()) << a.text() << " " << *common;
      continue;
    }
    ++disjoint;
    for (int i = 0; i < 50; ++i) {
      std::vector<std::string> values;
      for (size_t j = 0; j < a.holes().size(); ++j) values.push_back(random_text());
      ASSERT_FALSE(b.decode(*a.encode(values))) << a.text() << " and " << b.text();
    }
  }
  EXPECT_GT(disjoint, 50);
}

}  // namespace
}  // namespace sheaf::model
