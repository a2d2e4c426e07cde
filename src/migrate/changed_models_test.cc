// Models that change when they move: what is called otherwise, new or gone, and how things are stored.
#include "migrate/changed_model.h"
#include "migrate/difference.h"

namespace sheaf::migrate {
namespace {

TEST_F(ChangedModel, EntitiesFieldsAndEndsAreCalledOtherwise) {
  open(kUsers);
  ASSERT_EQ(write(*old_, "put.User", {R"({"id":"u1","full":"Ann"})"}), "");
  ASSERT_EQ(write(*old_, "put.Ticket", {R"({"id":"t1","subject":"a","user":"u1"})"}), "");
  begin(R"(model m {
    table app { pk PK; sk SK; tag Type }
    entity Person { id id; name; nick string? }
    entity Case { id id; subject }
    rel Person 1--* Case as cases / person { required; size max 50 }
    pattern person(u: Person) = $u { *, cases }
  })",
        "default",
        {{"User", "Person"},
         {"User.full", "name"},
         {"Ticket", "Case"},
         {"User.tickets", "cases"},
         {"Ticket.user", "person"}});
  ASSERT_EQ(write(*old_, "put.Ticket", {R"({"id":"t2","subject":"b","user":"u1"})"}), "");
  ASSERT_EQ(write(*old_, "set.User", {R"("u1")", R"({"full":"Ann B."})"}), "");
  copy();
  step(&Migration::read_new);
  new_ = opened(new_text_, "default");
  EXPECT_EQ(ask(*new_, "person", {R"("u1")"}),
            R"({"cases":[{"id":"t1","subject":"a"},{"id":"t2","subject":"b"}],"id":"u1","name":"Ann B."})"
            "\n");
  ASSERT_EQ(write(*new_, "set.Person", {R"("u1")", R"({"name":"Ann C."})"}), "");
  ASSERT_EQ(write(*new_, "put.Case", {R"({"id":"t3","subject":"c","person":"u1"})"}), "");
  // The old one knows of it, and can be gone back to.
  step(&Migration::step_back);
  EXPECT_EQ(
      ask(*old_, "user", {R"("u1")"}),
      R"({"full":"Ann C.","id":"u1","tickets":[{"id":"t1","subject":"a"},{"id":"t2","subject":"b"},{"id":"t3","subject":"c"}]})"
      "\n");
  copy();
  step(&Migration::read_new);
  end();
  EXPECT_EQ(
      ask(*new_, "person", {R"("u1")"}),
      R"({"cases":[{"id":"t1","subject":"a"},{"id":"t2","subject":"b"},{"id":"t3","subject":"c"}],"id":"u1","name":"Ann C."})"
      "\n");
  EXPECT_EQ(findings(), 0u);
}

TEST_F(ChangedModel, FieldsAreNewOrGone) {
  open(kUsers);
  ASSERT_EQ(write(*old_, "put.User", {R"({"id":"u1","full":"Ann","nick":"an"})"}), "");
  begin(R"(model m {
    table app { pk PK; sk SK; tag Type }
    entity User { id id; full; state string default "open"; age number? }
    entity Ticket { id id; subject }
    rel User 1--* Ticket as tickets / user { required; size max 50 }
    pattern user(u: User) = $u
  })");
  // What is gone is set in the old one alone.
  ASSERT_EQ(write(*old_, "set.User", {R"("u1")", R"({"nick":"ann"})"}), "");
  ASSERT_EQ(write(*old_, "put.User", {R"({"id":"u2","full":"Bob"})"}), "");
  copy();
  step(&Migration::read_new);
  new_ = opened(new_text_, "default");
  EXPECT_EQ(ask(*new_, "user", {R"("u1")"}), "{\"full\":\"Ann\",\"id\":\"u1\",\"state\":\"open\"}\n");
  ASSERT_EQ(write(*new_, "set.User", {R"("u2")", R"({"age":7,"state":"shut"})"}), "");
  end();
  EXPECT_EQ(ask(*new_, "user", {R"("u2")"}),
            "{\"age\":7,\"full\":\"Bob\",\"id\":\"u2\",\"state\":\"shut\"}\n");
  EXPECT_EQ(findings(), 0u);
}

