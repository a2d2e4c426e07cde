#include "assist/template_completion.h"

#include <array>

#include "model/value_type.h"

namespace sheaf::assist {
namespace {

using language::Type;

// Where in a template the place is.
struct HoleText {
  bool is_open = false;            // in a hole
  std::vector<std::string> names;  // before the last dot
  bool is_format = false;          // behind the colon
  size_t begin = 0;                // of what is being written, in the string
};

HoleText hole_at_end(std::string_view text) {
  HoleText hole{.begin = text.size()};
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == '<') {
      hole = {.is_open = true, .begin = i + 1};
    } else if (text[i] == '>') {
      hole = {.begin = text.size()};
    } else if (hole.is_open && text[i] == '.') {
      hole.names.emplace_back(text.substr(hole.begin, i - hole.begin));
      hole.begin = i + 1;
    } else if (hole.is_open && text[i] == ':') {
      hole.names.emplace_back(text.substr(hole.begin, i - hole.begin));
      hole.is_format = true;
      hole.begin = i + 1;
    }
  }
  if (!hole.is_open) hole.begin = text.size();
  return hole;
}

class StringCompletion {
 public:
  explicit StringCompletion(const CompletionScope& scope)
      : scope_(scope), model_(scope.model()), hole_(hole_at_end(scope.unfinished_text())) {}

  std::vector<Suggestion> run() {
    if (!scope_.probe().has_kind("a key template in double quotes")) {
      add_values();
    } else if (hole_.is_format) {
      add_formats();
    } else {
      add_holes();
    }
    return std::move(found_);
  }

 private:
  void add(SuggestionKind kind, std::string label, std::string detail, std::string documentation = {}) {
    const auto begin = static_cast<uint32_t>(scope_.unfinished().begin + hole_.begin);
    found_.push_back({.kind = kind,
                      .label = label,
                      .detail = std::move(detail),
                      .documentation = std::move(documentation),
                      .text = std::move(label),
                      .replaced = {.begin = begin, .end = scope_.unfinished().end}});
  }

  // Inside of a hole, the name; outside, a whole hole.
  void add_name(const std::string& name, std::string detail, std::string documentation = {}) {
    if (name.empty()) return;  // it could not be read
    add(hole_.is_open ? SuggestionKind::kField : SuggestionKind::kHole,
        hole_.is_open ? name : "<" + name + ">", std::move(detail), std::move(documentation));
  }

  // The entity that the names lead to, by ends that lead to one.
  std::optional<model::EntityId> followed(model::EntityId entity, size_t first, size_t count) const {
    for (size_t i = first; i < count; ++i) {
      const auto end = model_.find_end(entity, hole_.names[i]);
      if (!end || model_.end(*end).leads_to_many) return std::nullopt;
      entity = model_.end(*end).target;
    }
    return entity;
  }

  // The entity whose fields can stand behind the first `count` names; none on an edge, before its end.
  std::optional<model::EntityId> owner(size_t count) const {
    if (const auto entity = scope_.entity()) return followed(*entity, 0, count);
    const auto relation = scope_.relation();
    if (!relation || count == 0) return std::nullopt;
    for (const int side : {0, 1}) {
      if (hole_.names.front() == end_name(*relation, side))
        return followed(model_.relations[*relation].ends[side].target, 1, count);
    }
    return std::nullopt;
  }

  std::string end_name(model::RelationId id, int side) const {
    return std::string(model_.relations[id].edge_end_name(side));
  }

  void add_field(const model::Field& field) {
    if (model::may_be_key(field.type)) add_name(field.name, model::text_of(field.type), field.syntax->doc);
  }

  void add_holes() {
    if (const auto entity = owner(hole_.names.size())) {
      for (const model::Field& field : model_.entities[*entity].fields) add_field(field);
      if (hole_.names.empty() && model_.entities[*entity].syntax->physical.store == language::Store::kEav)
        add_name("attribute", "of each item, which field it holds");
      for (const model::EndId end : model_.entities[*entity].ends) {
        if (!model_.end(end).leads_to_many) add_end(model_.end(end).name, model_.end(end).target);
      }
      return;
    }
    const auto relation = scope_.relation();
    if (scope_.entity() || !relation || !hole_.names.empty()) return;
    for (const model::Field& field : model_.relations[*relation].edge_fields) add_field(field);
    for (const int side : {0, 1})
      add_end(end_name(*relation, side), model_.relations[*relation].ends[side].target);
  }

  // An end alone is no hole: outside of one, the identity of what it leads to.
  void add_end(const std::string& name, model::EntityId target) {
    if (hole_.is_open) return add_name(name, "one " + model_.entities[target].name);
    for (const model::FieldPath& part : model_.entities[target].identity)
      add_name(name + "." + model_.text(target, part), "of " + model_.entities[target].name);
  }

  void add_formats() {
    if (hole_.names.empty()) return;
    const auto entity = owner(hole_.names.size() - 1);
    const auto field = entity ? model_.find_field(*entity, hole_.names.back()) : std::nullopt;
    const auto kind = field ? model_.entities[*entity].fields[*field].type.kind : Type::Kind::kAny;
    const auto add_format = [&](std::string_view format, std::string_view detail) {
      add(SuggestionKind::kKeyword, std::string(format), std::string(detail));
    };
    add_format("raw", "as it is, without escapes");
    const bool is_any = kind == Type::Kind::kAny;
    if (is_any || kind == Type::Kind::kTime || kind == Type::Kind::kDate) {
      add_format("year", "the year"), add_format("month", "year and month"), add_format("day", "the day");
      if (kind != Type::Kind::kDate) add_format("hour", "the hour");
    }
    if (is_any || kind == Type::Kind::kInt || kind == Type::Kind::kNumber)
      add_format("000000", "so many digits");
    add_format("shard(10)", "one of so many shards");
  }

  // status = "..
  void add_values() {
    hole_ = {.begin = 1};
    const std::vector<language::Token>& tokens = scope_.tokens();
    size_t at = tokens.size();
    while (at > 0 && tokens[at - 1].kind != language::Token::Kind::kMark) --at;
    if (at == 0) return;
    PathPrefix path;
    for (--at;
         at > 0 && (tokens[at - 1].kind == language::Token::Kind::kName || tokens[at - 1].text == ".");) {
      --at;
      if (tokens[at].text != ".") path.names.insert(path.names.begin(), std::string(tokens[at].text));
      if (at > 0 && tokens[at].text != "." && tokens[at - 1].text != ".") break;
    }
    if (path.names.empty()) return;
    path.from_parameter = at > 0 && tokens[at - 1].text == "$";
    const std::string name = path.names.back();
    path.names.pop_back();
    const auto from = scope_.follow(path, scope_.members());
    const auto field = from ? model_.find_field(from->entity, name) : std::nullopt;
    if (!field) return;
    for (const language::Name& value : model_.entities[from->entity].fields[*field].type.values)
      add(SuggestionKind::kValue, value.text, "a value of " + name);
  }

  const CompletionScope& scope_;
  const model::Model& model_;
  HoleText hole_;
  std::vector<Suggestion> found_;
};

}  // namespace

std::vector<Suggestion> complete_string(const CompletionScope& scope) {
  return StringCompletion(scope).run();
}

}  // namespace sheaf::assist
