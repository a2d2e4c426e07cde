// Drawings as Markdown: pipe tables, and diagrams in Mermaid's language, which many sites draw.
#pragma once

#include <string>
#include <vector>

#include "draw/sections.h"

namespace sheaf::draw {

// Tables of any width.
Fits markdown_fits();

std::string to_markdown(const std::vector<Section>& sections);

}  // namespace sheaf::draw
