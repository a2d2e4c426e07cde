// What DynamoDB refuses in keys, in its own words, and the limits on both sides.
#include <gtest/gtest.h>

#include "engine/engine_fixture.h"
#include "engine/store_keys.h"

namespace sheaf::engine {
namespace {

const std::string kMismatch = "The provided key element does not match the schema";
const std::string kHashTooLong =
    "One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of2048 "
    "bytes";
const std::string kRangeTooLong =
    "One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size "
    "limit "
    "of 1024 bytes";

TableSettings settings_with_indexes() {
  TableSettings settings = collection_table("t");
  settings.indexes = {local_index("lsi", text_key("l")),
                      global_index("gsi", {.partition = {text_key("g")}, .sort = {binary_key("r")}}),
                      global_index("multi", {.partition = {text_key("m1"), text_key("m2")},
                                             .sort = {text_key("n1"), text_key("n2"), number_key("n3")}})};
  return settings;
}

class ItemKeyErrors : public testing::Test {
 protected:
  std::string put(const Item& item) const { return outcome_of(place_of_item(table_, item)); }
  std::string key(const Item& key) const { return outcome_of(place_of_key(table_, key)); }

  // The entry of an item with these attributes beside its key: "entry", "none" or what is wrong.
  std::string entry(std::string_view index, Item item, ItemOrigin origin = ItemOrigin::kPut) const {
    item.set("PK", Value("p"));
    item.set("SK", Value("s"));
    const auto found =
        index_entry_key(*table_.find_index(index), item, place_of_stored(table_, item), origin);
    return !found.ok() ? found.error().message : *found ? "entry" : "none";
  }

