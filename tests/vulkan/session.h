// A session: a host that uses a skinner at random, the same for a seed. After each step all that the skinner says, and
// every vertex, is compared with plain bookkeeping and the CPU skinner.
#pragma once

#include "vulkan/session_plan.h"
#include "vulkan/watched_loader.h"

namespace sinew::test {

/// What the host does after a call has failed.
enum class Way {
  kRetry,    // calls it again
  kGoOn,     // goes on without it: without the mesh, with the group as it was
  kDestroy,  // destroys the skinner
};

/// One call of a whole session that fails, instead of one now and then.
struct SessionFault {
  VkResult result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
  Way way = Way::kRetry;
  int call = -1;         // the number of fallible calls before it; -1: no such fault
  bool of_heap = false;  // `call` counts allocations of host memory by the skinner instead
};

/// What has happened in a session.
struct SessionResult {
  bool fault_met = false;  // a call, or an allocation, has failed as it was to
  bool reported = false;   // a call of the skinner has returned an error because of it
  uint32_t compared_frames = 0;
};

/// Runs `frames` frames, or fewer up to the first failure, whose trace has the seed and all steps before it.
SessionResult run_session(TestDevice& device, WatchedLoader& watch, const SessionSetup& setup, uint32_t seed,
                          uint32_t frames, MetPairs& met, const SessionFault& fault = {});

}  // namespace sinew::test
