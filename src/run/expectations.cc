#include "run/expectations.h"

#include <algorithm>
#include <memory>

#include "base/try.h"
#include "base/xml_text.h"
#include "run/applied_layout.h"
#include "run/conditions.h"
#include "run/data_file.h"
#include "run/item_codec.h"
#include "run/plain_json.h"
#include "run/session.h"
#include "run/time_text.h"

namespace sheaf::run {
namespace {

using What = language::Expectation::What;

Value canonical(const model::Model& model, const model::Node& node, ValueView document);

Value canonical_list(const model::Model& model, const model::Node& node, ValueView list) {
  std::vector<Value> documents;
  for (const ValueView each : list.list()) documents.push_back(canonical(model, node, each));
  if (!node.order) {
    std::sort(documents.begin(), documents.end(),
              [](const Value& a, const Value& b) { return to_plain_json(a) < to_plain_json(b); });
  }
  return Value::list(documents);
}

Value canonical(const model::Model& model, const model::Node& node, ValueView document) {
  if (document.type() != Type::kMap) return Value(document);
  Fields fields;
  for (const Attribute part : document.map()) {
    Value value(part.value);
    for (const model::Nested& nested : node.nested) {
      if (model.end(nested.end).name != part.name) continue;
      value = part.value.type() == Type::kList ? canonical_list(model, *nested.node, part.value)
                                               : canonical(model, *nested.node, part.value);
    }
    fields[std::string(part.name)] = std::move(value);
  }
  return Value(item_of(fields));
}

std::string shown_arguments(const std::vector<Value>& arguments) {
  std::string text;
  for (const Value& argument : arguments) text += (text.empty() ? "" : ", ") + to_plain_json(argument);
  return "(" + text + ")";
}

// Steps, and `expect` lines, in one layout.
class LayoutTest {
 public:
  LayoutTest(const plan::PlannedModel& planned, size_t layout, const Expectations& wanted)
      : planned_(planned), layout_(layout), wanted_(wanted) {}

  Result<void> run(const std::optional<Value>& steps, std::vector<TestCase>& cases) {
    database_ = Database::open_in_memory();
    TRY(apply_layout(*database_, model(), stored()));
    if (!wanted_.data.empty()) {
      const Data data = TRY(read_data(model(), stored(), wanted_.data));
      TRY(load_data(*database_, model(), stored(), data));
    }
    session_ =
        TRY(Session::open(*database_, planned_, layout_,
                          {.clock = [this] { return now_.value_or(std::chrono::system_clock::now()); }}));
    if (stored().name == model::kDefaultLayout) {
      for (const language::Expect& expect : model().syntax().expects) cases.push_back(try_expect(expect));
    }
    if (!steps) return {};
    size_t number = 0;
    for (const ValueView step : steps->view().list()) {
      TestCase made = TRY(try_step(step, ++number));
      cases.push_back(std::move(made));
    }
    return {};
  }

 private:
  const model::Model& model() const { return planned_.compiled.model; }
  const model::Layout& stored() const { return planned_.compiled.layouts[layout_]; }

  TestCase try_expect(const language::Expect& expect) const {
    const model::Pattern& pattern = *model().find_pattern(expect.pattern.text);
    std::vector<Value> arguments;
    for (size_t i = 0; i < expect.arguments.size(); ++i) {
      const language::Type any{.kind = language::Type::Kind::kAny};
      arguments.push_back(literal_value(expect.arguments[i], any));
    }
    TestCase made{.layout = stored().name, .name = "expect " + pattern.name + shown_arguments(arguments)};
    const Result<Session::Reply> reply = session_->read(pattern.name, arguments);
    if (!reply.ok()) {
      made.failure = reply.error().message;
      return made;
    }
    for (const language::Expectation& each : expect.expectations) {
      const double is = each.what == What::kRequests  ? static_cast<double>(reply->figures.requests)
                        : each.what == What::kReads   ? static_cast<double>(reply->figures.items_read)
                        : each.what == What::kReturns ? static_cast<double>(returned(reply->documents))
                                                      : reply->figures.units;
      const std::string_view name = each.what == What::kRequests  ? "requests"
                                    : each.what == What::kReads   ? "reads"
                                    : each.what == What::kReturns ? "returns"
                                                                  : "units";
      const double should = std::stod(each.number);
      if (each.at_most ? is <= should : is == should) continue;
      made.failure = std::string(name) + " is " + to_plain_json(Value(*Number::parse(shown(is)))) +
                     ", and should be " + (each.at_most ? "at most " : "") + each.number;
      return made;
    }
    return made;
  }

