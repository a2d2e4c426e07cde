#include "draw/stored_items.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "draw/attribute_uses.h"
#include "model/compiled_model.h"

namespace sheaf::draw {
namespace {

std::string model_file(const std::string& path) {
  std::ifstream stream(std::string(SHEAF_MODELS) + "/" + path);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

// A23: system attributes are left out unless asked for.
TEST(StoredItems, SystemAttributesAreShownOnlyIfAllAreAskedFor) {
  const model::CompiledModel compiled =
      model::compile("test.sheaf", "model system { entity Thing { id id; plain } }");
  ASSERT_TRUE(compiled.ok()) << compiled.rendered();
  Subject subject{.model = compiled.model, .layout = compiled.layouts[0]};
  const StoredItem item{.item = Item{{"PK", "THING#1"}, {"SK", "THING#1"}, {"_version", 3}, {"plain", "x"}}};
  EXPECT_EQ(shown_attributes(subject, item, {}), (std::vector<std::string>{"plain"}));
  subject.shows_all = true;
  EXPECT_EQ(shown_attributes(subject, item, {}), (std::vector<std::string>{"plain", "_version"}));
}

TEST(StoredItems, LongValuesAreCutAndSayHowLongTheyAre) {
  EXPECT_EQ(value_text(Value("")), "\"\"");
  EXPECT_EQ(value_text(Value(40)), "40");
  EXPECT_EQ(value_text(Value::list({Value("a"), Value(1)})), "[\"a\",1]");
  const std::string text = value_text(Value(std::string(5000, 'x')));
  EXPECT_EQ(text.size(), 240 + std::string("… (5000 bytes)").size());
  EXPECT_TRUE(text.ends_with("x… (5000 bytes)"));
}

// What attribute_uses says of a kind of items must be what the codec makes of it.
void check_uses(const std::string& model, const std::string& json) {
  const model::CompiledModel compiled = model::compile("test.sheaf", model);
  ASSERT_TRUE(compiled.ok()) << compiled.rendered();
  for (const model::Layout& layout : compiled.layouts) {
    const auto data = run::read_data(compiled.model, layout, json);
    ASSERT_TRUE(data.ok()) << data.error().message;
    const auto items = stored_items(compiled.model, layout, *data);
    ASSERT_TRUE(items.ok()) << items.error().message;
    std::vector<std::set<std::string>> found(layout.item_kinds.size());
    for (const StoredItem& item : *items) {
      for (const Attribute attribute : item.item.view()) {
        if (!attribute.name.starts_with('_')) found[item.kind].emplace(attribute.name);
      }
    }
    for (size_t kind = 0; kind < found.size(); ++kind) {
      std::set<std::string> said;
      for (const AttributeUse& use : attribute_uses(compiled.model, layout, layout.item_kinds[kind]))
        EXPECT_TRUE(said.insert(use.attribute).second) << use.attribute << " twice";
      EXPECT_EQ(found[kind], said) << compiled.model.name() << " " << layout.name << " "
                                   << layout.item_kinds[kind].name;
    }
  }
}

TEST(AttributeUses, NameAllThatItemsHave) {
  for (const char* const name : {"hr", "support", "billing"})
    check_uses(model_file(std::string(name) + "/model.sheaf"), model_file(std::string(name) + "/data.json"));
}

TEST(AttributeUses, NameListsAndWhatIsEmbedded) {
  check_uses(R"(model shop {
    entity Customer { id id; name stored as FullName }
    entity Address within customer { label id; city }
    entity Note within customer { text id }
    entity Product { sku id; price number }
    entity Order within customer { id id; total number }
    entity Line within order { number id int; quantity int }
    rel Customer 1--* Address as addresses / customer { via embed map; size max 20 }
    rel Customer 1--* Note as notes / customer { via embed list; size max 20 }
    rel Customer *--* Product as wishes / wishers { via ids wishes; size of wishes max 50 }
    rel Customer 1--* Order as orders / customer { via collection }
    rel Order 1--* Line as lines / order { via path }
    rel Product 1--* Line as sold / product { via index copy product(price) }
  })",
             R"({"Customer": [{"id": "c1", "name": "Smith", "wishes": ["p1"],
                               "addresses": [{"label": "home", "city": "Rome"}], "notes": [{"text": "late"}]}],
                 "Product": [{"sku": "p1", "price": 3}],
                 "Order": [{"customer": "c1", "id": "o1", "total": 6}],
                 "Line": [{"order": ["c1", "o1"], "number": 1, "quantity": 2, "product": "p1"}]})");
}

}  // namespace
}  // namespace sheaf::draw
