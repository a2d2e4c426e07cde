#include "measure/basic_calls.h"

#include <algorithm>
#include <optional>

#include "run/item_codec.h"

namespace sheaf::measure {
namespace {

using generate::Chance;
using model::EndId;
using model::EntityId;

constexpr uint64_t kNoncesMax = uint64_t{1} << 36;
constexpr int kPairTries = 40;

class BasicCallMaker {
 public:
  BasicCallMaker(const generate::Generator& generator, const ScriptOptions& options)
      : generator_(generator), model_(generator.model()), options_(options) {}

  std::vector<BasicCalls> run() {
    for (EntityId entity = 0; entity < model_.entities.size(); ++entity) {
      if (!is_wanted(entity)) continue;
      add("put." + model_.entities[entity].name, [&](Chance& chance) { return put(entity, chance); });
      add("set." + model_.entities[entity].name, [&](Chance& chance) { return set(entity, chance); });
    }
    for (model::RelationId relation = 0; relation < model_.relations.size(); ++relation) {
      if (!options_.relation || *options_.relation == relation) relate(relation);
    }
    for (EntityId entity = 0; entity < model_.entities.size(); ++entity) {
      if (!is_wanted(entity)) continue;
      // The quiet ones, one after the other.
      uint64_t left = generator_.count(entity);
      add("delete." + model_.entities[entity].name, [&](Chance&) -> std::optional<std::vector<Value>> {
        if (left == 0) return std::nullopt;
        return std::vector<Value>{generator_.id(entity, --left)};
      });
    }
    return std::move(made_);
  }

 private:
  using Arguments = std::optional<std::vector<Value>>;

  template <class Make>
  void add(std::string name, Make make) {
    Chance chance(generate::mixed(options_.seed, name));
    BasicCalls calls{.name = std::move(name)};
    for (size_t i = 0; i < options_.runs; ++i) {
      if (Arguments arguments = make(chance)) calls.arguments.push_back(std::move(*arguments));
    }
    if (!calls.arguments.empty()) made_.push_back(std::move(calls));
  }

  bool is_wanted(EntityId entity) const {
    if (!options_.relation) return true;
    const auto& ends = model_.relations[*options_.relation].ends;
    return ends[0].holder == entity || ends[1].holder == entity;
  }

  Arguments put(EntityId entity, Chance& chance) const {
    const uint64_t nonces = std::clamp<uint64_t>(generator_.room(entity), 1, kNoncesMax);
    auto document = generator_.new_document(entity, chance.below(nonces));
    if (!document.ok()) return std::nullopt;
    return std::vector<Value>{std::move(*document)};
  }

  Arguments set(EntityId entity, Chance& chance) const {
    const auto& fields = model_.entities[entity].fields;
    const auto field = std::find_if(fields.begin(), fields.end(), [](const model::Field& each) {
      return !each.is_id && !each.count_of && each.kept == model::Kept::kNo && !each.syntax->is_immutable;
    });
    if (field == fields.end() || generator_.count(entity) == 0) return std::nullopt;
    const auto id = static_cast<model::FieldId>(field - fields.begin());
    run::Fields changed;
    changed[field->name] = generator_.some_value(entity, id, chance);
    return std::vector<Value>{generator_.id(entity, generator_.pick(entity, chance)),
                              Value(run::item_of(changed))};
  }

  void relate(model::RelationId relation) {
    for (const int side : {0, 1}) {
      const EndId end{.relation = relation, .side = side};
      const model::End& led = model_.end(end);
      const model::Entity& holder = model_.entities[led.holder];
      if (led.leads_to_many || holder.within == end) continue;
      add("move." + holder.name + "." + led.name,
          [&](Chance& chance) { return pair(end, /*is_linked=*/false, chance); });
      return;
    }
    const EndId end{.relation = relation};
    if (!model_.end(end).leads_to_many || !model_.end(model_.back(end)).leads_to_many) return;
    const std::string name = model_.entities[model_.end(end).holder].name + "." + model_.end(end).name;
    add("link." + name, [&](Chance& chance) { return pair(end, false, chance); });
    add("unlink." + name, [&](Chance& chance) { return pair(end, true, chance); });
  }

  bool are_linked(EndId end, uint64_t from, uint64_t to) const {
    bool found = false;
    generator_.each_edge(end, from, [&](const generate::EdgePlace&, uint64_t other) {
      found = other == to;
      return !found;
    });
    return found;
  }

  // Two who are linked by it, or who are not.
  Arguments pair(EndId end, bool is_linked, Chance& chance) const {
    const model::End& led = model_.end(end);
    if (generator_.count(led.holder) == 0 || generator_.count(led.target) == 0) return std::nullopt;
    for (int i = 0; i < kPairTries; ++i) {
      const uint64_t from = generator_.pick(led.holder, chance);
      uint64_t to = generator_.pick(led.target, chance);
      const bool is_loop = led.holder == led.target && from == to;
      if (is_linked) {
        const uint64_t degree = generator_.degree(end, from);
        if (degree == 0) continue;
        uint64_t left = chance.below(degree);
        generator_.each_edge(end, from, [&](const generate::EdgePlace&, uint64_t other) {
          to = other;
          return left-- > 0;
        });
      } else if (is_loop || are_linked(end, from, to)) {
        continue;
      }
      std::vector<Value> arguments{generator_.id(led.holder, from), generator_.id(led.target, to)};
      if (const run::Fields fields = edge_fields(end, chance); !is_linked && !fields.empty())
        arguments.emplace_back(run::item_of(fields));
      return arguments;
    }
    return std::nullopt;
  }

  run::Fields edge_fields(EndId end, Chance& chance) const {
    const auto& declared = model_.relations[end.relation].edge_fields;
    run::Fields fields;
    for (model::FieldId field = 0; field < declared.size(); ++field)
      fields[declared[field].name] = generator_.some_edge_value(end.relation, field, chance);
    return fields;
  }

  const generate::Generator& generator_;
  const model::Model& model_;
  const ScriptOptions& options_;
  std::vector<BasicCalls> made_;
};

}  // namespace

std::vector<BasicCalls> basic_calls(const generate::Generator& generator, const ScriptOptions& options) {
  return BasicCallMaker(generator, options).run();
}

}  // namespace sheaf::measure
