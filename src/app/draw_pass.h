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
  DescriptorPoolHandle palette_pool;
  std::vector<VkDescriptorSet> palette_sets;  // of each page of palettes, with kVertex
  DrawList list;
};

/// How the crowd is drawn.
struct DrawOptions {
  uint32_t passes = 1;    // in all; the last is in colour, those before it draw depth alone
  bool rasterize = true;  // false: vertices are shaded, and nothing more is seen of the crowd
};

/// A frame to draw.
struct DrawnFrame {
  uint32_t slot = 0;
  const Scene& scene;
  const Cast& cast;
  const View& view;
  std::span<const SkinnedRange> ranges;  // of the cast
};

class DrawPass {
 public:
  /// `device` and `layouts` must outlive the pass. Waits for the device.
  static Result<DrawPass> create(const Device& device, std::span<const Model> models, const Skinning& skinning,
                                 const PipelineLayouts& layouts, const DrawOptions& options, uint32_t slots);

  /// Replaces the pipelines. The device must be idle.
  Status set_shaders(PassFormat format, const ShaderWords& words);

  /// Writes what the slot's frame reads: uniforms, attributes of instances, commands. Its last frame must be complete.
  Status prepare(const DrawnFrame& frame);

  /// Records the whole render pass.
  void record(VkCommandBuffer cmd, const DrawnFrame& frame, VkRenderPass render_pass, const Target& target) const;

 private:
  DrawPass() = default;
  Status create_slots(uint32_t slots);
  Status name_palettes(const DrawnFrame& frame);
  void record_backdrop(VkCommandBuffer cmd, const DrawSlot& slot) const;
  void record_passes(VkCommandBuffer cmd, const DrawnFrame& frame) const;
  void record_crowd(VkCommandBuffer cmd, const DrawnFrame& frame) const;
  void record_group(VkCommandBuffer cmd, const DrawList& list, const DrawGroup& group) const;

  const Device* device_ = nullptr;
  const PipelineLayouts* layouts_ = nullptr;
  SkinningMode mode_ = SkinningMode::kCompute;
  DrawOptions options_;
  Pipelines pipelines_;
  ModelBuffers buffers_;
  std::vector<uint32_t> influence_groups_, vertex_counts_;  // of each mesh, with kVertex
  DescriptorPoolHandle pool_;
  std::vector<DrawSlot> slots_;
};

}  // namespace sinew::app
