#include "reference/pattern_reader.h"

#include <algorithm>
#include <set>

namespace sheaf::reference {
namespace {

using language::Literal;
using language::Path;
using language::Selection;
using language::Tail;
using Names = std::vector<std::string>;

// An entity that a pattern has met, and the link by which it did.
struct Met {
  size_t entity = 0;
  Identity identity;
  std::optional<EndRef> by;
  Link link;
  bool is_leveled = false;  // met by end^k
  int64_t depth = 1;
  std::vector<Link> others;  // of end^k: further links that lead there from the level before
};

Names names_of(const Path& path) {
  Names names;
  for (const language::Name& name : path.names) names.push_back(name.text);
  return names;
}

class PatternReader {
 public:
  PatternReader(const State& state, const language::Pattern& pattern, std::vector<Argument> arguments,
                Moment now)
      : state_(state),
        schema_(state.schema()),
        pattern_(pattern),
        arguments_(std::move(arguments)),
        now_(std::move(now)) {}

  ReadResult run() {
    const language::Read& read = pattern_.read;
    result_.may_fail = pattern_.clauses.reads_max.has_value();
    std::vector<Met> met = start(read);
    for (const language::Step& step : read.steps)
      met = walk(met, step, &step == &read.steps.back() ? &read.tail : nullptr);
    is_single_step_ = read.steps.size() == 1;
    result_.documents = list(met, read.tail, false);
    const auto count = result_.documents.limit
                           ? std::min<size_t>(result_.documents.elements.size(), *result_.documents.limit)
                           : result_.documents.elements.size();
    if (read.one && count > 1) result_.is_invalid = true;
    return std::move(result_);
  }

 private:
  // --- Who is met

  std::vector<Met> start(const language::Read& read) {
    std::vector<Met> met;
    if (read.from_parameter) {
      const size_t id = parameter(read.start.text);
      const size_t entity = *schema_.find_entity(std::get<language::Name>(pattern_.parameters[id].type).text);
      const Identity& identity = *arguments_[id].identity;
      if (!state_.exists(entity, identity) && read.steps.empty()) return met;
      met.push_back({.entity = entity, .identity = identity});
    } else {
      const size_t entity = *schema_.find_entity(read.start.text);
      for (const auto& [key, thing] : state_.things(entity))
        met.push_back({.entity = entity, .identity = thing.identity});
    }
    return met;
  }

  std::vector<Met> follow(const Met& from, EndRef end) const {
    std::vector<Met> met;
    for (Link& link : state_.links(end, from.identity))
      met.push_back({.entity = schema_.end(end).target,
                     .identity = link.target(end),
                     .by = end,
                     .link = std::move(link)});
    return met;
  }

  // S3.2: each entity once, or each link once where links have fields.
  std::vector<Met> walk(const std::vector<Met>& from, const language::Step& step, const Tail* last) {
    if (from.empty()) return {};
    const EndRef end = *schema_.find_end(from.front().entity, step.name.text);
    const int64_t depth = step.depth ? step.depth->value : 1;
    if (depth > 1) return walk_levels(from, end, depth, last);
    const bool is_by_link = last != nullptr && !schema_.relations[end.relation].edge_fields.empty();
    std::vector<Met> met;
    std::set<std::string> seen;
    for (const Met& each : from) {
      for (Met& found : follow(each, end)) {
        std::string key = key_of(found.identity);
        if (is_by_link) key += key_of(each.identity) + text_of(found.link);
        if (seen.insert(key).second) met.push_back(std::move(found));
      }
    }
    return met;
  }

  static std::string text_of(const Link& link) {
    std::string text;
    for (const auto& [name, value] : link.fields) text += name + value.to_json();
    return text;
  }

  // S3.9: breadth first.
  std::vector<Met> walk_levels(std::vector<Met> from, EndRef end, int64_t depth, const Tail* tail) {
    std::set<std::string> seen;
    for (const Met& each : from) seen.insert(key_of(each.identity));
    std::vector<Met> all;
    for (int64_t level = 1; level <= depth && !from.empty(); ++level) {
      std::map<std::string, Met> next;
      for (const Met& each : from) {
        for (Met& found : follow(each, end)) {
          found.is_leveled = true;
          found.depth = level;
          const std::string key = key_of(found.identity);
          if (seen.contains(key) || (tail != nullptr && !hold(found, tail->where))) continue;
          const auto [place, is_new] = next.emplace(key, found);
          if (!is_new) place->second.others.push_back(found.link);
        }
      }
      from.clear();
      for (auto& [key, found] : next) {
        seen.insert(key);
        from.push_back(found);
        all.push_back(std::move(found));
      }
    }
    return all;
  }