  static std::string shown(double value) {
    std::string text = std::to_string(value);
    while (text.ends_with('0')) text.pop_back();
    if (text.ends_with('.')) text.pop_back();
    return text;
  }

  // Entities in the documents, nested ones among them.
  static size_t returned(const std::vector<Value>& documents) {
    size_t count = 0;
    for (const Value& document : documents) count += returned(document.view());
    return count;
  }
  static size_t returned(ValueView document) {
    size_t count = 1;
    for (const Attribute part : document.map()) {
      if (part.value.type() != Type::kList) continue;
      for (const ValueView each : part.value.list()) {
        if (each.type() == Type::kMap) count += returned(each);
      }
    }
    return count;
  }

  Result<TestCase> try_step(ValueView step, size_t number) {
    const Error wrong{Code::kInvalid,
                      "step " + std::to_string(number) +
                          R"( of the answers: { "ask": PATTERN, "with": [..], "answer": [..] } or )"
                          R"({ "do": OPERATION, "with": [..] } is needed)"};
    if (step.type() != Type::kMap) return wrong;
    const auto ask = step.map().find("ask"), act = step.map().find("do");
    if (ask.has_value() == act.has_value()) return wrong;
    const ValueView named = ask ? *ask : *act;
    if (named.type() != Type::kString) return wrong;
    const std::string name(named.bytes());
    std::vector<Value> arguments;
    if (const auto with = step.map().find("with")) {
      if (with->type() != Type::kList) return wrong;
      for (const ValueView each : with->list()) arguments.emplace_back(each);
    }
    TestCase made{.layout = stored().name,
                  .name = std::to_string(number) + " " + name + shown_arguments(arguments),
                  .is_skipped = !is_for_this_layout(step)};
    if (made.is_skipped) return made;
    now_.reset();
    if (const auto now = step.map().find("now")) {
      const auto seconds = now->type() == Type::kString ? epoch_seconds(now->bytes()) : std::nullopt;
      if (!seconds) return wrong;
      now_ = std::chrono::system_clock::time_point(std::chrono::seconds(*seconds));
    }
    if (ask) {
      try_question(made, name, arguments, step);
    } else {
      const Result<Session::Outcome> outcome = session_->write(name, arguments);
      const bool went_well =
          judge_error(made, step, outcome.ok() ? std::nullopt : std::optional(outcome.error().message));
      if (went_well) judge_requests(made, step, outcome->reply.figures.requests);
    }
    return made;
  }

  // Whether there is more to look at: it went well, as it should.
  static bool judge_error(TestCase& made, ValueView step, const std::optional<std::string>& error) {
    const auto wanted = step.map().find("error");
    const std::string should = wanted ? std::string(wanted->bytes()) : std::string();
    if (!wanted && error) made.failure = *error;
    if (wanted && !error) made.failure = "it went well, and should say: " + should;
    if (wanted && error && error->find(should) == std::string::npos)
      made.failure = "it says: " + *error + ", and should say: " + should;
    return !wanted && !error;
  }

  // Whether the layout cannot answer a pattern with just these arguments.
  bool is_refused(const model::Pattern& pattern, const std::vector<Value>& arguments) const {
    std::vector<bool> given;
    for (size_t i = 0; i < pattern.parameters.size(); ++i)
      given.push_back(i < arguments.size() && arguments[i].type() != Type::kNull);
    for (const plan::PlannedPattern& each : planned_.plans[layout_]) {
      if (each.pattern == &pattern && each.given == given && !each.ok()) return true;
    }
    return false;
  }

