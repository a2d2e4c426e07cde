// Names made by chance: words, keywords, long ones, and some that need backquotes.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "prove/draw.h"

namespace sheaf::prove {

// As the language writes it: in backquotes if it is a keyword or has other characters than letters, digits
// and _.
std::string written_name(std::string_view name);
// a.b.c
std::string written_names(const std::vector<std::string>& names);

// Whether a hole of a key template can hold it.
bool fits_in_keys(std::string_view name);

enum class NamePlace : uint8_t {
  kKey,    // it may become part of key templates
  kOther,  // any characters
};

// A name made from one of the words that is not in `taken`, where it is noted.
std::string fresh_name(Draw& draw, const std::vector<std::string>& words, std::set<std::string>& taken,
                       NamePlace place);

}  // namespace sheaf::prove
