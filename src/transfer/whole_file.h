// Whether files are there, and small ones that are read and written as a whole.
#pragma once

#include <string>
#include <string_view>

#include "sheaf/result.h"

namespace sheaf::transfer {

// Whether something is there under that name, and whether it is a folder. kIo, with the reason, if that
// cannot be seen.
Result<bool> is_there(const std::string& path);
Result<bool> is_folder(const std::string& path);
// kInvalid if it is larger than 64 MB.
Result<std::string> read_whole_file(const std::string& path);
// Whatever happens meanwhile, there is what was there before or all of `text`, on the disk.
Result<void> write_whole_file(const std::string& path, std::string_view text);

}  // namespace sheaf::transfer
