#include "system/interrupt.h"

#include <csignal>
#include <iterator>

namespace sinew::app {
namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM};
volatile std::sig_atomic_t interrupted = 0;
struct sigaction before[std::size(kSignals)];

void interrupt(int) { interrupted = 1; }

}  // namespace

InterruptFlag::InterruptFlag() {
  struct sigaction action = {};
  action.sa_handler = interrupt;
  action.sa_flags = int(SA_RESETHAND | SA_RESTART);  // the next one has its usual effect
  for (size_t i = 0; i < std::size(kSignals); ++i) {
    sigaction(kSignals[i], nullptr, &before[i]);
    // Whoever ignores a signal, as nohup does, wants it to be ignored.
    if (before[i].sa_handler != SIG_IGN) sigaction(kSignals[i], &action, nullptr);
  }
}

InterruptFlag::~InterruptFlag() {
  for (size_t i = 0; i < std::size(kSignals); ++i) sigaction(kSignals[i], &before[i], nullptr);
}

bool InterruptFlag::is_set() { return interrupted != 0; }

}  // namespace sinew::app
