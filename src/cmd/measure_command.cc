#include "cmd/measure_command.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>

#include "base/try.h"
#include "cmd/chosen_model.h"
#include "cmd/data_input.h"
#include "cmd/measured_strategies.h"
#include "cmd/model_file.h"
#include "cmd/size_options.h"
#include "cmd/terminal.h"
#include "console/painted_text.h"
#include "measure/report.h"

namespace sheaf::cmd {
namespace {

struct MeasureArguments {
  ModelChoice model;
  SizeChoice sizes;
  std::vector<std::string> relations;
  std::vector<std::string> layouts;
  std::vector<std::string> rates;
  std::string data_path;
  std::string store = "memory";
  std::string by = "requests";
  std::string html_path;
  size_t runs = 20;
  bool has_basic = false;
  bool has_details = false;
  bool as_json = false;
};

// A database on disk that is gone when it is closed.
class TemporaryDirectory {
 public:
  static Result<TemporaryDirectory> make() {
    std::error_code failed;
    const std::filesystem::path above = std::filesystem::temp_directory_path(failed);
    if (failed) return Error{Code::kIo, "there is no directory for temporary files: " + failed.message()};
    std::string path = (above / "sheaf-measure-XXXXXX").string();
    if (mkdtemp(path.data()) == nullptr) return Error{Code::kIo, "cannot make a directory like " + path};
    return TemporaryDirectory(std::move(path));
  }
  TemporaryDirectory(TemporaryDirectory&& other) noexcept : path_(std::move(other.path_)) {
    other.path_.clear();
  }
  TemporaryDirectory& operator=(TemporaryDirectory&&) = delete;
  ~TemporaryDirectory() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  std::string below(const std::string& name) const { return (std::filesystem::path(path_) / name).string(); }