  const Table table_{settings_with_indexes(), store::Version{1}};
};

TEST_F(ItemKeyErrors, AnItemMustHaveItsKeyAttributes) {
  EXPECT_EQ(put(Item{{"PK", "p"}, {"SK", "s"}, {"more", 1}}), "ok");
  EXPECT_EQ(put(Item{{"SK", "s"}}),
            "One or more parameter values were invalid: Missing the key PK in the item");
  EXPECT_EQ(put(Item{{"PK", "p"}}),
            "One or more parameter values were invalid: Missing the key SK in the item");
}

// A2: what is no scalar cannot be a key.
TEST_F(ItemKeyErrors, AKeyAttributeMustHaveItsType) {
  EXPECT_EQ(put(Item{{"PK", 1}, {"SK", "s"}}),
            "One or more parameter values were invalid: Type mismatch for key PK expected: S actual: N");
  EXPECT_EQ(put(Item{{"PK", "p"}, {"SK", Value::list({1})}}),
            "One or more parameter values were invalid: Type mismatch for key SK expected: S actual: L");
  EXPECT_EQ(put(Item{{"PK", Item{{"a", 1}}}, {"SK", "s"}}),
            "One or more parameter values were invalid: Type mismatch for key PK expected: S actual: M");
  EXPECT_EQ(put(Item{{"PK", Value()}, {"SK", "s"}}),
            "One or more parameter values were invalid: Type mismatch for key PK expected: S actual: NULL");
}

TEST_F(ItemKeyErrors, AKeyAttributeMustNotBeEmpty) {
  EXPECT_EQ(
      put(Item{{"PK", ""}, {"SK", "s"}}),
      "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an "
      "empty string value. Key: PK");
  EXPECT_EQ(
      key(Item{{"PK", "p"}, {"SK", ""}}),
      "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an "
      "empty string value. Key: SK");
  const Table binary(table_settings("b", {.partition = {binary_key("PK")}, .sort = {}}), store::Version{1});
  EXPECT_EQ(
      outcome_of(place_of_item(binary, Item{{"PK", Value::binary("")}})),
      "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an "
      "empty binary value. Key: PK");
}

TEST_F(ItemKeyErrors, AKeyHasTheKeyAttributesAndNoOthers) {
  EXPECT_EQ(key(Item{{"PK", "p"}, {"SK", "s"}}), "ok");
  EXPECT_EQ(key(Item{{"PK", "p"}}), kMismatch);
  EXPECT_EQ(key(Item{}), kMismatch);
  EXPECT_EQ(key(Item{{"PK", "p"}, {"SK", "s"}, {"more", 1}}), kMismatch);
  EXPECT_EQ(key(Item{{"PK", "p"}, {"other", "s"}}), kMismatch);
  EXPECT_EQ(key(Item{{"PK", "p"}, {"SK", 1}}), kMismatch);
}

TEST_F(ItemKeyErrors, APartitionKeyHasUpTo2048Bytes) {
  const std::string longest(2048, 'p');
  EXPECT_EQ(put(Item{{"PK", longest}, {"SK", "s"}}), "ok");
  EXPECT_EQ(key(Item{{"PK", longest}, {"SK", "s"}}), "ok");
  EXPECT_EQ(put(Item{{"PK", longest + "p"}, {"SK", "s"}}), kHashTooLong);
  EXPECT_EQ(key(Item{{"PK", longest + "p"}, {"SK", "s"}}), kHashTooLong);
}

// A19: the length of a sort key is limited.
TEST_F(ItemKeyErrors, ASortKeyHasUpTo1024Bytes) {
  const std::string longest(1024, 's');
  EXPECT_EQ(put(Item{{"PK", "p"}, {"SK", longest}}), "ok");
  EXPECT_EQ(key(Item{{"PK", "p"}, {"SK", longest}}), "ok");
  EXPECT_EQ(put(Item{{"PK", "p"}, {"SK", longest + "s"}}), kRangeTooLong);
  EXPECT_EQ(key(Item{{"PK", "p"}, {"SK", longest + "s"}}), kRangeTooLong);
}

// Zeros take two bytes each in the store; the limit is on what the user sent.
TEST_F(ItemKeyErrors, LimitsCountTheBytesOfTheValueNotThoseOfTheEncoding) {
  EXPECT_EQ(put(Item{{"PK", std::string(2048, '\0')}, {"SK", std::string(1024, '\0')}}), "ok");
}

TEST_F(ItemKeyErrors, ThePartitionKeyIsCheckedBeforeTheSortKey) {
  EXPECT_EQ(put(Item{{"PK", std::string(2049, 'p')}}), kHashTooLong);
  EXPECT_EQ(put(Item{{"PK", std::string(2049, 'p')}, {"SK", std::string(1025, 's')}}), kHashTooLong);
  EXPECT_EQ(
      put(Item{{"PK", ""}, {"SK", 1}}),
      "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an "
      "empty string value. Key: PK");
}

// A2, A9
TEST_F(ItemKeyErrors, AnIndexKeyOfAnotherTypeIsRefused) {
  EXPECT_EQ(entry("lsi", Item{{"l", "x"}}), "entry");
  EXPECT_EQ(entry("lsi", Item{}), "none");
  EXPECT_EQ(entry("lsi", Item{{"l", 1}}),
            "One or more parameter values were invalid: Type mismatch for Index Key l Expected: S Actual: N "
            "IndexName: lsi");
  EXPECT_EQ(
      entry("lsi", Item{{"l", Value()}}),
      "One or more parameter values were invalid: Type mismatch for Index Key l Expected: S Actual: NULL "
      "IndexName: lsi");
  EXPECT_EQ(entry("gsi", Item{{"g", Value::list({"x"})}}, ItemOrigin::kUpdate),
            "One or more parameter values were invalid: Type mismatch for Index Key g Expected: S Actual: L "
            "IndexName: gsi");
}

TEST_F(ItemKeyErrors, AWrongIndexKeyIsRefusedEvenIfTheRestOfTheKeyIsMissing) {
  EXPECT_EQ(entry("gsi", Item{{"g", "x"}}), "none");
  EXPECT_EQ(entry("gsi", Item{{"r", "not binary"}}),
            "One or more parameter values were invalid: Type mismatch for Index Key r Expected: B Actual: S "
            "IndexName: gsi");
  EXPECT_EQ(entry("multi", Item{{"n3", "x"}}),
            "One or more parameter values were invalid: Type mismatch for Index Key n3 Expected: N Actual: S "
            "IndexName: multi");
}

TEST_F(ItemKeyErrors, AnEmptyIndexKeyIsRefusedInTheWordsOfThePut) {
  EXPECT_EQ(
      entry("lsi", Item{{"l", ""}}),
      "One or more parameter values are not valid. A value specified for a secondary index key is not "
      "supported. The AttributeValue for a key attribute cannot contain an empty string value. IndexName: "
      "lsi, IndexKey: l");
  EXPECT_EQ(
      entry("gsi", Item{{"g", "x"}, {"r", Value::binary("")}}),
      "One or more parameter values are not valid. A value specified for a secondary index key is not "
      "supported. The AttributeValue for a key attribute cannot contain an empty binary value. IndexName: "
      "gsi, IndexKey: r");
}

TEST_F(ItemKeyErrors, AnEmptyIndexKeyIsRefusedInTheWordsOfTheUpdate) {
  EXPECT_EQ(
      entry("lsi", Item{{"l", ""}}, ItemOrigin::kUpdate),
      "One or more parameter values are not valid. The update expression attempted to update a secondary "
      "index key to a value that is not supported. The AttributeValue for a key attribute cannot contain an "
      "empty string value.");
}

// A19
TEST_F(ItemKeyErrors, AnIndexPartitionKeyHasUpTo2048Bytes) {
  const std::string longest(2048, 'g');
  const Value sort = Value::binary("r");
  EXPECT_EQ(entry("gsi", Item{{"g", longest}, {"r", sort}}), "entry");
  EXPECT_EQ(
      entry("gsi", Item{{"g", longest + "g"}, {"r", sort}}),
      "One or more parameter values were invalid: Size limit exceeded for Index Key g Actual Size: 2049 "
      "bytes Max Size: 2048 bytes IndexName: gsi");
}

TEST_F(ItemKeyErrors, AnIndexSortKeyHasUpTo1024Bytes) {
  const std::string longest(1024, 'l');
  EXPECT_EQ(entry("lsi", Item{{"l", longest}}), "entry");
  EXPECT_EQ(
      entry("lsi", Item{{"l", longest + "l"}}),
      "One or more parameter values were invalid: Size limit exceeded for Index Key l Actual Size: 1025 "
      "bytes Max Size: 1024 bytes IndexName: lsi");
}

TEST_F(ItemKeyErrors, TheAttributesOfAnIndexKeyShareItsLimit) {
  const auto item = [](size_t m2, size_t n2) {
    return Item{{"m1", std::string(1000, 'a')},
                {"m2", std::string(m2, 'b')},
                {"n1", std::string(1000, 'c')},
                {"n2", std::string(n2, 'd')},
                {"n3", 1}};
  };
  // n3 takes two bytes.
  EXPECT_EQ(entry("multi", item(1048, 22)), "entry");
  EXPECT_EQ(
      entry("multi", item(1049, 22)),
      "One or more parameter values were invalid: Size limit exceeded for Index Key m2 Actual Size: 2049 "
      "bytes Max Size: 2048 bytes IndexName: multi");
  EXPECT_EQ(
      entry("multi", item(1048, 23)),
      "One or more parameter values were invalid: Size limit exceeded for Index Key n3 Actual Size: 1025 "
      "bytes Max Size: 1024 bytes IndexName: multi");
}

TEST_F(ItemKeyErrors, OfSeveralIndexesThatRefuseAnItemTheFirstByNameIsReported) {
  const Item item{{"PK", "p"}, {"SK", "s"}, {"l", 1}, {"m1", 1}, {"g", 1}};
  EXPECT_EQ(outcome_of(check_index_keys(table_, item, place_of_stored(table_, item))),
            "One or more parameter values were invalid: Type mismatch for Index Key g Expected: S Actual: N "
            "IndexName: gsi");
}

TEST_F(ItemKeyErrors, AnIndexThatIsBeingRemovedRefusesNothing) {
  TableSettings settings = settings_with_indexes();
  for (IndexSettings& index : settings.indexes) index.status = IndexStatus::kDeleting;
  const Table table(settings, store::Version{1});
  const Item item{{"PK", "p"}, {"SK", "s"}, {"l", ""}, {"g", 1}};
  EXPECT_TRUE(check_index_keys(table, item, place_of_stored(table, item)).ok());
  EXPECT_TRUE(check_keys_not_empty(table, item).ok());
}

TEST_F(ItemKeyErrors, EmptyValuesOfAnyKeyAreFoundWithoutLookingAtTheRest) {
  EXPECT_TRUE(check_keys_not_empty(table_, Item{{"PK", 1}, {"other", ""}}).ok())
      << "types are another question";
  EXPECT_EQ(
      outcome_of(check_keys_not_empty(table_, Item{{"PK", "p"}, {"SK", ""}, {"l", ""}})),
      "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an "
      "empty string value. Key: SK");
  EXPECT_EQ(
      outcome_of(check_keys_not_empty(table_, Item{{"PK", "p"}, {"SK", "s"}, {"l", ""}})),
      "One or more parameter values are not valid. A value specified for a secondary index key is not "
      "supported. The AttributeValue for a key attribute cannot contain an empty string value. IndexName: "
      "lsi, IndexKey: l");
}

}  // namespace
}  // namespace sheaf::engine
