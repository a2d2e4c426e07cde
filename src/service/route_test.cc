#include "service/route.h"

#include <gtest/gtest.h>

namespace sheaf::service {
namespace {

using Kind = Route::Kind;

TEST(Route, NamesModelsPatternsAndOperations) {
  EXPECT_EQ(find_route("/models")->kind, Kind::kModels);
  EXPECT_EQ(find_route("/models/hr")->model, "hr");
  EXPECT_EQ(find_route("/models/hr/openapi.json")->kind, Kind::kOpenApi);
  const auto pattern = find_route("/models/hr/patterns/team?d=d-1");
  ASSERT_TRUE(pattern);
  EXPECT_EQ(pattern->kind, Kind::kPattern);
  EXPECT_EQ(pattern->model, "hr");
  EXPECT_EQ(pattern->name, "team");
  EXPECT_EQ(find_route("/models/hr/operations/link.Employee.manager")->name, "link.Employee.manager");
}

TEST(Route, NamesAreUnescaped) {
  EXPECT_EQ(find_route("/models/hr/patterns/a%20b%2Fc")->name, "a b/c");
  EXPECT_EQ(find_route("/models/%C3%A9t%C3%A9")->model, "\u00e9t\u00e9");
  EXPECT_EQ(find_route("/models/a+b")->model, "a+b");
}

TEST(Route, IsNoneWhereNothingIs) {
  for (const char* const target :
       {"/", "/modelsx", "/models/", "/models//patterns/x", "/models/hr/", "/models/hr/tables",
        "/models/hr/patterns", "/models/hr/patterns/", "/models/hr/patterns/a/b", "/models/%", "/models/%4",
        "/models/%zz", "/models/%FF"})
    EXPECT_FALSE(find_route(target)) << target;
}

TEST(Route, KnowsItsMethods) {
  const Route models{}, pattern{.kind = Kind::kPattern}, operation{.kind = Kind::kOperation};
  EXPECT_TRUE(models.takes("GET") && models.takes("HEAD") && !models.takes("POST"));
  EXPECT_TRUE(pattern.takes("GET") && pattern.takes("HEAD") && pattern.takes("POST"));
  EXPECT_TRUE(operation.takes("POST") && !operation.takes("GET") && !operation.takes("HEAD"));
  EXPECT_FALSE(pattern.takes("PUT") || pattern.takes("DELETE") || pattern.takes("get"));
}

TEST(Query, ComesInOrderAndUnescaped) {
  const auto query = query_of("/models/shop/patterns/order?o=a+n%26n&o=7&&plan");
  ASSERT_TRUE(query);
  EXPECT_EQ(*query, (Query{{"o", "a n&n"}, {"o", "7"}, {"plan", ""}}));
  EXPECT_TRUE(query_of("/models/shop/patterns/order")->empty());
}

TEST(Query, HasNothingOfASignature) {
  EXPECT_EQ(*query_of("/heat?table=app&X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Signature=00&keys=3"),
            (Query{{"table", "app"}, {"keys", "3"}}));
}

TEST(Query, IsRefusedIfItIsNotProperlyEscaped) {
  EXPECT_FALSE(query_of("/models?a=%"));
  EXPECT_FALSE(query_of("/models?%G1=2"));
  EXPECT_FALSE(query_of("/models?a=%C3"));
}

}  // namespace
}  // namespace sheaf::service
