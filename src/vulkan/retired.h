// What frames in flight may still use: kept until the last of them has completed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "buffer.h"
#include "device_table.h"

namespace sinew::vulkan {

class RetireList {
 public:
  /// Room for `count` more, so that add() cannot fail.
  void make_room(size_t count) { retired_.reserve(retired_.size() + count); }

  void add(uint64_t last_frame, Buffer buffer) { retired_.push_back({last_frame, std::move(buffer), {}}); }
  void add(uint64_t last_frame, Owned<VkPipeline> pipeline) {
    retired_.push_back({last_frame, {}, std::move(pipeline)});
  }

  void free_through(uint64_t completed) {
    std::erase_if(retired_, [&](const Retired& retired) { return retired.last_frame <= completed; });
  }

  VkDeviceSize size_bytes() const {
    VkDeviceSize sum = 0;
    for (const Retired& retired : retired_) sum += retired.buffer.size_bytes();
    return sum;
  }

 private:
  struct Retired {
    uint64_t last_frame = 0;
    Buffer buffer;
    Owned<VkPipeline> pipeline;
  };
  std::vector<Retired> retired_;
};

}  // namespace sinew::vulkan
