#include "cmd/model_load.h"

#include <iostream>
#include <iterator>

#include "base/try.h"
#include "cmd/progress.h"
#include "cmd/until_told.h"
#include "run/data_lines.h"

namespace sheaf::cmd {
namespace {

// An error that is about a place in the input.
Error in_input(const DataInput& input, const Error& error) {
  return {error.code, input.name() + (input.is_lines() ? ":" : ": ") + error.message};
}

// Lines may be more than there is memory for.
Result<void> load_lines(const ChosenModel& chosen, DataInput& input,
                        const std::function<Result<void>(const run::Data& data)>& take) {
  Progress progress("line", "lines");
  std::optional<Error> refused;
  const auto read = run::read_lines(chosen.model(), chosen.stored(), input.stream(),
                                    {.take =
                                         [&](const run::Data& data) {
                                           const Result<void> taken = take(data);
                                           if (!taken.ok()) refused = taken.error();
                                           return taken;
                                         },
                                     .progress = [&](size_t lines) { progress.tell(lines, std::nullopt); },
                                     .is_ended = UntilTold::is_told});
  if (refused) return Error{refused->code, input.name() + ": " + refused->message};
  TRY(input.status());
  return read.ok() ? Result<void>() : in_input(input, read.error());
}

}  // namespace

Result<void> load_data(Database& database, const ChosenModel& chosen, DataInput& input,
                       run::WhatIsThere what_is_there, LoadedData& loaded) {
  run::DataWriter writer(database, chosen.model(), chosen.stored(),
                         {.what_is_there = what_is_there, .is_ended = UntilTold::is_told});
  run::LinkCheck links(database, chosen.model(), chosen.stored());
  const auto take = [&](const run::Data& data) -> Result<void> {
    links.note(data);
    const Result<void> done = writer.write(data);
    loaded.written = writer.written();
    return done;
  };
  if (input.is_lines()) {
    TRY(load_lines(chosen, input, take));
  } else {
    const std::string json(std::istreambuf_iterator<char>(input.stream()), {});
    TRY(input.status());
    if (!UntilTold::is_told()) {
      const auto data = run::read_data(chosen.model(), chosen.stored(), json);
      if (!data.ok()) return in_input(input, data.error());
      if (const Result<void> done = take(*data); !done.ok()) return in_input(input, done.error());
    }
  }
  // What came behind it was not even read.
  loaded.written.is_ended = loaded.written.is_ended || UntilTold::is_told();
  if (loaded.written.is_ended) return {};
  Progress progress("link", "links");
  loaded.dangling =
      TRY(links.finish({.progress = [&](uint64_t looked, uint64_t all) { progress.tell(looked, all); },
                        .is_ended = UntilTold::is_told}));
  return {};
}

void complain_of_links(const run::DanglingLinks& dangling) {
  if (dangling.count > 0) {
    complain(counted(dangling.count, "entity is not there, and is", "entities are not there, and are") +
             " linked with:");
    for (const std::string& link : dangling.examples) std::cerr << "  " << link << "\n";
    if (dangling.count > dangling.examples.size())
      std::cerr << "  ... and " << dangling.count - dangling.examples.size() << " more\n";
    std::cerr << "load those, too; sheaf model audit tells all such links, and --repair takes out those that "
                 "are items\n";
  }
  if (!dangling.is_all) complain("not all links were looked at: sheaf model audit does");
}

}  // namespace sheaf::cmd
