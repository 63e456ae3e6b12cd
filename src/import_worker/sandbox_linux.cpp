#include "sandbox.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "process_limits.h"

namespace sinew::internal {
namespace {

// The part of the sandbox that seccomp does: which calls of the system are refused.

#if defined(__x86_64__) && !defined(__ILP32__)
constexpr uint32_t kProcessor = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__) && !defined(__ILP32__) && !defined(__AARCH64EB__)
constexpr uint32_t kProcessor = AUDIT_ARCH_AARCH64;
#else
constexpr uint32_t kProcessor = 0;  // numbers and arguments of its calls were not looked at
#endif

// Network, other programs, other processes, the kernel's settings, and io_uring, whose calls no filter sees.
constexpr long kForbidden[] = {
    SYS_socket, SYS_socketpair, SYS_connect, SYS_bind, SYS_listen, SYS_accept, SYS_accept4, SYS_sendto, SYS_sendmsg,
    SYS_sendmmsg, SYS_execve, SYS_execveat, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kcmp, SYS_tkill,
    SYS_shmget, SYS_shmat, SYS_shmctl, SYS_msgget, SYS_msgsnd, SYS_msgrcv, SYS_msgctl, SYS_semget, SYS_semop,
    SYS_semctl, SYS_mq_open, SYS_mq_unlink, SYS_setpriority, SYS_ioprio_set, SYS_unshare, SYS_setns, SYS_mount,
    SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, SYS_add_key,
    SYS_request_key, SYS_keyctl, SYS_open_by_handle_at, SYS_init_module, SYS_finit_module, SYS_delete_module,
    SYS_kexec_load, SYS_reboot, SYS_swapon, SYS_swapoff, SYS_sethostname, SYS_setdomainname, SYS_settimeofday,
    SYS_clock_settime, SYS_adjtimex, SYS_clock_adjtime, SYS_acct, SYS_quotactl, SYS_syslog, SYS_setuid, SYS_setgid,
    SYS_setreuid, SYS_setregid, SYS_setresuid, SYS_setresgid, SYS_setgroups, SYS_capset,
    // Newer than some headers; the same numbers on all processors: pidfd_send_signal, io_uring_setup, _enter and
    // _register, open_tree, move_mount, fsopen to fspick, pidfd_open, pidfd_getfd, process_madvise, mount_setattr,
    // quotactl_fd, process_mrelease.
    424, 425, 426, 427, 428, 429, 430, 431, 432, 433, 434, 438, 440, 442, 443, 448};

constexpr long kWriting[] = {SYS_mkdirat, SYS_mknodat, SYS_renameat2, SYS_linkat, SYS_symlinkat, SYS_unlinkat,
                             SYS_truncate, SYS_fchmod, SYS_fchmodat, SYS_fchown, SYS_fchownat, SYS_utimensat,
                             SYS_setxattr, SYS_lsetxattr, SYS_fsetxattr, SYS_removexattr, SYS_lremovexattr,
                             SYS_fremovexattr,
                             // fchmodat2, setxattrat, removexattrat, file_setattr
                             452, 463, 466, 469};
#ifdef SYS_creat  // older calls, which newer processors lack
constexpr long kOlderWriting[] = {SYS_creat, SYS_mkdir, SYS_mknod, SYS_rename, SYS_link,  SYS_symlink, SYS_unlink,
                                  SYS_rmdir, SYS_chmod, SYS_chown, SYS_lchown, SYS_utime, SYS_utimes,  SYS_futimesat};
#endif

/// The program of a filter: the kernel runs it before each call.
class Filter {
 public:
  Filter() {
    load(offsetof(seccomp_data, arch));
    steps_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kProcessor, 1, 0));
    end(SECCOMP_RET_KILL_PROCESS);  // calls of a 32-bit program: other numbers
    load(offsetof(seccomp_data, nr));
#ifdef __x86_64__
    constexpr uint32_t kOtherNumbers = 0x40000000;  // of the x32 interface
    steps_.push_back(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, kOtherNumbers, 0, 1));
    end(refusal(ENOSYS));
