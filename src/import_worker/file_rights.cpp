#include "file_rights.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>

#include "process_limits.h"

namespace sinew::internal {
namespace {

// Source: the kernel's Documentation/userspace-api/landlock.rst. The numbers are the same on all processors; they are
// here because the headers of older systems lack them.
constexpr long kCreateRuleset = 444, kAddRule = 445, kRestrictSelf = 446;
constexpr uint32_t kAskVersion = 1;  // LANDLOCK_CREATE_RULESET_VERSION
constexpr int kBeneathPath = 1;      // LANDLOCK_RULE_PATH_BENEATH
constexpr uint64_t kReadFile = 1 << 2, kReadFolder = 1 << 3;

struct Ruleset {
  uint64_t files = 0, ports = 0, scopes = 0;  // the rights that are taken, unless a rule gives them
};

struct [[gnu::packed]] PathRule {
  uint64_t rights = 0;
  int32_t descriptor = -1;
};

struct Descriptor {
  int number = -1;
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
};

/// All rights that a version of Landlock can take.
Ruleset all_rights(long version) {
  Ruleset rights;
  rights.files = (1 << 13) - 1;               // execute, write, read, list, remove, and make seven kinds of files
  if (version >= 2) rights.files |= 1 << 13;  // move to another folder
  if (version >= 3) rights.files |= 1 << 14;  // truncate
  if (version >= 5) rights.files |= 1 << 15;  // control devices
  if (version >= 4) rights.ports = 1 << 0 | 1 << 1;   // bind and connect
  if (version >= 6) rights.scopes = 1 << 0 | 1 << 1;  // abstract sockets, signals
  return rights;
}

/// Gives rights to a file, or to a folder and all below it. A path that cannot be opened gets none.
void give(int ruleset, const std::filesystem::path& path, uint64_t rights) {
  const Descriptor opened{::open(path.c_str(), O_PATH | O_CLOEXEC)};
  if (opened.number < 0) return;
  const PathRule rule{rights, opened.number};
  ::syscall(kAddRule, ruleset, kBeneathPath, &rule, 0);
}

void give_all(int ruleset, std::span<const std::string> files) {
  if (kSanitized) return give(ruleset, "/", kReadFile | kReadFolder);
  for (const std::filesystem::path file : files) {
    const std::filesystem::path folder = file.parent_path();
    give(ruleset, file, kReadFile);
    give(ruleset, folder.empty() ? "." : folder, kReadFile | kReadFolder);
  }
}

std::string no_landlock() {
  return std::string("no Landlock (") + std::strerror(errno) + "): it can read what this user can";
}

}  // namespace

std::string limit_files(std::span<const std::string> files) {
  const long version = ::syscall(kCreateRuleset, nullptr, 0, kAskVersion);
  if (version < 1) return no_landlock();
  const Ruleset rights = all_rights(version);  // fields that are 0 may be beyond what an older version knows
  const Descriptor ruleset{int(::syscall(kCreateRuleset, &rights, sizeof rights, 0))};
  if (ruleset.number < 0) return no_landlock();
  give_all(ruleset.number, files);
  if (::syscall(kRestrictSelf, ruleset.number, 0) != 0) return no_landlock();
  return "Landlock " + std::to_string(version) + ": it reads " +
         (kSanitized ? "every file (a sanitizer's reports need it)" : "the folders of its files alone");
}

}  // namespace sinew::internal
