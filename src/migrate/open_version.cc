#include "migrate/open_version.h"

#include <algorithm>

#include "base/try.h"
#include "run/applied_layout.h"

namespace sheaf::migrate {

Result<std::shared_ptr<const OpenVersion>> OpenVersion::open(Database& database, const Version& version,
                                                             const run::WriterOptions& options, bool applies,
                                                             const std::string& name) {
  model::CompiledModel compiled = model::compile(name, version.text);
  if (!compiled.ok()) return Error{Code::kInvalid, compiled.rendered()};
  plan::PlannedModel planned = plan::plan_model(std::move(compiled));
  std::vector<model::Layout>& layouts = planned.compiled.layouts;
  const auto found = std::find_if(layouts.begin(), layouts.end(),
                                  [&](const model::Layout& each) { return each.name == version.layout; });
  if (found == layouts.end()) return Error{Code::kNotFound, name + " has no layout " + version.layout};
  rename_as(version, *found);
  const auto layout = static_cast<size_t>(found - layouts.begin());
  std::shared_ptr<OpenVersion> made(new OpenVersion(version, std::move(planned), layout));
  if (applies) TRY(run::apply_layout(database, made->model(), made->layout()));
  made->session_ = TRY(run::Session::open(database, made->planned_, layout, options));
  made->writer_ = std::make_unique<run::Writer>(database, made->model(), made->layout(), options);
  made->side_ = std::make_unique<Side>(database, made->model(), made->layout());
  return std::shared_ptr<const OpenVersion>(std::move(made));
}

Result<std::shared_ptr<const OpenPair>> open_pair(std::shared_ptr<const OpenVersion> current,
                                                  std::shared_ptr<const OpenVersion> next,
                                                  const Renames& renames) {
  auto pair = std::make_shared<OpenPair>();
  // What was begun, if by another version of the program, can always be gone on with and taken back.
  Translation there = TRY(Translation::make(current->model(), next->model(), renames, Asked::kFollows));
  Translation back = TRY(there.reversed());
  pair->current = std::move(current);
  pair->next = std::move(next);
  pair->there = std::make_unique<Translation>(std::move(there));
  pair->back = std::make_unique<Translation>(std::move(back));
  pair->next_follows = std::make_unique<Follower>(pair->current->side(), pair->next->side(), *pair->there,
                                                  *pair->back, pair->next->writer());
  pair->current_follows = std::make_unique<Follower>(pair->next->side(), pair->current->side(), *pair->back,
                                                     *pair->there, pair->current->writer());
  return std::shared_ptr<const OpenPair>(std::move(pair));
}

}  // namespace sheaf::migrate
