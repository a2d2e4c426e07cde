// Every kind of operand in every place where an operation can have one, in layouts that store fields in
// different ways: each gives what doc/semantics.md says (S2.2, S2.5, S2.7, S4.2 to S4.5).
#include <gtest/gtest.h>

#include "run/running_model.h"

namespace sheaf::run {
namespace {

struct Case {
  std::string operation;
  std::vector<std::string> arguments;  // n and t
  std::string outcome;                 // what changed of the coupon ["o", "c"], or "error: .."
};

// Those that an operation may have. $e is $c, and $x does not exist.
struct Declared {
  std::string name;
  std::string type;
  std::string argument;
};
const std::vector<Declared> kParameters = {{"c", "Coupon", R"(["o", "c"])"},
                                           {"d", "Coupon", R"(["o", "d"])"},
                                           {"e", "Coupon", R"(["o", "c"])"},
                                           {"x", "Coupon", R"(["o", "none"])"},
                                           {"o", "Org", "\"o\""},
                                           {"n", "number?", ""},
                                           {"t", "string?", ""}};

std::vector<Declared> parameters_of(const Case& tested) {
  std::vector<Declared> used;
  size_t given = 0;
  for (const Declared& each : kParameters) {
    const bool is_value = each.argument.empty();
    const std::string argument =
        is_value && given < tested.arguments.size() ? tested.arguments[given] : "null";
    if (is_value) ++given;
    if (tested.operation.find("$" + each.name) == std::string::npos) continue;
    used.push_back({each.name, each.type, is_value ? argument : each.argument});
  }
  return used;
}

// The coupon, and another one: what a layout can hold in different places.
constexpr std::string_view kOperandData = R"({
  "Org": [{ "id": "o", "cap": 7, "title": "Big" }],
  "Coupon": [
    { "org": "o", "id": "c", "used": 3, "most": 3, "half": 1.5, "name": "Cee", "place": { "city": "Rome", "n": 2 },
      "left": { "a": 1 }, "tags": ["x", "y"] },
    { "org": "o", "id": "d", "used": 9, "most": 4, "half": 0.5, "name": "Dee", "place": { "city": "Oslo", "n": 5 },
      "left": { "b": 2 }, "extra": 6, "nick": "dd" }] })";

