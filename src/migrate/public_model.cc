// sheaf/model.h on what there is here.
#include "sheaf/model.h"

#include "base/try.h"
#include "migrate/live_model.h"
#include "plan/planned_model.h"
#include "run/data_file.h"

namespace sheaf {
namespace {

class LoadedModel final : public Model {
 public:
  LoadedModel(Database& database, std::unique_ptr<migrate::LiveModel> live)
      : database_(database), live_(std::move(live)) {}

  Result<Answer> ask(std::string_view pattern, const std::vector<Value>& arguments,
                     std::string_view cursor) override {
    run::Session::Reply reply = TRY(live_->read(pattern, arguments, cursor));
    return Answer{.documents = std::move(reply.documents),
                  .cursor = std::move(reply.cursor),
                  .requests = reply.figures.requests,
                  .items_read = reply.figures.items_read,
                  .units = reply.figures.units,
                  .dangling = reply.figures.dangling,
                  .foreign = reply.figures.foreign};
  }

  Result<Outcome> act(std::string_view operation, const std::vector<Value>& arguments) override {
    run::Session::Outcome outcome = TRY(live_->write(operation, arguments));
    Outcome made = outcome_of(outcome.reply);
    made.put = std::move(outcome.put);
    return made;
  }

  Result<Outcome> work() override {
    const run::WriteReply reply = TRY(live_->work());
    return outcome_of(reply);
  }

  Result<uint64_t> load_data(std::string_view json) override {
    const size_t count = TRY(migrate::load_data(database_, *live_, json));
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
  const std::unique_ptr<migrate::LiveModel> live_;
};

}  // namespace

Result<std::unique_ptr<Model>> Model::load(Database& database, std::string_view text,
                                           const ModelOptions& options) {
  // Patterns and operations that no key serves are mistakes, too.
  const plan::PlannedModel planned = plan::plan_model(model::compile(options.name, std::string(text)));
  if (!planned.compiled.ok()) return Error{Code::kInvalid, planned.compiled.rendered()};
  migrate::LiveOptions live{.name = options.name, .layout = options.layout, .applies = options.applies};
  live.writer.runs_jobs = options.runs_jobs;
  live.writer.index_lag = std::chrono::milliseconds(options.index_lag_ms);
  std::unique_ptr<migrate::LiveModel> opened =
      TRY(migrate::LiveModel::open(database, std::string(text), live));
  return std::unique_ptr<Model>(std::make_unique<LoadedModel>(database, std::move(opened)));
}

}  // namespace sheaf
