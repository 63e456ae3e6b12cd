// Links the library and calls it: an empty crowd refuses a frame, and says so.
#include <sinew/runtime/skinned_crowd.h>
#include <sinew/version.h>

#include <cstdio>

int main() {
  sinew::vulkan::SkinnedCrowd crowd;
  const sinew::Status updated = crowd.update({}, {}, {});
  std::printf("sinew %s: %s\n", SINEW_VERSION_STRING, updated ? "updated" : updated.error().message.c_str());
  return updated ? 1 : 0;
}
