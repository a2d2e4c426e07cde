#include "run/data_lines.h"

#include <algorithm>

#include "base/try.h"

namespace sheaf::run {
namespace {

using model::EndStorage;

constexpr size_t kLinesAtOnce = 500;
constexpr size_t kTellEvery = 1000;

}  // namespace

bool is_line_by_line(const model::Model& model, const model::Layout& layout) {
  for (const model::Entity& entity : model.entities) {
    for (const model::Field& field : entity.fields) {
      if (field.count_of) return false;
    }
  }
  for (const model::StoredRelation& stored : layout.relations) {
    if (!stored.copies.empty()) return false;
    const EndStorage sides[] = {layout.storage({.relation = stored.relation, .side = 0}),
                                layout.storage({.relation = stored.relation, .side = 1})};
    const auto has = [&](EndStorage storage) { return sides[0] == storage || sides[1] == storage; };
    if (has(EndStorage::kIds) || has(EndStorage::kEntries) || has(EndStorage::kEmbeds)) return false;
    // Of 1--1 the document may be that of the other.
    const bool is_one_to_one =
        model.relations[stored.relation].cardinality == language::Cardinality::kOneToOne;
    if (is_one_to_one && !has(EndStorage::kEdge)) return false;
  }
  return true;
}

Result<LoadedLines> load_lines(Database& database, const model::Model& model, const model::Layout& layout,
                               std::istream& lines, const std::function<void(size_t lines)>& progress) {
  LoadedLines loaded;
  const bool is_part = is_line_by_line(model, layout);
  std::vector<DataText> texts;
  const auto load = [&]() -> Result<void> {
    const Data data = TRY(read_data(model, layout, texts, is_part));
    const size_t items = TRY(load_data(database, model, layout, data));
    loaded.items += items;
    texts.clear();
    return {};
  };
  for (std::string line; std::getline(lines, line);) {
    ++loaded.lines;
    if (progress && loaded.lines % kTellEvery == 0) progress(loaded.lines);
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    texts.push_back({.name = std::to_string(loaded.lines) + ": ", .json = std::move(line)});
    if (is_part && texts.size() == kLinesAtOnce) TRY(load());
  }
  TRY(load());
  return loaded;
}

}  // namespace sheaf::run
