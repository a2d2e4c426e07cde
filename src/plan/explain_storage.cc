#include "plan/explain_storage.h"

#include "base/article.h"
#include "language/syntax_words.h"
#include "model/strategies/strategy.h"
#include "model/view_allocation.h"
#include "plan/key_interval.h"
#include "plan/related.h"
#include "plan/write_needs.h"

namespace sheaf::plan {
namespace {

EndPromise found_by(const model::Layout& layout, const Plan& plan) {
  const Request& request = plan.requests.front();
  const Want& want = request.wants.front();
  EndPromise promise{.is_served = true, .is_strong = !request.view.index, .place = "in the table"};
  if (request.view.index)
    promise.place = "by the index " + layout.tables[request.view.table].indexes[*request.view.index].name;
  const model::KeyTemplate* const key = sort_key(layout, request.view, layout.item_kinds[want.item_kind]);
  if (key == nullptr) return promise;
  const std::vector<const model::Hole*> holes = key->holes();
  if (want.sort.bound.size() < holes.size() && holes[want.sort.bound.size()]->keeps_order())
    promise.order = holes[want.sort.bound.size()]->text;
  return promise;
}

std::string indexes_text(const model::Layout& layout, size_t table) {
  const size_t count = layout.tables[table].indexes.size();
  if (count == 0) return "no index";
  const std::string out = std::to_string(count) + (count == 1 ? " index, " : " indexes, ");
  const model::MostViews most = model::most_views(layout, table);
  if (most.count == 0) return out + "which nothing uses";
  const std::string views =
      most.name + " has " + std::to_string(most.count) + (most.count == 1 ? " view" : " views");
  if (most.count == count) return out + "which is minimal: " + views;
  return out + "and no fewer than " + std::to_string(most.count) + " would do: " + views;
}

std::string keys_text(const model::KeyTemplate& pk, const std::optional<model::KeyTemplate>& sk) {
  return "\"" + pk.text() + "\"" + (sk ? " / \"" + sk->text() + "\"" : "");
}

std::string tables_text(const model::Layout& layout) {
  std::string out;
  for (size_t i = 0; i < layout.tables.size(); ++i) {
    const model::Table& table = layout.tables[i];
    out += "table " + table.name + ": " + table.pk.name + (table.sk ? " / " + table.sk->name : "") + ", " +
           indexes_text(layout, i) + "\n";
    for (const model::ItemKind& kind : layout.item_kinds) {
      if (kind.table != i) continue;
      out += "  " + kind.name + " " + keys_text(kind.pk, kind.sk) + "\n";
      for (const model::IndexEntry& entry : kind.entries)
        out += "    " + table.indexes[entry.index].name + " " + keys_text(entry.pk, entry.sk) + "\n";
    }
  }
  return out;
}

std::string end_text(const model::Model& model, const model::Layout& layout, model::EndId end) {
  const model::End& declared = model.end(end);
  const EndPromise promise = promise_of(model, layout, end);
  std::string out = "  " + declared.name + " of " + with_article(model.entities[declared.holder].name) + ": ";
  if (!promise.is_served) return out + "not found in this layout\n";
  out += promise.place + (promise.is_strong ? ", strongly consistent" : ", eventually consistent");
  if (promise.order && declared.leads_to_many) out += ", in the order of " + *promise.order;
  if (promise.is_in_item && declared.leads_to_many && declared.max)
    out += ", at most " + std::to_string(*declared.max);
  return out + "\n";
}

}  // namespace

EndPromise promise_of(const model::Model& model, const model::Layout& layout, model::EndId end) {
  const model::EndStorage storage = layout.storage(end);
  if (storage == model::EndStorage::kEmbedded)
    return {.is_served = true, .is_strong = true, .place = "with its own id"};
  const bool is_in_item = layout.is_named(end) || storage == model::EndStorage::kEmbeds;
  if (is_in_item) {
    EndPromise promise{.is_served = true, .is_in_item = true, .place = "with its own item"};
    promise.is_strong = has_known_key(model, layout, model.end(end).holder);
    return promise;
  }
  const auto plan = related_plan(model, layout, end);
  return plan ? found_by(layout, *plan) : EndPromise{};
}

std::string explain_storage(const model::Model& model, const model::Layout& layout) {
  std::string out = tables_text(layout);
  for (const model::StoredRelation& stored : layout.relations) {
    const model::Relation& relation = model.relations[stored.relation];
    const std::string detail = stored.strategy->detail(model, layout, stored);
    out += model.entities[relation.ends[0].holder].name + "." + relation.ends[0].name + " via " +
           std::string(word_for(language::kViaWords, stored.strategy->kind())) +
           (detail.empty() ? "" : " " + detail);
    if (stored.is_chosen) out += ": chosen, because " + stored.reason;
    out += "\n";
    for (const int side : {0, 1}) {
      if (side == 1 && relation.is_symmetric) continue;
      out += end_text(model, layout, {.relation = stored.relation, .side = side});
    }
    for (const model::CopiedFields& copied : stored.copies) {
      const model::End& end = relation.ends[copied.side];
      out += "  " + std::to_string(copied.fields.size()) +
             (copied.fields.size() == 1 ? " field" : " fields") + " of " + end.name +
             " copied, and kept in step by a job\n";
    }
  }
  return out;
}

}  // namespace sheaf::plan
