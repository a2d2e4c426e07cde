#include "cmd/answers_script.h"

#include <algorithm>

#include "base/try.h"
#include "run/plain_json.h"
#include "run/time_text.h"

namespace sheaf::cmd {
namespace {

std::optional<std::string> text_member(ValueView step, std::string_view name) {
  const auto found = step.map().find(name);
  if (!found || found->type() != Type::kString) return std::nullopt;
  return std::string(found->bytes());
}

measure::Subject subject_named(const model::Model& model, const std::string& name) {
  using Kind = measure::Subject::Kind;
  if (model.find_pattern(name) != nullptr) return {.name = name, .kind = Kind::kPattern};
  return {.name = name, .kind = model.find_operation(name) != nullptr ? Kind::kOperation : Kind::kBasic};
}

}  // namespace

Result<measure::Script> answers_script(const model::Model& model, std::string_view json) {
  const Value steps = TRY(run::from_plain_json(json));
  if (steps.type() != Type::kList) return Error{Code::kInvalid, "this must be a list of steps"};
  measure::Script script;
  int64_t now_s = 0;
  for (const ValueView step : steps.view().list()) {
    if (step.type() != Type::kMap) return Error{Code::kInvalid, "a step must be an object"};
    auto name = text_member(step, "ask");
    if (!name) name = text_member(step, "do");
    if (const auto now = text_member(step, "now"))
      now_s = std::max(now_s, run::epoch_seconds(*now).value_or(0));
    if (!name || step.map().find("error")) continue;
    auto subject = std::find_if(script.subjects.begin(), script.subjects.end(),
                                [&](const measure::Subject& each) { return each.name == *name; });
    if (subject == script.subjects.end())
      subject = script.subjects.insert(subject, subject_named(model, *name));
    measure::Call call{.subject = static_cast<size_t>(subject - script.subjects.begin())};
    if (const auto with = step.map().find("with"); with && with->type() == Type::kList) {
      for (const ValueView value : with->list()) call.arguments.emplace_back(value);
    }
    script.calls.push_back(std::move(call));
  }
  if (script.calls.empty()) return Error{Code::kInvalid, "there is no step that asks or does something"};
  script.now = now_s > 0 ? std::chrono::system_clock::time_point(std::chrono::seconds(now_s))
                         : std::chrono::system_clock::now();
  return script;
}

}  // namespace sheaf::cmd
