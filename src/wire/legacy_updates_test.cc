// AttributeUpdates, applied to items.
#include "wire/legacy_fixture.h"

namespace sheaf::wire {
namespace {

Result<std::optional<expr::Update>> read_text_updates(std::string_view updates) {
  return read_text(R"({"AttributeUpdates":)" + std::string(updates) + "}",
                   [](const Input& input) { return read_attribute_updates(input, kAttributeUpdates); });
}

// The updated item as JSON, or what is wrong.
std::string updated(std::string_view updates, std::string_view item) {
  const auto update = read_text_updates(updates);
  if (!update.ok()) return update.error().message;
  const Result<Item> after = (*update)->apply(item_of(item));
  return after.ok() ? after->to_json() : after.error().message;
}

std::string action(std::string_view name, std::string_view value) {
  return R"({"a":{"Action":")" + std::string(name) + R"(","Value":)" + std::string(value) + "}}";
}

std::string attribute(std::string_view value) { return R"({"a":)" + std::string(value) + "}"; }

TEST(LegacyUpdates, PutReplacesTheWholeAttribute) {
  for (const std::string_view value : kOneOfEachType) {
    for (const std::string_view old : kOneOfEachType)
      EXPECT_EQ(updated(action("PUT", value), attribute(old)), attribute(value));
    EXPECT_EQ(updated(action("PUT", value), "{}"), attribute(value));
    // It is also what is done by default.
    EXPECT_EQ(updated(R"({"a":{"Value":)" + std::string(value) + "}}", "{}"), attribute(value));
  }
}

TEST(LegacyUpdates, PutTakesWhatIsEmpty) {
  for (const std::string_view value : {R"({"S":""})", R"({"B":""})", R"({"L":[]})", R"({"M":{}})"})
    EXPECT_EQ(updated(action("PUT", value), "{}"), attribute(value));
}

TEST(LegacyUpdates, DeleteWithoutValueRemovesTheAttribute) {
  for (const std::string_view old : kOneOfEachType)
    EXPECT_EQ(updated(R"({"a":{"Action":"DELETE"}})", attribute(old)), "{}");
  EXPECT_EQ(updated(R"({"a":{"Action":"DELETE"}})", R"({"b":{"N":"1"}})"), R"({"b":{"N":"1"}})");
}

TEST(LegacyUpdates, DeleteWithASetTakesItsElementsAway) {
  EXPECT_EQ(updated(action("DELETE", R"({"NS":["2","4","9"]})"), R"({"a":{"NS":["1","2","3","4"]}})"),
            R"({"a":{"NS":["1","3"]}})");
  EXPECT_EQ(updated(action("DELETE", R"({"SS":["x"]})"), R"({"a":{"SS":["x","y"]}})"),
            R"({"a":{"SS":["y"]}})");
  EXPECT_EQ(updated(action("DELETE", R"({"BS":["Yg=="]})"), R"({"a":{"BS":["YQ==","Yg=="]}})"),
            R"({"a":{"BS":["YQ=="]}})");
  EXPECT_EQ(updated(action("DELETE", R"({"SS":["x","y"]})"), R"({"a":{"SS":["x","y"]}})"), "{}")
      << "no set is empty";
  EXPECT_EQ(updated(action("DELETE", R"({"SS":["x"]})"), "{}"), "{}");
}

TEST(LegacyUpdates, AddAddsNumbersSetsAndLists) {
  EXPECT_EQ(updated(action("ADD", R"({"N":"-3.5"})"), R"({"a":{"N":"9"}})"), R"({"a":{"N":"5.5"}})");
  EXPECT_EQ(updated(action("ADD", R"({"NS":["2","3"]})"), R"({"a":{"NS":["1","2"]}})"),
            R"({"a":{"NS":["1","2","3"]}})");
  EXPECT_EQ(updated(action("ADD", R"({"SS":["y"]})"), R"({"a":{"SS":["x"]}})"), R"({"a":{"SS":["x","y"]}})");
  EXPECT_EQ(updated(action("ADD", R"({"L":[{"N":"2"},{"S":"x"}]})"), R"({"a":{"L":[{"N":"2"}]}})"),
            R"({"a":{"L":[{"N":"2"},{"N":"2"},{"S":"x"}]}})");
}

TEST(LegacyUpdates, AddStartsWhatIsNotThere) {
  for (const std::string_view value : {R"({"N":"2"})", R"({"SS":["x"]})", R"({"L":[{"N":"2"}]})"})
    EXPECT_EQ(updated(action("ADD", value), "{}"), attribute(value));
}

TEST(LegacyUpdates, AddAndDeleteNeedTheTypeThatIsThere) {
  constexpr std::string_view kMismatch = "Type mismatch for attribute to update";
  for (const std::string_view value :
       {R"({"N":"5"})", R"({"SS":["b"]})", R"({"NS":["5"]})", R"({"BS":["Yg=="]})", R"({"L":[{"S":"b"}]})"}) {
    for (const std::string_view old : kOneOfEachType) {
      if (type_of(old) == type_of(value)) continue;
      EXPECT_EQ(updated(action("ADD", value), attribute(old)), kMismatch) << value << old;
      if (!type_of(value).ends_with("S")) continue;
      EXPECT_EQ(updated(action("DELETE", value), attribute(old)), kMismatch) << value << old;
    }
  }
}

TEST(LegacyUpdates, ActionsTakeCertainTypes) {
  for (const std::string_view value : kOneOfEachType) {
    const std::string type(type_of(value));
    const bool set = type == "SS" || type == "NS" || type == "BS";
    EXPECT_EQ(outcome_of(read_text_updates(action("ADD", value))),
              set || type == "N" || type == "L"
                  ? "ok"
                  : kInvalidParameter + "ADD action is not supported for the type " + type);
    EXPECT_EQ(
        outcome_of(read_text_updates(action("DELETE", value))),
        set ? "ok" : kInvalidParameter + "DELETE action with value is not supported for the type " + type);
    EXPECT_EQ(outcome_of(read_text_updates(action("PUT", value))), "ok");
  }
}

TEST(LegacyUpdates, OnlyDeleteIsAllowedWithoutValue) {
  const std::string message =
      kInvalidParameter + "Only DELETE action is allowed when no attribute value is specified";
  for (const std::string_view update :
       {R"({"a":{}})", R"({"a":{"x":"whatever"}})", R"({"a":{"Action":"PUT"}})", R"({"a":{"Action":"ADD"}})",
        R"({"a":{"Action":"ADD","Value":null}})"})
    EXPECT_EQ(outcome_of(read_text_updates(update)), message) << update;
}

TEST(LegacyUpdates, RefuseValuesThatAreNone) {
  EXPECT_EQ(outcome_of(read_text_updates(action("PUT", "{}"))),
            "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes");
  EXPECT_EQ(outcome_of(read_text_updates(action("DELETE", R"({"SS":[]})"))),
            kInvalidParameter + "An string set  may not be empty");
  EXPECT_EQ(outcome_of(read_text_updates(action("ADD", R"({"N":"1e126"})"))),
            "Number overflow. Attempting to store a number with magnitude larger than supported range");
}

TEST(LegacyUpdates, ChangeSeveralAttributesFromTheSameItem) {
  EXPECT_EQ(
      updated(R"({"name":{"Action":"PUT","Value":{"S":"new"}},"count":{"Action":"ADD","Value":{"N":"9"}},
                        "extra":{"Action":"DELETE"}})",
              R"({"name":{"S":"old"},"count":{"N":"1"},"extra":{"S":"x"},"kept":{"S":"y"}})"),
      R"({"count":{"N":"10"},"kept":{"S":"y"},"name":{"S":"new"}})");
}

