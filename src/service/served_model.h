// A model that is offered by name: applied on a database, with its patterns, operations and description.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sheaf/database.h"

#include "clients/model_shapes.h"
#include "migrate/live_model.h"
#include "service/question.h"
#include "service/reply.h"

namespace sheaf::service {

// A model file, as it was read.
struct ModelSource {
  std::string path;  // for messages
  std::string text;  // in the model language
  std::string layout{model::kDefaultLayout};
};

// Thread-safe.
class ServedModel {
 public:
  // Checks the model and applies its layout. kInvalid, with all that is wrong as a terminal shows it. The
  // database must outlive it.
  static Result<std::unique_ptr<ServedModel>> open(Database& database, const ModelSource& source,
                                                   const run::WriterOptions& options);

  const std::string& name() const { return shapes_.name; }
  const ModelSource& source() const { return source_; }
  // In which it is stored now.
  std::string layout_name() const { return live_->reading()->version().layout; }
  // Of the layout, and the model's own, which is last.
  std::vector<std::string> tables() const;
  migrate::LiveModel& live() const { return *live_; }

  // Nothing if there is none of this name.
  const clients::PatternShape* find_pattern(std::string_view name) const;
  const clients::OperationShape* find_operation(std::string_view name) const;
  const clients::ModelShapes& shapes() const { return shapes_; }

  // {"documents":[..],"cursor":"..","cost":{..},"plan":".."}
  Reply ask(const clients::PatternShape& pattern, const Question& question) const;
  // {"put":[..],"copies":0,..,"cost":{..},"plan":".."}
  Reply act(const clients::OperationShape& operation, const Question& question) const;

  std::string summary() const;
  const std::string& openapi() const { return openapi_; }

 private:
  ServedModel(ModelSource source, std::unique_ptr<migrate::LiveModel> live, clients::ModelShapes shapes)
      : source_(std::move(source)), live_(std::move(live)), shapes_(std::move(shapes)) {}

  const ModelSource source_;
  const std::unique_ptr<migrate::LiveModel> live_;
  const clients::ModelShapes shapes_;
  std::string openapi_;
};

}  // namespace sheaf::service
