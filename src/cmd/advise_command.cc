#include "cmd/advise_command.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>
#include <iostream>
#include <memory>

#include "assist/strategy_edit.h"
#include "base/try.h"
#include "cmd/chosen_model.h"
#include "cmd/data_input.h"
#include "cmd/database_option.h"
#include "cmd/measured_strategies.h"
#include "cmd/model_file.h"
#include "cmd/progress.h"
#include "cmd/seen_sizes.h"
#include "cmd/strategy_trials.h"
#include "cmd/terminal.h"
#include "console/painted_text.h"
#include "language/format.h"
#include "model/advice/advice_report.h"
#include "model/strategies/choice.h"

namespace sheaf::cmd {
namespace {

struct AdviseArguments {
  std::string path;
  std::string layout{model::kDefaultLayout};
  std::vector<std::string> relations;
  std::vector<std::string> answers;
  std::string data;
  DatabaseChoice database;
  uint64_t items = 100'000;
  bool as_json = false;
  bool measures = false, writes = false;
  bool is_silent = false;
  bool shows_trees = false;
};

// Who asks nothing is told of relations in the order of the model.
Result<model::RelationId> find_relation(const model::Model& model, const std::string& name) {
  const size_t dot = name.find('.');
  const auto entity = dot == std::string::npos ? std::nullopt : model.find_entity(name.substr(0, dot));
  const auto end = entity ? model.find_end(*entity, name.substr(dot + 1)) : std::nullopt;
  if (end) return end->relation;
  std::string known;
  for (model::RelationId id = 0; id < model.relations.size(); ++id)
    known += (known.empty() ? "" : ", ") + model::full_relation_name(model, id);
  return Error{Code::kInvalid,
               "there is no relation " + name + (known.empty() ? "" : "; there are " + known)};
}

std::string in_one_line(std::string_view text) {
  std::string made;
  for (const char c : text) {
    const bool is_space = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!is_space) made += c;
    if (is_space && !made.empty() && made.back() != ' ') made += ' ';
  }
  return made;
}

// One advice at a time, and what it is given.
class Adviser {
 public:
  Adviser(const AdviseArguments& arguments, const assist::Document& document, size_t layout)
      : arguments_(arguments),
        document_(document),
        planned_(document.planned()),
        layout_(planned_.compiled.layouts[layout]),
        layout_id_(layout),
        clauses_((*layout_.clauses)[layout]),
        trials_(document, arguments.layout) {}

  const model::Model& model() const { return planned_.compiled.model; }

  // F8=20, or Department.staff:F8=20 for one relation.
  Result<void> read_answers() {
    told_.resize(model().relations.size());
    for (const std::string& text : arguments_.answers) {
      const size_t equals = text.find('='), colon = text.find(':');
      const bool is_of_one = colon != std::string::npos && colon < equals;
      const std::string name = text.substr(is_of_one ? colon + 1 : 0, equals - (is_of_one ? colon + 1 : 0));
      const auto question = model::find_question(name);
      if (equals == std::string::npos || !question || !model::question(*question).is_asked())
        return Error{Code::kInvalid, "--answer takes QUESTION=ANSWER, like F8=20, not " + text +
                                         " (sheaf model advise --trees lists the questions)"};
      const auto value = model::read_answer(*question, text.substr(equals + 1));
      if (!value)
        return Error{Code::kInvalid, name + " is answered by " + model::answer_forms(*question) + ", not " +
                                         text.substr(equals + 1)};
      if (is_of_one) {
        told_[TRY(find_relation(model(), text.substr(0, colon)))][*question] = *value;
      } else {
        for (model::ToldAnswers& told : told_) told.try_emplace(*question, *value);
      }
    }
    return {};
  }

  Result<void> look_at_data() {
    if (!arguments_.data.empty()) {
      data_ = TRY(DataInput::read(arguments_.data));
      seen_ = TRY(sizes_in_file(model(), layout_, *data_));
    }
    if (arguments_.database.is_in_memory()) return {};
    const std::unique_ptr<Database> database = TRY(open_database(arguments_.database));
    Progress progress("item", "items");
    SampleOptions options{.items_max = arguments_.items};
    options.on_progress = [&](uint64_t items) { progress.tell(items, std::nullopt); };
    seen_ = TRY(sizes_in_database(model(), layout_, *database, options));
    return {};
  }

