// A street at dusk where people walk in and out, with models that arrive while it runs, and one that leaves:
// roster.cpp. street.cpp says where people are and what they play, ../crowd_renderer.cpp draws them.
#include <algorithm>
#include <cstdio>
#include <vector>

#include "crowd_renderer.h"
#include "roster.h"
#include "scenery.h"
#include "sinew/sinew.h"
#include "street.h"

namespace {

using example::check;
using namespace sinew;

constexpr Vec3 kToSun{-0.85f, 0.30f, -0.10f};  // as in shaders/light.glsl

void run(const host::Options& options) {
  const uint32_t max_people = options.numbers[0];
  host::GraphicsContext graphics;
  check(host::set_up(options, "sinew: street", graphics));
  const SharedModel models[] = {street::load(options.file), street::load(street::look("farmer"))};
  ThreadPool threads;
  auto crowd = check(vulkan::SkinnedCrowd::create(example::skinner_info(graphics.device), models,
                                                  {.parallel_for = threads.parallel_for()}));
  const auto screen = check(host::Screen::create(graphics, options));
  example::CrowdRenderer renderer(graphics.device, screen->format(), max_people);
  renderer.upload(crowd, check(crowd.make_streams()));
  street::Scenery scenery(graphics.device, screen->format(), max_people);
  street::Street people(max_people);
  street::Roster roster(crowd, renderer, people, !options.picture.empty());
  host::Camera camera{.target = {3, 1, -0.8f}, .distance = 20, .yaw = -1.3f, .pitch = 0.21f, .field_of_view = 0.7f};
  double seconds = -40;  // the street is full when the first frame is drawn
  std::vector<Matrix3x4> hands;
  const host::WaitAtEnd idle{graphics.device};
  while (const auto frame = check(screen->begin(camera))) {
    while (seconds < frame->seconds) {  // the first frame may begin at any time
      const double step = std::min(frame->seconds - seconds, street::kStepSeconds);
      people.advance(step), seconds += step;
      roster.advance(seconds);
    }

    const crowd::Instances instances = people.instances();
    const crowd::View view = example::view_of(camera, *frame);
    check(crowd.update({.seconds = frame->seconds, .shadows = crowd::SunShadows{.to_sun = kToSun}}, instances,
                       {&view, 1}));
    crowd.record(frame->cmd);
    const std::vector<crowd::SocketRequest> lanterns = people.lanterns();
    hands.resize(lanterns.size());
    crowd.place_sockets(instances, lanterns, hands);
    scenery.hang_lanterns(*frame, hands);
    crowd.write_transforms(instances, renderer.transforms(*frame));
    renderer.write_tints(*frame, crowd, people.tints());

    screen->begin_pass(*frame);
    renderer.begin(*frame, camera);
    scenery.draw_shadows(*frame, camera);
    for (const VkPipeline pipeline : renderer.pipelines()) {  // skinned once, drawn twice
      vkCmdBindPipeline(frame->cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
      for (const vulkan::Draw& draw : crowd.draws()) {
        renderer.bind(*frame, draw);
        draw.record(frame->cmd);
      }
    }
    scenery.draw(*frame, camera);
    check(screen->end(*frame));
  }
  std::printf("%.1f s: %u people came, %u left, in %u slots\n", seconds, people.came(), people.left(),
              people.slot_count());
}

}  // namespace

int main(int argc, char** argv) {
  host::Program program =
      example::program("sinew_example_crowd_vulkan", "a street where people and their models come and go", run);
  program.headless_frames = 8, program.headless_seconds = 100;
  program.numbers[0] = {"--characters", "the most people at once", 160, 300};
  return host::run_program(program, argc, argv);
}
