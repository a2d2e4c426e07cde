#include "http/credentials.h"

#include <fcntl.h>
#include <openssl/crypto.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <unordered_set>
#include <utility>

#include "base/try.h"
#include "http/descriptor.h"
#include "http/header_name.h"

namespace sheaf::http {
namespace {

constexpr size_t kFileBytesMax = 1 << 20;
constexpr size_t kNameBytesMax = 64;
constexpr size_t kKeyIdBytesMax = 128;
constexpr size_t kSecretBytesMin = 16;
constexpr size_t kSecretBytesMax = 256;
constexpr size_t kTokenBytesMax = 4096;

bool is_alphanumeric(char c) {
  c = lower_case(c);
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

bool consists_of(std::string_view text, std::string_view others) {
  return std::all_of(text.begin(), text.end(),
                     [&](char c) { return is_alphanumeric(c) || others.find(c) != std::string_view::npos; });
}

bool is_printable(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 0x7f; });
}

std::string_view trimmed_line(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::optional<Role> parse_role(std::string_view text) {
  if (text == "admin") return Role::kAdmin;
  if (text == "readonly") return Role::kReadonly;
  if (text == "metrics") return Role::kMetrics;
  return std::nullopt;
}

// One section of the file, as far as it was read.
struct Section {
  size_t line = 0;
  std::string_view name;
  std::optional<std::string_view> access_key_id;
  std::optional<std::string_view> secret_access_key;
  std::optional<std::string_view> session_token;
  std::optional<Role> role;
};

// Messages say what is wrong with a line but show nothing of it: a secret may stand where it does not belong.
Error bad_line(size_t line, std::string_view what) {
  return Error{Code::kInvalid, "line " + std::to_string(line) + ": " + std::string(what)};
}

Result<Section> parse_section(std::string_view text, size_t line) {
  if (!text.ends_with(']')) return bad_line(line, "a name in brackets lacks its closing bracket");
  const std::string_view name = trimmed_line(text.substr(1, text.size() - 2));
  if (name.empty() || name.size() > kNameBytesMax || !consists_of(name, "+=,.@_-"))
    return bad_line(line, "a name in brackets has 1 to 64 characters: letters, digits and +=,.@_-");
  Section section;
  section.line = line;
  section.name = name;
  return section;
}

Result<void> set_once(std::optional<std::string_view>& field, std::string_view value, size_t line) {
  if (field) return bad_line(line, "this key was given before");
  field = value;
  return {};
}

Result<void> parse_setting(std::string_view text, size_t line, Section& section) {
  const size_t equals = text.find('=');
  if (equals == std::string_view::npos) return bad_line(line, "neither [name] nor key = value");
  std::string key(trimmed_line(text.substr(0, equals)));
  std::transform(key.begin(), key.end(), key.begin(), lower_case);
  const std::string_view value = trimmed_line(text.substr(equals + 1));
  if (section.line == 0) return bad_line(line, "a key before the first [name]");
  if (value.empty()) return bad_line(line, "the value is missing");
  if (!is_printable(value))
    return bad_line(line, "a value has no blanks and only printable ASCII characters");

  if (key == "aws_access_key_id") {
    if (value.size() > kKeyIdBytesMax || !consists_of(value, "_-."))
      return bad_line(line, "an access key id has 1 to 128 characters: letters, digits and _-.");
    return set_once(section.access_key_id, value, line);
  }
  if (key == "aws_secret_access_key") {
    if (value.size() < kSecretBytesMin || value.size() > kSecretBytesMax)
      return bad_line(line, "a secret access key has 16 to 256 characters");
    return set_once(section.secret_access_key, value, line);
  }
  if (key == "aws_session_token") {
    if (value.size() > kTokenBytesMax) return bad_line(line, "a session token has at most 4096 characters");
    return set_once(section.session_token, value, line);
  }
  if (key == "sheaf_role") {
    if (section.role) return bad_line(line, "this key was given before");
    section.role = parse_role(value);
    if (!section.role) return bad_line(line, "sheaf_role is admin, readonly or metrics");
    return {};
  }
  return bad_line(line,
                  "unknown key; there are aws_access_key_id, aws_secret_access_key, aws_session_token and "
                  "sheaf_role");
}

// The credentials read so far. Borrows the text of the file.
struct Collected {
  std::vector<Credential> credentials;
  std::unordered_set<std::string_view> names;
  std::unordered_set<std::string_view> ids;
};

Result<void> add_credential(const Section& section, Collected& collected) {
  if (section.line == 0) return {};
  if (!section.access_key_id) return bad_line(section.line, "aws_access_key_id is missing below this name");
  if (!section.secret_access_key)
    return bad_line(section.line, "aws_secret_access_key is missing below this name");
  if (!collected.names.insert(section.name).second)
    return bad_line(section.line, "this name was used before");
  if (!collected.ids.insert(*section.access_key_id).second)
    return bad_line(section.line, "the access key id below this name was used before");
  collected.credentials.emplace_back(Credential::Parts{.name = section.name,
                                                       .access_key_id = *section.access_key_id,
                                                       .secret_access_key = *section.secret_access_key,
                                                       .session_token = section.session_token.value_or(""),
                                                       .role = section.role.value_or(Role::kAdmin)});
  return {};
}

Error cannot_read(const std::string& path) {
  return Error{Code::kIo, "cannot read the credentials file " + path + ": " + std::strerror(errno)};
}

Result<void> check_private(const std::string& path, const struct stat& status) {
  if (!S_ISREG(status.st_mode))
    return Error{Code::kInvalid, "the credentials file " + path + " is not a regular file"};
  if (status.st_uid != ::geteuid())
    return Error{Code::kInvalid, "the credentials file " + path +
                                     " belongs to another user than the one the server runs as. Change its "
                                     "owner, or copy it."};
  if ((status.st_mode & (S_IRWXG | S_IRWXO)) != 0)
    return Error{Code::kInvalid,
                 "the credentials file " + path + " is open to other users. Close it: chmod 600 " + path};
  return {};
}

}  // namespace

Secret& Secret::operator=(Secret&& other) noexcept {
  if (this != &other) {
    wipe();
    text_ = std::move(other.text_);
  }
  return *this;
}

void Secret::wipe() {
  if (!text_.empty()) OPENSSL_cleanse(text_.data(), text_.size());
}

bool Secret::equals(std::string_view text) const {
  return text.size() == text_.size() && CRYPTO_memcmp(text.data(), text_.data(), text.size()) == 0;
}

bool may_perform(Role role, std::string_view operation) {
  switch (role) {
    case Role::kAdmin:
      return true;
    case Role::kReadonly:
      // By their first word, so that reads which are added later need no entry. Statements of PartiQL are let
      // in, because what they do only their text tells: each is asked about by its own action.
      for (const std::string_view word :
           {"Get", "BatchGet", "TransactGet", "Query", "Scan", "Describe", "List", "ExecuteStatement",
            "BatchExecuteStatement", "ExecuteTransaction", "PartiQLSelect"})
        if (operation.starts_with(word)) return true;
      return false;
    case Role::kMetrics:
      return false;
  }
  return false;
}

Credential::Credential(const Parts& parts)
    : name_(parts.name),
      access_key_id_(parts.access_key_id),
      secret_access_key_(parts.secret_access_key),
      session_token_(parts.session_token),
      role_(parts.role) {
  static std::atomic<uint64_t> last_serial = 0;
  serial_ = ++last_serial;
}

CredentialSet::CredentialSet(std::vector<Credential> credentials) : credentials_(std::move(credentials)) {
  for (size_t i = 0; i < credentials_.size(); ++i) by_id_.emplace(credentials_[i].access_key_id(), i);
}

const Credential* CredentialSet::find(std::string_view access_key_id) const {
  const auto found = by_id_.find(access_key_id);
  return found == by_id_.end() ? nullptr : &credentials_[found->second];
}

Result<CredentialSet> parse_credentials(std::string_view text) {
  Collected collected;
  Section section;
  size_t line = 0;
  while (!text.empty()) {
    const std::string_view whole = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(whole.size() + 1, text.size()));
    ++line;
    const std::string_view content = trimmed_line(whole);
    if (content.empty() || content.starts_with('#') || content.starts_with(';')) continue;
    if (content.starts_with('[')) {
      TRY(add_credential(section, collected));
      section = TRY(parse_section(content, line));
    } else {
      TRY(parse_setting(content, line, section));
    }
  }
  TRY(add_credential(section, collected));
  if (collected.credentials.empty()) return Error{Code::kInvalid, "it holds no credentials"};
  return CredentialSet(std::move(collected.credentials));
}

