#include "run/reader.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/try.h"
#include "plan/document_tree.h"
#include "plan/key_interval.h"
#include "run/assembler.h"
#include "run/cancellation.h"
#include "run/item_codec.h"
#include "run/merged_queries.h"
#include "run/pool.h"
#include "run/spread.h"
#include "run/stored_items.h"

namespace sheaf::run {
namespace {

using plan::Request;
using plan::Want;

constexpr size_t kPoolKeysMax = 100;
constexpr size_t kPageDefault = 100;

// Makes the requests of a plan once, from a position on.
class Pass {
 public:
  Pass(Database& database, const model::Model& model, const model::Layout& layout, const plan::Plan& plan,
       const std::vector<Argument>& arguments, const Position* start,
       std::chrono::system_clock::time_point now, Figures& figures)
      : database_(database),
        model_(model),
        layout_(layout),
        plan_(plan),
        arguments_(arguments),
        start_(start),
        now_(now),
        figures_(figures),
        codec_(model, layout),
        builder_(model, layout, plan, arguments, now),
        pool_(model, layout),
        assembler_(model, plan, pool_, arguments, now, figures) {}

  Result<std::vector<Assembler::Assembled>> run() {
    if (plan_.pattern->start) roots_.push_back(arguments_[*plan_.pattern->start].identity);
    rest_.resize(plan_.requests.size());
    walks_back_ = walks_back();
    uint64_t rounds = 0;
    for (size_t i = 0; i < plan_.requests.size(); ++i) {
      const Request& request = plan_.requests[i];
      // What others find may be of the same kind, and is not what the pattern is about.
      finds_roots_ =
          request.kind != Request::Kind::kPoints && plan::is_search(plan_.nodes, request.wants.front());
      if (request.levels > 1) {
        const uint64_t levels = TRY(read_levels(i));
        rounds = std::max<uint64_t>(rounds, request.round + levels - 1);
        continue;
      }
      rounds = std::max<uint64_t>(rounds, request.round);
      switch (request.kind) {
        case Request::Kind::kPoints:
          TRY(get_points(request));
          break;
        case Request::Kind::kRest:
          TRY(get_all(rest_[request.anchor]));
          break;
        case Request::Kind::kQuery:
          TRY(query_all(i));
          break;
      }
    }
    figures_.rounds += rounds + waits_;
    std::vector<Assembler::Assembled> documents = TRY(assembler_.documents(roots_));
    if (walks_back_)
      std::erase_if(documents, [&](const Assembler::Assembled& each) {
        return each.edge != nullptr && !paged_edges_.contains(edge_text(model_, *each.edge));
      });
    return documents;
  }

  // Where the outermost list goes on, if it has not ended.
  const std::optional<Position>& next() const { return next_; }
  // Keeps the first few documents in the order of their keys, which only the values that they are sorted by
  // need not tell. Returns where the list goes on behind them.
  Position keep_first(std::vector<Assembler::Assembled>& documents, size_t count) const {
    std::vector<bool> is_kept(documents.size());
    Position last;
    size_t found = 0;
    for (const ReadPage& page : pages_) {
      const Request& request = plan_.requests[page.request];
      for (size_t i = 0; i < page.items.size() && found < count; ++i) {
        const auto decoded = codec_.decode(request.view.table, page.items[i], is_lean(request));
        if (!decoded) continue;
        for (size_t at = 0; at < documents.size(); ++at) {
          if (is_kept[at] || !is_of(*decoded, documents[at])) continue;
          is_kept[at] = true;
          ++found;
          last = position(page, page.items[i]);
          break;
        }
      }
    }
    size_t kept = 0;
    for (size_t at = 0; at < documents.size(); ++at) {
      if (is_kept[at] && kept++ != at) documents[kept - 1] = std::move(documents[at]);
    }
    documents.resize(kept);
    return last;
  }

 private:
  // Whether the edges of the outermost list are also those of a step before it: of these, only what the list
  // has read is on its page.
  bool walks_back() const {
    std::map<model::RelationId, size_t> wanted;
    std::optional<model::RelationId> paged;
    for (const Request& request : plan_.requests) {
      for (const Want& want : request.wants) {
        if (want.kind != Want::Kind::kEdges || request.kind != Request::Kind::kQuery) continue;
        const model::RelationId relation = *layout_.item_kinds[want.item_kind].relation;
        ++wanted[relation];
        if (request.is_paged) paged = relation;
      }
    }
    return paged && wanted[*paged] > 1;
  }

