#include "reference/change.h"

#include <algorithm>

namespace sheaf::reference {
namespace {

using Kind = Change::Kind;

class RequestReader {
 public:
  RequestReader(const Schema& schema, const Moment& now, const std::vector<Identity>& generated)
      : schema_(schema), now_(now), generated_(generated), made_{.schema = schema} {}

  Request declared(const language::Operation& operation, const std::vector<Value>& values) {
    made_.operation = &operation;
    std::vector<bool> puts;
    for (const language::Parameter& each : operation.parameters) puts.push_back(is_put(each.name.text));
    auto arguments = arguments_of(schema_, operation.parameters, values, puts);
    if (!arguments) {
      fail("an argument does not fit");
      return std::move(made_);
    }
    made_.arguments = std::move(*arguments);
    read_documents();
    for (const language::Write& write : operation.writes) add_changes(write);
    return std::move(made_);
  }

  Request built_in(const std::string& name, const std::vector<Value>& arguments) {
    const size_t dot = name.find('.'), second = name.find('.', dot + 1);
    const std::string verb = name.substr(0, dot);
    Change change{.entity = *schema_.find_entity(name.substr(dot + 1, second - dot - 1))};
    if (verb == "put" || verb == "upsert") {
      change.kind = verb == "put" ? Kind::kPut : Kind::kUpsert;
      auto document = this->document(change.entity, arguments[0], {});
      if (document) set_document(change, std::move(*document));
    } else if (auto identity = identity_of(schema_, change.entity, arguments[0])) {
      change.identity = std::move(*identity);
      if (verb == "delete") change.kind = Kind::kDelete;
      if (verb == "set" || verb == "add" || verb == "remove") read_parts(verb, arguments[1], change);
      if (verb == "link" || verb == "unlink" || verb == "move")
        read_link(verb, name.substr(second + 1), arguments, change);
    } else {
      fail("no identity");
    }
    made_.changes.push_back(std::move(change));
    return std::move(made_);
  }

 private:
  struct Document {
    Identity identity;
    Fields fields;
    std::vector<std::pair<EndRef, Identity>> ends;
  };

  void fail(std::string why) {
    if (made_.wrong.empty()) made_.wrong = std::move(why);
  }

  bool is_put(const std::string& name) const {
    const auto& writes = made_.operation->writes;
    return std::any_of(writes.begin(), writes.end(), [&](const language::Write& write) {
      return (write.kind == Kind::kPut || write.kind == Kind::kUpsert) &&
             write.paths.front().names.front().text == name;
    });
  }

  size_t entity_of(size_t parameter) const {
    return *schema_.find_entity(std::get<language::Name>(made_.operation->parameters[parameter].type).text);
  }

  // --- Documents: those of parents first, which children may name through a link.

  void read_documents() {
    documents_.resize(made_.arguments.size());
    for (size_t i = 0; i < made_.arguments.size(); ++i) {
      const bool is_entity = std::holds_alternative<language::Name>(made_.operation->parameters[i].type);
      if (!is_entity || !made_.arguments[i].value) continue;
      auto read = document(entity_of(i), *made_.arguments[i].value, linked_ends(i));
      if (!read) return;
      made_.arguments[i].identity = read->identity;
      documents_[i] = std::move(*read);
    }
  }

  // link $e.department $d, from $e.
  std::vector<std::pair<EndRef, Identity>> linked_ends(size_t parameter) const {
    std::vector<std::pair<EndRef, Identity>> ends;
    const auto add = [&](const language::Path& path, const language::Path& to) {
      if (made_.parameter(path) != parameter || path.names.size() != 2 || to.names.size() != 1) return;
      const auto end = schema_.find_end(entity_of(parameter), path.names[1].text);
      const size_t target = made_.parameter(to);
      if (end && target < made_.arguments.size() && made_.arguments[target].identity)
        ends.emplace_back(*end, *made_.arguments[target].identity);
    };
    for (const language::Write& write : made_.operation->writes) {
      if (write.kind == Kind::kLink) add(write.paths[0], write.paths[1]);
      if (write.kind != Kind::kSet) continue;
      for (const auto& [path, expression] : write.assignments) {
        if (const auto* to = std::get_if<language::Path>(&expression.first)) add(path, *to);
      }
    }
    return ends;
  }