TEST_F(ChangedModel, EntitiesAndRelationsAreNew) {
  open(kUsers);
  ASSERT_EQ(write(*old_, "put.User", {R"({"id":"u1","full":"Ann"})"}), "");
  const char* const added = R"(model m {
    table app { pk PK; sk SK; tag Type; gsi GSI1 GSI1PK / GSI1SK all }
    entity User { id id; full; nick string? }
    entity Ticket { id id; subject }
    entity Team { id id; name }
    rel User 1--* Ticket as tickets / user { required; size max 50 }
    rel Team 1--* User as members / team { size max 50; via index }
    rel Team 1--* Team as parts / whole { size max 50 }
    pattern team(t: Team) = $t { *, members }
  })";
  begin(added);
  ASSERT_EQ(write(*old_, "put.User", {R"({"id":"u2","full":"Bob"})"}), "");
  copy();
  step(&Migration::read_new);
  new_ = opened(added, "default");
  ASSERT_EQ(write(*new_, "put.Team", {R"({"id":"t1","name":"T"})"}), "");
  ASSERT_EQ(write(*new_, "link.User.team", {R"("u2")", R"("t1")"}), "");
  ASSERT_EQ(write(*new_, "put.User", {R"({"id":"u3","full":"Cid","team":"t1"})"}), "");
  ASSERT_EQ(write(*new_, "unlink.User.team", {R"("u2")", R"("t1")"}), "");
  const std::string team = R"({"id":"t1","members":[{"full":"Cid","id":"u3"}],"name":"T"})"
                           "\n";
  EXPECT_EQ(ask(*new_, "team", {R"("t1")"}), team);
  // The old model cannot know of the team, but has the user.
  EXPECT_EQ(ask(*old_, "user", {R"("u3")"}), "error: there is no pattern user");
  step(&Migration::step_back);
  EXPECT_EQ(ask(*old_, "user", {R"("u3")"}), "{\"full\":\"Cid\",\"id\":\"u3\",\"tickets\":[]}\n");
  copy();
  step(&Migration::read_new);
  end();
  EXPECT_EQ(ask(*new_, "team", {R"("t1")"}), team);
  EXPECT_EQ(findings(), 0u);
}

TEST_F(ChangedModel, WhatCannotBeFilledInIsRefusedBeforeAnythingIsDone) {
  open(kUsers);
  const std::string head = "model m { table app { pk PK; sk SK; tag Type } entity Ticket { id id; subject } ";
  const std::string tail = " rel User 1--* Ticket as tickets / user { required; size max 50 } }";
  const auto contains = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_TRUE(contains(refusal(head + "entity User { id id; full; age number }" + tail),
                       "User.age is new and must be there; make it optional or give it a default"));
  EXPECT_TRUE(
      contains(refusal(head + "entity User { id id; full number }" + tail), "User.full has another type"));
  EXPECT_TRUE(contains(refusal(head +
                               "entity User { id id; full; } entity Team { id id } rel Team 1--* User as "
                               "members / team { required; size max 9 }" +
                               tail),
                       "User.team is new and must be there; make it optional"));
  EXPECT_TRUE(
      contains(refusal("model m { table app { pk PK; sk SK; tag Type } entity User { id id; full } }"),
               "Ticket is gone"));
  // A field that must be there cannot be filled in on the way back.
  EXPECT_TRUE(contains(refusal(head + "entity User { id id; nick string? }" + tail), "User.full is new"));
  EXPECT_EQ(database_->list_tables()->size(), 2u);  // its own, and the system's
}

TEST_F(ChangedModel, PartitionsAreSplitByMonthAndIndexesSpreadOverShards) {
  const std::string posts = run::model_file("posts/model.sheaf");
  open(posts, "whole");
  ASSERT_TRUE(load_data(*database_, *old_, run::model_file("posts/data.json")).ok());
  const auto newest = [&](LiveModel& live) {
    return ask(live, "newest", {R"("ann")"}) + ask(live, "about", {R"("tea")"}) +
           ask(live, "profile", {R"("ann")"});
  };
  const std::string before = newest(*old_);
  EXPECT_NE(before.find("tea"), std::string::npos);
  begin(posts, "default");
  ASSERT_EQ(
      write(*old_, "publish",
            {R"({"id":"new","at":"2026-05-05T00:00:00.000Z","topic":"salt","text":"s","author":"ann"})"}),
      "");
  ASSERT_EQ(write(*old_, "withdraw", {R"("new")"}), "");
  copy();
  step(&Migration::read_new);
  EXPECT_EQ(newest(*old_), before);
  end();
  EXPECT_EQ(newest(*old_), before);
  EXPECT_EQ(findings(), 0u);
  // And together again.
  old_layout_ = "default";
  begin(posts, "whole");
  copy();
  step(&Migration::read_new);
  end();
  EXPECT_EQ(newest(*old_), before);
  EXPECT_EQ(findings(), 0u);
}

