#include "cmd/lsp_command.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <memory>

#include "lsp/session.h"

namespace sheaf::cmd {

void add_lsp_command(CLI::App& model, int& status) {
  const auto options = std::make_shared<lsp::ServerOptions>();
  CLI::App* const serving =
      model.add_subcommand("lsp", "Serve editors: the Language Server Protocol on standard input and output");
  serving->add_option("--pages", options->pages_url,
                      "Where the pages about mistakes are, for links to them: file:///.../doc/errors/");
  // Clients of several servers write it for all of them.
  serving->add_flag("--stdio")->description("What it does anyway");
  serving->callback([options, &status] {
    if (!options->pages_url.empty() && !options->pages_url.ends_with('/')) options->pages_url += '/';
    // An editor that is gone is noticed by what cannot be written.
    std::signal(SIGPIPE, SIG_IGN);
    status = lsp::serve(STDIN_FILENO, STDOUT_FILENO, *options);
  });
}

}  // namespace sheaf::cmd
