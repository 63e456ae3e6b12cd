// Draws what a crowd::Plan says, from the vertices of a skinner, and torches.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "example.h"
#include "sinew/asset/character.h"
#include "sinew/crowd/plan.h"
#include "sinew/import/lod.h"
#include "sinew/vulkan/skinner.h"

namespace festival {

/// One element per instance that is drawn, in the order of crowd::Plan::instances.
struct InstanceData {
  sinew::Matrix3x4 world_from_model;
  sinew::Vec4 tint;
};

class Renderer {
 public:
  /// `meshes` are the levels of detail of `character`, the finest first.
  Renderer(const host::Device& device, const host::PassFormat& format, const sinew::Character& character,
           std::span<const sinew::Mesh* const> meshes, uint32_t instance_count, uint32_t torch_count);

  /// Mapped memory of a frame slot: what the next draw() in this slot reads.
  std::span<InstanceData> instances(uint32_t slot);
  std::span<sinew::Matrix3x4> torches(uint32_t slot);

  /// Inside the render pass.
  void draw(const host::Frame& frame, const host::Camera& camera, const sinew::crowd::Plan& plan,
            const sinew::vulkan::Skinner& skinner);

 private:
  struct Push {
    glm::mat4 clip_from_world;
    glm::vec4 eye;  // w: seconds
    sinew::Vec4 base_color;
    uint32_t vertex_count = 0;
  };
  /// What all instances of a level of detail share.
  struct Level {
    const sinew::Mesh* mesh = nullptr;
    host::Buffer indices, uvs;
    std::array<std::vector<host::DescriptorSet>, host::kSlots> sets;  // of each material
  };
  void make_levels(const host::Device& device, std::span<const sinew::Mesh* const> meshes);
  void make_pipelines(const host::Device& device, const host::PassFormat& format);
  void draw_characters(const host::Frame& frame, const sinew::crowd::Plan& plan, const sinew::vulkan::Skinner& skinner);
  void draw_range(const host::Frame& frame, const Level& level, std::span<const sinew::crowd::PosedMesh> posed_meshes);
  void set_push(VkCommandBuffer cmd) const;

  const sinew::Character& character_;
  uint32_t instance_count_, torch_count_;
  host::Layout layout_;
  host::PipelineHandle background_, shadows_, characters_, torches_, glow_;
  std::vector<host::Texture> textures_;
  std::vector<Level> levels_;
  std::array<host::Buffer, host::kSlots> instance_buffers_, torch_buffers_;
  std::array<host::DescriptorSet, host::kSlots> torch_sets_;
  host::Buffer torch_mesh_;
  uint32_t torch_vertex_count_ = 0;
  Push push_;
  std::vector<sinew::crowd::DrawCommand> commands_;
};

}  // namespace festival
