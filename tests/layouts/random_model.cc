#include "random_model.h"

namespace sheaf::layouts {
namespace {

using Kind = RandomRelation::Kind;
using Argument = RandomOperation::Argument;

std::string quoted(const std::string& text) { return "\"" + text + "\""; }

class Generator {
 public:
  explicit Generator(Chance& chance) : chance_(chance) {}

  RandomModel run() {
    const size_t count = 2 + chance_.below(3);
    for (size_t i = 0; i < count; ++i) add_entity(i);
    const size_t relations = 1 + chance_.below(4);
    for (size_t i = 0; i < relations; ++i) add_relation();
    std::string& text = made_.text;
    text = "model random {\n";
    for (size_t i = 0; i < count; ++i) text += entity_text(i);
    text += relations_;
    for (size_t i = 0; i < count; ++i) add_patterns(i);
    for (size_t i = 0; i < count; ++i) add_operations(i);
    return std::move(made_);
  }

 private:
  bool maybe() { return chance_.one_in(2); }

  // --- Entities

  void add_entity(size_t i) {
    RandomEntity entity{.name = "E" + std::to_string(i)};
    const std::string e = "e" + std::to_string(i) + "-";
    // One is the beginning of another, and some have what keys must write in another way.
    const RandomId text{.name = "id", .values = {quoted(e + "1"), quoted(e + "10"), quoted(e + "1#%é")}};
    const RandomId number{.name = "num", .is_number = true, .values = {"1", "2", "10"}};
    switch (chance_.below(6)) {
      case 0:
        entity.ids = {number};
        break;
      case 1:
        entity.ids = {text, number};
        entity.ids[0].values.resize(2);
        entity.ids[1].values.resize(2);
        break;
      default:
        entity.ids = {text};
    }
    // A child of an earlier one, by its identity.
    const bool is_within = i > 0 && chance_.one_in(3);
    entity.is_leaf = is_within && maybe();
    entity.has_code = !entity.is_leaf && chance_.one_in(3);
    made_.entities.push_back(std::move(entity));
    fields_.emplace_back();
    if (!is_within) return;
    size_t parent = chance_.below(i);
    while (made_.entities[parent].is_leaf) --parent;
    add_within(parent, i);
  }

  std::string entity_text(size_t i) {
    const RandomEntity& entity = made_.entities[i];
    std::string text =
        "  entity " + entity.name + (entity.within ? " within " + entity.within->name : "") + " { ";
    if (!entity.is_leaf && chance_.one_in(4)) text += "versioned; ";
    if (!entity.is_leaf && chance_.one_in(4)) text += "timestamps; ";
    for (const RandomId& id : entity.ids)
      text +=
          id.is_number ? id.name + " id int; " : id.name + " id matches \"e" + std::to_string(i) + "-.+\"; ";
    text +=
        "name; n int default 0; nick string?; color enum(BLUE, GREEN, RED) default \"RED\"; rank int default "
        "5";
    if (entity.has_code) text += "; code string? unique";
    return text + fields_[i] + " }\n";
  }

  // --- Relations

  void add_within(size_t parent, size_t child) {
    RandomRelation relation{.from = parent, .to = child, .is_within = true, .is_required = true};
    const std::string text = deletion(relation, chance_.one_in(4) ? "restrict" : "cascade");
    declare(relation, text);
    made_.entities[child].within = made_.entities[child].ends.back();
    // Not too many ids, with those of its parents.
    made_.entities[child].ids.resize(1);
    made_.entities[child].ids[0].values.resize(2);
  }

  // What goes with its parent does not protect itself: a deletion would stop half way.
  std::string deletion(RandomRelation& relation, std::string way) {
    const bool may_cascade = !restricting_.contains(relation.to);
    const bool may_restrict = !cascaded_.contains(relation.from);
    if (way == "restrict" && !may_restrict) way = "cascade";
    if (way == "cascade" && !may_cascade) way = relation.is_required && may_restrict ? "restrict" : "unlink";
    if (way == "unlink" || way.empty()) relation.is_required = false;
    if (way == "restrict") restricting_.insert(relation.from);
    if (way == "cascade") cascaded_.insert(relation.to);
    return way.empty() ? "" : "on delete " + way + "; ";
  }

