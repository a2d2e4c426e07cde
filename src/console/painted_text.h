// Colour for what commands tell at a terminal. Without colour, every text stays as it is.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace sheaf::console {

enum class Paint : uint8_t {
  kWrong,    // bold red
  kDoubt,    // bold yellow
  kRemark,   // bold cyan
  kGood,     // green
  kHead,     // bold
  kMargins,  // dim
};

std::string painted(std::string_view text, Paint paint, bool has_colour);

// What `sheaf model check` and `sheaf model lint` tell: the severity and the marks below an excerpt in the
// colour of the severity, the place bold, margins and ids dim. Other lines stay as they are, so that a
// message may have any text around findings. It is done to the text and not where the text is made, because
// it often arrives as the message of an error.
std::string painted_findings(std::string_view text, bool has_colour);

// Of each line that is not indented, what stands before the first ": ", or all of it.
std::string painted_heads(std::string_view text, Paint paint, bool has_colour);

// Reports: of the first line of each paragraph what stands before the first ": ", or all of it, bold. A line
// that begins, behind its indent, with one of `marks` has it in its colour.
struct Mark {
  std::string_view text;
  Paint paint;
};
std::string painted_report(std::string_view text, std::initializer_list<Mark> marks, bool has_colour);

// A model: its remarks dim.
std::string painted_remarks(std::string_view text, bool has_colour);

}  // namespace sheaf::console
