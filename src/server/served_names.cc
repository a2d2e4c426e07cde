#include "server/served_names.h"

namespace sheaf::server {

std::shared_ptr<const watch::KeyNames> ServedNames::now() {
  std::vector<std::shared_ptr<const migrate::OpenVersion>> versions;
  for (const auto& model : models_.models()) {
    for (auto& version : model->live().versions()) versions.push_back(std::move(version));
  }
  std::lock_guard lock(mutex_);
  if (!known_ || known_->versions != versions) {
    auto made = std::make_shared<Known>();
    for (const auto& version : versions) made->names.add(version->model(), version->layout());
    made->versions = std::move(versions);
    known_ = std::move(made);
  }
  return {known_, &known_->names};
}

}  // namespace sheaf::server
