// Step 7, a crowd: the library's runtime does steps 2 to 6 for every person, in three calls a frame. People whom no
// view sees cost little, and distant ones have fewer triangles.
#include <cmath>
#include <cstdio>
#include <vector>

#include "crowd_renderer.h"
#include "sinew/sinew.h"

namespace {

using namespace sinew;
using example::check;

constexpr float kTurn = 6.2831853f;
constexpr float kStride = 1.12f;  // meters of the built-in character in one loop of its clip
constexpr uint32_t kRings = 5;

/// Where a person walks: on a ring around the middle, from this angle on; clockwise if `direction` is -1.
struct Place {
  float radius, angle, direction;
};

std::vector<Place> make_places() {
  std::vector<Place> places;
  for (uint32_t ring = 0; ring < kRings; ++ring) {
    const uint32_t count = 8 + 12 * ring;  // one stride apart
    for (uint32_t i = 0; i < count; ++i)
      places.push_back({kStride * float(count) / kTurn, kTurn * float(i) / float(count), ring % 2 == 0 ? 1.0f : -1.0f});
  }
  return places;
}

/// The matrix of a person that has walked so many strides; it faces where it goes.
Matrix3x4 place_after(const Place& place, float strides) {
  const float angle = place.angle + place.direction * strides * kStride / place.radius;
  const float c = std::cos(angle), s = std::sin(angle), front_x = -place.direction * s, front_z = place.direction * c;
  return {{{front_z, 0, front_x, place.radius * c}, {0, 1, 0, 0}, {-front_x, 0, front_z, place.radius * s}}};
}

void run(const host::Options& options) {
  // Once: the model, here with one level of detail (more take some seconds to make), and a crowd of it.
  ThreadPool threads;
  ModelOptions model;
  model.levels.triangle_shares = {0.1f}, model.levels.small_levels = false;
  model.parallel_for = threads.parallel_for();
  const SharedModel person = check(load_model(options.file, model));
  const uint32_t clip = find_clip(person->character.clips, "walk").value_or(0);
  host::GraphicsContext graphics;
  check(host::set_up(options, "sinew: step 7, a crowd", graphics));
  auto crowd = check(vulkan::SkinnedCrowd::create(example::skinner_info(graphics.device), {&person, 1},
                                                  {.parallel_for = threads.parallel_for()}));

  const std::vector<Place> places = make_places();
  const uint32_t count = uint32_t(places.size());
  Player player(person->character, count);
  for (uint32_t i = 0; i < count; ++i) check(player.play(i, clip, {.start_seconds = 0.3 * places[i].radius}));
  const std::vector<uint32_t> model_of(count);  // all are model 0
  std::vector<Matrix3x4> world_from_model(count);

  const auto screen = check(host::Screen::create(graphics, options));
  example::CrowdRenderer renderer(graphics.device, screen->format(), count);
  renderer.upload(crowd, check(crowd.make_streams()));
  host::Camera camera{.target = {0, 0, 0}, .distance = 23, .yaw = 0.5f, .pitch = 0.62f, .field_of_view = 0.6f};
  uint32_t draw_count = 0;
  const host::WaitAtEnd idle{graphics.device};
  while (const auto frame = check(screen->begin(camera))) {
    check(player.advance(frame->step_seconds));
    const float strides = float(frame->seconds) / person->character.clips[clip].duration_seconds();
    for (uint32_t i = 0; i < count; ++i) world_from_model[i] = place_after(places[i], strides);

    const crowd::Instances instances{model_of, world_from_model, player.playbacks()};
    const crowd::View view = example::view_of(camera, *frame);
    check(crowd.update({.seconds = frame->seconds}, instances, {&view, 1}));
    crowd.write_transforms(instances, renderer.transforms(*frame));
    crowd.record(frame->cmd);

    screen->begin_pass(*frame);
    renderer.begin(*frame, camera);
    for (const VkPipeline pipeline : renderer.pipelines()) {
      vkCmdBindPipeline(frame->cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
      for (const vulkan::Draw& draw : crowd.draws()) {
        renderer.bind(*frame, draw);
        draw.record(frame->cmd);
      }
    }
    draw_count = uint32_t(crowd.draws().size());
    check(screen->end(*frame));
  }
  std::printf("%u people, %u of them seen, in %u draws\n", count, uint32_t(crowd.instances().size()), draw_count);
  std::printf("Person 0 is at x = %.3f, z = %.3f, and %.3f s into its clip.\n", double(world_from_model[0].m[0][3]),
              double(world_from_model[0].m[2][3]), double(player.playbacks()[0].layers[0].time_seconds));
}

}  // namespace

int main(int argc, char** argv) {
  return host::run_program(
      example::program("sinew_example_step7_crowd", "step 7: a crowd, by the library's runtime", run), argc, argv);
}
