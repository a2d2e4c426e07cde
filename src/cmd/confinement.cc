#include "cmd/confinement.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>

#include "base/log.h"
#include "base/try.h"
#include "workbench/command_process.h"

namespace sheaf::cmd {
namespace {

// Of later kernels than the header's: the kernel says what it has, and not the machine that this is built on.
struct Rules {
  uint64_t files = 0;
  uint64_t connections = 0;
  uint64_t scopes = 0;
};
struct PortRule {
  uint64_t allowed;
  uint64_t port;
};
constexpr int kPortRule = 2;
constexpr uint64_t kTruncate = uint64_t{1} << 14;
constexpr uint64_t kUseDevice = uint64_t{1} << 15;
constexpr uint64_t kBindTcp = uint64_t{1} << 0;
constexpr uint64_t kConnectTcp = uint64_t{1} << 1;
constexpr uint64_t kAbstractSockets = uint64_t{1} << 0;
constexpr uint64_t kSignals = uint64_t{1} << 1;
// Versions of Landlock's interface that have them.
constexpr long kHasRefer = 2, kHasTruncate = 3, kHasTcp = 4, kHasDevices = 5, kHasScopes = 6;

constexpr uint64_t kRead = LANDLOCK_ACCESS_FS_READ_FILE;
constexpr uint64_t kWrite = LANDLOCK_ACCESS_FS_WRITE_FILE | kTruncate;
constexpr uint64_t kOwn = kRead | kWrite | LANDLOCK_ACCESS_FS_READ_DIR | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                          LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_DIR |
                          LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_REFER;

// What the program and its libraries look at once it runs; it does without those that are not there. The
// store wants to know the time zone, for its log, the number of processors, and a name for its database.
struct Place {
  const char* path;
  uint64_t allowed;
};
constexpr Place kNeeded[] = {{"/dev/null", kRead | kWrite},
                             {"/dev/urandom", kRead},
                             {"/etc/localtime", kRead},
                             {"/proc/sys/kernel/random/uuid", kRead},
                             {"/sys/devices/system/cpu/online", kRead}};

struct OpenFile {
  int number;

  explicit OpenFile(int opened) : number(opened) {}
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (number >= 0) ::close(number);
  }
};

long landlock_version() {
  return syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

Error refusal(const std::string& what) {
  return {Code::kUnavailable, "the command cannot be confined: " + what + ": " + std::strerror(errno)};
}

Rules rules_of(long version) {
  // All that the first version knew: the lowest thirteen.
  Rules rules{.files = (uint64_t{1} << 13) - 1};
  if (version >= kHasRefer) rules.files |= LANDLOCK_ACCESS_FS_REFER;
  if (version >= kHasTruncate) rules.files |= kTruncate;
  if (version >= kHasDevices) rules.files |= kUseDevice;
  if (version >= kHasTcp) rules.connections = kBindTcp | kConnectTcp;
  if (version >= kHasScopes) rules.scopes = kAbstractSockets | kSignals;
  return rules;
}

Result<void> allow(const OpenFile& ruleset, const OpenFile& place, uint64_t allowed) {
  const landlock_path_beneath_attr rule{.allowed_access = allowed, .parent_fd = place.number};
  if (syscall(SYS_landlock_add_rule, ruleset.number, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) != 0)
    return refusal("no rule for a file");
  return {};
}

}  // namespace

bool can_confine() { return landlock_version() >= 1; }

Result<bool> confine_to(const Confinement& confinement) {
  const long version = landlock_version();
  if (version < 1) return false;
  const Rules rules = rules_of(version);
  // An older kernel takes no more than it knows, unless that is zero.
  const OpenFile ruleset(static_cast<int>(syscall(SYS_landlock_create_ruleset, &rules, sizeof(rules), 0)));
  if (ruleset.number < 0) return refusal("no rules");
  const OpenFile own(open(confinement.directory.c_str(), O_PATH | O_CLOEXEC | O_DIRECTORY));
  if (own.number < 0) return refusal(confinement.directory);
  TRY(allow(ruleset, own, kOwn & rules.files));
  for (const Place& each : kNeeded) {
    const OpenFile place(open(each.path, O_PATH | O_CLOEXEC));
    if (place.number >= 0) TRY(allow(ruleset, place, each.allowed & rules.files));
  }
  if (rules.connections != 0 && confinement.port) {
    const PortRule rule{.allowed = kConnectTcp, .port = *confinement.port};
    if (syscall(SYS_landlock_add_rule, ruleset.number, kPortRule, &rule, 0) != 0)
      return refusal("no rule for a port");
  }
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return refusal("it may gain rights");
  if (syscall(SYS_landlock_restrict_self, ruleset.number, 0) != 0) return refusal("it is refused");
  return true;
}

Result<void> confine() {
  const char* const directory = std::getenv(workbench::kConfinedVariable);
  if (directory == nullptr) return {};
  Confinement confinement{.directory = directory};
  if (const char* const text = std::getenv(workbench::kConfinedPortVariable)) {
    uint16_t port = 0;
    const char* const end = text + std::strlen(text);
    if (const auto read = std::from_chars(text, end, port); read.ec == std::errc() && read.ptr == end)
      confinement.port = port;
  }
  const bool is_confined = TRY(confine_to(confinement));
  if (!is_confined) log(LogLevel::kDebug, "the kernel cannot confine commands of the workbench");
  return {};
}

}  // namespace sheaf::cmd
