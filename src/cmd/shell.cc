#include "cmd/shell.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <cstdio>
#include <iostream>

#include "base/try.h"
#include "cmd/chosen_model.h"
#include "cmd/command_line.h"
#include "cmd/command_tree.h"
#include "cmd/program.h"
#include "cmd/sql_command.h"
#include "console/line_words.h"

namespace sheaf::cmd {
namespace {

constexpr std::string_view kHelp =
    R"(Commands, as sheaf has them, without --data or --endpoint:
  table list|show|create|update|delete    item get|put|update|delete
  query TABLE KEY...    scan TABLE        load TABLE FILE...    dump TABLE
each with --help
Statements of PartiQL, over any number of lines, up to a semicolon:
  SELECT * FROM "app" WHERE PK = 'a';
And:
  \tables         the tables, with their keys and sizes
  \use [TABLE]    commands are about this table, and do not name it; without TABLE they name it again
  \index [NAME]   query and scan read this index of the table in use; without NAME the table
  \json           items as JSON or drawn, by turns
  \timing         say how long everything takes, or no longer
  \help           this
  \quit           leave, as Ctrl-D does
Lines that begin with # or -- are comments.
Tab completes commands, options, tables, indexes and attributes that were seen; Ctrl-R looks for a line of before;
Ctrl-C forgets what was typed, or ends the command that runs.
)";

std::string trimmed_line(const std::string& line) {
  const size_t begin = line.find_first_not_of(" \t\r");
  if (begin == std::string::npos) return "";
  return line.substr(begin, line.find_last_not_of(" \t\r") - begin + 1);
}

constexpr std::array<std::string_view, 6> kStatementWords = {"select", "insert", "update",
                                                             "delete", "exists", "from"};

// The letters that a line begins with, in lower case.
std::string first_letters(const std::string& line) {
  std::string letters;
  for (const char each : line) {
    if (std::isalpha(static_cast<unsigned char>(each)) == 0) break;
    letters += static_cast<char>(std::tolower(static_cast<unsigned char>(each)));
  }
  return letters;
}

// Words of a command as it would be typed elsewhere: behind the program's name, or with the semicolon that
// ends statements.
console::LineWords command_words(const std::string& line) {
  console::LineWords words = console::words_of_line(line);
  if (words.words.size() > 1 && words.words.front() == "sheaf") words.words.erase(words.words.begin());
  if (words.is_open || !line.ends_with(';') || line.ends_with("\\;")) return words;
  std::string& last = words.words.back();
  last.pop_back();
  if (last.empty() && words.words.size() > 1) words.words.pop_back();
  return words;
}

}  // namespace

Shell::Shell(Database& database) {
  session_.database = &database;
  session_.seen_attributes = &known_.attributes;
  CLI::App app;
  add_data_commands(app, session_);
  finish_commands(app);
  known_.commands = shape_of(app);
  known_.backslashes = {"\\help", "\\index", "\\json", "\\quit", "\\tables", "\\timing", "\\use"};
}

Result<void> Shell::look_around() {
  const std::vector<std::string> names = TRY(session_.database->list_tables());
  known_.tables = {names.begin(), names.end()};
  return {};
}

void Shell::learn(const TableDescription& table) {
  known_.tables.insert(table.name);
  std::set<std::string>& indexes = known_.indexes[table.name];
  indexes.clear();
  const auto learn_key = [&](const KeySchema& key) {
    for (const auto* side : {&key.partition, &key.sort})
      for (const KeyAttribute& each : *side) known_.attributes.insert(each.name);
  };
  learn_key(table.key);
  for (const IndexDescription& index : table.indexes) {
    indexes.insert(index.name);
    learn_key(index.key);
  }
}

Result<void> Shell::use(const std::string& table) {
  if (!table.empty()) learn(TRY(session_.database->describe_table(table)));
  known_.table = table;
  index_.clear();
  return {};
}

std::string Shell::prompt() const {
  const std::string name =
      known_.table.empty() ? "sheaf" : known_.table + (index_.empty() ? "" : "." + index_);
  return pending_.empty() ? name + "> " : std::string(name.size(), ' ') + "> ";
}

