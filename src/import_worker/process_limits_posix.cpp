#include "process_limits.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

namespace sinew::internal {
namespace {

/// The type of `what` is an enumeration in glibc, and int elsewhere.
void limit(auto what, rlim_t now, rlim_t most) {
  const rlimit both{now, most};
  setrlimit(what, &both);
}

}  // namespace

std::vector<std::string> prepare_process(int argc, char** argv) { return {argv + (argc > 0), argv + argc}; }

std::FILE* take_standard_output() {
  const int own = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  if (own < 0 || ::dup2(STDERR_FILENO, STDOUT_FILENO) < 0) return nullptr;
  return ::fdopen(own, "wb");
}

void limit_process(const WorkerLimits& now, const WorkerLimits& most) {
  limit(RLIMIT_CORE, 0, 0);
  limit(RLIMIT_CPU, now.seconds, most.seconds + 1);  // at the first, a signal names the cause
  signal(SIGXFSZ, SIG_IGN);                          // writing fails instead
  limit(RLIMIT_FSIZE, now.mebibytes << 19, most.mebibytes << 19);
  if (!kSanitized) limit(RLIMIT_DATA, now.mebibytes << 20, most.mebibytes << 20);
}

}  // namespace sinew::internal
