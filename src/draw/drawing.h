// Drawings of a model in one of its layouts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sheaf/result.h"

#include "model/layout.h"
#include "model/model.h"
#include "run/data_file.h"

namespace sheaf::draw {

enum class Kind : uint8_t {
  kRelations,    // entities as boxes, relations as lines
  kChart,        // Entity | PK | SK
  kAttributes,   // what keys hold, and where fields are stored
  kCollections,  // the items of tables and indexes; needs data
  kSideBySide,   // tables beside their indexes; needs data
};

enum class Form : uint8_t { kText, kMarkdown, kSvg };

struct Options {
  Form form = Form::kText;
  std::vector<Kind> kinds;           // empty: all that have what they need
  std::optional<std::string> index;  // of collections and tables beside indexes: this one only
  bool shows_all = false;            // system attributes and guards, too
  size_t text_columns = 120;
};

// The same text for the same model, layout and data. `data` may be null. kInvalid: a kind needs data, there
// is no such index, or the data does not fit the keys.
Result<std::string> draw(const model::Model& model, const model::Layout& layout, const run::Data* data,
                         const Options& options);

}  // namespace sheaf::draw
