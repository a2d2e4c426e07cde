// A version of a model, ready to be read and written.
#pragma once

#include <memory>

#include "migrate/follower.h"
#include "migrate/side.h"
#include "migrate/version.h"
#include "plan/planned_model.h"
#include "run/session.h"

namespace sheaf::migrate {

// Does not change.
class OpenVersion {
 public:
  // kInvalid if the model has mistakes, or is not applied like this. `applies`: makes its tables first.
  // `name` is for messages.
  static Result<std::shared_ptr<const OpenVersion>> open(Database& database, const Version& version,
                                                         const run::WriterOptions& options, bool applies,
                                                         const std::string& name = "model.sheaf");

  const model::Model& model() const { return planned_.compiled.model; }
  const model::Layout& layout() const { return planned_.compiled.layouts[layout_]; }
  const plan::PlannedModel& planned() const { return planned_; }
  size_t layout_id() const { return layout_; }
  const Version& version() const { return version_; }
  const run::Session& session() const { return *session_; }
  const run::Writer& writer() const { return *writer_; }
  const Side& side() const { return *side_; }

 private:
  OpenVersion(Version version, plan::PlannedModel planned, size_t layout)
      : version_(std::move(version)), planned_(std::move(planned)), layout_(layout) {}

  const Version version_;
  plan::PlannedModel planned_;
  const size_t layout_;
  std::unique_ptr<run::Session> session_;
  std::unique_ptr<run::Writer> writer_;
  std::unique_ptr<Side> side_;
};

// Two of them, each of which can lead the other.
struct OpenPair {
  std::shared_ptr<const OpenVersion> current;
  std::shared_ptr<const OpenVersion> next;
  std::unique_ptr<const Translation> there;
  std::unique_ptr<const Translation> back;
  std::unique_ptr<const Follower> next_follows;
  std::unique_ptr<const Follower> current_follows;
};
Result<std::shared_ptr<const OpenPair>> open_pair(std::shared_ptr<const OpenVersion> current,
                                                  std::shared_ptr<const OpenVersion> next,
                                                  const Renames& renames);

}  // namespace sheaf::migrate
