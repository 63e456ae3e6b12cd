// Motion vectors: the skinner keeps the vertices of the frame before, and the vertex shader reads both. The picture
// shows the motion of each pixel as a color: red to the right, cyan to the left, gray where nothing moves.
//
// Rows from the front: characters that walk to the right and to the left, dance, run, and stand still.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <span>
#include <vector>

#include "example.h"
#include "sinew/glm.h"
#include "sinew/sinew.h"

namespace {

using example::check;

constexpr uint32_t kRowSize = 9;
constexpr float kSpacing = 1.6f, kRowWidth = kRowSize * kSpacing;  // meters

constexpr uint32_t kVelocityVertex[] = {
#include "velocity.vert.inc"
};
constexpr uint32_t kVelocityFragment[] = {
#include "velocity.frag.inc"
};
constexpr uint32_t kBackgroundVertex[] = {
#include "background.vert.inc"
};
constexpr uint32_t kBackgroundFragment[] = {
#include "background.frag.inc"
};

struct Push {
  glm::mat4 clip_from_world;
  glm::vec4 eye;
  float aspect = 1;
};

/// What the shaders read of the scene: two cameras, then the instances.
struct Cameras {
  glm::mat4 clip_from_world, clip_from_world_before;
};
struct Instance {
  sinew::Matrix3x4 world_from_model, world_from_model_before;
};

/// A row of characters that play one clip and move along x.
struct Row {
  const char* clip;
  float speed;  // meters per second, to the right
};
constexpr Row kRows[] = {{"walk", 1.05f}, {"walk", -1.05f}, {"dance", 0}, {"run", 2.79f}, {"idle", 0}};
constexpr uint32_t kInstances = kRowSize * uint32_t(std::size(kRows));

/// The clip with this name, or one of the others.
uint32_t clip_of(const sinew::Character& character, uint32_t row) {
  const auto clip = sinew::find_clip(character.clips, kRows[row].clip);
  return clip ? *clip : row % uint32_t(character.clips.size());
}

/// Where an instance is after `seconds`. At the end of the row it starts again on the other side.
sinew::Matrix3x4 place(uint32_t instance, double seconds, float scale) {
  const uint32_t row = instance / kRowSize, index = instance % kRowSize;
  const float along = (float(index) + 0.5f * float(row % 2)) * kSpacing + float(seconds) * kRows[row].speed;
  const float x = along - kRowWidth * std::floor(along / kRowWidth) - kRowWidth / 2, z = -1.7f * float(row);
  // It faces +z; turned by a quarter it faces where it goes.
  const float s = kRows[row].speed == 0 ? 0 : std::copysign(scale, kRows[row].speed), c = s == 0 ? scale : 0;
  return {{{c, 0, s, x}, {0, scale, 0, 0}, {-s, 0, c, z}}};
}

/// Moves the instances. That one starts again on the other side is no motion: it was nowhere before.
void move_instances(double seconds, float scale, std::span<Instance> instances) {
  for (uint32_t i = 0; i < instances.size(); ++i) {
    Instance& instance = instances[i];
    instance.world_from_model_before = instance.world_from_model;
    instance.world_from_model = place(i, seconds, scale);
    const float jump = std::abs(instance.world_from_model.m[0][3] - instance.world_from_model_before.m[0][3]);
    if (jump > kRowWidth / 2) instance.world_from_model_before = instance.world_from_model;
  }
}

void run(const host::Options& options) {
  sinew::Character character = check(sinew::load_character(options.file));
  sinew::convert_space(character);
  if (character.clips.empty()) host::fail("'" + options.file + "' has no clips, so nothing would move");
  const sinew::BakedCharacter baked = check(sinew::bake(character));
  const sinew::CrowdEvaluator evaluator(baked);
  sinew::Player player(character, kInstances);
  for (uint32_t i = 0; i < kInstances; ++i)
    check(player.play(i, clip_of(character, i / kRowSize), {.start_seconds = 0.37 * i}));
  const sinew::Vec3 size = sinew::size_of(check(sinew::measure_bounds(character, baked)).rest);
  const float scale = 1.8f / std::max({size.x, size.y, size.z, 1e-6f});

  host::GraphicsContext graphics;
  check(host::set_up(options, "sinew: motion vectors", graphics));
  const host::Device& device = graphics.device;
  sinew::vulkan::SkinnerInfo info = example::skinner_info(device);
  info.keep_previous = true;  // two sets of skinned vertices, used in turn
  sinew::vulkan::Skinner skinner = check(sinew::vulkan::create_skinner(info));
  const uint32_t palette_size = character.skin.palette_size();
  const sinew::vulkan::MeshId mesh = check(skinner.add_mesh(character.mesh, palette_size, "character"));

  const auto indices =
      check(host::create_buffer_of(device, character.mesh.indices, VK_BUFFER_USAGE_INDEX_BUFFER_BIT, "indices"));
  const auto layout = check(host::create_layout(device, {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER}, sizeof(Push), "layout"));
  constexpr size_t kSceneBytes = sizeof(Cameras) + kInstances * sizeof(Instance);
  std::array<host::Buffer, host::kSlots> scenes;
  std::array<host::DescriptorSet, host::kSlots> sets;
  for (uint32_t slot = 0; slot < host::kSlots; ++slot) {
    scenes[slot] = check(host::create_buffer(device, kSceneBytes, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
                                             host::MemoryKind::kUpload, "scene"));
    sets[slot] = check(host::create_set(device, layout, {scenes[slot]}, "scene"));
  }

  // Two bindings, one attribute more: binding 1 has the previous vertices, of which the position is read.
  const auto screen = check(host::Screen::create(graphics, options));
  const sinew::vulkan::VertexInput now = sinew::vulkan::vertex_input(info.format, false, 0, 0);
  const sinew::vulkan::VertexInput before = sinew::vulkan::vertex_input(info.format, false, 1, now.attribute_count);
  const VkVertexInputBindingDescription bindings[] = {now.binding, before.binding};
  const VkVertexInputAttributeDescription attributes[] = {now.attributes[0], now.attributes[1], before.attributes[0]};
  host::GraphicsPipelineInfo pipeline{.name = "velocity",
                                      .vertex = kVelocityVertex,
                                      .fragment = kVelocityFragment,
                                      .bindings = bindings,
                                      .attributes = attributes};
  const auto velocity = check(host::create_graphics_pipeline(device, screen->format(), layout, pipeline));
  pipeline.name = "shadows", pipeline.depth = false, pipeline.constant = 1;  // kShadow of the shaders
  const auto shadows = check(host::create_graphics_pipeline(device, screen->format(), layout, pipeline));
  const auto background = check(host::create_graphics_pipeline(
      device, screen->format(), layout,
      {.name = "background", .vertex = kBackgroundVertex, .fragment = kBackgroundFragment, .depth = false}));

  std::vector<Instance> instances(kInstances);
  move_instances(0, scale, instances);
  Cameras cameras;
  host::Camera camera{.target = {0, 0.75f, -2.9f}, .distance = 12, .pitch = 0.3f, .field_of_view = 0.55f};
  const host::WaitAtEnd idle{device};
  while (const auto frame = check(screen->begin(camera))) {
    const VkCommandBuffer cmd = frame->cmd;
    move_instances(frame->seconds, scale, instances);
    cameras.clip_from_world_before = cameras.clip_from_world;
    cameras.clip_from_world = camera.clip_from_world(frame->width, frame->height);
    if (frame->number == 1) cameras.clip_from_world_before = cameras.clip_from_world;
    std::byte* scene = static_cast<std::byte*>(scenes[frame->slot].mapped);
    std::memcpy(scene, &cameras, sizeof cameras);
    std::memcpy(scene + sizeof cameras, instances.data(), kInstances * sizeof(Instance));

    check(player.advance(frame->step_seconds));
    check(skinner.begin_frame({.number = frame->number}));
    const sinew::vulkan::SkinnerBatch batch{mesh, kInstances};
    check(skinner.prepare(0, {&batch, 1}));
    for (const sinew::vulkan::InstanceRange& range : skinner.ranges()) {
      const auto playbacks = player.playbacks().subspan(range.first_instance, range.instance_count);
      check(sinew::evaluate(evaluator, playbacks, range));
    }
    skinner.record(cmd);

    screen->begin_pass(*frame);
    const Push push{cameras.clip_from_world, glm::vec4(camera.eye(), 1), frame->width / frame->height};
    vkCmdPushConstants(cmd, layout.pipeline.get(), host::kDrawingStages, 0, sizeof push, &push);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, layout.pipeline.get(), 0, 1,
                            &sets[frame->slot].handle, 0, nullptr);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, background.get());
    vkCmdDraw(cmd, 3, 1, 0, 0);
    vkCmdBindIndexBuffer(cmd, indices.get(), 0, VK_INDEX_TYPE_UINT32);
    for (const VkPipeline drawn : {shadows.get(), velocity.get()}) {
      vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, drawn);
      for (const sinew::vulkan::InstanceRange& range : skinner.ranges()) {
        // vertexOffset moves both bindings: the same vertex of the same instance, now and before.
        const VkBuffer buffers[] = {range.vertices, range.previous_vertices};
        const VkDeviceSize offsets[] = {range.vertices_offset, range.previous_vertices_offset};
        vkCmdBindVertexBuffers(cmd, 0, 2, buffers, offsets);
        for (uint32_t i = 0; i < range.instance_count; ++i) {
          vkCmdDrawIndexed(cmd, uint32_t(character.mesh.indices.size()), 1, 0, int32_t(i * range.vertex_count),
                           range.first_instance + i);
        }
      }
    }
    check(screen->end(*frame));
  }
}

}  // namespace

int main(int argc, char** argv) {
  const auto program =
      example::program("sinew_example_motion_vectors", "draws the motion of characters as colors", run);
  return host::run_program(program, argc, argv);
}
