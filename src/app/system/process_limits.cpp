#include "system/process_limits.h"

#include <signal.h>
#include <sys/resource.h>

namespace sinew::app {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

void limit(int what, rlim_t max_value) {
  const rlimit both{max_value, max_value};
  setrlimit(__rlimit_resource_t(what), &both);
}

}  // namespace

void limit_seconds(uint64_t seconds) {
  limit(RLIMIT_CORE, 0);
  const rlimit soon{seconds, seconds + 1};  // at the first, a signal names the cause
  setrlimit(RLIMIT_CPU, &soon);
}

void limit_memory(uint64_t bytes) {
  signal(SIGXFSZ, SIG_IGN);  // writing fails instead
  limit(RLIMIT_FSIZE, bytes / 2);
  if (!kSanitized) limit(RLIMIT_DATA, bytes);
}

}  // namespace sinew::app