  Result<void> measure(const std::vector<model::RelationId>& relations) {
    measured_.resize(model().relations.size());
    if (!arguments_.measures) return {};
    for (const model::RelationId relation : relations)
      measured_[relation] =
          TRY(measured_strategies(planned_, layout_id_, relation, {.data = data_, .seen = seen_}));
    return {};
  }

  model::RelationAdvice advise(model::RelationId relation) {
    model::AdviceInputs inputs{
        .told = told_[relation],
        .seen = seen_.empty() ? nullptr : &seen_[relation],
        .measured = measured_[relation].all,
        .trial = [this, relation](const std::string& via) { return what_is_wrong(relation, via); }};
    model::RelationAdvice made{.recommendation = recommend(model(), clauses_, relation, inputs)};
    made.measured_on = measured_[relation].data;
    made.via = made.recommendation.via;
    made.written = written(relation);
    if (made.written) made.verdict = judge(model(), made.recommendation, made.written->via);
    std::vector<std::string> copies = {model::copies_text(model(), made.recommendation)};
    // A budget that only copies keep is worth them.
    if (trials_.what_is_wrong(relation, made.via)) copies.push_back(copies_that_help(relation));
    for (const std::string& each : copies) {
      if (each.empty() || trials_.what_is_wrong(relation, made.via + " " + each)) continue;
      made.via += " " + each;
      break;
    }
    const bool stays = made.written && made.verdict.is_same_strategy;
    made.findings = trials_.findings(relation, stays ? std::nullopt : std::optional<std::string>(made.via));
    return made;
  }

  // On a terminal, until everything that could change the choice is answered, or left as it is.
  model::RelationAdvice ask(model::RelationId relation) {
    model::RelationAdvice made = advise(relation);
    std::vector<model::QuestionId> left;
    for (;;) {
      const auto& open = made.recommendation.open;
      const auto next = std::find_if(open.begin(), open.end(), [&](model::QuestionId id) {
        return std::find(left.begin(), left.end(), id) == left.end();
      });
      if (next == open.end()) return made;
      const model::Question& asked = model::question(*next);
      std::cout << model::full_relation_name(model(), relation) << ": " << asked.name << " " << asked.text
                << " (" << model::answer_forms(asked.id) << "; "
                << model::answer_text(asked.id, made.recommendation.assumed(asked.id).value)
                << " if you do not know) " << std::flush;
      std::string line;
      if (!std::getline(std::cin, line)) {
        std::cout << "\n";
        return made;
      }
      const auto value = model::read_answer(asked.id, line);
      if (!value && line.empty()) left.push_back(asked.id);
      if (!value && !line.empty())
        std::cout << line << " is no answer: say " << model::answer_forms(asked.id)
                  << ", or nothing to leave it\n";
      if (!value) continue;
      told_[relation][asked.id] = *value;
      made = advise(relation);
    }
  }

 private:
  // By itself, or with the copies that patterns want.
  std::optional<std::string> what_is_wrong(model::RelationId relation, const std::string& via) {
    // What is written, with its keys and copies, was tried by whoever wrote it.
    const std::optional<language::Via>& said = clauses_.relations[relation];
    const std::string_view word = std::string_view(via).substr(0, via.find(' '));
    const bool is_graph = said && said->kind == language::Via::Kind::kGraph && word == "edges";
    if (said && (is_graph || word == model::via_word(said->kind))) return std::nullopt;
    const auto plain = trials_.what_is_wrong(relation, via);
    if (!plain) return plain;
    const std::string copies = copies_that_help(relation);
    if (copies.empty() || trials_.what_is_wrong(relation, via + " " + copies)) return plain;
    return std::nullopt;
  }

  // Those that are written; else all that patterns want.
  std::string copies_that_help(model::RelationId relation) const {
    const std::optional<language::Via>& said = clauses_.relations[relation];
    std::string text;
    for (size_t i = 0; said && i < said->copies.size(); ++i) {
      const language::Span span = said->copies[i].span;
      text += (i == 0 ? "copy " : " copy ") +
              std::string(document_.text().substr(span.begin, span.end - span.begin));
    }
    if (!text.empty()) return text;
    model::Recommendation all{.relation = relation};
    all.copies.is_advised = true;
    all.copies.fields = model::relation_use(model(), relation).wanted;
    return model::copies_text(model(), all);
  }

