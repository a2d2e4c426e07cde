#include "run/basic_change.h"

#include <array>

#include "base/article.h"
#include "base/try.h"
#include "run/document.h"
#include "run/value_check.h"

namespace sheaf::run {
namespace {

using Kind = Change::Kind;

struct Verb {
  std::string_view name;
  Kind kind;
  bool has_end;
  size_t arguments;
};
constexpr std::array kVerbs = {
    Verb{"put", Kind::kPut, false, 1},       Verb{"upsert", Kind::kUpsert, false, 1},
    Verb{"delete", Kind::kDelete, false, 1}, Verb{"set", Kind::kSet, false, 2},
    Verb{"add", Kind::kAdd, false, 2},       Verb{"remove", Kind::kRemove, false, 2},
    Verb{"link", Kind::kLink, true, 2},      Verb{"unlink", Kind::kUnlink, true, 2},
    Verb{"move", Kind::kSet, true, 2}};

std::vector<std::string_view> split_words(std::string_view text) {
  std::vector<std::string_view> parts;
  while (true) {
    const size_t dot = text.find('.');
    parts.push_back(text.substr(0, dot));
    if (dot == std::string_view::npos) return parts;
    text.remove_prefix(dot + 1);
  }
}

class BasicChange {
 public:
  BasicChange(const model::Model& model, const model::Layout& layout, const std::vector<Value>& arguments,
              std::chrono::system_clock::time_point now)
      : model_(model), layout_(layout), arguments_(arguments), now_(now) {}

  Result<Change> run(std::string_view name) {
    const std::vector<std::string_view> parts = split_words(name);
    const Error unknown{Code::kNotFound, "there is no pattern or operation " + std::string(name)};
    const Verb* verb = nullptr;
    for (const Verb& each : kVerbs) {
      if (each.name == parts[0]) verb = &each;
    }
    if (verb == nullptr || parts.size() != (verb->has_end ? 3U : 2U)) return unknown;
    const auto entity = model_.find_entity(parts[1]);
    if (!entity) return Error{Code::kNotFound, "there is no entity " + std::string(parts[1])};
    const size_t most = verb->arguments + (verb->kind == Kind::kLink ? 1 : 0);
    if (arguments_.size() < verb->arguments || arguments_.size() > most)
      return Error{Code::kInvalid, std::string(name) + " takes " + std::to_string(verb->arguments) +
                                       (verb->arguments == 1 ? " argument" : " arguments")};
    Change change{.kind = verb->kind, .entity = *entity};
    if (verb->kind == Kind::kPut || verb->kind == Kind::kUpsert) {
      TRY(read_whole(change));
      return change;
    }
    change.identity = TRY(identity_of(model_, *entity, arguments_[0]));
    if (verb->has_end) {
      TRY(read_end(change, parts[2]));
    } else if (verb->kind != Kind::kDelete) {
      TRY(read_parts(change));
    }
    return change;
  }

 private:
  Result<void> read_whole(Change& change) const {
    Document document = TRY(read_document(model_, layout_, change.entity, arguments_[0], {.now = now_}));
    change.identity = std::move(document.record.identity);
    change.fields = std::move(document.record.fields);
    change.embedded = std::move(document.record.embedded);
    change.ends = std::move(document.ends);
    return {};
  }

  Result<void> read_end(Change& change, std::string_view name) const {
    const auto end = model_.find_end(change.entity, name);
    if (!end)
      return Error{Code::kNotFound,
                   with_article(model_.entities[change.entity].name) + " has no end " + std::string(name)};
    if (change.kind == Kind::kSet && model_.end(*end).leads_to_many)
      return Error{Code::kInvalid, "the end " + std::string(name) + " leads to many: use link and unlink"};
    if (change.kind == Kind::kSet) {
      TRY(check_movable(change.entity, *end));
    } else {
      TRY(check_optional(*end));
    }
    Identity to = TRY(identity_of(model_, model_.end(*end).target, arguments_[1]));
    change.ends.emplace_back(*end, std::move(to));
    const std::vector<model::Field>& fields = model_.relations[end->relation].edge_fields;
    if (arguments_.size() > 2) TRY(read_edge_fields(change, fields));
    if (change.kind == Kind::kLink) fill_link(fields, change.edge_fields, now_);
    return {};
  }

