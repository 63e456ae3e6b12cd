#include "crowd_renderer.h"

#include <algorithm>
#include <cstring>
#include <span>

#include "sinew/vulkan/draw.h"

namespace example {
namespace {

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

/// What the shaders read of a vertex besides its position and normal; the same for all instances.
struct StaticVertex {
  sinew::Vec2 uv;
  sinew::VertexColor color;
};

std::vector<StaticVertex> static_vertices(const sinew::vulkan::MeshStreams& streams) {
  std::vector<StaticVertex> vertices(streams.base_color_uvs.size());
  for (size_t i = 0; i < vertices.size(); ++i) vertices[i].uv = streams.base_color_uvs[i];
  for (size_t i = 0; i < streams.colors.size(); ++i) vertices[i].color = streams.colors[i];  // else white
  return vertices;
}

/// Writes elements of a buffer from `first` on: frames in flight read others. Where it is too small it moves, with what
/// it has, when these have finished; true then.
template <class Element>
bool put(const host::Device& device, const std::vector<Element>& list, size_t first, VkBufferUsageFlags usage,
         host::Buffer& buffer) {
  const size_t end_bytes = (first + list.size()) * sizeof(Element), had_bytes = buffer.size_bytes;
  const bool moves = end_bytes > had_bytes;
  if (moves) {
    vkDeviceWaitIdle(device.handle);
    host::Buffer larger = check(host::create_buffer(device, had_bytes > 0 ? 2 * end_bytes : end_bytes, usage,
                                                    host::MemoryKind::kUpload, "streams"));
    if (had_bytes > 0) std::memcpy(larger.mapped, buffer.mapped, had_bytes);
    buffer = std::move(larger);
  }
  std::copy(list.begin(), list.end(), static_cast<Element*>(buffer.mapped) + first);
  return moves;
}

constexpr VkDescriptorType kStorage = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
constexpr VkBufferUsageFlags kRead = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;

}  // namespace

sinew::crowd::View view_of(const host::Camera& camera, const host::Frame& frame) {
  const glm::mat4 matrix = camera.clip_from_world(frame.width, frame.height);
  const std::span<const float, 16> clip_from_world(&matrix[0][0], 16);
  const sinew::Vec3 eye{camera.eye().x, camera.eye().y, camera.eye().z};
  return sinew::crowd::View::from_camera(clip_from_world, eye, camera.field_of_view, float(frame.height));
}

CrowdRenderer::CrowdRenderer(const host::Device& device, const host::PassFormat& format, uint32_t instance_count)
    : device_(&device),
      layout_(check(host::create_layout(
          device, {kStorage, kStorage, kStorage, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER}, sizeof(Push), "layout"))),
      instance_count_(instance_count) {
  const auto create = [&](size_t bytes, const char* name) {
    return check(host::create_buffer(device, instance_count * bytes, kRead, host::MemoryKind::kUpload, name));
  };
  for (uint32_t slot = 0; slot < host::kSlots; ++slot) {
    transforms_[slot] = create(sizeof(sinew::Matrix3x4), "transforms");
    tints_[slot] = create(sizeof(sinew::Vec4), "tints");
    std::fill_n(static_cast<sinew::Vec4*>(tints_[slot].mapped), instance_count, sinew::Vec4{1, 1, 1, 1});
  }
  make_pipelines(device, format);
}

void CrowdRenderer::upload(const sinew::vulkan::SkinnedCrowd& crowd, const sinew::vulkan::MeshStreams& streams) {
  put(*device_, streams.indices, streams.first_index, VK_BUFFER_USAGE_INDEX_BUFFER_BIT, indices_);
  const bool has_moved = put(*device_, static_vertices(streams), streams.first_vertex, kRead, static_vertices_);
  models_.resize(crowd.models().size());
  for (size_t m = 0; m < models_.size(); ++m) {
    // A removed model stays here as long as frames in flight may show it: until another one gets its number.
    OfModel& own = models_[m];
    const sinew::SharedModel& model = crowd.models()[m];
    const bool is_new = model && model != own.model;
    if (is_new) own = {model, upload_images(*device_, model->character), {}};
    if (is_new || (own.model && has_moved)) make_sets(own);
  }
}

void CrowdRenderer::make_sets(OfModel& own) {
  for (uint32_t slot = 0; slot < host::kSlots; ++slot) {
    own.sets[slot].clear();
    for (const sinew::Material& material : own.model->character.materials) {
      const host::Texture& texture = texture_of(material, own.textures);
      own.sets[slot].push_back(check(host::create_set(
          *device_, layout_, {transforms_[slot], tints_[slot], static_vertices_, texture}, material.name)));
    }
  }
}

/// vertex_input() describes skinned vertices; sinew/vulkan/skinned_vertex.glsl decodes them.
void CrowdRenderer::make_pipelines(const host::Device& device, const host::PassFormat& format) {
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
}

std::span<sinew::Matrix3x4> CrowdRenderer::transforms(const host::Frame& frame) {
  return {static_cast<sinew::Matrix3x4*>(transforms_[frame.slot].mapped), instance_count_};
}

void CrowdRenderer::write_tints(const host::Frame& frame, const sinew::vulkan::SkinnedCrowd& crowd,
                                std::span<const sinew::Vec3> tints) {
  auto* out = static_cast<sinew::Vec4*>(tints_[frame.slot].mapped);
  for (const uint32_t instance : crowd.instances())
    *out++ = {tints[instance].x, tints[instance].y, tints[instance].z, 1};
}

void CrowdRenderer::push(VkCommandBuffer cmd) const {
  vkCmdPushConstants(cmd, layout_.pipeline.get(), host::kDrawingStages, 0, sizeof push_, &push_);
}

void CrowdRenderer::begin(const host::Frame& frame, const host::Camera& camera) {
  push_ = {camera.clip_from_world(frame.width, frame.height), glm::vec4(camera.eye(), float(frame.seconds)), {}};
  push(frame.cmd);
  vkCmdBindPipeline(frame.cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, background_.get());
  vkCmdDraw(frame.cmd, 3, 1, 0, 0);
  vkCmdBindIndexBuffer(frame.cmd, indices_.get(), 0, VK_INDEX_TYPE_UINT32);
}

void CrowdRenderer::bind(const host::Frame& frame, const sinew::vulkan::Draw& draw) {
  const OfModel& own = models_[draw.model];
  vkCmdBindDescriptorSets(frame.cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, layout_.pipeline.get(), 0, 1,
                          &own.sets[frame.slot][draw.material].handle, 0, nullptr);
  const sinew::Material& material = own.model->character.materials[draw.material];
  push_.base_color = material.base_color, push_.double_sided = material.double_sided;
  push_.vertex_count = draw.vertex_count, push_.first_stream_vertex = draw.first_stream_vertex;
  push(frame.cmd);
}

}  // namespace example
