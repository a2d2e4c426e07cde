#include "clients/model_shapes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <sstream>

#include "clients/openapi.h"
#include "model/compiled_model.h"

namespace sheaf::clients {
namespace {

std::string text_of(const Shape& shape) {
  using Kind = Shape::Kind;
  std::string text;
  const auto join = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  switch (shape.kind) {
    case Kind::kText:
      return shape.format.empty() ? "text" : shape.format;
    case Kind::kNumber:
      return "number";
    case Kind::kWhole:
      return "whole";
    case Kind::kFlag:
      return "flag";
    case Kind::kAny:
      return "any";
    case Kind::kEnum:
      for (const std::string& value : shape.values) join(value);
      return "(" + text + ")";
    case Kind::kList:
      return (shape.is_set ? "set " : "list ") + text_of(shape.elements.front());
    case Kind::kMap:
      return "map " + text_of(shape.elements.front());
    case Kind::kTuple:
      for (const Shape& element : shape.elements) join(text_of(element));
      return "[" + text + "]";
    case Kind::kObject:
      for (const Member& member : shape.members)
        join(member.name + (member.is_optional ? "? " : " ") + text_of(member.shape));
      return "{" + text + "}";
    case Kind::kNamed:
      break;
  }
  return shape.name;
}

class Shapes {
 public:
  explicit Shapes(const std::string& text, std::string_view layout = "default")
      : compiled_(model::compile("test.sheaf", text)) {
    EXPECT_TRUE(compiled_.ok()) << compiled_.rendered();
    shapes_ = shapes_of(compiled_.model, *compiled_.find_layout(layout));
  }

  std::string type(const std::string& name) const {
    const Shape* const shape = shapes_.find(name);
    return shape == nullptr ? "none" : text_of(*shape);
  }
  std::string document(const std::string& pattern) const {
    for (const PatternShape& each : shapes_.patterns) {
      if (each.name == pattern)
        return (each.is_single ? "one " : "pages ") + text_of(each.document) + " of " +
               text_of({.kind = Shape::Kind::kObject, .members = each.parameters});
    }
    return "none";
  }
  std::string operation(const std::string& name) const {
    for (const OperationShape& each : shapes_.operations) {
      if (each.name == name) return text_of({.kind = Shape::Kind::kObject, .members = each.parameters});
    }
    return "none";
  }
  const ModelShapes& all() const { return shapes_; }

