#include <algorithm>
#include <map>
#include <sstream>

#include "base/try.h"
#include "generate/arguments.h"
#include "generate/found_values.h"
#include "measure/data_set.h"
#include "run/data_file.h"
#include "run/data_lines.h"
#include "run/item_codec.h"
#include "run/plain_json.h"

namespace sheaf::measure {
namespace {

using model::EntityId;

struct FoundDocument {
  Value id;
  Value document;
};

void append_parts(std::vector<Value>& parts, ValueView id) {
  if (id.type() != Type::kList) return parts.emplace_back(id), void();
  for (const ValueView part : id.list()) parts.emplace_back(part);
}

// The documents and links of a file, as far as arguments need them; run::read_data checks them.
class FoundData {
 public:
  explicit FoundData(const model::Model& model) : model_(model), documents_(model.entities.size()) {}

  Result<void> add(std::string_view json) {
    const Value file = TRY(run::from_plain_json(json));
    if (file.type() != Type::kMap) return Error{Code::kInvalid, "a data file is an object"};
    for (const Attribute part : file.view().map()) {
      if (part.name == "links" && part.value.type() == Type::kMap) {
        add_links(part.value);
      } else if (const auto entity = model_.find_entity(part.name);
                 entity && part.value.type() == Type::kList) {
        for (const ValueView each : part.value.list()) add_document(*entity, each, nullptr);
      }
    }
    return {};
  }

  const FoundDocument* pick(EntityId entity, generate::Chance& chance) const {
    const auto& all = documents_[entity];
    return all.empty() ? nullptr : &all[chance.below(all.size())];
  }

  // Two who are linked by an end, if any are in the links.
  const std::pair<Value, Value>* linked(model::EndId end, generate::Chance& chance) const {
    const auto found = links_.find({end.relation, end.side});
    return found == links_.end() ? nullptr : &found->second[chance.below(found->second.size())];
  }

 private:
  void add_document(EntityId entity, ValueView document, const Value* parent) {
    if (document.type() != Type::kMap) return;
    const model::Entity& declared = model_.entities[entity];
    std::vector<Value> parts;
    if (declared.within) {
      if (const auto named = document.map().find(model_.end(*declared.within).name)) {
        append_parts(parts, *named);
      } else if (parent != nullptr) {
        append_parts(parts, parent->view());
      }
    }
    for (const model::Field& field : declared.fields) {
      const auto value = field.is_id ? document.map().find(field.name) : std::nullopt;
      if (value) parts.emplace_back(*value);
    }
    if (parts.size() != declared.identity.size()) return;  // its id is made when it is loaded
    Value id = parts.size() == 1 ? parts.front() : Value::list(parts);
    for (const model::EndId end : declared.ends) {
      const auto led = document.map().find(model_.end(end).name);
      if (!led) continue;
      if (!model_.end(end).leads_to_many) {
        links_[{end.relation, end.side}].emplace_back(id, Value(*led));
      } else if (led->type() == Type::kList) {
        for (const ValueView child : led->list()) add_document(model_.end(end).target, child, &id);
      }
    }
    documents_[entity].push_back({.id = std::move(id), .document = Value(document)});
  }

  void add_links(ValueView links) {
    for (const Attribute part : links.map()) {
      const size_t dot = part.name.find('.');
      if (dot == std::string_view::npos || part.value.type() != Type::kList) continue;
      const auto entity = model_.find_entity(part.name.substr(0, dot));
      const auto end = entity ? model_.find_end(*entity, part.name.substr(dot + 1)) : std::nullopt;
      if (!end) continue;
      for (const ValueView link : part.value.list()) {
        if (link.type() != Type::kList) continue;
        std::vector<Value> both;
        for (const ValueView each : link.list()) both.emplace_back(each);
        if (both.size() < 2) continue;
        links_[{end->relation, end->side}].emplace_back(both[0], both[1]);
        if (!model_.relations[end->relation].is_symmetric)
          links_[{end->relation, 1 - end->side}].emplace_back(both[1], both[0]);
      }
    }
  }

  const model::Model& model_;
  std::vector<std::vector<FoundDocument>> documents_;  // by entity
  std::map<std::pair<model::RelationId, int>, std::vector<std::pair<Value, Value>>> links_;
};

// The generator's arguments, with whom and what the file has in their places.
class AdoptedArguments final : public ArgumentSource {
 public:
  AdoptedArguments(const generate::Generator& generator, const FoundData& found)
      : generator_(generator), model_(generator.model()), found_(found) {}

  Result<std::vector<Value>> of(const model::Pattern& pattern, const std::vector<bool>& given,
                                generate::Chance& chance) const override {
    std::vector<Value> values = TRY(generate::arguments(generator_, pattern, given, chance));
    for (size_t i = 0; i < values.size(); ++i) {
      if (!given[i] || !pattern.parameters[i].entity) continue;
      values[i] = TRY(id_of(*pattern.parameters[i].entity, chance));
    }
    adopt(pattern, given, pattern.node, values, chance);
    return values;
  }

