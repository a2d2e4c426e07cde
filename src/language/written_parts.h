// Names, paths and key templates as single strings, and back.
//   $customer.orders     a path from a parameter
//   `first name`.length  names with other characters than letters, digits and _ are in backquotes
//   $e.reports^3         a step and how deep it goes
//   ORDER#<at>#\<x\>     a template: \ before <, > and \ that stand for themselves, \n and \t
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sheaf/result.h"

#include "language/syntax.h"

namespace sheaf::language {

// Whether it can be a name at all: not empty, without backquotes and line ends.
bool is_name(std::string_view text);

std::string written(const Name& name);
std::string written(const Path& path);
std::string written(const Step& step);
std::string written(const Template& text);
// Of a Read: $parameter.step.step, or an entity.
std::string written_source(const Read& read);

Result<Path> read_path(std::string_view text);
Result<Step> read_step(std::string_view text);
Result<Template> read_template(std::string_view text);
// Sets where `read` starts and its steps.
Result<void> read_source(std::string_view text, Read& read);

// A number as JSON and the language both write it: without needless zeros before it.
std::string written_number(std::string_view digits);
// -12.50: no exponent, no needless zeros before it.
bool is_number(std::string_view text);

// In double quotes, for the language.
std::string quoted(std::string_view text);
std::string quoted(const Template& text);

}  // namespace sheaf::language
