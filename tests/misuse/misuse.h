// Mistakes of a host, each made for real.
#pragma once

#include <string>
#include <vector>

#include "sinew/asset/result.h"

namespace sinew::test {

/// A mistake, and what the host gets: the message of the error, or what happens instead.
struct Misuse {
  std::string what, gets;
};

template <class Outcome>
std::string outcome_of(const Outcome& outcome) {
  return outcome ? "accepted" : outcome.error().message;
}
inline std::string yes_or(bool holds, const char* expected) {
  return holds ? expected : "NOT: " + std::string(expected);
}

/// Results, evaluators and players.
std::vector<Misuse> animation_misuses();
std::vector<Misuse> crowd_misuses();
std::vector<Misuse> rays_misuses();
/// Empty and `why_not` set without a device. Validation messages are mistakes of their own.
std::vector<Misuse> creation_misuses(std::string& why_not);
std::vector<Misuse> mesh_misuses(std::string& why_not);
std::vector<Misuse> frame_misuses(std::string& why_not);
std::vector<Misuse> skinned_crowd_misuses(std::string& why_not);

}  // namespace sinew::test
