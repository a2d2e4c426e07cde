#include "run/reader.h"

#include <algorithm>
#include <map>

#include "base/try.h"
#include "plan/document_tree.h"
#include "run/assembler.h"
#include "run/conditions.h"
#include "run/item_codec.h"
#include "run/pool.h"

namespace sheaf::run {
namespace {

using model::KeyTemplate;
using plan::Binding;
using plan::Request;
using plan::Want;
using Test = language::Condition::Test;

constexpr size_t kBatchKeysMax = 100;
// Above every character of a key.
constexpr std::string_view kLast = "\U0010FFFF";

// The sort keys from `low` to `high`, both included.
struct Interval {
  std::string low;
  std::string high;
  bool is_prefix = false;  // all that begin with `low`
};

class Runner {
 public:
  Runner(Database& database, const model::Model& model, const model::Layout& layout, const plan::Plan& plan,
         const std::vector<Argument>& arguments, const std::optional<Item>& start)
      : database_(database),
        model_(model),
        layout_(layout),
        plan_(plan),
        arguments_(arguments),
        start_(start),
        codec_(model, layout),
        pool_(model),
        assembler_(model, layout, plan, pool_, arguments, answer_.figures) {}

  Result<Answer> run() {
    if (plan_.pattern->start) roots_.push_back(arguments_[*plan_.pattern->start].identity);
    for (const Request& request : plan_.requests) {
      answer_.figures.rounds = std::max<uint64_t>(answer_.figures.rounds, request.round);
      if (request.kind == Request::Kind::kPoints) {
        TRY(get_points(request));
      } else {
        TRY(query_all(request));
      }
    }
    answer_.documents = assembler_.documents(roots_);
    if (plan_.pattern->one && answer_.documents.size() > 1)
      return Error{Code::kInvalid, plan_.pattern->name + " found " +
                                       std::to_string(answer_.documents.size()) + " where one was expected"};
    return std::move(answer_);
  }

 private:
  void keep(size_t table, ItemView item) {
    ++answer_.figures.items_read;
    auto decoded = codec_.decode(table, item);
    if (!decoded) {
      ++answer_.figures.foreign;
    } else if (auto* record = std::get_if<Record>(&*decoded)) {
      if (!plan_.pattern->start && record->entity == plan_.nodes[0].entity &&
          std::find(roots_.begin(), roots_.end(), record->identity) == roots_.end())
        roots_.push_back(record->identity);
      pool_.add(std::move(*record));
    } else {
      pool_.add(std::move(std::get<Edge>(*decoded)));
    }
  }

  void count(const Capacity& capacity) {
    ++answer_.figures.requests;
    answer_.figures.units += capacity.total();
  }

  // --- By address

  Result<void> get_points(const Request& request) {
    std::vector<std::pair<size_t, Item>> keys;  // with their tables
    for (const Want& want : request.wants) {
      const model::EntityId entity = plan_.nodes[want.node].entity;
      for (const Identity& identity : assembler_.identities(want.node, roots_)) {
        if (pool_.find(entity, identity) != nullptr) continue;
        Item key = TRY(codec_.key(entity, identity));
        const auto same = [&](const auto& other) {
          return other.first == layout_.kind(entity)->table && other.second == key;
        };
        if (std::none_of(keys.begin(), keys.end(), same))
          keys.emplace_back(layout_.kind(entity)->table, std::move(key));
      }
    }
    if (keys.size() == 1) {
      const Got got = TRY(database_.get_item({.table = layout_.tables[keys[0].first].name,
                                              .key = keys[0].second,
                                              .consistent = plan_.is_strong}));
      count(got.capacity);
      if (got.item) keep(keys[0].first, *got.item);
      return {};
    }
    for (size_t begin = 0; begin < keys.size(); begin += kBatchKeysMax) {
      BatchGetItems batch;
      for (size_t i = begin; i < std::min(keys.size(), begin + kBatchKeysMax); ++i) {
        BatchGetItems::Table& table = batch.tables[layout_.tables[keys[i].first].name];
        table.keys.push_back(keys[i].second);
        table.consistent = plan_.is_strong;
      }
      TRY(get_batch(std::move(batch)));
    }
    return {};
  }

  Result<void> get_batch(BatchGetItems batch) {
    while (!batch.tables.empty()) {
      const BatchGot got = TRY(database_.batch_get_items(batch));
      ++answer_.figures.requests;
      for (const auto& [name, capacity] : got.capacity) answer_.figures.units += capacity.total();
      for (const auto& [name, items] : got.items) {
        for (size_t i = 0; i < items.size(); ++i) keep(table_named(name), items[i]);
      }
      std::map<std::string, BatchGetItems::Table> rest;
      for (const auto& [name, keys] : got.unprocessed) {
        rest[name] = batch.tables[name];
        rest[name].keys = keys;
      }
      batch.tables = std::move(rest);
    }
    return {};
  }

