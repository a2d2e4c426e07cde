// sheaf/model.h on what there is here.
#include "sheaf/model.h"

#include "base/try.h"
#include "run/applied_layout.h"
#include "run/data_file.h"
#include "run/session.h"

namespace sheaf {
namespace {

class LoadedModel final : public Model {
 public:
  LoadedModel(Database& database, plan::PlannedModel planned, size_t layout)
      : database_(database), planned_(std::move(planned)), layout_(layout) {}

  Result<void> open(const ModelOptions& options) {
    const model::Layout& stored = planned_.compiled.layouts[layout_];
    if (options.applies) TRY(run::apply_layout(database_, planned_.compiled.model, stored));
    run::WriterOptions writing{.runs_jobs = options.runs_jobs,
                               .index_lag = std::chrono::milliseconds(options.index_lag_ms)};
    session_ = TRY(run::Session::open(database_, planned_, layout_, std::move(writing)));
    return {};
  }

  Result<Answer> ask(std::string_view pattern, const std::vector<Value>& arguments,
                     std::string_view cursor) override {
    run::Session::Reply reply = TRY(session_->read(pattern, arguments, cursor));
    return Answer{.documents = std::move(reply.documents),
                  .cursor = std::move(reply.cursor),
                  .requests = reply.figures.requests,
                  .items_read = reply.figures.items_read,
                  .units = reply.figures.units,
                  .dangling = reply.figures.dangling,
                  .foreign = reply.figures.foreign};
  }

  Result<Outcome> act(std::string_view operation, const std::vector<Value>& arguments) override {
    run::Session::Outcome outcome = TRY(session_->write(operation, arguments));
    Outcome made = outcome_of(outcome.reply);
    made.put = std::move(outcome.put);
    return made;
  }

  Result<Outcome> work() override {
    const run::WriteReply reply = TRY(session_->work());
    return outcome_of(reply);
  }

  Result<uint64_t> load_data(std::string_view json) override {
    const model::Layout& stored = planned_.compiled.layouts[layout_];
    const run::Data data = TRY(run::read_data(planned_.compiled.model, stored, json));
    const size_t count = TRY(run::load_data(database_, planned_.compiled.model, stored, data));
    return uint64_t{count};
  }

 private:
  static Outcome outcome_of(const run::WriteReply& reply) {
    return {.requests = reply.figures.requests,
            .units = reply.figures.units,
            .retries = reply.retries,
            .copies = reply.copies,
            .deleted = reply.deleted,
            .pending = reply.pending};
  }

  Database& database_;
  plan::PlannedModel planned_;
  const size_t layout_;
  std::unique_ptr<run::Session> session_;
};

}  // namespace

Result<std::unique_ptr<Model>> Model::load(Database& database, std::string_view text,
                                           const ModelOptions& options) {
  plan::PlannedModel planned = plan::plan_model(model::compile(options.name, std::string(text)));
  if (!planned.compiled.ok()) return Error{Code::kInvalid, planned.compiled.rendered()};
  size_t layout = 0;
  while (layout < planned.compiled.layouts.size() && planned.compiled.layouts[layout].name != options.layout)
    ++layout;
  if (layout == planned.compiled.layouts.size())
    return Error{Code::kNotFound, "the model has no layout " + options.layout};
  auto loaded = std::make_unique<LoadedModel>(database, std::move(planned), layout);
  TRY(loaded->open(options));
  return std::unique_ptr<Model>(std::move(loaded));
}

}  // namespace sheaf
