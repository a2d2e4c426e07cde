#include "infer/infer.h"

#include <gtest/gtest.h>

#include <functional>

#include "infer/report_json.h"
#include "model/compiled_model.h"

namespace sheaf::infer {
namespace {

ObservedTable table_of(std::vector<Item> items) {
  ObservedTable table{.name = "app"};
  table.key.partition = {{"PK", Type::kString}};
  table.key.sort = {{"SK", Type::kString}};
  table.items = std::move(items);
  return table;
}

ObservedIndex index_on(const std::string& name, const std::string& pk, const std::string& sk) {
  ObservedIndex index{.name = name};
  index.key.partition = {{pk, Type::kString}};
  if (!sk.empty()) index.key.sort = {{sk, Type::kString}};
  return index;
}

// What is inferred of one table, compiled.
struct Outcome {
  Inferred inferred;
  model::CompiledModel compiled;

  bool has(std::string_view text) const { return inferred.text.find(text) != std::string::npos; }
  bool asks(std::string_view subject, std::string_view text) const {
    for (const Question& question : inferred.questions) {
      if (question.subject == subject && question.text.find(text) != std::string::npos) return true;
    }
    return false;
  }
};

Outcome infer(ObservedTable table) {
  Inferred inferred = infer_model({.name = "app", .tables = {std::move(table)}});
  model::CompiledModel compiled = model::compile("app", inferred.text);
  EXPECT_TRUE(compiled.ok()) << compiled.rendered() << inferred.text;
  return {std::move(inferred), std::move(compiled)};
}

Item user(const std::string& id) {
  return Item{{"PK", "USER#" + id}, {"SK", "USER#" + id}, {"name", id + "!"}};
}

TEST(Infer, ChildrenOfParentsThatAreNotThereAreUnchecked) {
  std::vector<Item> items;
  for (int i = 0; i < 9; ++i) {
    if (i > 0) items.push_back(user("u" + std::to_string(i)));
    items.push_back(
        Item{{"PK", "USER#u" + std::to_string(i)}, {"SK", "ORDER#o" + std::to_string(i)}, {"total", i}});
  }
  const Outcome outcome = infer(table_of(items));
  EXPECT_TRUE(outcome.has("entity Order within user")) << outcome.inferred.text;
  EXPECT_TRUE(outcome.has("unchecked")) << outcome.inferred.text;
  EXPECT_TRUE(outcome.has("8 of 9 items, 81 %; not u0/o0")) << outcome.inferred.text;

  // Too few parents: an entity of its own, whose partition is an id.
  items.erase(items.begin() + 1, items.begin() + 8);
  EXPECT_FALSE(infer(table_of(items)).has("within"));
}

// That a parent is not among the items says nothing if others were not read.
TEST(Infer, OfATableThatWasReadInPartParentsMayBeElsewhere) {
  ObservedTable table = table_of({user("u1")});
  table.indexes = {index_on("GSI1", "GSI1PK", "GSI1SK")};
  for (int i = 1; i < 6; ++i) {
    const std::string id = "o" + std::to_string(i), owner = "u" + std::to_string(i);
    table.items.push_back(Item{{"PK", "ORDER#" + id},
                               {"SK", "ORDER#" + id},
                               {"user_id", owner},
                               {"GSI1PK", "USER#" + owner},
                               {"GSI1SK", "ORDER#" + id}});
  }
  EXPECT_FALSE(infer(table).has("rel User")) << infer(table).inferred.text;
  table.item_count = 1000;
  const Outcome outcome = infer(table);
  EXPECT_TRUE(outcome.has("rel User 1--* Order as orders / user { via index on GSI1;"))
      << outcome.inferred.text;
  EXPECT_FALSE(outcome.has("unchecked;")) << outcome.inferred.text;
  EXPECT_TRUE(outcome.asks("User.orders", "Only 1 of 5")) << outcome.inferred.text;
}

// A16: DOC#<unit>#<no> beside UNIT#<unit>.
TEST(Infer, AChildBehindAnotherWordThanItsParentIsFound) {
  std::vector<Item> items;
  for (const std::string tenant : {"acme", "umbrella"}) {
    items.push_back(Item{{"PK", "TENANT#" + tenant}, {"SK", "TENANT#" + tenant}, {"name", tenant}});
    for (const std::string unit : {"sales", "labs"}) {
      items.push_back(Item{{"PK", "TENANT#" + tenant}, {"SK", "UNIT#" + unit}, {"label", unit}});
      for (const std::string number : {"1", "2", "3"})
        items.push_back(
            Item{{"PK", "TENANT#" + tenant}, {"SK", "DOC#" + unit + "#" + number}, {"title", "t"}});
    }
  }
  const Outcome outcome = infer(table_of(items));
  EXPECT_TRUE(outcome.has("rel Unit 1--* Doc as docs / unit { via collection;")) << outcome.inferred.text;
  EXPECT_TRUE(outcome.has("rel Tenant 1--* Unit as units / tenant { via collection;"))
      << outcome.inferred.text;
  EXPECT_TRUE(outcome.inferred.given_up.empty());
  // One document of a unit that is not there: it is no child of units.
  items.push_back(Item{{"PK", "TENANT#acme"}, {"SK", "DOC#legal#1"}, {"title", "t"}});
  EXPECT_FALSE(infer(table_of(items)).has("rel Unit 1--* Doc"));
}

// A16: an end is a member of whom it leads away from.
TEST(Infer, SizesAreAskedOfTheirHolders) {
  ObservedTable table = table_of({});
  table.indexes = {index_on("GSI1", "SK", "PK")};
  for (const std::string id : {"o11", "o12"})
    table.items.push_back(Item{{"PK", "ORDER#" + id}, {"SK", "ORDER#" + id}, {"total", 5}});
  for (const std::string id : {"p11", "p12"}) {
    table.items.push_back(Item{{"PK", "PRODUCT#" + id}, {"SK", "PRODUCT#" + id}, {"price", 5}});
    for (const std::string order : {"o11", "o12"})
      table.items.push_back(Item{{"PK", "ORDER#" + order}, {"SK", "PRODUCT#" + id}, {"count", 1}});
  }
  const Outcome outcome = infer(table);
  EXPECT_TRUE(outcome.asks("Order.products", "at most 2 were seen")) << outcome.inferred.text;
  EXPECT_TRUE(outcome.asks("Product.orders", "at most 2 were seen")) << outcome.inferred.text;
  EXPECT_FALSE(outcome.asks("Order.orders", "at most")) << outcome.inferred.text;
}

// The keys that Sheaf allocates: GROUPS#<id> beside the user, and GROUP#<id> in the index. `one_of`: one in
// so many users and groups was read.
ObservedTable read_in_part(size_t one_of) {
  ObservedTable table = table_of({});
  table.indexes = {index_on("GSI1", "GSI1PK", "GSI1SK")};
  const auto group_id = [](size_t i) { return "g" + std::to_string(1000 + 7 * i); };
  for (size_t i = 0; i < 60; i += one_of) {
    const std::string id = "u" + std::to_string(i);
    table.items.push_back(user(id));
    for (size_t link = 0; link < 5; ++link) {
      const std::string group = group_id((i + link * link) % 60);
      table.items.push_back(Item{{"PK", "USER#" + id},
                                 {"SK", "GROUPS#" + group},
                                 {"GSI1PK", "GROUP#" + group},
                                 {"GSI1SK", "MEMBERS#" + id}});
    }
    const std::string group = group_id(i);
    table.items.push_back(Item{{"PK", "GROUP#" + group}, {"SK", "GROUP#" + group}, {"title", "t" + group}});
  }
  table.item_count = static_cast<int64_t>(table.items.size() * one_of);
  return table;
}

TEST(Infer, EdgesOfATableThatWasReadInPartAreEdges) {
  for (const size_t one_of : {1, 3, 6}) {
    const Outcome outcome = infer(read_in_part(one_of));
    EXPECT_TRUE(outcome.has("rel User *--* Group as groups / users {")) << one_of << outcome.inferred.text;
    EXPECT_FALSE(outcome.has("within")) << outcome.inferred.text;
    EXPECT_EQ(outcome.asks("User.groups", "is somebody there for each?"), one_of > 1);
  }
}

// No key has the word of the target: as many ids are among the items as can be.
TEST(Infer, EdgesOfATableThatWasReadInPartNeedNotHaveTheWordOfTheirTarget) {
  ObservedTable table = read_in_part(3);
  for (Item& item : table.items) {
    const auto key = item.find("GSI1PK");
    if (key) item.set("GSI1PK", Value("WHO_IS_IN#" + std::string(key->bytes().substr(6))));
  }
  EXPECT_TRUE(infer(table).has("rel User *--* Group as groups / users {")) << infer(table).inferred.text;
  // Ids of something else: no group is among them.
  for (Item& item : table.items) {
    if (!item.find("title")) continue;
    const std::string other = "GROUP#h" + std::string(item.find("PK")->bytes().substr(7));
    item.set("PK", Value(other));
    item.set("SK", Value(other));
  }
  EXPECT_FALSE(infer(table).has("*--*")) << infer(table).inferred.text;
}

// E15, of which a third was read: most pairs are there once.
TEST(Infer, PairsOfATableThatWasReadInPartAreSymmetricIfThoseOfTwoThatWereReadAre) {
  ObservedTable table = table_of({});
  const auto id = [](size_t i) { return "u" + std::to_string(1000 + i % 60); };
  for (size_t i = 0; i < 60; i += 3) {
    table.items.push_back(user(id(i)));
    for (const size_t step : {1, 3, 6, 54, 57, 59}) {
      const size_t low = std::min(i, (i + step) % 60), high = std::max(i, (i + step) % 60);
      table.items.push_back(Item{{"PK", "USER#" + id(i)},
                                 {"SK", "FRIEND#" + id(i + step)},
                                 {"since", "2020-01-" + std::to_string(10 + (low + high) % 19)},
                                 {"friends_name", id(i + step) + "!"}});
    }
  }
  table.item_count = static_cast<int64_t>(table.items.size() * 3);
  const Outcome outcome = infer(table);
  EXPECT_TRUE(outcome.has("rel User *--* User as friends {")) << outcome.inferred.text;
  EXPECT_TRUE(outcome.has("copy friends(name)")) << outcome.inferred.text;
  // One direction alone is no friendship.
  std::erase_if(table.items, [](const Item& item) {
    return item.find("since") && item.find("SK")->bytes().substr(8) > item.find("PK")->bytes().substr(6);
  });
  EXPECT_FALSE(infer(table).has("*--*")) << infer(table).inferred.text;
}

// Posts, of which all but the first have a writer.
ObservedTable posts_with(const std::function<void(Item& post, const std::string& name)>& set_writer) {
  ObservedTable table = table_of({});
  table.indexes = {index_on("GSI1", "GSI1PK", "GSI1SK")};
  table.items.push_back(Item{{"PK", "POST#p0"}, {"SK", "POST#p0"}, {"text", "x"}});
  const std::vector<std::string> names = {"ann", "bob", "cleo"};
  for (size_t i = 1; i < 7; ++i) {
    const std::string id = "POST#p" + std::to_string(i);
    Item post{{"PK", id}, {"SK", id}, {"text", "x"}, {"GSI1SK", id}};
    set_writer(post, names[i % 3]);
    table.items.push_back(std::move(post));
  }
  return table;
}

TEST(Infer, AnOptionalReferenceNeedNotBeOnTheFirstItem) {
  ObservedTable table = posts_with([](Item& post, const std::string& name) {
    post.set("writer_handle", Value(name));
    post.set("GSI1PK", Value("PERSON#" + name));
  });
  for (const std::string name : {"ann", "bob", "cleo"})
    table.items.push_back(Item{{"PK", "PERSON#" + name}, {"SK", "PERSON#" + name}});
  const Outcome outcome = infer(table);
  EXPECT_TRUE(outcome.has("rel Person 1--* Post as posts / writer { via index on GSI1; size"))
      << outcome.inferred.text;
  EXPECT_TRUE(outcome.has("handle id;")) << outcome.inferred.text;
  // Without the index it is one, too.
  table.indexes.clear();
  for (Item& item : table.items) {
    item.remove("GSI1PK");
    item.remove("GSI1SK");
  }
  EXPECT_TRUE(infer(table).has("rel Person 1--* Post as posts / writer { via ref;"))
      << infer(table).inferred.text;
}

TEST(Infer, IdsAreCalledAsThoseCallThemWhoLieInTheirIndexPartitions) {
  ObservedTable table = posts_with([](Item& post, const std::string& name) {
    post.set("writer_org", Value("acme"));
    post.set("writer_handle", Value(name));
    post.set("GSI1PK", Value("PERSON#acme#" + name));
  });
  for (const std::string org : {"acme", "umbrella"}) {
    for (const std::string name : {"ann", "bob", "cleo"}) {
      const std::string key = "PERSON#" + org + "#" + name;
      table.items.push_back(Item{{"PK", key}, {"SK", key}, {"city", "Bonn"}});
    }
  }
  EXPECT_TRUE(infer(table).has("rel Person 1--* Post as posts / writer { via index on GSI1;"))
      << infer(table).inferred.text;
  EXPECT_TRUE(infer(table).has(R"(key "PERSON#<org>#<handle>" / "PERSON#<org>#<handle>")"))
      << infer(table).inferred.text;
}

TEST(Infer, IdsAreNumbersIfThoseSayItWhoLieInTheirIndexPartitions) {
  const std::map<std::string, int> numbers = {{"ann", 1}, {"bob", 2}, {"cleo", 30}};
  ObservedTable table = posts_with([&](Item& post, const std::string& name) {
    post.set("writer_number", Value(numbers.at(name)));
    post.set("GSI1PK", Value("PERSON#" + std::to_string(numbers.at(name))));
  });
  for (const auto& [name, number] : numbers) {
    const std::string key = "PERSON#" + std::to_string(number);
    table.items.push_back(Item{{"PK", key}, {"SK", key}, {"name", name}});
  }
  const Outcome outcome = infer(table);
  EXPECT_TRUE(outcome.has("rel Person 1--* Post as posts / writer { via index on GSI1;"))
      << outcome.inferred.text;
  EXPECT_TRUE(outcome.has("number id int;")) << outcome.inferred.text;
  EXPECT_TRUE(outcome.inferred.given_up.empty());
  // No number is written so.
  table.items.push_back(Item{{"PK", "PERSON#007"}, {"SK", "PERSON#007"}, {"name", "james"}});
  EXPECT_FALSE(infer(table).has("number id int;")) << infer(table).inferred.text;
  EXPECT_TRUE(infer(table).inferred.given_up.empty());
}

TEST(Infer, AnAttributeThatTheKeyHoldsTooIsRaw) {
  const Outcome outcome =
      infer(table_of({Item{{"PK", "ORDER#o1"}, {"SK", "HEAD"}, {"orderId", "o1"}, {"n", 1}},
                      Item{{"PK", "ORDER#o2"}, {"SK", "HEAD"}, {"orderId", "o2"}, {"n", 2}}}));
  EXPECT_TRUE(outcome.has(R"(key "ORDER#<orderId:raw>" / "HEAD")")) << outcome.inferred.text;
  EXPECT_TRUE(outcome.has("orderId id")) << outcome.inferred.text;
}

// Sheaf would write the space as %20: such keys are values of their own, and what they begin with is said.
TEST(Infer, KeysThatNoHoleCouldHoldAreTakenWhole) {
  const Outcome outcome =
      infer(table_of({Item{{"PK", "ACTOR#Tom Hanks"}, {"SK", "ACTOR#Tom Hanks"}, {"born", 1956}},
                      Item{{"PK", "ACTOR#Tim Allen"}, {"SK", "ACTOR#Tim Allen"}, {"born", 1953}}}));
  EXPECT_TRUE(outcome.has(R"(matches "ACTOR#.+")")) << outcome.inferred.text;
  EXPECT_TRUE(outcome.has("key, taken whole")) << outcome.inferred.text;
  EXPECT_EQ(outcome.inferred.given_up.size(), 1u);
}

TEST(Infer, WhoIsInAnIndexIsToldByAFieldOrACondition) {
  ObservedTable table = table_of({});
  table.indexes = {index_on("open", "openPK", "openSK")};
  for (int i = 0; i < 6; ++i) {
    const std::string id = "o" + std::to_string(i);
    Item item{{"PK", "ORDER#" + id}, {"SK", "ORDER#" + id}, {"status", i % 2 == 0 ? "OPEN" : "DONE"}};
    if (i % 2 == 0) item.set("openPK", Value("OPEN"));
    if (i % 2 == 0) item.set("openSK", Value("ORDER#" + id));
    table.items.push_back(item);
  }
  EXPECT_TRUE(infer(table).has(R"(when status = "OPEN")")) << infer(table).inferred.text;
  // Where nothing tells, the attributes are fields of their own.
  table.items.back().set("openPK", Value("OPEN"));
  table.items.back().set("openSK", Value("ORDER#o5"));
  const Outcome outcome = infer(table);
  EXPECT_TRUE(outcome.has(R"(index open "<openPK>" / "<openSK>";)")) << outcome.inferred.text;
  EXPECT_TRUE(outcome.has("openPK?")) << outcome.inferred.text;
}

TEST(Infer, AnAttributeThatHoldsIdsUnderAnotherNameIsAskedAbout) {
  const Outcome outcome =
      infer(table_of({user("u11"), user("u12"),
                      Item{{"PK", "DOC#d1"}, {"SK", "DOC#d1"}, {"ownerRef", "u11"}, {"user_id", "u12"}},
                      Item{{"PK", "DOC#d2"}, {"SK", "DOC#d2"}, {"ownerRef", "u12"}, {"user_id", "u11"}}}));
  EXPECT_TRUE(outcome.asks("Doc.ownerRef", "holds ids of User")) << outcome.inferred.text;
  EXPECT_TRUE(outcome.has("rel User 1--* Doc as docs / user { via ref;")) << outcome.inferred.text;
}

TEST(Infer, TheTimeToLiveIsAFieldOfThoseThatExpire) {
  ObservedTable table =
      table_of({Item{{"PK", "SESSION#s1"}, {"SK", "HEAD"}, {"expires", 1900000000}},
                Item{{"PK", "SESSION#s2"}, {"SK", "HEAD"}, {"expires", 1900000001}}, user("u1")});
  table.ttl = "expires";
  const Outcome outcome = infer(table);
  EXPECT_TRUE(outcome.has("ttl expires")) << outcome.inferred.text;
  EXPECT_EQ(outcome.compiled.layouts.front().tables.front().ttl, "expires");
  // A text there would be no time to live: DynamoDB ignores it, and so the model does without.
  table.items.front().set("expires", Value("soon"));
  EXPECT_FALSE(infer(table).compiled.layouts.front().tables.front().ttl);
}

TEST(Infer, WhatTheLanguageHasNoWordForIsAsked) {
  ObservedTable table = table_of({user("u1"), user("u2")});
  table.indexes = {index_on("local", "PK", "name")};
  table.indexes.front().is_local = true;
  EXPECT_TRUE(infer(table).asks("app.local", "no local indexes"));
}

TEST(Infer, ATableWithoutItemsHasItsKeys) {
  ObservedTable table = table_of({});
  table.key.sort.front().type = Type::kNumber;
  const Outcome outcome = infer(table);
  ASSERT_EQ(outcome.compiled.model.entities.size(), 1u);
  EXPECT_EQ(outcome.compiled.layouts.front().tables.front().sk->type, language::Type::Kind::kNumber);
}

TEST(Infer, TheReportHasEveryInferenceWithItsEvidence) {
  ObservedTable table = table_of({user("u1"), user("u2")});
  table.item_count = 8;
  const Observed observed{.name = "app", .tables = {table}};
  const std::string json = to_json(observed, infer_model(observed));
  for (const std::string_view part :
       {R"("items_read": 2)", R"("items": 8)", R"("subject": "User.name")", R"("confidence": 0.750)",
        R"("counter_examples": [])", R"("about": "patterns")"})
    EXPECT_NE(json.find(part), std::string::npos) << part << json;
  EXPECT_EQ(share_text(table), "app: 2 of 8 items were read (25.000 %)");
}

}  // namespace
}  // namespace sheaf::infer
