#include "cmd/model_errors.h"

#include <algorithm>
#include <iostream>
#include <vector>

#include "language/diagnostic.h"
#include "language/error_pages.h"

namespace sheaf::cmd {

int print_errors(const std::string& id) {
  if (id.empty()) {
    size_t width = 0;
    for (const language::ErrorPage& page : language::error_pages()) width = std::max(width, page.id.size());
    for (const language::ErrorPage& page : language::error_pages())
      std::cout << page.id << std::string(width + 2 - page.id.size(), ' ') << page.sentence() << "\n";
    return 0;
  }
  if (const language::ErrorPage* const page = language::find_error_page(id)) {
    std::cout << page->text;
    return 0;
  }
  std::vector<std::string_view> ids;
  for (const language::ErrorPage& page : language::error_pages()) ids.push_back(page.id);
  const std::string_view near = language::nearest(id, ids);
  std::cerr << "sheaf: there is no mistake " << id;
  if (!near.empty()) std::cerr << "; there is " << near;
  std::cerr << " (sheaf model errors lists them)\n";
  return 2;
}

}  // namespace sheaf::cmd