  std::optional<model::WrittenStrategy> written(model::RelationId relation) const {
    const std::optional<language::Via>& said = clauses_.relations[relation];
    if (said && said->kind != language::Via::Kind::kAuto) {
      const std::string_view text = document_.text();
      return model::WrittenStrategy{
          .text = in_one_line(text.substr(said->span.begin, said->span.end - said->span.begin)),
          .via = *said,
          .span = said->span};
    }
    const auto realised = model::realised_by_keys(model(), clauses_, relation);
    if (!realised) return std::nullopt;
    return model::WrittenStrategy{.text = std::string(model::via_word(realised->via)),
                                  .via = {.kind = realised->via},
                                  .is_by_keys = true};
  }

  const AdviseArguments& arguments_;
  const assist::Document& document_;
  const plan::PlannedModel& planned_;
  const model::Layout& layout_;
  const size_t layout_id_;
  const model::LayoutClauses& clauses_;
  StrategyTrials trials_;
  std::vector<model::ToldAnswers> told_;
  std::optional<measure::DataFile> data_;
  std::vector<model::SeenSizes> seen_;
  std::vector<MeasuredStrategies> measured_;
};

// Whether the advice goes into the file: where nothing is written, or another strategy that is contradicted;
// of relations that were named, wherever it differs.
bool is_to_be_written(const model::RelationAdvice& advice, bool is_named) {
  if (!advice.written) return true;
  if (advice.verdict.is_same_strategy) return false;
  return is_named || advice.verdict.kind == model::WrittenVerdict::Kind::kContradicted;
}

// The text with what is advised in it. Each is tried with what was written before it.
Result<std::string> written_text(const AdviseArguments& arguments, std::string text,
                                 const std::vector<model::RelationAdvice>& advice) {
  for (const model::RelationAdvice& each : advice) {
    if (!is_to_be_written(each, !arguments.relations.empty())) continue;
    const assist::Document document(arguments.path, text);
    const model::RelationId relation = each.recommendation.relation;
    StrategyTrials trials(document, arguments.layout);
    if (const auto wrong = trials.what_is_wrong(relation, each.via))
      return Error{Code::kInvalid, "via " + each.via + " for " +
                                       model::full_relation_name(document.model(), relation) +
                                       " was not written, and nothing else: " + *wrong};
    const bool was_laid_out = language::format(document.source()) == text;
    text = assist::applied(text, assist::strategy_edits(document, arguments.layout, relation, each.via));
    if (was_laid_out) text = language::format(language::SourceText(arguments.path, text));
    std::cerr << model::full_relation_name(document.model(), relation) << ": via " << each.via
              << " is written\n";
  }
  return text;
}

int write(const AdviseArguments& arguments, const std::string& text,
          const std::vector<model::RelationAdvice>& advice) {
  const Result<std::string> file_text = read_file(arguments.path);
  if (!file_text.ok()) return fail(file_text.error().message);
  if (*file_text != text) return fail(arguments.path + " is JSON, and --write edits the language");
  const Result<std::string> changed = written_text(arguments, text, advice);
  if (!changed.ok()) return fail(changed.error().message);
  const int status = assist::Document(arguments.path, *changed).error_count() > 0 ? kWrongModel : 0;
  if (*changed == text) return status;
  std::ofstream file(arguments.path, std::ios::binary | std::ios::trunc);
  file << *changed;
  if (!file.flush()) return fail("cannot write " + arguments.path);
  std::cerr << arguments.path << ": where items are stored already, they lie as they lay before\n";
  return status;
}

int advise(const AdviseArguments& arguments) {
  if (arguments.shows_trees) {
    std::cout << model::decision_text();
    return 0;
  }
  if (arguments.path.empty()) return fail("name a model file, or ask for --trees");
  if (arguments.writes && arguments.path == "-")
    return fail("--write needs a file: the standard input cannot be written");
  const Result<std::string> text = read_model(arguments.path);
  if (!text.ok()) return fail(text.error().message);
  const assist::Document document(arguments.path, *text);
  const model::CompiledModel& compiled = document.planned().compiled;
  if (compiled.layouts.empty()) return tell_mistakes(compiled, arguments.as_json);
  const size_t mistakes = document.error_count();
  // What is advised may mend them, and is told none the less.
  if (mistakes > 0)
    std::cerr << compiled.rendered() << arguments.path << ": " << counted(mistakes, "mistake", "mistakes")
              << "\n";
  size_t layout = 0;
  while (layout < compiled.layouts.size() && compiled.layouts[layout].name != arguments.layout) ++layout;
  if (layout == compiled.layouts.size()) return fail(arguments.path + " has no layout " + arguments.layout);

  Adviser adviser(arguments, document, layout);
  std::vector<model::RelationId> asked;
  for (const std::string& name : arguments.relations) {
    const Result<model::RelationId> found = find_relation(adviser.model(), name);
    if (!found.ok()) return fail(found.error().message);
    asked.push_back(*found);
  }
  for (model::RelationId id = 0; arguments.relations.empty() && id < adviser.model().relations.size(); ++id)
    asked.push_back(id);
  if (const Result<void> read = adviser.read_answers(); !read.ok()) return fail(read.error().message);
  if (const Result<void> looked = adviser.look_at_data(); !looked.ok()) return fail(looked.error().message);
  if (const Result<void> measured = adviser.measure(asked); !measured.ok())
    return fail(measured.error().message);

  const bool asks = !arguments.as_json && !arguments.is_silent && arguments.path != "-" &&
                    isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1;
  std::vector<model::RelationAdvice> advice;
  for (const model::RelationId id : asked) advice.push_back(asks ? adviser.ask(id) : adviser.advise(id));
  std::cout << (arguments.as_json
                    ? to_json(adviser.model(), compiled.source, advice)
                    : console::painted_heads(to_text(adviser.model(), compiled.source, advice),
                                             console::Paint::kHead, standard_terminal().look.has_colour));
  const auto contradicted =
      std::count_if(advice.begin(), advice.end(), [](const model::RelationAdvice& each) {
        return each.written && each.verdict.kind == model::WrittenVerdict::Kind::kContradicted;
      });
  if (arguments.writes) return write(arguments, *text, advice);
  return contradicted > 0 || mistakes > 0 ? kWrongModel : 0;
}

}  // namespace

