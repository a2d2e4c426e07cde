// How wide text is: in columns of a terminal, and in fonts that nobody knows beforehand.
#pragma once

#include <cstdint>
#include <string_view>

namespace sheaf::draw {

// Columns of a terminal: none for marks that sit on what is before them, two for East Asian wide characters
// and most emoji, else one.
int columns(char32_t code_point);
int columns(std::string_view utf8);

enum class Typeface : uint8_t { kSans, kSansBold, kMono };

// In units of the font's size, and not less than any of the usual fonts needs: system fonts, Roboto,
// Helvetica and Arial, DejaVu, and the usual fonts of one width.
double ems(char32_t code_point, Typeface typeface);
double ems(std::string_view utf8, Typeface typeface);

}  // namespace sheaf::draw
