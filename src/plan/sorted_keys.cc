#include "plan/sorted_keys.h"

#include <algorithm>
#include <set>

#include "language/parser.h"
#include "language/syntax_text.h"
#include "language/written_parts.h"
#include "plan/document_tree.h"

namespace sheaf::plan {
namespace {

using model::FieldId;

// What a list is looked for by, then what it is sorted by.
std::vector<FieldId> leading_fields(const model::Model& model, const DocumentNode& node) {
  std::vector<FieldId> fields;
  if (node.selected == nullptr) return fields;
  const auto add = [&](const model::Place& place) {
    const bool is_own = place.kind == model::Place::Kind::kField && place.ends.empty() &&
                        !model.entities[node.entity].fields[place.field].is_id;
    if (is_own && std::find(fields.begin(), fields.end(), place.field) == fields.end())
      fields.push_back(place.field);
  };
  using Test = language::Condition::Test;
  for (const bool is_equality : {true, false}) {
    for (const model::Condition& condition : node.selected->where) {
      if ((condition.syntax->test == Test::kEqual) == is_equality) add(condition.place);
    }
  }
  if (node.selected->order) add(node.selected->order->first);
  return fields;
}

std::string name_text(const std::string& name) { return language::written(language::Name{.text = name}); }

std::string attribute_text(const model::KeyAttribute& attribute) {
  using Kind = language::Type::Kind;
  return name_text(attribute.name) + (attribute.type == Kind::kNumber   ? " number"
                                      : attribute.type == Kind::kBinary ? " binary"
                                                                        : "");
}

std::string gsi_text(const model::Index& index) {
  std::string text = "; gsi " + name_text(index.name) + " " + name_text(index.pk.name) +
                     (index.sk ? " / " + name_text(index.sk->name) : "");
  if (index.projection == language::Gsi::Projection::kKeys) text += " keys";
  if (index.projection != language::Gsi::Projection::kInclude) return text;
  for (size_t i = 0; i < index.included.size(); ++i)
    text += (i == 0 ? " include (" : ", ") + name_text(index.included[i]);
  return text + ")";
}

class KeySorter {
 public:
  KeySorter(const model::CompiledModel& compiled, size_t layout)
      : model_(compiled.model), layout_(compiled.layouts[layout]) {}

  std::vector<SortedKeys> run() {
    for (const model::Pattern& pattern : model_.patterns) {
      size_t result = 0;
      for (const DocumentNode& node : document_tree(model_, pattern, result)) {
        const model::ItemKind* const kind = layout_.kind(node.entity);
        const std::vector<FieldId> fields = leading_fields(model_, node);
        if (!fields.empty() && kind != nullptr && !kind->is_by_field()) add_all(*kind, fields);
      }
    }
    return std::move(made_);
  }

 private:
  // The keys of one kind as they would be written.
  struct Lines {
    std::string pk, sk;
    bool is_told = false;  // the key changes, or nobody has written it down
    std::vector<std::string> indexes;
    std::optional<model::Index> added;
  };

  const model::Table& table(const model::ItemKind& kind) const { return layout_.tables[kind.table]; }

  static std::string keys_text(const std::string& pk, const std::string& sk) {
    return language::quoted(pk) + (sk.empty() ? "" : " / " + language::quoted(sk));
  }

  static std::string index_line(const std::string& name, const std::string& pk, const std::string& sk,
                                const std::vector<model::Condition>& when) {
    std::string text = "index " + name_text(name) + " " + keys_text(pk, sk);
    for (size_t i = 0; i < when.size(); ++i)
      text += (i == 0 ? " when " : " and ") + language::to_text(*when[i].syntax);
    return text;
  }

  Lines lines_of(const model::ItemKind& kind) const {
    Lines lines{.pk = kind.pk.text(), .sk = kind.sk ? kind.sk->text() : "", .is_told = kind.is_allocated};
    for (const model::IndexEntry& entry : kind.entries)
      lines.indexes.push_back(index_line(table(kind).indexes[entry.index].name, entry.pk.text(),
                                         entry.sk ? entry.sk->text() : "", entry.when));
    return lines;
  }

  void add_all(const model::ItemKind& kind, const std::vector<FieldId>& fields) {
    for (size_t i = 0; i < kind.entries.size(); ++i) {
      const model::IndexEntry& entry = kind.entries[i];
      if (!entry.sk) continue;
      Lines lines = lines_of(kind);
      lines.indexes[i] = index_line(table(kind).indexes[entry.index].name, entry.pk.text(),
                                    led_by(*kind.entity, *entry.sk, fields), entry.when);
      add(kind, lines);
    }
    if (!kind.sk) return;
    const std::string sk = led_by(*kind.entity, *kind.sk, fields);
    if (const auto index = free_index(kind)) {
      Lines lines = lines_of(kind);
      lines.indexes.push_back(index_line(index->name, lines.pk, sk, {}));
      if (!table(kind).find_index(index->name)) lines.added = index;
      add(kind, lines);
    }
    Lines lines = lines_of(kind);
    lines.is_told = true;
    lines.sk = sk;
    add(kind, lines);
  }

