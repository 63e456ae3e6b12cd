#include "canvas.h"

#include <cstring>

#include "sinew/vulkan/draw.h"

namespace steps {
namespace {

using example::check;

constexpr uint32_t kStepVertex[] = {
#include "step.vert.inc"
};
constexpr uint32_t kStepFragment[] = {
#include "step.frag.inc"
};
constexpr uint32_t kBackgroundVertex[] = {
#include "background.vert.inc"
};
constexpr uint32_t kBackgroundFragment[] = {
#include "background.frag.inc"
};

/// The push constants of all shaders.
struct Push {
  glm::mat4 clip_from_world;
  glm::vec4 eye;
};

/// Writes an array into a buffer of this frame slot, which grows where it must.
template <class Element>
void upload(const host::Device& device, const std::vector<Element>& elements, VkBufferUsageFlags usage,
            const char* name, host::Buffer& buffer) {
  const size_t size_bytes = elements.size() * sizeof(Element);
  check(host::fit_upload_buffer(device, {.size_bytes = size_bytes, .usage = usage, .name = name}, buffer));
  std::memcpy(buffer.mapped, elements.data(), size_bytes);
}

}  // namespace

Canvas::Canvas(const host::Options& options, const char* title, const host::Camera& camera) : camera_(camera) {
  check(host::set_up(options, title, graphics_));
  screen_ = check(host::Screen::create(graphics_, options));
  layout_ = check(host::create_layout(device(), {}, sizeof(Push), "layout"));
  const auto create = [&](const host::GraphicsPipelineInfo& info) {
    return check(host::create_graphics_pipeline(device(), screen_->format(), layout_, info));
  };
  background_ =
      create({.name = "background", .vertex = kBackgroundVertex, .fragment = kBackgroundFragment, .depth = false});

  const sinew::vulkan::VertexInput skinned = sinew::vulkan::vertex_input(sinew::vulkan::VertexFormat::kFloat);
  const VkVertexInputBindingDescription bindings[] = {skinned.binding,
                                                      {1, sizeof(sinew::Vec3), VK_VERTEX_INPUT_RATE_VERTEX}};
  const VkVertexInputAttributeDescription attributes[] = {
      skinned.attributes[0],
      skinned.attributes[1],
      {.location = 2, .binding = 1, .format = VK_FORMAT_R32G32B32_SFLOAT}};
  host::GraphicsPipelineInfo info{.name = "surfaces", .vertex = kStepVertex, .fragment = kStepFragment};
  info.bindings = bindings, info.attributes = attributes;
  surfaces_ = create(info);
  info.name = "shadows", info.depth = false, info.constant = 1;  // kShadow of the shaders
  shadows_ = create(info);
}

bool Canvas::begin_frame() {
  frame_ = check(screen_->begin(camera_));
  vertices_.clear(), colors_.clear(), indices_.clear();
  return frame_.has_value();
}

void Canvas::draw(const sinew::Mesh& mesh, std::span<const sinew::Vec3> positions, std::span<const sinew::Vec3> normals,
                  std::span<const sinew::Vec3> colors) {
  const uint32_t first = uint32_t(vertices_.size());
  for (const uint32_t index : mesh.indices) indices_.push_back(first + index);
  for (size_t i = 0; i < positions.size(); ++i) {
    const sinew::Vec3 p = positions[i], n = normals[i];
    vertices_.push_back({{p.x, p.y, p.z}, {n.x, n.y, n.z}});
    colors_.push_back(colors[colors.size() == 1 ? 0 : i]);
  }
}

void Canvas::draw(const sinew::Mesh& mesh, const sinew::Matrix3x4d& world_from_mesh, sinew::Vec3 color) {
  std::vector<sinew::Vec3> positions, normals;
  for (const sinew::Vec3 p : mesh.positions) positions.push_back(sinew::transform_point(world_from_mesh, p));
  for (const sinew::Vec3 n : mesh.normals) normals.push_back(sinew::transform_normal(world_from_mesh, n));
  draw(mesh, positions, normals, {&color, 1});
}

void Canvas::begin_pass() {
  is_drawing_ = true;
  screen_->begin_pass(*frame_);
  const Push push{camera_.clip_from_world(frame_->width, frame_->height), glm::vec4(camera_.eye(), 1)};
  vkCmdPushConstants(frame_->cmd, layout_.pipeline.get(), host::kDrawingStages, 0, sizeof push, &push);
  vkCmdBindPipeline(frame_->cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, background_.get());
  vkCmdDraw(frame_->cmd, 3, 1, 0, 0);
}

void Canvas::draw_triangles() {
  Buffers& buffers = buffers_[frame_->slot];
  upload(device(), vertices_, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, "vertices", buffers.vertices);
  upload(device(), colors_, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, "colors", buffers.colors);
  upload(device(), indices_, VK_BUFFER_USAGE_INDEX_BUFFER_BIT, "indices", buffers.indices);
  const VkBuffer vertex_buffers[] = {buffers.vertices.get(), buffers.colors.get()};
  constexpr VkDeviceSize kOffsets[] = {0, 0};
  vkCmdBindVertexBuffers(frame_->cmd, 0, 2, vertex_buffers, kOffsets);
  vkCmdBindIndexBuffer(frame_->cmd, buffers.indices.get(), 0, VK_INDEX_TYPE_UINT32);
  for (const VkPipeline pipeline : pipelines()) {
    vkCmdBindPipeline(frame_->cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdDrawIndexed(frame_->cmd, uint32_t(indices_.size()), 1, 0, 0, 0);
  }
}

void Canvas::end_frame() {
  if (!is_drawing_) begin_pass();
  if (!indices_.empty()) draw_triangles();
  is_drawing_ = false;
  check(screen_->end(*frame_));
}

}  // namespace steps
