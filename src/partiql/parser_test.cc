#include "partiql/parser.h"

#include <gtest/gtest.h>

namespace sheaf::partiql {
namespace {

constexpr std::string_view kNotWellFormed = "Statement wasn't well formed, can't be processed: ";

std::string parse_refusal(std::string_view text) {
  const Result<Statement> statement = parse(text);
  EXPECT_FALSE(statement.ok()) << text;
  if (statement.ok()) return "";
  const std::string& message = statement.error().message;
  return message.starts_with(kNotWellFormed) ? "-> " + message.substr(kNotWellFormed.size()) : message;
}

template <typename What>
What parsed(std::string_view text) {
  Result<Statement> statement = parse(text);
  EXPECT_TRUE(statement.ok()) << text << ": " << (statement.ok() ? "" : statement.error().message);
  return statement.ok() ? std::get<What>(std::move(statement->what)) : What{};
}

// As it binds: (a = 1).
std::string shape(const Expression& expression) {
  using Kind = Expression::Kind;
  const auto joined = [&](std::string_view with) {
    std::string text = "(";
    for (const Expression& part : expression.parts)
      text += (text.size() > 1 ? " " + std::string(with) + " " : "") + shape(part);
    return text + ")";
  };
  const std::string negation = expression.is_negated ? "not " : "";
  switch (expression.kind) {
    case Kind::kLiteral:
      return expression.value.to_json();
    case Kind::kNumber:
    case Kind::kName:
      return expression.text;
    case Kind::kParameter:
      return "?" + std::to_string(expression.number);
    case Kind::kAnd:
      return joined("and");
    case Kind::kOr:
      return joined("or");
    case Kind::kNot:
      return "not" + joined("");
    case Kind::kIn:
      return negation + joined("in");
    case Kind::kBetween:
      return negation + joined("between");
    case Kind::kIs:
      return negation + shape(expression.parts[0]) + " is " + expression.text;
    case Kind::kCall:
      return expression.text + joined(",");
    case Kind::kPath:
      return joined(".");
    case Kind::kList:
      return "list" + joined(",");
    case Kind::kBag:
      return "bag" + joined(",");
    case Kind::kStruct:
      return "map" + joined(",");
    default:
      return joined(expression.text);
  }
}

std::string parsed_where(std::string_view condition) {
  return shape(*parsed<Select>("SELECT * FROM t WHERE " + std::string(condition)).where);
}

TEST(PartiqlParser, ReadsASelect) {
  const auto select =
      parsed<Select>("SELECT a, b.c[1] FROM \"my-table\".\"by-date\" WHERE pk = ? ORDER BY pk DESC, sk;");
  EXPECT_EQ(select.projected.size(), 2u);
  EXPECT_EQ(shape(select.projected[1]), "(b . c . 1)");
  EXPECT_EQ(select.from.table, "my-table");
  EXPECT_EQ(select.from.index, "by-date");
  EXPECT_EQ(shape(*select.where), "(pk = ?0)");
  ASSERT_EQ(select.order.size(), 2u);
  EXPECT_TRUE(select.order[0].is_descending);
  EXPECT_FALSE(select.order[1].is_descending);
}

TEST(PartiqlParser, ReadsChanges) {
  const auto insert = parsed<Insert>("INSERT INTO t VALUE {'pk': 'a', 'n': -1, 'l': [1, {'x': <<1, 2>>}]}");
  EXPECT_EQ(
      shape(insert.value),
      R"(map({"S":"pk"} , {"S":"a"} , {"S":"n"} , -1 , {"S":"l"} , list(1 , map({"S":"x"} , bag(1 , 2)))))");
  const auto update = parsed<UpdateStatement>(
      "update t set a = 1, b.c = list_append(b.c, [2]) remove d[0] SET e = e - 1 where pk = 'x' RETURNING "
      "ALL NEW *");
  ASSERT_EQ(update.actions.size(), 4u);
  EXPECT_FALSE(update.actions[2].value);
  EXPECT_EQ(update.returning, Returning::kAllNew);
  const auto first = parsed<UpdateStatement>("FROM t WHERE pk = 'x' SET e = 4");
  EXPECT_EQ(first.actions.size(), 1u);
  EXPECT_TRUE(first.where);
  const auto removal = parsed<DeleteStatement>("DELETE FROM t WHERE pk = 'x' RETURNING MODIFIED OLD *");
  EXPECT_EQ(removal.returning, Returning::kModifiedOld);
  EXPECT_EQ(parsed<Exists>("EXISTS(SELECT * FROM t WHERE pk = 'x' AND a = 1)").select.from.table, "t");
}

TEST(PartiqlParser, OperatorsBindAsInSql) {
  EXPECT_EQ(parsed_where("a = 1 AND b = 2 OR c = 3 AND NOT d = 4"),
            "(((a = 1) and (b = 2)) or ((c = 3) and not((d = 4))))");
  EXPECT_EQ(parsed_where("a = 1 AND (b = 2 OR c = 3)"), "((a = 1) and ((b = 2) or (c = 3)))");
  EXPECT_EQ(parsed_where("a BETWEEN 1 AND 2 AND b NOT IN (1, 2) AND c IN [3]"),
            "((a between 1 between 2) and not (b in list(1 , 2)) and (c in list(3)))");
  EXPECT_EQ(parsed_where("a IS NOT MISSING OR begins_with(b, 'x') = true"),
            "(not a is missing or (begins_with(b , {\"S\":\"x\"}) = {\"BOOL\":true}))");
  EXPECT_EQ(parsed_where("n = - - 2"), "(n = 2)");
  EXPECT_EQ(parsed_where("a != 1"), "(a <> 1)");
}

TEST(PartiqlParser, LongChainsAreNotDeep) {
  std::string text = "SELECT * FROM t WHERE a = 1";
  for (int i = 0; i < 700; ++i) text += " OR a = 1";
  EXPECT_EQ(parsed<Select>(text).where->parts.size(), 701u);
}

TEST(PartiqlParser, NothingIsReadDeeperThanTheStackAllows) {
  for (const auto& [open, close] :
       {std::pair{"(", ")"}, {"NOT ", ""}, {"[", "]"}, {"- ", ""}, {"{'a':", "}"}, {"f(", ")"}}) {
    std::string text = "SELECT * FROM t WHERE a = ";
    for (int i = 0; i < 1000; ++i) text += open;
    text += "b";
    for (int i = 0; i < 1000; ++i) text += close;
    EXPECT_EQ(parse_refusal(text), "-> The statement is nested too deeply") << open;
  }
  std::string sum = "UPDATE t SET a = 1";
  for (int i = 0; i < 1000; ++i) sum += "+1";
  EXPECT_EQ(parse_refusal(sum), "-> The statement is nested too deeply");
}

// The texts are AWS's.
TEST(PartiqlParser, SaysWhatTheGrammarDoesNotKnow) {
  const std::pair<std::string_view, std::string_view> kRefusals[] = {
      {"SLECT * FROM \"T\" WHERE pk = 1", "-> Expected data manipulation"},
      {"UPDATE Payment-x SET a = 1", "-> Expected data manipulation"},
      {"UPDATE T WHERE pk = 1", "-> Expected data manipulation"},
      {"SELECTT * FROMM \"T\"", "-> Unexpected token after expression"},
      {"SELECT * FROM T WHERE pk = 1 foo", "-> Unexpected token after expression"},
      {"SELECT * FROM T WHERE pk = 1)", "-> Unexpected token after expression"},
      {"DELETE FROM T WHERE pk = 1 ORDER BY pk", "-> Unexpected token after expression"},
      {"INSERT INTO T VALUE {'pk': 1} IF NOT EXISTS", "-> Unexpected token after expression"},
      {"SELECT * FROM T; x", "-> Unexpected token after semicolon. (Only one query is allowed.)"},
      {"SELECT * FROM T WHERE", "-> Unexpected term"},
      {"SELECT * FROM T WHERE;", "-> Unexpected term"},
      {"SELECT * FROM T WHERE NOT", "-> Unexpected term"},
      {"SELECT * FROM", "-> Unexpected term"},
      {"", "-> Unexpected term"},
      {"SELECT * FROM T WHERE pk = 1 AND", "-> Missing right-hand side expression of infix operator"},
      {"SELECT * FROM T WHERE pk =", "-> Missing right-hand side expression of infix operator"},
      {"SELECT * FROM T WHERE ORDER BY pk", "-> Unexpected keyword"},
      {"INSERT INTO urls (key, secret) VALUES (?, ?)", "-> Unexpected keyword"},
      {"SELECT * FROM T WHERE IS NULL", "-> Unexpected operator"},
      {"SELECT * FROM T WHERE pk = LIKE", "-> Unexpected operator"},
      {"SELECT * FROM T WHERE x IS FOO", "-> Expected type name"},
      {"DELETE FROM", "-> Expected identifier for simple path"},
      {"DELETE FROM WHERE a = 1", "-> Expected identifier for simple path"},
      {"DELETE T", "-> Expected FROM after DELETE"},
      {"SELECT a T", "Aliasing is not supported"},
      {"SELECT a WHERE b = 1", "-> Expected FROM after SELECT list"},
      {"SELECT * FROM T WHERE m.inner = 1", "-> Invalid path dot component"},
      {"SELECT * FROM T t WHERE pk = 1", "Aliasing is not supported"},
      {"UPDATE T AS t SET a = 1", "Aliasing is not supported"},
      {"SELECT * FROM a.b.c", "A path may contain at most 2 components in the FROM clause"},
      {"SELECT * FROM \"a\".\"\"", "Path component cannot be an empty string"},
      {"INSERT INTO \"abcdefgh\".\"idx\" VALUE {'pk': 1}",
       "FROM clause may only contain a single table name in data manipulation statements at 1:13:10"},
      {"SELECT a, * FROM T",
       "-> Other expressions may not be present in the select list when '*' is used without dot notation."},
      {"SELECT FROM T",
       "-> Expected identifier or an expression but found unexpected keyword 'from' in a select list."},
      {"UPDATE T SET a 1", "-> Expected '='"},
      {"INSERT INTO T t VALUE {'pk': 1}", "-> Unexpected token after expression"},
      {"UPDATE T SET a = 1 WHERE pk = 1 RETURNING ALL",
       "-> Expected ( MODIFIED | ALL ) ( NEW | OLD ) in each returning element."},
      {"UPDATE T SET a = 1 WHERE pk = 1 RETURNING ALL NEW", "-> Unexpected term"},
      {"SELECT * FROM T WHERE a BETWEEN 1 OR 2", "-> Expected AND keyword"},
      {"INSERT INTO T VALUE {'pk' 1}", "-> Expected COLON"},
      {"SELECT * FROM T WHERE a IN [1, 2", "-> Expected RIGHT_BRACKET"},
      {"SELECT * FROM T WHERE (a = 1", "-> Expected RIGHT_PAREN"},
      {"SELECT * FROM T WHERE a = <<1", "-> Expected RIGHT_DOUBLE_ANGLE_BRACKET"},
      {"UPDATE T REMOVE a, b WHERE pk = 1", "-> Unexpected token after expression"},
  };
  for (const auto& [text, message] : kRefusals) EXPECT_EQ(parse_refusal(text), message) << text;
}

TEST(PartiqlParser, TellsWhatOnlyReads) {
  EXPECT_TRUE(is_select(" /* x */ select * from t"));
  EXPECT_FALSE(is_select("UPDATE t SET a = 1"));
  EXPECT_FALSE(is_select("'"));
}

}  // namespace
}  // namespace sheaf::partiql