  // A page of the outermost list.
  struct ReadPage {
    size_t request = 0;
    ItemList items;
    Identity anchor;
  };

  Position position(const ReadPage& page, ItemView item) const {
    const plan::View& view = plan_.requests[page.request].view;
    return {.key = position_key(layout_.tables[view.table], view.index, item), .anchor = page.anchor};
  }

  bool is_of(const std::variant<Record, Edge>& decoded, const Assembler::Assembled& document) const {
    if (const auto* edge = std::get_if<Edge>(&decoded))
      return document.edge != nullptr && edge_text(model_, *edge) == edge_text(model_, *document.edge);
    return std::get<Record>(decoded).identity == document.identity;
  }

  // Its index does not hold all of an item.
  bool is_lean(const Request& request) const {
    return request.view.index && layout_.tables[request.view.table].indexes[*request.view.index].projection !=
                                     language::Gsi::Projection::kAll;
  }

  void keep(size_t table, ItemView item) {
    if (item.find(kDeletingAttribute)) return;
    auto decoded = codec_.decode(table, item);
    if (!decoded) {
      ++figures_.foreign;
    } else {
      keep(std::move(*decoded));
    }
  }

  void keep(std::variant<Record, Edge> decoded) {
    const plan::DocumentNode& start = plan_.nodes[0];
    if (auto* record = std::get_if<Record>(&decoded)) {
      const bool may_be_root = finds_roots_ && !start.end && record->entity == start.entity;
      Identity identity = record->identity;
      if (pool_.add(std::move(*record)) && may_be_root) roots_.push_back(std::move(identity));
    } else {
      Edge& edge = std::get<Edge>(decoded);
      if (finds_roots_ && start.end && edge.relation == start.end->relation &&
          pool_.edges_to(*start.end, edge.ends[start.end->side]).empty())
        roots_.push_back(edge.ends[start.end->side]);
      pool_.add(std::move(edge));
    }
  }

  // --- Level by level

  // Returns how many levels were read: at least one, and none that nobody leads to.
  Result<uint64_t> read_levels(size_t id) {
    const Request& request = plan_.requests[id];
    const size_t node = request.wants.front().node;
    std::set<Identity> done;
    for (uint64_t level = 1; level <= request.levels; ++level) {
      const bool is_query = request.kind == Request::Kind::kQuery;
      const auto reached = static_cast<int64_t>(is_query ? level - 1 : level);
      std::vector<Identity> next = assembler_.identities(node, roots_, reached);
      std::erase_if(next, [&](const Identity& each) { return !done.insert(each).second; });
      if (next.empty() || (level > 1 && assembler_.is_full(node, roots_)))
        return std::max<uint64_t>(level - 1, 1);
      if (!is_query) {
        TRY(get_points(request, next));
        continue;
      }
      for (const Identity& each : next) {
        std::optional<uint64_t> left;
        if (request.limit) left = static_cast<uint64_t>(*request.limit);
        TRY(query_partitions(id, {{request.anchor, each}}, each, nullptr, left));
      }
    }
    return request.levels;
  }

  // What is found level by level may be more than somebody bounded.
  Result<void> check_reads(uint64_t more) const {
    const auto& reads_max = plan_.pattern->syntax->clauses.reads_max;
    if (!reads_max || figures_.items_read + more <= static_cast<uint64_t>(reads_max->value)) return {};
    return Error{Code::kInvalid, plan_.pattern->name + " would read more than " +
                                     std::to_string(reads_max->value) + " items"};
  }

  // --- By address

  Result<void> get_points(const Request& request) {
    TableKeys keys;
    bool is_of_levels = false;
    for (const Want& want : request.wants) {
      TRY(add_keys(want, assembler_.identities(want.node, roots_), keys));
      is_of_levels = is_of_levels || plan_.nodes[want.node].depth > 1;
    }
    if (is_of_levels) TRY(check_reads(keys.size()));
    return get_all(keys);
  }

  Result<void> get_points(const Request& request, const std::vector<Identity>& identities) {
    TableKeys keys;
    TRY(add_keys(request.wants.front(), identities, keys));
    TRY(check_reads(keys.size()));
    return get_all(keys);
  }

