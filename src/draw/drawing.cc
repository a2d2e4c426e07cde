#include "draw/drawing.h"

#include <algorithm>

#include "base/try.h"
#include "draw/collections.h"
#include "draw/entity_chart.h"
#include "draw/field_table.h"
#include "draw/guard_table.h"
#include "draw/key_table.h"
#include "draw/markdown_form.h"
#include "draw/relation_diagram.h"
#include "draw/sections.h"
#include "draw/side_by_side.h"
#include "draw/stored_items.h"
#include "draw/svg_form.h"
#include "draw/text_form.h"

namespace sheaf::draw {
namespace {

constexpr Kind kAllKinds[] = {Kind::kRelations, Kind::kChart, Kind::kAttributes, Kind::kCollections,
                              Kind::kSideBySide};

bool needs_data(Kind kind) { return kind == Kind::kCollections || kind == Kind::kSideBySide; }

Fits fits_of(const Options& options) {
  switch (options.form) {
    case Form::kText:
      return text_fits(options.text_columns);
    case Form::kMarkdown:
      return markdown_fits();
    case Form::kSvg:
      break;
  }
  return svg_fits();
}

void add(std::vector<Section>& sections, std::vector<Section> more) {
  std::move(more.begin(), more.end(), std::back_inserter(sections));
}

}  // namespace

Result<std::string> draw(const model::Model& model, const model::Layout& layout, const run::Data* data,
                         const Options& options) {
  std::vector<Kind> kinds = options.kinds;
  if (kinds.empty()) {
    std::copy_if(std::begin(kAllKinds), std::end(kAllKinds), std::back_inserter(kinds),
                 [&](Kind kind) { return data != nullptr || !needs_data(kind); });
  }
  if (data == nullptr && std::any_of(kinds.begin(), kinds.end(), needs_data))
    return Error{Code::kInvalid, "collections and side-by-side need sample data"};

  Subject subject{.model = model, .layout = layout, .shows_all = options.shows_all};
  if (data != nullptr) {
    subject.has_items = true;
    subject.items = TRY(stored_items(model, layout, *data));
    if (!options.shows_all) hide_system_values(model, layout, subject.items);
    if (options.shows_all) {
      for (const run::Guard& guard : run::guards_of(model, layout, *data))
        subject.guards.push_back(run::guard_item(guard));
    }
  }
  std::vector<plan::View> wanted = views(layout);
  if (options.index) {
    std::erase_if(wanted, [&](const plan::View& view) {
      return !view.index || layout.tables[view.table].indexes[*view.index].name != *options.index;
    });
    if (wanted.empty())
      return Error{Code::kInvalid, "the layout " + layout.name + " has no index " + *options.index};
  }

  const Fits fits = fits_of(options);
  std::vector<Section> sections;
  sections.push_back(
      {.level = Section::Level::kDrawing, .title = "Model " + model.name() + ", layout " + layout.name});
  for (const Kind kind : kinds) {
    const size_t first = sections.size();
    switch (kind) {
      case Kind::kRelations:
        add(sections, relation_diagram(subject));
        break;
      case Kind::kChart:
        add(sections, entity_chart(subject));
        break;
      case Kind::kAttributes:
        for (size_t table = 0; table < layout.tables.size(); ++table)
          sections.push_back(key_table(subject, table));
        sections.push_back(field_table(subject));
        break;
      case Kind::kCollections:
        for (const plan::View& view : wanted) sections.push_back(collections(subject, view, fits));
        if (!subject.guards.empty() && !options.index) sections.push_back(guard_table(subject));
        break;
      case Kind::kSideBySide:
        for (const plan::View& view : wanted) {
          if (view.index) sections.push_back(side_by_side(subject, view, fits));
        }
        break;
    }
    if (first < sections.size()) sections[first].begins_row = true;
  }
  switch (options.form) {
    case Form::kText:
      return to_text(sections, options.text_columns);
    case Form::kMarkdown:
      return to_markdown(sections);
    case Form::kSvg:
      break;
  }
  return to_svg(sections);
}

}  // namespace sheaf::draw
