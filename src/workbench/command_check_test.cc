#include "workbench/command_check.h"

#include <gtest/gtest.h>

#include <optional>

namespace sheaf::workbench {
namespace {

TEST(CheckCommand, IsNoWayToOtherFilesOrServers) {
  const auto refusal = [](std::vector<std::string> arguments, std::map<std::string, std::string> files = {}) {
    const Result<void> checked =
        check_command({.arguments = std::move(arguments), .files = std::move(files)});
    return checked.ok() ? "taken" : checked.error().message;
  };
  EXPECT_EQ(refusal({"model", "explain", "model.sheaf", "--json"}), "taken");
  EXPECT_EQ(refusal({"model", "infer", "--endpoint", "@server"}), "taken");
  EXPECT_EQ(refusal({"model", "load", "model.sheaf", "--data", "scratch"}), "taken");
  EXPECT_EQ(refusal({"model", "measure", "model.sheaf", "--layouts", "a,b"}), "taken");
  EXPECT_EQ(refusal({"model", "run", "model.sheaf", "tagged", R"(["a","b/c"])", R"({"a":[1,2]})"}), "taken");
  EXPECT_EQ(refusal({"model", "plan", "model.sheaf", "--params", "text=a, b", "rate=5/s", "[]", ",", ""}),
            "taken");
  EXPECT_EQ(refusal({}), "that is no command");
  EXPECT_EQ(refusal({"serve", "--in-memory"}),
            "sheaf serve --in-memory cannot be run from a page; use a terminal");
  EXPECT_EQ(refusal({"model"}), "sheaf model cannot be run from a page; use a terminal");
  EXPECT_EQ(refusal({"model", "lsp"}), "sheaf model lsp cannot be run from a page; use a terminal");
  const std::string files = "a page has no files but those that it sends: ";
  for (const std::string path :
       {"/etc/passwd", "../x", "..", "a/../../x", "./..", "~/x", "--data=/etc", "--data=../x",
        // As lists, which a command line may take apart.
        "[/etc/passwd]", "[/etc/passwd,m.sheaf]", "[a,/etc/x]", "[a,[b,/etc/x]]", "[[../x]]", "[..]", "[~/x]",
        "[,/etc/x]", "[a,../x]", "--data=[/etc]", "--data=[a,[/etc]]", "--data=a,/etc", "a,../x", "a,..",
        "[/etc", "]/../x"})
    EXPECT_EQ(refusal({"model", "check", path}), files + path);
  EXPECT_EQ(refusal({"model", "infer", "--credentials", "x"}), files + "--credentials");
  const std::string own = "a page asks its own server alone: --endpoint @server";
  EXPECT_EQ(refusal({"model", "infer", "--endpoint", "http://elsewhere"}), own);
  EXPECT_EQ(refusal({"model", "infer", "--endpoint=http://elsewhere"}), own);
  EXPECT_EQ(refusal({"model", "infer", "--endpoint"}), own);
  for (const std::string name : {"../x", "/x", ".x", "-x", "a/b", ""})
    EXPECT_EQ(refusal({"model", "check", "x"}, {{name, ""}}), "a file cannot be called " + name);
}

TEST(CheckCommand, HasLimits) {
  const auto checked = [](const std::vector<std::string>& more, size_t files = 0) {
    Command command{.arguments = {"model", "check"}};
    command.arguments.insert(command.arguments.end(), more.begin(), more.end());
    for (size_t i = 0; i < files; ++i) command.files["f" + std::to_string(i)] = "";
    const Result<void> result = check_command(command);
    return result.ok() ? std::nullopt : std::optional(result.error().code);
  };
  const size_t bytes = kArgumentBytesMax - 10;  // "model" and "check" count
  EXPECT_EQ(checked({std::string(bytes, 'x')}), std::nullopt);
  EXPECT_EQ(checked({std::string(bytes + 1, 'x')}), Code::kTooLarge);
  EXPECT_EQ(checked({std::string(bytes / 2, 'x'), std::string(bytes / 2 + 1, 'x')}), Code::kTooLarge);
  EXPECT_EQ(checked(std::vector<std::string>(kArgumentsMax - 2, "x")), std::nullopt);
  EXPECT_EQ(checked(std::vector<std::string>(kArgumentsMax - 1, "x")), Code::kInvalid);
  EXPECT_EQ(checked({}, kGivenFilesMax), std::nullopt);
  EXPECT_EQ(checked({}, kGivenFilesMax + 1), Code::kTooLarge);
}

TEST(CheckCommand, KnowsWhatKeepsTheServerBusy) {
  for (const std::vector<std::string>& busy :
       std::vector<std::vector<std::string>>{{"model", "measure", "m"},
                                             {"model", "claims"},
                                             {"model", "advise", "m", "--measure"},
                                             {"model", "advise", "--measure=true", "m"}})
    EXPECT_TRUE(keeps_busy({.arguments = busy})) << busy.back();
  for (const std::vector<std::string>& quick : std::vector<std::vector<std::string>>{
           {}, {"model"}, {"model", "check", "measure"}, {"model", "advise", "m", "--measured"}, {"watch"}})
    EXPECT_FALSE(keeps_busy({.arguments = quick}));
}

TEST(CheckCommand, KnowsWhoAsksTheServer) {
  EXPECT_TRUE(asks_server({.arguments = {"model", "infer", "t", "--endpoint", "@server"}}));
  EXPECT_FALSE(asks_server({.arguments = {"model", "check", "server"}}));
}

}  // namespace
}  // namespace sheaf::workbench
