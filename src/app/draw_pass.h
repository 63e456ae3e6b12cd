// Draws a frame: the backdrop, a soft shadow under everybody, and the crowd.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "camera.h"
#include "draw_list.h"
#include "model_buffers.h"
#include "pipelines.h"
#include "target.h"

namespace sinew::app {

/// What the pass keeps for each frame in flight.
struct DrawSlot {
  Buffer uniforms;
  VkDescriptorSet frame_set = VK_NULL_HANDLE;
  std::vector<VkDescriptorSet> palette_sets;  // of each range, with kVertex
};

class DrawPass {
 public:
  /// `skinning` must have been prepared once: the layout of its ranges decides the draws. All arguments but `scene` and
  /// `models` must outlive the pass. Waits for the device.
  static Result<DrawPass> create(const Device& device, std::span<const Model> models, const Scene& scene,
                                 const Skinning& skinning, const PipelineLayouts& layouts, uint32_t slots);

  /// Replaces the pipelines. The device must be idle.
  Status set_shaders(const PassFormat& format, const ShaderWords& words);

  /// Writes the slot's uniforms and, with kVertex, names this frame's palettes. The slot's last frame must be complete.
  void prepare(uint32_t slot, const Scene& scene, std::span<const SkinnedRange> ranges, const Orbit& camera,
               float aspect);

  /// Records the whole render pass.
  void record(VkCommandBuffer cmd, uint32_t slot, VkRenderPass render_pass, const Target& target,
              std::span<const SkinnedRange> ranges) const;

 private:
  DrawPass() = default;
  Status create_slots(uint32_t slots, size_t range_count);
  void record_crowd(VkCommandBuffer cmd, uint32_t slot, std::span<const SkinnedRange> ranges) const;
  void record_group(VkCommandBuffer cmd, const DrawGroup& group) const;

  const Device* device_ = nullptr;
  const PipelineLayouts* layouts_ = nullptr;
  SkinningMode mode_ = SkinningMode::kCompute;
  Pipelines pipelines_;
  ModelBuffers buffers_;
  DrawList list_;
  uint32_t instance_count_ = 0;
  std::vector<uint32_t> influence_groups_, vertex_counts_;  // of each model, with kVertex
  DescriptorPoolHandle pool_;
  std::vector<DrawSlot> slots_;
};

}  // namespace sinew::app