  size_t table_named(std::string_view name) const {
    for (size_t i = 0; i < layout_.tables.size(); ++i) {
      if (layout_.tables[i].name == name) return i;
    }
    return 0;
  }

  // --- By partition

  Result<void> query_all(const Request& request) {
    const bool is_from_conditions = request.anchor == 0 && !plan_.pattern->start;
    if (is_from_conditions) return query_one(request, {});
    for (const Identity& identity : assembler_.identities(request.anchor, roots_))
      TRY(query_one(request, identity));
    return {};
  }

  // The text of a bound hole. Nothing if it is not known, for instance because a parameter is left out.
  Result<std::string> bound(const Binding& binding, size_t anchor, const Identity& identity) const {
    if (binding.kind == Binding::Kind::kCondition) {
      const auto value = operand_value(model_, binding.condition->syntax->operands.front(),
                                       *binding.condition, 0, arguments_, plan_.pattern->parameters);
      const auto text = value ? key_text(*value) : std::nullopt;
      if (!text) return Error{Code::kInvalid, "a parameter is missing or has no place in a key"};
      return *text;
    }
    // An entity above the anchor: its identity is in the way that led here.
    Identity at = identity;
    size_t node = anchor;
    while (node != binding.node) {
      if (!plan_.nodes[node].parent) return Error{Code::kInvalid, "a key needs what is not known yet"};
      at = parent_of(node, at);
      node = *plan_.nodes[node].parent;
    }
    const std::vector<model::FieldPath>& paths = model_.entities[plan_.nodes[node].entity].identity;
    const auto part = std::find(paths.begin(), paths.end(), binding.path);
    return at[static_cast<size_t>(part - paths.begin())];
  }

  Identity parent_of(size_t node, const Identity& identity) const {
    const size_t parent = *plan_.nodes[node].parent;
    for (const Identity& candidate : assembler_.identities(parent, roots_)) {
      const model::EndId end = *plan_.nodes[node].end;
      for (const Record* child : pool_.children(end, candidate)) {
        if (child->identity == identity) return candidate;
      }
      for (const Edge* edge : pool_.edges(end, candidate)) {
        if (edge->ends[end.side] == identity) return candidate;
      }
    }
    return {};
  }

  const KeyTemplate* key(const Request& request, size_t kind_id, bool sort) const {
    const model::ItemKind& kind = layout_.item_kinds[kind_id];
    const auto of = [&](const KeyTemplate& pk, const std::optional<KeyTemplate>& sk) {
      return !sort ? &pk : sk ? &*sk : nullptr;
    };
    if (!request.view.index) return of(kind.pk, kind.sk);
    for (const model::IndexEntry& entry : kind.entries) {
      if (entry.index == *request.view.index) return of(entry.pk, entry.sk);
    }
    return sort ? &kind.pk : &*kind.sk;
  }

  Result<Interval> interval(const Request& request, const Want& want, const Identity& identity) const {
    const KeyTemplate& sk = *key(request, want.item_kind, true);
    std::vector<std::string> values;
    for (const Binding& binding : want.sort.bound)
      values.push_back(TRY(bound(binding, request.anchor, identity)));
    const std::string text = TRY(sk.encode_prefix(values));
    if (want.sort.is_whole) return Interval{.low = text, .high = text};
    if (want.sort.range == nullptr)
      return Interval{.low = text, .high = text + std::string(kLast), .is_prefix = true};
    return range(sk, *want.sort.range, values, text);
  }

  // A condition on the next hole. Exact ends are tested again on what was read.
  Result<Interval> range(const KeyTemplate& sk, const model::Condition& condition,
                         const std::vector<std::string>& values, const std::string& prefix) const {
    const auto operand = [&](size_t index) -> Result<std::string> {
      const auto value = operand_value(model_, condition.syntax->operands[index], condition, index,
                                       arguments_, plan_.pattern->parameters);
      const auto text = value ? key_text(*value) : std::nullopt;
      if (!text) return Error{Code::kInvalid, "a parameter has no place in a key"};
      // As the hole writes it, without the literal that follows.
      std::vector<std::string> with = values;
      with.push_back(*text);
      std::vector<KeyTemplate::Piece> pieces;
      size_t holes = 0;
      for (const KeyTemplate::Piece& piece : sk.pieces()) {
        pieces.push_back(piece);
        if (std::holds_alternative<model::Hole>(piece) && ++holes == with.size()) break;
      }
      return KeyTemplate(std::move(pieces), sk.span()).encode_prefix(with);
    };
    Interval made{.low = prefix, .high = prefix + std::string(kLast)};
    const std::string first = TRY(operand(0));
    switch (condition.syntax->test) {
      case Test::kBegins:
        made.low = first;
        made.high = first + std::string(kLast);
        made.is_prefix = true;
        break;
      case Test::kLess:
      case Test::kLessOrEqual:
        made.high = first + std::string(kLast);
        break;
      case Test::kGreater:
      case Test::kGreaterOrEqual:
        made.low = first;
        break;
      default: {
        const std::string second = TRY(operand(1));
        made.low = first;
        made.high = second + std::string(kLast);
        break;
      }
    }
    return made;
  }

