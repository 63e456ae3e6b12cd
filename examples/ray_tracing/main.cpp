// Ray tracing over skinned vertices: each posed mesh has an acceleration structure, built from the skinner's buffer,
// and a compute shader traces rays. A quarter as many poses as characters: those with the same color show one pose, and
// share its vertices and its structure.
//
// sinew/vulkan/acceleration.h has the rules: what structures are built from, when they are refitted and when built, and
// whether they hold the vertices of this frame. Before rays are traced, each instance is checked.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <span>
#include <vector>

#include "example.h"
#include "ray_tracing/structures.h"
#include "sinew/glm.h"
#include "sinew/sinew.h"

namespace {

using example::check;

constexpr float kSpacing = 1.25f;  // meters
constexpr uint32_t kGroup = 8;     // invocations of trace.comp along x and y

constexpr uint32_t kTrace[] = {
#include "trace.comp.inc"
};
constexpr uint32_t kShowVertex[] = {
#include "show.vert.inc"
};
constexpr uint32_t kShowFragment[] = {
#include "show.frag.inc"
};

/// The push constants of trace.comp.
struct Push {
  glm::mat4 world_from_clip;
  glm::vec4 eye;
  uint32_t size[2];
};

/// What trace.comp reads of an instance.
struct Instance {
  sinew::Matrix3x4 world_from_model;
  VkDeviceAddress vertices = 0;
  uint32_t color = 0, unused = 0;
};
static_assert(sizeof(Instance) == 64);

uint32_t columns_of(uint32_t instances) { return uint32_t(std::ceil(std::sqrt(1.4 * instances))); }

/// A grid of characters that look to the camera, more or less.
std::vector<rays::PlacedPose> place(uint32_t instances, uint32_t poses, float scale) {
  const uint32_t columns = columns_of(instances);
  std::vector<rays::PlacedPose> placed(instances);
  for (uint32_t i = 0; i < instances; ++i) {
    const uint32_t column = i % columns, row = i / columns;
    const float turn = 0.5f * std::sin(float(i) * 2.4f);
    const float c = scale * std::cos(turn), s = scale * std::sin(turn);
    const float x = (float(column) - float(columns - 1) / 2 + (row % 2 == 0 ? 0.25f : -0.25f)) * kSpacing;
    placed[i].world_from_model = {{{c, 0, s, x}, {0, scale, 0, 0}, {-s, 0, c, -kSpacing * float(row)}}};
    placed[i].pose = (i * 7 + row) % poses;
  }
  return placed;
}

/// A hue for each pose.
uint32_t color_of(uint32_t pose) {
  uint32_t color = 0;
  for (uint32_t channel = 0; channel < 3; ++channel) {
    const float wave = std::cos(6.2832f * (0.618f * float(pose) + float(channel) / 3));
    color |= uint32_t(255 * (0.45f + 0.35f * wave)) << 8 * channel;
  }
  return color;
}

void barrier(VkCommandBuffer cmd, VkPipelineStageFlags from, VkPipelineStageFlags to) {
  const VkMemoryBarrier memory{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_SHADER_WRITE_BIT,
                               VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT};
  vkCmdPipelineBarrier(cmd, from, to, 0, 1, &memory, 0, nullptr, 0, nullptr);
}

void print(const rays::Structures::Counters& counters, size_t instances, size_t poses) {
  std::printf("instances %zu, structures %zu: %llu bytes; %llu with instances and scratch for %u builds at once\n",
              instances, poses, static_cast<unsigned long long>(counters.structure_bytes),
              static_cast<unsigned long long>(counters.bytes()), counters.builds_at_once);
  std::printf("builds %llu, refits %llu\n", static_cast<unsigned long long>(counters.builds),
              static_cast<unsigned long long>(counters.refits));
}

void run(const host::Options& options) {
  sinew::Character character = check(sinew::load_character(options.file));
  sinew::convert_space(character);
  const sinew::BakedCharacter baked = check(sinew::bake(character));
  const sinew::CrowdEvaluator evaluator(baked);
  const uint32_t instance_count = options.numbers[0], pose_count = (instance_count + 3) / 4;
  sinew::Player player(character, pose_count);
  for (uint32_t pose = 0; pose < pose_count && !character.clips.empty(); ++pose)
    check(player.play(pose, pose % uint32_t(character.clips.size()), {.start_seconds = 0.37 * pose}));
  const sinew::Vec3 size = sinew::size_of(check(sinew::measure_bounds(character, baked)).rest);
  const float scale = 1.8f / std::max({size.x, size.y, size.z, 1e-6f});

  // The device has ray queries. Structures are built from the skinner's vertices, and the shader reads them too.
  host::GraphicsContext graphics;
  check(host::set_up(options, "sinew: ray tracing", graphics, true));
  const host::Device& device = graphics.device;
  if (!device.ray_queries)
    throw host::Missing("no device has ray queries (VK_KHR_ray_query); the best is " + device.info.name);
  sinew::vulkan::SkinnerInfo info = example::skinner_info(device);
  info.vertex_usage = sinew::vulkan::kStructureInput;
  info.consumers = sinew::vulkan::kAccelerationStructureBuild | sinew::vulkan::kComputeRead;
  sinew::vulkan::Skinner skinner = check(sinew::vulkan::create_skinner(info));
  const auto mesh = check(skinner.add_mesh(character.mesh, character.skin.palette_size(), "character"));

  const std::vector<rays::PlacedPose> placed = place(instance_count, pose_count, scale);
  constexpr VkBufferUsageFlags kRead = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
  const auto indices =
      check(host::create_buffer_of(device, character.mesh.indices, kRead | sinew::vulkan::kStructureInput, "indices"));
  rays::Structures structures(device, {.triangles = {.indices = host::address_of(device, indices.get()),
                                                     .index_count = uint32_t(character.mesh.indices.size())},
                                       .vertex_count = character.mesh.vertex_count(),
                                       .format = info.format,
                                       .pose_count = pose_count,
                                       .instance_count = instance_count,
                                       .frame_slots = host::kSlots,
                                       .budget_bytes = VkDeviceSize{options.numbers[1]} << 20});

  // The picture is a storage buffer of fixed size; a triangle shows it.
  constexpr VkDescriptorType kStorage = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  const auto picture = check(host::create_buffer(device, VkDeviceSize{4} * options.width * options.height, kRead,
                                                 host::MemoryKind::kDevice, "picture"));
  const host::Layout tracing =
      check(host::create_layout(device, {VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR, kStorage, kStorage, kStorage},
                                sizeof(Push), "tracing", VK_SHADER_STAGE_COMPUTE_BIT));
  std::array<host::Buffer, host::kSlots> scenes;
  std::array<host::DescriptorSet, host::kSlots> sets;
  for (uint32_t slot = 0; slot < host::kSlots; ++slot) {
    scenes[slot] = check(
        host::create_buffer(device, instance_count * sizeof(Instance), kRead, host::MemoryKind::kUpload, "scene"));
    sets[slot] =
        check(host::create_set(device, tracing, {structures.top_level(), indices, scenes[slot], picture}, "scene"));
  }
  const auto trace = check(host::create_compute_pipeline(device, tracing.pipeline.get(), kTrace, "trace"));
  const auto screen = check(host::Screen::create(graphics, options));
  const uint32_t picture_size[] = {options.width, options.height};
  const auto showing = check(host::create_layout(device, {kStorage}, sizeof picture_size, "showing"));
  const auto shown = check(host::create_set(device, showing, {picture}, "picture"));
  const auto show = check(host::create_graphics_pipeline(
      device, screen->format(), showing,
      {.name = "show", .vertex = kShowVertex, .fragment = kShowFragment, .depth = false}));

  const float width = kSpacing * float(columns_of(instance_count)), depth = 0.7f * width;
  host::Camera camera{.target = {0, 0.6f, -depth / 2},
                      .distance = 2 + depth / 2 + 0.9f * width,
                      .yaw = 0.15f,
                      .pitch = 0.28f,
                      .field_of_view = 0.6f};
  const host::WaitAtEnd idle{device};
  while (const auto frame = check(screen->begin(camera))) {
    const VkCommandBuffer cmd = frame->cmd;
    check(player.advance(frame->step_seconds));
    check(skinner.begin_frame({.number = frame->number}));
    const sinew::vulkan::SkinnerBatch batch{mesh, pose_count};
    check(skinner.prepare(0, {&batch, 1}));
    for (const sinew::vulkan::InstanceRange& range : skinner.ranges()) {
      const auto playbacks = player.playbacks().subspan(range.first_instance, range.instance_count);
      check(sinew::evaluate(evaluator, playbacks, range));
    }
    skinner.record(cmd);
    structures.record(cmd, frame->number, skinner.ranges(), placed);
    check(structures.check(skinner.ranges(), placed));

    auto* instances = static_cast<Instance*>(scenes[frame->slot].mapped);
    for (uint32_t i = 0; i < instance_count; ++i) {
      const auto& [world_from_model, pose] = placed[i];
      instances[i] = {world_from_model, structures.vertices_of(pose), color_of(pose)};
    }
    barrier(cmd, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, trace.get());
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, tracing.pipeline.get(), 0, 1,
                            &sets[frame->slot].handle, 0, nullptr);
    const Push push{glm::inverse(camera.clip_from_world(frame->width, frame->height)),
                    glm::vec4(camera.eye(), 1),
                    {options.width, options.height}};
    vkCmdPushConstants(cmd, tracing.pipeline.get(), VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof push, &push);
    vkCmdDispatch(cmd, (options.width + kGroup - 1) / kGroup, (options.height + kGroup - 1) / kGroup, 1);
    barrier(cmd, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT);

    screen->begin_pass(*frame);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, show.get());
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, showing.pipeline.get(), 0, 1, &shown.handle, 0,
                            nullptr);
    vkCmdPushConstants(cmd, showing.pipeline.get(), host::kDrawingStages, 0, sizeof picture_size, picture_size);
    vkCmdDraw(cmd, 3, 1, 0, 0);
    check(screen->end(*frame));
  }
  print(structures.counters(), placed.size(), pose_count);
}

}  // namespace

int main(int argc, char** argv) {
  host::Program program = example::program("sinew_example_ray_tracing",
                                           "traces rays through acceleration structures over skinned vertices", run);
  program.numbers[0] = {"--characters", "number of characters", 40, 1'000'000};
  program.numbers[1] = {"--budget", "MiB for acceleration structures and their building", 256, 1 << 20};
  return host::run_program(program, argc, argv);
}
