#include "system_calls.h"

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
#include <vector>

#include "process_limits.h"

namespace sinew::internal {
namespace {

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

constexpr long kWriting[] = {SYS_mkdirat,
                             SYS_mknodat,
                             SYS_renameat2,
                             SYS_linkat,
                             SYS_symlinkat,
                             SYS_unlinkat,
                             SYS_truncate,
                             SYS_fchmod,
                             SYS_fchmodat,
                             SYS_fchown,
                             SYS_fchownat,
                             SYS_utimensat,
                             SYS_setxattr,
                             SYS_lsetxattr,
                             SYS_fsetxattr,
                             SYS_removexattr,
                             SYS_lremovexattr,
                             SYS_fremovexattr,
#ifdef SYS_creat  // older calls, which newer processors lack
                             SYS_creat,
                             SYS_mkdir,
                             SYS_mknod,
                             SYS_rename,
                             SYS_link,
                             SYS_symlink,
                             SYS_unlink,
                             SYS_rmdir,
                             SYS_chmod,
                             SYS_chown,
                             SYS_lchown,
                             SYS_utime,
                             SYS_utimes,
                             SYS_futimesat,
#endif
#ifdef SYS_renameat
                             SYS_renameat,
#endif
                             452,
                             463,
                             466,
                             469};  // fchmodat2, setxattrat, removexattrat, file_setattr

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
#ifdef SYS_open
  filter.forbid_unless(SYS_open, 1, kWritingFlags, O_RDONLY, EACCES);
#endif
  filter.forbid_unless(SYS_openat, 2, kWritingFlags, O_RDONLY, EACCES);
  constexpr long kOpenat2 = 437;
  filter.forbid(kOpenat2, ENOSYS);  // its flags are in memory
}

}  // namespace

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

}  // namespace sinew::internal
