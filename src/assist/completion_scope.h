// Where somebody writes: in which declaration, and from which entity names are looked up there.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "language/lexer.h"
#include "language/probe.h"
#include "language/source_text.h"
#include "model/model.h"

namespace sheaf::assist {

// An entity, perhaps reached over an end: then `edge.f` is a field of that edge.
struct Reached {
  model::EntityId entity = 0;
  std::optional<model::EndId> by;
};

// The names before a dot at the end: of `$o.lines.` they are o and lines.
struct PathPrefix {
  std::vector<std::string> names;  // empty: a path begins here, or there is none
  bool from_parameter = false;     // it begins with a $
};

class CompletionScope {
 public:
  // `model` is that of the whole text, `before` what is written before the place. Both outlive it.
  CompletionScope(const model::Model& model, const language::SourceText& before);

  const model::Model& model() const { return model_; }
  const language::Probe& probe() const { return probe_; }
  // Up to the place; what is being written there, and comments, are not among them.
  const std::vector<language::Token>& tokens() const { return tokens_; }
  // What is being written there: a name, a string without its end, or nothing.
  language::Span unfinished() const { return unfinished_; }
  std::string_view unfinished_text() const { return before_.text(unfinished_); }
  bool is_in_comment() const { return is_in_comment_; }

  // The text of the token so many before the place; 0 is the last one. Empty if there is none.
  std::string_view behind(size_t count) const;
  PathPrefix path_prefix() const;

  // The entity whose body the place is in, in itself or in a layout.
  std::optional<model::EntityId> entity() const;
  // The relation, likewise, or the one that is compared.
  std::optional<model::RelationId> relation() const;
  // The parameters of the pattern or operation.
  const std::vector<language::Parameter>& parameters() const;
  // From where the names of a path at the place, or of what is selected, are looked up.
  std::optional<Reached> members() const;
  // Likewise behind `link $o.lines $p {`: the relation whose edge has fields.
  std::optional<model::RelationId> linked() const;

  std::optional<Reached> follow(Reached from, std::string_view end) const;
  std::optional<Reached> follow(const PathPrefix& path, std::optional<Reached> from) const;
  // If the path leads into a field, or a parameter, that has fields itself: its type. Null if not.
  const language::Type* inside(const PathPrefix& path, std::optional<Reached> from) const;

 private:
  std::optional<Reached> parameter_entity(std::string_view name) const;
  size_t first_token(language::Span declaration) const;
  std::optional<Reached> selected() const;

  const model::Model& model_;
  const language::SourceText& before_;
  language::Probe probe_;
  language::Model written_;
  std::vector<language::Token> tokens_;
  language::Span unfinished_;
  bool is_in_comment_ = false;
  // The last declaration, if it is one of these.
  const language::Entity* entity_ = nullptr;
  const language::Relation* relation_ = nullptr;
  const language::Layout* layout_ = nullptr;
  const language::Pattern* pattern_ = nullptr;
  const language::Operation* operation_ = nullptr;
};

}  // namespace sheaf::assist
