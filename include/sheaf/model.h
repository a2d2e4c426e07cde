// A model on a database: load a model file, ask its patterns and carry out its operations by name, and get
// documents.
//
//   auto model = sheaf::Model::load(*database, text);
//   auto team = (*model)->ask("team", {"d-2"});
//   auto moved = (*model)->act("move", {"e-3", "d-1"});
//
// Link with the CMake component `model` (Sheaf::model).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sheaf/database.h"
#include "sheaf/result.h"
#include "sheaf/value.h"

namespace sheaf {

struct ModelOptions {
  std::string name = "model.sheaf";  // in messages
  std::string layout = "default";
  // Makes tables and indexes that are missing. kInvalid, and nothing is changed, if items would have to move.
  bool applies = true;
  // Work that follows an operation (copies, deletions) is done before it returns. Otherwise it waits for
  // `work`, here or in another process.
  bool runs_jobs = true;
  // How long a global index may lag behind its table. In this process it does not; elsewhere, give it
  // seconds.
  int64_t index_lag_ms = 0;
};

// Thread-safe.
class Model {
 public:
  // `text` in the model language. kInvalid, with all that is wrong as a terminal shows it. The database must
  // outlive the model.
  static Result<std::unique_ptr<Model>> load(Database& database, std::string_view text,
                                             const ModelOptions& options = {});
  virtual ~Model() = default;

  struct Answer {
    std::vector<Value> documents;       // maps
    std::optional<std::string> cursor;  // for the next page, if there is one
    uint64_t requests = 0;
    uint64_t items_read = 0;
    double units = 0;
    uint64_t dangling = 0;  // references whose target is gone
    uint64_t foreign = 0;   // items that no entity or edge of the model explains
  };
  // Arguments in the order of the pattern's parameters: an id (a list, if it has several parts), or a value;
  // null for one that is left out.
  virtual Result<Answer> ask(std::string_view pattern, const std::vector<Value>& arguments,
                             std::string_view cursor = {}) = 0;

  struct Outcome {
    std::vector<Value> put;  // the ids of what was put, generated ones among them
    uint64_t requests = 0;
    double units = 0;
    uint64_t retries = 0;  // others were faster
    uint64_t copies = 0;   // items that were brought in step
    uint64_t deleted = 0;  // entities that went with it
    uint64_t pending = 0;  // jobs that wait
  };
  // An operation of the model, or one that every model has: put.ENTITY, upsert.ENTITY, delete.ENTITY,
  // set.ENTITY, add.ENTITY, remove.ENTITY, link.ENTITY.END, unlink.ENTITY.END, move.ENTITY.END.
  // One transaction: kNotFound, kInUse or kInvalid if something is not as it must be, and nothing is changed;
  // kConflict if others were faster too often.
  virtual Result<Outcome> act(std::string_view operation, const std::vector<Value>& arguments) = 0;

  // Does the jobs that others have left.
  virtual Result<Outcome> work() = 0;

  // Entities and links as JSON, into tables that hold nothing of it yet. Returns how many items.
  virtual Result<uint64_t> load_data(std::string_view json) = 0;
};

}  // namespace sheaf
