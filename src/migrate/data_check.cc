#include "migrate/data_check.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "base/try.h"
#include "run/guards.h"
#include "run/value_check.h"

namespace sheaf::migrate {
namespace {

using model::EntityId;
using model::Field;
using model::FieldId;
using run::Fields;
using run::Identity;

constexpr uint32_t kItemsAtATime = 500;
constexpr size_t kToldMax = 10;

bool takes_less(const Field& was, const Field& is) {
  const language::Field& syntax = *is.syntax;
  const auto& max = was.syntax->max;
  const auto& matches = was.syntax->matches;
  const bool is_shorter = syntax.max && (!max || max->value > syntax.max->value);
  const bool is_stricter = syntax.matches && (!matches || matches->text != syntax.matches->text);
  return is_shorter || is_stricter;
}

class DataCheck {
 public:
  DataCheck(const Side& stored, const Translation& there) : stored_(stored), there_(there) {
    for (EntityId entity = 0; entity < there.from().entities.size(); ++entity) note(entity);
    for (model::RelationId id = 0; id < there.from().relations.size(); ++id) note_edges(id);
  }

  Result<void> run() {
    if (unique_.empty() && narrow_.empty() && narrow_edges_.empty()) return {};
    const Side::Walker walker{
        .on_entity = [&](const SeenEntity& seen, const SourceItem&) { return look_at(seen); },
        .on_edge = [&](const run::Edge& edge, const SourceItem&) -> Result<void> {
          const model::End& first = there_.from().relations[edge.relation].ends[0];
          look_at_edge(edge.relation, first.holder, edge.ends[1], edge.fields);
          return {};
        }};
    for (size_t table = 0; table < stored_.layout().tables.size(); ++table) {
      std::optional<Item> from;
      do {
        from = TRY(stored_.walk(table, from, kItemsAtATime, walker));
      } while (from);
    }
    if (told_ == 0) return {};
    if (told_ > kToldMax) message_ += "\n  and " + std::to_string(told_ - kToldMax) + " more";
    return Error{Code::kInvalid, "what is stored does not fit the new model:" + message_};
  }

 private:
  // Fields by the names that they have in the new model.
  using ByEntity = std::map<EntityId, std::vector<const Field*>>;

  void note(EntityId entity) {
    if (!there_.has(entity)) return;
    const std::vector<Field>& fields = there_.from().entities[entity].fields;
    std::map<FieldId, const Field*> known;
    for (FieldId id = 0; id < fields.size(); ++id) {
      if (const auto now = there_.field(entity, id)) known[*now] = &fields[id];
    }
    const std::vector<Field>& others = there_.to().entities[there_.entity(entity)].fields;
    for (FieldId id = 0; id < others.size(); ++id) {
      const auto was = known.find(id);
      const Field& is = others[id];
      const bool is_known = was != known.end();
      // Several may be given the same default.
      const bool is_filled = is.syntax->default_value && (!is_known || was->second->is_optional);
      const bool was_unique = is_known && was->second->syntax->is_unique;
      if (is.syntax->is_unique && (is_filled || (is_known && !was_unique))) unique_[entity].push_back(&is);
      if (is_known && takes_less(*was->second, is)) narrow_[entity].push_back(&is);
    }
  }

  void note_edges(model::RelationId id) {
    const model::EndId first{.relation = id, .side = 0};
    if (!there_.has(first)) return;
    const std::vector<Field>& fields = there_.from().relations[id].edge_fields;
    for (const Field& is : there_.to().relations[there_.end(first).relation].edge_fields) {
      // One that is called otherwise is looked at in any case.
      const auto was =
          std::find_if(fields.begin(), fields.end(), [&](const Field& each) { return each.name == is.name; });
      const bool is_checked = is.syntax->max || is.syntax->matches;
      if (is_checked && (was == fields.end() || takes_less(*was, is))) narrow_edges_[id].push_back(&is);
    }
  }

