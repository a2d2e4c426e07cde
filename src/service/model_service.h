// The models that a server offers, and the answers to requests about them; no word of sockets or credentials.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sheaf/database.h"

#include "service/reply.h"
#include "service/route.h"
#include "service/served_model.h"

namespace sheaf::service {

// Thread-safe. Calls wait for the database on the thread that makes them.
class ModelService {
 public:
  // Opens them all, in order. Fails with the first that cannot be served, and if two have one name.
  static Result<std::unique_ptr<ModelService>> open(Database& database,
                                                    const std::vector<ModelSource>& sources,
                                                    const run::WriterOptions& options = {});

  const std::vector<std::unique_ptr<ServedModel>>& models() const { return models_; }
  const ServedModel* find(std::string_view name) const;

  struct Request {
    std::string_view method;
    std::string_view target;  // with its query
    std::string_view body;
  };
  Reply answer(const Route& route, const Request& request) const;

 private:
  Reply ask(const ServedModel& model, const Route& route, const Request& request) const;
  Reply act(const ServedModel& model, const Route& route, const Request& request) const;

  std::vector<std::unique_ptr<ServedModel>> models_;
};

}  // namespace sheaf::service
