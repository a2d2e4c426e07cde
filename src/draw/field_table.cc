#include "draw/field_table.h"

#include <algorithm>
#include <optional>
#include <string>

#include "base/joined.h"
#include "draw/attribute_uses.h"
#include "language/syntax_text.h"
#include "model/value_type.h"
#include "run/field_items.h"
#include "run/record.h"

namespace sheaf::draw {
namespace {

using model::EndId;
using model::HoleSource;

std::string rules(const model::Field& field) {
  const language::Field& syntax = *field.syntax;
  std::vector<std::string> parts;
  if (field.is_id) parts.emplace_back("id");
  if (field.is_generated()) parts.emplace_back("generated");
  if (syntax.is_unique) parts.emplace_back("unique");
  if (syntax.is_immutable) parts.emplace_back("immutable");
  if (syntax.changes != language::Changes::kUnsaid)
    parts.emplace_back(syntax.changes == language::Changes::kOften ? "changes often" : "changes rarely");
  if (syntax.count_of) parts.push_back("counts " + syntax.count_of->text);
  if (syntax.default_value) parts.push_back("default " + language::to_text(*syntax.default_value));
  if (syntax.max) parts.push_back("max " + std::to_string(syntax.max->value));
  if (syntax.matches) parts.push_back("matches " + syntax.matches->text);
  if (syntax.since) parts.push_back("since " + syntax.since->text);
  return joined(parts);
}

class FieldTable {
 public:
  explicit FieldTable(const Subject& subject)
      : subject_(subject), model_(subject.model), layout_(subject.layout) {}

  Section run() {
    size_t column = 0;
    for (const char* heading : {"Entity", "Field", "Type", "Rules", "Stored"})
      grid_.add(header_cell(0, column++, heading));
    if (subject_.has_items) grid_.add(header_cell(0, column, "Sample"));
    grid_.header_rows = 1;
    for (model::EntityId id = 0; id < model_.entities.size(); ++id) add_entity(id);
    for (model::RelationId id = 0; id < model_.relations.size(); ++id) add_edge(id);
    return {.title = "Fields and where they are stored", .body = std::move(grid_)};
  }

 private:
  void add_row(const ShownText& name, const ShownText& type, const ShownText& rule,
               const std::vector<std::string>& stored, const std::string& sample) {
    const size_t row = grid_.rows;
    grid_.add(plain_cell(row, 1, name, TextStyle::kStrong));
    grid_.add(plain_cell(row, 2, type));
    grid_.add(plain_cell(row, 3, rule, TextStyle::kMuted));
    Cell places{.row = row, .column = 4};
    for (const std::string& place : stored) places.lines.push_back({.text = place});
    grid_.add(std::move(places));
    if (subject_.has_items) grid_.add(plain_cell(row, 5, sample, TextStyle::kCode));
  }

  // Beside the rows from `first_row` on.
  void add_owner(size_t first_row, const ShownText& name, const ShownText& below, Hue hue) {
    if (grid_.rows == first_row) add_row("", "", "", {}, "");
    Cell cell{.row = first_row,
              .rows = grid_.rows - first_row,
              .role = Cell::Role::kMark,
              .hue = hue,
              .lines = {{.text = name, .style = TextStyle::kStrong}}};
    if (!below.empty()) cell.lines.push_back({.text = below, .style = TextStyle::kMuted});
    grid_.add(std::move(cell));
  }

  std::optional<std::string> sample(const model::ItemKind& kind, const std::string& attribute) const {
    for (const StoredItem& item : subject_.items) {
      if (&layout_.item_kinds[item.kind] != &kind) continue;
      if (const auto value = item.item.find(attribute)) return value_text(*value);
    }
    return std::nullopt;
  }

  std::optional<std::string> sample_of_field(const model::ItemKind& kind, const model::Field& field) const {
    for (const StoredItem& item : subject_.items) {
      if (&layout_.item_kinds[item.kind] != &kind) continue;
      const model::Field* const held = run::field_of(model_, layout_.tables[kind.table], kind, item.item);
      if (held == &field) return value_text(*item.item.find(model::kValueAttribute));
    }
    return std::nullopt;
  }

  // The first value that a key of the table holds for it.
  std::optional<std::string> sample_in_key(const model::ItemKind& kind, const HoleSource& source) const {
    for (const StoredItem& item : subject_.items) {
      if (&layout_.item_kinds[item.kind] != &kind) continue;
      const model::Table& table = layout_.tables[kind.table];
      if (auto value = decoded(kind.pk, table.pk, item, source)) return value;
      if (kind.sk) return decoded(*kind.sk, *table.sk, item, source);
    }
    return std::nullopt;
  }

  static std::optional<std::string> decoded(const model::KeyTemplate& key,
                                            const model::KeyAttribute& attribute, const StoredItem& item,
                                            const HoleSource& source) {
    const auto value = item.item.find(attribute.name);
    const auto text = value ? run::key_text(*value) : std::nullopt;
    const auto values = text ? key.decode(*text) : std::nullopt;
    const auto holes = key.holes();
    for (size_t i = 0; values && i < holes.size(); ++i) {
      if (holes[i]->source == source && holes[i]->holds_value()) return (*values)[i];
    }
    return std::nullopt;
  }

  std::string type_of(const model::Field& field) const {
    return model::text_of(field.type) + (field.is_optional ? "?" : "");
  }

