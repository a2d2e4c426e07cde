#include "model/value_type.h"
#include "prove/random_logic.h"
#include "prove/random_names.h"

namespace sheaf::prove {
namespace {

using language::Type;
using Kind = language::Type::Kind;
using Words = std::vector<std::string>;

std::string joined_clauses(const std::vector<std::string>& clauses) {
  std::string text;
  for (const std::string& clause : clauses) text += clause + "; ";
  return text;
}

// What patterns often ask for, so that keys have something to hold.
void add_searched_fields(Draw& draw, EntityDraft& entity) {
  static const std::vector<Kind> kinds = {Kind::kString, Kind::kInt, Kind::kTime, Kind::kDate, Kind::kNumber};
  for (const Kind kind : kinds) {
    if (draw.chance.one_in(2)) continue;
    FieldDraft field = field_of(draw, {.kind = kind}, entity.taken, FieldPlace::kEntity);
    field.is_optional = draw.chance.one_in(5);
    entity.fields.push_back(std::move(field));
  }
}

void add_ids(Draw& draw, EntityDraft& entity) {
  const size_t chosen = draw.chance.below(20);
  const size_t count = chosen < 14 ? 1 : chosen < 19 ? 2 : 3;
  for (size_t i = 0; i < count; ++i) entity.fields.push_back(random_id(draw, entity.taken));
}

void add_time_to_live(Draw& draw, EntityDraft& entity) {
  const Kind kind = draw.chance.one_in(2) ? Kind::kInt : Kind::kTime;
  const std::string name = fresh_name(draw, {"expires", "ends_at", "until"}, entity.taken, NamePlace::kKey);
  entity.fields.push_back({.name = name, .type = {.kind = kind}, .is_optional = draw.chance.one_in(2)});
  entity.clauses.push_back("ttl " + written_name(name));
}

EntityDraft random_entity(Draw& draw, std::set<std::string>& taken) {
  static const Words words = {"Org", "User", "Order", "Item", "Author", "Book", "Ward",
                              "Bed", "Team", "Post",  "City", "Visit",  "Part", "account"};
  EntityDraft entity{.name = fresh_name(draw, words, taken, NamePlace::kOther)};
  entity.is_ghost = draw.wants(Topic::kGhosts, 5);
  add_ids(draw, entity);
  if (entity.is_ghost) return entity;
  add_searched_fields(draw, entity);
  const size_t count = draw.chance.between(1, draw.is_small() ? 3 : 5);
  for (size_t i = 0; i < count; ++i)
    entity.fields.push_back(random_field(draw, entity.taken, FieldPlace::kEntity));
  if (draw.wants(Topic::kTimestamps, 15)) entity.clauses.emplace_back("timestamps");
  if (draw.wants(Topic::kVersioned, 15)) entity.clauses.emplace_back("versioned");
  if (draw.wants(Topic::kTimeToLive, 7)) add_time_to_live(draw, entity);
  return entity;
}

}  // namespace

LogicDraft random_logic(Draw& draw) {
  static const Words names = {"shop", "random", "m1", "school_2", "clinic"};
  LogicDraft logic;
  std::set<std::string> taken;
  logic.name = fresh_name(draw, names, taken, NamePlace::kKey);
  taken.clear();
  const size_t count = draw.is_small() ? draw.chance.between(1, 4) : draw.chance.between(3, 7);
  for (size_t i = 0; i < count; ++i) {
    Draw own = draw.fork(i);
    logic.entities.push_back(random_entity(own, taken));
  }
  add_relations(draw, logic);
  return logic;
}

std::string head_of(const EntityDraft& entity) {
  return "entity " + written_name(entity.name) +
         (entity.within.empty() ? "" : " within " + written_name(entity.within)) + " { ";
}

std::vector<std::string> body_of(const EntityDraft& entity) {
  std::vector<std::string> body;
  for (const FieldDraft& field : entity.fields) body.push_back(written_field(field));
  // Clauses may stand anywhere between the fields.
  for (size_t i = 0; i < entity.clauses.size(); ++i) {
    const size_t at = (entity.name.size() + i) % (body.size() + 1);
    body.insert(body.begin() + static_cast<ptrdiff_t>(at), entity.clauses[i]);
  }
  return body;
}

std::string text_of(const LogicDraft& logic) {
  std::string text = "model " + written_name(logic.name) + " {\n";
  for (const EntityDraft& entity : logic.entities)
    text += "  " + head_of(entity) + joined_clauses(body_of(entity)) + "}\n";
  for (const RelationDraft& relation : logic.relations)
    text += "  " + head_of(logic, relation) + joined_clauses(body_of(relation)) + "}\n";
  return text + "}\n";
}

}  // namespace sheaf::prove
