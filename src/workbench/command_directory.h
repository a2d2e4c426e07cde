// Where a command runs, with the files that it is given; it is thrown away. What a killed process left behind
// is thrown away by the next one that needs a directory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sheaf/result.h"

#include "base/sha256.h"

namespace sheaf::workbench {

struct WrittenFiles {
  std::map<std::string, std::string> texts;  // by their names
  std::vector<std::string> left_out;         // names of those that are too many or too large
};

// For one thread at a time.
class CommandDirectory {
 public:
  // kUnavailable if there is no place for it, or none is left; then nothing stays behind.
  static Result<CommandDirectory> make(const std::map<std::string, std::string>& files);
  CommandDirectory() = default;  // none
  CommandDirectory(CommandDirectory&& other) noexcept { *this = std::move(other); }
  CommandDirectory& operator=(CommandDirectory&& other) noexcept;
  ~CommandDirectory() { remove(); }

  const std::string& path() const { return path_; }
  // Of all files in it, while somebody may write there.
  uint64_t bytes() const;
  // Files, not those in directories, that are not as they were given: so many bytes and files at most, in the
  // order of their names.
  WrittenFiles written(size_t bytes_max, size_t files_max) const;
  // With everything in it.
  void remove();

 private:
  struct Given {
    size_t bytes;
    Digest digest;  // and not the text: there may be much of it, and it is only asked whether it has changed
  };

  std::string path_;
  int lock_ = -1;  // held while it is in use, whatever becomes of the process
  std::map<std::string, Given> given_;
};

// Removes directories of that kind in `place` that nobody holds and that are a minute old; tells how many.
size_t remove_abandoned_directories(const std::string& place);

}  // namespace sheaf::workbench
