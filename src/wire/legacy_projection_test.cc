// AttributesToGet.
#include "wire/legacy_fixture.h"

namespace sheaf::wire {
namespace {

Result<std::optional<expr::Projection>> read_text_names(std::string_view names) {
  return read_text(R"({"AttributesToGet":)" + std::string(names) + "}",
                   [](const Input& input) { return read_attributes_to_get(input, kAttributesToGet); });
}

TEST(LegacyProjection, GetsWholeAttributesAndNoOthers) {
  const auto projection = read_text_names(R"(["b","missing","a.c","a"])");
  ASSERT_EQ(outcome_of(projection), "ok");
  EXPECT_EQ(
      (*projection)
          ->project(item_of(R"({"a":{"M":{"c":{"N":"1"}}},"a.c":{"N":"2"},"b":{"L":[]},"k":{"S":"k"}})"))
          .to_json(),
      R"({"a":{"M":{"c":{"N":"1"}}},"a.c":{"N":"2"},"b":{"L":[]}})");
}

TEST(LegacyProjection, RefusesANameGivenTwice) {
  EXPECT_EQ(outcome_of(read_text_names(R"(["a","b","a"])")),
            kInvalidParameter + "Duplicate value in attribute name: a");
}

TEST(LegacyProjection, RefusesNamesThatNoAttributeHas) {
  EXPECT_EQ(outcome_of(read_text_names(R"(["a",""])")), "Empty attribute name");
  EXPECT_EQ(outcome_of(read_text_names("[\"" + std::string(65535, 'n') + "\"]")), "ok");
  EXPECT_EQ(outcome_of(read_text_names("[\"" + std::string(65536, 'n') + "\"]")),
            "Attribute name is too large, must be less than 65536 bytes");
}

TEST(LegacyProjection, HasAtLeastOneName) {
  EXPECT_EQ(
      outcome_of(read_text_names("[]")),
      "1 validation error detected: Value '[]' at 'attributesToGet' failed to satisfy constraint: Member "
      "must have length greater than or equal to 1");
}

TEST(LegacyProjection, SaysNothingIfItIsNotThere) {
  for (const std::string_view names : {"null", "[null]"}) {
    const auto projection = read_text_names(names);
    ASSERT_EQ(outcome_of(projection), "ok") << names;
    EXPECT_FALSE(*projection) << names;
  }
}

}  // namespace
}  // namespace sheaf::wire