TEST_F(ChangedModel, WhatIsLeftIsRemovedAfterACrashToo) {
  open(kUsers);
  begin(kUsers);
  copy();
  step(&Migration::read_new);
  step(&Migration::stop_writing_old);
  EXPECT_NE(refusal(kUsers).find("must be removed first"), std::string::npos);
  migration_ = std::move(*Migration::resume(*database_, "m-sheaf", options_));
  EXPECT_FALSE(migration_->step_back().ok());
  ASSERT_TRUE(database_->delete_table("app").ok()) << "as by one that died then";
  step(&Migration::remove_left_over);
  ASSERT_TRUE(database_->run_background_work().ok());
  EXPECT_EQ(*database_->list_tables(), (std::vector<std::string>{"app-2", "m-sheaf"}));
  EXPECT_EQ(Migration::resume(*database_, "m-sheaf", options_).error().code, Code::kNotFound);
}

// They were made, and nobody has written down that the model moves.
TEST_F(ChangedModel, TablesOfAMoveThatDiedBeforeItWasRecordedAreUsed) {
  open(kUsers);
  const Version next{
      .text = kUsers, .layout = "default", .label = "default@1", .tables = {{"app", "app-v2"}}};
  ASSERT_TRUE(write_intended(*database_, "m-sheaf", next).ok());
  ASSERT_TRUE(OpenVersion::open(*database_, next, options_, true).ok());
  begin(kUsers);
  EXPECT_EQ(migration_->record().next->tables, next.tables);
  EXPECT_FALSE(read_intended(*database_, "m-sheaf")->has_value());
  step(&Migration::step_back);
  step(&Migration::remove_left_over);
  ASSERT_TRUE(database_->run_background_work().ok());
  // Unless somebody has them by now, or other tables are asked for.
  ASSERT_TRUE(write_intended(*database_, "m-sheaf", next).ok());
  ASSERT_TRUE(OpenVersion::open(*database_, next, options_, true).ok());
  ASSERT_TRUE(database_->put_item({.table = "app-v2", .item = {{"PK", "somebody's"}, {"SK", "own"}}}).ok());
  begin(kUsers);
  EXPECT_EQ(migration_->record().next->tables, (std::map<std::string, std::string>{{"app", "app-2"}}));
}

// Who died between the step and the removal can tell afterwards which of the two is left.
TEST_F(ChangedModel, WhatIsLeftIsOfTheNewOneIfTheMoveWasTakenBack) {
  open(kUsers);
  const auto leave = [&](bool goes_back) {
    begin(kUsers);
    copy();
    step(&Migration::read_new);
    if (goes_back) step(&Migration::step_back);
    step(goes_back ? &Migration::step_back : &Migration::stop_writing_old);
    migration_ = std::move(*Migration::resume(*database_, "m-sheaf", options_));
    EXPECT_EQ(is_taken_back(migration_->record()), goes_back);
    step(&Migration::remove_left_over);
    EXPECT_FALSE(is_taken_back(migration_->record())) << "nothing is left";
    ASSERT_TRUE(database_->run_background_work().ok());
  };
  for (const bool goes_back : {true, false, false, true, false}) leave(goes_back);
}

TEST_F(ChangedModel, WhatIsTooMuchForBothAtOnceIsRefused) {
  const char* const notes = R"(model m {
    table app { pk PK; sk SK; tag Type }
    entity Book { id id }
    entity Note within book { id id; text }
    rel Book 1--* Note as notes / book { required; size max 200; via embed }
    layout apart { rel Book.notes via collection }
    pattern book(b: Book) = $b { *, notes }
  })";
  open(notes);
  begin(notes, "apart");
  const auto book = [](const std::string& id, int count) {
    std::string text = R"({"id":")" + id + R"(","notes":[)";
    for (int i = 0; i < count; ++i)
      text += (i > 0 ? "," : "") + std::string(R"({"id":"n)") + std::to_string(i) + R"(","text":"t"})";
    return text + "]}";
  };
  EXPECT_EQ(write(*old_, "put.Book", {book("b1", 90)}), "");
  EXPECT_NE(write(*old_, "put.Book", {book("b2", 120)}), "");
  EXPECT_EQ(ask(*old_, "book", {R"("b2")"}), "");
  copy();
  step(&Migration::read_new);
  EXPECT_EQ(ask(*old_, "book", {R"("b2")"}), "");
  EXPECT_EQ(old_->read("book", run::from_json({R"("b1")"}))->documents.size(), 1u);
  end();
  EXPECT_EQ(findings(), 0u);
}

