// On which database a command works: --data DIRECTORY, or --endpoint URL and what goes with it.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "sheaf/database.h"
#include "sheaf/remote_database.h"
#include "sheaf/result.h"

#include "remote/access_key.h"

namespace CLI {
class App;
}

namespace sheaf::cmd {

// As the command line has it; what is not given is empty.
struct DatabaseChoice {
  std::string directory;
  std::string endpoint;  // a URL, or "aws" for AWS's own in the region
  std::string region;
  std::string profile;
  std::string credentials_path;
  std::string authorities_path;
  // Not of the command line: Endpoint::writer.
  std::string writer;
  // Likewise, of who asks again by itself, from many threads; 0: as Endpoint has them.
  uint32_t attempts_max = 0;
  size_t connections_max = 0;
  // Of the command itself: a directory without a database is an error, and none is made there. Before
  // add_database_options, whose help says so.
  bool must_exist = false;
  // Nothing was given, and the environment has both.
  bool is_ambiguous = false;

  // Neither a directory nor an endpoint: what the command makes is gone when it ends.
  bool is_in_memory() const { return directory.empty() && endpoint.empty(); }
};

// How long an index may lag behind its table, where it is filled behind one's back.
inline constexpr std::chrono::milliseconds kIndexLag{1000};

enum class DatabaseNeed {
  kRequired,  // one of the two is given, or else SHEAF_DATA or SHEAF_ENDPOINT set
  kUsual,     // the same, but there may be neither
  kOptional   // what the environment has is not meant
};

// Adds the options to a command. `choice` must live until the command line was read.
void add_database_options(CLI::App& command, DatabaseChoice& choice, DatabaseNeed need,
                          const remote::Environment& environment = remote::process_environment);

// What a choice with an endpoint stands for. The region is the first that there is of: the one given, the one
// in an AWS address, AWS_REGION, AWS_DEFAULT_REGION, us-east-1; AWS itself needs one of the first four. The
// key is that of the profile or file given, or else what Endpoint says; if there is none at all, one is made
// up for an endpoint on this machine, which as a rule takes any.
// kInvalid or kNotFound, with a message for whoever typed it, if something is wrong or missing.
Result<Endpoint> endpoint_of(const DatabaseChoice& choice,
                             const remote::Environment& environment = remote::process_environment);

// Opens the directory, or the endpoint, or a database in memory. An endpoint is not asked for anything yet.
// kNotFound if the choice must exist and does not.
Result<std::unique_ptr<Database>> open_database(
    const DatabaseChoice& choice, const remote::Environment& environment = remote::process_environment);

}  // namespace sheaf::cmd