  size_t any_but_leaf() {
    size_t entity = chance_.below(made_.entities.size());
    while (made_.entities[entity].is_leaf) --entity;
    return entity;
  }

  void add_relation() {
    RandomRelation relation{.from = any_but_leaf(), .to = any_but_leaf()};
    switch (chance_.below(7)) {
      case 0:
        relation.kind = Kind::kOneToOne;
        break;
      case 1:
      case 2:
        relation.kind = Kind::kManyToMany;
        if (maybe()) relation.edge_field = "weight";
        if (chance_.one_in(4)) relation.edge_id = "role";
        break;
      default:
        break;
    }
    // One name for both ends.
    if (relation.kind != Kind::kOneToMany && chance_.one_in(3)) {
      relation.is_symmetric = true;
      relation.to = relation.from;
    }
    const bool is_many_to_many = relation.kind == Kind::kManyToMany;
    // Only those that come later need those that come before: two that need each other could never be made.
    relation.is_required = !is_many_to_many && relation.from < relation.to && chance_.one_in(3);
    const std::vector<std::string> ways = {"cascade", "restrict", "unlink", ""};
    const std::string& way = ways[chance_.below(relation.is_required ? 2 : 4)];
    const std::string text = is_many_to_many || relation.is_symmetric ? "" : deletion(relation, way);
    declare(relation, text);
  }

  void declare(RandomRelation relation, const std::string& deletion) {
    const size_t number = made_.relations.size();
    const std::string r = std::to_string(number);
    relation.down = relation.is_symmetric ? "both" + r : "down" + r;
    relation.up = relation.is_symmetric ? relation.down : "up" + r;
    const bool is_many_to_many = relation.kind == Kind::kManyToMany;
    const bool is_one_to_one = relation.kind == Kind::kOneToOne;
    std::string& text = relations_;
    text += "  rel " + made_.entities[relation.from].name +
            (is_many_to_many ? " *--* "
             : is_one_to_one ? " 1--1 "
                             : " 1--* ") +
            made_.entities[relation.to].name + " as " + relation.down +
            (relation.is_symmetric ? "" : " / " + relation.up) + " { ";
    if (is_many_to_many) {
      text += relation.is_symmetric
                  ? "size max 20; "
                  : "size of " + relation.down + " max 20; size of " + relation.up + " max 20; ";
      std::string fields;
      if (!relation.edge_id.empty()) fields += relation.edge_id + " id; ";
      if (!relation.edge_field.empty()) fields += relation.edge_field + " int default 1; ";
      if (!fields.empty()) text += "edge { " + fields + "}; ";
    } else {
      if (!is_one_to_one) text += "size max 20; ";
      if (relation.is_required && !relation.is_within) text += "required; ";
      text += deletion;
    }
    if (relation.from == relation.to && chance_.one_in(4)) text += "loops; ";
    const bool is_counted = !is_one_to_one && maybe();
    // Without a count not every way to store it can say for sure that there are none.
    if (deletion == "on delete restrict; " && !is_counted && !is_one_to_one) text += "via edges pk one; ";
    text += "}\n";
    if (is_counted) fields_[relation.from] += "; c" + r + " int = count(" + relation.down + ")";
    made_.entities[relation.from].ends.push_back(
        {.name = relation.down, .target = relation.to, .relation = number, .is_many = !is_one_to_one});
    if (!relation.is_symmetric)
      made_.entities[relation.to].ends.push_back({.name = relation.up,
                                                  .target = relation.from,
                                                  .relation = number,
                                                  .is_many = is_many_to_many,
                                                  .is_required = relation.is_required});
    made_.relations.push_back(std::move(relation));
  }

  // --- Patterns

  void pattern(const std::string& name, const std::string& parameters, const std::string& read) {
    made_.text += "  pattern " + name + "(" + parameters + ") = " + read + "\n";
  }