int Shell::take(const std::string& line, const std::function<void(const std::string&)>& on_whole) {
  const std::string typed = trimmed_line(line);
  if (pending_.empty()) {
    if (typed.empty() || typed.starts_with("--") || typed.starts_with('#')) return 0;
    if (typed.front() == '\\') {
      on_whole(typed);
      return run_backslash(typed);
    }
    console::LineWords words = command_words(typed);
    const std::string& first = words.words.front();
    if (known_.commands.find(first) != nullptr) {
      on_whole(typed);
      if (words.is_open) return fail("a quote has no end");
      return timed([&] { return run_words(std::move(words.words)); });
    }
    if (first == "exit" || first == "quit" || first == "help")
      return take("\\" + std::string(first == "help" ? "help" : "quit"), on_whole);
    const std::string letters = first_letters(typed);
    const bool begins_statement = letters.empty() || std::find(kStatementWords.begin(), kStatementWords.end(),
                                                               letters) != kStatementWords.end();
    if (!begins_statement) {
      on_whole(typed);
      return no_command(first);
    }
  }
  pending_ += (pending_.empty() ? "" : "\n") + line;
  for (auto whole = console::whole_statement(pending_); whole; whole = console::whole_statement(pending_)) {
    on_whole(trimmed_line(whole->text) + ";");
    pending_ = trimmed_line(whole->rest);
    const int status = timed([&] { return run_statement(whole->text); });
    if (status != 0) {
      pending_.clear();
      return status;
    }
  }
  return 0;
}

int Shell::no_command(const std::string& name) const {
  std::vector<std::string_view> known{"help", "quit"};
  for (const console::CommandShape& each : known_.commands.commands) known.push_back(each.name);
  known.insert(known.end(), kStatementWords.begin(), kStatementWords.end());
  return fail(no_such_command("", name, known, "\\help tells what there is"));
}

int Shell::finish() {
  const std::string text = trimmed_line(pending_);
  pending_.clear();
  return text.empty() ? 0 : run_statement(text);
}

int Shell::timed(const std::function<int()>& run) {
  session_.terminal = standard_terminal();
  const auto begin = std::chrono::steady_clock::now();
  const int status = run();
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
  std::cout << std::flush;
  if (tells_time_) {
    char text[64];
    std::snprintf(text, sizeof(text), "%.1f ms\n", took.count());
    std::cerr << text;
  }
  return status;
}

int Shell::run_backslash(const std::string& line) {
  const std::vector<std::string> words = console::words_of_line(line.substr(1)).words;
  const std::string name = words.empty() ? "" : words.front();
  const std::string argument = words.size() > 1 ? words[1] : "";
  if (name == "help" || name == "h" || name == "?") {
    std::cout << kHelp;
  } else if (name == "quit" || name == "q") {
    is_left_ = true;
  } else if (name == "json") {
    session_.wants_json = !session_.wants_json;
    std::cerr << (session_.wants_json ? "items are written as JSON\n" : "items are drawn on terminals\n");
  } else if (name == "timing") {
    tells_time_ = !tells_time_;
    std::cerr << (tells_time_ ? "timing is on\n" : "timing is off\n");
  } else if (name == "tables") {
    if (const Result<void> seen = look_around(); !seen.ok()) return fail(seen.error().message);
    return timed([&] { return run_words({"table", "list", "--long"}); });
  } else if (name == "use") {
    const Result<void> used = use(argument);
    if (!used.ok()) return fail(used.error().message);
  } else if (name == "index") {
    const std::set<std::string>& there = known_.indexes[known_.table];
    if (known_.table.empty()) return fail("\\index is for a table in use: \\use one first");
    if (!argument.empty() && !there.contains(argument))
      return fail("table " + known_.table + " has no index " + argument);
    index_ = argument;
  } else {
    return fail("there is no \\" + name + "; \\help tells what there is");
  }
  return 0;
}

int Shell::run_words(std::vector<std::string> words) {
  // The table in use stands where commands want theirs.
  const console::CommandShape* command = known_.commands.find(words.front());
  size_t place = 1;
  if (words.size() > 1 && command->find(words[1]) != nullptr) {
    command = command->find(words[1]);
    place = 2;
  }
  const bool is_about_tables = words.front() == "table";
  const bool wants_table = !command->arguments.empty() && command->arguments.front().has("TABLE");
  if (wants_table && !known_.table.empty() && !is_about_tables) {
    words.insert(words.begin() + static_cast<ptrdiff_t>(place), known_.table);
    const bool names_index = std::any_of(words.begin(), words.end(), [](const std::string& word) {
      return word == "--index" || word.starts_with("--index=");
    });
    if (!index_.empty() && !names_index && command->find_option("--index") != nullptr)
      words.insert(words.begin() + static_cast<ptrdiff_t>(place) + 1, {"--index", index_});
  }
  CLI::App app;
  app.require_subcommand(1);
  add_data_commands(app, session_);
  finish_commands(app);
  session_.status = 0;
  const int status = run_command_line(app, words, session_.status);
  if (is_about_tables) {
    // Tables may have come and gone; the one in use may have other indexes.
    if (look_around().ok() && !known_.table.empty() && !use(known_.table).ok()) (void)use("");
  }
  return status;
}

int Shell::run_statement(const std::string& text) {
  const Statement statement{.text = text};
  return run_sql(session_, *session_.database, statement, {});
}

}  // namespace sheaf::cmd