  Result<void> add_keys(const Want& want, const std::vector<Identity>& identities, TableKeys& keys) const {
    const model::EntityId entity = plan_.nodes[want.node].entity;
    for (const Identity& identity : identities) {
      const Record* const known = pool_.find(entity, identity);
      if (known != nullptr && !known->is_partial) continue;
      Item key = TRY(codec_.key(entity, identity));
      const auto same = [&](const auto& other) {
        return other.first == layout_.kind(entity)->table && other.second == key;
      };
      if (std::none_of(keys.begin(), keys.end(), same))
        keys.emplace_back(layout_.kind(entity)->table, std::move(key));
    }
    return {};
  }

  Result<void> get_all(const TableKeys& keys) {
    if (keys.empty()) return {};
    if (plan_.is_snapshot) return get_snapshot(keys);
    return get_items(database_, layout_, keys, plan_.is_strong, figures_,
                     [&](size_t table, ItemView item) { keep(table, item); });
  }

  Result<void> get_snapshot(const TableKeys& keys) {
    if (keys.empty()) return {};
    if (keys.size() > kPoolKeysMax)
      return Error{Code::kInvalid, plan_.pattern->name + " has more than 100 keys, too many for a snapshot"};
    TransactGetItems request;
    for (const auto& [table, key] : keys)
      request.gets.push_back({.table = layout_.tables[table].name, .key = key});
    const TransactGot got = TRY(database_.transact_get_items(request));
    ++figures_.requests;
    for (const auto& [name, capacity] : got.capacity) figures_.units += capacity.total();
    if (!got.applied) return why_no_snapshot(got.reasons);
    for (size_t i = 0; i < got.items.size(); ++i) {
      if (!got.items[i]) continue;
      ++figures_.items_read;
      keep(keys[i].first, *got.items[i]);
    }
    return {};
  }

  static Error why_no_snapshot(const std::vector<CancellationReason>& reasons) {
    if (auto throttled = throttling_of(reasons)) return *std::move(throttled);
    for (const CancellationReason& reason : reasons) {
      if (auto refused = refusal_of(reason)) return *std::move(refused);
    }
    return {Code::kConflict, "some of it is being written just now; ask again for the snapshot"};
  }

  // --- By partition

  Result<void> query_all(size_t id) {
    const Request& request = plan_.requests[id];
    const bool is_from_conditions = plan::is_search(plan_.nodes, request.wants.front());
    std::vector<Identity> anchors;
    if (is_from_conditions) {
      anchors.emplace_back();
    } else {
      anchors = assembler_.identities(request.anchor, roots_);
    }
    std::optional<uint64_t> left;  // of a list over several partitions, which ends when a page is full
    if (request.is_paged) left = static_cast<uint64_t>(*request.limit);
    const bool is_resumed = request.is_paged && start_ != nullptr && (start_->key || !start_->anchor.empty());
    for (const Identity& anchor : anchors) {
      if (is_resumed && anchor < start_->anchor) continue;
      if (left && *left == 0 && request.is_paged) {
        next_ = Position{.anchor = anchor};
        return {};
      }
      KnownNodes known;
      if (!is_from_conditions) known = chain(request.anchor, anchor);
      if (!request.is_paged && request.limit) left = static_cast<uint64_t>(*request.limit);
      const bool is_within = is_resumed && anchor == start_->anchor && start_->key;
      TRY(query_partitions(id, known, anchor, is_within ? &*start_->key : nullptr, left));
      if (request.is_paged && next_) return {};
    }
    return {};
  }

  // Of one entity of the anchor. `from`: behind which key. `left`: how many are wanted, if there is a limit.
  Result<void> query_partitions(size_t id, const KnownNodes& known, const Identity& anchor, const Item* from,
                                std::optional<uint64_t>& left) {
    const Request& request = plan_.requests[id];
    Spread spread(model_, plan_, request, arguments_, now_);
    uint64_t steps = 0;
    while (const auto choices = spread.next()) {
      std::vector<Query> queries;
      for (const Spread::Choice& choice : *choices) {
        Query query = TRY(builder_.query(request, known, choice));
        queries.push_back(std::move(query));
      }
      std::optional<size_t> resumed;
      if (from != nullptr) {
        resumed = stream_of(request, queries, *from);
        if (!resumed) continue;
      }
      if (left && *left == 0) {
        if (request.is_paged)
          next_ = position(pages_.back(), pages_.back().items[pages_.back().items.size() - 1]);
        break;
      }
      uint64_t read = 0;
      if (request.is_merged) {
        for (size_t i = 0; resumed && i < queries.size(); ++i) {
          const Value begin(*from->find(plan::sort_attribute(layout_, request.view)->name));
          if (i != *resumed) queries[i] = TRY(builder_.query(request, known, (*choices)[i], &begin));
        }
        MergedQueries merged(database_, layout_, request, std::move(queries), figures_);
        if (resumed) merged.begin_behind(*resumed, *from);
        read = TRY(take_merged(id, merged, anchor, *left));
      } else {
        if (resumed) queries.front().start_key = *from;
        read = TRY(query_one(id, std::move(queries.front()), anchor, left.value_or(0)));
      }
      from = nullptr;
      if (left) *left -= std::min(*left, read);
      waits_ = std::max(waits_, steps++);
      if (request.is_paged && next_) break;
    }
    return {};
  }

