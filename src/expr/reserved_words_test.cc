#include "expr/reserved_words.h"

#include <gtest/gtest.h>

namespace sheaf::expr {
namespace {

TEST(ReservedWords, AreKnownInAnyCase) {
  for (const std::string_view word :
       {"ABORT", "abort", "aBoRt", "status", "Name", "ZONE", "zone", "size", "ttl"}) {
    EXPECT_TRUE(is_reserved_word(word)) << word;
  }
}

TEST(ReservedWords, AreOnlyTheWholeWords) {
  for (const std::string_view word : {"", "a", "statuses", "statu", "pk", "sk", "abort_", "zonee",
                                      "a_name_longer_than_every_reserved_word", "st\xc3\xa4tus"}) {
    EXPECT_FALSE(is_reserved_word(word)) << word;
  }
}

}  // namespace
}  // namespace sheaf::expr
