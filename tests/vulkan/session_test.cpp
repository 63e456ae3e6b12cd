// Sessions of hosts with a skinner, see session.h: every feature beside every other one, and every call that can fail.
// SINEW_SESSION=<seed> in the environment runs the session of one seed alone.
#include "vulkan/session.h"

#include <cstdio>
#include <cstdlib>

#include "long_run.h"

namespace sinew::test {
namespace {

constexpr uint32_t kSessions = 90, kSessionFrames = 8;  // in the long run ten times as many

class Sessions : public SkinnerTest {
 protected:
  void SetUp() override { use_device({.across_submits = true}); }
  void use_device(const TestDeviceOptions& options) {
    make_device(options);
    if (device_ != nullptr) watch_->keep_pipelines = true;
  }

  MetPairs met_;
};

TEST_F(Sessions, MeetEveryPairOfFeatures) {
  const char* const only = std::getenv("SINEW_SESSION");
  const uint32_t first = only != nullptr ? uint32_t(std::atoi(only)) : 1;
  const uint32_t count = only != nullptr ? 1 : is_long_run() ? 10 * kSessions : kSessions;
  uint32_t compared = 0;
  for (uint32_t seed = first; seed < first + count && !HasFailure(); ++seed)
    compared +=
        run_session(*device_, *watch_, make_setup(skinner_info(), seed), seed, kSessionFrames, met_).compared_frames;
  const std::vector<std::string> missing = met_.missing();
  std::printf("frames compared: %u, pairs of features not met: %zu\n", compared, missing.size());
  if (only != nullptr || HasFailure()) return;
  for (const std::string& pair : missing) ADD_FAILURE() << "not met: " << pair;
}

/// Every call of a short session that can fail, fails by itself: with one of the results, and the host goes on in one
/// of three ways; in the long run with each result and in each way. Of the allocations of host memory one in
/// kHeapStride fails.
class FaultSweep : public Sessions {
 protected:
  static constexpr uint32_t kSweptSeed = 3, kSweptFrames = 3;
  static constexpr int kWays = 3, kHeapStride = 5;

  SessionSetup swept_setup(bool host_allocator) const {
    SessionSetup setup{.info = skinner_info(), .own_memory = true, .host_allocator = host_allocator};
    setup.info.tuning.max_page_bytes = 8000;
    setup.info.tuning.by_influences = false;
    setup.info.consumers = vulkan::kTransferRead;
    setup.info.barriers = host_allocator ? vulkan::Barriers::kHost : vulkan::Barriers::kLibrary;
    setup.info.update_groups = host_allocator ? 2 : 1;
    setup.info.keep_previous = host_allocator;
    return setup;
  }
  void sweep(bool host_allocator, std::initializer_list<VkResult> results, bool of_heap) {
    int points = 0, reported = 0;
    const int stride = of_heap && !is_long_run() ? kHeapStride : 1;
    const int turns = !is_long_run() ? kWays * int(results.size()) : of_heap ? kWays : 1;
    int turn = 0;
    for (SessionFault fault{.of_heap = of_heap}; const VkResult result : results) {
      fault.result = result;
      for (const Way way : {Way::kRetry, Way::kGoOn, Way::kDestroy}) {
        fault.way = way;
        fault.call = turn++ % turns * stride;
        for (bool met = true; met && !HasFailure(); fault.call += turns * stride) {
          SCOPED_TRACE(testing::Message() << "result " << result << ", way " << int(way) << ", call " << fault.call);
          const SessionResult survived =
              run_session(*device_, *watch_, swept_setup(host_allocator), kSweptSeed, kSweptFrames, met_, fault);
          met = survived.fault_met;
          points += met, reported += survived.reported;
        }
      }
    }
    EXPECT_GT(reported, 50);
    std::printf("fault points, all survived: %d, reported as errors: %d\n", points, reported);
  }
};

constexpr auto kFaults = {VK_ERROR_OUT_OF_DEVICE_MEMORY, VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_DEVICE_LOST};

TEST_F(FaultSweep, WithTheLibrarysMemoryAndBarriers) { sweep(false, kFaults, false); }
TEST_F(FaultSweep, WithTheHostsAllocatorAndUpdateGroups) { sweep(true, kFaults, false); }

/// Without validation: the layers allocate on this thread, too.
TEST_F(FaultSweep, OfHostMemory) {
  use_device({.validate = false});
  if (device_ != nullptr) sweep(false, {VK_ERROR_OUT_OF_HOST_MEMORY}, true);
}
TEST_F(FaultSweep, OfHostMemoryWithTheHostsAllocator) {
  use_device({.validate = false});
  if (device_ != nullptr) sweep(true, {VK_ERROR_OUT_OF_HOST_MEMORY}, true);
}

}  // namespace
}  // namespace sinew::test
