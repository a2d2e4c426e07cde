// What a Generator works out once: sizes, values, links.
#include <algorithm>

#include "base/try.h"
#include "generate/generator.h"
#include "generate/key_needs.h"
#include "generate/likely_values.h"
#include "run/time_text.h"

namespace sheaf::generate {
namespace {

using model::EndId;
using model::EntityId;
using model::FieldId;
using model::RelationId;

constexpr int64_t kPlanDay = 86'400'000;
constexpr int64_t kYear = 365 * kPlanDay;
constexpr int64_t kHalfYear = 181 * kPlanDay;
constexpr int64_t kUntil = 1'782'864'000'000;     // 2026-07-01
constexpr int64_t kExpiries = 4'070'908'800'000;  // 2099-01-01: what expires is not to be gone at once

std::optional<int64_t> since_of(const model::Field& field) {
  if (field.syntax == nullptr || !field.syntax->since) return std::nullopt;
  const auto seconds = run::epoch_seconds(field.syntax->since->text);
  return seconds ? std::optional(*seconds * 1000) : std::nullopt;
}

uint64_t product(uint64_t a, uint64_t b) {
  const auto wide = static_cast<unsigned __int128>(a) * b;
  return wide > FieldValues::kCountMax ? FieldValues::kCountMax : static_cast<uint64_t>(wide);
}

}  // namespace

Result<std::unique_ptr<Generator>> Generator::make(const model::CompiledModel& compiled,
                                                   const GeneratorOptions& options) {
  if (options.skew.thousandths > kSkewThousandthsMax)
    return Error{Code::kInvalid, "a skew lies between 0 and " + std::to_string(kSkewThousandthsMax / 1000)};
  std::unique_ptr<Generator> made(new Generator(compiled));
  TRY(made->prepare(compiled, options));
  return made;
}

Result<void> Generator::prepare(const model::CompiledModel& compiled, const GeneratorOptions& options) {
  ModelNeeds needs = key_needs(compiled);
  needs_ = std::move(needs.entities);
  edge_needs_ = std::move(needs.relations);
  likely_ = likely_values(compiled);
  int64_t last_since = 0;
  for (const model::Entity& entity : model_.entities) {
    for (const model::Field& field : entity.fields) {
      if (const auto since = since_of(field)) last_since = std::max(last_since, *since);
    }
  }
  has_since_ = last_since > 0;
  period_.end_ms = options.until_ms.value_or(std::max(kUntil, last_since > 0 ? last_since + kHalfYear : 0));
  period_.begin_ms = period_.end_ms - kYear;
  if (has_since_ && last_since >= period_.end_ms)
    return Error{Code::kInvalid, "times begin at a since that is later than they end: say a later --until"};
  TRY(make_values(options, std::vector<uint64_t>(model_.entities.size(), 1)));
  sizes_ = TRY(sizes_of(model_, options.wishes, capacities()));
  // Now that it is known how many there are, codes get their size.
  TRY(make_values(options, sizes_.entities));
  for (EntityId id = 0; id < model_.entities.size(); ++id) {
    populations_.emplace_back(mixed(plans_[id].key, "order"), sizes_.entities[id]);
    popularity_.emplace_back(Shares::Options{.holders = sizes_.entities[id],
                                             .total = sizes_.entities[id] > 0 ? uint64_t{1} << 48 : 0,
                                             .skew = options.skew});
  }
  choose_primary();
  make_links(options);
  choose_carriers();
  return choose_filled(options);
}

Result<void> Generator::make_values(const GeneratorOptions& options, const std::vector<uint64_t>& wanted) {
  plans_.clear();
  edge_values_.clear();
  edge_keys_.clear();
  for (EntityId id = 0; id < model_.entities.size(); ++id) {
    const model::Entity& entity = model_.entities[id];
    EntityPlan plan{.key = mixed(mixed(options.seed, "entity"), entity.name), .period = period_};
    for (const model::Field& field : entity.fields) {
      if (const auto since = since_of(field)) plan.period.begin_ms = std::max(plan.period.begin_ms, *since);
    }
    for (FieldId field = 0; field < entity.fields.size(); ++field) {
      Period period = plan.period;
      const bool is_expiry = entity.syntax->ttl && entity.syntax->ttl->text == entity.fields[field].name;
      if (is_expiry) period = {.begin_ms = kExpiries, .end_ms = kExpiries + kYear};
      Result<FieldValues> values =
          FieldValues::of(entity.fields[field], {.key = mixed(plan.key, entity.fields[field].name),
                                                 .needs = needs_[id][field],
                                                 .period = period,
                                                 .wanted = wanted[id],
                                                 .is_expiry = is_expiry,
                                                 .owner = entity.name,
                                                 .likely = likely_[id][field]});
      if (!values.ok()) return Error{values.error().code, entity.name + ": " + values.error().message};
      plan.values.push_back(std::move(*values));
      if (entity.fields[field].is_id) plan.ids.push_back(field);
    }
    plans_.push_back(std::move(plan));
  }
  for (RelationId id = 0; id < model_.relations.size(); ++id) {
    const model::Relation& relation = model_.relations[id];
    const std::string name = model_.entities[relation.ends[0].holder].name + "." + relation.ends[0].name;
    edge_keys_.push_back(mixed(mixed(options.seed, "relation"), name));
    edge_values_.emplace_back();
    for (FieldId field = 0; field < relation.edge_fields.size(); ++field) {
      const model::Field& declared = relation.edge_fields[field];
      Result<FieldValues> values = FieldValues::of(declared, {.key = mixed(edge_keys_.back(), declared.name),
                                                              .needs = edge_needs_[id][field],
                                                              .period = period_});
      if (!values.ok()) return Error{values.error().code, name + ": " + values.error().message};
      edge_values_.back().push_back(std::move(*values));
    }
  }
  return {};
}

Capacities Generator::capacities() const {
  Capacities room;
  for (EntityId id = 0; id < model_.entities.size(); ++id) {
    const model::Entity& entity = model_.entities[id];
    uint64_t siblings = 1;
    for (const FieldId field : plans_[id].ids) siblings = product(siblings, plans_[id].values[field].count());
    room.siblings.push_back(siblings);
    uint64_t all = entity.within ? FieldValues::kCountMax : siblings;
    for (FieldId field = 0; field < entity.fields.size(); ++field) {
      const model::Field& declared = entity.fields[field];
      if (declared.syntax->is_unique && !declared.is_optional)
        all = std::min(all, plans_[id].values[field].count());
    }
    room.entities.push_back(all);
  }
  for (RelationId id = 0; id < model_.relations.size(); ++id) {
    uint64_t parallel = 1;
    for (FieldId field = 0; field < edge_values_[id].size(); ++field) {
      if (model_.relations[id].edge_fields[field].is_id)
        parallel = product(parallel, edge_values_[id][field].count());
    }
    room.parallel.push_back(parallel);
  }
  return room;
}

// The relation by which times and places in the data follow: that to its parent by identity, or one that is
// required, or any; never in a circle.
void Generator::choose_primary() {
  const auto leads_back = [&](EntityId from, EntityId to) {
    for (std::optional<EntityId> at = from; at;) {
      if (*at == to) return true;
      at = plans_[*at].primary ? std::optional(model_.end(*plans_[*at].primary).target) : std::nullopt;
    }
    return false;
  };
  for (const int round : {0, 1, 2}) {
    for (EntityId id = 0; id < model_.entities.size(); ++id) {
      const model::Entity& entity = model_.entities[id];
      for (const EndId end : entity.ends) {
        const RelationSize& size = sizes_.relations[end.relation];
        if (plans_[id].primary || size.parent_side != 1 - end.side) continue;
        const bool is_wanted = round == 0   ? entity.within == end
                               : round == 1 ? model_.end(end).is_required
                                            : true;
        if (is_wanted && !leads_back(model_.end(end).target, id)) plans_[id].primary = end;
      }
    }
  }
  std::vector<bool> is_done(model_.entities.size());
  while (order_.size() < model_.entities.size()) {
    for (EntityId id = 0; id < model_.entities.size(); ++id) {
      if (is_done[id] || (plans_[id].primary && !is_done[model_.end(*plans_[id].primary).target])) continue;
      is_done[id] = true;
      order_.push_back(id);
    }
  }
}

void Generator::make_links(const GeneratorOptions& options) {
  std::vector<bool> has_tree(model_.entities.size());
  for (RelationId id = 0; id < model_.relations.size(); ++id) {
    const model::Relation& relation = model_.relations[id];
    const RelationSize& size = sizes_.relations[id];
    const Population& first = populations_[relation.ends[0].holder];
    const Population& second = populations_[relation.ends[1].holder];
    const bool is_with_itself = relation.ends[0].holder == relation.ends[1].holder;
    const uint64_t key = mixed(edge_keys_[id], "links");
    if (size.parent_side) {
      const int child = 1 - *size.parent_side;
      const EndId up{.relation = id, .side = child};
      Population parents = *size.parent_side == 0 ? first : second;
      // A second tree among the same entities has an order of its own, or it would be the same tree.
      if (is_with_itself) {
        if (has_tree[relation.ends[0].holder]) parents = Population(key, parents.count());
        has_tree[relation.ends[0].holder] = true;
      }
      links_.push_back(tree_links({.key = key,
                                   .parent_side = *size.parent_side,
                                   .parents = parents,
                                   .children = child == 0 ? first.count() : second.count(),
                                   .linked = size.pairs,
                                   .max = size.max[*size.parent_side],
                                   .skew = options.skew,
                                   .is_in_order = plans_[relation.ends[child].holder].primary == up,
                                   .is_with_itself = is_with_itself}));
    } else if (relation.is_symmetric) {
      links_.push_back(mutual_links(
          {.key = key, .members = first, .total = size.pairs, .max = size.max[0], .skew = options.skew}));
    } else {
      links_.push_back(net_links({.key = key,
                                  .sides = {first, second},
                                  .total = size.pairs,
                                  .max = {size.max[0], size.max[1]},
                                  .skew = options.skew,
                                  .leaves_out_loops = is_with_itself && !relation.syntax->loops}));
    }
  }
}

void Generator::choose_carriers() {
  for (EntityId id = 0; id < model_.entities.size(); ++id) {
    EntityPlan& plan = plans_[id];
    const auto& within = model_.entities[id].within;
    const uint64_t all = sizes_.entities[id];
    const uint64_t siblings = within ? links_[within->relation]->most(1 - within->side) : all;
    // With room for others that are not there yet.
    for (const uint64_t room : {uint64_t{1} << 40, siblings}) {
      for (size_t i = plan.ids.size(); i-- > 0 && !plan.carrier;) {
        if (plan.values[plan.ids[i]].count() >= room) plan.carrier = i;
      }
    }
    if (!plan.carrier) continue;
    const FieldValues& carrier = plan.values[plan.ids[*plan.carrier]];
    plan.is_by_ordinal = !within || (carrier.is_code() && carrier.count() / 4 >= all);
  }
}

Result<void> Generator::choose_filled(const GeneratorOptions& options) {
  for (const auto& [name, bytes] : options.item_bytes) {
    const auto id = model_.find_entity(name);
    if (!id) return Error{Code::kInvalid, "there is no entity " + name};
    if (bytes > kItemBytesMax - 10'000)
      return Error{Code::kInvalid, "items of " + std::to_string(bytes) + " bytes are too large: at most " +
                                       std::to_string(kItemBytesMax - 10'000)};
    const std::vector<model::Field>& fields = model_.entities[*id].fields;
    EntityPlan& plan = plans_[*id];
    plan.bytes = bytes;
    // The longest text by its sort, or else any text that is never missing.
    for (const bool is_text : {true, false}) {
      for (FieldId field = 0; field < fields.size() && !plan.filled; ++field) {
        if (plan.values[field].is_free_text() && !fields[field].is_optional &&
            plan.values[field].is_text() >= is_text)
          plan.filled = field;
      }
    }
    if (!plan.filled)
      return Error{Code::kInvalid,
                   name +
                       " has no text that could be longer: one that is in no key, not optional, "
                       "and has neither max nor matches"};
  }
  return {};
}

}  // namespace sheaf::generate
