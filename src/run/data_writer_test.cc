#include "run/data_writer.h"

#include <gtest/gtest.h>

#include "base/try.h"
#include "run/item_codec.h"
#include "run/running_model.h"
#include "run/stored_items.h"

namespace sheaf::run {
namespace {

constexpr const char* kWrittenModel = R"(model written {
  entity User { id id; email unique; timestamps }
  entity Club { id id; name }
  rel Club *--* User as members / clubs { size of members max 100; via edges }
})";

std::string users(size_t count) {
  std::string json;
  for (size_t i = 0; i < count; ++i) {
    const std::string number = std::to_string(i);
    json += (i == 0 ? "" : ",") + (R"({"id":"u)" + number + R"(","email":"e)" + number + R"("})");
  }
  return R"({"User":[)" + json + "]}";
}

class DataWriting : public testing::Test {
 protected:
  Result<Written> write(std::string_view json, DataWriterOptions options) {
    const Data data = TRY(read_data(running_.model(), running_.layout(), json));
    DataWriter writer(running_.database(), running_.model(), running_.layout(), std::move(options));
    TRY(writer.write(data));
    return writer.written();
  }
  std::string refusal(std::string_view json, WhatIsThere what_is_there = WhatIsThere::kIsKept) {
    const Result<Written> written = write(json, {.what_is_there = what_is_there});
    return written.ok() ? "" : written.error().message;
  }
  Audit audited() { return *audit(running_.database(), running_.model(), running_.layout(), {}); }

  RunningModel running_{kWrittenModel, "{}"};
};

TEST_F(DataWriting, ThatIsEndedLeavesNoGuardWithoutWhatItGuards) {
  for (int batches = 0; batches < 4; ++batches) {
    RunningModel running(kWrittenModel, "{}");
    int left = batches;
    DataWriter writer(running.database(), running.model(), running.layout(),
                      {.is_ended = [&] { return left-- == 0; }});
    const auto data = read_data(running.model(), running.layout(), users(100));
    ASSERT_TRUE(writer.write(*data).ok());
    EXPECT_TRUE(writer.written().is_ended);
    // Of 25 requests in a batch 12 are users.
    EXPECT_EQ(writer.written().items, 12u * static_cast<size_t>(batches));
    const auto found = audit(running.database(), running.model(), running.layout(), {});
    EXPECT_EQ(found->findings.size(), 0u);
    EXPECT_EQ(found->entities, writer.written().items);
  }
}

TEST_F(DataWriting, LeavesWhatIsTheSameButForItsTimes) {
  EXPECT_EQ(write(users(30), {.what_is_there = WhatIsThere::kIsKept})->items, 30u);
  const auto again = write(users(40), {.what_is_there = WhatIsThere::kIsKept});
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_EQ(again->there, 30u);
  EXPECT_EQ(again->items, 10u);
  EXPECT_EQ(again->replaced, 0u);
  EXPECT_EQ(write(users(40), {})->items, 40u);
}

TEST_F(DataWriting, WritesOverWhatDiffersOnlyIfItIsTold) {
  const std::string first = R"({"Club":[{"id":"c","name":"Chess"}]})";
  const std::string other = R"({"Club":[{"id":"b","name":"Boxing"},{"id":"c","name":"Cards"}]})";
  ASSERT_EQ(refusal(first), "");
  EXPECT_EQ(refusal(other), "there is already a Club c, and it differs from this one");
  EXPECT_EQ(audited().entities, 1u);  // nothing of it was written
  const auto written = write(other, {.what_is_there = WhatIsThere::kIsReplaced});
  ASSERT_TRUE(written.ok()) << written.error().message;
  EXPECT_EQ(written->items, 2u);
  EXPECT_EQ(written->replaced, 1u);
}

TEST_F(DataWriting, TakesNoValueThatSomebodyElseHas) {
  ASSERT_EQ(refusal(users(1)), "");
  const std::string other = R"({"User":[{"id":"x","email":"e0"}]})";
  for (const WhatIsThere how : {WhatIsThere::kIsKept, WhatIsThere::kIsReplaced})
    EXPECT_EQ(refusal(other, how), "there is already a User with the email e0");
  EXPECT_EQ(audited().findings.size(), 0u);
}

