#include "remote/access_key.h"

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "base/try.h"

namespace sheaf::remote {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::string_view take_line(std::string_view& text) {
  const size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return trimmed(line);
}

// Which member of a key a setting is.
std::string AccessKey::*member_of(std::string_view setting) {
  if (setting == "aws_access_key_id") return &AccessKey::id;
  if (setting == "aws_secret_access_key") return &AccessKey::secret;
  if (setting == "aws_session_token") return &AccessKey::session_token;
  return nullptr;
}

}  // namespace

std::optional<std::string> process_environment(const char* name) {
  const char* const value = std::getenv(name);
  if (value == nullptr) return std::nullopt;
  return value;
}

Result<AccessKey> access_key_of_environment(const Environment& environment) {
  AccessKey key{.id = environment("AWS_ACCESS_KEY_ID").value_or(""),
                .secret = environment("AWS_SECRET_ACCESS_KEY").value_or(""),
                .session_token = environment("AWS_SESSION_TOKEN").value_or("")};
  if (!key.id.empty() && !key.secret.empty()) return key;
  return Error{Code::kNotFound, "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set"};
}

Result<AccessKey> parse_profile(std::string_view text, std::string_view profile) {
  bool found = false, inside = false;
  AccessKey key;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    if (line.empty() || line[0] == '#' || line[0] == ';') continue;
    if (line[0] == '[') {
      inside = line.back() == ']' && trimmed(line.substr(1, line.size() - 2)) == profile;
      found |= inside;
      continue;
    }
    const size_t equals = line.find('=');
    if (!inside || equals == std::string_view::npos) continue;
    if (const auto member = member_of(trimmed(line.substr(0, equals))))
      key.*member = trimmed(line.substr(equals + 1));
  }
  if (!found) return Error{Code::kNotFound, "there is no profile " + std::string(profile)};
  if (key.id.empty() || key.secret.empty()) {
    return Error{Code::kInvalid, "the profile " + std::string(profile) +
                                     " has no aws_access_key_id and aws_secret_access_key"};
  }
  return key;
}

Result<AccessKey> access_key_of_file(const CredentialsFile& file, const Environment& environment) {
  std::string path = file.path;
  if (path.empty()) path = environment("AWS_SHARED_CREDENTIALS_FILE").value_or("");
  if (path.empty()) path = environment("HOME").value_or("") + "/.aws/credentials";
  std::string profile = file.profile;
  if (profile.empty()) profile = environment("AWS_PROFILE").value_or("");
  if (profile.empty()) profile = "default";

  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  if (!stream || !(text << stream.rdbuf()))
    return Error{Code::kNotFound, "cannot read the credentials file " + path};
  Result<AccessKey> key = parse_profile(text.view(), profile);
  if (!key.ok()) return Error{key.error().code, path + ": " + key.error().message};
  return key;
}

Result<AccessKey> find_access_key(const Environment& environment) {
  Result<AccessKey> key = access_key_of_environment(environment);
  if (key.ok()) return key;
  Result<AccessKey> of_file = access_key_of_file({}, environment);
  if (of_file.ok() || of_file.error().code != Code::kNotFound) return of_file;
  return Error{Code::kNotFound, key.error().message + ", and " + of_file.error().message};
}

}  // namespace sheaf::remote
