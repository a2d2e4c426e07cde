// A layout as other tools want it: infrastructure code, requests, data models and schemas of clients.
#pragma once

#include <cstdint>
#include <string>

#include "sheaf/result.h"

#include "model/layout.h"
#include "model/model.h"
#include "run/data_file.h"

namespace sheaf::exports {

enum class Format : uint8_t {
  kCloudFormation,
  kCdk,
  kTerraform,
  kCreateTable,
  kWorkbench,
  kElectroDb,
  kOneTable,
};

// The same text for the same model, layout and data. `data` may be null, and is for kWorkbench alone.
// kInvalid if it does not fit the keys.
Result<std::string> export_layout(const model::Model& model, const model::Layout& layout, Format format,
                                  const run::Data* data);

}  // namespace sheaf::exports
