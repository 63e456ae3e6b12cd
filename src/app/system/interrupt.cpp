#include "system/interrupt.h"

#include <csignal>

namespace sinew::app {
namespace {

volatile std::sig_atomic_t interrupted = 0;
struct sigaction before;

void interrupt(int) { interrupted = 1; }

}  // namespace

InterruptFlag::InterruptFlag() {
  sigaction(SIGINT, nullptr, &before);
  if (before.sa_handler == SIG_IGN) return;  // as nohup ignores it: it stays so
  struct sigaction action = {};
  action.sa_handler = interrupt;
  action.sa_flags = int(SA_RESETHAND | SA_RESTART);  // the next one has its usual effect
  sigaction(SIGINT, &action, nullptr);
}

InterruptFlag::~InterruptFlag() { sigaction(SIGINT, &before, nullptr); }

bool InterruptFlag::is_set() { return interrupted != 0; }

}  // namespace sinew::app
