// A festival of ten thousand characters: people dance and walk, torches lie in hands, and limp bodies, which the host
// poses itself, are tossed into the air. docs/crowd.md explains the parts.
#include <algorithm>
#include <optional>
#include <vector>

#include "crowd_renderer.h"
#include "festival.h"
#include "limp_body.h"
#include "sinew/sinew.h"
#include "torches.h"

namespace {

using example::check;
using namespace sinew;

constexpr Vec3 kToSun{-0.85f, 0.30f, -0.10f};  // as in shaders/light.glsl
constexpr const char* kHand = "hand_r";

/// Where a torch is in the hand: upright while the character raises its arm as in the middle of `clip`.
Matrix3x4 joint_from_torch(const Character& character, uint32_t hand, uint32_t clip) {
  std::vector<Transform> pose(character.skeleton.joint_count());
  std::vector<Matrix3x4d> model_from_joint(pose.size());
  const Clip& raised = character.clips[clip];
  sample_clip(raised, character.skeleton, (raised.start_seconds + raised.end_seconds) / 2, pose);
  walk_hierarchy(character.skeleton, pose, model_from_joint);
  Matrix3x4d model_from_socket;  // the axes of the model, at the palm: between the wrist and the first finger
  const size_t finger = std::min<size_t>(hand + 1, pose.size() - 1);
  for (int row = 0; row < 3; ++row)
    model_from_socket.m[row][3] = (model_from_joint[hand].m[row][3] + model_from_joint[finger].m[row][3]) / 2;
  return matrix_cast<float>(inverse(model_from_joint[hand]) * model_from_socket);
}

/// The model, with a socket for a torch, and with masks for a raised arm while the rest walks.
SharedModel load(const std::string& path) {
  CharacterFile file;
  Character& character = file.character = check(load_character(path));
  if (character.clips.empty()) host::fail("'" + path + "' has no clips");
  convert_space(character);
  ModelOptions options{.size = 1.8f};
  if (const auto hand = find_joint(character.skeleton, kHand)) {
    const uint32_t clip = festival::clips_of(character).wave;
    options.sockets = {{"torch", kHand, joint_from_torch(character, *hand, clip)}};
    const char* top = find_joint(character.skeleton, "upper_arm_r") ? "upper_arm_r" : kHand;
    options.masks = {{"all but the arm", {top}, true}, {"arm", {top}}};
  }
  return check(make_model(std::move(file), options));
}

void run(const host::Options& options) {
  const SharedModel model = load(options.file);
  const uint32_t instance_count = options.numbers[0];
  festival::Festival festival(*model, instance_count);
  std::vector<festival::LimpBody> bodies;
  for (uint32_t i = 0; i < std::min(festival::kTossPlaces, instance_count); ++i)
    bodies.emplace_back(model->character, festival::Festival::toss_place(i), float(i) * 0.618f);
  std::vector<crowd::SocketRequest> sockets;
  if (const auto socket = find_socket(*model, "torch")) {
    for (const uint32_t instance : festival.torchbearers) sockets.push_back({instance, *socket});
  }

  host::GraphicsContext graphics;
  check(host::set_up(options, "sinew: crowd", graphics));
  ThreadPool threads;
  // A hundred thousand would also share poses: {.planner = {.unique_poses = 4096}}.
  auto crowd = check(vulkan::SkinnedCrowd::create(example::skinner_info(graphics.device), {&model, 1},
                                                  {.parallel_for = threads.parallel_for()}));
  const auto screen = check(host::Screen::create(graphics, options));
  example::CrowdRenderer renderer(graphics.device, screen->format(), instance_count);
  renderer.upload(crowd, check(crowd.make_streams()));
  std::optional<festival::Torches> torches;
  if (!sockets.empty()) torches.emplace(graphics.device, screen->format(), renderer, uint32_t(sockets.size()));
  host::Camera camera{.target = {0, 1.6f, 0}, .distance = 17, .yaw = 0.5f, .pitch = 0.17f, .field_of_view = 0.7f};
  const host::WaitAtEnd idle{graphics.device};
  while (const auto frame = check(screen->begin(camera))) {
    festival.advance(frame->step_seconds);
    for (uint32_t i = 0; i < bodies.size(); ++i) {
      bodies[i].advance(frame->step_seconds);
      festival.set_body(i, bodies[i].world_from_model(), bodies[i].middle());
    }

    const crowd::Instances instances = festival.instances();
    const crowd::View view = example::view_of(camera, *frame);
    check(crowd.update({.seconds = frame->seconds, .shadows = crowd::SunShadows{.to_sun = kToSun}}, instances,
                       {&view, 1}));
    for (uint32_t i = 0; i < bodies.size(); ++i) {
      const vulkan::HostPose pose = crowd.host_pose(i);
      if (!pose.palette.empty()) bodies[i].write_palette(pose.palette);  // else no view sees it
    }
    crowd.record(frame->cmd);

    if (torches) crowd.place_sockets(instances, sockets, torches->places(frame->slot));
    crowd.write_transforms(instances, renderer.transforms(*frame));
    renderer.write_tints(*frame, crowd, festival.tints);
    screen->begin_pass(*frame);
    renderer.begin(*frame, camera);
    for (const VkPipeline pipeline : renderer.pipelines()) {  // skinned once, drawn twice
      vkCmdBindPipeline(frame->cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
      for (const vulkan::Draw& draw : crowd.draws()) {
        renderer.bind(*frame, draw);
        draw.record(frame->cmd);
      }
    }
    if (torches) torches->draw(*frame);
    check(screen->end(*frame));
  }
}

}  // namespace

int main(int argc, char** argv) {
  host::Program program =
      example::program("sinew_example_crowd_vulkan", "draws a festival of ten thousand characters", run);
  program.headless_frames = 8;
  program.numbers[0] = {"--characters", "number of characters", 10'000, 1'000'000};
  return host::run_program(program, argc, argv);
}