  // What no two of those that lie under one parent have alike, if it is one field.
  static std::string unique_order(const RandomEntity& entity, const RandomEnd& reached_by) {
    const bool is_alone =
        entity.ids.size() == 1 && (!entity.within || entity.within->relation == reached_by.relation);
    return is_alone ? entity.ids[0].name : "";
  }

  void add_patterns(size_t i) {
    const RandomEntity& entity = made_.entities[i];
    const std::string number = std::to_string(i);
    const std::string e = "e: " + entity.name;
    pattern("get" + number, e,
            "$e" + std::string(chance_.one_in(4)   ? " strong"
                               : chance_.one_in(6) ? " snapshot"
                                                   : ""));
    pattern("colored" + number, "c: enum(BLUE, GREEN, RED)",
            entity.name + " where color = $c order rank page 3");
    pattern("ranked" + number, "c: enum(BLUE, GREEN, RED), a: int?, b: int",
            entity.name + " where color = $c and rank >= $a and n <= $b order rank desc page 100");
    for (const RandomEnd& end : entity.ends) add_patterns(i, end);
  }

  void add_patterns(size_t i, const RandomEnd& end) {
    const RandomEntity& entity = made_.entities[i];
    const RandomEntity& target = made_.entities[end.target];
    const RandomRelation& relation = made_.relations[end.relation];
    const std::string name = std::to_string(i) + "_" + end.name;
    const std::string e = "e: " + entity.name;
    const std::string there = "$e." + end.name;
    pattern("ids" + name, e, there + " {}");
    pattern("all" + name, e, there + (chance_.one_in(4) ? " strong" : ""));
    pattern("with" + name, e, "$e { *, " + end.name + " { name } }");
    pattern("both" + name, e, "$e + " + end.name);
    if (end.target == i && !relation.is_symmetric) {
      pattern("near" + name, e, there + "^2 {} reads max 2000");
      pattern("far" + name, e, there + "^3" + (maybe() ? " order rank" : "") + " page 2 reads max 2000");
      pattern("nested" + name, e, "$e { name, " + end.name + "^2 { name, rank } } reads max 2000");
    }
    for (const RandomEnd& next : target.ends) {
      if (chance_.one_in(2)) pattern("over" + name + "_" + next.name, e, there + "." + next.name);
      if (chance_.one_in(2))
        pattern("deep" + name + "_" + next.name, e,
                "$e { name, " + end.name + " { *, " + next.name + " { nick } } }");
    }
    if (!end.is_many) {
      if (!relation.is_symmetric) add_search(name, entity, end);
      return;
    }
    pattern("ordered" + name, e, there + " order rank" + (maybe() ? " desc" : ""));
    pattern("paged" + name, e, there + " page 2");
    pattern("pagedInOrder" + name, e, there + " order rank page 2");
    pattern("filtered" + name, e + ", c: enum(BLUE, GREEN, RED)", there + " filter color = $c reads max 100");
    pattern("ranged" + name, e + ", a: int, b: int", there + " where rank between $a and $b order rank");
    pattern("colored" + name, e + ", c: enum(BLUE, GREEN, RED)?, a: int?",
            there + " where color = $c and rank > $a order rank desc");
    pattern("summed" + name, e,
            "$e { *, total: sum(" + end.name + ".n), many: count(" + end.name + "), most: max(" + end.name +
                ".rank) }");
    if (const std::string unique = unique_order(target, end); !unique.empty()) {
      // Of parallel edges each leads to the same one.
      if (relation.edge_id.empty()) {
        pattern("first" + name, e, there + " order " + unique + (maybe() ? " desc" : "") + " limit 2");
        pattern("firstWith" + name, e,
                "$e { *, " + end.name + " order " + unique + " limit 3 { name, rank } }");
      }
      if (!target.ids[0].is_number)
        pattern("begins" + name, e + ", t: string", there + " where id begins $t");
    }
    if (!relation.edge_id.empty())
      pattern("edged" + name, e + ", r: string", there + " where edge.role = $r {}");
  }

