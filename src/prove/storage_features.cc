#include <algorithm>
#include <map>

#include "language/syntax_words.h"
#include "model/value_type.h"
#include "prove/feature_walk.h"

namespace sheaf::prove {
namespace {

using Format = language::Hole::Format;

std::string format_word(const language::Hole& hole) {
  switch (hole.format) {
    case Format::kRaw:
      return "raw";
    case Format::kDigits:
      return "digits";
    case Format::kYear:
      return "year";
    case Format::kMonth:
      return "month";
    case Format::kDay:
      return "day";
    case Format::kHour:
      return "hour";
    case Format::kShard:
      return "shard";
    case Format::kPlain:
      return "plain";
  }
  return "";
}

const std::vector<std::pair<std::string, std::string>>& delimiters() {
  static const std::vector<std::pair<std::string, std::string>> all = {
      {"#", "#"}, {"::", "::"}, {"/", "/"},         {"-", "-"},        {"_", "_"},
      {"|", "|"}, {":", ":"},   {".", "."},         {"-x-", "a word"}, {" ", "a space"},
      {"@", "@"}, {"~", "~"},   {"é", "two bytes"}, {"<", "\\<"},      {">", "\\>"}};
  return all;
}

class StorageWalk {
 public:
  StorageWalk(const model::Model& model, Features& found) : model_(model), found_(found) {}

  void run() {
    const language::Model& syntax = model_.syntax();
    where_ = "default";
    visit_tables(syntax.tables);
    for (const model::Entity& entity : model_.entities) {
      visit_physical(entity.syntax->physical, model_.find_entity(entity.name), std::nullopt);
    }
    for (size_t id = 0; id < model_.relations.size(); ++id) {
      if (model_.relations[id].syntax->via) visit_via(*model_.relations[id].syntax->via, id);
    }
    if (syntax.layouts.empty()) found_.insert("default alone");
    if (syntax.layouts.size() > 1) found_.insert("several layouts");
    for (const language::Layout& layout : syntax.layouts) visit_layout(layout);
  }

 private:
  void visit_layout(const language::Layout& layout) {
    where_ = "layout";
    found_.insert(layout.extends ? "layout extends" : "layout");
    if (!layout.doc.empty()) found_.insert("doc of a layout");
    visit_tables(layout.tables);
    for (const language::LayoutEntity& each : layout.entities) {
      found_.insert("layout entity");
      visit_physical(each.physical, model_.find_entity(each.name.text), std::nullopt);
    }
    for (const language::LayoutRelation& each : layout.relations) {
      found_.insert("layout rel");
      const auto entity = model_.find_entity(each.entity.text);
      const auto end = entity ? model_.find_end(*entity, each.end.text) : std::nullopt;
      if (end) visit_via(each.via, end->relation);
    }
  }

  // --- Tables

  void visit_tables(const std::vector<language::Table>& tables) {
    if (tables.size() > 1) found_.insert("several tables in " + where_);
    for (const language::Table& table : tables) {
      found_.insert("table in " + where_);
      if (!table.doc.empty()) found_.insert("doc of a table");
      key_attribute(table.pk, "table pk");
      if (table.sk) key_attribute(table.sk, "table sk");
      if (!table.sk) found_.insert("table without sk");
      if (table.tag) found_.insert("table tag");
      if (!table.tag) found_.insert("table without tag");
      if (table.ttl) found_.insert("table ttl");
      for (const language::Gsi& gsi : table.indexes) visit_gsi(table, gsi);
    }
  }

  void key_attribute(const std::optional<language::KeyAttribute>& attribute, const std::string& which) {
    if (!attribute) return;
    found_.insert(which + (attribute->type ? " " + kind_word(attribute->type->kind) : ""));
  }

