#include "plan/explain_storage.h"

#include <gtest/gtest.h>

#include "plan/planned_model.h"

namespace sheaf::plan {
namespace {

std::string storage(const std::string& text, std::string_view layout = "default") {
  const PlannedModel planned = plan_model(model::compile("test.sheaf", text));
  EXPECT_EQ(planned.compiled.rendered(), "");
  return explain_storage(planned.compiled.model, *planned.compiled.find_layout(layout));
}

double requests(const std::string& text, std::string_view pattern) {
  const PlannedModel planned = plan_model(model::compile("test.sheaf", text));
  for (const PlannedPattern& each : planned.plans.front()) {
    if (each.pattern->name == pattern && each.ok()) return std::get<Plan>(each.plan).cost.requests;
  }
  return -1;
}

// K1 to K8: what each strategy promises, from either end.
TEST(ExplainStorage, TellsWhatEachStrategyPromises) {
  EXPECT_EQ(storage(R"(model shop {
    entity Customer { id id; name }
    entity Address within customer { id id; street }
    entity Order { id id; at date }
    entity Tag { id id }
    entity Note within order { id id; text }
    rel Customer 1--* Address as addresses / customer { via embed map; size max 20 }
    rel Customer 1--* Order as orders / customer { via index copy customer(name); size unbounded }
    rel Order 1--* Note as notes / order { via collection; size max 50 }
    rel Order *--* Tag as tags / orders { via ids tags; size of tags max 10; size of orders max 1000 }
    rel Customer *--* Tag as liked / fans { via edges pk fans; size of liked max 50; size of fans max 500 }
  })"),
            "table shop: PK / SK, 1 index, which is minimal: Order has 1 view\n"
            "  Customer \"CUSTOMER#<id>\" / \"CUSTOMER#<id>\"\n"
            "  Order \"ORDER#<id>\" / \"ORDER#<id>\"\n"
            "    GSI1 \"CUSTOMER#<customer.id>\" / \"ORDER#<id>\"\n"
            "  Tag \"TAG#<id>\" / \"TAG#<id>\"\n"
            "  Note \"ORDER#<order.id>\" / \"NOTE#<id>\"\n"
            "  Customer.liked \"CUSTOMER#<fans.id>\" / \"LIKED#<liked.id>\"\n"
            "    GSI1 \"TAG#<liked.id>\" / \"FANS#<fans.id>\"\n"
            "Customer.addresses via embed map\n"
            "  addresses of a Customer: with its own item, strongly consistent, at most 20\n"
            "  customer of an Address: with its own id, strongly consistent\n"
            "Customer.orders via index on GSI1\n"
            "  orders of a Customer: by the index GSI1, eventually consistent, in the order of <id>\n"
            "  customer of an Order: with its own item, strongly consistent\n"
            "  1 field of customer copied, and kept in step by a job\n"
            "Order.notes via collection\n"
            "  notes of an Order: in the table, strongly consistent, in the order of <id>\n"
            "  order of a Note: with its own item, strongly consistent\n"
            "Order.tags via ids tags\n"
            "  tags of an Order: with its own item, strongly consistent, at most 10\n"
            "  orders of a Tag: not found in this layout\n"
            "Customer.liked via edges pk fans\n"
            "  liked of a Customer: in the table, strongly consistent, in the order of <liked.id>\n"
            "  fans of a Tag: by the index GSI1, eventually consistent, in the order of <fans.id>\n");
}

// Views that share no kind share an index; two of one kind need two.
TEST(ExplainStorage, CountsIndexesAgainstTheFewest) {
  const std::string shared = R"(model many {
    entity A { id id }   entity B { id id }   entity C { id id }   entity D { id id }
    rel A 1--* B as bs / a { via index; size max 9 }
    rel A 1--* C as cs / a { via index; size max 9 }
    rel A 1--* D as ds / a { via index; size max 9 }
    rel B 1--* D as more / b { via index; size max 9 }
  })";
  EXPECT_NE(storage(shared).find("table many: PK / SK, 2 indexes, which is minimal: D has 2 views\n"),
            std::string::npos)
      << storage(shared);
  EXPECT_NE(storage(R"(model loose {
    table loose { pk PK; sk SK; tag T; gsi ONE x / y; gsi TWO z / w }
    entity A { id id }   entity B { id id }
    rel A 1--* B as bs / a { via index on ONE; size max 9 }
  })")
                .find("2 indexes, and no fewer than 1 would do: B has 1 view\n"),
            std::string::npos);
}

// Where a pattern reads a parent with its children, the parent's item lies among them in the index.
TEST(ExplainStorage, AParentJoinsItsChildrenInTheIndex) {
  const std::string head = R"(model hr {
    entity Department { id id; name }
    entity Team { id id; name }
    entity Employee { id id; name }
    rel Department 1--* Employee as staff / department { via index; size max 90 }
    rel Team 1--* Employee as members / team { via index; size max 90 }
    pattern staff(d: Department) = $d.staff
  )";
  EXPECT_EQ(requests(head + "pattern whole(d: Department) = $d { *, staff } }", "whole"), 1);
  EXPECT_EQ(requests(head + "pattern whole(d: Department) = $d { *, staff } strong }", "whole"), -1);
  EXPECT_EQ(requests(head + "pattern ids(d: Department) = $d { staff {} } }", "ids"), 1);
  // Both parents with the same children: two views of Employee, each with one of the parents.
  const std::string both =
      head + "pattern whole(d: Department) = $d { *, staff }  pattern team(t: Team) = $t + members }";
  EXPECT_EQ(requests(both, "whole"), 1);
  EXPECT_EQ(requests(both, "team"), 1);
  EXPECT_NE(storage(both).find("2 indexes, which is minimal: Employee has 2 views\n"), std::string::npos)
      << storage(both);
}

}  // namespace
}  // namespace sheaf::plan
