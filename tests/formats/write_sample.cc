// Writes the sample of the present format: a data directory, and what it holds as text.
//   write_sample DIRECTORY
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "base/try.h"
#include "formats/contents.h"

namespace sheaf::formats {
namespace {

Result<void> write_sample(const std::string& directory) {
  ManualClock clock(kWrittenUs);
  for (const auto write : {write_first, write_second}) {
    // Opened twice: what the first lot wrote lies in tables of RocksDB, the second in its log.
    const auto database = TRY(open_sample(directory, clock));
    TRY(write(*database));
  }
  // What RocksDB writes for people.
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    const std::string name = entry.path().filename();
    if (name.starts_with("LOG") || name.starts_with("OPTIONS") || name == "LOCK")
      std::filesystem::remove(entry.path());
  }
  // The text is read from a copy, for opening changes a directory.
  const std::string copy = directory + ".copy";
  std::filesystem::copy(directory, copy, std::filesystem::copy_options::recursive);
  clock.advance_us(kReadUs - kWrittenUs);
  std::ofstream(directory + ".txt") << TRY(tell(*TRY(open_sample(copy, clock))));
  std::filesystem::remove_all(copy);
  return {};
}

}  // namespace
}  // namespace sheaf::formats

int main(int count, char** arguments) {
  if (count != 2 || std::filesystem::exists(arguments[1])) {
    std::fprintf(stderr, "usage: write_sample DIRECTORY (which must not exist)\n");
    return 2;
  }
  const sheaf::Result<void> written = sheaf::formats::write_sample(arguments[1]);
  if (!written.ok()) std::fprintf(stderr, "%s\n", written.error().message.c_str());
  return written.ok() ? 0 : 1;
}
