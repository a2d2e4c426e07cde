#include "prove/random_operations.h"

#include <algorithm>
#include <map>

#include "model/value_type.h"
#include "prove/random_conditions.h"
#include "prove/random_names.h"

namespace sheaf::prove {
namespace {

using Words = std::vector<std::string>;
using PlaceKind = model::Place::Kind;

class OperationMaker {
 public:
  OperationMaker(Draw& draw, const model::Model& model, std::string name)
      : draw_(draw), model_(model), name_(std::move(name)) {}

  std::optional<OperationDraft> run() {
    const bool is_composed = draw_.chance.one_in(2);
    const size_t count = is_composed ? draw_.chance.between(2, 5) : 1;
    for (size_t i = 0; i < count * 2 && writes_.size() < count; ++i) add_write();
    if (writes_.empty()) return std::nullopt;
    std::string text;
    for (const std::string& write : writes_) text += (text.empty() ? "" : "; ") + write;
    const bool is_block = writes_.size() > 1 || draw_.chance.one_in(8);
    if (is_block) text = "{ " + text + (draw_.chance.one_in(2) ? "; }" : " }");
    return OperationDraft{
        .name = name_, .text = "op " + written_name(name_) + parameters_.text() + " = " + text + clauses()};
  }

 private:
  // What is done to the entity of one parameter: some changes exclude others.
  struct Written {
    std::string path;  // "$p"
    model::EntityId entity = 0;
    bool is_made = false;  // put or upserted
    bool is_deleted = false;
    bool is_changed = false;  // set, added to, removed from, linked
    std::set<std::string> places;
  };

  ConditionMaker maker() { return {draw_, model_, parameters_, OperandPlace::kOperation}; }

  // A parameter that there is already, or a new one.
  size_t written(model::EntityId entity, bool is_new) {
    std::vector<size_t> known;
    for (size_t i = 0; i < written_.size(); ++i) {
      if (written_[i].entity == entity && !written_[i].is_deleted) known.push_back(i);
    }
    if (!is_new && !known.empty() && !draw_.chance.one_in(3)) return draw_.chance.of(known);
    written_.push_back({.path = parameters_.add_entity(draw_, model_, entity), .entity = entity});
    return written_.size() - 1;
  }

  // An entity that the operation writes already, or any.
  model::EntityId any_entity() {
    if (!written_.empty() && draw_.chance.one_in(2)) return draw_.chance.of(written_).entity;
    return draw_.chance.below(model_.entities.size());
  }

  void add_write() {
    const model::EntityId entity = any_entity();
    switch (draw_.chance.below(14)) {
      case 0:
        return make(entity, "put ");
      case 1:
        return make(entity, "upsert ");
      case 2:
        return remove_entity(entity);
      case 3:
      case 4:
        return assign(entity);
      case 5:
        return add_up(entity);
      case 6:
        return remove_fields(entity);
      case 7:
      case 8:
        return link(entity, true);
      case 9:
        return link(entity, false);
      case 10:
        return move(entity);
      default:
        return check(entity);
    }
  }

  void make(model::EntityId entity, const std::string& verb) {
    const size_t index = written(entity, draw_.chance.one_in(2));
    if (written_[index].is_made) return;
    Written& self = written_[index];
    self.is_made = true;
    writes_.push_back(verb + self.path);
  }

  // What becomes of those that cannot be without it must be said in the relation.
  bool is_deletable(model::EntityId entity) const {
    return std::all_of(
        model_.relations.begin(), model_.relations.end(), [&](const model::Relation& relation) {
          return relation.on_delete ||
                 std::none_of(std::begin(relation.ends), std::end(relation.ends),
                              [&](const model::End& end) { return end.target == entity && end.is_required; });
        });
  }

  void remove_entity(model::EntityId entity) {
    if (!is_deletable(entity)) return;
    const size_t index = written(entity, draw_.chance.one_in(2));
    // Only what is not changed otherwise is deleted.
    if (written_[index].is_made || !written_[index].places.empty()) return;
    Written& self = written_[index];
    self.is_deleted = true;
    writes_.push_back("delete " + self.path);
  }

  bool is_changeable(model::EntityId entity, const model::Place& place) const {
    if (place.kind == PlaceKind::kEntity || !place.ends.empty()) return false;
    const model::Field& field = model_.entities[entity].fields[place.field];
    return !field.is_id && !field.syntax->is_immutable && !field.count_of && field.kept == model::Kept::kNo;
  }