  void visit_gsi(const language::Table& table, const language::Gsi& gsi) {
    found_.insert(gsi.sk ? "gsi with sk" : "gsi without sk");
    found_.insert(gsi.projection == language::Gsi::Projection::kAll    ? "gsi all"
                  : gsi.projection == language::Gsi::Projection::kKeys ? "gsi keys"
                                                                       : "gsi include");
    const auto is = [](const std::optional<language::KeyAttribute>& key, const language::Name& name) {
      return key && key->name == name;
    };
    if (is(table.pk, gsi.pk)) found_.insert("gsi pk is the table's pk");
    if (gsi.sk && is(table.sk, gsi.pk) && is(table.pk, *gsi.sk)) return void(found_.insert("gsi inverted"));
    if (gsi.sk && is(table.sk, *gsi.sk)) found_.insert("gsi sk is the table's sk");
    if (gsi.sk && is(table.pk, *gsi.sk)) found_.insert("gsi sk is the table's pk");
    if (is(table.sk, gsi.pk)) found_.insert("gsi pk is the table's sk");
    for (const language::Gsi& other : table.indexes) {
      if (&other != &gsi && other.pk == gsi.pk) found_.insert("gsi pk of two indexes");
    }
  }

  // --- Clauses

  void visit_physical(const language::Physical& physical, std::optional<model::EntityId> entity,
                      std::optional<model::RelationId> relation) {
    const std::string whose = relation ? "edges" : "entity";
    if (physical.table) found_.insert(whose + " in");
    if (physical.tag) found_.insert(whose + " tag");
    if (physical.store)
      found_.insert("store " + std::string(language::word_for(language::kStoreWords, *physical.store)) +
                    " in " + where_);
    if (physical.key) {
      found_.insert(whose + " key in " + where_);
      visit_keys(*physical.key, entity, relation, "");
    }
    if (physical.second_key) {
      found_.insert("edges second key");
      visit_keys(*physical.second_key, entity, relation, "");
    }
    for (const language::IndexKeys& index : physical.indexes) {
      found_.insert(whose + " index in " + where_);
      visit_keys(index.keys, entity, relation, "index ");
      for (const language::Condition& condition : index.when)
        found_.insert("when " + test_word(condition.test));
      if (index.when.size() > 1) found_.insert("when and");
    }
    if (physical.indexes.size() > 1) found_.insert(whose + " several index lines");
  }

  void visit_keys(const language::Keys& keys, std::optional<model::EntityId> entity,
                  std::optional<model::RelationId> relation, const std::string& where) {
    visit_template(keys.pk, entity, relation, where + "pk");
    if (keys.sk) visit_template(*keys.sk, entity, relation, where + "sk");
    if (!keys.sk) found_.insert(where + "key without sk");
  }

  void visit_template(const language::Template& key, std::optional<model::EntityId> entity,
                      std::optional<model::RelationId> relation, const std::string& where) {
    size_t holes = 0;
    const auto* first = std::get_if<std::string>(&key.pieces.front());
    const bool is_bare = key.pieces.size() == 1 && first == nullptr;
    for (size_t i = 0; i < key.pieces.size(); ++i) {
      if (const auto* text = std::get_if<std::string>(&key.pieces[i])) {
        if (i > 0) delimiter(*text, i + 1 == key.pieces.size());
        continue;
      }
      ++holes;
      visit_hole(std::get<language::Hole>(key.pieces[i]), entity, relation, where, is_bare);
    }
    if (holes == 0) found_.insert("constant " + where);
    if (holes > 1) found_.insert("several holes in " + where);
    if (first == nullptr && !is_bare) found_.insert("no word before " + where);
  }

  void delimiter(const std::string& text, bool is_last) {
    if (is_last) found_.insert("text behind the last hole");
    for (const auto& [delimiter, word] : delimiters()) {
      if (text == delimiter) found_.insert("delimiter " + word);
    }
  }

  // The field that a hole leads to, and what kind of path that is.
  struct Reached {
    std::string word;
    const model::Field* field = nullptr;
  };

