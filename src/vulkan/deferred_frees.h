// Objects that frames in flight may still use. Each is freed when its last frame has completed.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "buffer.h"
#include "kernels.h"

namespace sinew::vulkan::internal {

/// `last_frame` is the number of the last frame that uses the object.
class DeferredFrees {
 public:
  /// Reserves room for `count` more objects, so that `count` calls of add() cannot fail.
  void make_room(size_t count) { deferred_.reserve(deferred_.size() + count); }

  void add(uint64_t last_frame, Buffer buffer) { deferred_.push_back({last_frame, std::move(buffer), {}}); }
  void add(uint64_t last_frame, SharedPipeline pipeline) { deferred_.push_back({last_frame, {}, std::move(pipeline)}); }

  /// Frees the objects whose last frame is `last_completed` or an earlier one.
  void free_through(uint64_t last_completed) {
    std::erase_if(deferred_, [&](const Deferred& deferred) { return deferred.last_frame <= last_completed; });
  }

  /// Of the buffers; pipelines are not counted.
  VkDeviceSize size_bytes() const {
    VkDeviceSize sum = 0;
    for (const Deferred& deferred : deferred_) sum += deferred.buffer.size_bytes();
    return sum;
  }

 private:
  struct Deferred {
    uint64_t last_frame = 0;
    Buffer buffer;
    SharedPipeline pipeline;
  };
  std::vector<Deferred> deferred_;
};

}  // namespace sinew::vulkan::internal