  // Fields that can change, and of which nothing inside or around is written yet.
  std::vector<PlaceChoice> changeable(Written& self) {
    std::vector<PlaceChoice> choices = places_of(model_, self.entity, std::nullopt, 0);
    std::erase_if(choices, [&](const PlaceChoice& each) {
      return !is_changeable(self.entity, each.place) || self.places.contains(each.names.front());
    });
    return choices;
  }

  void assign(model::EntityId entity) {
    const size_t index = written(entity, false);
    std::string text;
    const size_t count = draw_.chance.between(1, 3);
    for (size_t i = 0; i < count; ++i) {
      const std::vector<PlaceChoice> choices = changeable(written_[index]);
      if (choices.empty()) break;
      const PlaceChoice& choice = any_place(draw_.chance, choices);
      ConditionMaker own = maker();
      own.assigned = written_[index].path;
      const auto value = own.expression(choice.place.type);
      if (!value) continue;
      written_[index].places.insert(choice.names.front());
      text += (text.empty() ? "" : ", ") + written_[index].path + "." + written_names(choice.names) + " = " +
              *value;
    }
    if (!text.empty()) writes_.push_back("set " + text);
  }

  void add_up(model::EntityId entity) {
    const size_t index = written(entity, false);
    std::string text;
    std::set<std::string> added;
    const size_t count = draw_.chance.between(1, 2);
    for (size_t i = 0; i < count; ++i) {
      std::vector<PlaceChoice> choices = changeable(written_[index]);
      std::erase_if(choices, [&](const PlaceChoice& each) {
        return (!model::is_numeric(each.place.type) && each.place.type.kind != language::Type::Kind::kSet) ||
               added.contains(each.names.front());
      });
      if (choices.empty()) break;
      const PlaceChoice& choice = any_place(draw_.chance, choices);
      ConditionMaker own = maker();
      own.assigned = written_[index].path;
      const auto value = own.expression(choice.place.type);
      if (!value) continue;
      added.insert(choice.names.front());
      // Several additions to one number add up.
      if (!draw_.chance.one_in(4)) written_[index].places.insert(choice.names.front());
      text += (text.empty() ? "" : ", ") + written_[index].path + "." + written_names(choice.names) + " = " +
              *value;
    }
    if (!text.empty()) writes_.push_back("add " + text);
  }

  void remove_fields(model::EntityId entity) {
    const size_t index = written(entity, false);
    std::vector<std::string> paths;
    for (const PlaceChoice& choice : changeable(written_[index])) {
      const bool is_optional = choice.place.kind == PlaceKind::kInside
                                   ? is_optional_inside(entity, choice.place)
                                   : model_.entities[entity].fields[choice.place.field].is_optional;
      if (is_optional && !written_[index].places.contains(choice.names.front()) && draw_.chance.one_in(2)) {
        written_[index].places.insert(choice.names.front());
        paths.push_back(written_[index].path + "." + written_names(choice.names));
      }
    }
    for (const model::EndId end : model_.entities[entity].ends) {
      const model::End& led = model_.end(end);
      const bool may_go = !led.leads_to_many && !led.is_required;
      if (may_go && draw_.chance.one_in(2) && written_[index].places.insert(led.name).second)
        paths.push_back(written_[index].path + "." + written_name(led.name));
    }
    if (paths.size() > 3) paths.resize(3);
    std::string text;
    for (const std::string& path : paths) text += (text.empty() ? "" : ", ") + path;
    if (!text.empty()) writes_.push_back("remove " + text);
  }

  bool is_optional_inside(model::EntityId entity, const model::Place& place) const {
    language::Type type = model_.entities[entity].fields[place.field].type;
    bool is_optional = false;
    for (const std::string& name : place.inside) {
      is_optional = type.kind == language::Type::Kind::kMap || type.kind == language::Type::Kind::kAny;
      if (!type.element.empty()) {
        type = language::Type(type.element.front());
        continue;
      }
      for (const language::Field& field : std::vector<language::Field>(type.fields)) {
        if (field.name.text != name) continue;
        is_optional = field.is_optional;
        type = field.type.value_or(language::Type{});
      }
    }
    return is_optional;
  }

  // --- Ends

