#include "language/json_writer.h"
#include "language/syntax_json.h"
#include "language/syntax_words.h"
#include "language/written_parts.h"

namespace sheaf::language {
namespace {

class ModelWriter {
 public:
  std::string run(const Model& model) {
    json_.object([&] {
      text("model", model.name.text);
      doc(model.doc);
      list("tables", model.tables);
      list("entities", model.entities);
      list("relations", model.relations);
      list("layouts", model.layouts);
      list("patterns", model.patterns);
      list("operations", model.operations);
      list("compares", model.compares);
      list("expects", model.expects);
    });
    return json_.take();
  }

 private:
  // Members.

  void text(std::string_view member, std::string_view value) {
    json_.member(member);
    json_.text(value);
  }
  void name(std::string_view member, const std::optional<Name>& value) {
    if (value) text(member, value->text);
  }
  void string(std::string_view member, const std::optional<Text>& value) {
    if (value) text(member, value->text);
  }
  void number(std::string_view member, std::string_view digits) {
    json_.member(member);
    json_.word(written_number(digits));
  }
  void whole(std::string_view member, const std::optional<Whole>& value) {
    if (value) number(member, std::to_string(value->value));
  }
  void flag(std::string_view member, bool value) {
    if (!value) return;
    json_.member(member);
    json_.word("true");
  }
  void doc(const std::string& value) {
    if (!value.empty()) text("doc", value);
  }
  template <typename T>
  void one(std::string_view member, const T& value) {
    json_.member(member);
    write(value);
  }
  template <typename T>
  void optional(std::string_view member, const std::optional<T>& value) {
    if (value) one(member, *value);
  }
  template <typename T>
  void list(std::string_view member, const std::vector<T>& values) {
    if (!values.empty()) full_list(member, values);
  }
  // Also if there are none.
  template <typename T>
  void full_list(std::string_view member, const std::vector<T>& values) {
    json_.member(member);
    json_.array([&] {
      for (const T& value : values) write(value);
    });
  }

  // Values.

  void write(const Name& value) { json_.text(value.text); }
  void write(const Path& path) { json_.text(written(path)); }
  void write(const Template& value) { json_.text(written(value)); }

  void write(const Literal& literal) {
    switch (literal.kind) {
      case Literal::Kind::kString:
        return json_.text(literal.text);
      case Literal::Kind::kNumber:
        return json_.word(written_number(literal.text));
      case Literal::Kind::kTrue:
        return json_.word("true");
      case Literal::Kind::kFalse:
        return json_.word("false");
      case Literal::Kind::kNull:
        return json_.word("null");
      case Literal::Kind::kNow:
        return json_.object([&] { flag("now", true); });
      case Literal::Kind::kList:
        return json_.array([&] {
          for (const Literal& item : literal.items) write(item);
        });
      case Literal::Kind::kMap:
        break;
    }
    json_.object([&] {
      json_.member("map");
      json_.object([&] {
        for (size_t i = 0; i < literal.items.size(); ++i) one(literal.keys[i], literal.items[i]);
      });
    });
  }

  void write(const Operand& operand) {
    if (const auto* literal = std::get_if<Literal>(&operand)) return write(*literal);
    json_.object([&] { one("path", std::get<Path>(operand)); });
  }

  void write(const Expression& expression) {
    if (expression.rest.empty()) return write(expression.first);
    json_.object([&] {
      json_.member("expression");
      json_.array([&] {
        write(expression.first);
        for (const auto& [mark, operand] : expression.rest) {
          json_.object([&, mark = std::string(1, mark), &value = operand] { one(mark, value); });
        }
      });
    });
  }

  void write(const Condition& condition) {
    json_.object([&] {
      one("path", condition.path);
      text("test", word_for(kTestWords, condition.test));
      if (condition.test == Condition::Test::kBetween || condition.test == Condition::Test::kIn) {
        full_list("values", condition.operands);
      } else if (!condition.operands.empty()) {
        one("value", condition.operands.front());
      }
    });
  }

  void write(const Type& type) {
    const std::string_view scalar = word_for(kScalarWords, type.kind);
    if (!scalar.empty()) return json_.text(scalar);
    json_.object([&] {
      if (type.kind == Type::Kind::kEnum) {
        full_list("enum", type.values);
      } else if (type.kind == Type::Kind::kObject) {
        full_list("fields", type.fields);
      } else {
        one(word_for(kContainerWords, type.kind), type.element.front());
      }
    });
  }

  // A field is a string unless another type is said.
  void type_unless_string(const std::optional<Type>& type) {
    if (type && type->kind != Type::Kind::kString) one("type", *type);
  }

