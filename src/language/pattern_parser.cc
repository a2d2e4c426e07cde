#include "language/pattern_parser.h"

#include "language/parser.h"
#include "language/value_parser.h"

namespace sheaf::language {
namespace {

std::vector<Parameter> parse_parameters(TokenReader& reader) {
  std::vector<Parameter> parameters;
  reader.expect_mark("(");
  if (reader.take_mark(")")) return parameters;
  parse_list(reader, [&] {
    Parameter parameter{.span = reader.here()};
    parameter.name = reader.expect_name("a parameter");
    reader.expect_mark(":");
    if (at_type(reader)) {
      parameter.type = parse_type(reader);
    } else {
      parameter.type = reader.expect_name("a type or an entity");
    }
    parameter.is_optional = reader.take_mark("?");
    parameter.span = reader.since(parameter.span);
    parameters.push_back(std::move(parameter));
  });
  reader.expect_mark(")");
  return parameters;
}

Step parse_step(TokenReader& reader) {
  Step step{.name = reader.expect_name("an end or a field")};
  if (reader.take_mark("^")) step.depth = reader.expect_whole("a depth");
  return step;
}

Tail parse_tail(TokenReader& reader, int depth);

Selection parse_nested(TokenReader& reader, int depth) {
  Selection selection{.kind = Selection::Kind::kNested, .span = reader.here()};
  selection.step = parse_step(reader);
  selection.tail = parse_tail(reader, depth + 1);
  selection.span = reader.since(selection.span);
  return selection;
}

Selection parse_aggregate(TokenReader& reader) {
  Selection selection{.kind = Selection::Kind::kAggregate, .span = reader.here()};
  selection.step.name = reader.expect_name("a name for the aggregate");
  reader.expect_mark(":");
  if (reader.take_word("count")) {
    selection.aggregate = Aggregate::kCount;
  } else if (reader.take_word("sum")) {
    selection.aggregate = Aggregate::kSum;
  } else if (reader.take_word("min")) {
    selection.aggregate = Aggregate::kMin;
  } else if (reader.take_word("max")) {
    selection.aggregate = Aggregate::kMax;
  } else {
    reader.fail_expected("count, sum, min or max",
                         reader.at_word("avg") ? "take sum and count, and divide" : "");
  }
  reader.expect_mark("(");
  selection.expression = parse_expression(reader);
  reader.expect_mark(")");
  selection.span = reader.since(selection.span);
  return selection;
}

void parse_selection(TokenReader& reader, Tail& tail, int depth) {
  const Span begin = reader.here();
  if (depth > kNestingMax) {
    return reader.fail("nested-too-deep", begin,
                       "this is nested more than " + std::to_string(kNestingMax) + " levels deep",
                       "use fewer levels");
  }
  if (reader.take_mark("{")) {
    if (!reader.at_mark("}")) {
      parse_list(reader, [&] {
        const Span here = reader.here();
        if (reader.take_mark("*")) {
          tail.selection.push_back({.kind = Selection::Kind::kAll, .span = here});
        } else if (reader.mark_follows(":")) {
          tail.selection.push_back(parse_aggregate(reader));
        } else {
          tail.selection.push_back(parse_nested(reader, depth));
        }
      });
    }
    reader.expect_mark("}");
  } else {
    tail.selection.push_back({.kind = Selection::Kind::kAll, .span = begin});
    while (reader.take_mark("+")) tail.selection.push_back(parse_nested(reader, depth));
  }
  tail.selects = reader.since(begin);
}

Tail parse_tail(TokenReader& reader, int depth) {
  Tail tail;
  if (reader.take_word("where")) tail.where = parse_conditions(reader);
  if (reader.take_word("filter")) tail.filter = parse_conditions(reader);
  reader.offer({"order"});
  if (reader.at_word("order")) {
    Order order{.span = reader.take().span};
    order.path = parse_path(reader);
    if (reader.take_word("desc")) {
      order.direction = Direction::kDescending;
    } else {
      reader.take_word("asc");
    }
    order.span = reader.since(order.span);
    tail.order = std::move(order);
  }
  const bool is_limit = reader.take_word("limit");
  if (is_limit || reader.take_word("page")) {
    if (reader.at_mark("$"))
      reader.fail_expected("how many",
                           "write a number: what a pattern costs is known before its parameters are");
    (is_limit ? tail.limit : tail.page) = reader.expect_whole("a whole number");
  }
  // A nested `a + b` belongs to the list around it: `$x + a + b` selects a and b.
  if (reader.at_mark("{") || (depth == 0 && reader.at_mark("+"))) parse_selection(reader, tail, depth);
  if (reader.at_one_of({"where", "filter", "order", "limit", "page"})) {
    reader.fail("wrong-order", reader.here(), std::string(reader.text()) + " comes too late here",
                "the order is: where, filter, order, limit or page, { selection }");
  }
  return tail;
}

Read parse_read(TokenReader& reader) {
  Read read{.span = reader.here()};
  read.one = reader.take_word("one");
  read.from_parameter = reader.take_mark("$");
  read.start = reader.expect_name(read.from_parameter ? "a parameter" : "$parameter or an entity");
  while (read.from_parameter && reader.take_mark(".")) read.steps.push_back(parse_step(reader));
  read.tail = parse_tail(reader, 0);
  read.span = reader.since(read.span);
  return read;
}

void parse_budget(TokenReader& reader, Span begin, Clauses& clauses) {
  Budget budget{.count = reader.expect_whole("a whole number")};
  if (reader.take_word("request") || reader.take_word("requests")) {
    budget.unit = Budget::Unit::kRequests;
  } else if (reader.take_word("round") || reader.take_word("rounds")) {
    budget.unit = Budget::Unit::kRounds;
  } else if (reader.take_word("units")) {
    budget.unit = Budget::Unit::kUnits;
  } else {
    reader.fail_expected_word({"requests", "rounds", "units"});
  }
  budget.span = reader.since(begin);
  clauses.budgets.push_back(budget);
}

void parse_rate(TokenReader& reader, Span begin, Clauses& clauses) {
  Rate rate{.count = reader.expect_number("a number")};
  reader.expect_mark("/");
  if (reader.take_word("s")) {
    rate.per = Rate::Per::kSecond;
  } else if (reader.take_word("min")) {
    rate.per = Rate::Per::kMinute;
  } else if (reader.take_word("h")) {
    rate.per = Rate::Per::kHour;
  } else if (reader.take_word("day")) {
    rate.per = Rate::Per::kDay;
  } else {
    reader.fail_expected_word({"s", "min", "h", "day"});
  }
  rate.span = reader.since(begin);
  clauses.rate = std::move(rate);
}

Clauses parse_clauses(TokenReader& reader) {
  Clauses clauses;
  while (!reader.is_lost()) {
    const Span begin = reader.here();
    if (reader.take_word("budget")) {
      parse_budget(reader, begin, clauses);
    } else if (reader.take_word("rate")) {
      parse_rate(reader, begin, clauses);
    } else if (reader.take_word("strong")) {
      clauses.strong = begin;
    } else if (reader.take_word("snapshot")) {
      clauses.snapshot = begin;
    } else if (reader.take_word("prefer")) {
      if (reader.take_word("requests")) {
        clauses.prefer = Prefer::kRequests;
      } else if (reader.take_word("units")) {
        clauses.prefer = Prefer::kUnits;
      } else {
        reader.fail_expected_word({"requests", "units"});
      }
    } else if (reader.take_word("reads")) {
      reader.expect_word("max");
      clauses.reads_max = reader.expect_whole("a whole number");
    } else {
      break;
    }
  }
  return clauses;
}

void parse_link(TokenReader& reader, Write& write) {
  write.paths.push_back(parse_path(reader));
  write.paths.push_back(parse_path(reader));
  if (write.kind != Write::Kind::kLink || !reader.take_mark("{")) return;
  parse_list(reader, [&] {
    Name name = reader.expect_name("an edge field");
    reader.expect_mark("=");
    write.edge_values.emplace_back(std::move(name), parse_operand(reader));
  });
  reader.expect_mark("}");
}

void parse_assignments(TokenReader& reader, Write& write) {
  parse_list(reader, [&] {
    Path path = parse_path(reader);
    reader.expect_mark("=");
    write.assignments.emplace_back(std::move(path), parse_expression(reader));
  });
}

// What writes are called elsewhere.
void fail_write(TokenReader& reader) {
  std::string fix;
  if (reader.at_one_of({"insert", "create", "save", "new"})) fix = "write put";
  if (reader.at_one_of({"update", "modify", "change", "move"})) fix = "write set";
  if (reader.at_one_of({"increment", "inc"})) fix = "write add";
  if (reader.at_one_of({"connect", "join", "attach"})) fix = "write link";
  if (reader.at_one_of({"disconnect", "detach"})) fix = "write unlink";
  if (!fix.empty())
    return reader.fail_expected("put, upsert, delete, set, add, remove, link, unlink or check",
                                std::move(fix));
  reader.fail_expected_word({"put", "upsert", "delete", "set", "add", "remove", "link", "unlink", "check"});
}

Write parse_write(TokenReader& reader) {
  using Kind = Write::Kind;
  Write write{.span = reader.here()};
  const auto taken = [&](std::string_view word, Kind kind) {
    if (!reader.take_word(word)) return false;
    write.kind = kind;
    return true;
  };
  if (taken("put", Kind::kPut) || taken("upsert", Kind::kUpsert) || taken("delete", Kind::kDelete)) {
    write.paths.push_back(parse_path(reader));
  } else if (taken("set", Kind::kSet) || taken("add", Kind::kAdd)) {
    parse_assignments(reader, write);
  } else if (taken("remove", Kind::kRemove)) {
    parse_list(reader, [&] { write.paths.push_back(parse_path(reader)); });
  } else if (taken("link", Kind::kLink) || taken("unlink", Kind::kUnlink)) {
    parse_link(reader, write);
  } else if (taken("check", Kind::kCheck)) {
    write.conditions = parse_conditions(reader);
  } else {
    fail_write(reader);
  }
  write.span = reader.since(write.span);
  return write;
}

Expectation parse_expectation(TokenReader& reader) {
  Expectation expectation;
  if (reader.take_word("requests")) {
    expectation.what = Expectation::What::kRequests;
  } else if (reader.take_word("reads")) {
    expectation.what = Expectation::What::kReads;
  } else if (reader.take_word("returns")) {
    expectation.what = Expectation::What::kReturns;
  } else if (reader.take_word("units")) {
    expectation.what = Expectation::What::kUnits;
  } else {
    reader.fail_expected_word({"requests", "reads", "returns", "units"});
  }
  expectation.at_most = reader.take_mark("<=");
  if (!expectation.at_most) reader.expect_mark("=");
  expectation.number = reader.expect_number("a number");
  return expectation;
}

}  // namespace

Pattern parse_pattern(TokenReader& reader) {
  Pattern pattern{.span = reader.here()};
  pattern.name = reader.expect_name("a name for the pattern");
  pattern.parameters = parse_parameters(reader);
  reader.expect_mark("=");
  pattern.read = parse_read(reader);
  pattern.clauses = parse_clauses(reader);
  pattern.span = reader.since(pattern.span);
  return pattern;
}

Operation parse_operation(TokenReader& reader) {
  Operation operation{.span = reader.here()};
  operation.name = reader.expect_name("a name for the operation");
  operation.parameters = parse_parameters(reader);
  reader.expect_mark("=");
  if (reader.at_mark("{")) {
    parse_block(reader, [&] { operation.writes.push_back(parse_write(reader)); });
  } else {
    operation.writes.push_back(parse_write(reader));
  }
  operation.clauses = parse_clauses(reader);
  operation.span = reader.since(operation.span);
  return operation;
}

Expect parse_expect(TokenReader& reader) {
  Expect expect{.span = reader.here()};
  expect.pattern = reader.expect_name("a pattern");
  reader.expect_mark("(");
  if (!reader.take_mark(")")) {
    parse_list(reader, [&] { expect.arguments.push_back(parse_literal(reader)); });
    reader.expect_mark(")");
  }
  reader.expect_mark(":");
  parse_list(reader, [&] { expect.expectations.push_back(parse_expectation(reader)); });
  expect.span = reader.since(expect.span);
  return expect;
}

}  // namespace sheaf::language
