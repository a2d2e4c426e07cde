#include "workbench/workbench.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include "workbench/kept_models.h"
#include "workbench/page_files.h"

namespace sheaf::workbench {
namespace {

constexpr const char* kNotes = "model notes { entity Note { id id; text } pattern note(n: Note) = $n }";
constexpr const char* kFile = "model filed { entity A { id id } }";

class WorkbenchTest : public testing::Test {
 protected:
  WorkbenchTest() { start(); }

  // As after a restart of the server.
  void start() {
    bench_.reset();
    auto opened = service::ModelService::open(*database_, {{.path = "filed.sheaf", .text = kFile}});
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    models_ = std::move(*opened);
    bench_.emplace(WorkbenchParts{
        .database = *database_, .models = *models_, .version = "1", .commands = {.program = program_}});
    ASSERT_TRUE(bench_->open().ok());
  }
  service::Reply ask(std::string_view method, const std::string& path, const std::string& body = "",
                     const Asker& asker = {}) {
    return bench_->answer({.method = method, .target = "/workbench/api/" + path, .body = body}, asker);
  }
  static std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
    return out + "\"";
  }
  service::Reply put(const std::string& text, const std::string& layout = "") {
    return ask("POST", "models", "{\"text\":" + quoted(text) + ",\"layout\":" + quoted(layout) + "}");
  }
  static bool has(const service::Reply& reply, std::string_view text) {
    return reply.body.find(text) != std::string::npos;
  }

