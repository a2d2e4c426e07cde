// Key templates made by chance: words, delimiters, and holes with their formats.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/model.h"
#include "prove/draw.h"
#include "prove/places.h"
#include "prove/storage_draft.h"

namespace sheaf::prove {

// A hole before its format is chosen.
struct HoleDraft {
  std::vector<std::string> names;
  language::Type type;
  bool is_ordered = false;  // key texts must sort as values do
  std::string since;        // of times: they can be cut to buckets
};

class KeyWriter {
 public:
  KeyWriter(Draw& draw, const model::Model& model);

  // A word that no other key begins with.
  std::string fresh_word(const std::string& name);

  // WORD#<a>#<b>; without a word if that is empty, and the word alone if there are no holes.
  language::Template joined(const std::string& word, const std::vector<HoleDraft>& holes);
  language::Template bare(const HoleDraft& hole);
  language::Template word(const std::string& text);
  // A bucket or a shard of the field, behind the key.
  void append_part(language::Template& key, const HoleDraft& hole, language::Hole::Format format,
                   int64_t count);
  // The same key, seen from what `end` leads to it by.
  static language::Template moved(const language::Template& key, const std::string& end);

  // The identity of an entity, each path behind `prefix`.
  std::vector<HoleDraft> identity(model::EntityId entity, const std::vector<std::string>& prefix = {}) const;
  HoleDraft hole_of(model::EntityId entity, const model::FieldPath& path,
                    const std::vector<std::string>& prefix = {}) const;
  HoleDraft hole_of(const PlaceChoice& choice) const {
    return {.names = choice.names, .type = choice.place.type};
  }

  const std::string& delimiter() const { return delimiter_; }

 private:
  language::Hole hole(const HoleDraft& draft);

  Draw& draw_;
  const model::Model& model_;
  std::string delimiter_;
  size_t digits_;  // of padded numbers
  size_t words_ = 0;
  std::set<std::string> taken_;
};

bool fits_in_keys(const HoleDraft& hole);
AttributeType attribute_type(const language::Type& type);

}  // namespace sheaf::prove
