// With which credentials a client signs, and where it finds them: as AWS's own tools do, in the environment
// or in a file.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "sheaf/remote_database.h"
#include "sheaf/result.h"

namespace sheaf::remote {

// The value of an environment variable, if it is set.
using Environment = std::function<std::optional<std::string>(const char* name)>;
std::optional<std::string> process_environment(const char* name);

// From AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN. kNotFound if the first two are not
// set.
Result<AccessKey> access_key_of_environment(const Environment& environment = process_environment);

// From a credentials file. An empty path is AWS_SHARED_CREDENTIALS_FILE, or else ~/.aws/credentials; an empty
// profile is AWS_PROFILE, or else "default". kNotFound if there is no such file or profile, kInvalid if the
// profile has no key.
struct CredentialsFile {
  std::string path;
  std::string profile;
};
Result<AccessKey> access_key_of_file(const CredentialsFile& file = {},
                                     const Environment& environment = process_environment);

// The first of the two that there is.
Result<AccessKey> find_access_key(const Environment& environment = process_environment);

// The profile in the text of such a file. Settings that are not about keys are passed over.
Result<AccessKey> parse_profile(std::string_view text, std::string_view profile);

}  // namespace sheaf::remote
