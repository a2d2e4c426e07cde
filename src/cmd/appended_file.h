// A file of lines that grows, and keeps what it was given when the power goes.
#pragma once

#include <string>
#include <string_view>

#include "sheaf/result.h"

#include "http/descriptor.h"

namespace sheaf::cmd {

class AppendedFile {
 public:
  // Made if it is not there. Half a line at its end, of somebody who was interrupted, is cut off.
  static Result<AppendedFile> open(const std::string& path);

  // On the disk when it returns.
  Result<void> append(std::string_view lines);

 private:
  AppendedFile(std::string path, http::Descriptor file) : path_(std::move(path)), file_(std::move(file)) {}

  Error failed(std::string_view what) const;

  std::string path_;
  http::Descriptor file_;
};

}  // namespace sheaf::cmd