  // By whom an end leads to: in some layouts only edges tell that.
  void add_search(const std::string& name, const RandomEntity& entity, const RandomEnd& end) {
    std::string where;
    for (const std::string& part : identity(end.target))
      where += (where.empty() ? " where " : " and ") + end.name + "." + part + " = $p." + part;
    const std::string p = "p: " + made_.entities[end.target].name;
    pattern("idsBy" + name, p, entity.name + where + " page 2 {}");
    pattern("by" + name, p, entity.name + where + (maybe() ? " order rank" : "") + " page 3");
  }

  std::vector<std::string> identity(size_t entity) const {
    const RandomEntity& self = made_.entities[entity];
    std::vector<std::string> parts;
    if (self.within) {
      for (const std::string& part : identity(self.within->target))
        parts.push_back(self.within->name + "." + part);
    }
    for (const RandomId& id : self.ids) parts.push_back(id.name);
    return parts;
  }

  // --- Operations

  using Parameters = std::vector<RandomOperation::Parameter>;

  // Without a text it is not declared: the model would be refused, and so is the call.
  void operation(RandomOperation made, const std::string& text) {
    made.is_declared = !text.empty();
    if (text.empty()) return made_.operations.push_back(std::move(made));
    static const char* const kNames[] = {"a", "b", "c"};
    made_.text += "  op " + made.name + "(";
    for (size_t i = 0; i < made.parameters.size(); ++i) {
      made_.text += std::string(i > 0 ? ", " : "") + kNames[i] + ": ";
      switch (made.parameters[i].kind) {
        case Argument::kDocument:
        case Argument::kId:
          made_.text += made_.entities[made.parameters[i].entity].name;
          break;
        case Argument::kText:
          made_.text += "string";
          break;
        case Argument::kNumber:
          made_.text += "int";
          break;
        case Argument::kColor:
          made_.text += "enum(BLUE, GREEN, RED)";
          break;
      }
    }
    made_.text += ") = " + text + "\n";
    made_.operations.push_back(std::move(made));
  }

  void add_operations(size_t i) {
    const RandomEntity& entity = made_.entities[i];
    const std::string number = std::to_string(i);
    const RandomOperation::Parameter document{.kind = Argument::kDocument, .entity = i}, id{.entity = i},
        text{.kind = Argument::kText}, value{.kind = Argument::kNumber}, color{.kind = Argument::kColor};
    const auto basic = [&](const char* verb) { return std::string(verb) + "." + entity.name; };
    operation(
        {.name = "put" + number, .parameters = {document}, .basic = basic("put"), .basic_arguments = {"%1"}},
        "put $a");
    operation({.name = "upsert" + number,
               .parameters = {document},
               .basic = basic("upsert"),
               .basic_arguments = {"%1"}},
              "upsert $a");
    operation(
        {.name = "delete" + number, .parameters = {id}, .basic = basic("delete"), .basic_arguments = {"%1"}},
        "delete $a");
    operation({.name = "name" + number,
               .parameters = {id, text},
               .basic = basic("set"),
               .basic_arguments = {"%1", "{\"name\": %2}"}},
              "set $a.name = $b");
    operation({.name = "nick" + number,
               .parameters = {id, text, value},
               .basic = basic("set"),
               .basic_arguments = {"%1", "{\"nick\": %2, \"n\": %3}"}},
              "set $a.nick = $b, $a.n = $c");
    operation({.name = "color" + number,
               .parameters = {id, color},
               .basic = basic("set"),
               .basic_arguments = {"%1", "{\"color\": %2}"}},
              "set $a.color = $b");
    operation({.name = "rank" + number,
               .parameters = {id, value},
               .basic = basic("set"),
               .basic_arguments = {"%1", "{\"rank\": %2}"}},
              "set $a.rank = $b");
    operation({.name = "add" + number,
               .parameters = {id, value},
               .basic = basic("add"),
               .basic_arguments = {"%1", "{\"n\": %2}"}},
              "add $a.n = $b");
    operation({.name = "raise" + number,
               .parameters = {id, value},
               .basic = basic("add"),
               .basic_arguments = {"%1", "{\"rank\": %2}"}},
              "add $a.rank = $b");
    operation({.name = "sum" + number, .parameters = {id, value}}, "set $a.n = $a.rank + $b");
    operation({.name = "forget" + number,
               .parameters = {id},
               .basic = basic("remove"),
               .basic_arguments = {"%1", "[\"nick\"]"}},
              "remove $a.nick");
    operation({.name = "checked" + number, .parameters = {id, value, text}},
              "{ check $a.n <= $b; set $a.name = $c }");
    if (entity.has_code) {
      operation({.name = "code" + number,
                 .parameters = {id, text},
                 .basic = basic("set"),
                 .basic_arguments = {"%1", "{\"code\": %2}"}},
                "set $a.code = $b");
      operation({.name = "uncode" + number,
                 .parameters = {id},
                 .basic = basic("remove"),
                 .basic_arguments = {"%1", "[\"code\"]"}},
                "remove $a.code");
    }
    for (const RandomEnd& end : entity.ends) add_operations(i, end);
  }

