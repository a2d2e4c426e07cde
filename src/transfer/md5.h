// MD5, as S3 names its objects' contents by it. Not for anything that must be safe from people.
#pragma once

#include <string>
#include <string_view>

#include "sheaf/result.h"

namespace sheaf::transfer {

// 16 bytes.
std::string md5_of(std::string_view bytes);
Result<std::string> md5_of_file(const std::string& path);

// The etag that S3 gives an object that came in one part of a multipart upload, as exports do: of its MD5.
std::string etag_of(std::string_view md5);
std::string base64_of(std::string_view bytes);

}  // namespace sheaf::transfer