  std::optional<Document> document(size_t entity, ValueView value,
                                   std::vector<std::pair<EndRef, Identity>> linked) {
    Document made;
    if (value.type() != Type::kMap) return fail("no document"), std::nullopt;
    for (const Attribute part : value.map()) {
      if (const Field* const field = schema_.find_field(entity, part.name)) {
        if (part.value.type() == Type::kNull && field->is_optional) continue;
        auto stored = field->kept == Field::Kept::kNo ? stored_value(part.value, *field, now_) : std::nullopt;
        if (!stored) return fail("the field " + field->name + " does not fit"), std::nullopt;
        made.fields[field->name] = std::move(*stored);
      } else if (const auto end = schema_.find_end(entity, part.name)) {
        if (!read_end(*end, part.value, made))
          return fail("the end " + std::string(part.name) + " does not fit"), std::nullopt;
      } else {
        return fail("it has no " + std::string(part.name)), std::nullopt;
      }
    }
    if (!find_identity(entity, std::move(linked), made)) return std::nullopt;
    return made;
  }

  bool read_end(EndRef end, ValueView value, Document& made) const {
    if (value.type() == Type::kNull) return true;
    const auto add = [&](ValueView one) {
      auto identity = identity_of(schema_, schema_.end(end).target, one);
      if (identity) made.ends.emplace_back(end, std::move(*identity));
      return identity.has_value();
    };
    if (!schema_.end(end).is_many) return add(value);
    if (value.type() != Type::kList) return false;
    for (const ValueView one : value.list()) {
      if (!add(one)) return false;
    }
    return true;
  }

  // S4.10, S1.2
  bool find_identity(size_t entity, std::vector<std::pair<EndRef, Identity>> linked, Document& made) {
    const Identity* const generated = puts_ < generated_.size() ? &generated_[puts_] : nullptr;
    ++puts_;
    const std::vector<IdentityPart> parts = schema_.identity(entity);
    for (const Field& field : schema_.entities[entity].fields) {
      if (made.fields.contains(field.name) || field.syntax == nullptr) continue;
      const bool is_generated =
          field.type.kind == language::Type::Kind::kUlid || field.type.kind == language::Type::Kind::kUuid;
      if (field.syntax->default_value) {
        made.fields[field.name] = literal_value(*field.syntax->default_value, field.type, now_);
      } else if (is_generated && field.is_id) {
        for (size_t i = 0; i < parts.size(); ++i) {
          if (parts[i].ends.empty() && parts[i].field == field.name)
            made.fields[field.name] = generated != nullptr ? (*generated)[i] : Value("a generated id");
        }
      } else if (!field.is_optional && field.kept == Field::Kept::kNo) {
        return fail("it lacks " + field.name), false;
      }
    }
    const auto& within = schema_.entities[entity].within;
    const Identity* parent = nullptr;
    linked.insert(linked.end(), made.ends.begin(), made.ends.end());
    for (const auto& [end, to] : linked) {
      if (end == within && parent == nullptr) parent = &to;
    }
    if (within && parent == nullptr) return fail("it lacks its parent"), false;
    if (within) made.identity = *parent;
    for (const Field& field : schema_.entities[entity].fields) {
      if (!field.is_id) continue;
      const Value& value = made.fields.at(field.name);
      if (value.type() == Type::kString && value.view().bytes().empty()) return fail("an empty id"), false;
      made.identity.push_back(value);
    }
    return true;
  }

  static void set_document(Change& change, Document document) {
    change.identity = std::move(document.identity);
    change.fields = std::move(document.fields);
    change.ends = std::move(document.ends);
  }

  // --- Writes of a declared operation

  // Each place of `remove` and each condition of `check` is a change of its own: they may name several
  // parameters.
  void add_changes(const language::Write& write) {
    if (!made_.wrong.empty()) return;
    if (write.kind == Kind::kRemove) {
      for (const language::Path& path : write.paths) {
        made_.changes.push_back(change_of(write, path));
        remove(path, made_.changes.back());
      }
    } else if (write.kind == Kind::kCheck) {
      for (const language::Condition& condition : write.conditions) {
        made_.changes.push_back(change_of(write, condition.path));
        made_.changes.back().check = &condition;
      }
    } else {
      const bool is_assignment = write.kind == Kind::kSet || write.kind == Kind::kAdd;
      Change change = change_of(write, is_assignment ? write.assignments.front().first : write.paths.front());
      made_.changes.push_back(std::move(change));
    }
  }