  void add_operations(size_t i, const RandomEnd& end) {
    const RandomEntity& entity = made_.entities[i];
    const RandomRelation& relation = made_.relations[end.relation];
    const std::string name = std::to_string(i) + "_" + end.name;
    const RandomOperation::Parameter self{.entity = i}, other{.entity = end.target},
        document{.kind = Argument::kDocument, .entity = i}, text{.kind = Argument::kText},
        value{.kind = Argument::kNumber};
    const auto basic = [&](const char* verb) {
      return std::string(verb) + "." + entity.name + "." + end.name;
    };
    const std::string there = "$a." + end.name;
    const bool is_required = relation.is_required;
    const std::string link = is_required ? "" : "link " + there + " $b";
    if (!relation.edge_id.empty()) {
      operation({.name = "link" + name,
                 .parameters = {self, other, text},
                 .basic = basic("link"),
                 .basic_arguments = {"%1", "%2", "{\"role\": %3}"}},
                link + " { role = $c }");
    } else if (!relation.edge_field.empty()) {
      operation({.name = "link" + name,
                 .parameters = {self, other, value},
                 .basic = basic("link"),
                 .basic_arguments = {"%1", "%2", "{\"weight\": %3}"}},
                link + " { weight = $c }");
    } else {
      operation({.name = "link" + name,
                 .parameters = {self, other},
                 .basic = basic("link"),
                 .basic_arguments = {"%1", "%2"}},
                link);
    }
    operation({.name = "unlink" + name,
               .parameters = {self, other},
               .basic = basic("unlink"),
               .basic_arguments = {"%1", "%2"}},
              is_required ? "" : "unlink " + there + " $b");
    if (relation.edge_id.empty() && !is_required)
      operation({.name = "nameAndLink" + name, .parameters = {self, other, text}},
                "{ set $a.name = $c; " + link + " }");
    if (end.is_many) return;
    const bool is_within = relation.is_within && end.name == relation.up;
    if (!is_within)
      operation({.name = "move" + name,
                 .parameters = {self, other},
                 .basic = basic("move"),
                 .basic_arguments = {"%1", "%2"}},
                "set " + there + " = $b");
    const bool is_needed = relation.is_required && end.name == relation.down;
    if (!is_within && !is_needed)
      operation({.name = "putAndLink" + name, .parameters = {document, other}, .linked = end.name},
                "{ put $a; link " + there + " $b }");
    if (!relation.is_required) {
      operation({.name = "leave" + name,
                 .parameters = {self},
                 .basic = "remove." + entity.name,
                 .basic_arguments = {"%1", "[\"" + end.name + "\"]"}},
                "remove " + there);
      if (i != end.target)
        operation({.name = "change" + name, .parameters = {self, other, other}},
                  "{ unlink " + there + " $b; link " + there + " $c }");
    }
  }

