// The part of a host that draws what a SkinnedCrowd says: pipelines, buffers and descriptor sets of a renderer with one
// light, one texture for each material, and soft shadows on the ground.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "example.h"
#include "sinew/runtime/skinned_crowd.h"

namespace example {

/// The push constants of all shaders.
struct Push {
  glm::mat4 clip_from_world;
  glm::vec4 eye;  // w: seconds
  sinew::Vec4 base_color;
  uint32_t vertex_count = 0, first_stream_vertex = 0;
  uint32_t double_sided = 0;  // else only front faces are seen
};

/// What the camera sees, for the planner.
sinew::crowd::View view_of(const host::Camera& camera, const host::Frame& frame);

class CrowdRenderer {
 public:
  /// For crowds of up to `instance_count` drawn instances: see SkinnedCrowd::instances().
  CrowdRenderer(const host::Device& device, const host::PassFormat& format, uint32_t instance_count);

  /// Uploads static data, where the streams say that it goes: of all models, or of one that was added. The images of
  /// models that are new too.
  void upload(const sinew::vulkan::SkinnedCrowd& crowd, const sinew::vulkan::MeshStreams& streams);

  /// For SkinnedCrowd::write_transforms() in this frame: mapped memory.
  std::span<sinew::Matrix3x4> transforms(const host::Frame& frame);
  /// Colors of the instances of the host, one for each. Without this call all are white.
  void write_tints(const host::Frame& frame, const sinew::vulkan::SkinnedCrowd& crowd,
                   std::span<const sinew::Vec3> tints);

  /// Inside the pass: draws the ground and the sky, and binds what all draws share.
  void begin(const host::Frame& frame, const host::Camera& camera);
  /// The pipelines in the order in which they draw the crowd: shadows, then characters.
  std::array<VkPipeline, 2> pipelines() const { return {shadows_.get(), characters_.get()}; }
  /// Binds the material of a draw.
  void bind(const host::Frame& frame, const sinew::vulkan::Draw& draw);

 private:
  struct OfModel {
    sinew::SharedModel model;
    std::vector<host::Texture> textures;
    std::array<std::vector<host::DescriptorSet>, host::kSlots> sets;  // of each material
  };
  void make_sets(OfModel& own);
  void make_pipelines(const host::Device& device, const host::PassFormat& format);
  void push(VkCommandBuffer cmd) const;

  const host::Device* device_;
  host::Layout layout_;
  host::PipelineHandle background_, shadows_, characters_;
  host::Buffer indices_, static_vertices_;
  std::array<host::Buffer, host::kSlots> transforms_, tints_;  // in the order of SkinnedCrowd::instances()
  uint32_t instance_count_;
  std::vector<OfModel> models_;  // by their numbers in the crowd
  Push push_;
};

}  // namespace example