void add_advise_command(CLI::App& model, int& status) {
  const auto arguments = std::make_shared<AdviseArguments>();
  CLI::App& command = *model.add_subcommand(
      "advise", "Advise how relations should be stored: why, at what price, and what would change it");
  command.add_option("FILE", arguments->path, "Model file (- is the standard input)");
  command.add_option("RELATION", arguments->relations,
                     "Which relations, like Department.staff (default: all)");
  command.add_option("--layout", arguments->layout, "Which layout")->capture_default_str();
  command
      .add_option("--answer", arguments->answers,
                  "What you know, like F8=20, or Department.staff:F8=20 (again for each)")
      ->type_name("QUESTION=ANSWER")
      ->allow_extra_args(false);
  command
      .add_option(
          "--load", arguments->data,
          "Data to see how many there are, and to measure on: JSON, or lines; - is the standard input")
      ->type_name("FILE");
  arguments->database.must_exist = true;
  add_database_options(command, arguments->database, DatabaseNeed::kOptional);
  command.add_option("--items", arguments->items, "Read so many items of a table at most (0: all)")
      ->capture_default_str();
  command.add_flag("--measure", arguments->measures,
                   "Also run every strategy on the data of --load, or on generated data, and tell where that "
                   "contradicts the tables");
  command.add_flag("--no-questions", arguments->is_silent, "Ask nothing, also on a terminal");
  command.add_flag("--json", arguments->as_json, "Tell it as JSON, with the open questions");
  command.add_flag("--write", arguments->writes,
                   "Write it into the file: where nothing is written yet, or what is is contradicted");
  command.add_flag("--trees", arguments->shows_trees, "Print the questions, trees and tables that decide");
  command.callback([arguments, &status] { status = advise(*arguments); });
}

}  // namespace sheaf::cmd
