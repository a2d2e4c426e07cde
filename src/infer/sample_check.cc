#include "infer/sample_check.h"

#include <set>

#include "run/item_codec.h"
#include "run/value_check.h"

namespace sheaf::infer {
namespace {

class SampleCheck {
 public:
  SampleCheck(const model::CompiledModel& compiled, const Design& design)
      : model_(compiled.model), layout_(compiled.layouts.front()), design_(design), codec_(model_, layout_) {}

  std::optional<std::string> check(const Kind& kind, size_t id, ItemView item) const {
    const auto decoded = codec_.decode(kind.table, item);
    if (!decoded) return "no entity explains it";
    if (const auto* record = std::get_if<run::Record>(&*decoded)) {
      const model::Entity& entity = model_.entities[record->entity];
      if (entity.name != design_.entity_of[id]) return "it is taken for a " + entity.name;
      if (layout_.is_by_field(record->entity)) return std::nullopt;
      if (auto why = misfit(entity.fields, record->fields)) return why;
      return stale_key(kind.table, item, codec_.encode(*record));
    }
    const auto& edge = std::get<run::Edge>(*decoded);
    if (auto why = misfit(model_.relations[edge.relation].edge_fields, edge.fields)) return why;
    return stale_key(kind.table, item, codec_.encode(edge));
  }

 private:
  static std::optional<std::string> misfit(const std::vector<model::Field>& fields,
                                           const run::Fields& values) {
    for (const model::Field& field : fields) {
      const auto value = values.find(field.name);
      if (value == values.end()) {
        if (!field.is_optional) return "the field " + field.name + " is missing";
      } else if (auto why = run::misfit(value->second, field)) {
        return "the field " + field.name + " " + *why;
      }
    }
    return std::nullopt;
  }

  std::optional<std::string> stale_key(size_t table_id, ItemView item, const Result<Item>& encoded) const {
    if (!encoded.ok()) return encoded.error().message;
    const model::Table& table = layout_.tables[table_id];
    std::set<std::string> names = {table.pk.name};
    if (table.sk) names.insert(table.sk->name);
    for (const model::Index& index : table.indexes) {
      names.insert(index.pk.name);
      if (index.sk) names.insert(index.sk->name);
    }
    for (const std::string& name : names) {
      const auto is = item.find(name), should = encoded->find(name);
      if (is.has_value() != should.has_value() || (is && !(*is == *should)))
        return name + " does not follow from its fields";
    }
    return std::nullopt;
  }

  const model::Model& model_;
  const model::Layout& layout_;
  const Design& design_;
  run::ItemCodec codec_;
};

}  // namespace

std::vector<Misfit> check_sample(const model::CompiledModel& compiled, const Design& design,
                                 const std::vector<Kind>& kinds) {
  const SampleCheck check(compiled, design);
  std::vector<Misfit> misfits;
  for (size_t id = 0; id < kinds.size(); ++id) {
    for (const Item& item : kinds[id].items) {
      if (const auto why = check.check(kinds[id], id, item)) {
        misfits.push_back({.kind = id, .why = *why});
        break;
      }
    }
  }
  return misfits;
}

}  // namespace sheaf::infer