  void try_question(TestCase& made, const std::string& name, const std::vector<Value>& arguments,
                    ValueView step) const {
    const model::Pattern* const pattern = model().find_pattern(name);
    if (pattern != nullptr && !step.map().find("error") && is_refused(*pattern, arguments)) {
      made.is_skipped = true;
      return;
    }
    const Result<Session::Reply> reply = session_->read(name, arguments);
    if (!judge_error(made, step, reply.ok() ? std::nullopt : std::optional(reply.error().message))) return;
    if (const auto answer = step.map().find("answer"); answer && answer->type() == Type::kList) {
      std::vector<Value> should;
      for (const ValueView each : answer->list()) should.emplace_back(each);
      const std::string is_text = canonical_text(model(), *pattern, reply->documents);
      const std::string should_text = canonical_text(model(), *pattern, should);
      if (is_text != should_text)
        made.failure = "the answer is\n" + is_text + "and should be\n" + should_text;
    }
    if (!made.failure) judge_requests(made, step, reply->figures.requests);
  }

  bool is_for_this_layout(ValueView step) const {
    const auto layouts = step.map().find("layouts");
    if (!layouts || layouts->type() != Type::kList) return true;
    return std::any_of(layouts->list().begin(), layouts->list().end(), [&](ValueView each) {
      return each.type() == Type::kString && each.bytes() == stored().name;
    });
  }

  // A number is of the default layout; a map has one for each layout that it names.
  void judge_requests(TestCase& made, ValueView step, uint64_t took) const {
    auto requests = step.map().find("requests");
    if (requests && requests->type() == Type::kMap) {
      requests = requests->map().find(stored().name);
    } else if (stored().name != model::kDefaultLayout) {
      return;
    }
    if (!requests || requests->type() != Type::kNumber) return;
    const std::string should = requests->number().to_string();
    if (should != std::to_string(took))
      made.failure = "it took " + std::to_string(took) + " requests, and should take " + should;
  }

  const plan::PlannedModel& planned_;
  const size_t layout_;
  const Expectations& wanted_;
  std::unique_ptr<Database> database_;
  std::unique_ptr<Session> session_;
  std::optional<std::chrono::system_clock::time_point> now_;  // of a step that says it
};

}  // namespace

std::string canonical_text(const model::Model& model, const model::Pattern& pattern,
                           const std::vector<Value>& documents) {
  std::string out;
  const Value given = Value::list(documents), sorted = canonical_list(model, pattern.node, given);
  for (const ValueView each : sorted.view().list()) out += to_plain_json(each) + "\n";
  return out;
}

Result<std::vector<TestCase>> run_expectations(const plan::PlannedModel& planned,
                                               const Expectations& wanted) {
  std::optional<Value> steps;
  if (!wanted.answers.empty()) {
    steps = TRY(from_plain_json(wanted.answers));
    if (steps->type() != Type::kList) return Error{Code::kInvalid, "the answers are a list of steps"};
  }
  std::vector<TestCase> cases;
  for (size_t layout = 0; layout < planned.compiled.layouts.size(); ++layout) {
    const std::string& name = planned.compiled.layouts[layout].name;
    if (!wanted.layout.empty() && wanted.layout != name) continue;
    LayoutTest test(planned, layout, wanted);
    const Result<void> done = test.run(steps, cases);
    if (!done.ok()) return Error{done.error().code, "layout " + name + ": " + done.error().message};
  }
  return cases;
}

std::string to_junit(std::string_view suite, const std::vector<TestCase>& cases) {
  size_t failures = 0, skipped = 0;
  for (const TestCase& each : cases) {
    failures += each.failure ? 1 : 0;
    skipped += each.is_skipped ? 1 : 0;
  }
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"" + xml_escaped(suite) +
                    "\" tests=\"" + std::to_string(cases.size()) + "\" failures=\"" +
                    std::to_string(failures) + "\" skipped=\"" + std::to_string(skipped) + "\">\n";
  for (const TestCase& each : cases) {
    out += "  <testcase classname=\"" + xml_escaped(std::string(suite) + "." + each.layout) + "\" name=\"" +
           xml_escaped(each.name) + "\"";
    if (each.failure) {
      out += "><failure message=\"" + xml_escaped(each.failure->substr(0, each.failure->find('\n'))) + "\">" +
             xml_escaped(*each.failure) + "</failure></testcase>\n";
    } else if (each.is_skipped) {
      out += "><skipped/></testcase>\n";
    } else {
      out += "/>\n";
    }
  }
  return out + "</testsuite>\n";
}

}  // namespace sheaf::run
