#include "cmd/doctor_command.h"

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <optional>

#include "api/local_database.h"
#include "base/clock.h"
#include "base/try.h"
#include "cmd/audited_models.h"
#include "cmd/chosen_model.h"
#include "cmd/progress.h"
#include "cmd/terminal.h"
#include "console/painted_text.h"
#include "doctor/directory_check.h"
#include "wire/json_object.h"

namespace sheaf::cmd {
namespace {

using console::Paint;
using doctor::Finding;
using doctor::Trouble;

constexpr int kSomethingIsWrong = 1;

struct DoctorArguments {
  std::string directory;
  bool repairs = false;
  bool makes_no_backup = false;
  bool is_in_json = false;
};

struct Examined {
  doctor::DirectoryCheck check;
  std::vector<AuditedModel> models;

  const std::vector<Finding>& findings() const { return check.checkup.findings; }
  size_t problems() const {
    size_t count = findings().size();
    for (const AuditedModel& model : models) count += model.problems.size();
    return count;
  }
};

const SystemClock kDoctorClock{};

Result<Examined> examine(const std::string& directory) {
  Examined examined;
  {
    Progress progress("item", "items");
    examined.check =
        TRY(doctor::check_directory(directory, kDoctorClock, [&](const doctor::Figures& figures) {
          progress.tell(figures.items, std::nullopt);
        }));
  }
  std::unique_ptr<store::Store> store = std::move(examined.check.store);
  // What is wrong below would be told once more above.
  if (!examined.findings().empty()) return examined;
  api::LocalDatabase database(std::move(store), kDoctorClock, {.background_thread = false});
  examined.models = TRY(audit_models(database));
  return examined;
}

// What was wrong before, and the copy of it: empty if none was wanted.
struct Repair {
  std::vector<Finding> findings;
  std::string copy;
};

void append_findings(std::string& out, const std::vector<Finding>& findings) {
  wire::append_json_list(out, findings, [&](const Finding& finding) {
    wire::JsonObject each(out);
    each.text("kind", doctor::name_of(finding.trouble));
    each.text("where", finding.where);
    each.integer("count", static_cast<int64_t>(finding.count));
    each.text("example", finding.example);
    each.flag("repairable", !doctor::remedy_of(finding.trouble).empty());
  });
}

void tell_in_json(const Examined& examined, const std::optional<Repair>& repair) {
  std::string out;
  {
    wire::JsonObject object(out);
    object.flag("well", examined.problems() == 0);
    object.flag("repaired", repair.has_value());
    if (repair) {
      append_findings(object.member("before"), repair->findings);
      if (!repair->copy.empty()) object.text("backup", repair->copy);
    }
    object.flag("complete", examined.check.can_be_read());
    object.integer("files", static_cast<int64_t>(examined.check.files.files));
    object.integer("bytes", static_cast<int64_t>(examined.check.files.bytes));
    const doctor::Figures& figures = examined.check.checkup.figures;
    object.integer("tables", static_cast<int64_t>(figures.tables));
    object.integer("items", static_cast<int64_t>(figures.items));
    object.integer("index_entries", static_cast<int64_t>(figures.entries));
    object.integer("stream_records", static_cast<int64_t>(figures.log_records));
    object.integer("jobs", static_cast<int64_t>(figures.jobs));
    append_findings(object.member("findings"), examined.findings());
    std::string& models = object.member("models");
    wire::append_json_list(models, examined.models, [&](const AuditedModel& model) {
      wire::JsonObject each(models);
      each.text("system_table", model.system_table);
      each.text("layout", model.layout);
      std::string& problems = each.member("problems");
      wire::append_json_list(problems, model.problems,
                             [&](const std::string& problem) { append_json_string(problems, problem); });
    });
  }
  std::cout << out << "\n";
}

void tell(const Examined& examined) {
  const bool has_colour = standard_terminal().look.has_colour;
  for (const Finding& finding : examined.findings())
    std::cout << console::painted_heads(doctor::text_of(finding), Paint::kWrong, has_colour) << "\n";
  for (const AuditedModel& model : examined.models) {
    for (const std::string& problem : model.problems)
      std::cout << console::painted("model of " + model.system_table, Paint::kWrong, has_colour) << ": "
                << problem << "\n";
    if (!model.problems.empty())
      std::cout << "    `sheaf model audit --repair` with the model's file mends what is safe\n";
  }
  const doctor::Figures& figures = examined.check.checkup.figures;
  std::cout << counted(examined.check.files.files, "file", "files") << ", "
            << counted(figures.tables, "table", "tables") << ", " << counted(figures.items, "item", "items")
            << ", " << counted(figures.entries, "index entry", "index entries") << ", "
            << counted(figures.log_records, "stream record", "stream records") << ", "
            << counted(examined.models.size(), "model", "models") << ": ";
  if (!examined.check.can_be_read()) std::cout << "so much lies before what cannot be read; ";
  std::cout << (examined.problems() == 0
                    ? console::painted("all is well", Paint::kGood, has_colour)
                    : console::painted(counted(examined.problems(), "finding", "findings"), Paint::kWrong,
                                       has_colour))
            << "\n";
}

void tell_repairs(const Examined& examined) {
  tell(examined);
  std::cout << "repairing:\n";
  for (const Finding& finding : examined.findings()) {
    if (!doctor::remedy_of(finding.trouble).empty())
      std::cout << "  " << finding.where << ", " << doctor::name_of(finding.trouble) << ": "
                << doctor::remedy_of(finding.trouble) << "\n";
  }
}

int cannot_examine(const Error& error) {
  complain(error.message);
  const bool is_damaged = error.code == Code::kCorrupt || error.code == Code::kIo;
  if (is_damaged)
    complain("what cannot be opened cannot be salvaged either: restore a copy of the directory");
  return is_damaged ? kSomethingIsWrong : kWrongUse;
}

int run_doctor(const DoctorArguments& arguments) {
  Result<Examined> examined = examine(arguments.directory);
  if (!examined.ok()) return cannot_examine(examined.error());
  std::optional<Repair> repair;
  if (arguments.repairs && examined->check.can_be_repaired()) {
    if (!arguments.is_in_json) tell_repairs(*examined);
    const Result<std::string> copy =
        doctor::repair_directory(arguments.directory, kDoctorClock,
                                 arguments.makes_no_backup ? doctor::Backup::kNone : doctor::Backup::kBeside);
    if (!copy.ok()) return fail(copy.error().message);
    if (!arguments.is_in_json && !copy->empty()) std::cout << "done; as it was, it is in " << *copy << "\n";
    repair = Repair{.findings = examined->findings(), .copy = *copy};
    examined = examine(arguments.directory);
    if (!examined.ok()) return cannot_examine(examined.error());
  } else if (arguments.repairs && !examined->check.can_be_read() && !arguments.is_in_json) {
    std::cout << "nothing is repaired: what cannot be read could be taken for what is not there\n";
  }
  arguments.is_in_json ? tell_in_json(*examined, repair) : tell(*examined);
  return examined->problems() == 0 ? 0 : kSomethingIsWrong;
}

}  // namespace

void add_doctor_command(CLI::App& app, int& status) {
  auto arguments = std::make_shared<DoctorArguments>();
  CLI::App& command = *app.add_subcommand("doctor", "Check a data directory, and repair what can be");
  command.add_option("DIRECTORY", arguments->directory, "Of a database that is not open")->required();
  CLI::Option* const repairs =
      command.add_flag("--repair", arguments->repairs,
                       "Write what follows from the items: entries of indexes, counts, jobs; "
                       "a copy of the directory is kept beside it");
  command.add_flag("--no-backup", arguments->makes_no_backup, "Keep no copy")->needs(repairs);
  command.add_flag("--json", arguments->is_in_json, "Say what was found in JSON");
  command.footer("sheaf doctor ./data\nsheaf doctor ./data --repair");
  command.callback([arguments, &status] { status = run_doctor(*arguments); });
}

}  // namespace sheaf::cmd