const std::vector<Case> kCases = {
    // Own fields, of the same type and of another.
    {"check $c.used < $c.most", {}, "error: the check on $c.used fails"},
    {"check $c.used = $c.most", {}, ""},
    {"check $c.used <= $c.most and $c.used >= $c.place.n", {}, ""},
    {"check $d.used < $d.most", {}, "error: the check on $d.used fails"},
    {"check $c.used between $c.place.n and $c.most", {}, ""},
    {"check $c.used between $c.most and $c.place.n", {}, "error: the check on $c.used fails"},
    {"check $c.used in (1, $c.most)", {}, ""},
    {"check $c.used <> $c.most", {}, "error: the check on $c.used fails"},
    {"check $c.half < $c.used", {}, ""},
    {"check $c.place.city begins $c.place.city", {}, ""},
    {"check $c.name begins $c.place.city", {}, "error: the check on $c.name fails"},
    // A missing operand, or field: nothing is true of it but `missing`.
    {"check $c.used <> $c.extra", {}, "error: the check on $c.used fails"},
    {"check $c.extra <> $c.used", {}, "error: the check on $c.extra fails"},
    {"check $c.extra <> 5", {}, "error: the check on $c.extra fails"},
    {"check $c.extra = $c.extra", {}, "error: the check on $c.extra fails"},
    {"check $c.used in (3, $c.extra)", {}, "error: the check on $c.used fails"},
    {"check $c.used in (3, $d.extra)", {}, ""},
    {"check $c.extra missing", {}, ""},
    {"check $d.extra exists", {}, ""},
    {"check $c.extra exists", {}, "error: the check on $c.extra fails"},
    {"check $c.left.a exists and $c.left.b missing", {}, ""},
    // Others' fields, ids and parts of ids.
    {"check $c.used < $o.cap", {}, ""},
    {"check $c.used < $d.used and $d.used > $o.cap", {}, ""},
    {"check $c.used > $o.cap", {}, "error: the check on $c.used fails"},
    {"check $c.name <> $d.nick", {}, ""},
    {"check $c.name <> $c.nick", {}, "error: the check on $c.name fails"},
    {"check $c.org.title = \"Big\"", {}, ""},
    {"check $c.org.title = $o.title", {}, ""},
    {"check $c.org.cap < $c.used", {}, "error: the check on $c.org.cap fails"},
    {"check $c.used < $d.org.cap", {}, ""},
    {"check $c.id = \"c\" and $c.org.id = $o.id", {}, ""},
    {"check $c.id <> $d.id and $d.id > $c.id", {}, ""},
    {"check $c.id = $c.name", {}, "error: the check on $c.id fails"},
    // Parameters, also those that are left out.
    {"check $c.used = $n", {"3"}, ""},
    {"check $c.used = $n", {"4"}, "error: the check on $c.used fails"},
    {"check $c.used = $n", {}, ""},
    {"check $c.used in (8, $n)", {}, ""},
    {"check $c.used between $n and 1", {}, ""},
    // Sums.
    {"add $c.used = 0 - $n", {"2"}, "used 1"},
    {"add $c.used = $n", {"2"}, "used 5"},
    {"add $c.used = $n", {"1.5"}, "error: the field used must be a whole number"},
    {"add $c.half = $n", {"1.5"}, "half 3"},
    {"add $c.used = $n", {}, ""},
    {"set $c.used = $c.used - $n - 1", {"2"}, "used 0"},
    {"set $c.used = $c.used - $n", {}, ""},
    {"set $c.used = 10 - $c.used", {}, "used 7"},
    {"set $c.used = 10 - 2 * 3", {}, "used 4"},
    {"set $c.used = $c.most + $c.most * $n", {"4"}, "used 15"},
    {"set $c.used = $c.most * $c.most - $c.used", {}, "used 6"},
    {"set $c.used = 1 + $c.half", {}, "error: the field used must be a whole number"},
    {"set $c.used = $c.half + $c.half", {}, ""},  // 3, as before
    {"set $c.used = $c.most, $c.most = $c.used + 1", {}, "most 4"},
    {"{ set $c.most = $c.used + 1; set $c.used = $c.most }", {}, "most 4"},
    {"{ add $c.used = 1; add $c.used = $n }", {"5"}, "used 9"},
    {"{ add $c.used = 1; add $c.used = $c.most }", {}, "used 7"},
    {"add $c.used = $c.most", {}, "used 6"},
    {"add $c.used = $o.cap", {}, "used 10"},
    {"add $c.most = 7", {}, "most 10"},
    {"add $c.most = 8", {}, "error: the field most is more than its max 10"},
    {"add $c.most = $o.cap + 1", {}, "error: the field most is more than its max 10"},
    {"{ add $c.most = 20; add $c.most = 0 - 15 }", {}, "most 8"},
    {"set $c.most = $c.used + 8", {}, "error: the field most is more than its max 10"},
    {"set $c.most = $d.used", {}, "most 9"},
    {"set $c.used = $d.used + $c.used", {}, "used 12"},
    {"set $c.used = $d.used + $o.cap - 1", {}, "used 15"},
    {"set $c.name = $d.name, $c.nick = $c.name", {}, "name \"Dee\", nick \"Cee\""},
    {"set $c.name = $c.id", {}, "name \"c\""},
    {"set $c.name = $d.id", {}, "name \"d\""},
    {"set $c.name = $t", {"null", "\"T\""}, "name \"T\""},
    {"set $c.name = $t, $c.used = 8", {}, "used 8"},
    {"set $c.name = $o.title", {}, "name \"Big\""},
    {"set $c.name = $d.org.title", {}, "name \"Big\""},
    {"set $c.kind = $c.name", {}, "error: the field kind must be one of enum(small, large)"},
    // Missing values: a sum starts from nothing, and everything else needs its operands.
    {"add $c.extra = 2", {}, "extra 2"},
    {"{ add $c.extra = 2; add $c.extra = 3 }", {}, "extra 5"},
    {"add $d.extra = 2", {}, ""},
    {"set $c.extra = $c.extra + 2", {}, "error: a value that the field extra is computed from is missing"},
    {"set $c.used = $c.extra", {}, "error: a value that the field used is computed from is missing"},
    {"set $c.used = $c.used + $c.extra - 1",
     {},
     "error: a value that the field used is computed from is missing"},
    {"add $c.used = $c.extra", {}, "error: a value that the field used is computed from is missing"},
    {"set $c.used = $d.extra", {}, "used 6"},
    {"{ check $c.used > 100; set $c.extra = $c.extra + 2 }",
     {},
     "error: a value that the field extra is computed from is missing"},
    // Sets.
    {"add $c.tags = [\"z\"]", {}, "tags [\"x\",\"y\",\"z\"]"},
    {"{ add $c.tags = [\"z\"]; add $c.tags = [\"w\", \"x\"] }", {}, "tags [\"w\",\"x\",\"y\",\"z\"]"},
    {"add $c.more = [\"z\"]", {}, "more [\"z\"]"},
    {"add $c.more = $c.tags", {}, "more [\"x\",\"y\"]"},
    {"check $c.tags = [\"y\", \"x\"]", {}, ""},
    {"check $c.tags <> [\"x\"]", {}, ""},
    // Inside objects and maps.
    {"set $c.place.n = $n", {"8"}, "place {\"city\":\"Rome\",\"n\":8}"},
    {"set $c.place.n = $c.place.n + $c.used", {}, "place {\"city\":\"Rome\",\"n\":5}"},
    {"set $c.place.n = $c.place.n + $c.used + 1", {}, "place {\"city\":\"Rome\",\"n\":6}"},
    {"set $c.place.n = $d.place.n", {}, "place {\"city\":\"Rome\",\"n\":5}"},
    {"add $c.place.n = 5", {}, "place {\"city\":\"Rome\",\"n\":7}"},
    {"{ add $c.place.n = 5; add $c.place.n = 1 }", {}, "place {\"city\":\"Rome\",\"n\":8}"},
    {"{ set $c.place.n = 1; set $c.place.city = $d.place.city }", {}, "place {\"city\":\"Oslo\",\"n\":1}"},
    {"set $c.used = $c.place.n", {}, "used 2"},
    {"remove $c.place.n", {}, "place {\"city\":\"Rome\"}"},
    {"set $c.left.b = $n", {"8"}, "left {\"a\":1,\"b\":8}"},
    {"add $c.left.b = 4", {}, "left {\"a\":1,\"b\":4}"},
    {"remove $c.left.a", {}, "left {}"},
    {"remove $c.left.z", {}, ""},
    {"set $c.spot.n = 1", {}, "error: there is no spot to put n into"},
    {"remove $c.spot.n", {}, ""},
    {"remove $c.nick", {}, ""},
    // Two parameters that turn out to be the same entity.
    {"{ set $c.used = 1; set $e.used = 2 }",
     {},
     "error: the field used of the Coupon [o, c] is written twice"},
    {"{ set $c.used = 1; add $e.used = 2 }",
     {},
     "error: the field used of the Coupon [o, c] is written twice"},
    {"{ add $c.used = 1; add $e.used = 2 }", {}, "used 6"},
    {"{ set $c.used = 1; set $e.most = $c.used }", {}, "used 1"},
    {"{ set $c.place = $d.place; set $e.place.n = 1 }",
     {},
     "error: the field place of the Coupon [o, c] is written twice"},
    {"{ delete $c; set $e.most = 2 }",
     {},
     "error: the Coupon [o, c] is changed and deleted in the same operation"},
    {"{ delete $c; delete $e }", {}, "error: the Coupon [o, c] is written as a whole twice"},
    // Somebody who is not there.
    {"check $c.used < $x.used", {}, "error: there is no Coupon [o, none]"},
    {"set $c.used = $x.used", {}, "error: there is no Coupon [o, none]"},
    {"set $x.used = $x.most + $x.most + 1", {}, "error: there is no Coupon [o, none]"},
    {"add $x.used = 1", {}, "error: there is no Coupon [o, none]"},
    {"check $x.extra missing", {}, "error: there is no Coupon [o, none]"},
    {"{ set $x.used = 1; set $c.used = $c.extra + 1 }",
     {},
     "error: a value that the field used is computed from is missing"},
};

