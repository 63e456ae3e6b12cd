// A crowd of one character: fifty, or as many as --characters says. Everything that uses Sinew is here and in
// ../crowd_renderer.cpp, which draws; src/host is the rest of the host.
#include <cmath>
#include <vector>

#include "crowd_renderer.h"
#include "sinew/sinew.h"

namespace {

using example::check;  // returns the value, or ends the program with the message of the error

/// Rows of instances that face the camera; every second one looks through the gaps of the one before.
std::vector<sinew::Matrix3x4> place(uint32_t count) {
  const uint32_t columns = uint32_t(std::ceil(std::sqrt(float(count) * 2)));
  std::vector<sinew::Matrix3x4> places(count);
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t row = i / columns;
    const float column = float(i % columns) - float(columns - 1) / 2 + (row % 2 == 0 ? 0.25f : -0.25f);
    const float turn = 0.3f * std::sin(float(i) * 2.4f), c = std::cos(turn), s = std::sin(turn);
    places[i] = {{{c, 0, s, column * 1.15f}, {0, 1, 0, 0}, {-s, 0, c, -float(row) * 1.5f}}};
  }
  return places;
}

void run(const host::Options& options) {
  host::GraphicsContext graphics;
  check(host::set_up(options, "sinew: minimal", graphics));
  const host::Device& device = graphics.device;
  const uint32_t count = options.numbers[0];
  const auto screen = check(host::Screen::create(graphics, options));
  example::CrowdRenderer renderer(device, screen->format(), count);
  // README: begin
  // Once. A file becomes a model: meters, y up, baked clips, bounds, levels of detail. The crowd works on your threads
  // or ours, and records into your command buffers.
  const sinew::SharedModel person = check(sinew::load_model(options.file));
  sinew::ThreadPool threads;
  sinew::vulkan::SkinnerInfo info{device.instance, device.info.physical, device.handle, vkGetInstanceProcAddr};
  info.debug_utils = device.debug_utils;  // names and labels, for RenderDoc
  info.frames_in_flight = host::kSlots;   // as many as the fences that you wait for in turn
  auto crowd = check(sinew::vulkan::SkinnedCrowd::create(info, {&person, 1}, {.parallel_for = threads.parallel_for()}));
  renderer.upload(crowd, check(crowd.make_streams()));  // indices, texture coordinates, colors: into your buffers
  sinew::Player player(person->character, count);
  const auto clip_count = uint32_t(person->character.clips.size());
  for (uint32_t i = 0; i < count && clip_count > 0; ++i)
    check(player.play(i, i % clip_count, {.start_seconds = i * 0.618, .speed = 0.9f + 0.02f * float(i % 10)}));
  // README: end

  const std::vector<uint32_t> model_of(count);  // all are model 0 of create()
  const std::vector<sinew::Matrix3x4> places = place(count);
  host::Camera camera{{0, 0.8f, -2.4f}, 11.8f, 0.12f, 0.27f, 0.6f};
  const host::WaitAtEnd idle{device};
  while (const auto frame = check(screen->begin(camera))) {
    const sinew::crowd::View view = example::view_of(camera, *frame);
    // README: begin

    // Each frame, after waiting for its fence: plan, make room, write palettes (CPU only); then a few dispatches.
    check(player.advance(frame->step_seconds));
    const sinew::crowd::Instances instances{model_of, places, player.playbacks()};
    check(crowd.update({.seconds = frame->seconds}, instances, {&view, 1}));
    crowd.write_transforms(instances, renderer.transforms(*frame));  // where the drawn ones are
    crowd.record(frame->cmd);  // outside a render pass; its barriers make the vertices ready for vertex input
    // README: end
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