 private:
  explicit TemporaryDirectory(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

// NAME=5/s
Result<std::map<std::string, double>> rates_of(const std::vector<std::string>& texts) {
  static const std::map<std::string, double> kSeconds = {{"s", 1}, {"min", 60}, {"h", 3600}, {"day", 86'400}};
  std::map<std::string, double> made;
  for (const std::string& text : texts) {
    const size_t equals = text.find('='), slash = text.rfind('/');
    const auto per = slash == std::string::npos ? kSeconds.end() : kSeconds.find(text.substr(slash + 1));
    char* end = nullptr;
    const bool is_whole = equals != std::string::npos && per != kSeconds.end() && equals + 1 < slash;
    const double count = is_whole ? std::strtod(text.c_str() + equals + 1, &end) : -1;
    if (!is_whole || end != text.c_str() + slash || !(count >= 0) || count > 1e12)
      return Error{Code::kInvalid, "--rate takes NAME=5/s, or a min, h or day, not " + text};
    made[text.substr(0, equals)] = count / per->second;
  }
  return made;
}

Result<measure::Candidates> candidates_of(const MeasureArguments& arguments, const ChosenModel& chosen) {
  const model::Model& model = chosen.model();
  if (!arguments.layouts.empty()) {
    if (!arguments.relations.empty()) return Error{Code::kInvalid, "--relation or --layouts, not both"};
    return measure::named_layouts(chosen.planned, arguments.layouts);
  }
  std::vector<model::RelationId> relations;
  for (const std::string& name : arguments.relations) {
    const model::RelationId found = TRY(measure::find_relation(model, name));
    relations.push_back(found);
  }
  if (relations.empty()) {
    measure::Candidates declared = measure::declared_comparison(chosen.planned, chosen.layout);
    if (!declared.legal.empty()) return declared;
    for (model::RelationId each = 0; each < model.relations.size(); ++each) relations.push_back(each);
  }
  if (relations.empty()) return measure::named_layouts(chosen.planned, {chosen.stored().name});
  measure::Candidates all;
  for (const model::RelationId relation : relations) {
    measure::Candidates more = measure::all_strategies(chosen.planned, chosen.layout, relation);
    for (measure::Candidate& each : more.legal) all.legal.push_back(std::move(each));
    for (measure::Rejected& each : more.rejected) all.rejected.push_back(std::move(each));
  }
  return all;
}

std::string data_text(const generate::Generator& generator, const MeasureArguments& arguments) {
  if (!arguments.data_path.empty()) return arguments.data_path;
  std::string made;
  for (const model::EntityId entity : generator.order())
    made += std::to_string(generator.count(entity)) + " " + generator.model().entities[entity].name + ", ";
  return made + "seed " + std::to_string(arguments.sizes.seed);
}

measure::Criterion criterion_of(const std::string& text) {
  for (const auto& [criterion, name] : measure::kCriteria) {
    if (name == text) return criterion;
  }
  return measure::Criterion::kRequests;
}

Result<int> measure_model(const MeasureArguments& arguments, const ChosenModel& chosen) {
  generate::GeneratorOptions sizes = TRY(generator_options(arguments.sizes));
  const std::unique_ptr<generate::Generator> generator =
      TRY(generate::Generator::make(chosen.planned.compiled, sizes));
  std::unique_ptr<measure::DataSet> data = measure::generated_data(*generator);
  if (!arguments.data_path.empty()) {
    measure::DataFile file = TRY(DataInput::read(arguments.data_path));
    data = TRY(measure::users_data(*generator, std::move(file)));
  }
  measure::Candidates candidates = TRY(candidates_of(arguments, chosen));
  measure::ComparisonOptions options{.script = {.runs = arguments.runs, .seed = arguments.sizes.seed},
                                     .by = criterion_of(arguments.by)};
  options.rates = TRY(rates_of(arguments.rates));
  // Without a single operation nothing would be written, and copies would cost nothing.
  options.script.basic_operations = arguments.has_basic || chosen.model().operations.empty();
  if (options.script.basic_operations && !arguments.data_path.empty())
    return Error{Code::kInvalid,
                 "basic operations are measured on generated data: declare operations in the model, or leave "
                 "--data out"};
  if (arguments.relations.size() == 1)
    options.script.relation = TRY(measure::find_relation(chosen.model(), arguments.relations.front()));
  const TemporaryDirectory directory = TRY(TemporaryDirectory::make());
  size_t opened = 0;
  options.open = [&]() -> Result<std::unique_ptr<Database>> {
    if (arguments.store == "memory") return Database::open_in_memory({.background_thread = false});
    return Database::open(directory.below(std::to_string(++opened)));
  };
  Result<measure::Comparison> compared = Error{Code::kUnknown, ""};
  {
    Progress progress("layout", "layouts");
    compared = compare_with_progress(std::move(candidates), *data, std::move(options), progress);
  }
  const measure::Comparison comparison = TRY(std::move(compared));
  const measure::ReportHead head{.model = arguments.model.path,
                                 .data = data_text(*generator, arguments),
                                 .store = arguments.store,
                                 .runs = arguments.runs};
  std::cout << (arguments.as_json
                    ? measure::report_json(head, comparison)
                    : console::painted_report(measure::report_text(head, comparison, arguments.has_details),
                                              {}, standard_terminal().look.has_colour));
  if (!arguments.html_path.empty()) {
    std::ofstream file(arguments.html_path, std::ios::binary | std::ios::trunc);
    file << measure::report_html(head, comparison);
    if (!file.flush()) return Error{Code::kIo, "cannot write " + arguments.html_path};
  }
  return comparison.differences.empty() ? 0 : kWrongModel;
}

int measure_command(const MeasureArguments& arguments) {
  const auto made = choose_model(arguments.model);
  if (const int* status = std::get_if<int>(&made)) return *status;
  const auto& chosen = std::get<ChosenModel>(made);
  if (!chosen.planned.compiled.ok()) return kWrongModel;
  const Result<int> status = measure_model(arguments, chosen);
  return status.ok() ? *status : fail(status.error().message);
}

}  // namespace

void add_measure_command(CLI::App& model, int& status) {
  const auto arguments = std::make_shared<MeasureArguments>();
  CLI::App* const measuring = model.add_subcommand(
      "measure",
      "Run the same data and the same patterns and operations under several ways to store a model, each in a "
      "database of its own; check that all answer alike, and rank them by requests, units, bytes, write "
      "amplification and latency. Without --relation and --layouts: what the model says is to be compared, "
      "or "
      "else every way to store each relation. Exit status 1 if answers differ");
  add_model_options(*measuring, arguments->model);
  measuring->add_option("--relation", arguments->relations,
                        "ENTITY.END: measure every legal strategy for it, all else as in --layout");
  measuring->add_option("--layouts", arguments->layouts, "Measure these layouts of the model")
      ->delimiter(',');
  measuring->add_option("--data", arguments->data_path,
                        "Measure on this data file, or lines of data, and not on generated data");
  measuring->add_option("--runs", arguments->runs, "Of each pattern and operation (20)")
      ->check(CLI::Range(1, 100'000));
  measuring->add_option("--rate", arguments->rates,
                        "NAME=5/s (min, h, day): how often it is asked for, in place of the model's rate");
  measuring->add_option("--by", arguments->by, "What comes first (requests)")
      ->check(CLI::IsMember({"requests", "units", "bytes", "amplification", "latency"}));
  measuring->add_option("--store", arguments->store, "Where the databases are (memory)")
      ->check(CLI::IsMember({"memory", "rocksdb"}));
  measuring->add_flag("--basic", arguments->has_basic,
                      "Also measure what every model has: put, set, delete, link, unlink, move");
  measuring->add_flag("--details", arguments->has_details,
                      "Also tell what is planned beside what is, latencies and tables, of each layout");
  measuring->add_option("--html", arguments->html_path, "Also write a page with charts to this file");
  measuring->add_flag("--json", arguments->as_json, "Tell everything as JSON");
  add_size_options(*measuring, arguments->sizes);
  measuring->callback([arguments, &status] { status = measure_command(*arguments); });
}

}  // namespace sheaf::cmd