// What of a coupon is different, as "name value", in order.
std::string difference(const std::string& before, const std::string& after) {
  const Value was = *from_plain_json(before), is = *from_plain_json(after);
  std::string out;
  for (const Attribute part : is.view().map()) {
    const auto old = was.view().map().find(part.name);
    if (old && Value(*old) == Value(part.value)) continue;
    out += (out.empty() ? "" : ", ") + std::string(part.name) + " " + to_plain_json(Value(part.value));
  }
  return out;
}

// The coupon that all cases change.
std::string coupon_of(RunningModel& running) {
  const std::string document = running.ask("coupons", {"\"o\""});
  const Value value = *from_plain_json(document.substr(0, document.find('\n')));
  for (const ValueView coupon : value.view().map().find("coupons")->list()) {
    if (coupon.map().find("id")->bytes() == "c") return to_plain_json(Value(coupon));
  }
  return "{}";
}

std::string model_text(const std::string& coupon, const std::string& relation, const std::string& tables) {
  std::string text = "model coupons { " + tables +
                     R"( entity Org { id id; cap int; title }
    entity Coupon within org { id id; used int; most int max 10; half number; name; nick?; extra int?;
      kind enum(small, large)?; place { city; n int? }; spot { n int? }?; left map<number>; tags set<string>?;
      more set<string>?; )" +
                     coupon + " } rel Org 1--* Coupon as coupons / org { size max 9; " + relation +
                     " } pattern coupons(o: Org) = $o { coupons { * } }\n";
  for (size_t i = 0; i < kCases.size(); ++i) {
    std::string parameters;
    for (const Declared& each : parameters_of(kCases[i]))
      parameters += (parameters.empty() ? "" : ", ") + each.name + ": " + each.type;
    text += "op case" + std::to_string(i) + "(" + parameters + ") = " + kCases[i].operation + "\n";
  }
  return text + "}";
}

