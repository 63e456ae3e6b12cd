#include "renderer.h"

#include <cmath>
#include <numbers>

#include "sinew/vulkan/draw.h"

namespace festival {
namespace {

using example::check;
using sinew::Vec3;

constexpr VkDescriptorType kStorage = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
constexpr VkBufferUsageFlags kRead = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;

constexpr uint32_t kCharacterVertex[] = {
#include "character.vert.inc"
};
constexpr uint32_t kCharacterFragment[] = {
#include "character.frag.inc"
};
constexpr uint32_t kBackgroundVertex[] = {
#include "background.vert.inc"
};
constexpr uint32_t kBackgroundFragment[] = {
#include "background.frag.inc"
};
constexpr uint32_t kTorchVertex[] = {
#include "torch.vert.inc"
};
constexpr uint32_t kTorchFragment[] = {
#include "torch.frag.inc"
};
constexpr uint32_t kGlowVertex[] = {
#include "glow.vert.inc"
};
constexpr uint32_t kGlowFragment[] = {
#include "glow.frag.inc"
};

struct TorchVertex {
  Vec3 position, color;
};

/// A solid of revolution about the y axis. Each ring is a height, a radius and a color.
struct Ring {
  float height, radius;
  Vec3 color;
};
void add_solid(std::span<const Ring> rings, std::vector<TorchVertex>& vertices) {
  constexpr uint32_t kSides = 7;
  const auto vertex = [](const Ring& ring, uint32_t side) {
    const float angle = float(side) * 2 * std::numbers::pi_v<float> / kSides;
    return TorchVertex{{ring.radius * std::cos(angle), ring.height, ring.radius * std::sin(angle)}, ring.color};
  };
  for (size_t r = 0; r + 1 < rings.size(); ++r) {
    for (uint32_t side = 0; side < kSides; ++side) {
      const TorchVertex a = vertex(rings[r], side), b = vertex(rings[r], side + 1);
      const TorchVertex c = vertex(rings[r + 1], side), d = vertex(rings[r + 1], side + 1);
      vertices.insert(vertices.end(), {a, b, c, b, d, c});
    }
  }
}

/// A stick with a flame, in meters; the hand is at the origin. Colors above 1 shine.
std::vector<TorchVertex> make_torch() {
  constexpr Vec3 kWood{0.20f, 0.11f, 0.05f}, kCloth{0.10f, 0.07f, 0.05f};
  constexpr Vec3 kRed{2.0f, 0.42f, 0.05f}, kYellow{3.2f, 1.35f, 0.28f};
  constexpr Ring kStick[] = {{-0.20f, 0, kWood},     {-0.20f, 0.016f, kWood}, {0.30f, 0.022f, kWood},
                             {0.30f, 0.04f, kCloth}, {0.40f, 0.045f, kCloth}, {0.41f, 0, kCloth}};
  constexpr Ring kFlame[] = {
      {0.37f, 0.03f, kRed}, {0.44f, 0.075f, kYellow}, {0.52f, 0.06f, kYellow}, {0.62f, 0.03f, kRed}, {0.72f, 0, kRed}};
  std::vector<TorchVertex> vertices;
  add_solid(kStick, vertices);
  add_solid(kFlame, vertices);
  return vertices;
}

}  // namespace

Renderer::Renderer(const host::Device& device, const host::PassFormat& format, const sinew::Character& character,
                   std::span<const sinew::Mesh* const> meshes, uint32_t instance_count, uint32_t torch_count)
    : character_(character),
      instance_count_(instance_count),
      torch_count_(torch_count),
      layout_(check(host::create_layout(device, {kStorage, kStorage, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER},
                                        sizeof(Push), "layout"))),
      textures_(example::upload_images(device, character)) {
  const std::vector<TorchVertex> torch = make_torch();
  torch_vertex_count_ = uint32_t(torch.size());
  torch_mesh_ = check(host::create_buffer_of(device, torch, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, "torch"));
  for (uint32_t slot = 0; slot < host::kSlots; ++slot) {
    const auto mapped = [&](size_t bytes, const char* name) {
      return check(host::create_buffer(device, bytes, kRead, host::MemoryKind::kUpload, name));
    };
    instance_buffers_[slot] = mapped(instance_count * sizeof(InstanceData), "instances");
    const host::Buffer& torches = torch_buffers_[slot] = mapped(torch_count * sizeof(sinew::Matrix3x4), "torches");
    torch_sets_[slot] = check(host::create_set(device, layout_, {torches, torches, textures_.back()}, "torches"));
  }
  make_levels(device, meshes);
  make_pipelines(device, format);
}

void Renderer::make_levels(const host::Device& device, std::span<const sinew::Mesh* const> meshes) {
  for (const sinew::Mesh* mesh : meshes) {
    Level& level = levels_.emplace_back();
    level.mesh = mesh;
    level.indices = check(host::create_buffer_of(device, mesh->indices, VK_BUFFER_USAGE_INDEX_BUFFER_BIT, "indices"));
    level.uvs = check(host::create_buffer_of(device, mesh->uvs, kRead, "uvs"));
    for (uint32_t slot = 0; slot < host::kSlots; ++slot) {
      for (const sinew::Material& material : character_.materials) {
        const host::Texture& texture = example::texture_of(material, textures_);
        level.sets[slot].push_back(
            check(host::create_set(device, layout_, {instance_buffers_[slot], level.uvs, texture}, material.name)));
      }
    }
  }
}

void Renderer::make_pipelines(const host::Device& device, const host::PassFormat& format) {
  const auto create = [&](const host::GraphicsPipelineInfo& info) {
    return check(host::create_graphics_pipeline(device, format, layout_, info));
  };
  background_ =
      create({.name = "background", .vertex = kBackgroundVertex, .fragment = kBackgroundFragment, .depth = false});
  const auto input = sinew::vulkan::vertex_input(sinew::vulkan::VertexFormat::kOctahedral);
  host::GraphicsPipelineInfo character{
      .name = "characters", .vertex = kCharacterVertex, .fragment = kCharacterFragment};
  character.bindings = {&input.binding, 1};
  character.attributes = std::span(input.attributes).first(input.attribute_count);
  characters_ = create(character);
  character.name = "shadows", character.depth = false, character.constant = 1;  // kShadow of the shaders
  shadows_ = create(character);

  constexpr VkVertexInputBindingDescription kBinding{0, sizeof(TorchVertex), VK_VERTEX_INPUT_RATE_VERTEX};
  constexpr VkVertexInputAttributeDescription kAttributes[] = {{0, 0, VK_FORMAT_R32G32B32_SFLOAT, 0},
                                                               {1, 0, VK_FORMAT_R32G32B32_SFLOAT, sizeof(Vec3)}};
  torches_ = create({.name = "torches",
                     .vertex = kTorchVertex,
                     .fragment = kTorchFragment,
                     .bindings = {&kBinding, 1},
                     .attributes = kAttributes});
  glow_ = create({.name = "glow", .vertex = kGlowVertex, .fragment = kGlowFragment, .blend = host::Blend::kAdd});
}

std::span<InstanceData> Renderer::instances(uint32_t slot) {
  return {static_cast<InstanceData*>(instance_buffers_[slot].mapped), instance_count_};
}

std::span<sinew::Matrix3x4> Renderer::torches(uint32_t slot) {
  return {static_cast<sinew::Matrix3x4*>(torch_buffers_[slot].mapped), torch_count_};
}

void Renderer::set_push(VkCommandBuffer cmd) const {
  vkCmdPushConstants(cmd, layout_.pipeline.get(), host::kDrawingStages, 0, sizeof push_, &push_);
}

void Renderer::draw(const host::Frame& frame, const host::Camera& camera, const sinew::crowd::Plan& plan,
                    const sinew::vulkan::Skinner& skinner) {
  const VkCommandBuffer cmd = frame.cmd;
  push_ = {camera.clip_from_world(frame.width, frame.height), glm::vec4(camera.eye(), float(frame.seconds)), {}, 0};
  set_push(cmd);
  vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, background_.get());
  vkCmdDraw(cmd, 3, 1, 0, 0);
  for (const VkPipeline drawn : {shadows_.get(), characters_.get()}) {  // skinned once, drawn twice
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, drawn);
    draw_characters(frame, plan, skinner);
  }
  if (torch_count_ == 0) return;
  vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, layout_.pipeline.get(), 0, 1,
                          &torch_sets_[frame.slot].handle, 0, nullptr);
  vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, torches_.get());
  constexpr VkDeviceSize kStart = 0;
  const VkBuffer mesh = torch_mesh_.get();
  vkCmdBindVertexBuffers(cmd, 0, 1, &mesh, &kStart);
  vkCmdDraw(cmd, torch_vertex_count_, torch_count_, 0, 0);
  vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, glow_.get());
  vkCmdDraw(cmd, 12, torch_count_, 0, 0);
}