 private:
  model::CompiledModel compiled_;
  ModelShapes shapes_;
};

std::string example(const std::string& name) {
  std::ifstream stream(std::string(SHEAF_MODELS) + "/" + name + "/model.sheaf");
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

TEST(ModelShapes, ADocumentIsItsEntityWhereItIsTheSame) {
  const Shapes hr(example("hr"));
  EXPECT_EQ(hr.type("Employee"), "{id text, name text}");
  EXPECT_EQ(hr.document("team"), "pages Employee of {d DepartmentId}");
  EXPECT_EQ(hr.document("teamIds"), "pages TeamIdsDocument of {d DepartmentId}");
  EXPECT_EQ(hr.type("TeamIdsDocument"), "{id text}");
  EXPECT_EQ(hr.document("home"), "one Department of {e EmployeeId}");
}

TEST(ModelShapes, AnEndThatIsFollowedSeveralTimesIsAListThatTellsDepths) {
  const Shapes shapes(R"(model hr {
    entity Employee { id id; name }
    rel Employee 1--* Employee as reports / manager { size max 9 }
    pattern above(e: Employee) = $e.manager^3
    pattern both(e: Employee) = $e { name, manager^2 {}, reports }
  })");
  EXPECT_EQ(shapes.document("above"), "pages AboveDocument of {e EmployeeId}");
  EXPECT_EQ(shapes.type("AboveDocument"), "{id text, name text, depth whole}");
  EXPECT_EQ(shapes.type("BothDocument"),
            "{id text, name text, manager list BothDocumentManager, reports list Employee}");
  EXPECT_EQ(shapes.type("BothDocumentManager"), "{id text, depth whole}");
}

TEST(ModelShapes, NestedDocumentsLeaveTheirParentOut) {
  const Shapes support(example("support"));
  EXPECT_EQ(support.type("UserId"), "[text, text]");
  EXPECT_EQ(support.type("User"), "{name text, email text, org OrgId}");
  EXPECT_EQ(support.document("orgAndUsers"), "one OrgAndUsersDocument of {o OrgId}");
  EXPECT_EQ(support.type("OrgAndUsersDocument"),
            "{name text, plan (FREE, PRO), users list OrgAndUsersDocumentUsers}");
  EXPECT_EQ(support.type("OrgAndUsersDocumentUsers"), "{name text, email text}");
}

TEST(ModelShapes, EdgesAndEndsThatLeadToOneAreThere) {
  const Shapes billing(example("billing"));
  EXPECT_EQ(billing.type("InvoiceDocument"),
            "{id text, date date, status (OPEN, PAID), customer? Customer, bills list InvoiceDocumentBills}");
  EXPECT_EQ(billing.type("InvoiceDocumentBills"), "{id text, amount number, edge InvoiceBillsEdge}");
  EXPECT_EQ(billing.type("InvoiceBillsEdge"), "{share number}");
  EXPECT_EQ(billing.operation("link.Invoice.bills"), "{id InvoiceId, to BillId, edge InvoiceBillsEdge}");
}

TEST(ModelShapes, AggregatesAreNumbersOrWhatTheyAreTheLeastOf) {
  const Shapes shapes(R"(model m {
    entity Order { id id; doc string? }
    entity Line within order { sku id; price number; at time; note int? }
    rel Order 1--* Line as lines / order { size max 20; on delete cascade }
    pattern sums(o: Order) = $o { *, n: count(lines), total: sum(lines.price), notes: sum(lines.note * 2),
      first: min(lines.at) }
  })");
  EXPECT_EQ(shapes.type("SumsDocument"),
            "{id text, doc? text, n whole, total number, notes number, first? time}");
}

TEST(ModelShapes, WalksOverSeveralStepsTellTheParent) {
  const Shapes shapes(R"(model m {
    entity Hospital { id id }
    entity Ward within hospital { no id int }
    entity Bed within ward { no id int; kind }
    rel Hospital 1--* Ward as wards / hospital { size max 20; on delete cascade }
    rel Ward 1--* Bed as beds / ward { size max 20; on delete cascade }
    pattern ofWard(w: Ward) = $w.beds
    pattern all(h: Hospital) = $h.wards.beds {}
  })");
  EXPECT_EQ(shapes.type("OfWardDocument"), "{no whole, kind text}");
  EXPECT_EQ(shapes.type("AllDocument"), "{no whole, ward WardId}");
}

TEST(ModelShapes, WhatIsPutDependsOnTheLayout) {
  EXPECT_EQ(Shapes(example("addresses")).type("NewCustomer"),
            "{id text, name text, addresses? list EmbeddedAddress}");
  EXPECT_EQ(Shapes(example("addresses"), "collection").type("NewCustomer"), "{id text, name text}");
}

TEST(ModelShapes, AnOperationThatLinksNeedsNoEndInWhatItPuts) {
  const Shapes hr(example("hr"));
  EXPECT_EQ(hr.type("NewEmployee"),
            "{id text, name text, department DepartmentId, manager? EmployeeId, mentor? EmployeeId}");
  EXPECT_EQ(hr.operation("hire"), "{e HireNewEmployee, d DepartmentId}");
  EXPECT_EQ(hr.type("HireNewEmployee"),
            "{id text, name text, department? DepartmentId, manager? EmployeeId, mentor? EmployeeId}");
  EXPECT_EQ(hr.operation("move.Employee.manager"), "{id EmployeeId, to EmployeeId}");
  EXPECT_EQ(hr.operation("put.Employee"), "{document NewEmployee}");
}

