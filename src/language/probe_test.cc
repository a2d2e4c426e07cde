#include "language/probe.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "language/example_models.h"
#include "language/parser.h"

namespace sheaf::language {
namespace {

Probe probed(std::string_view text) {
  const SourceText source("text", std::string(text));
  Diagnostics ignored;
  Probe probe;
  parse(source, ignored, probe);
  return probe;
}

using Texts = std::vector<std::string>;

TEST(Probe, NotesWhatTheParserLooksFor) {
  EXPECT_EQ(probed("model m { table t { ").words, (Texts{"pk", "sk", "tag", "ttl", "gsi"}));
  EXPECT_EQ(probed("model m { rel ").kinds, (Texts{"an entity"}));
  EXPECT_EQ(probed("model m { entity A { id id; key ").kinds, (Texts{"a key template in double quotes"}));
}

TEST(Probe, DoesNotReadWhatIsBeingWritten) {
  EXPECT_EQ(probed("model m { table t { ttl").words, probed("model m { table t { ").words);
  EXPECT_EQ(probed("model m { entity A { id id; key \"A#<").kinds,
            (Texts{"a key template in double quotes"}));
}

TEST(Probe, NotesNothingBehindAMistake) {
  EXPECT_TRUE(probed("model m { pattern p( = $x.").kinds.empty());
  // Of the same statement: the next one is read again.
  EXPECT_FALSE(probed("model m { entity A { id id; n max x; key ").kinds.empty());
}

TEST(Probe, KeepsWhatIsReadOfAPattern) {
  const SourceText source("text", "model m { entity A { id id } pattern p(a: A) = $a.");
  Diagnostics ignored;
  Probe probe;
  const Model model = parse(source, ignored, probe);
  EXPECT_TRUE(model.patterns.empty());
  ASSERT_EQ(model.damage.patterns.size(), 1u);
  EXPECT_EQ(model.damage.patterns[0].parameters.size(), 1u);
}

TEST(Probe, EveryBeginningOfAModelCanBeAsked) {
  for (const std::string_view text : kExampleModels) {
    for (size_t size = 0; size <= text.size(); ++size) probed(text.substr(0, size));
  }
}

}  // namespace
}  // namespace sheaf::language
