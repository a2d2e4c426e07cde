#include "cmd/trial_data.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <sstream>

#include "base/try.h"
#include "cmd/answers_script.h"
#include "cmd/chosen_model.h"
#include "cmd/data_input.h"
#include "cmd/model_file.h"
#include "cmd/progress.h"
#include "generate/load.h"
#include "run/applied_layout.h"
#include "run/data_file.h"
#include "run/data_lines.h"
#include "run/system_table.h"

namespace sheaf::cmd {
namespace {

std::string file_beside(const std::string& model_path, std::string_view name) {
  const std::filesystem::path found = std::filesystem::path(model_path).parent_path() / name;
  return std::filesystem::exists(found) ? found.string() : std::string();
}

// Entities and links.
uint64_t size_of(const generate::Generator& generator) {
  uint64_t sum = 0;
  for (const model::EntityId entity : generator.order()) sum += generator.count(entity);
  for (model::RelationId id = 0; id < generator.model().relations.size(); ++id)
    sum += generator.links(id).total();
  return sum;
}

// The same in small: `share` of everything, and one at least.
generate::GeneratorOptions smaller(generate::GeneratorOptions options, double share) {
  options.wishes.scale *= share;
  for (auto& [name, count] : options.wishes.counts)
    count = static_cast<uint64_t>(std::ceil(static_cast<double>(count) * share));
  return options;
}

}  // namespace

Result<std::unique_ptr<generate::Generator>> smaller_sample(const generate::Generator& whole,
                                                            const model::CompiledModel& compiled,
                                                            const generate::GeneratorOptions& options,
                                                            uint64_t sample) {
  const uint64_t all = size_of(whole);
  if (all <= sample) return std::unique_ptr<generate::Generator>();
  const double share = static_cast<double>(sample) / static_cast<double>(all);
  return generate::Generator::make(compiled, smaller(options, share));
}

std::string generated_text(const generate::Generator& sample, const generate::Generator& whole,
                           uint64_t seed) {
  uint64_t entities = 0;
  for (const model::EntityId entity : sample.order()) entities += sample.count(entity);
  std::string text = counted(entities, "entity", "entities") + " and " +
                     counted(size_of(sample) - entities, "link", "links") + ", generated from seed " +
                     std::to_string(seed);
  if (&sample != &whole) text += ", a sample of " + std::to_string(size_of(whole)) + " entities and links";
  return text;
}

void add_trial_options(CLI::App& command, TrialChoice& choice) {
  CLI::Option* const data =
      command.add_option("--data", choice.data, "Try it on this data file (JSON, or lines of it)")
          ->type_name("FILE");
  CLI::Option* const answers =
      command
          .add_option("--answers", choice.answers,
                      "With --data: what is asked, as for sheaf model test (answers.json beside the model)")
          ->type_name("FILE")
          ->needs(data);
  command.add_option("--runs", choice.runs, "How often each pattern and operation is tried (20)")
      ->check(CLI::Range(1, 100'000));
  command
      .add_option("--sample", choice.sample,
                  "Load at most about so many entities and links of generated data (20000)")
      ->check(CLI::Range(uint64_t{1}, uint64_t{100'000'000}));
  add_size_options(command, choice.sizes);
  for (const char* name : kTrialOptions) {
    CLI::Option* const option = command.get_option(name);
    if (option != data && option != answers) option->excludes(data);
  }
}

Result<std::unique_ptr<TrialData>> TrialData::make(const std::vector<measure::PlannedLayout>& layouts,
                                                   const TrialChoice& choice, const std::string& model_path) {
  std::unique_ptr<TrialData> made(new TrialData(choice));
  if (choice.data.empty()) {
    TRY(made->generate(layouts));
  } else {
    TRY(made->read_files(layouts.front().model(), model_path));
  }
  return made;
}

Result<void> TrialData::generate(const std::vector<measure::PlannedLayout>& layouts) {
  const generate::GeneratorOptions options = TRY(generator_options(choice_.sizes));
  const model::CompiledModel& compiled = layouts.front().planned->compiled;
  whole_ = TRY(generate::Generator::make(compiled, options));
  smaller_ = TRY(smaller_sample(*whole_, compiled, options, choice_.sample));
  sample_ = smaller_ != nullptr ? smaller_.get() : whole_.get();
  TRY(generate::check_times(*sample_));
  script_ = TRY(measure::make_script(*sample_, layouts, {.runs = choice_.runs, .seed = choice_.sizes.seed}));
  return {};
}

Result<void> TrialData::read_files(const model::Model& model, const std::string& model_path) {
  const std::string answers =
      choice_.answers.empty() ? file_beside(model_path, "answers.json") : choice_.answers;
  if (answers.empty())
    return Error{Code::kInvalid,
                 "--data needs --answers FILE, too: patterns and operations with their arguments"};
  data_ = TRY(DataInput::read(choice_.data));
  const std::string text = TRY(read_file(answers));
  Result<measure::Script> script = answers_script(model, text);
  if (!script.ok()) return Error{script.error().code, answers + ": " + script.error().message};
  script_ = std::move(*script);
  return {};
}

Result<void> TrialData::load(Database& database, const measure::PlannedLayout& layout) const {
  const model::Model& model = layout.model();
  const model::Layout& stored = layout.stored();
  TRY(run::apply_layout(database, model, stored));
  if (sample_ != nullptr) {
    Progress progress("entity or link", "entities and links");
    TRY(generate::load(database, stored, *sample_,
                       {.progress = [&](uint64_t done, uint64_t all) { progress.tell(done, all); }}));
    return {};
  }
  const auto in_file = [&](const Error& error) {
    return Error{error.code, data_.name + (data_.is_lines ? ":" : ": ") + error.message};
  };
  if (data_.is_lines) {
    std::istringstream lines(data_.text);
    const auto loaded = run::load_lines(database, model, stored, lines, [](size_t) {});
    return loaded.ok() ? Result<void>() : in_file(loaded.error());
  }
  const Result<run::Data> data = run::read_data(model, stored, data_.text);
  if (!data.ok()) return in_file(data.error());
  TRY(run::load_data(database, model, stored, *data));
  return {};
}

Result<measure::Trial> TrialData::run(const measure::PlannedLayout& layout, const Look& look) const {
  const std::unique_ptr<Database> database = Database::open_in_memory({.background_thread = false});
  TRY(load(*database, layout));
  if (look) TRY(look(*database));
  Progress progress("run", "runs");
  return measure::run_trial(*database, *layout.planned, layout.layout, script_,
                            {.progress = [&](uint64_t done, uint64_t all) { progress.tell(done, all); }});
}

Result<measure::Stored> TrialData::stored_without_data(const measure::PlannedLayout& layout) {
  const std::unique_ptr<Database> database = Database::open_in_memory({.background_thread = false});
  TRY(run::apply_layout(*database, layout.model(), layout.stored()));
  return measure::stored(*database, layout.model(), layout.stored());
}

std::string TrialData::text() const {
  if (sample_ == nullptr) return data_.name;
  return generated_text(*sample_, *whole_, choice_.sizes.seed);
}

uint64_t TrialData::count(const generate::Generator& generator, const model::ItemKind& kind) const {
  return kind.entity ? generator.count(*kind.entity) : generator.links(*kind.relation).total();
}

TrialData::Size TrialData::size(const measure::PlannedLayout& layout, const std::string& table,
                                const std::string& index) const {
  if (!is_sample()) return {};
  const model::Layout& stored = layout.stored();
  Size size{.loaded = 0, .all = 0};
  for (const model::ItemKind& kind : stored.item_kinds) {
    const model::Table& own = stored.tables[kind.table];
    const auto place = index.empty() ? std::nullopt : own.find_index(index);
    const bool is_there =
        index.empty() || (place && (own.indexes[*place].is_over_table_keys ||
                                    std::any_of(kind.entries.begin(), kind.entries.end(),
                                                [&](const auto& entry) { return entry.index == *place; })));
    if (own.name != table || !is_there) continue;
    size.loaded += count(*sample_, kind);
    size.all += count(*whole_, kind);
  }
  if (size.loaded > 0) return size;
  return {.loaded = size_of(*sample_), .all = size_of(*whole_)};
}

}  // namespace sheaf::cmd