  void write(const Field& field) {
    json_.object([&] {
      text("name", field.name.text);
      doc(field.doc);
      flag("id", field.is_id);
      type_unless_string(field.type);
      flag("optional", field.is_optional);
      flag("unique", field.is_unique);
      flag("immutable", field.is_immutable);
      if (field.changes != Changes::kUnsaid) text("changes", word_for(kChangesWords, field.changes));
      optional("default", field.default_value);
      whole("max", field.max);
      string("matches", field.matches);
      string("since", field.since);
      name("stored_as", field.stored_as);
      name("count_of", field.count_of);
    });
  }

  void keys(const Keys& keys) {
    one("pk", keys.pk);
    optional("sk", keys.sk);
  }
  void write(const Keys& value) {
    json_.object([&] { keys(value); });
  }
  void write(const IndexKeys& index) {
    json_.object([&] {
      text("index", index.index.text);
      keys(index.keys);
      list("when", index.when);
    });
  }
  void physical(const Physical& physical) {
    name("in", physical.table);
    string("tag", physical.tag);
    if (physical.store) text("store", word_for(kStoreWords, *physical.store));
    optional("key", physical.key);
    optional("second_key", physical.second_key);
    list("indexes", physical.indexes);
  }

  // Declarations.

  void write(const KeyAttribute& attribute) {
    if (!attribute.type || attribute.type->kind == Type::Kind::kString) return write(attribute.name);
    json_.object([&] {
      text("name", attribute.name.text);
      one("type", *attribute.type);
    });
  }

  void write(const Gsi& gsi) {
    json_.object([&] {
      text("name", gsi.name.text);
      text("pk", gsi.pk.text);
      name("sk", gsi.sk);
      if (gsi.projection == Gsi::Projection::kKeys) text("projection", "keys");
      if (gsi.projection == Gsi::Projection::kInclude) full_list("projection", gsi.included);
    });
  }

  void write(const Table& table) {
    json_.object([&] {
      text("name", table.name.text);
      doc(table.doc);
      optional("pk", table.pk);
      optional("sk", table.sk);
      name("tag", table.tag);
      name("ttl", table.ttl);
      list("indexes", table.indexes);
    });
  }

  void write(const Entity& entity) {
    json_.object([&] {
      text("name", entity.name.text);
      doc(entity.doc);
      name("within", entity.within);
      list("fields", entity.fields);
      flag("timestamps", entity.timestamps);
      flag("versioned", entity.versioned);
      name("ttl", entity.ttl);
      physical(entity.physical);
    });
  }

  void write(const Copy& copy) {
    json_.object([&] {
      text("end", copy.end.text);
      if (copy.all) {
        text("fields", "*");
      } else {
        full_list("fields", copy.fields);
      }
    });
  }

  void write(const Via& via) {
    const std::string_view kind = word_for(kViaWords, via.kind);
    const bool is_word = via.embed_as == Via::EmbedAs::kUnsaid && !via.on && !via.ids && !via.pk &&
                         via.copies.empty() && via.physical.empty();
    if (is_word) return json_.text(kind);
    json_.object([&] {
      text("kind", kind);
      if (via.embed_as != Via::EmbedAs::kUnsaid) text("as", word_for(kEmbedWords, via.embed_as));
      name("on", via.on);
      name("ids", via.ids);
      name("pk", via.pk);
      list("copies", via.copies);
      physical(via.physical);
    });
  }

  void entities(std::string_view member, const std::vector<Name>& names) {
    if (names.size() == 1) {
      text(member, names.front().text);
    } else {
      full_list(member, names);
    }
  }

  void write(const Required& required) {
    if (required.end) {
      write(*required.end);
    } else {
      json_.word("true");
    }
  }

  void write(const Size& size) {
    json_.object([&] {
      name("of", size.end);
      whole("average", size.average);
      whole("max", size.max);
      flag("unbounded", !size.max);
    });
  }

  void write(const Relation& relation) {
    json_.object([&] {
      entities("from", relation.from);
      text("cardinality", word_for(kCardinalityWords, relation.cardinality));
      entities("to", relation.to);
      text("forward", relation.forward.text);
      name("backward", relation.backward);
      doc(relation.doc);
      optional("via", relation.via);
      if (relation.required.size() == 1 && !relation.required.front().end) {
        flag("required", true);
      } else {
        list("required", relation.required);
      }
      list("sizes", relation.sizes);
      list("edge_fields", relation.edge_fields);
      if (relation.on_delete) text("on_delete", word_for(kOnDeleteWords, relation.on_delete->first));
      flag("unchecked", relation.unchecked);
      flag("loops", relation.loops);
    });
  }

  void write(const LayoutEntity& entity) {
    json_.object([&] {
      text("name", entity.name.text);
      physical(entity.physical);
    });
  }

  void write(const LayoutRelation& relation) {
    json_.object([&] {
      text("entity", relation.entity.text);
      text("end", relation.end.text);
      one("via", relation.via);
    });
  }