// Two layouts side by side: who uses the one is not led to where the other moves.
TEST_F(ChangedModel, AnotherLayoutOnTheSameDatabaseStaysWhereItIs) {
  const std::string hr = run::model_file("hr/model.sheaf");
  const auto beside = opened(hr, "method2");
  open(hr, "method3");
  ASSERT_EQ(write(*old_, "put.Department", {R"({"id":"d-1","name":"of 3"})"}), "");
  ASSERT_EQ(write(*beside, "put.Department", {R"({"id":"d-1","name":"of 2"})"}), "");
  begin(hr, "method4");
  copy();
  step(&Migration::read_new);
  end();
  EXPECT_EQ(beside->reading()->version().layout, "method2");
  EXPECT_EQ(old_->reading()->version().layout, "method4");
  EXPECT_EQ(opened(hr, "method2")->reading()->version().layout, "method2");
  EXPECT_EQ(opened(hr, "method3")->reading()->version().layout, "method4");
}

TEST(Difference, TellsWhatIsNewGoneAndStoredOtherwise) {
  const auto compiled = [](const std::string& text) { return model::compile("m.sheaf", text); };
  const model::CompiledModel from = compiled(kUsers);
  const model::CompiledModel to = compiled(R"(model m {
    table app { pk PK; sk SK; tag Type }
    entity Person { id id; name; age number default 1 }
    entity Ticket { id id; subject }
    entity Team { id id }
    rel Person 1--* Ticket as tickets / user { required; size max 50 }
  })");
  const Difference found = difference({from.model, from.layouts[0]}, {to.model, to.layouts[0]},
                                      {{"User", "Person"}, {"User.full", "name"}});
  EXPECT_EQ(found.model, (std::vector<std::string>{"User is called Person", "User.full is called name",
                                                   "User.nick is gone: what it holds is not copied",
                                                   "Person.age is new, with its default where there is none",
                                                   "Team is new"}));
  EXPECT_TRUE(found.moves);
  const Difference none = difference({from.model, from.layouts[0]}, {from.model, from.layouts[0]}, {});
  EXPECT_TRUE(none.model.empty() && none.storage.empty() && !none.moves);
  // A new entity has no items yet.
  const model::CompiledModel more = compiled(R"(model m {
    table app { pk PK; sk SK; tag Type }
    entity User { id id; full; nick string? }
    entity Ticket { id id; subject }
    entity Team { id id }
    rel User 1--* Ticket as tickets / user { required; size max 50 }
  })");
  EXPECT_FALSE(difference({from.model, from.layouts[0]}, {more.model, more.layouts[0]}, {}).moves);
}

// Found by random models: only the parent's item tells of the link, but the id does, too.
TEST_F(ChangedModel, AChildIsWrittenBeforeItIsCopied) {
  const std::string lines = R"(model m {
    table app { pk PK; sk SK; tag Type }
    entity Order { id id; key "O#<id>" / "O" }
    entity Line within order { id id; text; key "L#<order.id>#<id>" / "L" }
    rel Order 1--* Line as lines / order { size max 20; on delete cascade; via ids lines }
    layout other { entity Line { key "O#<order.id>" / "L#<id>" } rel Order.lines via collection }
    pattern line(l: Line) = $l
  })";
  open(lines);
  ASSERT_EQ(write(*old_, "put.Order", {R"({"id":"o1"})"}), "");
  ASSERT_EQ(write(*old_, "put.Line", {R"({"id":"l1","text":"a","order":"o1"})"}), "");
  begin(lines, "other");
  ASSERT_EQ(write(*old_, "set.Line", {R"(["o1","l1"])", R"({"text":"b"})"}), "");
  copy();
  step(&Migration::read_new);
  EXPECT_EQ(ask(*old_, "line", {R"(["o1","l1"])"}), "{\"id\":\"l1\",\"order\":\"o1\",\"text\":\"b\"}\n");
  EXPECT_EQ(findings(), 0u);
}

// Found by random models: in the new layout it is new, and has the same fields at once.
TEST_F(ChangedModel, AVersionIsCopiedThoughNothingElseDiffers) {
  const std::string notes = R"(model m {
    table app { pk PK; sk SK; tag Type }
    entity Writer { id id; name; key "W#<id>" / "W" }
    entity Note { id id; key "N#<id>" / "N" }
    rel Writer 1--* Note as notes / writer { size max 20; via edges pk many copy writer(name) }
    layout other { entity Writer { key "WRITER#<id>" / "W" } }
    pattern writer(n: Note) = $n { *, writer { name } }
  })";
  open(notes);
  for (const char* name : {"a", "b", "c"})
    ASSERT_EQ(write(*old_, "upsert.Writer", {R"({"id":"w1","name":")" + std::string(name) + R"("})"}), "");
  begin(notes, "other");
  ASSERT_EQ(write(*old_, "upsert.Writer", {R"({"id":"w1","name":"d"})"}), "");
  copy();
  EXPECT_EQ(migration_->progress().rounds, 0) << migration_->progress().difference;
  EXPECT_EQ(findings(), 0u);
}

}  // namespace
}  // namespace sheaf::migrate