  // --- Values

  size_t parameter(const std::string& name) const {
    for (size_t i = 0; i < pattern_.parameters.size(); ++i) {
      if (pattern_.parameters[i].name.text == name) return i;
    }
    return pattern_.parameters.size();
  }

  std::optional<Value> field(const Met& met, const Field& field) const {
    if (const Thing* const thing = state_.find(met.entity, met.identity)) return state_.field(*thing, field);
    const std::vector<IdentityPart> parts = schema_.identity(met.entity);
    for (size_t i = 0; i < parts.size(); ++i) {
      if (parts[i].ends.empty() && parts[i].field == field.name) return met.identity[i];
    }
    return std::nullopt;
  }

  // S2.3
  std::optional<Value> value_at(Met met, const Names& names) const {
    for (size_t i = 0; i < names.size(); ++i) {
      const auto rest = [&](size_t from) {
        return Names(names.begin() + static_cast<std::ptrdiff_t>(from), names.end());
      };
      if (const Field* const found = schema_.find_field(met.entity, names[i]))
        return inside(field(met, *found), rest(i + 1));
      if (names[i] == "edge" && met.by && i + 1 < names.size()) {
        const auto found = met.link.fields.find(names[i + 1]);
        if (found == met.link.fields.end()) return std::nullopt;
        return inside(found->second, rest(i + 2));
      }
      const auto next = follow(met, *schema_.find_end(met.entity, names[i]));
      if (next.empty()) return std::nullopt;
      met = next.front();
    }
    return Value(true);  // an entity: it exists
  }

  language::Type type_at(size_t entity, std::optional<EndRef> by, const Names& names) const {
    language::Type type{.kind = language::Type::Kind::kAny};
    for (size_t i = 0; i < names.size(); ++i) {
      size_t next = i + 1;
      if (const Field* const found = schema_.find_field(entity, names[i])) {
        type = found->type;
      } else if (names[i] == "edge" && by && i + 1 < names.size()) {
        for (const Field& each : schema_.relations[by->relation].edge_fields) {
          if (each.name == names[i + 1]) type = each.type;
        }
        ++next;
      } else {
        by = schema_.find_end(entity, names[i]);
        entity = schema_.end(*by).target;
        continue;
      }
      for (; next < names.size(); ++next) type = member_type(type, names[next]);
      return type;
    }
    return type;
  }

  static language::Type member_type(const language::Type& type, const std::string& name) {
    if (type.kind == language::Type::Kind::kMap) return language::Type(type.element.front());
    for (const language::Field& field : type.fields) {
      if (field.name.text == name) return field.type.value_or(language::Type{});
    }
    return {.kind = language::Type::Kind::kAny};
  }

  // S2.5: nothing if a parameter was left out.
  std::optional<Value> operand(const language::Operand& operand, const language::Type& type) const {
    if (const auto* literal = std::get_if<Literal>(&operand)) return literal_value(*literal, type, now_);
    const Names names = names_of(std::get<Path>(operand));
    const Argument& argument = arguments_[parameter(names.front())];
    if (!argument.is_given()) return std::nullopt;
    if (argument.value) return argument.value;
    const auto& declared = std::get<language::Name>(pattern_.parameters[parameter(names.front())].type);
    return identity_part(*schema_.find_entity(declared.text), *argument.identity, names);
  }

  // S2.6
  std::optional<Value> identity_part(size_t entity, const Identity& identity, const Names& names) const {
    const std::vector<IdentityPart> parts = schema_.identity(entity);
    for (size_t i = 0; i < parts.size(); ++i) {
      Names path;
      for (const EndRef end : parts[i].ends) path.push_back(schema_.end(end).name);
      path.push_back(parts[i].field);
      if (std::equal(path.begin(), path.end(), names.begin() + 1, names.end())) return identity[i];
    }
    return std::nullopt;
  }

  bool hold(const Met& met, const std::vector<language::Condition>& conditions) const {
    return std::all_of(conditions.begin(), conditions.end(), [&](const language::Condition& condition) {
      const Names names = names_of(condition.path);
      const language::Type type = type_at(met.entity, met.by, names);
      std::vector<std::optional<Value>> operands;
      for (const language::Operand& each : condition.operands) {
        auto value =
            operand(each, condition.test == language::Condition::Test::kBegins ? language::Type{} : type);
        if (!value) return true;
        operands.push_back(std::move(value));
      }
      return passes(condition.test, value_at(met, names), operands);
    });
  }

  // --- Lists