/// The ranges of all groups: those that were not skinned in this frame still have their vertices.
void Renderer::draw_characters(const host::Frame& frame, const sinew::crowd::Plan& plan,
                               const sinew::vulkan::Skinner& skinner) {
  for (uint32_t g = 0; g < plan.groups.size(); ++g) {
    for (const sinew::vulkan::InstanceRange& range : skinner.ranges(g)) {
      const sinew::crowd::PosedBatch& batch = plan.batches[plan.groups[g].first_batch + range.batch];
      vkCmdBindVertexBuffers(frame.cmd, 0, 1, &range.vertices, &range.vertices_offset);
      draw_range(frame, levels_[batch.level],
                 std::span(plan.posed_meshes).subspan(batch.first_mesh + range.first_instance, range.instance_count));
    }
  }
}

void Renderer::draw_range(const host::Frame& frame, const Level& level,
                          std::span<const sinew::crowd::PosedMesh> posed_meshes) {
  vkCmdBindIndexBuffer(frame.cmd, level.indices.get(), 0, VK_INDEX_TYPE_UINT32);
  commands_.resize(sinew::crowd::count_draws(posed_meshes));
  for (const sinew::MeshPart& part : level.mesh->parts) {
    if (part.index_count == 0) continue;  // coarse levels may lose a part
    vkCmdBindDescriptorSets(frame.cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, layout_.pipeline.get(), 0, 1,
                            &level.sets[frame.slot][part.material].handle, 0, nullptr);
    push_.base_color = character_.materials[part.material].base_color;
    push_.vertex_count = level.mesh->vertex_count();
    set_push(frame.cmd);
    const sinew::crowd::DrawInfo info{part.first_index, part.index_count, 0, push_.vertex_count};
    sinew::crowd::write_draws(posed_meshes, info, commands_);  // or into a buffer of vkCmdDrawIndexedIndirect()
    for (const sinew::crowd::DrawCommand& c : commands_)
      vkCmdDrawIndexed(frame.cmd, c.index_count, c.instance_count, c.first_index, c.vertex_offset, c.first_instance);
  }
}

}  // namespace festival
