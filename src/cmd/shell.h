// What a shell does with the lines that it is given.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "sheaf/database.h"
#include "sheaf/result.h"

#include "cmd/command_session.h"
#include "console/shell_completion.h"

namespace sheaf::cmd {

class Shell {
 public:
  explicit Shell(Database& database);

  // Which tables there are. An error if the database cannot be reached.
  Result<void> look_around();
  // Commands are about this table from now on; empty: they name it again. kNotFound if there is none.
  Result<void> use(const std::string& table);

  // "app> "; another if a statement has begun and not ended.
  std::string prompt() const;
  // Takes a line. What is whole is run, after `on_whole` was called with it. The status of what was run: 0 if
  // it was done, or if nothing is whole yet.
  int take(const std::string& line, const std::function<void(const std::string&)>& on_whole);
  // Commands end early when this says so.
  void end_when(std::function<bool()> is_ended) { session_.is_ended = std::move(is_ended); }
  // Forgets a statement that has not ended.
  void forget() { pending_.clear(); }
  // At the end of the input: a statement needs no semicolon there.
  int finish();
  bool is_left() const { return is_left_; }

  const console::ShellKnown& known() const { return known_; }

 private:
  int run_backslash(const std::string& line);
  int run_words(std::vector<std::string> words);
  int run_statement(const std::string& text);
  // Says that there is none of that name.
  int no_command(const std::string& name) const;
  // Runs it and says how long it took, if that is wanted.
  int timed(const std::function<int()>& run);
  void learn(const TableDescription& table);

  CommandSession session_;
  console::ShellKnown known_;
  std::string index_;    // in use
  std::string pending_;  // of a statement
  bool tells_time_ = false;
  bool is_left_ = false;
};

}  // namespace sheaf::cmd
