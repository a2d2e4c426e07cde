// Names and texts as the languages of exports want them.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace sheaf::exports {

// app-table_2: AppTable2, appTable2, app_table_2. ASCII letters and digits alone, and never empty; what
// begins with a digit is put behind an N.
std::string pascal_case(std::string_view name);
std::string camel_case(std::string_view name);
std::string snake_case(std::string_view name);

// "a \"b\"", as JSON and JavaScript write it.
std::string quoted(std::string_view text);
// The same with single quotes, for JavaScript.
std::string single_quoted(std::string_view text);
// As the name of a property in JavaScript: quoted where it must be.
std::string property_name(std::string_view name);
// As YAML writes a text: without quotes where nothing else could be meant.
std::string yaml_text(std::string_view text);
// With what begins a placeholder in it taken literally.
std::string hcl_text(std::string_view text);
// On one line, so that it cannot end a comment.
std::string comment_text(std::string_view text);

// Gives every name once.
class UniqueNames {
 public:
  UniqueNames() = default;
  explicit UniqueNames(std::set<std::string> taken) : taken_(std::move(taken)) {}

  // `wanted`, or else with a number behind it.
  std::string claim(const std::string& wanted);

 private:
  std::set<std::string> taken_;
};

}  // namespace sheaf::exports
