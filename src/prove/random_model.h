// Random models that cover the whole grammar of doc/model-language.md: entities, relations, patterns,
// operations, and layouts with strategies and keys of all kinds. A seed gives the same model on every
// machine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "plan/planned_model.h"
#include "prove/draw.h"
#include "prove/model_text.h"

namespace sheaf::prove {

// A whole model file. Most follow the rules of the language, but some parts have mistakes that the checker
// finds.
struct RandomModel {
  TextPart parts;

  std::string text() const { return text_of(parts); }
};

// Nothing if chance led to entities and relations that make no sense: then another seed helps.
std::optional<RandomModel> random_model(uint64_t seed, const GeneratorOptions& options = {});

// What became of the parts of a random model.
struct Acceptance {
  size_t drawn_layouts = 0, kept_layouts = 0;  // beside `default`
  size_t drawn_patterns = 0, kept_patterns = 0;
  size_t drawn_operations = 0, kept_operations = 0;
  size_t planned = 0, answerable = 0;      // patterns, in each layout
  size_t writes = 0, possible_writes = 0;  // operations, in each layout
  size_t rounds = 0;                       // times that it was compiled

  void add(const Acceptance& other);
};

// The same without the parts that have mistakes, as `sheaf model check` accepts it. Nothing if too little is
// left.
std::optional<plan::PlannedModel> accepted_model(uint64_t seed, const GeneratorOptions& options = {},
                                                 Acceptance* acceptance = nullptr);

}  // namespace sheaf::prove