// Times and generated values that a file does not give are others each time that it is read.
struct Again {
  const char* name;
  const char* model;
  const char* data;
  const char* other;  // data that differs
};

constexpr Again kAgain[] = {
    {"Fields",
     R"(model m { table app { pk PK; sk SK }
       entity User { id id; name; color?; timestamps; store eav; key "U#<id>" / "<attribute>" } })",
     R"({"User":[{"id":"u","name":"n","color":"red"}]})", R"({"User":[{"id":"u","name":"n"}]})"},
    {"IndexKeys",
     R"(model m { table app { pk PK; sk SK; tag T; gsi GSI1 GSI1PK / GSI1SK all }
       entity User { id id; name; timestamps; key "U#<id>" / "U"; index GSI1 "ALL" / "<created_at>#<id>" } })",
     R"({"User":[{"id":"u","name":"n"}]})", R"({"User":[{"id":"u","name":"o"}]})"},
    {"Keys",
     R"(model m { table app { pk PK; sk SK; tag T; gsi GSI1 GSI1PK / GSI1SK all }
       entity User { id id; name; timestamps; key "ALL" / "U#<created_at>#<id>"; index GSI1 "U#<id>" / "U" }
       pattern user(u: User) = $u })",
     R"({"User":[{"id":"u","name":"n"}]})", R"({"User":[{"id":"u","name":"o"}]})"},
    {"Embedded",
     R"(model m { entity User { id id; name } entity Address within user { id id; city; code ulid }
       rel User 1--* Address as addresses / user { via embed map; size max 5; on delete cascade } })",
     R"({"User":[{"id":"u","name":"n"}],"Address":[{"id":"a","user":"u","city":"Ulm"},{"id":"b","user":"u","city":"Graz"}]})",
     R"({"User":[{"id":"u","name":"n","addresses":[{"id":"a","city":"Ulm"},{"id":"b","city":"Linz"}]}]})"},
    {"Listed",
     R"(model m { entity User { id id; name } entity Address within user { id id; city; code uuid }
       rel User 1--* Address as addresses / user { via embed list; size max 5; on delete cascade } })",
     R"({"User":[{"id":"u","name":"n","addresses":[{"id":"b","city":"Graz"},{"id":"a","city":"Ulm"}]}]})",
     R"({"User":[{"id":"u","name":"n","addresses":[{"id":"b","city":"Graz"}]}]})"},
    {"Generated", R"(model m { entity User { id id; name; code uuid; mark ulid unique } })",
     R"({"User":[{"id":"u","name":"n"}]})", R"({"User":[{"id":"u","name":"o"}]})"},
};

void PrintTo(const Again& again, std::ostream* out) { *out << again.name; }

class DataThatIsLoadedAgain : public testing::TestWithParam<Again> {
 protected:
  Result<Written> write(std::string_view json, WhatIsThere what_is_there) {
    const Data data = TRY(read_data(running_.model(), running_.layout(), json));
    DataWriter writer(running_.database(), running_.model(), running_.layout(),
                      {.what_is_there = what_is_there});
    TRY(writer.write(data));
    return writer.written();
  }
  std::string all_items() {
    std::string out;
    for (const model::Table& table : running_.layout().tables) {
      const auto page = running_.database().scan({.table = table.name});
      for (size_t i = 0; i < page->items.size(); ++i)
        out += to_plain_json(Value(Item(page->items[i]))) + "\n";
    }
    return out;
  }

  RunningModel running_{GetParam().model, "{}"};
};