  // In which of the queries a position lies.
  std::optional<size_t> stream_of(const Request& request, const std::vector<Query>& queries,
                                  const Item& key) const {
    for (size_t i = 0; i < queries.size(); ++i) {
      if (is_in_partition(layout_, request.view, queries[i], key)) return i;
    }
    return std::nullopt;
  }

  // From an entity up, as far as it was walked.
  KnownNodes chain(size_t node, Identity identity) const {
    KnownNodes known;
    while (true) {
      known[node] = identity;
      if (!plan_.nodes[node].parent) return known;
      identity = assembler_.parent_of(node, identity, roots_);
      node = *plan_.nodes[node].parent;
    }
  }

  // Returns how many items were read. `limit`: 0 if there is none.
  Result<uint64_t> query_one(size_t id, Query query, const Identity& anchor, uint64_t limit) {
    const Request& request = plan_.requests[id];
    uint64_t read = 0;
    while (true) {
      if (limit > 0) query.limit = static_cast<uint32_t>(limit - read);
      Page page = TRY(database_.query(query));
      ++figures_.requests;
      figures_.units += page.capacity.total();
      figures_.items_read += page.items.size();
      if (request.levels > 1) TRY(check_reads(0));
      uint64_t wanted = 0;
      for (size_t i = 0; i < page.items.size(); ++i) wanted += take(id, page.items[i]) ? 1 : 0;
      if (request.is_paged)
        pages_.push_back({.request = id, .items = std::move(page.items), .anchor = anchor});
      // Pages go on behind the last item; a list that ends is full when it has enough of what is wanted.
      read += request.is_paged ? page.scanned_count : wanted;
      if (!page.last_key) return read;
      if (limit > 0 && read >= limit) {
        if (request.is_paged) next_ = Position{.key = page.last_key, .anchor = anchor};
        return read;
      }
      query.start_key = page.last_key;
    }
  }

  // Returns how many were read, or found, as query_one does.
  Result<uint64_t> take_merged(size_t id, MergedQueries& merged, const Identity& anchor, uint64_t limit) {
    const Request& request = plan_.requests[id];
    ReadPage page{.request = id, .anchor = anchor};
    uint64_t read = 0;
    while (read < limit) {
      const std::optional<ItemView> item = TRY(merged.next(limit - read));
      if (!item) break;
      const bool is_one = take(id, *item);
      page.items.append(*item);
      read += request.is_paged || is_one ? 1 : 0;
    }
    if (!request.is_paged) return read;
    if (read == limit && merged.has_more()) next_ = position(page, page.items[page.items.size() - 1]);
    pages_.push_back(std::move(page));
    return read;
  }

  // Whether it is of a kind that the request is for.
  bool take(size_t id, ItemView item) {
    const Request& request = plan_.requests[id];
    if (item.find(kDeletingAttribute)) return false;
    auto decoded = codec_.decode(request.view.table, item, is_lean(request));
    if (!decoded) {
      ++figures_.foreign;
      return false;
    }
    const bool is_one = is_wanted(request, *decoded);
    if (walks_back_ && request.is_paged && std::holds_alternative<Edge>(*decoded))
      paged_edges_.insert(edge_text(model_, std::get<Edge>(*decoded)));
    std::visit([&](auto& each) { each.is_partial = is_lean(request); }, *decoded);
    if (request.is_partial)
      rest_[id].emplace_back(request.view.table, key_of(layout_.tables[request.view.table], item));
    // The next level is known before the rest of this one is.
    if (!request.is_partial || request.levels > 1) keep(std::move(*decoded));
    return is_one;
  }

