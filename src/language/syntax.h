// A model file as it is written: names are not looked up yet. doc/model-language.md gives the grammar.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "language/source_text.h"

namespace sheaf::language {

struct Name {
  std::string text;
  Span span;

  bool operator==(const Name& other) const { return text == other.text; }
};

struct Text {
  std::string text;  // without its quotes and escapes
  Span span;
};

struct Whole {
  int64_t value = 0;
  Span span;
};

// a.b.c, or $p.a.b
struct Path {
  std::vector<Name> names;
  bool from_parameter = false;
  Span span;
};

struct Literal {
  enum class Kind : uint8_t { kString, kNumber, kTrue, kFalse, kNull, kNow, kList, kMap };
  Kind kind = Kind::kNull;
  std::string text;  // kString: the contents; kNumber: the digits
  std::vector<Literal> items;
  std::vector<std::string> keys;  // kMap: one an item
  Span span;
};

using Operand = std::variant<Literal, Path>;
Span span_of(const Operand& operand);

// operand { (+ | - | *) operand }
struct Expression {
  Operand first;
  std::vector<std::pair<char, Operand>> rest;
  Span span;
};

struct Condition {
  enum class Test : uint8_t {
    kEqual,
    kNotEqual,
    kLess,
    kLessOrEqual,
    kGreater,
    kGreaterOrEqual,
    kBegins,
    kBetween,
    kIn,
    kExists,
    kMissing
  };
  Path path;
  Test test = Test::kEqual;
  std::vector<Operand> operands;
  Span span;
};

struct Field;

struct Type {
  enum class Kind : uint8_t {
    kString,
    kNumber,
    kInt,
    kBool,
    kBinary,
    kTime,
    kDate,
    kUlid,
    kUuid,
    kAny,
    kEnum,
    kList,
    kMap,
    kSet,
    kObject
  };
  Kind kind = Kind::kString;
  std::vector<Name> values;   // kEnum
  std::vector<Type> element;  // kList, kMap, kSet: one
  std::vector<Field> fields;  // kObject
  Span span;
};

enum class Changes : uint8_t { kUnsaid, kRarely, kOften };

struct Field {
  Name name;
  bool is_id = false;
  std::optional<Type> type;  // string if not said
  bool is_optional = false;
  bool is_unique = false;
  bool is_immutable = false;
  Changes changes = Changes::kUnsaid;
  std::optional<Literal> default_value;
  std::optional<Whole> max;
  std::optional<Text> matches;
  std::optional<Text> since;
  std::optional<Name> stored_as;
  std::optional<Name> count_of;
  std::string doc;
  Span span;
  // Of the words that say so.
  Span optional_span;
  Span unique_span;
  Span immutable_span;
};

// <path> or <path:format>
struct Hole {
  enum class Format : uint8_t { kPlain, kRaw, kDigits, kYear, kMonth, kDay, kHour, kShard };
  Path path;
  Format format = Format::kPlain;
  int64_t count = 0;  // kDigits: how many; kShard: of how many
  Span span;
};

struct Template {
  std::vector<std::variant<std::string, Hole>> pieces;
  Span span;
};

struct Keys {
  Template pk;
  std::optional<Template> sk;
  Span span;
};

struct IndexKeys {
  Name index;
  Keys keys;
  std::vector<Condition> when;
  Span span;
};

enum class Store : uint8_t { kItem, kEav, kNone };

// The physical clauses of an entity or a relation.
struct Physical {
  std::optional<Name> table;
  std::optional<Text> tag;
  std::optional<Store> store;
  Span store_span;
  std::optional<Keys> key;
  std::optional<Keys> second_key;  // of edges that are stored in both directions
  std::vector<IndexKeys> indexes;