TEST_P(DataThatIsLoadedAgain, IsThereAlready) {
  const auto first = write(GetParam().data, WhatIsThere::kIsKept);
  ASSERT_TRUE(first.ok()) << first.error().message;
  const std::string before = all_items();
  for (const WhatIsThere how : {WhatIsThere::kIsKept, WhatIsThere::kIsReplaced}) {
    const auto again = write(GetParam().data, how);
    ASSERT_TRUE(again.ok()) << again.error().message;
    EXPECT_EQ(again->there, first->items);
    EXPECT_EQ(again->items, 0u);
  }
  EXPECT_EQ(all_items(), before);
}

TEST_P(DataThatIsLoadedAgain, IsWrittenOverWhereItDiffers) {
  ASSERT_TRUE(write(GetParam().data, WhatIsThere::kIsKept).ok());
  EXPECT_EQ(write(GetParam().other, WhatIsThere::kIsKept).error().code, Code::kInUse);
  const auto written = write(GetParam().other, WhatIsThere::kIsReplaced);
  ASSERT_TRUE(written.ok()) << written.error().message;
  EXPECT_GE(written->replaced, 1u);
  EXPECT_LE(written->replaced, written->items);
  EXPECT_EQ(running_.audited(), "");
  // Nothing that the new data lacks is left.
  EXPECT_EQ(write(GetParam().other, WhatIsThere::kIsKept)->items, 0u);
  EXPECT_EQ(all_items().find("red"), std::string::npos) << all_items();
}

INSTANTIATE_TEST_SUITE_P(Places, DataThatIsLoadedAgain, testing::ValuesIn(kAgain),
                         [](const auto& info) { return std::string(info.param.name); });

constexpr const char* kVersionedModel = R"(model m {
  entity User { id id; name; mood?; timestamps; versioned }
  entity Post { id id; text }
  rel User 1--* Post as posts / author { required; via index copy author(name); size max 100; on delete cascade }
  op rename(u: User, n: string) = set $u.name = $n
  op feel(u: User, m: string) = set $u.mood = $m
})";

// Whoever knows an old version must not take the new one for it.
TEST(DataThatIsWrittenOver, HasTheNextVersionAndSoHaveItsCopies) {
  const std::string data = R"({"User":[{"id":"u","name":"n"}],"Post":[{"id":"p","text":"t","author":"u"}]})";
  RunningModel running(kVersionedModel, data);
  const auto write = [&](std::string_view json, WhatIsThere what_is_there) -> Result<Written> {
    const Data read = TRY(read_data(running.model(), running.layout(), json));
    DataWriter writer(running.database(), running.model(), running.layout(),
                      {.what_is_there = what_is_there});
    TRY(writer.write(read));
    return writer.written();
  };
  const auto stored = [&](model::EntityId entity, const char* id) {
    Figures unused;
    const auto item = find_item(running.database(), running.model(), running.layout(), entity, {id}, unused);
    const auto decoded =
        ItemCodec(running.model(), running.layout()).decode(running.layout().kind(entity)->table, **item);
    return std::get<Record>(*decoded);
  };
  const Record made = stored(0, "u");
  for (const char* name : {"a", "b"})
    EXPECT_EQ(running.write("rename", {"\"u\"", '"' + std::string(name) + '"'}), "");
  EXPECT_EQ(stored(0, "u").version, 3);
  EXPECT_EQ(write(data, WhatIsThere::kIsKept).error().code, Code::kInUse);
  ASSERT_TRUE(write(data, WhatIsThere::kIsReplaced).ok());
  const Record user = stored(0, "u");
  EXPECT_EQ(user.version, 4);
  EXPECT_EQ(user.fields.at("version"), Value(4));
  EXPECT_EQ(user.fields.at("created_at"), made.fields.at("created_at"));
  const Record post = stored(1, "p");
  EXPECT_EQ(post.copy_versions.begin()->second, 4);
  EXPECT_EQ(post.copies.begin()->second.at("name"), Value("n"));
  EXPECT_EQ(running.audited(), "");
  EXPECT_EQ(write(data, WhatIsThere::kIsKept)->there, 2u);
  // Copies of whom the data does not hold stay, and so do changes that were taken back.
  EXPECT_EQ(write(R"({"Post":[{"id":"p","text":"t","author":"u"}]})", WhatIsThere::kIsKept)->there, 1u);
  EXPECT_EQ(running.write("rename", {"\"u\"", "\"c\""}), "");
  EXPECT_EQ(stored(1, "p").copies.begin()->second.at("name"), Value("c"));
}

