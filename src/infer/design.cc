#include "infer/design.h"

#include <algorithm>

#include "infer/designer.h"
#include "infer/field_types.h"
#include "infer/index_shapes.h"
#include "infer/key_words.h"
#include "language/written_parts.h"
#include "model/value_type.h"

namespace sheaf::infer {

using language::Name;
using TypeKind = language::Type::Kind;
using Format = language::Hole::Format;

namespace {

std::optional<language::Type> key_type(Type type) {
  if (type == Type::kString) return std::nullopt;
  language::Type made;
  made.kind = type == Type::kNumber ? TypeKind::kNumber : TypeKind::kBinary;
  return made;
}

std::string escaped_expression(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("\\^$.|?*+()[]{}").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

// A table is named after it.
std::string model_name(std::string name) {
  for (char& c : name) {
    const bool is_fine = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                         c == '_' || c == '-' || c == '.';
    if (!is_fine) c = '_';
  }
  return name.empty() ? "inferred" : name.substr(0, 200);
}

Evidence evidence_of(size_t agree, size_t of) { return {.agree = agree, .of = of, .counter_examples = {}}; }

}  // namespace

void Designer::note(Note::Where where, const std::string& of, const std::string& member, std::string decided,
                    Evidence evidence) {
  design_.notes.push_back({.where = where,
                           .of = of,
                           .member = member,
                           .inference = {.subject = member.empty() ? of : of + "." + member,
                                         .decided = std::move(decided),
                                         .evidence = std::move(evidence)}});
}

// All values that were seen have its type; whether the next item has one, nobody knows of what some lack.
void Designer::note_field(const std::string& of, const language::Field& field, size_t seen, size_t items) {
  std::string decided = model::text_of(*field.type);
  if (field.is_optional) decided += ", in " + std::to_string(seen) + " of " + std::to_string(items);
  note(Note::Where::kField, of, field.name.text, std::move(decided), evidence_of(seen, seen));
}

void Designer::ask(Question::About about, const std::string& subject, const std::string& text) {
  design_.questions.push_back({.subject = subject, .text = text, .about = about});
}

std::vector<Name> Designer::path_of(size_t kind, size_t value) const {
  std::vector<Name> names;
  for (size_t i = 0; i < found_.links.size(); ++i) {
    const Link& link = found_.links[i];
    if (link.how != Link::How::kEdges || link.edge != kind) continue;
    for (const bool is_parent : {true, false}) {
      const std::vector<size_t>& values = is_parent ? link.values : link.child_values;
      const auto part = std::find(values.begin(), values.end(), value);
      if (part == values.end()) continue;
      const size_t target = is_parent ? link.parent : link.child;
      const bool is_forward = is_parent == ends_[i].is_turned;
      names.push_back({.text = link.is_symmetric ? (is_parent ? "from" : "to")
                               : is_forward      ? ends_[i].forward
                                                 : ends_[i].backward});
      const size_t of_target = kinds_[target].identity()[static_cast<size_t>(part - values.begin())];
      for (const std::string& name : value_path(kinds_, found_, naming_, target, of_target))
        names.push_back({.text = name});
      return names;
    }
  }
  for (const std::string& name : value_path(kinds_, found_, naming_, kind, value))
    names.push_back({.text = name});
  return names;
}

// What is the parent's is written as the parent's keys have it.
Format Designer::format_of(size_t kind, const Piece& piece) const {
  const auto& within = found_.within[kind];
  if (!within || (piece.format != Format::kPlain && piece.format != Format::kRaw)) return piece.format;
  const Link& link = found_.links[*within];
  const auto part = std::find(link.values.begin(), link.values.end(), *piece.value);
  if (part == link.values.end()) return piece.format;
  const Kind& parent = kinds_[link.parent];
  const size_t value = parent.identity()[static_cast<size_t>(part - link.values.begin())];
  for (const Shape* shape : {&parent.pk, parent.sk ? &*parent.sk : &parent.pk}) {
    for (const Piece& theirs : shape->pieces) {
      if (theirs.value == value && theirs.holds_value()) return format_of(link.parent, theirs);
    }
  }
  return piece.format;
}

language::Template Designer::written(size_t kind, const Shape& shape) const {
  language::Template made;
  for (const Piece& piece : shape.pieces) {
    if (piece.is_attribute) {
      language::Hole hole;
      hole.path.names.push_back({.text = "attribute"});
      made.pieces.emplace_back(std::move(hole));
    } else if (!piece.value) {
      made.pieces.emplace_back(piece.literal);
    } else {
      language::Hole hole{.format = format_of(kind, piece), .count = piece.count};
      hole.path.names = path_of(kind, *piece.value);
      made.pieces.emplace_back(std::move(hole));
    }
  }
  return made;
}

language::Keys Designer::written(size_t kind, const Shape& pk, const std::optional<Shape>& sk) const {
  language::Keys keys;
  keys.pk = written(kind, pk);
  if (sk) keys.sk = written(kind, *sk);
  return keys;
}

// --- Tables

// Its attribute for the time to live, if that is a whole number wherever it is there.
std::string Designer::ttl_of(size_t table_id) const {
  const ObservedTable& table = observed_.tables[table_id];
  if (!is_field_name(table.ttl)) return {};
  std::vector<ValueView> values;
  for (const Item& item : table.items) {
    if (const auto value = item.find(table.ttl)) values.push_back(*value);
  }
  const bool is_whole = values.empty() || type_of_values(values).kind == TypeKind::kInt;
  return is_whole ? table.ttl : std::string();
}

language::Gsi Designer::index_of(const ObservedIndex& index) {
  language::Gsi gsi;
  gsi.name.text = index.name;
  gsi.pk.text = index.key.partition.front().name;
  if (!index.key.sort.empty()) gsi.sk = Name{.text = index.key.sort.front().name};
  gsi.projection = index.projection == ProjectionKind::kAll        ? language::Gsi::Projection::kAll
                   : index.projection == ProjectionKind::kKeysOnly ? language::Gsi::Projection::kKeys
                                                                   : language::Gsi::Projection::kInclude;
  for (const std::string& name : index.included) gsi.included.push_back({.text = name});
  return gsi;
}

void Designer::add_tables() {
  for (size_t t = 0; t < observed_.tables.size(); ++t) {
    const ObservedTable& table = observed_.tables[t];
    language::Table made;
    made.name.text = table.name;
    const KeyAttribute& pk = table.key.partition.front();
    made.pk = language::KeyAttribute{.name = {.text = pk.name}, .type = key_type(pk.type)};
    if (!table.key.sort.empty()) {
      const KeyAttribute& sk = table.key.sort.front();
      made.sk = language::KeyAttribute{.name = {.text = sk.name}, .type = key_type(sk.type)};
    }
    if (findings_.tags[t]) {
      made.tag = Name{.text = findings_.tags[t]->attribute};
      note(Note::Where::kTag, table.name, "", "tag " + findings_.tags[t]->attribute,
           findings_.tags[t]->evidence);
    }
    if (!ttl_of(t).empty()) made.ttl = Name{.text = table.ttl};
    if (!table.ttl.empty() && ttl_of(t).empty())
      ask(Question::About::kTable, table.name,
          "some items have no whole number as " + table.ttl +
              ", its time to live: it is left out. When do they expire?");
    for (const ObservedIndex& index : table.indexes) {
      if (is_expressible(index)) {
        made.indexes.push_back(index_of(index));
      } else {
        ask(Question::About::kTable, table.name + "." + index.name,
            std::string("is left out: the language has no ") +
                (index.is_local ? "local indexes" : "keys of several attributes") + ". Is it needed?");
      }
    }
    design_.model.tables.push_back(std::move(made));
  }
}

// --- Entities

// What all texts begin with: the word and the mark behind it.
std::optional<std::string> Designer::first_words(size_t kind, size_t value) const {
  std::optional<std::string> common;
  for (const auto& text : kinds_[kind].values[value].texts) {
    if (!text) continue;
    std::string prefix = id_prefix(*text);
    if (prefix.empty()) {
      const KeyTokens tokens = split_key(*text);
      if (tokens.tokens.size() > 1 && is_word(tokens.tokens.front()))
        prefix = tokens.tokens.front() + tokens.delimiters.front();
      if (tokens.tokens.size() == 1 && is_word(*text)) prefix = *text;
    }
    if (prefix.empty() || (common && *common != prefix)) return std::nullopt;
    common = prefix;
  }
  return common;
}

// The year in which the times begin that are cut to buckets.
std::optional<std::string> Designer::earliest(size_t kind, size_t value) const {
  const Kind& of = kinds_[kind];
  const auto is_bucket = [&](const Shape& shape) {
    return std::any_of(shape.pieces.begin(), shape.pieces.end(), [&](const Piece& piece) {
      return piece.value == value && (piece.format == Format::kYear || piece.format == Format::kMonth ||
                                      piece.format == Format::kDay || piece.format == Format::kHour);
    });
  };
  const bool is_any =
      is_bucket(of.pk) || std::any_of(of.indexes.begin(), of.indexes.end(),
                                      [&](const IndexShape& index) { return is_bucket(index.pk); });
  if (!is_any) return std::nullopt;
  std::string first = "9999";
  for (const auto& text : of.values[value].texts) {
    if (text) first = std::min(first, text->substr(0, 4));
  }
  return first + "-01-01";
}

void Designer::add_id(size_t kind_id, size_t value_id, language::Entity& entity) {
  const KeyValue& value = kinds_[kind_id].values[value_id];
  language::Field field;
  field.name.text = naming_.fields[kind_id].at(value_id);
  field.is_id = true;
  if (!value.attribute.empty() && value.attribute != field.name.text)
    field.stored_as = Name{.text = value.attribute};
  field.type = value.type;
  if (const auto since = earliest(kind_id, value_id)) {
    field.since = language::Text{.text = *since};
    ask(Question::About::kField, entity.name.text + "." + field.name.text,
        "is " + *since + " the first day that there can be?");
  }
  const auto prefix = first_words(kind_id, value_id);
  const bool is_text = value.type.kind == TypeKind::kString;
  if (options_.has_matches && prefix && is_text) {
    const bool is_all = std::all_of(value.texts.begin(), value.texts.end(),
                                    [&](const auto& text) { return !text || *text == *prefix; });
    field.matches = language::Text{.text = escaped_expression(*prefix) + (is_all ? "" : ".+")};
    ask(Question::About::kIdentity, entity.name.text + "." + field.name.text,
        "do all ids look like that? Without it two kinds of items could have the same key");
  }
  std::set<std::string> distinct;
  for (const auto& text : value.texts) distinct.insert(text.value_or(""));
  note(Note::Where::kField, entity.name.text, field.name.text,
       value.attribute.empty() ? "id, only in the key, " + std::to_string(distinct.size()) + " values"
                               : "id, in the key and as " + value.attribute,
       evidence_of(value.texts.size(), value.texts.size()));
  members_[kind_id].take(field.name.text);
  entity.fields.push_back(std::move(field));
}

void Designer::add_field(size_t kind_id, const std::string& attribute, std::vector<language::Field>& fields,
                         const std::string& owner, NameSet& taken) {
  if (!is_field_name(attribute)) {
    ask(Question::About::kField, owner,
        "an attribute has a name that the language cannot write, and is left out");
    return;
  }
  const Kind& kind = kinds_[kind_id];
  std::vector<ValueView> values;
  for (const Item& item : kind.items) {
    if (const auto value = item.find(attribute)) values.push_back(*value);
  }
  language::Field field;
  const auto value = kind.find_value(attribute);
  field.name.text = attribute;
  if (value && naming_.fields[kind_id].at(*value) != attribute) {
    field.name.text = naming_.fields[kind_id].at(*value);
    field.stored_as = Name{.text = attribute};
  } else if (taken.has(attribute)) {
    field.name.text = taken.claim(attribute + "_value");
    field.stored_as = Name{.text = attribute};
  }
  taken.take(field.name.text);
  field.type = value ? kind.values[*value].type : type_of_values(values);
  for (const DeclaredAttribute& declared : kind.declared) {
    if (declared.name == attribute && kind.items.empty()) field.type = type_of_word(declared.type);
  }
  field.is_optional = values.size() < kind.items.size() || kind.items.empty();
  if (value) {
    if (const auto since = earliest(kind_id, *value)) field.since = language::Text{.text = *since};
  }
  if (value && options_.has_matches && !kind.values[*value].bare_of.empty() &&
      field.type->kind == TypeKind::kString) {
    if (const auto prefix = first_words(kind_id, *value))
      field.matches = language::Text{.text = escaped_expression(*prefix) + ".*"};
  }
  if (attribute == ttl_of(kind.table)) field.type->kind = TypeKind::kInt;
  note_field(owner, field, values.size(), kind.items.size());
  fields.push_back(std::move(field));
}

// One field for each word that ends a sort key.
void Designer::add_fields_by_item(size_t kind_id, language::Entity& entity) {
  const Kind& kind = kinds_[kind_id];
  const ObservedTable& table = observed_.tables[kind.table];
  std::map<std::string, std::vector<ValueView>> values;
  std::set<std::string> entities;
  for (const Item& item : kind.items) {
    const KeyTokens key = split_key(item.find(table.key.sort.front().name)->bytes());
    values[key.tokens.back()].push_back(*item.find("value"));
    entities.insert(std::string(item.find(table.key.partition.front().name)->encoded()));
  }
  // The first that is never missing tells that the entity is there.
  std::vector<std::string> names;
  for (const auto& [name, seen] : values) names.push_back(name);
  std::stable_sort(names.begin(), names.end(), [&](const std::string& a, const std::string& b) {
    return (values[a].size() == entities.size()) > (values[b].size() == entities.size());
  });
  for (const std::string& name : names) {
    language::Field field;
    field.name.text = name;
    field.type = type_of_values(values[name]);
    field.is_optional = values[name].size() < entities.size();
    note(Note::Where::kField, entity.name.text, name, model::text_of(*field.type) + ", an item of its own",
         evidence_of(values[name].size(), entities.size()));
    entity.fields.push_back(std::move(field));
  }
}

void Designer::add_fields(size_t kind_id, language::Entity& entity) {
  const Kind& kind = kinds_[kind_id];
  std::set<std::string> written;
  for (const size_t value : kind.identity()) {
    const auto& within = found_.within[kind_id];
    const bool is_parents =
        within && std::find(found_.links[*within].values.begin(), found_.links[*within].values.end(),
                            value) != found_.links[*within].values.end();
    if (is_parents) continue;
    add_id(kind_id, value, entity);
    written.insert(kind.values[value].attribute);
  }
  if (kind.is_by_field) return add_fields_by_item(kind_id, entity);
  std::vector<std::string> attributes = kind.stored_attributes();
  for (const DeclaredAttribute& declared : kind.declared) attributes.push_back(declared.name);
  for (const std::string& attribute : attributes) {
    if (!written.contains(attribute) && !taken_attributes_[kind_id].contains(attribute))
      add_field(kind_id, attribute, entity.fields, entity.name.text, members_[kind_id]);
  }
}

void Designer::add_physical(size_t kind_id, language::Physical& physical, const std::string& owner) {
  const Kind& kind = kinds_[kind_id];
  const ObservedTable& table = observed_.tables[kind.table];
  if (observed_.tables.size() > 1) physical.table = Name{.text = table.name};
  if (findings_.tags[kind.table] && kind.tag != owner) physical.tag = language::Text{.text = kind.tag};
  if (kind.is_by_field) physical.store = language::Store::kEav;
  physical.key = written(kind_id, kind.pk, kind.sk);
  const bool is_whole = kind.pk.is_whole || (kind.sk && kind.sk->is_whole);
  note(Note::Where::kKey, owner, "", is_whole ? "key, taken whole" : "key", kind.pk.evidence);
  for (const IndexShape& shape : kind.indexes) {
    language::IndexKeys index;
    index.index.text = table.indexes[shape.index].name;
    index.keys = written(kind_id, shape.pk, shape.sk);
    if (shape.when) index.when.push_back(*shape.when);
    const bool is_taken_whole = shape.pk.is_whole || (shape.sk && shape.sk->is_whole);
    std::string decided = is_taken_whole ? "index keys, taken whole" : "index keys";
    const size_t in = shape.pk.evidence.agree;
    if (in < kind.items.size())
      decided += ", in " + std::to_string(in) + " of " + std::to_string(kind.items.size());
    note(Note::Where::kIndex, owner, index.index.text, std::move(decided), evidence_of(in, in));
    physical.indexes.push_back(std::move(index));
  }
}

void Designer::add_entity(size_t kind_id) {
  const Kind& kind = kinds_[kind_id];
  language::Entity entity;
  entity.name.text = naming_.entities[kind_id];
  if (found_.within[kind_id]) entity.within = Name{.text = naming_.within[kind_id]};
  note(Note::Where::kEntity, entity.name.text, "",
       kind.tag.empty() ? "items with such keys" : "items tagged " + kind.tag,
       evidence_of(kind.items.size(), kind.items.size()));
  add_fields(kind_id, entity);
  add_physical(kind_id, entity.physical, entity.name.text);
  const std::string ttl = ttl_of(kind.table);
  const bool expires = !ttl.empty() && std::any_of(entity.fields.begin(), entity.fields.end(),
                                                   [&](const auto& field) { return field.name.text == ttl; });
  if (expires) entity.ttl = Name{.text = ttl};
  design_.entity_of[kind_id] = entity.name.text;
  design_.model.entities.push_back(std::move(entity));
}

// Attributes that indexes include, and key attributes of indexes that no item is in: somebody must have them,
// so that they are known, and their types.
void Designer::claim_unseen_attributes(size_t table_id) {
  const ObservedTable& table = observed_.tables[table_id];
  size_t holder = kinds_.size();
  for (size_t i = 0; i < kinds_.size() && holder == kinds_.size(); ++i) {
    if (kinds_[i].table == table_id && !found_.is_edge[i] && !kinds_[i].is_by_field) holder = i;
  }
  if (holder == kinds_.size()) return;
  const auto entity =
      std::find_if(design_.model.entities.begin(), design_.model.entities.end(),
                   [&](const auto& each) { return each.name.text == naming_.entities[holder]; });
  const auto add = [&](const std::string& attribute, TypeKind type) {
    language::Field field;
    const std::string name =
        hole_name(attribute) == attribute ? attribute : members_[holder].claim(hole_name(attribute));
    field.name.text = name;
    if (name != attribute) field.stored_as = Name{.text = attribute};
    field.type = language::Type{};
    field.type->kind = type;
    field.is_optional = true;
    members_[holder].take(name);
    entity->fields.push_back(std::move(field));
    ask(Question::About::kField, entity->name.text + "." + name, "no item that was read has it: which have?");
    return name;
  };
  for (const ObservedIndex& index : table.indexes) {
    if (!is_expressible(index) || is_over_table_keys(table, index)) continue;
    std::vector<KeyAttribute> keys = index.key.partition;
    keys.insert(keys.end(), index.key.sort.begin(), index.key.sort.end());
    const bool is_used = std::any_of(kinds_.begin(), kinds_.end(), [&](const Kind& kind) {
      return kind.table == table_id &&
             std::any_of(kind.indexes.begin(), kind.indexes.end(), [&](const IndexShape& shape) {
               return table.indexes[shape.index].name == index.name;
             });
    });
    const bool is_text = std::all_of(keys.begin(), keys.end(),
                                     [](const KeyAttribute& key) { return key.type == Type::kString; });
    const bool is_free = std::none_of(
        keys.begin(), keys.end(), [&](const KeyAttribute& key) { return members_[holder].has(key.name); });
    if (is_used || is_text || !is_free) continue;
    language::IndexKeys line;
    line.index.text = index.name;
    for (size_t i = 0; i < keys.size(); ++i) {
      const std::string name = add(keys[i].name, keys[i].type == Type::kNumber   ? TypeKind::kNumber
                                                 : keys[i].type == Type::kBinary ? TypeKind::kBinary
                                                                                 : TypeKind::kString);
      language::Template key;
      language::Hole hole;
      hole.path.names.push_back({.text = name});
      key.pieces.emplace_back(std::move(hole));
      (i == 0 ? line.keys.pk : line.keys.sk.emplace()) = std::move(key);
    }
    entity->physical.indexes.push_back(std::move(line));
  }
  for (const ObservedIndex& index : table.indexes) {
    if (!is_expressible(index)) continue;
    for (const std::string& name : index.included) {
      const bool is_known = std::any_of(kinds_.begin(), kinds_.end(), [&](const Kind& kind) {
        return kind.table == table_id &&
               (std::find(kind.attributes.begin(), kind.attributes.end(), name) != kind.attributes.end() ||
                kind.find_value(name));
      });
      const bool is_tag = findings_.tags[table_id] && findings_.tags[table_id]->attribute == name;
      if (!is_known && !is_tag && is_field_name(name) && !members_[holder].has(name))
        add(name, TypeKind::kAny);
    }
  }
}

Design Designer::run() {
  design_.model.name.text = model_name(observed_.name);
  design_.entity_of.resize(kinds_.size());
  design_.questions = findings_.questions;
  for (const std::string& name : naming_.entities) entity_names_.take(name);
  add_tables();
  name_ends();
  for (size_t i = 0; i < kinds_.size(); ++i) {
    if (!found_.is_edge[i]) add_entity(i);
  }
  for (size_t i = 0; i < observed_.tables.size(); ++i) claim_unseen_attributes(i);
  for (size_t i = 0; i < found_.links.size(); ++i) add_relation(i);
  for (size_t i = 0; i < kinds_.size(); ++i) ask_of_partitions(i);
  if (options_.has_patterns) add_patterns();
  return std::move(design_);
}

Design design_model(const Observed& observed, const Findings& findings, const DesignOptions& options) {
  return Designer(observed, findings, options).run();
}

}  // namespace sheaf::infer
