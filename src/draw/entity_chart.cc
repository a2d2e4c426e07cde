#include "draw/entity_chart.h"

#include <algorithm>

#include "draw/attribute_uses.h"
#include "language/syntax_text.h"

namespace sheaf::draw {
namespace {

class EntityChart {
 public:
  explicit EntityChart(const Subject& subject)
      : subject_(subject), model_(subject.model), layout_(subject.layout) {}

  std::vector<Section> run() {
    std::vector<Section> sections;
    for (const plan::View& view : views(layout_))
      sections.push_back(view.index ? index_section(view) : table_section(view));
    if (Section section = itemless_section(); !std::get<Grid>(section.body).cells.empty())
      sections.push_back(std::move(section));
    return sections;
  }

 private:
  Cell name_cell(size_t row, const ShownText& name, Hue hue) const {
    return {.row = row,
            .role = Cell::Role::kMark,
            .hue = hue,
            .lines = {{.text = name, .style = TextStyle::kStrong}}};
  }

  void add_header(Grid& grid, const plan::View& view, std::string_view last) const {
    const ViewKeys keys = keys_of(layout_, view);
    grid.add(header_cell(0, 0, "Entity"));
    grid.add(header_cell(0, 1, keys.partition->name));
    if (keys.sort != nullptr) grid.add(header_cell(0, 2, keys.sort->name));
    if (!last.empty()) grid.add(header_cell(0, grid.columns, last));
    grid.header_rows = 1;
  }

  Section table_section(const plan::View& view) const {
    Grid grid;
    add_header(grid, view, "Attributes");
    for (const model::ItemKind& kind : layout_.item_kinds) {
      if (kind.table != view.table) continue;
      const size_t row = grid.rows;
      grid.add(name_cell(row, kind.name, hue_of(model_, kind)));
      grid.add(plain_cell(row, 1, kind.pk.text(), TextStyle::kCode));
      if (kind.sk) grid.add(plain_cell(row, 2, kind.sk->text(), TextStyle::kCode));
      grid.add(plain_cell(row, grid.columns - 1, attribute_names(kind)));
    }
    return {.title = "Entity chart of " + name_of(layout_, view), .body = std::move(grid)};
  }

  std::string attribute_names(const model::ItemKind& kind) const {
    std::string names;
    for (const AttributeUse& use : attribute_uses(model_, layout_, kind)) {
      if (use.kind == AttributeUse::Kind::kKey || use.kind == AttributeUse::Kind::kIndexKey) continue;
      if (use.attribute.starts_with('_') && !subject_.shows_all) continue;
      names += (names.empty() ? "" : ", ") + use.attribute;
    }
    return names;
  }

  Section index_section(const plan::View& view) const {
    const model::Index& index = layout_.tables[view.table].indexes[*view.index];
    bool has_conditions = false;
    for (const model::ItemKind& kind : layout_.item_kinds) {
      for (const model::IndexEntry& entry : kind.entries)
        has_conditions |= kind.table == view.table && entry.index == *view.index && !entry.when.empty();
    }
    Grid grid;
    add_header(grid, view, has_conditions ? "When" : "");
    for (const model::ItemKind& kind : layout_.item_kinds) {
      if (kind.table != view.table) continue;
      if (index.is_over_table_keys) add_entry(grid, kind, *kind.sk, kind.pk, {}, has_conditions);
      for (const model::IndexEntry& entry : kind.entries) {
        if (entry.index == *view.index) add_entry(grid, kind, entry.pk, entry.sk, entry.when, has_conditions);
      }
    }
    return {.title = "Entity chart of " + name_of(layout_, view),
            .note = projection(index),
            .body = std::move(grid)};
  }

  void add_entry(Grid& grid, const model::ItemKind& kind, const model::KeyTemplate& pk,
                 const std::optional<model::KeyTemplate>& sk, const std::vector<model::Condition>& when,
                 bool has_conditions) const {
    const size_t row = grid.rows;
    grid.add(name_cell(row, kind.name, hue_of(model_, kind)));
    grid.add(plain_cell(row, 1, pk.text(), TextStyle::kCode));
    if (sk) grid.add(plain_cell(row, 2, sk->text(), TextStyle::kCode));
    if (!has_conditions) return;
    std::string conditions;
    for (const model::Condition& condition : when)
      conditions += (conditions.empty() ? "" : " and ") + language::to_text(*condition.syntax);
    grid.add(plain_cell(row, grid.columns - 1, conditions, TextStyle::kCode));
  }

  static std::string projection(const model::Index& index) {
    const std::string over = index.is_over_table_keys ? "The table's own keys, the other way round. " : "";
    switch (index.projection) {
      case language::Gsi::Projection::kAll:
        return over + "Holds all attributes";
      case language::Gsi::Projection::kKeys:
        return over + "Holds the keys alone";
      case language::Gsi::Projection::kInclude:
        break;
    }
    std::string names;
    for (const std::string& name : index.included) names += (names.empty() ? "" : ", ") + name;
    return over + "Holds the keys and " + names;
  }

  // Entities that lie in others, or are ends of edges only.
  Section itemless_section() const {
    Grid grid;
    for (model::EntityId id = 0; id < model_.entities.size(); ++id) {
      if (layout_.kind(id) != nullptr) continue;
      if (grid.cells.empty()) {
        grid.add(header_cell(0, 0, "Entity"));
        grid.add(header_cell(0, 1, "Where it is"));
        grid.add(header_cell(0, 2, "Fields"));
        grid.header_rows = 1;
      }
      const size_t row = grid.rows;
      grid.add(name_cell(row, model_.entities[id].name, id));
      grid.add(plain_cell(row, 1, place(id)));
      std::string fields;
      for (const model::Field& field : model_.entities[id].fields)
        fields += (fields.empty() ? "" : ", ") + field.name;
      grid.add(plain_cell(row, 2, fields));
    }
    return {.title = "Entities without items", .body = std::move(grid)};
  }

  std::string place(model::EntityId id) const {
    const auto end = layout_.embedding_end(model_, id);
    if (!end) return "an end of edges only";
    const bool is_list = layout_.relations[end->relation].embed_as == language::Via::EmbedAs::kList;
    return "in its " + model_.entities[model_.end(*end).holder].name + ", in the " +
           (is_list ? "list " : "map ") + model_.end(*end).name;
  }

  const Subject& subject_;
  const model::Model& model_;
  const model::Layout& layout_;
};

}  // namespace

std::vector<Section> entity_chart(const Subject& subject) { return EntityChart(subject).run(); }

}  // namespace sheaf::draw
