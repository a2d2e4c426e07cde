// J11: what one request in place of three saves.
#include <gtest/gtest.h>

#include "run/running_model.h"

namespace sheaf::run {
namespace {

constexpr std::string_view kCostModel = R"(model profile {
  table app { pk PK; sk SK; tag T }
  entity User { id id; text; key "U#<id>" / "U" }
  entity Address within user { id id; text; key "U#<user.id>" / "A#<id>" }
  entity Payment within user { id id; text; key "U#<user.id>" / "P#<id>" }
  rel User 1--* Address as addresses / user { via collection; size max 5; on delete cascade }
  rel User 1--* Payment as payments / user { via collection; size max 5; on delete cascade }
  pattern all(u: User) = $u { *, addresses, payments } budget 1 request
  pattern user(u: User) = $u
  pattern addresses(u: User) = $u.addresses
  pattern payments(u: User) = $u.payments
})";

class Cost {
 public:
  explicit Cost(size_t bytes) : model_(std::string(kCostModel), data(bytes)) {}

  double together() { return units("all"); }
  double apart() { return units("user") + units("addresses") + units("payments"); }

 private:
  static std::string data(size_t bytes) {
    const std::string text(bytes, 'x');
    return R"({ "User": [{ "id": "u", "text": ")" + text + R"(" }],
      "Address": [{ "user": "u", "id": "1", "text": ")" +
           text + R"(" }],
      "Payment": [{ "user": "u", "id": "1", "text": ")" +
           text + R"(" }] })";
  }

  double units(std::string_view pattern) {
    EXPECT_NE(model_.ask(pattern, {"\"u\""}), "");
    EXPECT_EQ(model_.figures().requests, 1u);
    return model_.figures().units;
  }

  RunningModel model_;
};

// Requests are rounded up to 4 KB each; beyond that what counts is what is read.
TEST(CostOfRequests, OneInPlaceOfThreeIsCheaperByWhatIsRoundedUpAlone) {
  Cost small(100);
  EXPECT_EQ(small.together(), 0.5);
  EXPECT_EQ(small.apart(), 1.5) << "three times as much";
  Cost large(40'000);
  EXPECT_EQ(large.together(), 15);
  EXPECT_EQ(large.apart(), 15) << "the same, in three requests";
}

}  // namespace
}  // namespace sheaf::run
