#include "lint/options.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include "base/try.h"
#include "language/diagnostic.h"
#include "language/json_tree.h"
#include "lint/rule.h"
#include "lint/table_rules.h"

namespace sheaf::lint {
namespace {

Error wrong(std::string message) { return {.code = Code::kInvalid, .message = std::move(message)}; }

// ; there is NAME
std::string proposal(std::string_view name, const std::vector<std::string_view>& candidates) {
  const std::string_view near = language::nearest(name, candidates);
  return near.empty() ? "" : "; there is " + std::string(near);
}

Result<void> put_severity(Options& options, std::string_view name, std::string_view value) {
  std::vector<std::string_view> ids;
  for (const Rule& rule : rules()) ids.push_back(rule.id);
  for (const RuleText& rule : table_rules()) ids.push_back(rule.id);
  if (std::find(ids.begin(), ids.end(), name) == ids.end())
    return wrong("there is no rule " + std::string(name) + proposal(name, ids) +
                 " (sheaf model lint --list lists them)");
  const Rule* const rule = find_rule(name);
  if (rule != nullptr && rule->check == nullptr && rule->severity == Severity::kError)
    return wrong(std::string(name) + " is a mistake, and stays an error: the model cannot be used with it");
  const std::optional<Severity> severity = severity_named(value);
  if (!severity && value != "off")
    return wrong("there is no severity " + std::string(value) + "; write off, note, warning or error");
  options.severities[std::string(name)] = severity;
  return {};
}

Result<void> put_limit(Options& options, std::string_view name, std::string_view value) {
  std::vector<std::string_view> names;
  for (const LimitName& limit : limit_names()) {
    names.push_back(limit.name);
    if (limit.name != name) continue;
    int64_t number = 0;
    const auto [end, code] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (code != std::errc{} || end != value.data() + value.size() || number < 1 ||
        number > (int64_t{1} << 50))
      return wrong("the limit " + std::string(name) + " is a whole number from 1 on, not " +
                   std::string(value));
    options.limits.*limit.value = number;
    return {};
  }
  return wrong("there is no limit " + std::string(name) + proposal(name, names) +
               " (sheaf model lint --list lists them)");
}

template <typename Put>
Result<void> put_assignment(Options& options, std::string_view assignment, const char* form, Put put) {
  const size_t equals = assignment.find('=');
  if (equals == std::string_view::npos)
    return wrong("write " + std::string(form) + " in place of " + std::string(assignment));
  return put(options, assignment.substr(0, equals), assignment.substr(equals + 1));
}

}  // namespace

Result<void> set_severity(Options& options, std::string_view assignment) {
  return put_assignment(options, assignment, "RULE=off, note, warning or error", put_severity);
}

Result<void> set_limit(Options& options, std::string_view assignment) {
  return put_assignment(options, assignment, "NAME=VALUE", put_limit);
}

Result<void> read_options(Options& options, std::string_view json) {
  const language::Json tree = TRY(language::read_json(json));
  const language::JsonPlace root(tree);
  language::JsonMembers members = TRY(language::JsonMembers::of(root));
  const auto severities = members.find("severities");
  const auto limits = members.find("limits");
  TRY(members.finish());
  Options read = options;
  for (const auto& [place, put] : {std::pair(severities, &put_severity), std::pair(limits, &put_limit)}) {
    if (!place) continue;
    TRY(language::JsonMembers::of(*place));
    for (size_t i = 0; i < place->size(); ++i) {
      const Result<void> done = put(read, place->json().names[i], place->json().items[i].text);
      if (!done.ok()) return wrong(place->path() + ": " + done.error().message);
    }
  }
  options = std::move(read);
  return {};
}

}  // namespace sheaf::lint
