// What keys stand for in the models that are served, in the layouts that they are stored in now.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "migrate/open_version.h"
#include "service/model_service.h"
#include "watch/key_names.h"

namespace sheaf::server {

// Thread-safe.
class ServedNames {
 public:
  // `models` must outlive it.
  explicit ServedNames(const service::ModelService& models) : models_(models) {}

  // The same as before, unless a model has moved.
  std::shared_ptr<const watch::KeyNames> now();

 private:
  struct Known {
    std::vector<std::shared_ptr<const migrate::OpenVersion>> versions;  // which the names point into
    watch::KeyNames names;
  };

  const service::ModelService& models_;
  std::mutex mutex_;
  std::shared_ptr<const Known> known_;
};

}  // namespace sheaf::server
