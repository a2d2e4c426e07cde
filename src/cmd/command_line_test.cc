#include "cmd/command_line.h"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>

#include "cmd/chosen_model.h"
#include "cmd/command_tree.h"

namespace sheaf::cmd {
namespace {

using Words = std::vector<std::string>;

// A command with every kind of option that takes texts.
struct Typed {
  Words keys, again, attributes, further;
  std::string one;
  std::string in_group;
  uint64_t limit = 7;
  int threads = 1;
  int status = 0;
  std::string said;

  explicit Typed(const Words& words) {
    CLI::App app;
    app.name("sheaf");
    app.require_subcommand(1);
    CLI::App& get = *app.add_subcommand("get", "");
    add_words_option(get, "KEY", keys, "");
    get.add_option("--again", again, "");
    get.add_option("--attributes", attributes, "")->delimiter(',')->allow_extra_args(false);
    get.add_option("--one", one, "");
    get.add_option_group("group", "Some")->add_option("--in-group", in_group, "");
    get.add_option("--limit", limit, "At most")->check(CLI::PositiveNumber);
    get.add_option("--threads", threads, "So many")->check(CLI::Range(1, 64));
    CLI::App& run = *app.add_subcommand("run", "");
    run.add_option("NAME", one, "");
    add_words_option(run, "VALUE", further, "");
    CLI::App& table = *app.add_subcommand("table", "");
    table.require_subcommand(1);
    table.add_subcommand("list", "");
    finish_commands(app);
    help = app.help("", CLI::AppFormatMode::All);
    testing::internal::CaptureStderr();
    status = run_command_line(app, words, status);
    said = testing::internal::GetCapturedStderr();
  }

  std::string help;
};

TEST(CommandLine, WordsInBracketsStayWhole) {
  for (const std::string word : {"[a]", "[x,y]", "[]", "a]", "{}", "%%", "a]\x1f", "\x1f"}) {
    EXPECT_EQ(Typed({"get", word}).keys, Words{word});
    EXPECT_EQ(Typed({"get", "k", word, "[b]"}).keys, (Words{"k", word, "[b]"}));
    EXPECT_EQ(Typed({"get", "--one", word}).one, word);
    EXPECT_EQ(Typed({"get", "--one=" + word}).one, word);
    EXPECT_EQ(Typed({"get", "--in-group", word}).in_group, word);
    EXPECT_EQ(Typed({"run", "name", word, "x"}).further, (Words{word, "x"}));
  }
  EXPECT_EQ(Typed({"get", "--again", "[a,b]", "--again=[c]"}).again, (Words{"[a,b]", "[c]"}));
  EXPECT_EQ(Typed({"get", "--attributes", "a,list[0]"}).attributes, (Words{"a", "list[0]"}));
  EXPECT_EQ(Typed({"get", "[a]"}).status, 0);
}

TEST(CommandLine, ValuesMayBeNegativeNumbersAndBehindTwoDashesAnything) {
  EXPECT_EQ(Typed({"run", "name", "-5", "-1.5", "table"}).further, (Words{"-5", "-1.5", "table"}));
  EXPECT_EQ(Typed({"run", "name", "--", "--layuot", "-x]"}).further, (Words{"--layuot", "-x]"}));
  const Typed mistyped({"run", "name", "--layuot", "x"});
  EXPECT_EQ(mistyped.status, kWrongUse);
  EXPECT_NE(mistyped.said.find("not expected: --layuot"), std::string::npos) << mistyped.said;
}

TEST(CommandLine, NobodySeesWhatKeepsThemWhole) {
  const Typed typed({"get", "--nothing]"});
  EXPECT_EQ(typed.status, kWrongUse);
  EXPECT_NE(typed.said.find("--nothing]"), std::string::npos);
  EXPECT_EQ(typed.said.find('\x1f'), std::string::npos);
}

TEST(CommandLine, ACommandThatIsNotThereIsToldWithTheNearest) {
  EXPECT_EQ(Typed({"gte", "a"}).said, "sheaf: there is no command gte; did you mean get?\n");
  EXPECT_EQ(Typed({"table", "lst", "--long"}).said,
            "sheaf: there is no command table lst; did you mean table list?\n");
  EXPECT_EQ(Typed({"something"}).said,
            "sheaf: there is no command something; sheaf --help tells what there is\n");
  EXPECT_EQ(Typed({"gte"}).status, kWrongUse);
  EXPECT_NE(Typed({"table"}).said.find("required"), std::string::npos);
}

TEST(CommandLine, RangesAreToldSoThatTheyCanBeRead) {
  EXPECT_EQ(Typed({"get", "--limit", "9"}).limit, 9u);
  for (const char* wrong : {"0", "-1", "many"}) {
    const std::string said = Typed({"get", "--limit", wrong}).said;
    EXPECT_EQ(said.substr(0, said.find('\n')),
              "sheaf: --limit: " + std::string(wrong) + " is not a number above 0");
  }
  const std::string said = Typed({"get", "--threads", "65"}).said;
  EXPECT_EQ(said.substr(0, said.find('\n')), "sheaf: --threads: 65 is not a number from 1 to 64");
  const std::string help = Typed({"get"}).help;
  EXPECT_NE(help.find("So many (1 to 64)"), std::string::npos) << help;
  EXPECT_EQ(help.find("in ["), std::string::npos) << help;
  EXPECT_EQ(help.find("POSITIVE"), std::string::npos) << help;
}

TEST(CommandTree, HasHelpOnce) {
  CLI::App app;
  app.name("sheaf");
  app.set_help_all_flag("--help-all", "");
  CLI::App& get = *app.add_subcommand("get", "");
  get.add_option_group("group", "Some")->add_flag("--in-group");
  const console::CommandShape shape = shape_of(app);
  const std::vector<console::OptionShape>& options = shape.find("get")->options;
  const auto count = [&](std::string_view name) {
    return std::count_if(options.begin(), options.end(),
                         [&](const console::OptionShape& each) { return each.has(name); });
  };
  EXPECT_EQ(count("--help"), 1);
  EXPECT_EQ(count("--help-all"), 1);
  EXPECT_EQ(count("--in-group"), 1);
}

}  // namespace
}  // namespace sheaf::cmd
