// Who has which secret, and what it is good for. Secrets are wiped when they go, and nothing here prints
// them: not in errors, not in logs.
//
// The file has the form of AWS's own credentials file, with a role of ours:
//
//   # comment                        ; comment
//   [orders-service]                 names the user, as errors and the audit log show it
//   aws_access_key_id = AKIDEXAMPLE
//   aws_secret_access_key = ...      at least 16 characters
//   aws_session_token = ...          optional; then requests must carry it
//   sheaf_role = readonly            optional: admin (the default), readonly or metrics
//
// Nothing but these keys, each at most once, and values without blanks: a typing error must not widen what
// somebody may do.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sheaf/result.h"

namespace sheaf::http {

// Text that is wiped from memory with its owner.
class Secret {
 public:
  Secret() = default;
  explicit Secret(std::string_view text) : text_(text.begin(), text.end()) {}
  ~Secret() { wipe(); }
  Secret(Secret&& other) noexcept = default;
  Secret& operator=(Secret&& other) noexcept;
  Secret(const Secret&) = delete;
  Secret& operator=(const Secret&) = delete;

  bool empty() const { return text_.empty(); }
  std::string_view reveal() const { return {text_.data(), text_.size()}; }
  // In a time that does not tell where they differ.
  bool equals(std::string_view text) const;

 private:
  void wipe();

  std::vector<char> text_;  // not a string: moving a short one would leave a copy behind
};

enum class Role {
  kAdmin,     // everything
  kReadonly,  // what changes nothing
  kMetrics,   // the metrics alone
};

// Whether `role` may run an operation of DynamoDB or its streams, given by its name: "GetItem".
bool may_perform(Role role, std::string_view operation);

class Credential {
 public:
  struct Parts {
    std::string_view name;
    std::string_view access_key_id;
    std::string_view secret_access_key;
    std::string_view session_token = {};
    Role role = Role::kAdmin;
  };
  explicit Credential(const Parts& parts);

  const std::string& name() const { return name_; }
  const std::string& access_key_id() const { return access_key_id_; }
  const Secret& secret_access_key() const { return secret_access_key_; }
  const Secret& session_token() const { return session_token_; }  // empty if it has none
  Role role() const { return role_; }
  // Of this object alone, in this process: what was derived from it can be found under it.
  uint64_t serial() const { return serial_; }

 private:
  std::string name_;
  std::string access_key_id_;
  Secret secret_access_key_;
  Secret session_token_;
  Role role_;
  uint64_t serial_;
};

// Never changes; may be read by any number of threads.
class CredentialSet {
 public:
  CredentialSet() = default;
  // The ids must differ.
  explicit CredentialSet(std::vector<Credential> credentials);
  CredentialSet(CredentialSet&&) = default;
  CredentialSet& operator=(CredentialSet&&) = default;

  // Nothing if there is none of this id.
  const Credential* find(std::string_view access_key_id) const;
  size_t size() const { return credentials_.size(); }

 private:
  std::vector<Credential> credentials_;
  std::unordered_map<std::string_view, size_t> by_id_;
};

// `text` in the form above. At least one credential. Errors name the line, and nothing that stands on it.
Result<CredentialSet> parse_credentials(std::string_view text);

// Reads and parses a file, which must belong to the user of this process and be closed to everybody else.
Result<CredentialSet> load_credentials(const std::string& path);

// The set in force. Replaced as a whole, say when the file was read again. Sets that were replaced are kept:
// readers then need neither a lock nor a count, and a file changes a few times in a server's life.
class Credentials {
 public:
  explicit Credentials(CredentialSet set) { replace(std::move(set)); }

  // Wait-free. The set stays valid as long as this object.
  const CredentialSet& current() const { return *current_.load(std::memory_order_acquire); }
  // Thread-safe.
  void replace(CredentialSet set);

 private:
  std::atomic<const CredentialSet*> current_ = nullptr;
  std::mutex mutex_;
  std::vector<std::unique_ptr<const CredentialSet>> kept_;
};

}  // namespace sheaf::http