  Change change_of(const language::Write& write, const language::Path& first) {
    const size_t parameter = made_.parameter(first);
    Change change{
        .kind = write.kind, .entity = entity_of(parameter), .identity = *made_.arguments[parameter].identity};
    switch (write.kind) {
      case Kind::kPut:
      case Kind::kUpsert:
        set_document(change, documents_[parameter]);
        break;
      case Kind::kDelete:
      case Kind::kRemove:
      case Kind::kCheck:
        break;
      case Kind::kSet:
      case Kind::kAdd:
        for (const auto& [path, expression] : write.assignments) assign(path, expression, change);
        break;
      case Kind::kLink:
      case Kind::kUnlink:
        change.ends.emplace_back(*schema_.find_end(change.entity, write.paths[0].names[1].text),
                                 *made_.arguments[made_.parameter(write.paths[1])].identity);
        read_edge_values(write, change);
        break;
    }
    return change;
  }

  // S2.5: whether it uses a parameter that was left out.
  bool is_left_out(const language::Operand& operand) const {
    const auto* path = std::get_if<language::Path>(&operand);
    return path != nullptr && !made_.arguments[made_.parameter(*path)].is_given();
  }

  void assign(const language::Path& path, const language::Expression& expression, Change& change) const {
    if (const auto end = schema_.find_end(change.entity, path.names[1].text)) {
      change.ends.emplace_back(
          *end, *made_.arguments[made_.parameter(std::get<language::Path>(expression.first))].identity);
      return;
    }
    bool leaves_out = is_left_out(expression.first);
    for (const auto& [mark, operand] : expression.rest) leaves_out = leaves_out || is_left_out(operand);
    if (leaves_out) return;
    change.assigned.push_back(place(path, change.entity));
    change.assigned.back().expression = &expression;
  }

  Assignment place(const language::Path& path, size_t entity) const {
    Assignment made{.field = schema_.find_field(entity, path.names[1].text)};
    for (size_t i = 2; i < path.names.size(); ++i) made.inside.push_back(path.names[i].text);
    return made;
  }

  void remove(const language::Path& path, Change& change) const {
    if (const auto end = schema_.find_end(change.entity, path.names[1].text)) {
      change.removed_ends.push_back(*end);
    } else {
      change.removed.push_back(place(path, change.entity));
    }
  }

  void read_edge_values(const language::Write& write, Change& change) {
    const std::vector<Field>& fields = schema_.relations[change.ends.front().first.relation].edge_fields;
    for (const auto& [name, operand] : write.edge_values) {
      if (is_left_out(operand)) continue;
      const auto field = std::find_if(fields.begin(), fields.end(),
                                      [&](const Field& each) { return each.name == name.text; });
      std::optional<Value> value;
      if (const auto* literal = std::get_if<language::Literal>(&operand)) {
        value = literal_value(*literal, field->type, now_);
      } else {
        value = argument_value(std::get<language::Path>(operand));
      }
      if (!value || !fits(*value, *field, now_)) return fail("the edge field " + name.text + " does not fit");
      change.edge_fields[name.text] = std::move(*value);
    }
  }

  // $p, or $p.id: what is known without reading.
  std::optional<Value> argument_value(const language::Path& path) const {
    const size_t id = made_.parameter(path);
    const Argument& argument = made_.arguments[id];
    if (path.names.size() == 1) return argument.value;
    const std::vector<IdentityPart> parts = schema_.identity(entity_of(id));
    for (size_t i = 0; i < parts.size(); ++i) {
      std::vector<std::string> names;
      for (const EndRef end : parts[i].ends) names.push_back(schema_.end(end).name);
      names.push_back(parts[i].field);
      const bool is_it =
          std::equal(names.begin(), names.end(), path.names.begin() + 1, path.names.end(),
                     [](const std::string& a, const language::Name& b) { return a == b.text; });
      if (is_it) return (*argument.identity)[i];
    }
    return std::nullopt;
  }

