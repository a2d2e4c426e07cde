#include "run/data_lines.h"

#include <gtest/gtest.h>

#include <sstream>

#include "run/running_model.h"

namespace sheaf::run {
namespace {

constexpr const char* kDataLinesModel = R"(model teams {
  entity Team { id id; name }
  entity Player { id id; name }
  rel Team 1--* Player as players / team { size max 20; required; on delete cascade; via index }
  rel Player *--* Player as rivals { size max 20; via edges }
  layout copies { rel Team.players via index copy team(name) }
  layout lists { rel Player.rivals via lists }
  pattern players(t: Team) = $t.players
})";

constexpr const char* kLines = R"({"Player":[{"id":"p1","name":"Ann","team":"t1"}]}

{"Team":[{"id":"t1","name":"Reds"}]}
{"Player":[{"id":"p2","name":"Ben","team":"t1"}]}
{"links":{"Player.rivals":[["p1","p2"]]}}
)";

TEST(DataLines, AreOneDataFileInEveryLayout) {
  for (const char* layout : {"default", "copies", "lists"}) {
    RunningModel running(kDataLinesModel, "{}", layout);
    std::istringstream lines(kLines);
    const auto loaded = load_lines(running.database(), running.model(), running.layout(), lines, {});
    ASSERT_TRUE(loaded.ok()) << layout << ": " << loaded.error().message;
    EXPECT_EQ(loaded->lines, 5u);
    const auto audited = audit(running.database(), running.model(), running.layout(), {});
    EXPECT_EQ(audited->findings.size(), 0u) << layout;
    EXPECT_EQ(audited->entities, 3u);
    EXPECT_EQ(is_line_by_line(running.model(), running.layout()), std::string(layout) == "default");
  }
}

TEST(DataLines, TellWhichOneIsWrong) {
  for (const auto& [lines, why] :
       {std::pair("{\"Team\":[]}\n{\"Teams\":[]}\n", "2: there is no entity Teams"),
        std::pair("\n[]\n", "2: the data is an object with a list for each entity"),
        std::pair("{\"Team\":[{\"id\":\"t\"}]}\n", "1: Team[0]: a Team lacks its field name"),
        std::pair("{\"links\":{\"Team.friends\":[]}}", "1: Team.friends: this is no Entity.end")}) {
    RunningModel running(kDataLinesModel, "{}");
    std::istringstream stream(lines);
    const auto loaded = load_lines(running.database(), running.model(), running.layout(), stream, {});
    ASSERT_FALSE(loaded.ok());
    EXPECT_EQ(loaded.error().message, why);
  }
}

// Where all lines are read first, nothing is written if one is wrong; a player whose team is nowhere is.
TEST(DataLines, OfALayoutThatNeedsAllOfThemAreWrittenTogether) {
  RunningModel running(kDataLinesModel, "{}", "copies");
  std::istringstream stream(std::string(kLines) + "{\"Player\":[{\"id\":\"p3\",\"name\":\"Eve\"}]}\n");
  const auto loaded = load_lines(running.database(), running.model(), running.layout(), stream, {});
  ASSERT_FALSE(loaded.ok());
  EXPECT_EQ(loaded.error().message, "Player p3: the end team is missing");
  EXPECT_EQ(audit(running.database(), running.model(), running.layout(), {})->items, 0u);
}

}  // namespace
}  // namespace sheaf::run
