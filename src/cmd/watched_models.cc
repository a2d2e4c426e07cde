#include "cmd/watched_models.h"

#include <algorithm>

#include "base/try.h"
#include "cmd/model_file.h"
#include "migrate/version.h"
#include "run/system_table.h"

namespace sheaf::cmd {

namespace {

using Compiled = std::unique_ptr<model::CompiledModel>;

Result<Compiled> compiled_of(const std::string& path, const std::string& text) {
  auto compiled = std::make_unique<model::CompiledModel>(model::compile(path, text));
  if (!compiled->ok()) return Error{Code::kInvalid, path + " has mistakes:\n" + compiled->rendered()};
  return compiled;
}

// One of its layouts, which `called` may give other names for its tables.
Result<void> add_layout(WatchedModels& watched, Compiled compiled, const std::string& path,
                        const std::string& name, const migrate::Version* called) {
  const auto layout = std::find_if(compiled->layouts.begin(), compiled->layouts.end(),
                                   [&](const model::Layout& each) { return each.name == name; });
  if (layout == compiled->layouts.end()) return Error{Code::kInvalid, path + " has no layout " + name};
  if (called != nullptr) migrate::rename_as(*called, *layout);
  watched.names.add(compiled->model, *layout);
  watched.compiled.push_back(std::move(compiled));
  return {};
}

}  // namespace

Result<WatchedModels> read_watched_models(const std::vector<std::string>& named, Database* database) {
  WatchedModels watched;
  for (const service::ModelSource& source : TRY(read_models(named))) {
    Compiled compiled = TRY(compiled_of(source.path, source.text));
    std::optional<migrate::VersionRecord> moved;
    if (database != nullptr)
      moved = TRY(migrate::read_versions(*database, run::system_table_name(compiled->model)));
    if (!moved || !moved->layouts.contains(source.layout)) {
      TRY(add_layout(watched, std::move(compiled), source.path, source.layout, nullptr));
      continue;
    }
    for (const migrate::Version* const version : {&moved->current, moved->next ? &*moved->next : nullptr}) {
      if (version == nullptr) continue;
      Compiled stored = TRY(compiled_of(source.path, version->text));
      TRY(add_layout(watched, std::move(stored), source.path, version->layout, version));
    }
  }
  return watched;
}

}  // namespace sheaf::cmd
