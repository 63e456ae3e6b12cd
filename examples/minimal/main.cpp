// Fifty instances of one character, each at a clip and a time of its own. It reads from top to bottom: a file becomes a
// character, clips become palettes on the CPU, palettes become vertices on the device, and these are drawn.
//
// Everything that uses Sinew is here. src/host is the host's part: window, device, frames, buffers, pipelines.
#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "example.h"
#include "sinew/glm.h"
#include "sinew/sinew.h"

namespace {

using example::check;  // returns the value, or ends the program with the message of the error

constexpr uint32_t kInstances = 50, kColumns = 10;
constexpr float kSpacing = 1.15f;  // meters

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

/// The push constants of all shaders.
struct Push {
  glm::mat4 clip_from_world;
  glm::vec4 eye;
  sinew::Vec4 base_color;
  uint32_t vertex_count = 0;
};

/// Places the instances in rows, facing the camera. Some files are in centimeters and do not say so: the character gets
/// the size of a person.
std::vector<sinew::Matrix3x4> place(const sinew::Box& rest) {
  const sinew::Vec3 size = sinew::size_of(rest);
  const float largest = std::max({size.x, size.y, size.z}), scale = largest > 0 ? 1.8f / largest : 1;
  std::vector<sinew::Matrix3x4> world_from_model(kInstances);
  for (uint32_t i = 0; i < kInstances; ++i) {
    const uint32_t column = i % kColumns, row = i / kColumns;
    const float shift = row % 2 == 0 ? 0.25f : -0.25f;  // every second row looks through the gaps of the one before
    const float turn = 0.3f * std::sin(float(i) * 2.4f);
    const float c = scale * std::cos(turn), s = scale * std::sin(turn);
    const float x = (float(column) - float(kColumns - 1) / 2 + shift) * kSpacing, z = -float(row) * kSpacing * 1.3f;
    world_from_model[i] = {{{c, 0, s, x}, {0, scale, 0, 0}, {-s, 0, c, z}}};
  }
  return world_from_model;
}

/// Plays the clips in turn, from different moments and a little faster or slower.
void play_clips(const sinew::Character& character, sinew::Player& player) {
  const uint32_t count = uint32_t(character.clips.size());
  for (uint32_t i = 0; i < kInstances && count > 0; ++i) {
    const float random = std::fmod(float(i) * 0.618f, 1.0f);
    check(
        player.play(i, (i * 5 + i / kColumns) % count, {.start_seconds = random * 3.0, .speed = 0.9f + 0.2f * random}));
  }
}

void run(const host::Options& options) {
  // 1. The host's device.
  host::GraphicsContext graphics;
  check(host::set_up(options, "sinew: minimal", graphics));
  const host::Device& device = graphics.device;

  // 2. What is made once.
  // README: begin
  // A file becomes a character: skeleton, skin, mesh, clips, materials; here in meters, with y up.
  sinew::Character character = check(sinew::load_character(options.file));
  sinew::convert_space(character);

  // The bake resamples the clips for the evaluator; the player keeps what each instance plays.
  const sinew::BakedCharacter baked = check(sinew::bake(character));
  const sinew::CrowdEvaluator evaluator(baked);
  sinew::Player player(character, kInstances);
  play_clips(character, player);  // player.play(instance, clip, {.start_seconds = 1.5, .speed = 1.1}) for each

  // The skinner records into your command buffers; it submits nothing.
  sinew::vulkan::SkinnerInfo info;
  info.instance = device.instance, info.physical_device = device.info.physical, info.device = device.handle;
  info.get_instance_proc_addr = vkGetInstanceProcAddr;
  info.frames_in_flight = host::kSlots;
  info.debug_utils = device.debug_utils;  // names and labels, for RenderDoc
  sinew::vulkan::Skinner skinner = check(sinew::vulkan::create_skinner(info));
  const auto mesh = check(skinner.add_mesh(character.mesh, character.skin.palette_size(), "character"));
  // README: end

  // 3. What the host draws with. Indices, texture coordinates and images are the same for all instances.
  const sinew::CharacterBounds bounds = check(sinew::measure_bounds(character, baked));
  constexpr VkDescriptorType kStorage = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  constexpr VkBufferUsageFlags kRead = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
  const sinew::Mesh& shape = character.mesh;
  const auto indices =
      check(host::create_buffer_of(device, shape.indices, VK_BUFFER_USAGE_INDEX_BUFFER_BIT, "indices"));
  const auto uvs = check(host::create_buffer_of(device, shape.uvs, kRead, "uvs"));
  const auto transforms = check(host::create_buffer_of(device, place(bounds.rest), kRead, "transforms"));
  const std::vector<host::Texture> textures = example::upload_images(device, character);
  const host::Layout layout = check(host::create_layout(
      device, {kStorage, kStorage, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER}, sizeof(Push), "layout"));
  std::vector<host::DescriptorSet> sets;  // of each material
  for (const sinew::Material& material : character.materials) {
    const host::Texture& texture = example::texture_of(material, textures);
    sets.push_back(check(host::create_set(device, layout, {transforms, uvs, texture}, material.name)));
  }

  // 4. Pipelines. vertex_input() describes skinned vertices; sinew/vulkan/skinned_vertex.glsl decodes them.
  const auto screen = check(host::Screen::create(graphics, options));
  const sinew::vulkan::VertexInput input = sinew::vulkan::vertex_input(info.format);
  host::GraphicsPipelineInfo pipeline{.name = "characters", .vertex = kCharacterVertex, .fragment = kCharacterFragment};
  pipeline.bindings = {&input.binding, 1};
  pipeline.attributes = std::span(input.attributes).first(input.attribute_count);
  const auto characters = check(host::create_graphics_pipeline(device, screen->format(), layout, pipeline));
  pipeline.name = "shadows", pipeline.depth = false, pipeline.constant = 1;  // kShadow of the shaders
  const auto shadows = check(host::create_graphics_pipeline(device, screen->format(), layout, pipeline));
  const auto background = check(host::create_graphics_pipeline(
      device, screen->format(), layout,
      {.name = "background", .vertex = kBackgroundVertex, .fragment = kBackgroundFragment, .depth = false}));

  // 5. Frames.
  host::Camera camera{
      .target = {0, 0.8f, -2.4f}, .distance = 11.8f, .yaw = 0.12f, .pitch = 0.27f, .field_of_view = 0.6f};
  const host::WaitAtEnd idle{device};
  while (const auto frame = check(screen->begin(camera))) {
    const VkCommandBuffer cmd = frame->cmd;
    // README: begin

    // Each frame: make room, write the palettes into mapped memory, record a few dispatches.
    check(player.advance(frame->step_seconds));
    check(skinner.begin_frame(sinew::vulkan::in_flight(frame->number, host::kSlots)));
    const sinew::vulkan::Batch batch{mesh, kInstances};
    check(skinner.prepare(0, {&batch, 1}));
    for (const sinew::vulkan::InstanceRange& range : skinner.ranges()) {
      const auto playbacks = player.playbacks().subspan(range.first_instance, range.instance_count);
      check(evaluator.evaluate(playbacks, range.palette_stride, range.palettes));
    }
    skinner.record(cmd);  // outside a render pass; its barriers make the vertices ready for vertex input
    // README: end

    screen->begin_pass(*frame);
    Push push{camera.clip_from_world(frame->width, frame->height), glm::vec4(camera.eye(), 1), {}};
    push.vertex_count = character.mesh.vertex_count();
    const auto bind_material = [&](uint32_t material) {
      vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, layout.pipeline.get(), 0, 1, &sets[material].handle,
                              0, nullptr);
      push.base_color = character.materials[material].base_color;
      vkCmdPushConstants(cmd, layout.pipeline.get(), host::kDrawingStages, 0, sizeof push, &push);
    };
    bind_material(0);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, background.get());
    vkCmdDraw(cmd, 3, 1, 0, 0);
    vkCmdBindIndexBuffer(cmd, indices.get(), 0, VK_INDEX_TYPE_UINT32);
    for (const VkPipeline drawn : {shadows.get(), characters.get()}) {  // skinned once, drawn twice
      vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, drawn);
      // README: begin

      // Draw: the vertices of a range are an ordinary vertex buffer, with a skinned mesh for each instance.
      for (const sinew::vulkan::InstanceRange& range : skinner.ranges()) {
        vkCmdBindVertexBuffers(cmd, 0, 1, &range.vertices, &range.vertices_offset);
        std::vector<VkDrawIndexedIndirectCommand> draws(range.instance_count);
        for (const sinew::MeshPart& part : character.mesh.parts) {
          bind_material(part.material);
          sinew::vulkan::write_draws(range, part, range.first_instance, draws);
          for (const VkDrawIndexedIndirectCommand& draw : draws)  // or all by vkCmdDrawIndexedIndirect()
            vkCmdDrawIndexed(cmd, draw.indexCount, 1, draw.firstIndex, draw.vertexOffset, draw.firstInstance);
        }
      }
      // README: end
    }
    check(screen->end(*frame));
  }
}

}  // namespace

int main(int argc, char** argv) {
  const auto program = example::program("sinew_example_minimal", "draws fifty instances of one character", run);
  return host::run_program(program, argc, argv);
}
