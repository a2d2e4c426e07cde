// A model that is offered by name: applied on a database, with its patterns, operations and description.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sheaf/database.h"

#include "clients/model_shapes.h"
#include "plan/planned_model.h"
#include "run/session.h"
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
  const std::string& layout_name() const { return layout().name; }
  // Of the layout, and the model's own, which is last.
  const std::vector<std::string>& tables() const { return tables_; }
  const run::Session& session() const { return *session_; }

  // Nothing if there is none of this name.
  const clients::PatternShape* find_pattern(std::string_view name) const;
  const clients::OperationShape* find_operation(std::string_view name) const;
  const clients::ModelShapes& shapes() const { return shapes_; }

  // {"documents":[..],"cursor":"..","cost":{..},"plan":".."}
  Reply ask(const clients::PatternShape& pattern, const Question& question) const;
  // {"put":[..],"copies":0,..,"cost":{..},"plan":".."}
  Reply act(const clients::OperationShape& operation, const Question& question) const;

  const std::string& summary() const { return summary_; }
  const std::string& openapi() const { return openapi_; }

 private:
  ServedModel(plan::PlannedModel planned, size_t layout) : planned_(std::move(planned)), layout_(layout) {}

  const model::Model& model() const { return planned_.compiled.model; }
  const model::Layout& layout() const { return planned_.compiled.layouts[layout_]; }
  const plan::PlannedPattern* planned_for(const std::string& pattern,
                                          const std::vector<Value>& arguments) const;

  const plan::PlannedModel planned_;
  const size_t layout_;
  clients::ModelShapes shapes_;
  std::vector<std::string> tables_;
  std::string summary_;
  std::string openapi_;
  std::unique_ptr<run::Session> session_;
};

}  // namespace sheaf::service
