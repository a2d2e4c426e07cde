#include "measure/script.h"

#include <algorithm>
#include <cstdlib>

#include "generate/arguments.h"
#include "measure/basic_calls.h"

namespace sheaf::measure {
namespace {

using Given = std::vector<bool>;

// Which parameters one layout answers the pattern with.
std::vector<Given> askable(const PlannedLayout& layout, const model::Pattern& pattern) {
  std::vector<Given> made;
  for (const plan::PlannedPattern& each : layout.planned->plans[layout.layout]) {
    if (each.pattern->name == pattern.name && each.ok()) made.push_back(each.given);
  }
  return made;
}

// The same for all that can at all; if they agree on none, those of the first.
std::vector<Given> askable(const std::vector<PlannedLayout>& layouts, const model::Pattern& pattern) {
  std::vector<Given> first, agreed;
  for (const PlannedLayout& layout : layouts) {
    const std::vector<Given> own = askable(layout, pattern);
    if (own.empty()) continue;
    if (first.empty()) {
      first = agreed = own;
      continue;
    }
    std::erase_if(agreed,
                  [&](const Given& given) { return std::find(own.begin(), own.end(), given) == own.end(); });
  }
  return agreed.empty() ? first : agreed;
}

std::optional<double> rate_of(const language::Clauses& clauses) {
  if (!clauses.rate) return std::nullopt;
  return per_second(*clauses.rate);
}

// From data that the generator made itself.
class GeneratedArguments final : public ArgumentSource {
 public:
  explicit GeneratedArguments(const generate::Generator& generator) : generator_(generator) {}

  Result<std::vector<Value>> of(const model::Pattern& pattern, const std::vector<bool>& given,
                                generate::Chance& chance) const override {
    return generate::arguments(generator_, pattern, given, chance);
  }
  Result<std::vector<Value>> of(const model::Operation& operation, generate::Chance& chance) const override {
    return generate::arguments(generator_, operation, chance);
  }

 private:
  const generate::Generator& generator_;
};

}  // namespace

double per_second(const language::Rate& rate) {
  using Per = language::Rate::Per;
  const double count = std::strtod(rate.count.c_str(), nullptr);
  switch (rate.per) {
    case Per::kMinute:
      return count / 60;
    case Per::kHour:
      return count / 3600;
    case Per::kDay:
      return count / 86'400;
    case Per::kSecond:
      break;
  }
  return count;
}

Result<Script> make_script(const generate::Generator& generator, const ArgumentSource& source,
                           const std::vector<PlannedLayout>& layouts, const ScriptOptions& options) {
  const model::Model& model = generator.model();
  Script script;
  script.now = std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
  std::vector<std::vector<Call>> calls;  // one list a subject
  const auto add = [&](Subject subject, std::vector<Call> made) {
    if (made.empty()) return;
    for (Call& call : made) call.subject = script.subjects.size();
    script.subjects.push_back(std::move(subject));
    calls.push_back(std::move(made));
  };
  for (const model::Pattern& pattern : model.patterns) {
    const std::vector<Given> possible = askable(layouts, pattern);
    generate::Chance chance(generate::mixed(options.seed, pattern.name));
    std::vector<Call> made;
    for (size_t i = 0; i < options.runs && !possible.empty(); ++i) {
      auto values = source.of(pattern, possible[i % possible.size()], chance);
      if (values.ok()) made.push_back({.arguments = std::move(*values)});
    }
    add({.name = pattern.name, .kind = Subject::Kind::kPattern, .rate = rate_of(pattern.syntax->clauses)},
        std::move(made));
  }
  for (const model::Operation& operation : model.operations) {
    generate::Chance chance(generate::mixed(options.seed, operation.name));
    std::vector<Call> made;
    for (size_t i = 0; i < options.runs; ++i) {
      auto values = source.of(operation, chance);
      if (values.ok()) made.push_back({.arguments = std::move(*values)});
    }
    add({.name = operation.name,
         .kind = Subject::Kind::kOperation,
         .rate = rate_of(operation.syntax->clauses)},
        std::move(made));
  }
  if (options.basic_operations) {
    for (BasicCalls& basic : basic_calls(generator, options)) {
      std::vector<Call> made;
      for (auto& arguments : basic.arguments) made.push_back({.arguments = std::move(arguments)});
      add({.name = std::move(basic.name), .kind = Subject::Kind::kBasic}, std::move(made));
    }
  }
  if (script.subjects.empty())
    return Error{Code::kInvalid, "the model has no pattern and no operation that there is data for"};
  for (size_t turn = 0; turn < options.runs; ++turn) {
    for (std::vector<Call>& each : calls) {
      if (turn < each.size()) script.calls.push_back(std::move(each[turn]));
    }
  }
  return script;
}

Result<Script> make_script(const generate::Generator& generator, const std::vector<PlannedLayout>& layouts,
                           const ScriptOptions& options) {
  return make_script(generator, GeneratedArguments(generator), layouts, options);
}

Result<Script> make_script(const generate::Generator& generator, const plan::PlannedModel& planned,
                           const std::vector<size_t>& layouts, const ScriptOptions& options) {
  std::vector<PlannedLayout> all;
  for (const size_t layout : layouts) all.push_back({.planned = &planned, .layout = layout});
  return make_script(generator, all, options);
}

}  // namespace sheaf::measure
