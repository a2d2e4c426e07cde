#include "console/command_shape.h"

#include <gtest/gtest.h>

#include "console/completion_script.h"
#include "console/man_page.h"

namespace sheaf::console {
namespace {

CommandShape program() {
  return {.name = "tool",
          .help = "A tool",
          .options = {{.names = {"--version"}, .help = "The version", .group = "Options"}},
          .commands = {{.name = "fix-it",
                        .aliases = {"repair"},
                        .help = "Fix it: [all], it's quick",
                        .more = ".dots 'and' \\backslashes",
                        .options = {{.names = {"--form"},
                                     .value = "TEXT",
                                     .choices = {"a", "b"},
                                     .help = "The form",
                                     .group = "Output"},
                                    {.names = {"--data"}, .value = "TEXT", .group = "Where"},
                                    {.names = {"-l", "--long"}, .group = "Options"}},
                        .arguments = {{.names = {"FILE"}, .is_required = true}}}}};
}

TEST(CommandShape, FindsCommandsByTheirOtherNamesToo) {
  const CommandShape tool = program();
  EXPECT_EQ(tool.find("repair"), tool.find("fix-it"));
  EXPECT_EQ(tool.find("nothing"), nullptr);
  EXPECT_NE(tool.find("repair")->find_option("--long"), nullptr);
  ASSERT_EQ(all_paths(tool).size(), 2u);
  EXPECT_EQ(all_paths(tool)[1].joined(" "), "tool fix-it");
}

TEST(CompletionScript, OfBashFollowsCommandsAndOffersChoices) {
  const std::string script = bash_completion(program());
  EXPECT_NE(script.find("'tool fix-it'|'tool repair') path='tool fix-it' ;;"), std::string::npos) << script;
  EXPECT_NE(script.find("'tool fix-it --form') mapfile -t COMPREPLY < <(compgen -W 'a b'"),
            std::string::npos);
  EXPECT_NE(script.find("'tool fix-it --data') mapfile -t COMPREPLY < <(compgen -d"), std::string::npos);
  EXPECT_NE(script.find("options='--form --data -l --long'"), std::string::npos);
}

TEST(CompletionScript, OfZshEscapesWhatWouldEndADescription) {
  const std::string script = zsh_completion(program());
  EXPECT_NE(script.find("'fix-it:Fix it\\: \\[all\\], it'\\''s quick'"), std::string::npos) << script;
  EXPECT_NE(script.find("'--form[The form]:TEXT:(a b)'"), std::string::npos);
  EXPECT_NE(script.find("fix-it|repair) _tool_fix_it ;;"), std::string::npos);
}

TEST(ManPage, HasAllOfACommandAndNoRoffByAccident) {
  const CommandShape tool = program();
  const CommandPath path = all_paths(tool)[1];
  EXPECT_EQ(man_page_name(path), "tool-fix-it.1");
  const std::string page = man_page(path, "1.0");
  EXPECT_NE(page.find(".TH TOOL\\-FIX\\-IT 1"), std::string::npos) << page;
  EXPECT_NE(page.find("\\fBtool fix\\-it\\fR [\\fIOPTION\\fR...] \\fIFILE\\fR"), std::string::npos);
  EXPECT_NE(page.find("\\&.dots \\(aqand\\(aq \\ebackslashes"), std::string::npos);
  EXPECT_NE(page.find("Another name of it is \\fBrepair\\fR."), std::string::npos);
  EXPECT_NE(page.find(".SS Output"), std::string::npos);
  EXPECT_NE(page.find("SHEAF_DATA"), std::string::npos);
}

}  // namespace
}  // namespace sheaf::console