TEST(ModelShapes, FieldsOfEveryType) {
  const Shapes shapes(R"(model m {
    entity A {
      id id uuid; n number; i int default 3; b bool; bin binary; t time; d date; u ulid?; x any; e enum(P, Q);
      l list<int>; m map<string>; s set<string>?; o { street; zip int? }; timestamps;
    }
    pattern a(a: A) = $a
  })");
  EXPECT_EQ(shapes.type("A"),
            "{id uuid, n number, i whole, b flag, bin base64, t time, d date, u? ulid, x any, e (P, Q), l "
            "list whole, "
            "m map text, s? set text, o AO, created_at time, updated_at time}");
  EXPECT_EQ(shapes.type("AO"), "{street text, zip? whole}");
  // Ids and defaults are filled in, and timestamps are kept.
  EXPECT_EQ(
      shapes.type("NewA"),
      "{id? uuid, n number, i? whole, b flag, bin base64, t time, d date, u? ulid, x any, e (P, Q), l list "
      "whole, m map text, s? set text, o AO}");
  EXPECT_EQ(shapes.operation("add.A"), "{id AId, fields AAmounts}");
  EXPECT_EQ(shapes.type("AAmounts"), "{n? number, i? whole, s? set text}");
  EXPECT_EQ(shapes.operation("remove.A"), "{id AId, names list (u, s)}");
}

TEST(ModelShapes, EveryNameIsDeclaredOnceAndBeforeItIsUsed) {
  for (const char* const name : {"hr", "shop", "support", "billing", "addresses", "orgs", "purchases"}) {
    const Shapes shapes(example(name));
    std::vector<std::string> known;
    const std::function<void(const Shape&)> check = [&](const Shape& shape) {
      if (shape.kind == Shape::Kind::kNamed) {
        EXPECT_NE(std::find(known.begin(), known.end(), shape.name), known.end()) << shape.name;
      }
      for (const Shape& element : shape.elements) check(element);
      for (const Member& member : shape.members) check(member.shape);
    };
    for (const NamedShape& each : shapes.all().named) {
      EXPECT_EQ(std::find(known.begin(), known.end(), each.name), known.end()) << each.name;
      check(each.shape);
      known.push_back(each.name);
    }
    for (const PatternShape& each : shapes.all().patterns) check(each.document);
  }
}

TEST(OpenApi, HasAPathForEveryPatternAndOperation) {
  const Shapes hr(example("hr"));
  const std::string text = openapi_of(hr.all());
  for (const char* const part :
       {R"("openapi": "3.1.0")", R"("/models/hr/patterns/team": {)", R"("/models/hr/operations/hire": {)",
        R"("/models/hr/operations/link.Employee.manager": {)", R"("$ref": "#/components/schemas/Employee")"})
    EXPECT_NE(text.find(part), std::string::npos) << part;
}

TEST(OpenApi, NullStandsForAParameterThatIsLeftOut) {
  const Shapes shapes(R"(model m {
    entity A { id id; n int; x any? }
    pattern a(a: A, n: int?) = $a filter n = $n
    op set(a: A, x: any?, n: int) = set $a.x = $x, $a.n = $n
  })");
  std::string text = openapi_of(shapes.all());
  std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
  const std::string id = R"({"$ref":"#/components/schemas/AId"})";
  const std::string perhaps = R"({"anyOf":[{"type":"integer"},{"type":"null"}]})";
  for (const std::string& part :
       {R"({"a":)" + id + R"(,"n":)" + perhaps + R"(},"required":["a"])",
        R"("prefixItems":[)" + id + "," + perhaps + R"(],"items":false,"minItems":1)",
        // Anything is null, too.
        R"("prefixItems":[)" + id + R"(,{},{"type":"integer"}],"items":false,"minItems":3)"})
    EXPECT_NE(text.find(part), std::string::npos) << part;
}

}  // namespace
}  // namespace sheaf::clients