  Result<void> query_one(const Request& request, const Identity& identity) {
    const model::Table& table = layout_.tables[request.view.table];
    const model::Index* const index = request.view.index ? &table.indexes[*request.view.index] : nullptr;
    const model::KeyAttribute& pk = index != nullptr ? index->pk : table.pk;
    const std::optional<model::KeyAttribute>& sk = index != nullptr ? index->sk : table.sk;

    std::vector<std::string> values;
    for (const Binding& binding : request.partition)
      values.push_back(TRY(bound(binding, request.anchor, identity)));
    const std::string partition = TRY(key(request, request.wants.front().item_kind, false)->encode(values));

    Query query{.table = table.name,
                .key_condition = "#p = :p",
                .names = {{"#p", pk.name}},
                .descending = request.is_backward,
                .consistent = plan_.is_strong};
    if (index != nullptr) query.index = index->name;
    language::Type pk_type;
    pk_type.kind = pk.type;
    query.values.set(":p", value_of(partition, pk_type));
    if (sk) TRY(narrow(request, identity, *sk, query));

    const bool is_outermost = std::any_of(request.wants.begin(), request.wants.end(),
                                          [&](const Want& want) { return want.node == plan_.result; });
    if (request.limit) query.limit = static_cast<uint32_t>(*request.limit);
    if (is_outermost && start_) query.start_key = *start_;
    uint64_t read = 0;
    while (true) {
      const Page page = TRY(database_.query(query));
      count(page.capacity);
      for (size_t i = 0; i < page.items.size(); ++i) keep(request.view.table, page.items[i]);
      read += page.scanned_count;
      if (!page.last_key) break;
      if (request.limit && read >= static_cast<uint64_t>(*request.limit)) {
        const model::Node* const selected = plan_.nodes[plan_.result].selected;
        if (is_outermost && !selected->limit) answer_.next = page.last_key;
        break;
      }
      query.start_key = page.last_key;
      if (request.limit) query.limit = static_cast<uint32_t>(static_cast<uint64_t>(*request.limit) - read);
    }
    return {};
  }

  // One interval that holds all that is wanted.
  Result<void> narrow(const Request& request, const Identity& identity, const model::KeyAttribute& sk,
                      Query& query) const {
    std::optional<Interval> all;
    for (const Want& want : request.wants) {
      Interval one = TRY(interval(request, want, identity));
      if (!all) {
        all = std::move(one);
        continue;
      }
      all->is_prefix = false;
      all->low = std::min(all->low, one.low);
      all->high = std::max(all->high, one.high);
    }
    if (all->is_prefix && all->low.empty()) return {};
    language::Type type;
    type.kind = sk.type;
    query.names.emplace_back("#s", sk.name);
    query.values.set(":s", value_of(all->low, type));
    if (all->low == all->high) {
      query.key_condition += " AND #s = :s";
    } else if (all->is_prefix) {
      query.key_condition += " AND begins_with(#s, :s)";
    } else {
      query.key_condition += " AND #s BETWEEN :s AND :t";
      query.values.set(":t", value_of(all->high, type));
    }
    return {};
  }

  Database& database_;
  const model::Model& model_;
  const model::Layout& layout_;
  const plan::Plan& plan_;
  const std::vector<Argument>& arguments_;
  const std::optional<Item>& start_;
  ItemCodec codec_;
  Pool pool_;
  Answer answer_;
  Assembler assembler_;
  std::vector<Identity> roots_;
};

}  // namespace

Result<Answer> run_plan(Database& database, const model::Model& model, const model::Layout& layout,
                        const plan::Plan& plan, const std::vector<Argument>& arguments,
                        const std::optional<Item>& start) {
  return Runner(database, model, layout, plan, arguments, start).run();
}

}  // namespace sheaf::run
