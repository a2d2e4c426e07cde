#include "cmd/line_editor.h"

#include <fcntl.h>
#include <histedit.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

namespace sheaf::cmd {
namespace {

constexpr int kHistoryMax = 1000;
// Beyond this the file is written anew with the last kHistoryMax.
constexpr size_t kHistoryFileMax = 4000;
constexpr size_t kListedMax = 200;

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

size_t terminal_columns() {
  winsize size{};
  ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
  return size.ws_col > 0 ? size.ws_col : 80;
}

// Side by side, as many as fit.
void list_words(const std::vector<std::string>& words) {
  size_t width = 0;
  for (const std::string& word : words) width = std::max(width, word.size());
  const size_t across = std::max<size_t>(1, terminal_columns() / (width + 2));
  std::string out = "\n";
  const size_t count = std::min(words.size(), kListedMax);
  for (size_t i = 0; i < count; ++i) {
    out += words[i];
    const bool ends_line = (i + 1) % across == 0 || i + 1 == count;
    out += ends_line ? "\n" : std::string(width + 2 - words[i].size(), ' ');
  }
  if (count < words.size()) out += "and " + std::to_string(words.size() - count) + " more\n";
  std::fputs(out.c_str(), stdout);
  std::fflush(stdout);
}

std::string on_one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

// The file, ready to be appended to, for its owner alone; -1 if that is not possible.
int open_history(const std::string& path) {
  if (path.empty()) return -1;
  std::error_code ignored;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
  return ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, S_IRUSR | S_IWUSR);
}

}  // namespace

struct LineEditor::Edit {
  Complete complete;
  std::string history_path;
  int history_file = -1;
  EditLine* line = nullptr;
  History* history = nullptr;
  std::string prompt;
  std::string last;
  bool is_cancelled = false;

  static Edit& of(EditLine* line) {
    void* data = nullptr;
    el_get(line, EL_CLIENTDATA, &data);
    return *static_cast<Edit*>(data);
  }

  static char* prompt_of(EditLine* line) { return of(line).prompt.data(); }

  static unsigned char cancel(EditLine* line, int) {
    of(line).is_cancelled = true;
    return CC_NEWLINE;
  }

  static unsigned char complete_word(EditLine* line, int) {
    const LineInfo* const info = el_line(line);
    const std::string text(info->buffer, info->cursor);
    const console::Completions found = of(line).complete(text);
    if (found.words.empty()) return CC_REFRESH_BEEP;
    const std::string_view typed = std::string_view(text).substr(found.begin);
    std::string more = console::common_beginning(found.words).substr(typed.size());
    if (found.words.size() == 1) more += ' ';
    if (!more.empty()) {
      el_insertstr(line, more.c_str());
      return CC_REFRESH;
    }
    list_words(found.words);
    return CC_REDISPLAY;
  }

  void load_history() {
    std::ifstream file(history_path);
    std::vector<std::string> lines;
    for (std::string text; std::getline(file, text);)
      if (!text.empty()) lines.push_back(std::move(text));
    const size_t begin = lines.size() > kHistoryMax ? lines.size() - kHistoryMax : 0;
    HistEvent event;
    for (size_t i = begin; i < lines.size(); ++i) ::history(history, &event, H_ENTER, lines[i].c_str());
    if (!lines.empty()) last = lines.back();
    if (lines.size() <= kHistoryFileMax) return;
    const std::string shorter = history_path + ".new";
    const int made = open_history(shorter);
    if (made < 0) return;
    ::close(made);
    std::ofstream out(shorter, std::ios::app);
    for (size_t i = begin; i < lines.size(); ++i) out << lines[i] << "\n";
    out.close();
    if (out) std::rename(shorter.c_str(), history_path.c_str());
  }
};

LineEditor::LineEditor(Complete complete, std::string history_path) : edit_(std::make_unique<Edit>()) {
  // Without a locale of its own a terminal shows UTF-8 today.
  std::setlocale(LC_CTYPE, "");
  if (MB_CUR_MAX == 1) std::setlocale(LC_CTYPE, "C.UTF-8");
  Edit& edit = *edit_;
  edit.complete = std::move(complete);
  edit.history_path = std::move(history_path);
  edit.history = history_init();
  HistEvent event;
  history(edit.history, &event, H_SETSIZE, kHistoryMax);
  edit.load_history();
  edit.history_file = open_history(edit.history_path);
  edit.line = el_init("sheaf", stdin, stdout, stderr);
  el_set(edit.line, EL_CLIENTDATA, &edit);
  el_set(edit.line, EL_EDITOR, "emacs");
  el_set(edit.line, EL_PROMPT, &Edit::prompt_of);
  el_set(edit.line, EL_HIST, ::history, edit.history);
  el_set(edit.line, EL_ADDFN, "sheaf-complete", "Complete the word", &Edit::complete_word);
  el_set(edit.line, EL_BIND, "^I", "sheaf-complete", nullptr);
  el_set(edit.line, EL_BIND, "^R", "em-inc-search-prev", nullptr);
  // Ctrl-C is a key like others while a line is typed: it ends the line, and not the program.
  el_set(edit.line, EL_ADDFN, "sheaf-cancel", "Forget the line", &Edit::cancel);
  el_set(edit.line, EL_BIND, "^C", "sheaf-cancel", nullptr);
  el_set(edit.line, EL_SETTY, "-d", "-isig", nullptr);
  // ~/.editrc has the last word on keys.
  el_source(edit.line, nullptr);
}

LineEditor::~LineEditor() {
  el_end(edit_->line);
  history_end(edit_->history);
  if (edit_->history_file >= 0) ::close(edit_->history_file);
}

std::optional<LineEditor::Line> LineEditor::read(const std::string& prompt) {
  edit_->prompt = prompt;
  edit_->is_cancelled = false;
  int count = 0;
  // Before the prompt is seen: what is typed then is ours, also Ctrl-D.
  el_set(edit_->line, EL_PREP_TERM, 1);
  const char* const text = el_gets(edit_->line, &count);
  // Of a line with nothing in it there is no text either: that is not the end of the input.
  if (edit_->is_cancelled) {
    std::fputs("^C\n", stdout);
    std::fflush(stdout);
    return Line{.is_cancelled = true};
  }
  if (text == nullptr || count <= 0) return std::nullopt;
  Line line{.text = std::string(text, static_cast<size_t>(count))};
  while (line.text.ends_with('\n') || line.text.ends_with('\r')) line.text.pop_back();
  return line;
}

void LineEditor::remember(const std::string& text) {
  const std::string one = on_one_line(text);
  if (one.empty() || one == edit_->last) return;
  edit_->last = one;
  HistEvent event;
  history(edit_->history, &event, H_ENTER, one.c_str());
  if (edit_->history_file < 0) return;
  const std::string line = one + "\n";
  // If the disk is full, the history is not what anybody misses.
  [[maybe_unused]] const ssize_t written = ::write(edit_->history_file, line.data(), line.size());
}

std::string usual_history_path() {
  std::string state = variable("XDG_STATE_HOME");
  if (state.empty() && !variable("HOME").empty()) state = variable("HOME") + "/.local/state";
  return state.empty() ? "" : state + "/sheaf/history";
}

}  // namespace sheaf::cmd
