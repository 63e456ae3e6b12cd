#include "system/print.h"

#include <fcntl.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>

namespace sinew::app {

void reserve_standard_streams() {
  std::signal(SIGXFSZ, SIG_IGN);
  for (int descriptor = 0; descriptor < 3; ++descriptor) {
    if (fcntl(descriptor, F_GETFD) >= 0) continue;
    // open() takes the lowest free descriptor. The wrong direction makes each use fail, so that nothing seems to work.
    if (open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY) < 0) return;
  }
}

Status print(std::string_view text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (written) return {};
  return Error{ErrorCode::kUnreadable, std::string("cannot write to standard output: ") + std::strerror(errno)};
}

}  // namespace sinew::app
