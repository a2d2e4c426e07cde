// Lines that are typed at a terminal, with keys to change them, completion, and a history that is kept.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "console/shell_completion.h"

namespace sheaf::cmd {

// One at a time, on a terminal. Takes the locale of the environment for characters.
class LineEditor {
 public:
  // What a line, up to the cursor, could become; called when the key for it is pressed.
  using Complete = std::function<console::Completions(std::string_view line)>;

  // `history_path` is a file of lines, which is made with its folder if it is not there, for its owner alone;
  // if that is not possible, or it is empty, nothing is kept.
  LineEditor(Complete complete, std::string history_path);
  ~LineEditor();
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;

  struct Line {
    std::string text;
    bool is_cancelled = false;  // Ctrl-C: what was typed is not meant
  };
  // Without its end. Nothing at the end of the input.
  std::optional<Line> read(const std::string& prompt);
  // Goes into the history, on one line, unless it is the same as the last.
  void remember(const std::string& text);

 private:
  struct Edit;
  std::unique_ptr<Edit> edit_;
};

// $XDG_STATE_HOME/sheaf/history, or below ~/.local/state; empty if there is neither.
std::string usual_history_path();

}  // namespace sheaf::cmd
