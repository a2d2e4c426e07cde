// The models that a server offers, and the answers to requests about them; no word of sockets or credentials.
#pragma once

#include <memory>
#include <mutex>
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

  ModelService(Database& database, run::WriterOptions options)
      : database_(database), options_(std::move(options)) {}

  // As they are now, in the order in which they came.
  std::vector<std::shared_ptr<const ServedModel>> models() const;
  // Null if there is none of this name.
  std::shared_ptr<const ServedModel> find(std::string_view name) const;

  // Offers one more, or another instead of the one of its name; whoever uses that goes on with it. Makes the
  // tables that are missing. Changes nothing if it cannot be served: kConflict if its tables hold it in
  // another way, as they do while it moves.
  Result<std::shared_ptr<const ServedModel>> put(const ModelSource& source);
  // Its tables stay as they are. False if there is none.
  bool remove(std::string_view name);

  struct Request {
    std::string_view method;
    std::string_view target;  // with its query
    std::string_view body;
  };
  Reply answer(const Route& route, const Request& request) const;

 private:
  Reply ask(const ServedModel& model, const Route& route, const Request& request) const;
  Reply act(const ServedModel& model, const Route& route, const Request& request) const;

  Database& database_;
  const run::WriterOptions options_;
  mutable std::mutex mutex_;
  std::vector<std::shared_ptr<const ServedModel>> models_;
};

}  // namespace sheaf::service