Result<CredentialSet> load_credentials(const std::string& path) {
  // Not blocking: whoever puts a pipe in the place of the file must not be able to stop the server.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.is_open()) return cannot_read(path);
  struct stat status;
  if (::fstat(file.get(), &status) != 0) return cannot_read(path);
  TRY(check_private(path, status));
  if (static_cast<uint64_t>(status.st_size) > kFileBytesMax)
    return Error{Code::kInvalid, "the credentials file " + path + " is larger than 1 MiB"};

  std::string text(static_cast<size_t>(status.st_size), '\0');
  size_t filled = 0;
  ssize_t got = 0;
  while (filled < text.size() && (got = ::read(file.get(), text.data() + filled, text.size() - filled)) > 0)
    filled += static_cast<size_t>(got);
  if (got < 0) return cannot_read(path);
  Result<CredentialSet> set = parse_credentials(std::string_view(text).substr(0, filled));
  OPENSSL_cleanse(text.data(), text.size());
  if (!set.ok()) return Error{set.error().code, "the credentials file " + path + ": " + set.error().message};
  return set;
}

void Credentials::replace(CredentialSet set) {
  std::lock_guard lock(mutex_);
  kept_.push_back(std::make_unique<const CredentialSet>(std::move(set)));
  current_.store(kept_.back().get(), std::memory_order_release);
}

}  // namespace sheaf::http
