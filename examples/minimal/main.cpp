// A crowd of one character, each at a clip and a time of its own: fifty, or as many as --characters says. Everything
// that uses Sinew is here and in ../crowd_renderer.cpp, which draws; src/host is the rest of the host.
#include <cmath>
#include <vector>

#include "crowd_renderer.h"
#include "sinew/sinew.h"

namespace {

using example::check;  // returns the value, or ends the program with the message of the error

/// Rows of instances that face the camera.
std::vector<sinew::Matrix3x4> place(uint32_t count) {
  const uint32_t columns = uint32_t(std::ceil(std::sqrt(float(count) * 2)));
  std::vector<sinew::Matrix3x4> places(count);
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t column = i % columns, row = i / columns;
    const float shift = row % 2 == 0 ? 0.25f : -0.25f;  // every second row looks through the gaps of the one before
    const float turn = 0.3f * std::sin(float(i) * 2.4f), c = std::cos(turn), s = std::sin(turn);
    const float x = (float(column) - float(columns - 1) / 2 + shift) * 1.15f, z = -float(row) * 1.5f;
    places[i] = {{{c, 0, s, x}, {0, 1, 0, 0}, {-s, 0, c, z}}};
  }
  return places;
}

/// The clips in turn, from different moments and a little faster or slower.
void play_clips(uint32_t clip_count, sinew::Player& player) {
  for (uint32_t i = 0; i < player.instance_count() && clip_count > 0; ++i) {
    const float random = std::fmod(float(i) * 0.618f, 1.0f);
    const sinew::PlayOptions options{.start_seconds = random * 3.0, .speed = 0.9f + 0.2f * random};
    check(player.play(i, (i * 5 + i / 10) % clip_count, options));
  }
}

void run(const host::Options& options) {
  const uint32_t count = options.numbers[0];
  host::GraphicsContext graphics;
  check(host::set_up(options, "sinew: minimal", graphics));
  const host::Device& device = graphics.device;

  // README: begin
  // Once. A file becomes a model: meters, y up, baked clips, bounds, levels of detail. The crowd works on your threads
  // or ours, and records into your command buffers.
  const sinew::SharedModel person = check(sinew::load_model(options.file, {.size = 1.8f}));
  sinew::ThreadPool threads;
  sinew::vulkan::SkinnerInfo info{device.instance, device.info.physical, device.handle, vkGetInstanceProcAddr};
  info.debug_utils = device.debug_utils;  // names and labels, for RenderDoc
  const sinew::vulkan::CrowdOptions with_threads{.parallel_for = threads.parallel_for()};
  auto crowd = check(sinew::vulkan::SkinnedCrowd::create(info, {&person, 1}, with_threads));
  // README: end

  sinew::Player player(person->character, count);
  play_clips(uint32_t(person->character.clips.size()), player);
  const std::vector<uint32_t> models(count);  // all are model 0
  const std::vector<sinew::Matrix3x4> places = place(count);
  const auto screen = check(host::Screen::create(graphics, options));
  example::CrowdRenderer renderer(device, screen->format(), crowd, count);
  host::Camera camera{
      .target = {0, 0.8f, -2.4f}, .distance = 11.8f, .yaw = 0.12f, .pitch = 0.27f, .field_of_view = 0.6f};
  const host::WaitAtEnd idle{device};
  while (const auto frame = check(screen->begin(camera))) {
    check(player.advance(frame->step_seconds));
    const sinew::crowd::View view = example::view_of(camera, *frame);
    // README: begin

    // Each frame: plan, make room, write palettes (CPU only); then a few dispatches.
    const sinew::crowd::Instances instances{models, places, player.playbacks()};
    check(crowd.update({.number = frame->number, .seconds = frame->seconds}, instances, {&view, 1}));
    crowd.record(frame->cmd);  // outside a render pass; its barriers make the vertices ready for vertex input
    // README: end
    renderer.write_instances(*frame, crowd, instances);
    screen->begin_pass(*frame);
    renderer.begin(*frame, camera);
    for (const VkPipeline pipeline : renderer.pipelines()) {  // skinned once, drawn twice: as shadow and as character
      vkCmdBindPipeline(frame->cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
      // README: begin
      for (const sinew::vulkan::Draw& draw : crowd.draws()) {
        renderer.bind(*frame, draw);  // draw.model, draw.material
        draw.record(frame->cmd);
      }
      // README: end
    }
    check(screen->end(*frame));
  }
}

}  // namespace

int main(int argc, char** argv) {
  host::Program program = example::program("sinew_example_minimal", "draws a crowd of one character", run);
  program.numbers[0] = {"--characters", "how many", 50, 1'000'000};
  return host::run_program(program, argc, argv);
}
