// Draws a frame: the crowd's shadow maps, then the backdrop, a soft shadow under each instance, and the crowd.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "gpu/frame_slots.h"
#include "gpu/host.h"
#include "render/draw_list.h"
#include "render/draw_options.h"
#include "render/model_buffers.h"
#include "render/pipelines.h"
#include "render/shadow_maps.h"
#include "scene/camera.h"
#include "scene/lines.h"

namespace sinew::app {

/// Resources of the pass for one frame in flight.
struct DrawSlot {
  Buffer uniforms;  // of the camera, then of each shadow map
  VkDescriptorSet frame_set = VK_NULL_HANDLE;
  DescriptorPoolHandle page_pool;
  std::vector<VkBuffer> pages;             // that vertex shaders read; none where no draw is pulled
  std::vector<VkDescriptorSet> page_sets;  // of each page, and maybe more
  DrawList list;
  Buffer lines;  // shared::LineAttributes: those of Lines::tested, then those of Lines::through
  Buffer props;  // StandVertex: Scene::props
  uint32_t prop_vertices = 0;
};

/// A frame to draw.
struct DrawnFrame {
  uint32_t slot = 0;  // frame slot
  const Scene& scene;
  const Skinning& skinning;  // the frame is updated
  const View& view;
  ParallelFor parallel_for;
  const Lines* lines = nullptr;      // null: none
  const FrameSlot* timed = nullptr;  // its DrawTicks are written from the first pass's on; null: none
};

VertexSource choose_source(const Device& device, const SkinningProperties& skinning, VertexFetch fetch);

class DrawPass {
 public:
  /// `device` and `layouts` must outlive the pass. Waits for the device.
  static Result<DrawPass> create(const Device& device, std::span<const Model> models, const Skinning& skinning,
                                 const PipelineLayouts& layouts, const DrawOptions& options, uint32_t slots);
  VertexSource source() const { return format_.source; }

  /// Uploads what stands in the scene besides the crowd. Before the first set_shaders(). Waits for the device.
  Status set_stands(std::span<const StandVertex> vertices);

  /// Makes the shadow maps again, for a target of this size. Needed before the first prepare(). The device must be
  /// idle.
  Status resize(uint32_t width, uint32_t height);

  /// What pipelines are made for from the next set_shaders() on. Not to or from Coloring::kVelocity.
  void set_coloring(Coloring coloring, bool wireframe) { options_.coloring = coloring, options_.wireframe = wireframe; }
  const DrawOptions& options() const { return options_; }

  /// As ModelBuffers has it. The device must be idle.
  Status set_vertex_colors(uint32_t mesh, std::span<const uint32_t> colors) {
    return app::set_vertex_colors(*device_, mesh, colors, buffers_);
  }

  /// Replaces the pipelines. The device must be idle.
  Status set_shaders(const host::PassFormat& target, const ShaderWords& words);

  /// Writes what the frame reads: uniforms, instance attributes, commands. Call it for each frame in turn. The slot's
  /// last frame must be complete.
  Status prepare(const DrawnFrame& frame);

  /// Records all render passes of a prepared frame. `render_pass` is that of `target`.
  void record(VkCommandBuffer cmd, const DrawnFrame& frame, VkRenderPass render_pass, const Target& target) const;

  const ShadowMaps& shadow_maps() const { return shadow_maps_; }

  /// Names of the passes that a frame times.
  std::vector<const char*> timed_passes() const { return app::timed_passes(options_, device_->info.is_cpu()); }

  /// Draw commands of one pass over the crowd, in the frame that `slot` drew.
  uint32_t draw_count(uint32_t slot) const { return slots_[slot].list.command_count; }

  /// For Coloring::kVelocity: of each instance of the frame that `slot` drew.
  std::span<const PreviousAttributes> previous_vertices(uint32_t slot) const {
    const DrawList& list = slots_[slot].list;
    return {static_cast<const PreviousAttributes*>(list.previous.mapped), list.character_count};
  }

 private:
  DrawPass() = default;
  Status create_slots(uint32_t slots);
  bool shows_velocity() const { return options_.coloring == Coloring::kVelocity; }
  void write_uniforms(const DrawnFrame& frame);
  Status write_page_sets(const DrawnFrame& frame);
  void bind_frame(VkCommandBuffer cmd, const DrawSlot& slot, uint32_t view) const;
  void end_timed(const DrawnFrame& frame, uint32_t pass, VkPipelineStageFlagBits stage) const;
  void record_shadows(VkCommandBuffer cmd, const DrawnFrame& frame) const;
  void record_backdrop(VkCommandBuffer cmd, const DrawnFrame& frame) const;
  void record_soft_shadows(VkCommandBuffer cmd, const DrawnFrame& frame) const;
  void record_stands(VkCommandBuffer cmd, const DrawSlot& slot) const;
  void record_passes(VkCommandBuffer cmd, const DrawnFrame& frame) const;
  using CrowdPipeline = PipelineHandle SurfacePipelines::*;
  void record_crowd(VkCommandBuffer cmd, const DrawnFrame& frame, CrowdPipeline pipeline) const;
  void record_alike(VkCommandBuffer cmd, const DrawnFrame& frame, CrowdPipeline pipeline, bool blended) const;
  Status write_lines(const DrawnFrame& frame);
  Status write_props(const DrawnFrame& frame);
  void record_lines(VkCommandBuffer cmd, const DrawnFrame& frame) const;
  void bind_vertices(VkCommandBuffer cmd, const DrawSlot& slot, const vulkan::Draw& draw) const;
  void push_constants(VkCommandBuffer cmd, const Scene& scene, const vulkan::Draw& draw) const;
  void record_draw(VkCommandBuffer cmd, const DrawnFrame& frame, const vulkan::Draw& draw) const;

  const Device* device_ = nullptr;
  const PipelineLayouts* layouts_ = nullptr;
  PassFormat format_;  // of the last set_shaders(); what skinning decides of it stays
  DrawOptions options_;
  Pipelines pipelines_;
  RenderPassHandle shadow_pass_;
  ShadowMaps shadow_maps_;
  VkDeviceSize uniform_stride_ = 0;  // bytes from the uniforms of one view to the next
  ModelBuffers buffers_;
  Buffer stands_;  // StandVertex; null: none
  uint32_t stand_vertices_ = 0;
  DescriptorPoolHandle pool_;
  std::vector<DrawSlot> slots_;
  std::optional<glm::mat4> previous_clip_from_world_;
};

}  // namespace sinew::app
