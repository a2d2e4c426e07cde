#include "assist/completion_scope.h"

#include <algorithm>

namespace sheaf::assist {

using language::Span;
using language::Token;
using model::EndId;
using model::EntityId;

namespace {

// The one that begins last, if that is behind `begin`, which is then moved there.
template <typename T>
const T* last_of(const std::vector<T>& declared, uint32_t& begin) {
  const T* found = nullptr;
  for (const T& each : declared) {
    if (each.span.begin < begin) continue;
    begin = each.span.begin;
    found = &each;
  }
  return found;
}

bool is_name(const Token& token) {
  return token.kind == Token::Kind::kName || token.kind == Token::Kind::kQuotedName;
}

bool is_mark(const Token& token, std::string_view mark) {
  return token.kind == Token::Kind::kMark && token.text == mark;
}

std::string name_of(const Token& token) {
  return token.kind == Token::Kind::kQuotedName ? unquoted(token) : std::string(token.text);
}

}  // namespace

CompletionScope::CompletionScope(const model::Model& model, const language::SourceText& before)
    : model_(model), before_(before) {
  const auto end = static_cast<uint32_t>(before.text().size());
  unfinished_ = {.begin = end, .end = end};
  language::Diagnostics ignored;
  written_ = language::parse(before, ignored, probe_);
  tokens_ = language::tokens_of(before, ignored);
  tokens_.pop_back();
  is_in_comment_ = !tokens_.empty() && is_comment(tokens_.back()) && tokens_.back().span.end == end;
  if (!tokens_.empty() && is_unfinished(tokens_.back(), end)) {
    unfinished_.begin = tokens_.back().span.begin;
    tokens_.pop_back();
  }
  std::erase_if(tokens_,
                [](const Token& token) { return is_comment(token) || token.kind == Token::Kind::kBad; });

  uint32_t begin = 0;
  entity_ = last_of(written_.entities, begin);
  const auto replace = [&](auto*& slot, const auto& list) {
    if (const auto* later = last_of(list, begin)) {
      entity_ = nullptr, relation_ = nullptr, layout_ = nullptr, pattern_ = nullptr, operation_ = nullptr;
      slot = later;
    }
  };
  replace(relation_, written_.relations);
  replace(layout_, written_.layouts);
  replace(pattern_, written_.patterns);
  replace(pattern_, written_.damage.patterns);
  replace(operation_, written_.operations);
  replace(operation_, written_.damage.operations);
}

std::string_view CompletionScope::behind(size_t count) const {
  return count < tokens_.size() ? tokens_[tokens_.size() - 1 - count].text : std::string_view();
}

PathPrefix CompletionScope::path_prefix() const {
  PathPrefix prefix;
  size_t at = tokens_.size();
  while (at >= 2 && is_mark(tokens_[at - 1], ".")) {
    at -= 2;
    if (at >= 2 && tokens_[at].kind == Token::Kind::kNumber && is_mark(tokens_[at - 1], "^")) at -= 2;
    if (!is_name(tokens_[at])) break;
    prefix.names.insert(prefix.names.begin(), name_of(tokens_[at]));
  }
  prefix.from_parameter = at >= 1 && is_mark(tokens_[at - 1], "$");
  return prefix;
}

std::optional<EntityId> CompletionScope::entity() const {
  if (entity_ != nullptr) return model_.find_entity(entity_->name.text);
  if (layout_ == nullptr) return std::nullopt;
  uint32_t begin = layout_->span.begin;
  const auto* const entity = last_of(layout_->entities, begin);
  const auto* const relation = last_of(layout_->relations, begin);
  if (entity == nullptr || relation != nullptr) return std::nullopt;
  return model_.find_entity(entity->name.text);
}

std::optional<model::RelationId> CompletionScope::relation() const {
  const auto find = [&](std::string_view entity, std::string_view end) -> std::optional<model::RelationId> {
    const auto holder = model_.find_entity(entity);
    const auto found = holder ? model_.find_end(*holder, end) : std::nullopt;
    return found ? std::optional(found->relation) : std::nullopt;
  };
  // compare A.b [
  for (size_t i = tokens_.size(); i-- > 0;) {
    if (is_mark(tokens_[i], "]")) break;
    if (!is_mark(tokens_[i], "[") || i < 4) continue;
    if (tokens_[i - 4].text == "compare" && is_mark(tokens_[i - 2], "."))
      return find(name_of(tokens_[i - 3]), name_of(tokens_[i - 1]));
  }
  if (relation_ != nullptr && !relation_->from.empty())
    return find(relation_->from.front().text, relation_->forward.text);
  if (layout_ == nullptr || layout_->relations.empty()) return std::nullopt;
  const language::LayoutRelation& last = layout_->relations.back();
  const bool is_last = layout_->entities.empty() || layout_->entities.back().span.begin < last.span.begin;
  return is_last ? find(last.entity.text, last.end.text) : std::nullopt;
}

const std::vector<language::Parameter>& CompletionScope::parameters() const {
  static const std::vector<language::Parameter> kNone;
  if (pattern_ != nullptr) return pattern_->parameters;
  return operation_ != nullptr ? operation_->parameters : kNone;
}

std::optional<Reached> CompletionScope::parameter_entity(std::string_view name) const {
  for (const language::Parameter& parameter : parameters()) {
    const auto* const type = std::get_if<language::Name>(&parameter.type);
    if (parameter.name.text != name || type == nullptr) continue;
    if (const auto entity = model_.find_entity(type->text)) return Reached{.entity = *entity};
  }
  return std::nullopt;
}

std::optional<Reached> CompletionScope::follow(Reached from, std::string_view name) const {
  const auto end = model_.find_end(from.entity, name);
  if (!end) return std::nullopt;
  return Reached{.entity = model_.end(*end).target, .by = end};
}

std::optional<Reached> CompletionScope::follow(const PathPrefix& path, std::optional<Reached> from) const {
  size_t first = 0;
  if (path.from_parameter) {
    if (path.names.empty()) return std::nullopt;
    from = parameter_entity(path.names.front());
    first = 1;
  }
  for (size_t i = first; i < path.names.size() && from; ++i) from = follow(*from, path.names[i]);
  return from;
}

const language::Type* CompletionScope::inside(const PathPrefix& path, std::optional<Reached> from) const {
  const language::Type* type = nullptr;
  for (size_t i = 0; i < path.names.size(); ++i) {
    const std::string& name = path.names[i];
    if (type != nullptr) {
      const auto found = std::find_if(type->fields.begin(), type->fields.end(),
                                      [&](const language::Field& each) { return each.name.text == name; });
      if (found == type->fields.end() || !found->type) return nullptr;
      type = &*found->type;
    } else if (i == 0 && path.from_parameter) {
      from = parameter_entity(name);
      for (const language::Parameter& parameter : parameters()) {
        if (parameter.name.text == name) type = std::get_if<language::Type>(&parameter.type);
      }
    } else if (!from) {
      return nullptr;
    } else if (const auto field = model_.find_field(from->entity, name)) {
      type = &model_.entities[from->entity].fields[*field].type;
    } else {
      from = follow(*from, name);
    }
  }
  return type;
}

size_t CompletionScope::first_token(Span declaration) const {
  const auto found = std::find_if(tokens_.begin(), tokens_.end(),
                                  [&](const Token& token) { return token.span.begin >= declaration.begin; });
  return static_cast<size_t>(found - tokens_.begin());
}

std::optional<Reached> CompletionScope::members() const {
  if (pattern_ != nullptr) return selected();
  if (const auto id = entity()) return Reached{.entity = *id};
  return std::nullopt;
}

// Goes through a pattern from its = to the place, into braces and out of them.
std::optional<Reached> CompletionScope::selected() const {
  size_t at = first_token(pattern_->span);
  int parentheses = 0;
  while (at < tokens_.size() && !(parentheses == 0 && is_mark(tokens_[at], "="))) {
    if (is_mark(tokens_[at], "(")) ++parentheses;
    if (is_mark(tokens_[at], ")")) --parentheses;
    ++at;
  }
  parentheses = 0;
  ++at;
  std::optional<Reached> node, root;  // what the clauses at the place are about; what is read
  std::vector<std::optional<Reached>> outer;
  bool is_item_next = false;
  if (at < tokens_.size() && tokens_[at].text == "one") ++at;
  if (at + 1 < tokens_.size() && is_mark(tokens_[at], "$")) {
    node = parameter_entity(name_of(tokens_[at + 1]));
    for (at += 2; at + 1 < tokens_.size() && (is_mark(tokens_[at], ".") || is_mark(tokens_[at], "^"));
         at += 2) {
      if (is_mark(tokens_[at], ".") && node) node = follow(*node, name_of(tokens_[at + 1]));
    }
  } else if (at < tokens_.size()) {
    if (const auto entity = model_.find_entity(name_of(tokens_[at]))) node = Reached{.entity = *entity};
    ++at;
  }
  root = node;
  for (; at < tokens_.size(); ++at) {
    const Token& token = tokens_[at];
    if (is_mark(token, "(")) ++parentheses;
    if (is_mark(token, ")")) --parentheses;
    if (parentheses > 0) continue;
    if (is_mark(token, "{")) {
      outer.push_back(node);
      is_item_next = true;
    } else if (is_mark(token, "}") && !outer.empty()) {
      node = outer.back();
      outer.pop_back();
      is_item_next = false;
    } else if ((is_mark(token, ",") && !outer.empty()) || (is_mark(token, "+") && outer.empty())) {
      node = outer.empty() ? root : outer.back();
      is_item_next = true;
    } else if (is_item_next) {
      const bool is_aggregate = at + 1 < tokens_.size() && is_mark(tokens_[at + 1], ":");
      if (is_name(token) && !is_aggregate && node) node = follow(*node, name_of(token));
      is_item_next = false;
    }
  }
  return node;
}

std::optional<model::RelationId> CompletionScope::linked() const {
  if (operation_ == nullptr) return std::nullopt;
  for (size_t i = tokens_.size(); i-- > first_token(operation_->span);) {
    if (tokens_[i].text != "link" || i + 4 >= tokens_.size()) continue;
    const auto from = parameter_entity(name_of(tokens_[i + 2]));
    const auto reached = from ? follow(*from, name_of(tokens_[i + 4])) : std::nullopt;
    return reached ? std::optional(reached->by->relation) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace sheaf::assist
