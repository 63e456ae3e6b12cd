// One frame from end to end, in Renderer::draw_frame(): update the crowd, prepare its draws, record both, submit.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "gpu/frame_slots.h"
#include "gpu/host.h"
#include "render/depth_history.h"
#include "render/draw_options.h"
#include "render/draw_pass.h"
#include "scene/camera.h"
#include "scene/crowd_input.h"
#include "skinning/skinning.h"

namespace sinew::app {

struct RendererInfo {
  SkinningInfo skinning;       // its planner options without the memory budget
  uint64_t memory_budget = 0;  // bytes; 0: none
  DrawOptions draw;
  uint32_t samples = 4;    // 1 or 4 per pixel; 1 where the device has no more
  bool occlusion = false;  // instances hidden in an earlier frame are left out; only with one sample per pixel
  uint32_t width = 1280, height = 720;
};

struct FrameRequest {
  double seconds = 0;  // scene time
  Orbit camera;
  const Presentation* presentation = nullptr;  // null: the picture is not copied
  const Lines* lines = nullptr;                // null: none
  const Overlay* overlay = nullptr;            // null: none
  std::optional<Inset> inset = {};             // under the overlay; none: no part is magnified
  std::optional<Orbit> planned_for = {};       // the camera that the plan is made for; none: `camera`
};

class Renderer {
 public:
  /// `device`, `models`, `scene` and the evaluation in `info` must outlive the renderer.
  static Result<std::unique_ptr<Renderer>> create(const Device& device, std::span<const Model> models,
                                                  const Scene& scene, const RendererInfo& info);
  ~Renderer();  // waits for the device

  /// Waits until the next frame's slot is free. Returns the semaphore that must be signaled when a window's image is
  /// acquired.
  Result<VkSemaphore> begin_frame();

  /// Draws and submits the frame that begin_frame() began. After an error the frame is not drawn, and the next one may
  /// be: it updates every pose.
  Status draw_frame(const FrameRequest& request);

  /// Waits for all frames.
  Status finish();

  /// The times of the frames completed since the last call, in order.
  std::vector<FrameTimes> take_times();

  /// These two wait for the device. The old picture is freed before the new one is made: after an error draw_frame()
  /// fails until one of the two succeeds.
  Status resize(uint32_t width, uint32_t height);
  Status set_samples(uint32_t samples);

  /// Those that it draws with: of the build, until others are set.
  const std::shared_ptr<const ShaderWords>& shaders() const { return words_; }
  /// Where it fails, shaders() stay. Waits for the device.
  Status set_shaders(std::shared_ptr<const ShaderWords> words);

  /// Changes colors, or wireframe; not to or from Coloring::kVelocity. Where it fails nothing changes. Waits for the
  /// device.
  Status set_coloring(Coloring coloring, bool wireframe);
  /// A color for each vertex of a mesh, rgba8, for Coloring::kVertices. Meshes are the levels of each model in turn.
  /// Waits for the device.
  Status set_vertex_colors(uint32_t mesh, std::span<const uint32_t> colors);

  const Target& target() const { return target_; }
  uint32_t samples() const { return samples_; }  // per pixel
  const Skinning& skinning() const { return *skinning_; }
  Skinning& skinning() { return *skinning_; }
  const crowd::Planner& planner() const { return skinning_->planner(); }
  const ShadowMaps& shadow_maps() const { return draw_pass_->shadow_maps(); }
  const crowd::Plan& plan() const { return skinning_->plan(); }  // of the last frame drawn
  /// What a ray hits in the last frame drawn, as SkinnedCrowd::pick() has it. The scene must be as in that frame.
  Result<std::optional<crowd::PickHit>> pick(const crowd::Ray& ray) const {
    return skinning_->crowd().pick(input_->instances(), ray);
  }
  std::vector<const char*> timed_passes() const { return draw_pass_->timed_passes(); }
  VertexSource vertex_source() const { return draw_pass_->source(); }
  /// Draw commands of one pass over the crowd, in the last frame.
  uint32_t draw_count() const { return draw_pass_->draw_count(slot_index()); }
  /// Of each instance drawn in the last frame; with Coloring::kVelocity.
  std::span<const PreviousAttributes> previous_vertices() const { return draw_pass_->previous_vertices(slot_index()); }

 private:
  Renderer(const Device& device, std::span<const Model> models, const Scene& scene)
      : device_(device), models_(models), scene_(scene) {}
  Status build(const RendererInfo& info);
  Status create_slots(const SkinningProperties& properties, const DrawOptions& draw);
  Status create_skinning();
  bool keeps_depth() const { return occlusion_ && samples_ == VK_SAMPLE_COUNT_1_BIT; }
  DepthMoment moment_of(const View& view, double seconds) const { return {view, seconds, scene_.meters_per_second}; }
  host::PassFormat format() const { return {render_pass_.get(), samples_}; }
  Status complete(FrameSlot& slot);
  uint32_t slot_index() const { return uint32_t(number_ % slots_.size()); }

  /// The frame that passes through the stages. They set the times of its slot.
  struct CurrentFrame {
    const FrameRequest& request;
    FrameSlot& slot;
    View view;  // set by update_crowd()
  };
  FrameSlot& next_slot();
  View view_from(const Orbit& camera) const;
  DrawnFrame drawn(const CurrentFrame& current) const;
  Status update_crowd(CurrentFrame& current);
  Status prepare_frame(CurrentFrame& current);
  Status prepare_draws(CurrentFrame& current);
  Status create_overlay_pass();
  Status prepare_overlay(const Overlay& overlay);
  void record_commands(CurrentFrame& current);
  void record_apart(const CurrentFrame& current);
  void record_skinning(const FrameSlot& slot);
  void record_drawing(const CurrentFrame& current);
  Status submit_commands(CurrentFrame& current);

  const Device& device_;
  std::span<const Model> models_;
  const Scene& scene_;
  bool occlusion_ = false;
  DepthHistory depths_;  // with keeps_depth()
  VkSampleCountFlagBits samples_ = VK_SAMPLE_COUNT_1_BIT;
  RenderPassHandle render_pass_;
  PipelineLayouts layouts_;
  std::shared_ptr<const ShaderWords> words_;
  ParallelFor parallel_for_;  // on the evaluation's threads
  std::unique_ptr<CrowdInput> input_;
  SkinningInfo skinning_info_;
  std::optional<Skinning> skinning_;
  std::optional<DrawPass> draw_pass_;
  std::optional<OverlayPass> overlay_pass_;  // created for the first frame with an overlay
  Target target_;
  bool has_target_ = false;  // with the shadow maps and framebuffers for its size
  std::vector<FrameSlot> slots_;
  FrameTimelines timelines_;
  std::vector<FrameTimes> times_;
  CpuSpan waited_;                       // by the last begin_frame()
  uint64_t number_ = 0, completed_ = 0;  // last frame begun, last frame completed
};

}  // namespace sinew::app