  Result<std::vector<Value>> of(const model::Operation& operation, generate::Chance& chance) const override {
    std::vector<Value> values = TRY(generate::arguments(generator_, operation, chance));
    for (size_t i = 0; i < values.size(); ++i) {
      const auto& entity = operation.parameters[i].entity;
      if (!entity || values[i].type() == Type::kNull) continue;
      if (values[i].type() == Type::kMap) {
        values[i] = linked_anew(*entity, values[i], chance);
      } else {
        values[i] = TRY(id_of(*entity, chance));
      }
    }
    for (const model::Write& write : operation.writes) {
      if (write.syntax->kind != language::Write::Kind::kUnlink || write.linked.empty()) continue;
      const auto* const pair = found_.linked(write.places.front().ends.front(), chance);
      if (pair == nullptr) continue;
      values[write.parameter] = pair->first;
      values[write.linked.front()] = pair->second;
    }
    return values;
  }

 private:
  Result<Value> id_of(EntityId entity, generate::Chance& chance) const {
    const FoundDocument* const found = found_.pick(entity, chance);
    if (found == nullptr)
      return Error{Code::kInvalid, "there is no " + model_.entities[entity].name + " in the data"};
    return found->id;
  }

  // A new document whose ends lead to those in the file.
  Value linked_anew(EntityId entity, const Value& document, generate::Chance& chance) const {
    run::Fields fields;
    for (const Attribute part : document.view().map()) fields[std::string(part.name)] = Value(part.value);
    for (const model::EndId end : model_.entities[entity].ends) {
      const auto named = fields.find(model_.end(end).name);
      if (named == fields.end() || model_.end(end).leads_to_many) continue;
      if (const FoundDocument* const target = found_.pick(model_.end(end).target, chance))
        named->second = target->id;
    }
    return Value(run::item_of(fields));
  }

  // Values for the conditions of a node, all of one document.
  void adopt(const model::Pattern& pattern, const std::vector<bool>& given, const model::Node& node,
             std::vector<Value>& values, generate::Chance& chance) const {
    const FoundDocument* const one = found_.pick(node.entity, chance);
    const FoundDocument* const other = found_.pick(node.entity, chance);
    for (const auto* conditions : {&node.where, &node.filter}) {
      for (const model::Condition& condition : *conditions) {
        if (one == nullptr || condition.place.kind != model::Place::Kind::kField ||
            !condition.place.ends.empty())
          continue;
        const std::string& name = model_.entities[node.entity].fields[condition.place.field].name;
        const auto found = one->document.view().map().find(name);
        const auto second = other->document.view().map().find(name);
        for (size_t i = 0; found && i < condition.parameters.size(); ++i) {
          const auto& parameter = condition.parameters[i];
          if (!parameter || !given[*parameter] || pattern.parameters[*parameter].entity) continue;
          values[*parameter] =
              generate::fitted(generate::operand_for(condition.syntax->test, i == 1, Value(*found),
                                                     second ? Value(*second) : Value(*found)),
                               pattern.parameters[*parameter]);
        }
      }
    }
    for (const model::Nested& nested : node.nested) adopt(pattern, given, *nested.node, values, chance);
  }

  const generate::Generator& generator_;
  const model::Model& model_;
  const FoundData& found_;
};

class UsersData final : public DataSet {
 public:
  UsersData(const generate::Generator& generator, DataFile file)
      : generator_(generator), file_(std::move(file)), found_(generator.model()) {}

  Result<void> read() {
    if (!file_.is_lines) return wrong(found_.add(file_.text));
    std::istringstream lines(file_.text);
    for (std::string line; std::getline(lines, line);) {
      if (!line.empty()) TRY(wrong(found_.add(line)));
    }
    return {};
  }

  Result<void> load(Database& database, const PlannedLayout& layout,
                    const LoadProgress& progress) const override {
    if (file_.is_lines) {
      std::istringstream lines(file_.text);
      const auto loaded = run::load_lines(database, layout.model(), layout.stored(), lines, [&](size_t read) {
        if (progress) progress(read, read);
      });
      if (!loaded.ok()) return wrong(loaded.error());
      return {};
    }
    const auto data = run::read_data(layout.model(), layout.stored(), file_.text);
    if (!data.ok()) return wrong(data.error());
    const auto loaded = run::load_data(database, layout.model(), layout.stored(), *data);
    if (!loaded.ok()) return wrong(loaded.error());
    return {};
  }

  Result<Script> script(const std::vector<PlannedLayout>& layouts,
                        const ScriptOptions& options) const override {
    return make_script(generator_, AdoptedArguments(generator_, found_), layouts, options);
  }

 private:
  Error wrong(const Error& error) const { return {error.code, file_.name + ": " + error.message}; }
  Result<void> wrong(const Result<void>& result) const {
    if (!result.ok()) return wrong(result.error());
    return {};
  }

  const generate::Generator& generator_;
  const DataFile file_;
  FoundData found_;
};

}  // namespace

Result<std::unique_ptr<DataSet>> users_data(const generate::Generator& generator, DataFile file) {
  auto made = std::make_unique<UsersData>(generator, std::move(file));
  TRY(made->read());
  return std::unique_ptr<DataSet>(std::move(made));
}

}  // namespace sheaf::measure
