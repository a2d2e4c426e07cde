#include "cmd/size_options.h"

#include <CLI/CLI.hpp>
#include <cmath>
#include <map>

#include "base/try.h"
#include "run/time_text.h"

namespace sheaf::cmd {
namespace {

// ENTITY=N
Result<std::map<std::string, uint64_t>> numbers(const std::vector<std::string>& texts,
                                                const std::string& option) {
  std::map<std::string, uint64_t> made;
  for (const std::string& text : texts) {
    const size_t equals = text.find('=');
    const std::string digits = equals == std::string::npos ? "" : text.substr(equals + 1);
    const bool is_number =
        !digits.empty() && digits.size() <= 18 && digits.find_first_not_of("0123456789") == std::string::npos;
    if (!is_number) return Error{Code::kInvalid, option + " takes ENTITY=NUMBER, not " + text};
    made[text.substr(0, equals)] = std::stoull(digits);
  }
  return made;
}

}  // namespace

void add_size_options(CLI::App& command, SizeChoice& choice) {
  command.add_option("--count", choice.counts,
                     "ENTITY=N: how many of it; the others follow from the averages that relations declare");
  command.add_option("--scale", choice.scale, "Times so many as without it (1), where no --count says it");
  command.add_option("--skew", choice.skew,
                     "How unevenly children and links are spread: the exponent of Zipf's law (1); 0 is even");
  command.add_option("--seed", choice.seed, "Other data for another number (1)");
  command.add_option("--until", choice.until,
                     "Times lie in the year before this (2026-07-01, or half a year after the last since)");
  command.add_option("--item-bytes", choice.item_bytes,
                     "ENTITY=N: about how large its items are; a text is filled up");
}

Result<generate::GeneratorOptions> generator_options(const SizeChoice& choice) {
  generate::GeneratorOptions options;
  options.wishes.counts = TRY(numbers(choice.counts, "--count"));
  options.item_bytes = TRY(numbers(choice.item_bytes, "--item-bytes"));
  options.wishes.scale = choice.scale;
  options.seed = choice.seed;
  if (!(choice.skew >= 0 && choice.skew * 1000 <= generate::kSkewThousandthsMax))
    return Error{Code::kInvalid, "--skew lies between 0, which is even, and 3"};
  options.skew.thousandths = static_cast<uint32_t>(std::lround(choice.skew * 1000));
  if (!choice.until.empty()) {
    const auto seconds = run::epoch_seconds(choice.until);
    if (!seconds)
      return Error{Code::kInvalid,
                   "--until takes a date like 2026-01-31 or a time like 2026-01-31T12:00:00.000Z"};
    options.until_ms = *seconds * 1000;
  }
  return options;
}

}  // namespace sheaf::cmd
