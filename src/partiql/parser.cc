#include "partiql/parser.h"

#include <algorithm>

#include "base/try.h"

namespace sheaf::partiql {
namespace {

using Kind = Expression::Kind;
using Lexeme = Token::Kind;

// How tightly operators bind; a higher one binds more tightly.
enum Precedence : int { kNone = 0, kOr, kAnd, kNot, kEquality, kComparison, kAddition, kMultiplication };

int precedence_of(const Token& token) {
  if (token.is(Lexeme::kKeyword)) {
    if (token.text == "or") return kOr;
    if (token.text == "and") return kAnd;
    if (token.text == "is" || token.text == "is not") return kEquality;
    for (const std::string_view word : {"in", "not in", "between", "not between", "like", "not like"}) {
      if (token.text == word) return kComparison;
    }
    return kNone;
  }
  if (!token.is(Lexeme::kOperator) || token.text == "@") return kNone;
  if (token.text == "=" || token.text == "<>") return kEquality;
  if (token.text[0] == '<' || token.text[0] == '>') return kComparison;
  return token.text == "+" || token.text == "-" || token.text == "||" ? kAddition : kMultiplication;
}

constexpr std::string_view kFunctionWords[] = {
    "exists",           "count",        "avg",        "max",   "min",   "sum",  "char_length",
    "character_length", "octet_length", "bit_length", "upper", "lower", "size", "nullif",
    "coalesce",         "sexp",         "list",       "bag"};

constexpr std::string_view kTypeWords[] = {"missing",
                                           "null",
                                           "bool",
                                           "boolean",
                                           "smallint",
                                           "int2",
                                           "integer2",
                                           "int",
                                           "integer",
                                           "int4",
                                           "integer4",
                                           "int8",
                                           "integer8",
                                           "bigint",
                                           "float",
                                           "real",
                                           "decimal",
                                           "dec",
                                           "numeric",
                                           "date",
                                           "time",
                                           "timestamp",
                                           "char",
                                           "character",
                                           "varchar",
                                           "string",
                                           "symbol",
                                           "clob",
                                           "blob",
                                           "double precision",
                                           "character varying",
                                           "struct",
                                           "tuple",
                                           "list",
                                           "sexp",
                                           "bag",
                                           "any"};

template <size_t N>
bool contains(const std::string_view (&words)[N], std::string_view word) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

class Parser {
 public:
  explicit Parser(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  Result<Statement> run() {
    Statement statement;
    statement.what = TRY(read_statement());
    TRY(expect_end());
    statement.parameters = parameters_;
    return statement;
  }

 private:
  const Token& head(size_t ahead = 0) const { return tokens_[std::min(at_ + ahead, tokens_.size() - 1)]; }
  const Token& take() { return tokens_[at_ + 1 < tokens_.size() ? at_++ : at_]; }
  bool skip_keyword(std::string_view word) {
    const bool is_there = head().is_keyword(word);
    if (is_there) take();
    return is_there;
  }
  bool skip(Lexeme kind) {
    const bool is_there = head().is(kind);
    if (is_there) take();
    return is_there;
  }
  Result<void> expect(Lexeme kind) {
    if (skip(kind)) return {};
    return not_well_formed("Expected " + std::string(kind_name(kind)));
  }

  Result<void> expect_end() {
    if (skip(Lexeme::kSemicolon) && !head().is(Lexeme::kEnd))
      return not_well_formed("Unexpected token after semicolon. (Only one query is allowed.)");
    if (!head().is(Lexeme::kEnd)) return not_well_formed("Unexpected token after expression");
    return {};
  }

  // --- Statements

  Result<decltype(Statement::what)> read_statement() {
    using What = decltype(Statement::what);
    if (skip_keyword("select")) return What(TRY(read_select()));
    if (head().is_keyword("insert") && head(1).is_keyword("into")) return What(TRY(read_insert()));
    if (skip_keyword("update")) return What(TRY(read_update()));
    if (skip_keyword("from")) return What(TRY(read_from_first()));
    if (skip_keyword("delete")) return What(TRY(read_delete()));
    if (head().is_keyword("exists") && head(1).is(Lexeme::kLeftParenthesis) && head(2).is_keyword("select")) {
      at_ += 3;
      Exists exists;
      exists.select = TRY(read_select());
      TRY(expect(Lexeme::kRightParenthesis));
      return What(std::move(exists));
    }
    Bare bare;
    bare.expression = TRY(read_expression());
    return What(std::move(bare));
  }

  Result<Select> read_select() {
    Select select;
    if (head().is_operator("*")) {
      take();
      if (head().is(Lexeme::kComma)) return star_with_others();
    } else {
      TRY(read_select_list(select));
    }
    if (!skip_keyword("from")) return not_well_formed("Expected FROM after SELECT list");
    select.from = TRY(read_target());
    TRY(refuse_alias());
    if (skip_keyword("where")) select.where = TRY(read_expression());
    if (skip_keyword("order by")) TRY(read_order(select));
    return select;
  }

  static Error star_with_others() {
    return not_well_formed(
        "Other expressions may not be present in the select list when '*' is used without dot notation.");
  }

  Result<void> read_select_list(Select& select) {
    do {
      if (head().is_operator("*")) return star_with_others();
      if (head().is_keyword("from")) {
        return not_well_formed(
            "Expected identifier or an expression but found unexpected keyword 'from' in a select list.");
      }
      select.projected.push_back(TRY(read_expression()));
      TRY(refuse_alias());
    } while (skip(Lexeme::kComma));
    return {};
  }

  Result<void> read_order(Select& select) {
    do {
      Select::Order order;
      order.by = TRY(read_expression());
      if (skip_keyword("desc")) {
        order.is_descending = true;
      } else {
        skip_keyword("asc");
      }
      select.order.push_back(std::move(order));
    } while (skip(Lexeme::kComma));
    return {};
  }

  Result<void> refuse_alias() {
    const bool is_told = skip_keyword("as");
    if (head().is_name()) return Error{Code::kInvalid, "Aliasing is not supported"};
    if (is_told) return not_well_formed("Expected identifier for AS-alias");
    return {};
  }

  Result<Target> read_target() {
    const Place place = head().place;
    return target_of(TRY(read_path(TRY(read_term()))), place);
  }

  // A table in a statement that changes it.
  Result<Target> read_changed_target() {
    const Place place = head().place;
    return target_of(TRY(read_simple_path()), place);
  }

  static Result<Target> target_of(const Expression& path, const Place& place) {
    std::vector<std::string> names;
    if (path.is(Kind::kName)) names.push_back(path.text);
    for (const Expression& part : path.parts) {
      if (!part.is(Kind::kName) || part.is_index) return unexpected_source(place);
      names.push_back(part.text);
    }
    if (names.empty() || (!path.is(Kind::kName) && !path.is(Kind::kPath))) return unexpected_source(place);
    if (names.size() > 2)
      return Error{Code::kInvalid, "A path may contain at most 2 components in the FROM clause"};
    if (std::any_of(names.begin(), names.end(), [](const std::string& name) { return name.empty(); }))
      return Error{Code::kInvalid, "Path component cannot be an empty string"};
    Target target{.table = names[0], .place = place};
    if (names.size() == 2) target.index = names[1];
    return target;
  }

  static Error unexpected_source(const Place& place) {
    return {Code::kInvalid, "FROM clause may only contain a table and an index at " + place.to_string()};
  }

  Result<Insert> read_insert() {
    at_ += 2;
    Insert insert;
    insert.into = TRY(read_changed_target());
    if (insert.into.index) {
      return Error{Code::kInvalid,
                   "FROM clause may only contain a single table name in data manipulation statements at " +
                       insert.into.place.to_string()};
    }
    insert.is_one = skip_keyword("value");
    insert.value = TRY(read_expression());
    return insert;
  }

  Result<UpdateStatement> read_update() {
    UpdateStatement update;
    update.table = TRY(read_changed_target());
    TRY(refuse_alias());
    TRY(read_actions(update));
    if (skip_keyword("where")) update.where = TRY(read_expression());
    update.returning = TRY(read_returning());
    return update;
  }

  Result<UpdateStatement> read_from_first() {
    UpdateStatement update;
    update.table = TRY(read_target());
    TRY(refuse_alias());
    if (skip_keyword("where")) update.where = TRY(read_expression());
    TRY(read_actions(update));
    update.returning = TRY(read_returning());
    return update;
  }

  Result<void> read_actions(UpdateStatement& update) {
    for (;;) {
      if (skip_keyword("set")) {
        TRY(read_assignments(update.actions));
      } else if (skip_keyword("remove")) {
        Expression path = TRY(read_simple_path());
        update.actions.push_back({.path = std::move(path)});
      } else if (update.actions.empty()) {
        return not_well_formed("Expected data manipulation");
      } else {
        return {};
      }
    }
  }

  Result<void> read_assignments(std::vector<UpdateStatement::Action>& actions) {
    do {
      Expression path = TRY(read_simple_path());
      if (!head().is_operator("=")) return not_well_formed("Expected '='");
      take();
      Expression value = TRY(read_expression());
      actions.push_back({.path = std::move(path), .value = std::move(value)});
    } while (skip(Lexeme::kComma));
    return {};
  }

  Result<Expression> read_simple_path() {
    if (!head().is_name()) return not_well_formed("Expected identifier for simple path");
    return read_path(name_from(take()));
  }

  Result<DeleteStatement> read_delete() {
    if (!skip_keyword("from")) return not_well_formed("Expected FROM after DELETE");
    DeleteStatement statement;
    statement.from = TRY(read_changed_target());
    TRY(refuse_alias());
    if (skip_keyword("where")) statement.where = TRY(read_expression());
    statement.returning = TRY(read_returning());
    return statement;
  }

  Result<Returning> read_returning() {
    if (!skip_keyword("returning")) return Returning::kNothing;
    const bool is_all = skip_keyword("all");
    const bool is_modified = !is_all && skip_keyword("modified");
    const bool is_old = skip_keyword("old");
    const bool is_new = !is_old && skip_keyword("new");
    if ((!is_all && !is_modified) || (!is_old && !is_new))
      return not_well_formed("Expected ( MODIFIED | ALL ) ( NEW | OLD ) in each returning element.");
    if (!head().is_operator("*")) return not_well_formed("Unexpected term");
    take();
    if (is_all) return is_old ? Returning::kAllOld : Returning::kAllNew;
    return is_old ? Returning::kModifiedOld : Returning::kModifiedNew;
  }

  // --- Expressions

  Result<Expression> read_expression(int above = kNone) {
    if (++depth_ > kDepthMax) return not_well_formed("The statement is nested too deeply");
    Expression left = TRY(read_unary());
    while (precedence_of(head()) > above) left = TRY(read_infix(std::move(left)));
    --depth_;
    return left;
  }

  Result<Expression> read_infix(Expression left) {
    const Token& sign = take();
    const int precedence = precedence_of(sign);
    if (head().is(Lexeme::kEnd))
      return not_well_formed("Missing right-hand side expression of infix operator");
    Expression made{.kind = Kind::kCompare, .place = sign.place, .text = sign.text};
    made.is_negated = sign.is(Lexeme::kKeyword) && (sign.text.starts_with("not ") || sign.text == "is not");
    if (sign.is(Lexeme::kKeyword) && sign.text.starts_with("is"))
      return read_is(std::move(made), std::move(left));
    made.parts.push_back(std::move(left));
    if (sign.text.ends_with("between")) {
      made.kind = Kind::kBetween;
      made.parts.push_back(TRY(read_expression(precedence)));
      if (!skip_keyword("and")) return not_well_formed("Expected AND keyword");
      if (head().is(Lexeme::kEnd)) return not_well_formed("Expected expression after AND");
    } else if (sign.text == "in" || sign.text == "not in") {
      made.kind = Kind::kIn;
      if (head().is(Lexeme::kLeftParenthesis) && !head(1).is_keyword("select")) {
        Expression list{.kind = Kind::kList, .place = take().place};
        list.parts = TRY(read_list(Lexeme::kRightParenthesis));
        return finished(std::move(made), std::move(list));
      }
    } else if (sign.text == "and" || sign.text == "or") {
      made.kind = sign.text == "and" ? Kind::kAnd : Kind::kOr;
      // Long chains are one level.
      if (made.parts[0].is(made.kind)) {
        Expression chain = std::move(made.parts[0]);
        return finished(std::move(chain), TRY(read_expression(precedence)));
      }
    } else if (precedence >= kAddition) {
      made.kind = Kind::kBinary;
    } else if (sign.text.ends_with("like")) {
      made.text = "like";
    }
    return finished(std::move(made), TRY(read_expression(precedence)));
  }

  // With its last part.
  static Result<Expression> finished(Expression whole, Expression last) {
    whole.parts.push_back(std::move(last));
    for (const Expression& part : whole.parts) whole.depth = std::max(whole.depth, part.depth + 1);
    if (whole.depth > kDepthMax) return not_well_formed("The statement is nested too deeply");
    return whole;
  }

  Result<Expression> read_is(Expression made, Expression left) {
    made.kind = Kind::kIs;
    if (!head().is(Lexeme::kKeyword) || !contains(kTypeWords, head().text))
      return not_well_formed("Expected type name");
    made.text = take().text;
    return finished(std::move(made), std::move(left));
  }

  Result<Expression> read_unary() {
    if (head().is_keyword("not")) {
      Expression made{.kind = Kind::kNot, .place = take().place};
      return finished(std::move(made), TRY(read_expression(Precedence::kNot)));
    }
    if (!head().is_operator("+") && !head().is_operator("-")) return read_path(TRY(read_term()));
    if (++depth_ > kDepthMax) return not_well_formed("The statement is nested too deeply");
    const Token& sign = take();
    Expression operand = TRY(read_unary());
    --depth_;
    if (operand.is(Kind::kNumber)) {
      if (sign.text == "-")
        operand.text = operand.text[0] == '-' ? operand.text.substr(1) : "-" + operand.text;
      return operand;
    }
    return finished({.kind = Kind::kSign, .place = sign.place, .text = sign.text}, std::move(operand));
  }

  static Expression name_from(const Token& token) {
    return {.kind = Kind::kName, .place = token.place, .text = token.text};
  }

  // What may follow a term: .name and [index].
  Result<Expression> read_path(Expression first) {
    if (!head().is(Lexeme::kDot) && !head().is(Lexeme::kLeftBracket)) return first;
    Expression path{.kind = Kind::kPath, .place = first.place};
    path.parts.push_back(std::move(first));
    for (;;) {
      if (skip(Lexeme::kDot)) {
        if (!head().is_name()) return not_well_formed("Invalid path dot component");
        path.parts.push_back(name_from(take()));
      } else if (skip(Lexeme::kLeftBracket)) {
        Expression index = TRY(read_expression());
        TRY(expect(Lexeme::kRightBracket));
        index.is_index = true;
        path.parts.push_back(std::move(index));
      } else {
        break;
      }
    }
    for (const Expression& part : path.parts) path.depth = std::max(path.depth, part.depth + 1);
    return path;
  }

  Result<Expression> read_term() {
    const Token& token = head();
    switch (token.kind) {
      case Lexeme::kString:
        return Expression{.place = token.place, .value = Value(take().text)};
      case Lexeme::kNumber:
        return Expression{.kind = Kind::kNumber, .place = token.place, .text = take().text};
      case Lexeme::kParameter:
        take();
        return Expression{.kind = Kind::kParameter, .place = token.place, .number = parameters_++};
      case Lexeme::kIdentifier:
      case Lexeme::kQuotedIdentifier:
        if (head(1).is(Lexeme::kLeftParenthesis)) return read_call();
        return name_from(take());
      case Lexeme::kKeyword:
        return read_keyword();
      case Lexeme::kLeftParenthesis:
        return read_group();
      case Lexeme::kLeftBracket:
        return read_collection(Kind::kList, Lexeme::kRightBracket);
      case Lexeme::kLeftBag:
        return read_collection(Kind::kBag, Lexeme::kRightBag);
      case Lexeme::kLeftBrace:
        return read_struct();
      case Lexeme::kOperator:
        return not_well_formed(token.text == "*" ? "Unexpected term" : "Unexpected operator");
      default:
        return not_well_formed("Unexpected term");
    }
  }

  Result<Expression> read_keyword() {
    const Token& token = head();
    if (token.text == "true" || token.text == "false")
      return Expression{.place = token.place, .value = Value(take().text == "true")};
    if (token.text == "null") return Expression{.place = take().place};
    if (token.text == "missing") return Expression{.kind = Kind::kMissing, .place = take().place};
    if (precedence_of(token) != kNone) return not_well_formed("Unexpected operator");
    // A statement that begins with FROM may stand where a value may, as far as the grammar goes.
    if (skip_keyword("from")) {
      TRY(read_from_first());
      return not_well_formed("Unexpected keyword");
    }
    if (contains(kFunctionWords, token.text) && head(1).is(Lexeme::kLeftParenthesis)) return read_call();
    return not_well_formed("Unexpected keyword");
  }

  Result<Expression> read_call() {
    const Token& name = take();
    Expression call{.kind = Kind::kCall, .place = name.place};
    call.text = name.text;
    for (char& c : call.text) {
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    take();
    if (head().is_operator("*")) {
      // count(*)
      take();
      TRY(expect(Lexeme::kRightParenthesis));
      return call;
    }
    call.parts = TRY(read_list(Lexeme::kRightParenthesis));
    return deepened(std::move(call));
  }

  static Expression deepened(Expression whole) {
    for (const Expression& part : whole.parts) whole.depth = std::max(whole.depth, part.depth + 1);
    return whole;
  }

  // Expressions up to and with `end`; there may be none.
  Result<std::vector<Expression>> read_list(Lexeme end) {
    std::vector<Expression> list;
    if (skip(end)) return list;
    do {
      list.push_back(TRY(read_expression()));
    } while (skip(Lexeme::kComma));
    TRY(expect(end));
    return list;
  }

  Result<Expression> read_collection(Kind kind, Lexeme end) {
    Expression made{.kind = kind, .place = take().place};
    made.parts = TRY(read_list(end));
    return deepened(std::move(made));
  }

  // One expression in parentheses is that expression; several are a list.
  Result<Expression> read_group() {
    const Place place = take().place;
    std::vector<Expression> parts = TRY(read_list(Lexeme::kRightParenthesis));
    if (parts.empty()) return not_well_formed("Expression group cannot be empty");
    if (parts.size() > 1) {
      Expression list{.kind = Kind::kList, .place = place};
      list.parts = std::move(parts);
      return deepened(std::move(list));
    }
    return std::move(parts[0]);
  }

  Result<Expression> read_struct() {
    Expression made{.kind = Kind::kStruct, .place = take().place};
    if (skip(Lexeme::kRightBrace)) return made;
    do {
      made.parts.push_back(TRY(read_expression()));
      TRY(expect(Lexeme::kColon));
      made.parts.push_back(TRY(read_expression()));
    } while (skip(Lexeme::kComma));
    TRY(expect(Lexeme::kRightBrace));
    return deepened(std::move(made));
  }

  const std::vector<Token> tokens_;
  size_t at_ = 0;
  uint32_t parameters_ = 0;
  uint32_t depth_ = 0;
};

}  // namespace

Result<Statement> parse(std::string_view text) { return Parser(TRY(tokenize(text))).run(); }

bool is_select(std::string_view text) {
  const Result<std::vector<Token>> tokens = tokenize(text);
  return tokens.ok() && tokens->front().is_keyword("select");
}

}  // namespace sheaf::partiql
