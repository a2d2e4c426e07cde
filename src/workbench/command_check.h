// Which commands of `sheaf` a page may ask for.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "sheaf/result.h"

namespace sheaf::workbench {

struct Command {
  std::vector<std::string> arguments;  // behind `sheaf`; @server stands for the server's URL
  std::string server{};
  std::map<std::string, std::string> files;          // by their names, for the arguments to name them
  std::map<std::string, std::string> environment{};  // besides what every program needs
};

inline constexpr size_t kArgumentsMax = 200;
// Of all together. The system takes no argument of 128 KiB.
inline constexpr size_t kArgumentBytesMax = 100'000;
inline constexpr size_t kGivenFilesMax = 200;

// Only what works on models that it is given, or on the server itself, and on no files but its own: kInvalid,
// with the reason, for anything else; kTooLarge for more than the limits above.
Result<void> check_command(const Command& command);
// Whether it makes work for minutes, as measuring does.
bool keeps_busy(const Command& command);
// Whether it is told where the server is.
bool asks_server(const Command& command);

}  // namespace sheaf::workbench