  List list(std::vector<Met> met, const Tail& tail, bool is_nested) {
    std::erase_if(met, [&](const Met& each) {
      return is_there(each) && !(hold(each, tail.where) && hold(each, tail.filter));
    });
    if (std::any_of(met.begin(), met.end(), [](const Met& each) { return !each.others.empty(); }) &&
        uses_edge(tail))
      result_.is_open = true;
    List list{.is_ordered = tail.order.has_value()};
    if (tail.limit) list.limit = tail.limit->value;
    std::vector<std::pair<std::optional<Value>, const Met*>> sorted;
    for (const Met& each : met) {
      std::optional<Value> value;
      if (tail.order) value = value_at(each, names_of(tail.order->path));
      sorted.emplace_back(std::move(value), &each);
    }
    const bool is_descending = tail.order && tail.order->direction == language::Direction::kDescending;
    const auto order = [&](const auto& a, const auto& b) {
      return is_descending ? list_order(b.first, a.first) : list_order(a.first, b.first);
    };
    std::stable_sort(sorted.begin(), sorted.end(),
                     [&](const auto& a, const auto& b) { return order(a, b) < 0; });
    for (size_t i = 0; i < sorted.size(); ++i) {
      const Met& each = *sorted[i].second;
      const bool is_tie = i > 0 && order(sorted[i - 1], sorted[i]) == 0;
      int64_t rank = i == 0 ? 0 : list.elements.back().rank + (is_tie ? 0 : 1);
      if (!tail.order) rank = tail.filter.empty() ? each.depth : 0;
      list.elements.push_back(
          {.document = document(each, tail, is_nested), .rank = rank, .may_be_absent = !is_there(each)});
    }
    return list;
  }

  static bool uses_edge(const Tail& tail) {
    const auto is_edge = [](const Path& path) { return path.names.front().text == "edge"; };
    return (tail.order && is_edge(tail.order->path)) ||
           std::any_of(tail.filter.begin(), tail.filter.end(),
                       [&](const auto& each) { return is_edge(each.path); });
  }

  // S5.4: links of unchecked relations may lead to an entity that does not exist.
  bool is_there(const Met& met) const { return state_.exists(met.entity, met.identity); }

  // --- Documents, S3.10-14

  Document document(const Met& met, const Tail& tail, bool is_nested) {
    Document made;
    const bool has_all =
        !tail.selects || std::any_of(tail.selection.begin(), tail.selection.end(), [](const Selection& each) {
          return each.kind == Selection::Kind::kAll;
        });
    const Entity& entity = schema_.entities[met.entity];
    const auto selects = [&](const std::string& name) {
      return std::any_of(tail.selection.begin(), tail.selection.end(), [&](const Selection& each) {
        return each.kind == Selection::Kind::kNested && each.step.name.text == name;
      });
    };
    for (const Field& each : entity.fields) {
      if (!each.is_id && !has_all && !selects(each.name)) continue;
      if (const auto value = field(met, each)) made.values.emplace(each.name, *value);
    }
    if (entity.within && !selects(schema_.end(*entity.within).name))
      show_parent(met, *entity.within, is_nested, made);
    show_link(met, made);
    if (met.is_leveled) made.values.emplace("depth", Value(met.depth));
    for (const Selection& each : tail.selection) {
      if (each.kind == Selection::Kind::kAggregate) aggregate(met, each, made);
      if (each.kind == Selection::Kind::kNested &&
          schema_.find_field(met.entity, each.step.name.text) == nullptr)
        nested(met, each, made);
    }
    return made;
  }

  // S3.11
  void show_parent(const Met& met, EndRef within, bool is_nested, Document& made) const {
    const bool is_from_parent = met.by && met.by->other() == within;
    if (is_from_parent && (is_nested || is_single_step_)) return;
    const std::vector<IdentityPart> parts = schema_.identity(met.entity);
    Identity parent;
    for (size_t i = 0; i < parts.size(); ++i) {
      if (!parts[i].ends.empty()) parent.push_back(met.identity[i]);
    }
    made.values.emplace(schema_.end(within).name, value_of(parent));
  }

  // S3.13
  static void show_link(const Met& met, Document& made) {
    if (!met.by) return;
    const auto edge = [](const Link& link) -> std::optional<Value> {
      if (link.fields.empty()) return std::nullopt;
      Item item;
      for (const auto& [name, value] : link.fields) item.set(name, value);
      return Value(item);
    };
    made.edges.push_back(edge(met.link));
    for (const Link& other : met.others) made.edges.push_back(edge(other));
    if (made.edges.size() == 1 && !made.edges.front()) made.edges.clear();
  }