  Result<void> read_edge_fields(Change& change, const std::vector<model::Field>& fields) const {
    if (arguments_[2].type() != Type::kMap)
      return Error{Code::kInvalid, "the fields of a link are an object"};
    for (const Attribute part : arguments_[2].view().map()) {
      const model::Field* found = nullptr;
      for (const model::Field& field : fields) {
        if (field.name == part.name) found = &field;
      }
      if (found == nullptr) return Error{Code::kInvalid, "its links have no field " + std::string(part.name)};
      if (const auto why = misfit(part.value, *found))
        return Error{Code::kInvalid, "the field " + found->name + " " + *why};
      change.edge_fields[found->name] = stored_form(part.value, found->type);
    }
    return {};
  }

  // What must lead to one always does: it can be moved, and neither linked nor unlinked. Every layout says
  // so, before it looks at what is stored.
  Result<void> check_optional(model::EndId end) const {
    for (const model::EndId each : {end, end.other()}) {
      const model::End& declared = model_.end(each);
      if (declared.is_required && !declared.leads_to_many)
        return Error{Code::kInvalid, with_article(model_.entities[declared.holder].name) + " needs its " +
                                         declared.name + ": set another one, or delete it"};
    }
    return {};
  }

  Result<void> check_movable(model::EntityId entity, model::EndId end) const {
    if (model_.entities[entity].within != end) return {};
    return Error{Code::kInvalid,
                 "the end " + model_.end(end).name +
                     " is part of the id, which does not change: delete the entity and put another"};
  }

  Result<const model::Field*> changeable(const Change& change, std::string_view name, bool removes) const {
    const auto id = model_.find_field(change.entity, name);
    const model::Entity& entity = model_.entities[change.entity];
    if (!id) return Error{Code::kInvalid, with_article(entity.name) + " has no field " + std::string(name)};
    const model::Field& field = entity.fields[*id];
    if (field.is_id)
      return Error{Code::kInvalid, "the field " + field.name + " is an id: it does not change"};
    if (field.syntax->is_immutable) return Error{Code::kInvalid, "the field " + field.name + " is immutable"};
    if (field.count_of || field.kept != model::Kept::kNo)
      return Error{Code::kInvalid, "the field " + field.name + " is kept by the operations themselves"};
    if (removes && !field.is_optional)
      return Error{Code::kInvalid, "the field " + field.name + " is never missing"};
    return &field;
  }

  Result<void> read_parts(Change& change) const {
    const ValueView parts = arguments_[1];
    if (change.kind == Kind::kRemove) {
      if (parts.type() != Type::kList) return Error{Code::kInvalid, "remove takes a list of names"};
      for (const ValueView name : parts.list()) {
        const std::string text = name.type() == Type::kString ? std::string(name.bytes()) : std::string();
        if (const auto end = model_.find_end(change.entity, text)) {
          if (model_.end(*end).is_required || model_.end(*end).leads_to_many)
            return Error{Code::kInvalid, "the end " + text + " cannot be removed"};
          change.removed_ends.push_back(*end);
          continue;
        }
        const model::Field* const field = TRY(changeable(change, text, true));
        change.removed.push_back({.field = place(change, *field)});
      }
      return {};
    }
    if (parts.type() != Type::kMap)
      return Error{Code::kInvalid, "the second argument is an object with fields"};
    for (const Attribute part : parts.map()) {
      const auto end = model_.find_end(change.entity, part.name);
      if (end && change.kind == Kind::kSet && !model_.end(*end).leads_to_many) {
        TRY(check_movable(change.entity, *end));
        Identity to = TRY(identity_of(model_, model_.end(*end).target, part.value));
        change.ends.emplace_back(*end, std::move(to));
        continue;
      }
      const model::Field* const field = TRY(changeable(change, part.name, false));
      const bool is_set = field->type.kind == language::Type::Kind::kSet;
      if (change.kind == Kind::kAdd && !is_set && part.value.type() != Type::kNumber)
        return Error{Code::kInvalid, "what is added to " + field->name + " must be a number"};
      if (change.kind == Kind::kSet || is_set) {
        if (const auto why = misfit(part.value, *field))
          return Error{Code::kInvalid, "the field " + field->name + " " + *why};
      }
      change.assigned.push_back(
          {.to = {.field = place(change, *field)}, .first = stored_form(part.value, field->type)});
    }
    return {};
  }

  model::FieldId place(const Change& change, const model::Field& field) const {
    return static_cast<model::FieldId>(&field - model_.entities[change.entity].fields.data());
  }

  const model::Model& model_;
  const model::Layout& layout_;
  const std::vector<Value>& arguments_;
  const std::chrono::system_clock::time_point now_;
};

}  // namespace

Result<Change> basic_change(const model::Model& model, const model::Layout& layout, std::string_view name,
                            const std::vector<Value>& arguments, std::chrono::system_clock::time_point now) {
  return BasicChange(model, layout, arguments, now).run(name);
}

}  // namespace sheaf::run
