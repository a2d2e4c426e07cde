#include "cmd/claims_command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>

#include "cmd/chosen_model.h"
#include "cmd/progress.h"
#include "cmd/terminal.h"
#include "console/painted_text.h"
#include "measure/claims/claim.h"

namespace sheaf::cmd {
namespace {

int print_claims(const std::vector<std::string>& points, bool as_json) {
  for (const std::string& point : points) {
    const auto& all = measure::claims();
    if (std::none_of(all.begin(), all.end(), [&](const auto& each) { return each.is_of(point); }))
      return fail("no claim is of " + point + ": there are I1 to I6 and K1 to K12");
  }
  Result<measure::Evidence> evidence = Error{Code::kUnknown, ""};
  {
    Progress progress("experiment", "experiments");
    evidence = measure::gather_evidence(measure::experiments_for(points),
                                        [&](uint64_t done, uint64_t all) { progress.tell(done, all); });
  }
  if (!evidence.ok()) return fail(evidence.error().message);
  using console::Paint;
  std::cout << (as_json ? measure::claims_json(*evidence, points)
                        : console::painted_report(measure::claims_text(*evidence, points),
                                                  {{"holds in part:", Paint::kDoubt},
                                                   {"holds:", Paint::kGood},
                                                   {"contradicted:", Paint::kWrong}},
                                                  standard_terminal().look.has_colour));
  return 0;
}

}  // namespace

void add_claims_command(CLI::App& model, int& status) {
  const auto points = std::make_shared<std::vector<std::string>>();
  const auto as_json = std::make_shared<bool>(false);
  CLI::App* const claiming = model.add_subcommand(
      "claims",
      "Hold what is said of each strategy, its advantages and its prices, against figures that are measured "
      "now, on small models that are part of the program");
  claiming->add_option("POINT", *points,
                       "Only those of a point: I1 (the grid of four methods) .. I6, K1 .. K12");
  claiming->add_flag("--json", *as_json, "Tell them as JSON");
  claiming->callback([points, as_json, &status] { status = print_claims(*points, *as_json); });
}

}  // namespace sheaf::cmd