  Reached follow(model::EntityId entity, const std::vector<language::Name>& names, size_t from) const {
    size_t ends = 0;
    for (size_t i = from; i < names.size(); ++i) {
      if (const auto field = model_.find_field(entity, names[i].text)) {
        const model::Field& found = model_.entities[entity].fields[*field];
        const std::string what = found.is_id ? "id" : "field";
        return {.word = ends == 0   ? "own " + what
                        : ends == 1 ? what + " over one end"
                                    : what + " over two ends",
                .field = &found};
      }
      const auto end = model_.find_end(entity, names[i].text);
      if (!end) break;
      entity = model_.end(*end).target;
      ++ends;
    }
    return {};
  }

  Reached reach(const language::Hole& hole, std::optional<model::EntityId> entity,
                std::optional<model::RelationId> relation) const {
    const std::vector<language::Name>& names = hole.path.names;
    if (entity) {
      if (names.size() == 1 && names.front().text == "attribute" && !model_.find_field(*entity, "attribute"))
        return {.word = "attribute"};
      return follow(*entity, names, 0);
    }
    const model::Relation& self = model_.relations[*relation];
    for (const int side : {0, 1}) {
      if (names.size() < 2 || names.front().text != self.edge_end_name(side)) continue;
      Reached reached = follow(self.ends[side].target, names, 1);
      reached.word = "edge end, " + reached.word;
      return reached;
    }
    for (const model::Field& field : self.edge_fields) {
      if (field.name == names.front().text)
        return {.word = field.is_id ? "edge id" : "edge field", .field = &field};
    }
    return {};
  }

  void visit_hole(const language::Hole& hole, std::optional<model::EntityId> entity,
                  std::optional<model::RelationId> relation, const std::string& where, bool is_bare) {
    const Reached reached = reach(hole, entity, relation);
    if (is_bare) found_.insert("bare hole in " + where);
    if (!is_bare) found_.insert("hole " + format_word(hole) + " in " + where);
    if (!reached.word.empty()) found_.insert("hole of " + reached.word);
    if (reached.field == nullptr) return;
    const std::string kind = kind_word(reached.field->type.kind);
    found_.insert((is_bare ? "bare hole of " : "hole of type ") + kind);
    if (reached.field->is_optional) found_.insert("optional hole in " + where);
  }

  // --- Strategies

  void visit_via(const language::Via& via, model::RelationId relation) {
    std::string way(language::word_for(language::kViaWords, via.kind));
    const model::Relation& self = model_.relations[relation];
    const std::string kind(language::word_for(language::kCardinalityWords, self.cardinality));
    found_.insert("via " + way + " in " + where_);
    found_.insert("via " + way + " of " + kind + (self.is_symmetric ? " symmetric" : ""));
    if (via.embed_as == language::Via::EmbedAs::kMap) found_.insert("via embed map");
    if (via.embed_as == language::Via::EmbedAs::kList) found_.insert("via embed list");
    if (via.on) found_.insert("via index on");
    if (via.ids) found_.insert(via.ids->text == self.ends[0].name ? "via ids forward" : "via ids backward");
    if (via.pk) {
      const std::string& pk = via.pk->text;
      const bool is_word = pk == "one" || pk == "many" || pk == "both";
      found_.insert("via edges pk " + (is_word ? pk : "end"));
    }
    if (via.kind == language::Via::Kind::kEdges && !via.pk) found_.insert("via edges without pk");
    for (const language::Copy& copy : via.copies) {
      found_.insert("copy in via " + way);
      found_.insert(copy.all ? "copy *" : copy.fields.size() > 1 ? "copy several fields" : "copy one field");
    }
    if (via.copies.size() > 1) found_.insert("copy both ends");
    visit_physical(via.physical, std::nullopt, relation);
  }

  const model::Model& model_;
  Features& found_;
  std::string where_;
};

}  // namespace

void add_storage_features(const model::Model& model, Features& found) { StorageWalk(model, found).run(); }

}  // namespace sheaf::prove
