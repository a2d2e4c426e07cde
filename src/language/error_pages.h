// The pages of doc/errors: what each mistake means, with a wrong and a right example. They are part of the
// program, so that it explains itself where there is no documentation at hand.
#pragma once

#include <span>
#include <string_view>

namespace sheaf::language {

struct ErrorPage {
  std::string_view id;
  std::string_view text;  // Markdown

  // What it means, in one sentence: the first paragraph below the title.
  std::string_view sentence() const;
};

// In the order of the alphabet. The build makes them from the files.
std::span<const ErrorPage> error_pages();
const ErrorPage* find_error_page(std::string_view id);

}  // namespace sheaf::language
