// What is wrong with a model, where, why, and what to write instead.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "language/error_ids.h"
#include "language/source_text.h"

namespace sheaf::language {

enum class Severity : uint8_t {
  kError,    // the model cannot be used
  kWarning,  // it can, but somebody should look at this
};

// A second place that belongs to it.
struct Note {
  Span span;
  std::string text;
};

struct Diagnostic {
  // Names the kind of mistake; doc/errors/ID.md explains it with a wrong and a right example.
  ErrorId id;
  Span span;
  std::string message;  // what is wrong here, and why
  std::string fix;      // what to write instead; may be empty
  std::vector<Note> notes;
  Severity severity = Severity::kError;
  std::string layout;  // in which it is wrong, if not in `default`
};

class Diagnostics {
 public:
  // For a model with more mistakes than this, the rest is counted only: most follow from the first ones.
  static constexpr size_t kKeptMax = 100;

  // What is told already, of the same place, is left out: several layouts share the clauses of one.
  void add(Diagnostic diagnostic);

  bool has_errors() const { return error_count_ > 0; }
  size_t error_count() const { return error_count_; }
  const std::vector<Diagnostic>& all() const { return diagnostics_; }
  // In the order of their places.
  void sort();
  // Of those in a line with a string that has no end, only this is left: the others follow from it.
  void drop_noise(const SourceText& source);

 private:
  std::vector<Diagnostic> diagnostics_;
  size_t error_count_ = 0;
};

// With an excerpt, for a terminal:
//   shop.sheaf:3:7: error: there is no entity named Custmer [unknown-entity]
//      3 |   rel Custmer 1--* Order as orders / customer
//        |       ^^^^^^^
//        = write Customer
std::string render(const SourceText& source, const Diagnostic& diagnostic);

// The name among `candidates` that was probably meant, or nothing.
std::string_view nearest(std::string_view name, const std::vector<std::string_view>& candidates);

}  // namespace sheaf::language