  void add_field(const model::ItemKind& kind, const std::vector<AttributeUse>& uses,
                 const model::Field& field, model::FieldId id, const HoleSource& source,
                 const std::vector<std::string>& also) {
    std::vector<std::string> stored;
    std::optional<std::string> value = sample_in_key(kind, source);
    auto keys = key_attributes_with(layout_, kind, source);
    const auto is_field = [&](const AttributeUse& use) {
      return use.kind == AttributeUse::Kind::kField && use.field == id;
    };
    if (const auto own = std::find_if(uses.begin(), uses.end(), is_field); own != uses.end()) {
      stored.push_back("attribute " + own->attribute);
      std::erase(keys, own->attribute);
      if (!value) value = sample(kind, own->attribute);
    }
    if (kind.is_by_field() && !field.is_id) {
      stored.push_back("item " + field.attribute);
      value = sample_of_field(kind, field);
    }
    if (!keys.empty()) stored.push_back("in " + joined(keys));
    stored.insert(stored.end(), also.begin(), also.end());
    add_row(field.name, type_of(field), rules(field), stored, value.value_or(""));
  }

  // Copies of a field of the entity, wherever they are.
  std::vector<std::string> copies_of(model::EntityId entity, model::FieldId field) const {
    std::vector<std::string> places;
    for (const model::ItemKind& kind : layout_.item_kinds) {
      for (const AttributeUse& use : attribute_uses(model_, layout_, kind)) {
        if (use.kind == AttributeUse::Kind::kCopy && use.field == field &&
            model_.end(*use.end).target == entity)
          places.push_back("copied to " + kind.name + " as " + use.attribute);
      }
    }
    return places;
  }

  void add_entity(model::EntityId id) {
    const size_t first_row = grid_.rows;
    const model::Entity& entity = model_.entities[id];
    const model::ItemKind* const kind = layout_.kind(id);
    if (kind == nullptr) {
      const auto parent = embedded_in(id);
      for (const model::Field& field : entity.fields)
        add_row(field.name, type_of(field), rules(field), {parent.value_or("in the edges that lead to it")},
                {});
      return add_owner(first_row, entity.name, "no items of its own", id);
    }
    const auto uses = attribute_uses(model_, layout_, *kind);
    for (model::FieldId field = 0; field < entity.fields.size(); ++field)
      add_field(*kind, uses, entity.fields[field], field, {.path = {.field = field}}, copies_of(id, field));
    for (const EndId end : entity.ends) {
      const std::string rule = entity.within == end          ? "within"
                               : model_.end(end).is_required ? "required"
                                                             : "";
      add_end(*kind, uses, end, {.path = {.ends = {end}}}, rule);
    }
    add_owner(first_row, entity.name, "table " + layout_.tables[kind->table].name, id);
  }

  std::optional<std::string> embedded_in(model::EntityId id) const {
    const auto end = layout_.embedding_end(model_, id);
    if (!end) return std::nullopt;
    return "in " + model_.entities[model_.end(*end).holder].name + "." + model_.end(*end).name;
  }

  // Where an item keeps the identity of what `id` leads to, if it does. `root` is where holes find it.
  void add_end(const model::ItemKind& kind, const std::vector<AttributeUse>& uses, EndId id,
               const HoleSource& root, const std::string& rule) {
    const model::End& end = model_.end(id);
    std::vector<std::string> stored;
    std::vector<std::string> keys;
    std::vector<std::string> samples;
    for (const AttributeUse& use : uses) {
      if (use.end != id || use.kind == AttributeUse::Kind::kCopy) continue;
      stored.push_back("attribute " + use.attribute);
      if (auto value = sample(kind, use.attribute)) samples.push_back(std::move(*value));
    }
    const bool is_in_key_only = stored.empty();
    for (const model::FieldPath& path : model_.entities[end.target].identity) {
      HoleSource source = root;
      source.path.ends.insert(source.path.ends.end(), path.ends.begin(), path.ends.end());
      source.path.field = path.field;
      for (std::string& key : key_attributes_with(layout_, kind, source)) {
        if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(std::move(key));
      }
      auto value = is_in_key_only ? sample_in_key(kind, source) : std::nullopt;
      if (value) samples.push_back(std::move(*value));
    }
    // An attribute that is a key by itself is told once.
    std::erase_if(keys, [&](const std::string& key) {
      return std::find(stored.begin(), stored.end(), "attribute " + key) != stored.end();
    });
    if (!keys.empty()) stored.push_back("in " + joined(keys));
    if (stored.empty()) return;
    const std::string_view name =
        kind.relation ? model_.relations[id.relation].edge_end_name(id.side) : std::string_view(end.name);
    add_row(std::string(name),
            "→ " + model_.entities[end.target].name + (end.leads_to_many && kind.entity ? " *" : ""), rule,
            stored, joined(samples));
  }

  void add_edge(model::RelationId id) {
    for (const auto& kind : {layout_.relations[id].edge_kind, layout_.relations[id].twin_kind}) {
      if (kind) add_edge(id, layout_.item_kinds[*kind]);
    }
  }

  void add_edge(model::RelationId id, const model::ItemKind& kind) {
    const size_t first_row = grid_.rows;
    const auto uses = attribute_uses(model_, layout_, kind);
    const model::Relation& relation = model_.relations[id];
    for (const int side : {0, 1}) {
      add_end(kind, uses, {.relation = id, .side = side}, {.root = HoleSource::Root::kEdgeEnd, .side = side},
              "");
    }
    for (model::FieldId field = 0; field < relation.edge_fields.size(); ++field) {
      add_field(kind, uses, relation.edge_fields[field], field,
                {.root = HoleSource::Root::kEdgeField, .path = {.field = field}}, {});
    }
    add_owner(first_row, kind.name, "edges in table " + layout_.tables[kind.table].name,
              hue_of(model_, kind));
  }

  const Subject& subject_;
  const model::Model& model_;
  const model::Layout& layout_;
  Grid grid_;
};

}  // namespace

Section field_table(const Subject& subject) { return FieldTable(subject).run(); }

}  // namespace sheaf::draw
