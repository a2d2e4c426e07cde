#include "cmd/generate_command.h"

#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>
#include <memory>

#include "base/try.h"
#include "cmd/chosen_model.h"
#include "cmd/database_option.h"
#include "cmd/progress.h"
#include "cmd/size_options.h"
#include "cmd/until_told.h"
#include "generate/data_text.h"
#include "generate/generator.h"
#include "generate/load.h"
#include "language/json_writer.h"
#include "migrate/moved_layout.h"
#include "run/applied_layout.h"

namespace sheaf::cmd {
namespace {

constexpr const char* kAgain = "the same command loads all of it, and writes over what is there";

struct GenerateArguments {
  ModelChoice model;
  DatabaseChoice database;
  SizeChoice sizes;
  std::string out;
  bool loads = false;
  bool plans = false;
  bool as_json = false;
  size_t threads = 4;
};

std::string relation_name(const model::Model& model, model::RelationId relation) {
  const model::End& end = model.relations[relation].ends[0];
  return model.entities[end.holder].name + "." + end.name;
}

// How many there will be, without making any.
void print_plan(const generate::Generator& generator, bool as_json) {
  const model::Model& model = generator.model();
  if (as_json) {
    language::JsonWriter writer;
    writer.object([&] {
      writer.member("entities");
      writer.object([&] {
        for (const model::EntityId entity : generator.order()) {
          writer.member(model.entities[entity].name);
          writer.word(std::to_string(generator.count(entity)));
        }
      });
      writer.member("links");
      writer.object([&] {
        for (model::RelationId relation = 0; relation < model.relations.size(); ++relation) {
          writer.member(relation_name(model, relation));
          writer.word(std::to_string(generator.links(relation).total()));
        }
      });
    });
    std::cout << writer.take();
    return;
  }
  for (const model::EntityId entity : generator.order())
    std::cout << model.entities[entity].name << ": " << generator.count(entity) << "\n";
  for (model::RelationId relation = 0; relation < model.relations.size(); ++relation) {
    const generate::Links& links = generator.links(relation);
    std::cout << relation_name(model, relation) << ": " << counted(links.total(), "link", "links")
              << ", at most " << links.most(0) << " of one\n";
  }
}

int write(const GenerateArguments& arguments, const generate::Generator& generator) {
  const bool is_file = arguments.out.ends_with(".json");
  std::ofstream file;
  if (!arguments.out.empty() && arguments.out != "-") {
    file.open(arguments.out, std::ios::binary | std::ios::trunc);
    if (!file) return fail("cannot write " + arguments.out);
  }
  std::ostream& out = file.is_open() ? file : std::cout;
  const generate::Sink sink = [&](std::string_view text) -> Result<void> {
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    if (!out.flush())
      return Error{Code::kUnknown, "cannot write " + (file.is_open() ? arguments.out : "the data")};
    return {};
  };
  Result<generate::Written> written = generate::Written{};
  {
    Progress progress("document", "documents");
    const auto tell = [&](uint64_t done, uint64_t all) { progress.tell(done, all); };
    written =
        is_file ? generate::write_file(generator, sink, tell) : generate::write_lines(generator, sink, tell);
  }
  if (!written.ok()) return fail(written.error().message);
  if (file.is_open())
    std::cout << counted(written->documents, "document", "documents") << " and "
              << counted(written->links, "link", "links") << " in " << arguments.out << "\n";
  return 0;
}

int load(const GenerateArguments& arguments, ChosenModel& chosen, const generate::Generator& generator) {
  if (const Result<void> checked = generate::check_times(generator); !checked.ok())
    return fail(checked.error().message);
  DatabaseChoice choice = arguments.database;
  choice.writer = chosen.model().name();
  const Result<std::unique_ptr<Database>> database = open_database(choice);
  if (!database.ok()) return fail(database.error().message);
  const Result<void> followed = migrate::follow_moves(**database, chosen.planned, chosen.layout);
  if (!followed.ok()) return fail(followed.error().message);
  const Result<void> applied = run::apply_layout(**database, chosen.model(), chosen.stored());
  if (!applied.ok()) return fail(applied.error().message);
  Result<generate::Loaded> loaded = generate::Loaded{};
  uint64_t reached = 0;
  {
    Progress progress("entity", "entities and links");
    const UntilTold until_told;
    loaded = generate::load(**database, chosen.stored(), generator,
                            {.threads = arguments.threads,
                             .progress =
                                 [&](uint64_t done, uint64_t all) {
                                   reached = done;
                                   progress.tell(done, all);
                                 },
                             .is_ended = UntilTold::is_told});
  }
  if (!loaded.ok()) {
    const int status = fail(loaded.error().message);
    if (reached > 0)
      complain(counted(reached, "entity or link is", "entities and links are") + " loaded; " + kAgain);
    return status;
  }
  std::cout << counted(loaded->items, "item", "items") << " loaded\n";
  if (!loaded->is_ended) return 0;
  complain("interrupted; " + std::string(kAgain));
  return kWrongUse;
}

int generate_command(const GenerateArguments& arguments) {
  auto made = choose_model(arguments.model);
  if (const int* status = std::get_if<int>(&made)) return *status;
  auto& chosen = std::get<ChosenModel>(made);
  if (!chosen.planned.compiled.ok()) return kWrongModel;
  if (arguments.loads && !arguments.out.empty()) return fail("--out or --load, not both");
  if (arguments.loads == arguments.database.is_in_memory())
    return fail(arguments.loads ? "--load needs --data DIRECTORY or --endpoint URL"
                                : "a database is for --load: add it, or write with --out FILE");
  const Result<generate::GeneratorOptions> options = generator_options(arguments.sizes);
  if (!options.ok()) return fail(options.error().message);
  const auto generator = generate::Generator::make(chosen.planned.compiled, *options);
  if (!generator.ok()) return fail(generator.error().message);
  if (arguments.plans) {
    print_plan(**generator, arguments.as_json);
    return 0;
  }
  return arguments.loads ? load(arguments, chosen, **generator) : write(arguments, **generator);
}

}  // namespace

void add_generate_command(CLI::App& model, int& status) {
  const auto arguments = std::make_shared<GenerateArguments>();
  CLI::App* const making = model.add_subcommand(
      "generate",
      "Make data that fits a model: as lines of JSON on the standard output, as a file for sheaf model load, "
      "or "
      "straight into a database. The same seed and sizes give the same data, in every layout");
  add_model_options(*making, arguments->model);
  add_database_options(*making, arguments->database, DatabaseNeed::kOptional);
  add_size_options(*making, arguments->sizes);
  making->add_option("--out,--output", arguments->out,
                     "Write there: NAME.json is one data file, anything else lines of JSON (NAME.jsonl)");
  making->add_flag("--load", arguments->loads,
                   "Load it into the database, whose tables are made; over what is there with the same ids");
  making->add_option("--threads", arguments->threads, "That load side by side")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  making->add_flag("--plan", arguments->plans, "Only tell how many there will be");
  making->add_flag("--json", arguments->as_json, "Tell that as JSON");
  making->callback([arguments, &status] { status = generate_command(*arguments); });
}

}  // namespace sheaf::cmd