  // --- Built-in operations

  bool check_changeable(const Field& field) {
    if (field.is_id || field.is_immutable || field.kept != Field::Kept::kNo)
      fail(field.name + " does not change");
    return made_.wrong.empty();
  }

  void read_parts(const std::string& verb, ValueView parts, Change& change) {
    change.kind = verb == "set" ? Kind::kSet : verb == "add" ? Kind::kAdd : Kind::kRemove;
    if (change.kind == Kind::kRemove) {
      for (const ValueView name : parts.list()) {
        const std::string text(name.bytes());
        if (const auto end = schema_.find_end(change.entity, text)) {
          if (schema_.end(*end).is_required || schema_.end(*end).is_many) return fail("it is never missing");
          change.removed_ends.push_back(*end);
        } else {
          const Field& field = *schema_.find_field(change.entity, text);
          if (!field.is_optional) return fail(text + " is never missing");
          if (!check_changeable(field)) return;
          change.removed.push_back({.field = &field});
        }
      }
      return;
    }
    for (const Attribute part : parts.map()) {
      if (const auto end = schema_.find_end(change.entity, part.name)) {
        auto to = identity_of(schema_, schema_.end(*end).target, part.value);
        if (!to || schema_.entities[change.entity].within == end) return fail("the end cannot be set");
        change.ends.emplace_back(*end, std::move(*to));
        continue;
      }
      const Field& field = *schema_.find_field(change.entity, part.name);
      if (!check_changeable(field)) return;
      const bool is_set = field.type.kind == language::Type::Kind::kSet;
      if (change.kind == Kind::kAdd && !is_set && part.value.type() != Type::kNumber)
        return fail("no number");
      if ((change.kind == Kind::kSet || is_set) && !stored_value(part.value, field, now_))
        return fail(field.name + " does not fit");
      auto value =
          change.kind == Kind::kSet || is_set ? *stored_value(part.value, field, now_) : Value(part.value);
      change.assigned.push_back({.field = &field, .value = std::move(value)});
    }
  }

  void read_link(const std::string& verb, const std::string& name, const std::vector<Value>& arguments,
                 Change& change) {
    const EndRef end = *schema_.find_end(change.entity, name);
    change.kind = verb == "link" ? Kind::kLink : verb == "unlink" ? Kind::kUnlink : Kind::kSet;
    auto to = identity_of(schema_, schema_.end(end).target, arguments[1]);
    if (!to) return fail("no identity");
    if (verb != "move" && (schema_.end(end).is_required || schema_.end(schema_.back(end)).is_required))
      return fail("what is required is moved, not linked or unlinked");
    if (verb == "move" && schema_.entities[change.entity].within == end)
      return fail("a parent does not change");
    change.ends.emplace_back(end, std::move(*to));
    if (arguments.size() < 3 || arguments[2].type() == Type::kNull) return;
    for (const Attribute part : arguments[2].view().map()) {
      for (const Field& field : schema_.relations[end.relation].edge_fields) {
        if (field.name != part.name) continue;
        auto stored = stored_value(part.value, field, now_);
        if (!stored) return fail("an edge field does not fit");
        change.edge_fields[field.name] = std::move(*stored);
      }
    }
  }

  const Schema& schema_;
  const Moment& now_;
  const std::vector<Identity>& generated_;
  size_t puts_ = 0;
  Request made_;
  std::vector<Document> documents_;  // one a parameter
};

}  // namespace

size_t Request::parameter(const language::Path& path) const {
  const auto& parameters = operation->parameters;
  for (size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].name.text == path.names.front().text) return i;
  }
  return parameters.size();
}

Request read_request(const Schema& schema, const std::string& name, const std::vector<Value>& arguments,
                     const Moment& now, const std::vector<Identity>& generated) {
  RequestReader reader(schema, now, generated);
  for (const language::Operation& operation : schema.model().operations) {
    if (operation.name.text == name) return reader.declared(operation, arguments);
  }
  return reader.built_in(name, arguments);
}

}  // namespace sheaf::reference
