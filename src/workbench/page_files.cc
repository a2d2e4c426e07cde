#include "workbench/page_files.h"

#include <algorithm>

namespace sheaf::workbench {

const PageFile* find_page_file(std::string_view path) {
  const std::span<const PageFile> files = page_files();
  const auto found =
      std::find_if(files.begin(), files.end(), [&](const PageFile& each) { return each.path == path; });
  return found == files.end() ? nullptr : &*found;
}

}  // namespace sheaf::workbench
