#include <gtest/gtest.h>

#include "sheaf/model.h"

#include "run/plain_json.h"
#include "run/running_model.h"

namespace sheaf {
namespace {

TEST(Model, IsLoadedAskedAndActedOn) {
  const auto database = Database::open_in_memory();
  const auto model = Model::load(*database, run::model_file("hr/model.sheaf"), {.layout = "method4"});
  ASSERT_TRUE(model.ok()) << model.error().message;
  ASSERT_EQ(*(*model)->load_data(run::model_file("hr/data.json")), 17u);
  ASSERT_TRUE((*model)->act("move", {"e-1", "d-2"}).ok());
  const auto team = (*model)->ask("team", {"d-2"});
  ASSERT_TRUE(team.ok()) << team.error().message;
  EXPECT_EQ(team->documents.size(), 4u);
  EXPECT_EQ(team->requests, 2u);
  EXPECT_FALSE(team->cursor);
  EXPECT_EQ((*model)->act("move", {"e-1", "d-9"}).error().code, Code::kNotFound);
  EXPECT_EQ((*model)->ask("teams", {"d-2"}).error().code, Code::kNotFound);
}

TEST(Model, SaysWhatIsWrong) {
  const auto database = Database::open_in_memory();
  const auto model = Model::load(*database, "model m { entity A { nam } }");
  ASSERT_FALSE(model.ok());
  EXPECT_NE(model.error().message.find("[missing-id]"), std::string::npos) << model.error().message;
  EXPECT_EQ(Model::load(*database, run::model_file("hr/model.sheaf"), {.layout = "none"}).error().message,
            "model.sheaf has no layout none");
}

TEST(Model, IsNotLoadedWithAPatternThatNoKeyServes) {
  const auto database = Database::open_in_memory();
  const auto model = Model::load(*database, R"(model m { table tab { pk PK }
    entity A { in tab; id id; name; key "A#<id>" } pattern named(n: string) = A where name = $n })");
  ASSERT_FALSE(model.ok());
  EXPECT_NE(model.error().message.find("[unserved-"), std::string::npos) << model.error().message;
  EXPECT_EQ(database->describe_table("tab").error().code, Code::kNotFound);
}

}  // namespace
}  // namespace sheaf
