#include "cmd/seen_sizes.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <tuple>

#include "base/try.h"
#include "cmd/model_file.h"
#include "run/data_lines.h"
#include "run/item_codec.h"

namespace sheaf::cmd {
namespace {

class SizeCounter {
 public:
  SizeCounter(const model::Model& model, const model::Layout& layout) : model_(model), layout_(layout) {}

  void add(const run::Record& record) {
    for (const auto& [end, others] : record.references) {
      if (record.entries.contains(end)) continue;  // the same ones
      count(end, record.identity, others.size());
      // Where each names the other, the other counts itself.
      if (layout_.is_mutual(end)) continue;
      for (const run::Identity& other : others) count(end.other(), other, 1);
    }
    for (const auto& [end, entries] : record.entries) count(end, record.identity, entries.size());
    for (const auto& [end, children] : record.embedded) count(end, record.identity, children.size());
  }

  // The first end leads to ends[0]: its holder is ends[1].
  void add(const run::Edge& edge) {
    if (model_.relations[edge.relation].is_symmetric) {
      count({.relation = edge.relation}, edge.ends[1], 1);
      if (!edge.leads) count({.relation = edge.relation}, edge.ends[0], 1);
      return;
    }
    for (const int side : {0, 1}) {
      if (edge.leads && *edge.leads != side) continue;
      count({.relation = edge.relation, .side = side}, edge.ends[1 - side], 1);
    }
  }

  std::vector<model::SeenSizes> sizes() const {
    std::vector<model::SeenSizes> made(model_.relations.size());
    for (const auto& [holder, number] : numbers_) {
      model::SeenSizes::Side& side = made[std::get<0>(holder)].sides[std::get<1>(holder)];
      ++side.holders;
      side.links += number;
      side.most = std::max(side.most, number);
    }
    return made;
  }

 private:
  void count(model::EndId end, const run::Identity& holder, uint64_t number) {
    if (number > 0) numbers_[{end.relation, end.side, holder}] += number;
  }

  const model::Model& model_;
  const model::Layout& layout_;
  std::map<std::tuple<size_t, int, run::Identity>, uint64_t> numbers_;
};

}  // namespace

Result<std::vector<model::SeenSizes>> sizes_in_file(const model::Model& model, const model::Layout& layout,
                                                    const measure::DataFile& file) {
  std::vector<run::DataText> texts;
  if (file.is_lines) {
    std::istringstream lines(file.text);
    size_t number = 0;
    for (std::string line; std::getline(lines, line);) {
      ++number;
      if (line.find_first_not_of(" \t\r") != std::string::npos)
        texts.push_back({.name = file.name + ":" + std::to_string(number) + ": ", .json = std::move(line)});
    }
  } else {
    texts.push_back({.name = file.name + ": ", .json = file.text});
  }
  const run::Data data = TRY(run::read_data(model, layout, texts, false));
  SizeCounter counter(model, layout);
  for (const run::Record& record : data.records) counter.add(record);
  for (const run::Edge& edge : data.edges) counter.add(edge);
  return counter.sizes();
}

Result<std::vector<model::SeenSizes>> sizes_in_database(const model::Model& model,
                                                        const model::Layout& layout, Database& database,
                                                        const SampleOptions& options) {
  SizeCounter counter(model, layout);
  const run::ItemCodec codec(model, layout);
  for (size_t table = 0; table < layout.tables.size(); ++table) {
    const TableDescription description = TRY(database.describe_table(layout.tables[table].name));
    TRY(sample_items(database, description, options, [&](ItemView item) {
      const auto decoded = codec.decode(table, item);
      if (!decoded) return;
      if (const auto* record = std::get_if<run::Record>(&*decoded)) counter.add(*record);
      if (const auto* edge = std::get_if<run::Edge>(&*decoded)) counter.add(*edge);
    }));
  }
  return counter.sizes();
}

}  // namespace sheaf::cmd