TEST(LegacyUpdates, NamesAreNotPaths) {
  EXPECT_EQ(updated(R"({"a.b":{"Value":{"N":"3"}}})", R"({"a":{"M":{"b":{"N":"1"}}}})"),
            R"({"a":{"M":{"b":{"N":"1"}}},"a.b":{"N":"3"}})");
}

TEST(LegacyUpdates, OfANameGivenTwiceTheLastUpdateCounts) {
  EXPECT_EQ(updated(R"({"a":{"Value":{"N":"1"}},"b":{"Value":{"N":"2"}},"a":{"Value":{"N":"3"}}})", "{}"),
            R"({"a":{"N":"3"},"b":{"N":"2"}})");
}

TEST(LegacyUpdates, ThatOnlyTakeAwayMakeNoItem) {
  const std::pair<std::string_view, bool> rows[] = {
      {R"({"a":{"Action":"DELETE"}})", false},
      {R"({"a":{"Action":"DELETE","Value":{"SS":["x"]}}})", false},
      {R"({"a":{"Value":{"S":"x"}}})", true},
      {R"({"a":{"Action":"ADD","Value":{"N":"1"}}})", true},
      {R"({"a":{"Action":"DELETE"},"b":{"Value":{"S":"x"}}})", true}};
  for (const auto& [updates, creates] : rows) {
    const auto update = read_text_updates(updates);
    ASSERT_EQ(outcome_of(update), "ok") << updates;
    EXPECT_EQ((*update)->creates_item(), creates) << updates;
  }
}

TEST(LegacyUpdates, TellWhatTheyTouch) {
  const auto update = read_text_updates(R"({"b":{"Action":"DELETE"},"a":{"Value":{"S":"x"}}})");
  ASSERT_EQ(outcome_of(update), "ok");
  EXPECT_EQ((*update)->touched().attributes(), (std::vector<std::string_view>{"a", "b"}));
  EXPECT_EQ((*update)->type_written("a"), Type::kString);
}

TEST(LegacyUpdates, SayNothingIfTheyAreEmpty) {
  for (const std::string_view updates : {"{}", "null", R"({"a":null})"}) {
    const auto update = read_text_updates(updates);
    ASSERT_EQ(outcome_of(update), "ok") << updates;
    EXPECT_FALSE(*update) << updates;
  }
}

TEST(LegacyUpdates, HaveNamesThatAttributesCanHave) {
  EXPECT_EQ(outcome_of(read_text_updates(R"({"":{"Value":{"S":"x"}}})")), "Empty attribute name");
  EXPECT_EQ(outcome_of(read_text_updates("{\"" + std::string(65536, 'n') + R"(":{"Value":{"S":"x"}}})")),
            "Attribute name is too large, must be less than 65536 bytes");
}

TEST(LegacyUpdates, HaveAShape) {
  EXPECT_EQ(
      outcome_of(read_text_updates(action("SET", R"({"S":"x"})"))),
      "1 validation error detected: Value 'SET' at 'attributeUpdates.a.member.action' failed to satisfy "
      "constraint: Member must satisfy enum value set: [ADD, PUT, DELETE]");
  EXPECT_EQ(outcome_of(read_text_updates("[]")),
            "Unrecognized collection type java.util.Map<java.lang.String, "
            "com.amazonaws.dynamodb.v20120810.AttributeValueUpdate>");
  const auto read = read_text_updates(action("PUT", "7"));
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().code, Code::kMalformed);
}

}  // namespace
}  // namespace sheaf::wire
