#include <cstdint>

#include "sandbox.h"

// Of the system's <sandbox.h>, which has the name of the header above. The call is deprecated, and nothing has taken
// its place for programs outside of the App Store. `reason` is text that the caller owns.
extern "C" int sandbox_init(const char* profile, uint64_t flags, char** reason);

namespace sinew::internal {
namespace {

// In the language of the system's own profiles. Reading stays free, because the system's libraries read files too.
constexpr const char* kProfile =
    "(version 1)"
    "(allow default)"
    "(deny file-write*)"
    "(deny network*)"
    "(deny process-exec*)"
    "(deny process-fork)"
    "(deny signal (target others))";

}  // namespace

std::string enter_sandbox(std::span<const std::string>) {
  char* reason = nullptr;  // not freed: this process reads one file, and ends
  if (sandbox_init(kProfile, 0, &reason) != 0)
    return std::string("none (") + (reason != nullptr ? reason : "the system does not allow it") + ")";
  return "Seatbelt: it writes no file, and has no network and no other process; it can read what this user can";
}

}  // namespace sinew::internal