  bool is_wanted(const Request& request, const std::variant<Record, Edge>& decoded) const {
    return std::any_of(request.wants.begin(), request.wants.end(), [&](const Want& want) {
      const model::ItemKind& kind = layout_.item_kinds[want.item_kind];
      const auto* record = std::get_if<Record>(&decoded);
      return record != nullptr ? kind.entity == record->entity
                               : kind.relation == std::get<Edge>(decoded).relation &&
                                     kind.leads == std::get<Edge>(decoded).leads;
    });
  }

  Database& database_;
  const model::Model& model_;
  const model::Layout& layout_;
  const plan::Plan& plan_;
  const std::vector<Argument>& arguments_;
  const Position* const start_;
  const std::chrono::system_clock::time_point now_;
  Figures& figures_;
  ItemCodec codec_;
  RequestBuilder builder_;
  Pool pool_;
  Assembler assembler_;
  std::vector<Identity> roots_;
  bool finds_roots_ = false;     // the request that is being made
  std::vector<TableKeys> rest_;  // one a request: what its index did not hold
  std::vector<ReadPage> pages_;
  bool walks_back_ = false;
  std::set<std::string> paged_edges_;  // if so
  std::optional<Position> next_;
  uint64_t waits_ = 0;  // for one bucket after another
};

// Whether a document of a list that was sorted after reading comes behind a position.
bool is_behind(const Assembler::Assembled& document, const Position& position, bool is_descending) {
  if (position.order && document.order) {
    const auto order = compare(*document.order, *position.order);
    if (order && *order != 0) return is_descending ? *order < 0 : *order > 0;
  } else if (position.order || document.order) {
    return document.order.has_value() != is_descending;
  }
  return is_descending ? document.place < position.place : document.place > position.place;
}

}  // namespace

Result<Answer> run_plan(Database& database, const model::Model& model, const model::Layout& layout,
                        const plan::Plan& plan, const std::vector<Argument>& arguments, const Position* start,
                        std::chrono::system_clock::time_point now) {
  Answer answer;
  const model::Node& node = *plan.nodes[plan.result].selected;
  const size_t wanted = documents_wanted(plan);
  const auto& reads_max = plan.pattern->syntax->clauses.reads_max;
  const bool is_paged = std::any_of(plan.requests.begin(), plan.requests.end(),
                                    [](const Request& request) { return request.is_paged; });
  const bool is_descending = node.order && node.order->second == language::Direction::kDescending;

  std::optional<Position> position;
  if (start != nullptr) position = *start;
  while (true) {
    Pass pass(database, model, layout, plan, arguments, position ? &*position : nullptr, now, answer.figures);
    std::vector<Assembler::Assembled> documents = TRY(pass.run());
    if (!is_paged && position)
      std::erase_if(documents, [&](const auto& each) { return !is_behind(each, *position, is_descending); });
    const size_t room = wanted - answer.documents.size();
    // Pages need some order; where nobody asked for one, it is that of the ids.
    if (!is_paged && !node.order && (position || documents.size() > room))
      std::sort(documents.begin(), documents.end(),
                [](const auto& a, const auto& b) { return a.place < b.place; });
    if (documents.size() <= room) {
      position = pass.next();
    } else if (is_paged) {
      position = pass.keep_first(documents, room);
    } else {
      documents.resize(room);
      position = Position{.order = documents.back().order, .place = documents.back().place};
    }
    for (Assembler::Assembled& each : documents) answer.documents.push_back(std::move(each.document));
    const bool is_done = !position || answer.documents.size() >= wanted ||
                         (reads_max && answer.figures.items_read >= static_cast<uint64_t>(reads_max->value));
    if (is_done) break;
  }
  if (!node.limit) answer.next = std::move(position);
  TRY(check_one(plan, answer));
  return answer;
}

size_t documents_wanted(const plan::Plan& plan) {
  const plan::DocumentNode& result = plan.nodes[plan.result];
  const bool is_list = result.count > 1 || !result.is_bounded;
  return static_cast<size_t>(result.selected->limit.value_or(
      result.selected->page.value_or(is_list ? int64_t{kPageDefault} : int64_t{1} << 40)));
}

Result<void> check_one(const plan::Plan& plan, const Answer& answer) {
  if (plan.pattern->one && answer.documents.size() > 1)
    return Error{Code::kInvalid, plan.pattern->name + " found " + std::to_string(answer.documents.size()) +
                                     " where one was expected"};
  return {};
}

}  // namespace sheaf::run
