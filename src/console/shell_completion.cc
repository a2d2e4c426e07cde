#include "console/shell_completion.h"

#include <algorithm>
#include <cctype>

#include "console/line_words.h"

namespace sheaf::console {
namespace {

constexpr std::string_view kStatementWords[] = {
    "SELECT", "INSERT", "UPDATE", "DELETE", "EXISTS",    "FROM",     "INTO", "VALUE",       "WHERE",
    "SET",    "REMOVE", "AND",    "OR",     "NOT",       "BETWEEN",  "IN",   "IS",          "MISSING",
    "ORDER",  "BY",     "ASC",    "DESC",   "RETURNING", "contains", "size", "begins_with", "attribute_type"};
constexpr std::string_view kExpressionOptions[] = {"--filter", "--attributes", "--set", "--remove",
                                                   "--add",    "--delete",     "--if"};

bool is_same(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
  });
}

bool begins_with_any_case(std::string_view word, std::string_view prefix) {
  return word.size() >= prefix.size() && is_same(word.substr(0, prefix.size()), prefix);
}

class Candidates {
 public:
  Candidates(std::string_view prefix, size_t begin) : prefix_(prefix) { all_.begin = begin; }

  void add(std::string_view word) {
    if (word.starts_with(prefix_)) all_.words.emplace_back(word);
  }
  template <typename Words>
  void add_all(const Words& words) {
    for (const auto& each : words) add(each);
  }

  Completions finish() {
    std::sort(all_.words.begin(), all_.words.end());
    all_.words.erase(std::unique(all_.words.begin(), all_.words.end()), all_.words.end());
    return std::move(all_);
  }

 private:
  const std::string_view prefix_;
  Completions all_;
};

bool is_part_of_name(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_' || letter == '.' ||
         letter == '-';
}

// Where the name that ends the text begins.
size_t name_begin(std::string_view text) {
  size_t begin = text.size();
  while (begin > 0 && is_part_of_name(text[begin - 1])) --begin;
  return begin;
}

bool is_statement_word(std::string_view word) {
  for (const std::string_view each : {"SELECT", "INSERT", "UPDATE", "DELETE", "EXISTS"})
    if (is_same(word, each)) return true;
  return false;
}

Completions in_statement(std::string_view line, const ShellKnown& known) {
  const size_t begin = name_begin(line);
  const std::string_view prefix = line.substr(begin);
  const bool is_quoted = begin > 0 && line[begin - 1] == '"';
  std::string_view before = line.substr(0, is_quoted ? begin - 1 : begin);
  while (!before.empty() && !is_part_of_name(before.back())) before.remove_suffix(1);
  const std::string_view last = before.substr(name_begin(before));
  Candidates candidates(prefix, begin);
  const bool wants_table = is_same(last, "FROM") || is_same(last, "INTO") || is_same(last, "UPDATE");
  if (wants_table) {
    candidates.add_all(known.tables);
    return candidates.finish();
  }
  candidates.add_all(known.attributes);
  if (is_quoted) {
    for (const auto& [table, indexes] : known.indexes) candidates.add_all(indexes);
    return candidates.finish();
  }
  // In the case in which they are typed.
  const bool is_lower = !prefix.empty() && std::islower(static_cast<unsigned char>(prefix.front())) != 0;
  for (const std::string_view word : kStatementWords) {
    std::string written(word);
    if (is_lower)
      std::transform(written.begin(), written.end(), written.begin(),
                     [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    if (begins_with_any_case(word, prefix)) candidates.add(written);
  }
  return candidates.finish();
}

Completions behind_backslash(const LineWords& line, std::string_view prefix, const ShellKnown& known) {
  Candidates candidates(prefix, line.last_begin);
  const size_t done = line.words.size() - (line.is_finished ? 0 : 1);
  if (done == 0) candidates.add_all(known.backslashes);
  if (done == 1 && line.words.front() == "use") candidates.add_all(known.tables);
  const auto indexes = known.indexes.find(known.table);
  if (done == 1 && line.words.front() == "index" && indexes != known.indexes.end())
    candidates.add_all(indexes->second);
  return candidates.finish();
}

// The table that a command names, or the one in use.
std::string table_of(const std::vector<std::string>& arguments, const ShellKnown& known) {
  if (!known.table.empty()) return known.table;
  return arguments.empty() ? "" : arguments.front();
}

Completions in_command(const LineWords& line, std::string_view text, const ShellKnown& known) {
  const std::string_view prefix = text.substr(line.last_begin);
  Candidates candidates(prefix, line.last_begin);
  std::vector<std::string> done = line.words;
  if (!line.is_finished) done.pop_back();
  const CommandShape* command = &known.commands;
  const OptionShape* open = nullptr;  // wants its value now
  std::vector<std::string> arguments;
  for (const std::string& word : done) {
    if (open != nullptr) {
      open = nullptr;
    } else if (const CommandShape* below = command->find(word); below != nullptr && arguments.empty()) {
      command = below;
    } else if (const OptionShape* option = command->find_option(word)) {
      open = option->value.empty() ? nullptr : option;
    } else if (!word.starts_with("-")) {
      arguments.push_back(word);
    }
  }
  if (open != nullptr) {
    candidates.add_all(open->choices);
    if (open->has("--index") || open->has("--remove-gsi")) {
      const auto indexes = known.indexes.find(table_of(arguments, known));
      if (indexes != known.indexes.end()) candidates.add_all(indexes->second);
    }
    const bool is_expression = std::any_of(std::begin(kExpressionOptions), std::end(kExpressionOptions),
                                           [&](std::string_view each) { return open->has(each); });
    if (!is_expression) return candidates.finish();
    // Inside an expression it is the last name that is typed.
    const size_t begin = line.last_begin + name_begin(prefix);
    Candidates names(text.substr(begin), begin);
    names.add_all(known.attributes);
    return names.finish();
  }
  if (prefix.starts_with("-")) {
    for (const OptionShape& option : command->options) candidates.add_all(option.names);
    return candidates.finish();
  }
  for (const CommandShape& each : command->commands) candidates.add(each.name);
  if (command == &known.commands) {
    for (const std::string_view word : kStatementWords)
      if (is_statement_word(word)) candidates.add(word);
  }
  const bool wants_table = !command->arguments.empty() && command->arguments.front().has("TABLE");
  if (wants_table && arguments.empty() && known.table.empty()) candidates.add_all(known.tables);
  return candidates.finish();
}

}  // namespace

Completions completions_of(std::string_view line, const ShellKnown& known) {
  const LineWords words = words_of_line(line);
  const size_t first = line.find_first_not_of(" \t");
  if (first != std::string_view::npos && line[first] == '\\') {
    // The backslash belongs to the name, and means nothing else here.
    LineWords rest = words_of_line(line.substr(first + 1));
    const bool is_first = rest.words.empty() || (rest.words.size() == 1 && !rest.is_finished);
    rest.last_begin = is_first ? first : rest.last_begin + first + 1;
    return behind_backslash(rest, line.substr(rest.last_begin), known);
  }
  const bool is_first = words.words.empty() || (words.words.size() == 1 && !words.is_finished);
  if (!is_first && is_statement_word(words.words.front()) &&
      known.commands.find(words.words.front()) == nullptr)
    return in_statement(line, known);
  return in_command(words, line, known);
}

std::string common_beginning(const std::vector<std::string>& words) {
  if (words.empty()) return "";
  std::string common = words.front();
  for (const std::string& word : words) {
    const auto [end, other] = std::mismatch(common.begin(), common.end(), word.begin(), word.end());
    common.erase(end, common.end());
  }
  return common;
}

}  // namespace sheaf::console
