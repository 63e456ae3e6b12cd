#include "system/print.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

namespace sinew::app {
namespace {

PrintTo print_to = PrintTo::kOutput;

Status write(FILE* stream, const char* name, std::string_view text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stream) == text.size() && std::fflush(stream) == 0;
  if (written) return {};
  return Error{ErrorCode::kUnreadable, std::string("cannot write to ") + name + ": " + std::strerror(errno)};
}

}  // namespace

void reserve_standard_streams() {
  std::signal(SIGXFSZ, SIG_IGN);
  for (int descriptor = 0; descriptor < 3; ++descriptor) {
    if (fcntl(descriptor, F_GETFD) >= 0) continue;
    // open() takes the lowest free descriptor. The wrong direction makes each use fail, so that nothing seems to work.
    if (open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY) < 0) return;
  }
}

void set_print(PrintTo where) {
  if (print_to != PrintTo::kNothing) print_to = where;
}

Status print(std::string_view text) {
  if (print_to == PrintTo::kNothing) return {};
  if (print_to == PrintTo::kError) return write(stderr, "standard error", text);
  return write_output(text);
}

Status write_output(std::string_view bytes) { return write(stdout, "standard output", bytes); }

void warn(std::string_view line) {
  const bool colored = shows_colors(stderr);
  std::fprintf(stderr, "%sWARNING%s: %.*s\n", colored ? "\x1b[33m" : "", colored ? "\x1b[0m" : "", int(line.size()),
               line.data());
}

bool shows_colors(FILE* stream) {
  const char *forbids = std::getenv("NO_COLOR"), *terminal = std::getenv("TERM");
  return isatty(fileno(stream)) && !(forbids && *forbids) && !(terminal && std::strcmp(terminal, "dumb") == 0);
}

std::string emphasized(const std::string& heading) {
  return shows_colors(stdout) ? "\x1b[1m" + heading + "\x1b[0m" : heading;
}

}  // namespace sinew::app
