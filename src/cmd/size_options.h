// How much data is generated, as commands are told it: --count, --scale, --skew, --seed, --until,
// --item-bytes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sheaf/result.h"

#include "generate/generator.h"

namespace CLI {
class App;
}

namespace sheaf::cmd {

struct SizeChoice {
  std::vector<std::string> counts;
  std::vector<std::string> item_bytes;
  double scale = 1;
  double skew = 1;
  uint64_t seed = 1;
  std::string until;
};

// `choice` must live until the command line was read.
void add_size_options(CLI::App& command, SizeChoice& choice);

// kInvalid, with a message for whoever typed it.
Result<generate::GeneratorOptions> generator_options(const SizeChoice& choice);

}  // namespace sheaf::cmd