#endif
  }

  void forbid(long call, int error) {
    steps_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, uint32_t(call), 0, 1));
    end(refusal(error));
  }

  /// Forbids a call unless the bits `mask` of argument `index` are `allowed`. Compares the low half of the argument:
  /// flags and process numbers have 32 bits.
  void forbid_unless(long call, size_t index, uint32_t mask, uint32_t allowed, int error) {
    steps_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, uint32_t(call), 0, 5));
    load(offsetof(seccomp_data, args) + index * sizeof(uint64_t));
    steps_.push_back(BPF_STMT(BPF_ALU | BPF_AND | BPF_K, mask));
    steps_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, allowed, 0, 1));
    end(SECCOMP_RET_ALLOW);
    end(refusal(error));
  }

  /// False: `errno` has the reason.
  bool install() {
    end(SECCOMP_RET_ALLOW);
    const sock_fprog program{uint16_t(steps_.size()), steps_.data()};
    return ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0;
  }

 private:
  static uint32_t refusal(int error) { return SECCOMP_RET_ERRNO | uint32_t(error); }
  void load(size_t offset) { steps_.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, uint32_t(offset))); }
  void end(uint32_t action) { steps_.push_back(BPF_STMT(BPF_RET | BPF_K, action)); }

  std::vector<sock_filter> steps_;
};

void forbid_processes(Filter& filter) {
  if (kSanitized) return;  // the search for leaks starts a process that traces this one
  filter.forbid(SYS_ptrace, EPERM);
#ifdef SYS_fork
  filter.forbid(SYS_fork, EPERM);
  filter.forbid(SYS_vfork, EPERM);
#endif
  filter.forbid_unless(SYS_clone, 0, CLONE_THREAD, CLONE_THREAD, EPERM);
  constexpr long kClone3 = 435;
  filter.forbid(kClone3, ENOSYS);  // its flags are in memory; the C library takes clone() then
}

/// Signals may go to this process alone: abort() sends one.
void forbid_signals_to_others(Filter& filter) {
  for (const long call : {SYS_kill, SYS_tgkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo})
    filter.forbid_unless(call, 0, ~uint32_t(0), uint32_t(getpid()), EPERM);
  filter.forbid_unless(SYS_prlimit64, 0, ~uint32_t(0), 0, EPERM);
}

void forbid_writing(Filter& filter) {
  constexpr uint32_t kWritingFlags = O_ACCMODE | O_CREAT | O_TRUNC;
  for (const long call : kWriting) filter.forbid(call, EACCES);
#ifdef SYS_creat
  for (const long call : kOlderWriting) filter.forbid(call, EACCES);
#endif
#ifdef SYS_renameat
  filter.forbid(SYS_renameat, EACCES);
#endif
#ifdef SYS_open
  filter.forbid_unless(SYS_open, 1, kWritingFlags, O_RDONLY, EACCES);
#endif
  filter.forbid_unless(SYS_openat, 2, kWritingFlags, O_RDONLY, EACCES);
  constexpr long kOpenat2 = 437;
  filter.forbid(kOpenat2, ENOSYS);  // its flags are in memory
}

/// Lets calls fail in all threads of this process, those that start later included: what reaches a network, another
/// program or another process gives EPERM, what writes a file or changes a folder EACCES. Needs PR_SET_NO_NEW_PRIVS.
/// Returns what holds now, for people.
std::string limit_system_calls() {
  if (kProcessor == 0) return "no seccomp (unknown on this processor)";
  Filter filter;
  for (const long call : kForbidden) filter.forbid(call, EPERM);
  forbid_processes(filter);
  forbid_signals_to_others(filter);
  forbid_writing(filter);
  if (!filter.install()) return std::string("no seccomp (") + std::strerror(errno) + ")";
  return std::string("seccomp: it writes no file, and has no network and no other ") +
         (kSanitized ? "program" : "process");
}

// The part of the sandbox that Landlock does: which files may be opened.

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

/// Limits this thread, and threads that it starts later, to reading `files`, their folders and all below. It takes all
/// other rights to files. Where the kernel can, it also takes the rights to TCP ports, to other processes' sockets and
/// to signals. Returns one line for people about what holds now.
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

}  // namespace

std::string enter_sandbox(std::span<const std::string> files) {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return "none: the system does not let a process give up rights";
  std::string line = limit_files(files);  // first: the second forbids no call that it makes, but might one day
  line += "; " + limit_system_calls();
  return line;
}

}  // namespace sinew::internal