  const std::unique_ptr<Database> database_ = Database::open_in_memory({.background_thread = false});
  std::unique_ptr<service::ModelService> models_;
  std::string program_ = "/bin/true";
  std::optional<Workbench> bench_;
};

TEST_F(WorkbenchTest, TellsWhatThereIs) {
  const service::Reply reply = ask("GET", "about");
  EXPECT_EQ(reply.status, 200);
  for (const char* text : {R"("version": "1")", R"("mode": "development")", R"("role": "admin")",
                           R"("name": "filed")", R"("is_kept": false)"})
    EXPECT_TRUE(has(reply, text)) << text << " in " << reply.body;
  EXPECT_TRUE(has(ask("GET", "about", "", {.may_write = false}), R"("role": "readonly")"));
}

TEST_F(WorkbenchTest, OffersModelsThatItIsGivenAlsoAfterAStart) {
  const service::Reply reply = put(kNotes);
  EXPECT_EQ(reply.status, 200) << reply.body;
  EXPECT_TRUE(has(reply, R"("is_kept": true)")) << reply.body;
  ASSERT_NE(models_->find("notes"), nullptr);
  EXPECT_TRUE(database_->describe_table("notes-sheaf").ok());
  start();
  ASSERT_NE(models_->find("notes"), nullptr);
  // Another text of the same model takes its place.
  EXPECT_EQ(put("model notes { entity Note { id id; text } pattern notes(n: Note) = $n }").status, 200);
  EXPECT_EQ(models_->models().size(), 2u);
  EXPECT_NE(models_->find("notes")->find_pattern("notes"), nullptr);
  EXPECT_EQ(ask("DELETE", "models/notes").status, 200);
  EXPECT_EQ(models_->find("notes"), nullptr);
  EXPECT_EQ(ask("DELETE", "models/notes").status, 404);
  start();
  EXPECT_EQ(models_->find("notes"), nullptr);
  EXPECT_TRUE(database_->describe_table("notes-sheaf").ok()) << "what is stored stays";
}

TEST_F(WorkbenchTest, RefusesModelsThatCannotBeServed) {
  EXPECT_TRUE(has(put("model broken {"), "unexpected-end"));
  EXPECT_TRUE(has(put(kNotes, "none"), "has no layout none")) << put(kNotes, "none").body;
  EXPECT_EQ(put(kFile).status, 409);
  EXPECT_EQ(ask("DELETE", "models/filed").status, 404);
  EXPECT_EQ(put(std::string(400'000, ' ') + kNotes).status, 400);
  EXPECT_EQ(ask("POST", "models", "[]").status, 400);
  EXPECT_EQ(ask("POST", "models", "{").status, 400);
  EXPECT_TRUE(has(ask("POST", "models", R"({"text":1})"), "text must be the text of a model"));
  EXPECT_EQ(models_->models().size(), 1u);
  EXPECT_FALSE(database_->describe_table(kKeptModelsTable).ok());
}

TEST_F(WorkbenchTest, OffersNothingThatItCannotKeep) {
  ASSERT_TRUE(
      database_->create_table({.table = std::string(kKeptModelsTable), .key = {.partition = {{"other"}}}})
          .ok());
  EXPECT_EQ(put(kNotes).status, 400);
  EXPECT_EQ(models_->find("notes"), nullptr);
  EXPECT_EQ(ask("DELETE", "models/notes").status, 404);
}

TEST_F(WorkbenchTest, WhatIsOfferedAndWhatIsKeptAreTheSameWhoeverGivesAndTakes) {
  for (int round = 0; round < 20; ++round) {
    ASSERT_EQ(put(kNotes).status, 200);
    std::thread giver([&] { put(kNotes); });
    std::thread taker([&] { ask("DELETE", "models/notes"); });
    giver.join();
    taker.join();
    const auto kept = read_kept_models(*database_);
    ASSERT_TRUE(kept.ok());
    ASSERT_EQ(models_->find("notes") != nullptr, kept->size() == 1) << round;
  }
}

TEST_F(WorkbenchTest, LeavesAModelWhereItIsThatNoLongerFits) {
  ASSERT_EQ(put(kNotes).status, 200);
  ASSERT_TRUE(keep_model(*database_, "notes", {.path = "notes.sheaf", .text = "model notes {"}).ok());
  start();
  EXPECT_EQ(models_->find("notes"), nullptr);
  EXPECT_EQ(read_kept_models(*database_)->size(), 1u);
}

TEST_F(WorkbenchTest, AnswersQuestionsAboutATextInTheProtocolsForm) {
  const auto language = [&](const std::string& rest) {
    return ask("POST", "language", "{\"text\":" + quoted("model m { entity A { id id } }") + rest + "}");
  };
  EXPECT_EQ(language(R"(,"ask":"check")").body, "{\"answer\":[]\n}");
  EXPECT_TRUE(has(language(R"(,"ask":"outline")"), "\"A\""));
  EXPECT_TRUE(has(language(R"(,"ask":"format")"), "newText"));
  EXPECT_TRUE(has(language(R"(,"ask":"complete","at":{"line":0,"character":10})"), "\"entity\""));
  EXPECT_TRUE(has(language(R"(,"ask":"hover","at":{"line":0,"character":17})"), "contents"));
  EXPECT_EQ(language(R"(,"ask":"hover","at":{"line":0,"character":8})").body, "{\"answer\":null\n}");
  EXPECT_EQ(language(R"(,"ask":"fixes","range":{})").status, 200);
  EXPECT_EQ(language(R"(,"ask":"guess")").status, 400);
}

TEST_F(WorkbenchTest, RunsCommands) {
  const service::Reply reply =
      ask("POST", "commands", R"({"arguments":["model","check","m"],"files":{"m":"x"},"wait_ms":20000})");
  EXPECT_EQ(reply.status, 200) << reply.body;
  EXPECT_TRUE(has(reply, R"("state": "done")")) << reply.body;
  EXPECT_TRUE(has(reply, R"("status": 0)")) << reply.body;
  EXPECT_EQ(ask("POST", "commands", R"({"arguments":["serve"]})").status, 400);
  EXPECT_EQ(ask("POST", "commands", R"({"arguments":"model"})").status, 400);
  EXPECT_EQ(ask("POST", "commands", R"({"arguments":[1]})").status, 400);
  EXPECT_EQ(ask("POST", "commands", R"({"arguments":["model","errors"],"files":"zz"})").status, 400);
  EXPECT_EQ(ask("POST", "commands", R"({"arguments":["model","check"],"files":{"a":1}})").status, 400);
  EXPECT_EQ(ask("GET", "commands/none").status, 404);
  EXPECT_EQ(ask("DELETE", "commands/none").status, 404);
  const std::string to_server = R"({"arguments":["model","infer","--endpoint","@server"],"wait_ms":20000})";
  EXPECT_EQ(ask("POST", "commands", to_server).status, 400) << "its address is not known";
  bench_->set_url("http://127.0.0.1:1");
  EXPECT_EQ(ask("POST", "commands", to_server).status, 200);
}

TEST_F(WorkbenchTest, HasNothingElse) {
  for (const char* path : {"", "none", "about/x", "models/a/b", "commands/a%20b", "language/x"})
    EXPECT_EQ(ask("GET", path).status, 404) << path;
  EXPECT_EQ(ask("POST", "about").status, 405);
  EXPECT_EQ(ask("GET", "language").allow, "POST");
  EXPECT_EQ(ask("PUT", "models/x").allow, "DELETE");
}

// A command that watches for minutes tells what begins when it begins.
TEST_F(WorkbenchTest, TellsWholeLinesWhileACommandRuns) {
  std::string path = (std::filesystem::temp_directory_path() / "sheaf-says-XXXXXX").string();
  const int file = mkstemp(path.data());
  ASSERT_GE(file, 0);
  // The second is longer than what is sent again and again.
  const std::string_view script = "#!/bin/sh\necho begun\nprintf '%070000d' 1\necho\nexec sleep 60\n";
  ASSERT_EQ(write(file, script.data(), script.size()), static_cast<ssize_t>(script.size()));
  fchmod(file, 0700);
  close(file);
  program_ = path;
  start();
  service::Reply reply = ask("POST", "commands", R"({"arguments":["model","errors"],"wait_ms":0})");
  ASSERT_EQ(reply.status, 200) << reply.body;
  const size_t at = reply.body.find("\"id\": \"") + 7;
  const std::string id = reply.body.substr(at, reply.body.find('"', at) - at);
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!has(reply, R"("output": "begun\n")") && std::chrono::steady_clock::now() < give_up)
    reply = ask("GET", "commands/" + id + "?wait_ms=20");
  EXPECT_TRUE(has(reply, R"("output": "begun\n")")) << reply.body;
  EXPECT_TRUE(has(reply, R"("state": "running")"));
  ask("DELETE", "commands/" + id);
  while (has(reply, R"("state": "running")") && std::chrono::steady_clock::now() < give_up)
    reply = ask("GET", "commands/" + id + "?wait_ms=200");
  EXPECT_TRUE(has(reply, "0001\\n\"")) << "all of it, when it is done";
  std::filesystem::remove(path);
}

TEST_F(WorkbenchTest, KnowsWhatIsForWritersAlone) {
  const auto needs = [](std::string_view method, std::string_view target) {
    return Workbench::needs_writer({.method = method, .target = target, .body = {}});
  };
  EXPECT_FALSE(needs("GET", "/workbench/api/about"));
  EXPECT_FALSE(needs("POST", "/workbench/api/language"));
  EXPECT_TRUE(needs("POST", "/workbench/api/models"));
  EXPECT_TRUE(needs("DELETE", "/workbench/api/models/x"));
  EXPECT_FALSE(needs("POST", "/workbench/api/commands"));
  EXPECT_FALSE(needs("GET", "/workbench/api/commands/x"));
  const auto run = [&](const std::string& words) {
    return ask("POST", "commands", R"({"arguments":["model",)" + words + R"(],"wait_ms":0})",
               {.may_write = false});
  };
  EXPECT_EQ(run(R"("measure","x")").status, 403);
  EXPECT_EQ(run(R"("advise","x","--measure")").status, 403);
  EXPECT_EQ(run(R"("errors")").status, 200);
}

TEST(PageFiles, AreThere) {
  ASSERT_NE(find_page_file("index.html"), nullptr);
  EXPECT_EQ(find_page_file("none"), nullptr);
  for (const PageFile& file : page_files()) EXPECT_GT(file.gzipped.size(), 20u) << file.path;
}

}  // namespace
}  // namespace sheaf::workbench
