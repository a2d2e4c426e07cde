#include "exports/stored_tables.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "model/compiled_model.h"
#include "run/item_shape.h"

namespace sheaf::exports {
namespace {

model::CompiledModel example(const std::string& name) {
  const std::string path = std::string(SHEAF_MODELS) + "/" + name + "/model.sheaf";
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return model::compile(path, text.str());
}

std::vector<std::string> notes(const std::string& name, std::string_view layout) {
  const model::CompiledModel compiled = example(name);
  return relation_notes(compiled.model, *compiled.find_layout(std::string(layout)));
}

// A24: what needs no index is told.
TEST(RelationNotes, SayWhichIndexARelationNeedsOrNone) {
  EXPECT_EQ(notes("orgs", "default"),
            std::vector<std::string>{"Org.users / User.org: one item collection with Org; no index needed"});
  EXPECT_EQ(notes("orgs", "index"),
            std::vector<std::string>{"Org.users / User.org: a reference on User, and index GSI1"});
  EXPECT_EQ(notes("hr", "method1").at(1),
            "Employee.reports / Employee.manager: a reference on Employee, and index by_manager");
  EXPECT_EQ(notes("hr", "method4").at(0),
            "Department.staff / Employee.department: an item a pair; index relationship for those who ask "
            "from the other side");
  EXPECT_EQ(notes("repo_ids", "default").at(0), "User.repos / Repo.users: ids on User; no index needed");
  EXPECT_EQ(notes("addresses", "list").at(0),
            "Customer.addresses / Address.customer: embedded in Customer; no index needed");
}

TEST(StoredTables, AreThoseOfTheLayoutAndTheModelsOwn) {
  const model::CompiledModel compiled = example("hr");
  const auto tables = stored_tables(compiled.model, *compiled.find_layout("method1"));
  ASSERT_EQ(tables.size(), 3u);
  EXPECT_EQ(tables[0].request.table, "department");
  EXPECT_EQ(tables[1].request.table, "employee");
  EXPECT_EQ(tables[2].request.table, "hr-sheaf");
  EXPECT_TRUE(tables[2].is_system);
  EXPECT_FALSE(tables[0].is_system);
  EXPECT_EQ(tables[1].notes.front(), "Employee: <id>");
}

TEST(StoredTables, DefineEachKeyAttributeOnce) {
  const model::CompiledModel compiled = example("billing");
  const auto tables = stored_tables(compiled.model, compiled.layouts.front());
  const auto attributes = key_attributes(tables.front().request);
  ASSERT_EQ(attributes.size(), 2u);
  EXPECT_EQ(attributes[0].name, "PK");
  EXPECT_EQ(attributes[1].name, "SK");
}

TEST(ItemShape, TellsWhatTheKeyHolds) {
  const model::CompiledModel compiled = example("support");
  const model::Layout& layout = compiled.layouts.front();
  std::vector<std::string> in_key;
  std::vector<std::string> stored;
  for (const model::ItemKind& kind : layout.item_kinds) {
    for (const run::ShapeValue& value : run::item_shape(compiled.model, layout, kind))
      (value.is_in_key ? in_key : stored).push_back(kind.name + "." + value.attribute);
  }
  EXPECT_EQ(in_key, (std::vector<std::string>{"Org.name", "User.name", "User.org_name", "Ticket.id"}));
  EXPECT_EQ(stored, (std::vector<std::string>{"Org.plan", "User.email", "Ticket.subject",
                                              "Ticket.owner_org_name", "Ticket.owner_name"}));
}

}  // namespace
}  // namespace sheaf::exports