  void nested(const Met& met, const Selection& selection, Document& made) {
    const EndRef end = *schema_.find_end(met.entity, selection.step.name.text);
    const int64_t depth = selection.step.depth ? selection.step.depth->value : 1;
    const std::string& name = schema_.end(end).name;
    std::vector<Met> found = depth > 1 ? walk_levels({met}, end, depth, &selection.tail) : follow(met, end);
    List all = list(std::move(found), selection.tail, true);
    if (schema_.end(end).is_many || depth > 1) {
      made.lists.emplace(name, std::move(all));
      return;
    }
    std::vector<Document>& one = made.ones[name];
    if (!all.elements.empty() && all.elements.front().may_be_absent) made.open.insert(name);
    if (!all.elements.empty()) one.push_back(std::move(all.elements.front().document));
  }

  // S3.14
  void aggregate(const Met& met, const Selection& selection, Document& made) {
    const language::Expression& expression = *selection.expression;
    const std::string& name = selection.step.name.text;
    std::optional<EndRef> over;
    const auto note = [&](const language::Operand& operand) {
      if (const auto* path = std::get_if<Path>(&operand))
        over = schema_.find_end(met.entity, path->names.front().text);
    };
    note(expression.first);
    for (const auto& [mark, operand] : expression.rest) note(operand);
    int64_t count = 0;
    std::optional<Value> result;
    Value sum(0);
    for (const Met& each : follow(met, *over)) {
      if (!is_there(each)) made.open.insert(name);
      const Computed computed =
          compute(expression, [&](const language::Operand& operand) -> std::optional<Value> {
            if (const auto* literal = std::get_if<Literal>(&operand))
              return literal_value(*literal, {.kind = language::Type::Kind::kAny}, now_);
            Names names = names_of(std::get<Path>(operand));
            names.erase(names.begin());
            return value_at(each, names);
          });
      const bool is_bad = computed.outcome == Computed::Outcome::kTooLarge ||
                          computed.outcome == Computed::Outcome::kNoNumber;
      if (is_bad) result_.may_fail = true;
      if (!computed.value) continue;
      ++count;
      if (selection.aggregate == language::Aggregate::kSum) {
        const auto added = add(sum.view().number(), computed.value->view().number());
        if (!added.ok()) result_.may_fail = true;
        if (added.ok()) sum = Value(*added);
      } else if (!result || (list_order(computed.value, result) < 0) ==
                                (selection.aggregate == language::Aggregate::kMin)) {
        result = computed.value;
      }
    }
    switch (selection.aggregate) {
      case language::Aggregate::kCount:
        result = Value(count);
        break;
      case language::Aggregate::kSum:
        result = sum;
        break;
      default:
        break;
    }
    if (result) made.values.emplace(name, *result);
  }

  const State& state_;
  const Schema& schema_;
  const language::Pattern& pattern_;
  const std::vector<Argument> arguments_;
  const Moment now_;
  bool is_single_step_ = false;
  ReadResult result_;
};

}  // namespace

std::optional<std::vector<Argument>> arguments_of(const Schema& schema,
                                                  const std::vector<language::Parameter>& parameters,
                                                  const std::vector<Value>& values,
                                                  const std::vector<bool>& puts) {
  if (values.size() > parameters.size()) return std::nullopt;
  std::vector<Argument> arguments;
  for (size_t i = 0; i < parameters.size(); ++i) {
    const bool is_given = i < values.size() && values[i].type() != Type::kNull;
    Argument argument;
    if (!is_given) {
      if (!parameters[i].is_optional) return std::nullopt;
    } else if (const auto* entity = std::get_if<language::Name>(&parameters[i].type)) {
      if (puts[i]) {
        argument.value = values[i];
      } else {
        argument.identity = identity_of(schema, *schema.find_entity(entity->text), values[i]);
        if (!argument.identity) return std::nullopt;
      }
    } else {
      argument.value = stored_value(values[i], std::get<language::Type>(parameters[i].type));
      if (!argument.value) return std::nullopt;
    }
    arguments.push_back(std::move(argument));
  }
  return arguments;
}

ReadResult read_pattern(const State& state, const language::Pattern& pattern,
                        const std::vector<Value>& arguments, const Moment& now) {
  auto read = arguments_of(state.schema(), pattern.parameters, arguments,
                           std::vector<bool>(pattern.parameters.size()));
  if (!read) return {.is_invalid = true};
  return PatternReader(state, pattern, std::move(*read), now).run();
}

}  // namespace sheaf::reference
