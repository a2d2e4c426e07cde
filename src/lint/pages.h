// The pages of doc/lint: why each rule is there, with a wrong and a right example. They are part of the
// program.
#pragma once

#include <span>
#include <string_view>

namespace sheaf::lint {

struct Page {
  std::string_view id;
  std::string_view text;  // Markdown
};

// In the order of the alphabet. The build makes them from the files.
std::span<const Page> pages();

}  // namespace sheaf::lint