  bool empty() const { return !table && !tag && !store && !key && !second_key && indexes.empty(); }
};

struct KeyAttribute {
  Name name;
  std::optional<Type> type;  // string if not said
};

struct Gsi {
  enum class Projection : uint8_t { kAll, kKeys, kInclude };
  Name name;
  Name pk;
  std::optional<Name> sk;
  Projection projection = Projection::kAll;
  std::vector<Name> included;
  Span span;
};

struct Table {
  Name name;
  std::optional<KeyAttribute> pk;
  std::optional<KeyAttribute> sk;
  std::optional<Name> tag;
  std::optional<Name> ttl;
  std::vector<Gsi> indexes;
  std::string doc;
  Span span;
};

struct Entity {
  Name name;
  std::optional<Name> within;  // an end of its own, which leads to its parent
  Physical physical;
  bool timestamps = false;
  bool versioned = false;
  std::optional<Name> ttl;
  std::vector<Field> fields;
  std::string doc;
  Span span;
  bool is_damaged = false;  // not all of it could be read
};

struct Copy {
  Name end;
  bool all = false;
  std::vector<Name> fields;
  Span span;
};

struct Via {
  enum class Kind : uint8_t { kAuto, kRef, kCollection, kPath, kGraph, kLists, kEmbed, kIndex, kIds, kEdges };
  enum class EmbedAs : uint8_t { kUnsaid, kMap, kList };
  Kind kind = Kind::kAuto;
  EmbedAs embed_as = EmbedAs::kUnsaid;
  std::optional<Name> on;   // kIndex: the index
  std::optional<Name> ids;  // kIds: the end whose holder keeps them
  std::optional<Name> pk;   // kEdges: one, many, both, or an end
  std::vector<Copy> copies;
  Physical physical;
  Span span;
};

enum class Cardinality : uint8_t { kOneToOne, kOneToMany, kManyToMany };
enum class OnDelete : uint8_t { kCascade, kRestrict, kUnlink };

struct Required {
  std::optional<Name> end;
  Span span;
};

struct Size {
  std::optional<Name> end;
  std::optional<Whole> average;
  std::optional<Whole> max;  // none: unbounded
  Span span;
};

struct Relation {
  std::vector<Name> from;  // more than one: any of these
  Cardinality cardinality = Cardinality::kOneToMany;
  std::vector<Name> to;
  Name forward;                  // a member of `from`
  std::optional<Name> backward;  // a member of `to`; none: symmetric
  std::optional<Via> via;
  std::vector<Required> required;
  std::vector<Size> sizes;
  std::vector<Field> edge_fields;
  std::optional<std::pair<OnDelete, Span>> on_delete;
  bool unchecked = false;
  bool loops = false;
  std::string doc;
  Span span;
  Span loops_span;
  bool is_damaged = false;  // not all of it could be read
};

struct LayoutEntity {
  Name name;
  Physical physical;
  Span span;
};

struct LayoutRelation {
  Name entity;
  Name end;
  Via via;
  Span span;
};

struct Layout {
  Name name;
  std::optional<Name> extends;
  std::vector<Table> tables;
  std::vector<LayoutEntity> entities;
  std::vector<LayoutRelation> relations;
  std::string doc;
  Span span;
};

struct Parameter {
  Name name;
  std::variant<Type, Name> type;  // a Name is an entity
  bool is_optional = false;
  Span span;
};

// end, or end^3
struct Step {
  Name name;
  std::optional<Whole> depth;
};

enum class Direction : uint8_t { kAscending, kDescending };

struct Order {
  Path path;
  Direction direction = Direction::kAscending;
  Span span;
};

struct Selection;

struct Tail {
  std::vector<Condition> where;
  std::vector<Condition> filter;
  std::optional<Order> order;
  std::optional<Whole> limit;
  std::optional<Whole> page;
  // `X + a` is kept as `X { *, a }`.
  std::optional<Span> selects;
  std::vector<Selection> selection;
};

enum class Aggregate : uint8_t { kCount, kSum, kMin, kMax };

// One of `*`, `name: sum(price * quantity)`, `end tail`.
struct Selection {
  enum class Kind : uint8_t { kAll, kAggregate, kNested };
  Kind kind = Kind::kAll;
  Step step;  // kNested; kAggregate: its name
  Aggregate aggregate = Aggregate::kCount;
  std::optional<Expression> expression;
  Tail tail;
  Span span;
};

struct Read {
  bool one = false;
  bool from_parameter = false;
  Name start;  // the parameter, or an entity
  std::vector<Step> steps;
  Tail tail;
  Span span;
};

struct Budget {
  enum class Unit : uint8_t { kRequests, kRounds, kUnits };
  Whole count;
  Unit unit = Unit::kRequests;
  Span span;
};

struct Rate {
  enum class Per : uint8_t { kSecond, kMinute, kHour, kDay };
  std::string count;
  Per per = Per::kSecond;
  Span span;
};

enum class Prefer : uint8_t { kRequests, kUnits };

struct Clauses {
  std::vector<Budget> budgets;
  std::optional<Rate> rate;
  std::optional<Span> strong;
  std::optional<Span> snapshot;
  std::optional<Prefer> prefer;
  std::optional<Whole> reads_max;
};

struct Pattern {
  Name name;
  std::vector<Parameter> parameters;
  Read read;
  Clauses clauses;
  std::string doc;
  Span span;
};

struct Write {
  enum class Kind : uint8_t { kPut, kUpsert, kDelete, kSet, kAdd, kRemove, kLink, kUnlink, kCheck };
  Kind kind = Kind::kPut;
  std::vector<Path> paths;
  std::vector<std::pair<Path, Expression>> assignments;  // kSet, kAdd
  std::vector<std::pair<Name, Operand>> edge_values;     // kLink
  std::vector<Condition> conditions;                     // kCheck
  Span span;
};

struct Operation {
  Name name;
  std::vector<Parameter> parameters;
  std::vector<Write> writes;
  Clauses clauses;
  std::string doc;
  Span span;
};

// Of layouts, or of ways to store one relation.
struct Compare {
  std::vector<Name> layouts;
  std::optional<std::pair<Name, Name>> relation;  // entity and end
  std::vector<Via> ways;
  Span span;
};

struct Expectation {
  enum class What : uint8_t { kRequests, kReads, kReturns, kUnits };
  What what = What::kRequests;
  bool at_most = false;
  std::string number;
};

struct Expect {
  Name pattern;
  std::vector<Literal> arguments;
  std::vector<Expectation> expectations;
  Span span;
};

// What could not be read, so that what follows from it is not told as well.
struct Damage {
  bool is_structural = false;      // in a table, an entity, a relation or a layout
  bool has_lost_entity = false;    // one whose name is not known
  bool has_lost_relation = false;  // one whose ends are not known
  std::vector<std::string> lost;   // patterns and operations, by name
  bool has_lost_pattern = false;   // one whose name is not known
  // What could be read of those that have mistakes: for editors.
  std::vector<Pattern> patterns;
  std::vector<Operation> operations;
};

struct Model {
  Name name;
  std::string doc;
  std::vector<Table> tables;
  std::vector<Entity> entities;
  std::vector<Relation> relations;
  std::vector<Layout> layouts;
  std::vector<Pattern> patterns;
  std::vector<Operation> operations;
  std::vector<Compare> compares;
  std::vector<Expect> expects;
  Damage damage;
};

}  // namespace sheaf::language
