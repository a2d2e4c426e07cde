// Drawings as SVG: one file that needs nothing else, for light and dark pages.
#pragma once

#include <string>
#include <vector>

#include "draw/sections.h"

namespace sheaf::draw {

Fits svg_fits();

// Well-formed XML whatever the texts are. Colours follow the reader's preference. Texts have room for every
// usual font.
std::string to_svg(const std::vector<Section>& sections);

}  // namespace sheaf::draw
