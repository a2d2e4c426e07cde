#include "language/error_pages.h"

namespace sheaf::language {

std::string_view ErrorPage::sentence() const {
  std::string_view rest = text.substr(text.find("\n\n") + 2);
  return rest.substr(0, rest.find("\n\n"));
}

const ErrorPage* find_error_page(std::string_view id) {
  for (const ErrorPage& page : error_pages()) {
    if (page.id == id) return &page;
  }
  return nullptr;
}

}  // namespace sheaf::language