  void write(const Layout& layout) {
    json_.object([&] {
      text("name", layout.name.text);
      doc(layout.doc);
      name("extends", layout.extends);
      list("tables", layout.tables);
      list("entities", layout.entities);
      list("relations", layout.relations);
    });
  }

  // Patterns and operations.

  void write(const Parameter& parameter) {
    json_.object([&] {
      text("name", parameter.name.text);
      if (const auto* entity = std::get_if<Name>(&parameter.type)) {
        text("entity", entity->text);
      } else {
        one("type", std::get<Type>(parameter.type));
      }
      flag("optional", parameter.is_optional);
    });
  }

  void write(const Order& order) {
    json_.object([&] {
      one("by", order.path);
      flag("descending", order.direction == Direction::kDescending);
    });
  }

  void tail(const Tail& tail) {
    list("where", tail.where);
    list("filter", tail.filter);
    optional("order", tail.order);
    whole("limit", tail.limit);
    whole("page", tail.page);
    if (tail.selects) full_list("select", tail.selection);
  }

  static bool is_empty(const Tail& tail) {
    return tail.where.empty() && tail.filter.empty() && !tail.order && !tail.limit && !tail.page &&
           !tail.selects;
  }

  void write(const Selection& selection) {
    if (selection.kind == Selection::Kind::kAll) return json_.text("*");
    if (selection.kind == Selection::Kind::kNested && is_empty(selection.tail))
      return json_.text(written(selection.step));
    json_.object([&] {
      if (selection.kind == Selection::Kind::kAggregate) {
        text("name", selection.step.name.text);
        text("aggregate", word_for(kAggregateWords, selection.aggregate));
        optional("of", selection.expression);
      } else {
        text("step", written(selection.step));
        tail(selection.tail);
      }
    });
  }

  void write(const Budget& budget) {
    json_.object([&] {
      whole("count", budget.count);
      text("unit", word_for(kBudgetWords, budget.unit));
    });
  }

  void write(const Rate& rate) {
    json_.object([&] {
      number("count", rate.count);
      text("per", word_for(kRateWords, rate.per));
    });
  }

  void clauses(const Clauses& clauses) {
    list("budgets", clauses.budgets);
    optional("rate", clauses.rate);
    flag("strong", clauses.strong.has_value());
    flag("snapshot", clauses.snapshot.has_value());
    if (clauses.prefer) text("prefer", word_for(kPreferWords, *clauses.prefer));
    whole("reads_max", clauses.reads_max);
  }

  void write(const Pattern& pattern) {
    json_.object([&] {
      text("name", pattern.name.text);
      doc(pattern.doc);
      list("parameters", pattern.parameters);
      flag("one", pattern.read.one);
      text("from", written_source(pattern.read));
      tail(pattern.read.tail);
      clauses(pattern.clauses);
    });
  }

  void write(const std::pair<Path, Expression>& assignment) {
    json_.object([&] {
      one("path", assignment.first);
      one("value", assignment.second);
    });
  }

  void write(const std::pair<Name, Operand>& edge_value) {
    json_.object([&] {
      text("name", edge_value.first.text);
      one("value", edge_value.second);
    });
  }

  void write(const Write& write) {
    json_.object([&] {
      text("kind", word_for(kWriteWords, write.kind));
      switch (write.kind) {
        case Write::Kind::kPut:
        case Write::Kind::kUpsert:
        case Write::Kind::kDelete:
          return one("path", write.paths[0]);
        case Write::Kind::kSet:
        case Write::Kind::kAdd:
          return full_list("assignments", write.assignments);
        case Write::Kind::kRemove:
          return full_list("paths", write.paths);
        case Write::Kind::kLink:
        case Write::Kind::kUnlink:
          one("path", write.paths[0]);
          one("to", write.paths[1]);
          return list("edge", write.edge_values);
        case Write::Kind::kCheck:
          return full_list("conditions", write.conditions);
      }
    });
  }

  void write(const Operation& operation) {
    json_.object([&] {
      text("name", operation.name.text);
      doc(operation.doc);
      list("parameters", operation.parameters);
      full_list("writes", operation.writes);
      clauses(operation.clauses);
    });
  }

  void write(const Compare& compare) {
    json_.object([&] {
      if (!compare.relation) return full_list("layouts", compare.layouts);
      text("entity", compare.relation->first.text);
      text("end", compare.relation->second.text);
      full_list("ways", compare.ways);
    });
  }

  void write(const Expectation& expectation) {
    json_.object([&] {
      text("what", word_for(kExpectationWords, expectation.what));
      number(expectation.at_most ? "at_most" : "is", expectation.number);
    });
  }

  void write(const Expect& expect) {
    json_.object([&] {
      text("pattern", expect.pattern.text);
      list("arguments", expect.arguments);
      full_list("expectations", expect.expectations);
    });
  }

  JsonWriter json_;
};

}  // namespace

std::string to_json(const Model& model) { return ModelWriter().run(model); }

}  // namespace sheaf::language
