#include "cmd/model_errors.h"

#include <algorithm>
#include <iostream>
#include <vector>

#include "cmd/chosen_model.h"
#include "language/diagnostic.h"
#include "language/error_pages.h"
#include "language/json_writer.h"

namespace sheaf::cmd {

namespace {

void print_page(language::JsonWriter& writer, const language::ErrorPage& page, bool is_whole) {
  const auto text = [&](std::string_view name, std::string_view value) {
    writer.member(name);
    writer.text(value);
  };
  writer.object([&] {
    text("id", page.id);
    text("sentence", page.sentence());
    if (is_whole) text("page", page.text);
  });
}

int print_list(bool as_json) {
  if (as_json) {
    language::JsonWriter writer;
    writer.array([&] {
      for (const language::ErrorPage& page : language::error_pages()) print_page(writer, page, false);
    });
    std::cout << writer.take();
    return 0;
  }
  size_t width = 0;
  for (const language::ErrorPage& page : language::error_pages()) width = std::max(width, page.id.size());
  for (const language::ErrorPage& page : language::error_pages())
    std::cout << page.id << std::string(width + 2 - page.id.size(), ' ') << page.sentence() << "\n";
  return 0;
}

}  // namespace

int print_errors(const std::string& id, bool as_json) {
  if (id.empty()) return print_list(as_json);
  if (const language::ErrorPage* const page = language::find_error_page(id)) {
    if (as_json) {
      language::JsonWriter writer;
      print_page(writer, *page, true);
      std::cout << writer.take();
    } else {
      std::cout << page->text;
    }
    return 0;
  }
  std::vector<std::string_view> ids;
  for (const language::ErrorPage& page : language::error_pages()) ids.push_back(page.id);
  const std::string_view near = language::nearest(id, ids);
  return fail("there is no mistake " + id + (near.empty() ? "" : "; there is " + std::string(near)) +
              " (sheaf model errors lists them)");
}

}  // namespace sheaf::cmd
