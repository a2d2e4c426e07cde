// The files of the page, as they were built into the program.
#pragma once

#include <span>
#include <string_view>

namespace sheaf::workbench {

struct PageFile {
  std::string_view path;  // below /workbench/: index.html
  std::string_view type;
  std::string_view gzipped;
};

// Written by workbench/build.
std::span<const PageFile> page_files();

// By its path below /workbench/; null if there is none.
const PageFile* find_page_file(std::string_view path);

}  // namespace sheaf::workbench