const std::string kTable = "table app { pk PK; sk SK; tag T; gsi GSI1 GPK / GSK } ";

struct Storage {
  std::string name;
  std::string model;
};

const std::vector<Storage> kStorages = {
    {"ref", model_text("", "via index", "")},
    {"collection", model_text("", "via collection", "")},
    {"keys with fields",
     model_text("key \"O#<org.id>\" / \"C#<id>\"; index GSI1 \"U#<used:000>\" / \"<most:00>#<name>\"", "",
                kTable)},
    {"a key that moves",
     model_text("key \"O#<org.id>\" / \"C#<used:000>#<id>\"; index GSI1 \"I#<org.id>#<id>\" / \"I\"", "",
                kTable)},
    {"field by field", model_text("store eav", "", "")},
    {"embedded in a map", model_text("", "via embed map", "")},
    {"embedded in a list", model_text("", "via embed list", "")},
};

TEST(Operands, MeanTheSameInEveryPlaceAndLayout) {
  for (const Storage& storage : kStorages) {
    RunningModel running(storage.model, std::string(kOperandData));
    ASSERT_TRUE(running.planned().compiled.ok());
    const std::string before = coupon_of(running);
    for (size_t i = 0; i < kCases.size(); ++i) {
      SCOPED_TRACE(storage.name + ": " + kCases[i].operation);
      running.start(std::string(kOperandData));
      std::vector<std::string> arguments;
      for (const Declared& each : parameters_of(kCases[i])) arguments.push_back(each.argument);
      const std::string outcome = running.write("case" + std::to_string(i), arguments);
      const bool is_refused = kCases[i].outcome.starts_with("error: ");
      EXPECT_EQ(outcome, is_refused ? kCases[i].outcome : "");
      const std::string after = coupon_of(running);
      EXPECT_EQ(difference(before, after), is_refused ? "" : kCases[i].outcome);
      EXPECT_EQ(running.audited(), "");
    }
  }
}

}  // namespace
}  // namespace sheaf::run
