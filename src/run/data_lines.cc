#include "run/data_lines.h"

#include <algorithm>

#include "base/try.h"
#include "run/data_writer.h"

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

Result<size_t> read_lines(const model::Model& model, const model::Layout& layout, std::istream& lines,
                          const LineReading& reading) {
  size_t number = 0;
  const bool is_part = is_line_by_line(model, layout);
  const auto is_ended = [&] { return reading.is_ended && reading.is_ended(); };
  std::vector<DataText> texts;
  const auto take = [&]() -> Result<void> {
    const Data data = TRY(read_data(model, layout, texts, is_part));
    texts.clear();
    return reading.take(data);
  };
  for (std::string line; std::getline(lines, line);) {
    // What a pipe gave until it was interrupted may be half a line.
    if (is_ended()) return number;
    ++number;
    if (reading.progress && number % kTellEvery == 0) reading.progress(number);
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    texts.push_back({.name = std::to_string(number) + ": ", .json = std::move(line)});
    if (is_part && texts.size() == kLinesAtOnce) TRY(take());
  }
  if (!is_ended()) TRY(take());
  return number;
}

Result<LoadedLines> load_lines(Database& database, const model::Model& model, const model::Layout& layout,
                               std::istream& lines, const std::function<void(size_t lines)>& progress) {
  DataWriter writer(database, model, layout);
  const size_t read = TRY(read_lines(
      model, layout, lines,
      {.take = [&](const Data& data) { return writer.write(data); }, .progress = progress, .is_ended = {}}));
  return LoadedLines{.lines = read, .items = writer.written().items};
}

}  // namespace sheaf::run