  Result<void> look_at(const SeenEntity& seen) {
    // An item of an entity that is stored field by field has one of them.
    if (!stored_.layout().is_by_field(seen.entity) || !stored_.finds(seen.entity)) return look_at_whole(seen);
    const Sight sight = TRY(stored_.find(seen.entity, seen.identity));
    return sight.entity ? look_at_whole(*sight.entity) : Result<void>();
  }

  Result<void> look_at_whole(const SeenEntity& seen) {
    for (const Link& link : seen.links) {
      if (!link.fields.empty()) look_at_edge(link.end.relation, seen.entity, seen.identity, link.fields);
    }
    if (!there_.has(seen.entity)) return {};
    const Fields fields = there_.fields(seen.entity, seen.fields);
    look_at_fields(narrow_, seen.entity, name_of(seen.entity, seen.identity), fields);
    const auto unique = unique_.find(seen.entity);
    if (unique == unique_.end()) return {};
    for (const Field* field : unique->second) {
      const auto value = fields.find(field->name);
      if (value != fields.end()) TRY(claim(seen, *field, value->second));
    }
    return {};
  }

  void look_at_edge(model::RelationId relation, EntityId entity, const Identity& identity,
                    const Fields& fields) {
    if (!narrow_edges_.contains(relation)) return;
    const std::string end = there_.from().relations[relation].ends[0].name;
    look_at_fields(narrow_edges_, relation, "a link of " + name_of(entity, identity) + " by " + end,
                   there_.edge_fields(relation, fields));
  }

  void look_at_fields(const ByEntity& narrow, size_t id, const std::string& what, const Fields& fields) {
    const auto found = narrow.find(id);
    if (found == narrow.end()) return;
    for (const Field* field : found->second) {
      const auto value = fields.find(field->name);
      if (value == fields.end()) continue;
      if (const auto why = run::misfit(value->second, *field))
        tell(what + ": the field " + field->name + " " + *why);
    }
  }

  Result<void> claim(const SeenEntity& seen, const Field& field, const Value& value) {
    const std::string text = run::key_text(value).value_or("");
    const auto [owner, is_first] = owners_.emplace(std::tuple(seen.entity, field.name, text), seen.identity);
    if (is_first || owner->second == seen.identity) return {};
    if (!TRY(still_has(seen.entity, owner->second, field, value))) {
      owner->second = seen.identity;
      return {};
    }
    const auto [one, other] = std::minmax(owner->second, seen.identity);
    tell(name_of(seen.entity, one) + " and " + name_of(seen.entity, other) + " both have the " + field.name +
         " " + text + ", which is to be unique");
    return {};
  }

  // It was read a while ago.
  Result<bool> still_has(EntityId entity, const Identity& identity, const Field& field,
                         const Value& value) const {
    if (!stored_.finds(entity)) return true;
    const Sight sight = TRY(stored_.find(entity, identity));
    if (!sight.entity) return false;
    const Fields fields = there_.fields(entity, sight.entity->fields);
    const auto now = fields.find(field.name);
    return now != fields.end() && now->second == value;
  }

  std::string name_of(EntityId entity, const Identity& identity) const {
    return there_.from().entities[entity].name + " " + run::shown(identity);
  }

  void tell(const std::string& line) {
    if (++told_ <= kToldMax) message_ += "\n  " + line;
  }

  const Side& stored_;
  const Translation& there_;
  ByEntity unique_;        // that were not
  ByEntity narrow_;        // that take less than they did
  ByEntity narrow_edges_;  // likewise, by relation
  // By entity, field and value: who was seen with it.
  std::map<std::tuple<EntityId, std::string, std::string>, Identity> owners_;
  size_t told_ = 0;
  std::string message_;
};

}  // namespace

Result<void> check_data(const Side& stored, const Translation& there) {
  return DataCheck(stored, there).run();
}

}  // namespace sheaf::migrate