  Chance& chance_;
  RandomModel made_;
  std::vector<std::string> fields_;
  std::string relations_;
  std::set<size_t> cascaded_;     // entities that may go with others
  std::set<size_t> restricting_;  // whose children protect them
};

std::vector<std::vector<std::string>> identities_of(const RandomModel& model, size_t entity) {
  const RandomEntity& self = model.entities[entity];
  std::vector<std::vector<std::string>> all = {{}};
  if (self.within) {
    all = identities_of(model, self.within->target);
    if (all.size() > 3) all.resize(3);
  }
  for (const RandomId& id : self.ids) {
    std::vector<std::vector<std::string>> longer;
    for (const auto& before : all) {
      for (const std::string& value : id.values) {
        longer.push_back(before);
        longer.back().push_back(value);
      }
    }
    all = std::move(longer);
  }
  return all;
}

std::string text_of(const std::vector<std::string>& parts) {
  if (parts.size() == 1) return parts[0];
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "[" : ", ") + part;
  return text + "]";
}

std::string document(const RandomModel& model, const RandomOperation& operation, size_t entity,
                     const std::set<size_t>& hidden, Chance& chance) {
  const RandomEntity& self = model.entities[entity];
  const std::vector<std::string> parts = chance.of(identities_of(model, entity));
  const size_t own = parts.size() - self.ids.size();
  std::string text = "{";
  for (size_t i = 0; i < self.ids.size(); ++i)
    text += "\"" + self.ids[i].name + "\": " + parts[own + i] + ", ";
  text += "\"name\": \"N" + std::to_string(chance.below(20)) + "\"";
  if (chance.one_in(2)) text += ", \"rank\": " + std::to_string(chance.below(12));
  if (chance.one_in(2)) text += std::string(", \"color\": \"") + (chance.one_in(2) ? "BLUE" : "GREEN") + "\"";
  if (chance.one_in(3)) text += ", \"nick\": \"x\"";
  if (self.has_code && chance.one_in(2)) text += ", \"code\": \"c" + std::to_string(chance.below(4)) + "\"";
  for (const RandomEnd& end : self.ends) {
    if (end.name == operation.linked) continue;
    if (self.within && end.name == self.within->name) {
      text += ", \"" + end.name +
              "\": " + text_of({parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(own)});
      continue;
    }
    if (end.is_many) continue;
    // What one leads to is kept on one side: a document that replaces another cannot set it from the other
    // one.
    const bool is_other_side = end.name == model.relations[end.relation].down;
    if (is_other_side && operation.name.starts_with("upsert")) continue;
    // Now and then what is required is forgotten.
    if (end.is_required ? !chance.one_in(12) : !hidden.contains(end.target) && chance.one_in(3))
      text += ", \"" + end.name + "\": " + chance.of(ids_of(model, end.target));
  }
  return text + "}";
}

}  // namespace

RandomModel random_model(Chance& chance) { return Generator(chance).run(); }

std::vector<std::string> ids_of(const RandomModel& model, size_t entity) {
  std::vector<std::string> texts;
  for (const auto& identity : identities_of(model, entity)) texts.push_back(text_of(identity));
  return texts;
}

RandomCall random_call(const RandomModel& model, const RandomOperation& operation,
                       const std::set<size_t>& hidden, Chance& chance) {
  RandomCall call{.operation = &operation, .name = operation.name};
  for (const RandomOperation::Parameter& parameter : operation.parameters) {
    switch (parameter.kind) {
      case Argument::kDocument:
        call.arguments.push_back(document(model, operation, parameter.entity, hidden, chance));
        break;
      case Argument::kId:
        call.arguments.push_back(chance.of(ids_of(model, parameter.entity)));
        break;
      case Argument::kText:
        call.arguments.push_back(quoted("c" + std::to_string(chance.below(4))));
        break;
      case Argument::kNumber:
        call.arguments.push_back(std::to_string(chance.below(12)));
        break;
      case Argument::kColor:
        call.arguments.push_back(
            chance.of(std::vector<std::string>{quoted("BLUE"), quoted("GREEN"), quoted("RED")}));
        break;
    }
  }
  if (operation.basic.empty() || (operation.is_declared && chance.one_in(2))) return call;
  RandomCall basic{.operation = &operation, .name = operation.basic};
  for (std::string text : operation.basic_arguments) {
    for (size_t i = 0; i < call.arguments.size(); ++i) {
      const size_t at = text.find("%" + std::to_string(i + 1));
      if (at != std::string::npos) text.replace(at, 2, call.arguments[i]);
    }
    basic.arguments.push_back(std::move(text));
  }
  return basic;
}

}  // namespace sheaf::layouts