// Lines are written piece by piece: into tables that were empty as well.
TEST_F(DataWriting, TakesNoValueThatAnEarlierPieceHas) {
  for (const WhatIsThere how : {WhatIsThere::kIsKept, WhatIsThere::kIsReplaced}) {
    RunningModel running(kWrittenModel, "{}");
    DataWriter writer(running.database(), running.model(), running.layout(), {.what_is_there = how});
    const auto write = [&](std::string_view json) -> Result<void> {
      const Data data = TRY(read_data(running.model(), running.layout(), json));
      return writer.write(data);
    };
    ASSERT_TRUE(write(users(30)).ok());
    const auto taken = write(R"({"User":[{"id":"u31","email":"e31"},{"id":"x","email":"e0"}]})");
    ASSERT_FALSE(taken.ok());
    EXPECT_EQ(taken.error(), (Error{Code::kInvalid, "there is already a User with the email e0"}));
    EXPECT_EQ(writer.written().items, 30u);
    EXPECT_TRUE(write(R"({"User":[{"id":"u31","email":"e31"}]})").ok());
    const auto found = audit(running.database(), running.model(), running.layout(), {});
    EXPECT_EQ(found->findings.size(), 0u);
    EXPECT_EQ(found->entities, 31u);
  }
}

TEST_F(DataWriting, TakesNobodyOfAnEarlierPieceTwice) {
  DataWriter writer(running_.database(), running_.model(), running_.layout(),
                    {.what_is_there = WhatIsThere::kIsKept});
  const auto write = [&](std::string_view json) -> Result<void> {
    const Data data = TRY(read_data(running_.model(), running_.layout(), json));
    return writer.write(data);
  };
  const std::string chess = R"({"Club":[{"id":"c","name":"Chess"}]})";
  ASSERT_TRUE(write(chess).ok());
  ASSERT_TRUE(write(chess).ok());
  EXPECT_EQ(writer.written().there, 1u);
  EXPECT_EQ(write(R"({"Club":[{"id":"c","name":"Cards"}]})").error().code, Code::kInUse);
}

TEST(DataWritingOfPairs, TakesNoEndThatAnEarlierPieceHas) {
  RunningModel running(R"(model pairs {
    entity User { id id; email unique }
    entity Seat { id id }
    rel User 1--1 Seat as seat / user { on delete unlink; via edges }
  })",
                       "{}");
  DataWriter writer(running.database(), running.model(), running.layout(),
                    {.what_is_there = WhatIsThere::kIsKept});
  const auto write = [&](std::string_view json) -> Result<void> {
    const Data data = TRY(read_data(running.model(), running.layout(), json));
    return writer.write(data);
  };
  ASSERT_TRUE(
      write(R"({"Seat":[{"id":"s"}],"User":[{"id":"u","email":"e"}],"links":{"User.seat":[["u","s"]]}})")
          .ok());
  const auto taken = write(R"({"User":[{"id":"v","email":"f"}],"links":{"User.seat":[["v","s"]]}})");
  ASSERT_FALSE(taken.ok());
  EXPECT_EQ(taken.error().message, "the Seat s is linked already by its end user");
}

TEST_F(DataWriting, TakesLinksThatAreThereForTheSame) {
  const std::string linked =
      R"({"Club":[{"id":"c","name":"Chess"}],"User":[{"id":"u","email":"e"}],"links":{"Club.members":[["c","u"]]}})";
  EXPECT_EQ(write(linked, {.what_is_there = WhatIsThere::kIsKept})->items, 3u);
  EXPECT_EQ(write(linked, {.what_is_there = WhatIsThere::kIsKept})->there, 3u);
}

}  // namespace
}  // namespace sheaf::run
