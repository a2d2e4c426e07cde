#include "run/document.h"

#include <algorithm>

#include "base/article.h"
#include "base/try.h"
#include "run/conditions.h"
#include "run/guards.h"
#include "run/time_text.h"
#include "run/value_check.h"

namespace sheaf::run {

using model::EndId;
using model::EntityId;
using model::FieldPath;

namespace {

Value default_of(const model::Field& field, std::chrono::system_clock::time_point now) {
  return stored_form(literal_value(*field.syntax->default_value, field.type, now), field.type, now);
}

class DocumentReader {
 public:
  DocumentReader(const model::Model& model, const model::Layout& layout, const DocumentOptions& options)
      : model_(model), layout_(layout), options_(options) {}

  Result<Document> run(EntityId id, ValueView value) {
    const model::Entity& entity = model_.entities[id];
    if (value.type() != Type::kMap)
      return Error{Code::kInvalid, with_article(entity.name) + " is written as an object"};
    Document document{.record = {.entity = id}, .ends = options_.ends};
    for (const Attribute part : value.map()) {
      if (const auto field = model_.find_field(id, part.name)) {
        TRY(read_field(document, entity.fields[*field], part.value));
      } else if (const auto end = model_.find_end(id, part.name)) {
        TRY(read_end(document, *end, part.value));
      } else {
        return Error{Code::kInvalid, with_article(entity.name) + " has no " + std::string(part.name)};
      }
    }
    fill(entity.fields, document.record.fields, document.record.made);
    if (const auto why = lacking(entity.fields, document.record.fields))
      return Error{Code::kInvalid, with_article(entity.name) + " lacks " + *why};
    for (const FieldPath& path : entity.identity)
      document.record.identity.push_back(TRY(identity_part(document, path)));
    return document;
  }

 private:
  Result<void> read_field(Document& document, const model::Field& field, ValueView value) const {
    if (value.type() == Type::kNull) return {};  // it is missing
    const bool is_kept = field.kept != model::Kept::kNo || field.count_of;
    if (is_kept && !options_.takes_kept_fields)
      return Error{Code::kInvalid, "the field " + field.name + " is kept by the operations themselves"};
    if (const auto why = misfit(value, field))
      return Error{Code::kInvalid, "the field " + field.name + " " + *why};
    document.record.fields[field.name] = stored_form(value, field.type, options_.now);
    return {};
  }

  void fill(const std::vector<model::Field>& fields, Fields& values, std::set<std::string>& made) const {
    for (const model::Field& field : fields) {
      if (values.contains(field.name)) continue;
      if (is_made(field)) made.insert(field.name);
      if (field.type.kind == language::Type::Kind::kUlid && !field.is_optional) {
        values[field.name] = Value(new_ulid(options_.now));
      } else if (field.type.kind == language::Type::Kind::kUuid && !field.is_optional) {
        values[field.name] = Value(new_uuid());
      } else if (field.syntax->default_value) {
        values[field.name] = default_of(field, options_.now);
      } else if (field.kept == model::Kept::kCreated || field.kept == model::Kept::kUpdated) {
        values[field.name] = Value(time_text(options_.now));
      } else if (field.kept == model::Kept::kVersion) {
        values[field.name] = Value(1);
      } else if (field.count_of) {
        values[field.name] = Value(0);
      }
    }
  }

  // By the moment or by chance: another time it would be another value.
  static bool is_made(const model::Field& field) {
    const bool is_generated = field.is_generated() && !field.is_optional;
    return is_generated || (field.kept != model::Kept::kNo && !field.syntax->default_value);
  }

  Result<void> read_end(Document& document, EndId end, ValueView value) const {
    const model::End& declared = model_.end(end);
    if (value.type() == Type::kNull) return {};
    if (layout_.storage(end) == model::EndStorage::kEmbeds) return read_embedded(document.record, end, value);
    const auto add = [&](ValueView one) -> Result<void> {
      Identity target = TRY(identity_of(model_, declared.target, one));
      document.ends.emplace_back(end, std::move(target));
      return {};
    };
    if (!declared.leads_to_many) return add(value);
    if (value.type() != Type::kList)
      return Error{Code::kInvalid, "the end " + declared.name + " leads to many: write a list of ids"};
    for (const ValueView one : value.list()) TRY(add(one));
    return {};
  }

  Result<void> read_embedded(Record& record, EndId end, ValueView value) const {
    const std::string& name = model_.end(end).name;
    std::vector<Fields>& children = record.embedded[end];
    const model::Entity& child = model_.entities[model_.end(end).target];
    const bool is_many = model_.end(end).leads_to_many;
    if (is_many && value.type() != Type::kList)
      return Error{Code::kInvalid, "the end " + name + " is a list of what is embedded"};
    const auto add = [&](ValueView one) -> Result<void> {
      if (one.type() != Type::kMap) return Error{Code::kInvalid, "the end " + name + " holds objects"};
      Document read{.record = {.entity = model_.end(end).target}};
      for (const Attribute part : one.map()) {
        const auto field = model_.find_field(model_.end(end).target, part.name);
        if (!field)
          return Error{Code::kInvalid, with_article(child.name) + " has no " + std::string(part.name)};
        TRY(read_field(read, child.fields[*field], part.value));
      }
      fill(child.fields, read.record.fields, read.record.made);
      if (const auto why = lacking(child.fields, read.record.fields))
        return Error{Code::kInvalid, with_article(child.name) + " lacks " + *why};
      children.push_back(std::move(read.record.fields));
      record.embedded_made[end].push_back(std::move(read.record.made));
      return {};
    };
    if (!is_many) return add(value);
    for (const ValueView one : value.list()) TRY(add(one));
    return {};
  }