  std::optional<model::EndId> any_end(model::EntityId entity) {
    const std::vector<model::EndId>& ends = model_.entities[entity].ends;
    if (ends.empty()) return std::nullopt;
    return draw_.chance.of(ends);
  }

  // A required end is given with the document, and can only be moved afterwards.
  bool may_link(const Written& self, const model::End& end) const { return !end.is_required || self.is_made; }

  void link(model::EntityId entity, bool is_link) {
    const auto end = any_end(entity);
    if (!end) return;
    const model::End& led = model_.end(*end);
    const bool loops = model_.relations[end->relation].syntax->loops && draw_.chance.one_in(4);
    const size_t from = written(entity, false);
    const size_t to = loops ? from : written(led.target, draw_.chance.one_in(2));
    if (from == to && !loops) return;
    Written &self = written_[from], &other = written_[to];
    if (is_link && (!may_link(self, led) || !may_link(other, model_.end(end->other())))) return;
    if (!is_link && (led.is_required || model_.end(end->other()).is_required)) return;
    const std::string pair = "#" + std::to_string(end->relation) + other.path;
    if (!self.places.insert(pair).second || self.is_deleted || other.is_deleted) return;
    other.places.insert("#" + std::to_string(end->relation) + self.path);
    std::string text =
        (is_link ? "link " : "unlink ") + self.path + "." + written_name(led.name) + " " + other.path;
    if (is_link) text += edge_values(*end);
    writes_.push_back(std::move(text));
  }

  std::string edge_values(model::EndId end) {
    std::string text;
    for (const model::Field& field : model_.relations[end.relation].edge_fields) {
      const bool is_needed = !field.is_optional && !field.is_generated() && !field.syntax->default_value;
      if (!is_needed && draw_.chance.one_in(2)) continue;
      ConditionMaker own = maker();
      const auto value = own.operand(field.type);
      if (value) text += (text.empty() ? "" : ", ") + written_name(field.name) + " = " + *value;
    }
    return text.empty() ? "" : " { " + text + " }";
  }

  void move(model::EntityId entity) {
    const auto end = any_end(entity);
    if (!end || model_.end(*end).leads_to_many || model_.entities[entity].within == end) return;
    const model::End& led = model_.end(*end);
    const size_t from = written(entity, false);
    const size_t to = written(led.target, false);
    if (from == to && !model_.relations[end->relation].syntax->loops) return;
    if (!written_[from].places.insert(led.name).second) return;
    writes_.push_back("set " + written_[from].path + "." + written_name(led.name) + " = " +
                      written_[to].path);
  }

  void check(model::EntityId entity) {
    const size_t index = written(entity, false);
    const std::vector<PlaceChoice> choices = places_of(model_, entity, std::nullopt, 2);
    ConditionMaker own = maker();
    const std::string text = own.conditions(choices, written_[index].path + ".", draw_.chance.between(1, 2));
    if (!text.empty()) writes_.push_back("check " + text);
  }

  std::string clauses() {
    std::string text;
    static const Words budgets = {" budget 100000 requests", " budget 1000 rounds", " budget 1000000 units"};
    if (draw_.chance.one_in(6)) text += draw_.chance.of(budgets);
    if (draw_.chance.one_in(10)) text += draw_.chance.one_in(2) ? " prefer units" : " prefer requests";
    static const Words rates = {" rate 5/s", " rate 2.5/min", " rate 10/h", " rate 1/day"};
    if (draw_.chance.one_in(8)) text += draw_.chance.of(rates);
    return text;
  }

  Draw& draw_;
  const model::Model& model_;
  const std::string name_;
  Parameters parameters_;
  std::vector<Written> written_;
  std::vector<std::string> writes_;
};

}  // namespace

std::vector<OperationDraft> random_operations(Draw& draw, const model::Model& model,
                                              std::set<std::string>& taken) {
  static const Words words = {"make", "change", "move", "join", "leave", "use", "close", "buy", "grow"};
  std::vector<OperationDraft> made;
  const size_t count = draw.is_small() ? draw.chance.between(2, 6) : draw.chance.between(5, 15);
  for (size_t i = 0; i < count; ++i) {
    Draw own = draw.fork(i);
    std::string name = fresh_name(own, words, taken, NamePlace::kOther);
    if (auto operation = OperationMaker(own, model, std::move(name)).run())
      made.push_back(std::move(*operation));
  }
  return made;
}

}  // namespace sheaf::prove
