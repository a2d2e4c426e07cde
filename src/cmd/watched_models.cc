#include "cmd/watched_models.h"

#include <algorithm>

#include "base/try.h"
#include "cmd/model_file.h"

namespace sheaf::cmd {

Result<WatchedModels> read_watched_models(const std::vector<std::string>& named) {
  WatchedModels watched;
  for (const service::ModelSource& source : TRY(read_models(named))) {
    auto compiled = std::make_unique<model::CompiledModel>(model::compile(source.path, source.text));
    if (!compiled->ok())
      return Error{Code::kInvalid, source.path + " has mistakes:\n" + compiled->rendered()};
    const auto layout = std::find_if(compiled->layouts.begin(), compiled->layouts.end(),
                                     [&](const model::Layout& each) { return each.name == source.layout; });
    if (layout == compiled->layouts.end())
      return Error{Code::kInvalid, source.path + " has no layout " + source.layout};
    watched.names.add(compiled->model, *layout);
    watched.compiled.push_back(std::move(compiled));
  }
  return watched;
}

}  // namespace sheaf::cmd
