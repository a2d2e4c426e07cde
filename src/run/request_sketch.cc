#include "run/request_sketch.h"

#include "base/try.h"
#include "plan/document_tree.h"
#include "run/document.h"
#include "run/item_codec.h"
#include "run/spread.h"

namespace sheaf::run {
namespace {

using plan::Request;

class Sketcher {
 public:
  Sketcher(const model::Model& model, const model::Layout& layout, const plan::Plan& plan,
           const std::vector<Argument>& arguments)
      : model_(model), layout_(layout), plan_(plan), arguments_(arguments), codec_(model, layout) {}

  Result<std::vector<SketchedRequest>> run() const {
    const RequestBuilder builder(model_, layout_, plan_, arguments_);
    std::vector<SketchedRequest> made;
    for (const Request& request : plan_.requests) {
      if (request.kind == Request::Kind::kQuery) {
        KnownNodes known;
        if (!plan::is_search(plan_.nodes, request.wants.front())) {
          for (std::optional<size_t> node = request.anchor; node; node = plan_.nodes[*node].parent)
            known[*node] = identity(*node);
        }
        Spread spread(model_, plan_, request, arguments_, std::chrono::system_clock::now());
        const auto choices = spread.next();
        if (!choices) continue;
        for (const Spread::Choice& choice : *choices) {
          Query query = TRY(builder.query(request, known, choice));
          made.emplace_back(std::move(query));
        }
      } else {
        SketchedRequest points = TRY(points_of(request));
        made.push_back(std::move(points));
      }
    }
    return made;
  }

 private:
  std::string name_of(size_t node) const {
    const plan::DocumentNode& at = plan_.nodes[node];
    return at.parent ? model_.end(*at.end).name : model_.entities[at.entity].name;
  }

  Identity identity(size_t node) const {
    const plan::DocumentNode& at = plan_.nodes[node];
    if (!at.parent && plan_.pattern->start) return arguments_[*plan_.pattern->start].identity;
    if (at.parent && at.link == plan::Link::kIdentity)
      return parent_in(model_, model_.end(*at.end).holder, identity(*at.parent), *at.end);
    Identity made;
    for (const model::FieldPath& path : model_.entities[at.entity].identity)
      made.push_back("<" + name_of(node) + "." + model_.text(at.entity, path) + ">");
    return made;
  }

  Result<SketchedRequest> points_of(const Request& request) const {
    std::vector<std::pair<std::string, Item>> keys;
    for (const plan::Want& want : request.wants) {
      const model::ItemKind& kind = layout_.item_kinds[want.item_kind];
      const model::Table& table = layout_.tables[kind.table];
      if (request.kind == Request::Kind::kRest) {
        Item key;
        key.set(table.pk.name, Value("<" + name_of(want.node) + "." + table.pk.name + ">"));
        if (table.sk) key.set(table.sk->name, Value("<" + name_of(want.node) + "." + table.sk->name + ">"));
        keys.emplace_back(table.name, std::move(key));
        continue;
      }
      Item key = TRY(codec_.key(plan_.nodes[want.node].entity, identity(want.node)));
      keys.emplace_back(table.name, std::move(key));
    }
    if (plan_.is_snapshot) {
      TransactGetItems all;
      for (auto& [table, key] : keys) all.gets.push_back({.table = table, .key = std::move(key)});
      return SketchedRequest(std::move(all));
    }
    const bool is_one = request.kind == Request::Kind::kPoints && keys.size() == 1 &&
                        plan_.nodes[request.wants.front().node].count <= 1;
    if (is_one)
      return SketchedRequest(
          GetItem{.table = keys[0].first, .key = std::move(keys[0].second), .consistent = plan_.is_strong});
    BatchGetItems batch;
    for (auto& [table, key] : keys) {
      batch.tables[table].keys.push_back(std::move(key));
      batch.tables[table].consistent = plan_.is_strong;
    }
    return SketchedRequest(std::move(batch));
  }

  const model::Model& model_;
  const model::Layout& layout_;
  const plan::Plan& plan_;
  const std::vector<Argument>& arguments_;
  ItemCodec codec_;
};

}  // namespace

Result<std::vector<SketchedRequest>> sketch_requests(const model::Model& model, const model::Layout& layout,
                                                     const plan::Plan& plan,
                                                     const std::vector<Argument>& arguments) {
  return Sketcher(model, layout, plan, arguments).run();
}

}  // namespace sheaf::run