  Result<std::string> identity_part(const Document& document, const FieldPath& path) const {
    if (path.ends.empty()) {
      const model::Field& field = model_.entities[document.record.entity].fields[path.field];
      const auto text = key_text(document.record.fields.at(field.name));
      if (!text || text->empty()) return Error{Code::kInvalid, "the id " + field.name + " is empty"};
      return *text;
    }
    const EndId within = path.ends.front();
    const auto named = std::find_if(document.ends.begin(), document.ends.end(),
                                    [&](const auto& each) { return each.first == within; });
    if (named == document.ends.end())
      return Error{Code::kInvalid, "the end " + model_.end(within).name + " is missing"};
    const FieldPath rest{.ends = {path.ends.begin() + 1, path.ends.end()}, .field = path.field};
    const auto& theirs = model_.entities[model_.end(within).target].identity;
    return named->second[static_cast<size_t>(std::find(theirs.begin(), theirs.end(), rest) - theirs.begin())];
  }

  const model::Model& model_;
  const model::Layout& layout_;
  const DocumentOptions& options_;
};

}  // namespace

std::optional<std::string> lacking(const std::vector<model::Field>& fields, const Fields& values) {
  for (const model::Field& field : fields) {
    if (!field.is_optional && !values.contains(field.name)) return "its field " + field.name;
  }
  return std::nullopt;
}

Result<Document> read_document(const model::Model& model, const model::Layout& layout, EntityId entity,
                               ValueView value, const DocumentOptions& options) {
  return DocumentReader(model, layout, options).run(entity, value);
}

Result<Identity> identity_of(const model::Model& model, EntityId entity, ValueView value) {
  Identity identity;
  const size_t parts = model.entities[entity].identity.size();
  const auto add = [&](ValueView part) {
    auto text = key_text(part);
    if (text && !text->empty()) identity.push_back(std::move(*text));
  };
  if (parts == 1) {
    add(value);
  } else if (value.type() == Type::kList) {
    for (const ValueView part : value.list()) add(part);
  }
  if (identity.size() == parts) return identity;
  std::string wanted;
  for (size_t part = 0; part < parts; ++part)
    wanted += (part > 0 ? ", " : "") + model.text(entity, model.entities[entity].identity[part]);
  return Error{Code::kInvalid, "the id of " + with_article(model.entities[entity].name) + " is " +
                                   (parts == 1 ? wanted : "[" + wanted + "]")};
}

void fill_defaults(const std::vector<model::Field>& fields, Fields& values,
                   std::chrono::system_clock::time_point now) {
  for (const model::Field& field : fields) {
    if (!values.contains(field.name) && field.syntax->default_value)
      values[field.name] = default_of(field, now);
  }
}

void fill_link(const std::vector<model::Field>& fields, Fields& values,
               std::chrono::system_clock::time_point now) {
  fill_defaults(fields, values, now);
  for (const model::Field& field : fields) {
    if (values.contains(field.name) || field.is_optional || !field.is_generated()) continue;
    const bool is_ulid = field.type.kind == language::Type::Kind::kUlid;
    values[field.name] = Value(is_ulid ? new_ulid(now) : new_uuid());
  }
}

std::string embedded_name(const model::Model& model, EntityId child, const Fields& fields) {
  Identity parts;
  for (const model::Field& field : model.entities[child].fields) {
    if (field.is_id && fields.contains(field.name))
      parts.push_back(key_text(fields.at(field.name)).value_or(""));
  }
  return parts.size() == 1 ? parts.front() : joined(parts);
}

void fill_embedded_ids(const model::Model& model, EntityId child, const std::string& name, Fields& fields) {
  std::vector<const model::Field*> ids;
  for (const model::Field& field : model.entities[child].fields) {
    if (field.is_id) ids.push_back(&field);
  }
  const Identity parts = ids.size() == 1 ? Identity{name} : split(name);
  for (size_t i = 0; i < ids.size() && i < parts.size(); ++i)
    fields[ids[i]->name] = value_of(parts[i], ids[i]->type);
}

Identity parent_in(const model::Model& model, EntityId entity, const Identity& identity, EndId end) {
  Identity parent;
  const std::vector<FieldPath>& paths = model.entities[entity].identity;
  for (size_t part = 0; part < paths.size() && part < identity.size(); ++part) {
    if (!paths[part].ends.empty() && paths[part].ends.front() == end) parent.push_back(identity[part]);
  }
  return parent;
}

}  // namespace sheaf::run
