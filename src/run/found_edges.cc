#include "run/found_edges.h"

#include "base/article.h"
#include "base/try.h"
#include "plan/related.h"
#include "run/item_codec.h"
#include "run/requests.h"
#include "run/spread.h"

namespace sheaf::run {

Result<std::vector<FoundEdge>> find_edges(Database& database, const model::Model& model,
                                          const model::Layout& layout, model::EndId end, const Identity& from,
                                          std::chrono::system_clock::time_point now, Figures& figures) {
  const auto plan = plan::related_plan(model, layout, end);
  if (!plan)
    return Error{Code::kInvalid, "no key leads from " +
                                     with_article(model.entities[model.end(end).holder].name) + " to its " +
                                     model.end(end).name + " in this layout"};
  const ItemCodec codec(model, layout);
  const size_t table = plan->requests.front().view.table;
  const KnownNodes known{{0, from}};
  PartitionQueries queries(model, layout, *plan, known, now);
  std::vector<FoundEdge> found;
  while (true) {
    std::optional<Query> query = TRY(queries.next());
    if (!query) return found;
    do {
      const Page page = TRY(database.query(*query));
      ++figures.requests;
      figures.units += page.capacity.total();
      for (size_t i = 0; i < page.items.size(); ++i) {
        auto decoded = codec.decode(table, page.items[i], !plan->is_strong);
        auto* edge = decoded ? std::get_if<Edge>(&*decoded) : nullptr;
        if (edge != nullptr && edge->relation == end.relation && edge->ends[1 - end.side] == from)
          found.push_back({.edge = std::move(*edge), .table = table, .item = Item(page.items[i])});
      }
      query->start_key = page.last_key;
    } while (query->start_key);
  }
}

}  // namespace sheaf::run