  // Which holds none of the kind; of a table that nobody wrote down there can always be one more.
  std::optional<model::Index> free_index(const model::ItemKind& kind) const {
    const model::Table& in = table(kind);
    for (size_t i = 0; i < in.indexes.size(); ++i) {
      const bool is_used = std::any_of(kind.entries.begin(), kind.entries.end(),
                                       [&](const model::IndexEntry& entry) { return entry.index == i; });
      if (!is_used && !in.indexes[i].is_over_table_keys && in.indexes[i].sk) return in.indexes[i];
    }
    if (!in.is_allocated) return std::nullopt;
    const std::string name = "GSI" + std::to_string(in.indexes.size() + 1);
    return model::Index{.name = name, .pk = {.name = name + "PK"}, .sk = model::KeyAttribute{name + "SK"}};
  }

  // Behind what names the parent, where the key has that, and before all else.
  std::string led_by(model::EntityId entity, const model::KeyTemplate& key,
                     const std::vector<FieldId>& fields) const {
    std::string led;
    for (const FieldId field : fields) led += "<" + model_.entities[entity].fields[field].name + ">#";
    std::string text;
    bool is_placed = false, is_skipped = false;
    for (const model::KeyTemplate::Piece& piece : key.pieces()) {
      if (const auto* const literal = std::get_if<std::string>(&piece)) {
        // What separated a field that has come before.
        if (!is_skipped) text += *literal;
        is_skipped = false;
        continue;
      }
      const model::Hole& hole = std::get<model::Hole>(piece);
      const bool is_own = hole.source.path.ends.empty();
      if (is_own && !is_placed) {
        text += led;
        is_placed = true;
      }
      is_skipped = is_own && std::find(fields.begin(), fields.end(), hole.source.path.field) != fields.end();
      if (!is_skipped) text += hole.written();
    }
    if (!is_placed) text += "#" + led;
    if (text.ends_with('#')) text.pop_back();
    return text;
  }

  std::string table_text(const model::Table& told, const std::optional<model::Index>& added) const {
    std::string text = "table " + name_text(told.name) + " { pk " + attribute_text(told.pk);
    if (told.sk) text += "; sk " + attribute_text(*told.sk);
    if (told.tag) text += "; tag " + name_text(*told.tag);
    if (told.ttl) text += "; ttl " + name_text(*told.ttl);
    for (const model::Index& index : told.indexes) text += gsi_text(index);
    if (added) text += gsi_text(*added);
    return text + " } ";
  }

  void add(const model::ItemKind& kind, const Lines& lines) {
    const model::Entity& entity = model_.entities[*kind.entity];
    const model::Table& in = table(kind);
    const bool is_written =
        !in.is_allocated && std::none_of(in.indexes.begin(), in.indexes.end(),
                                         [](const model::Index& index) { return index.is_allocated; });
    std::string text = is_written ? "" : table_text(in, lines.added);
    text += "entity " + name_text(entity.name) + " { ";
    if (lines.is_told) text += "key " + keys_text(lines.pk, lines.sk) + (lines.indexes.empty() ? "" : "; ");
    for (size_t i = 0; i < lines.indexes.size(); ++i) text += (i == 0 ? "" : "; ") + lines.indexes[i];
    text += " }";
    if (!seen_.insert(text).second) return;
    if (auto edit = edit_of(entity.name, text))
      made_.push_back({.entity = *kind.entity, .text = text, .edit = std::move(*edit)});
  }

  // Reads the lines as a model of their own.
  static std::optional<StorageEdit> edit_of(const std::string& name, const std::string& text) {
    const language::SourceText source("lines", "model lines { " + text + " }");
    language::Diagnostics mistakes;
    const language::Model lines = language::parse(source, mistakes);
    if (mistakes.has_errors() || lines.entities.size() != 1) return std::nullopt;
    const language::Physical& said = lines.entities.front().physical;
    return StorageEdit{.tables = lines.tables, .keys = EntityKeys{name, said.key, said.indexes}};
  }

  const model::Model& model_;
  const model::Layout& layout_;
  std::set<std::string> seen_;
  std::vector<SortedKeys> made_;
};

}  // namespace

std::vector<SortedKeys> sorted_keys(const model::CompiledModel& compiled, size_t layout) {
  return KeySorter(compiled, layout).run();
}

}  // namespace sheaf::plan
