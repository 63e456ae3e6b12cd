// The part of a host that draws what a SkinnedCrowd says: pipelines, buffers and descriptor sets of a renderer with one
// light, one texture for each material, and soft shadows on the ground.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "example.h"
#include "sinew/runtime/skinned_crowd.h"

namespace example {

/// What the shaders read of an instance, in the order of SkinnedCrowd::instances().
struct InstanceData {
  sinew::Matrix3x4 world_from_model;
  sinew::Vec4 tint;
};

/// The push constants of all shaders.
struct Push {
  glm::mat4 clip_from_world;
  glm::vec4 eye;  // w: seconds
  sinew::Vec4 base_color;
  uint32_t vertex_count = 0, first_stream_vertex = 0;
};

/// What the camera sees, for the planner.
sinew::crowd::View view_of(const host::Camera& camera, const host::Frame& frame);

class CrowdRenderer {
 public:
  /// For a crowd whose host has up to `instance_count` instances.
  CrowdRenderer(const host::Device& device, const host::PassFormat& format, const sinew::vulkan::SkinnedCrowd& crowd,
                uint32_t instance_count);

  /// Writes what the draws of this frame read of the instances. `tints` has a color for each instance, or is empty.
  void write_instances(const host::Frame& frame, const sinew::vulkan::SkinnedCrowd& crowd,
                       const sinew::crowd::Instances& instances, std::span<const sinew::Vec3> tints = {});

  /// Inside the pass: draws the ground and the sky, and binds what all draws share.
  void begin(const host::Frame& frame, const host::Camera& camera);
  /// The pipelines in the order in which they draw the crowd: shadows, then characters.
  std::array<VkPipeline, 2> pipelines() const { return {shadows_.get(), characters_.get()}; }
  /// Binds the material of a draw.
  void bind(const host::Frame& frame, const sinew::vulkan::Draw& draw);

  const host::Layout& layout() const { return layout_; }
  const host::Texture& white() const { return models_.front().textures.back(); }

 private:
  struct OfModel {
    sinew::SharedModel model;
    std::vector<host::Texture> textures;
    std::array<std::vector<host::DescriptorSet>, host::kSlots> sets;  // of each material
  };
  void make_sets(const host::Device& device, const sinew::vulkan::SkinnedCrowd& crowd, uint32_t instance_count);
  void make_pipelines(const host::Device& device, const host::PassFormat& format);
  void push(VkCommandBuffer cmd) const;

  host::Layout layout_;
  host::PipelineHandle background_, shadows_, characters_;
  host::Buffer indices_, static_vertices_;
  std::array<host::Buffer, host::kSlots> instances_;
  std::vector<OfModel> models_;
  Push push_;
};

}  // namespace example
