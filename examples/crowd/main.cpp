// A festival of ten thousand characters. crowd::Planner decides what each frame evaluates, skins and draws;
// crowd::Attachments puts torches into hands; limp bodies get their palettes from the host instead of a clip.
// docs/crowd.md explains the parts.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "example.h"
#include "festival.h"
#include "limp_body.h"
#include "renderer.h"
#include "sinew/sinew.h"

namespace {

using example::check;
using namespace sinew;

constexpr Vec3 kToSun{-0.85f, 0.30f, -0.10f};  // as in shaders/light.glsl

/// A character and what is made of it once. Evaluator and planner point into it.
struct Actor {
  Character character;
  std::optional<uint32_t> hand;  // that holds a torch
  BakedCharacter baked;
  CharacterBounds bounds;
  std::vector<MeshLevel> coarser;    // levels of detail after the first
  std::vector<const Mesh*> meshes;   // of all levels
  std::vector<crowd::Level> levels;  // of all levels
  std::vector<uint32_t> clips;       // that the planner may share and keep poses of
  float height = 0, scale = 1;       // in the world
};

std::unique_ptr<Actor> load_actor(const std::string& path) {
  auto actor = std::make_unique<Actor>();
  actor->character = check(load_character(path));
  if (actor->character.clips.empty()) host::fail("'" + path + "' has no clips");
  convert_space(actor->character);
  actor->hand = find_joint(actor->character.skeleton, "hand_r");
  if (actor->hand) check(add_palette_entry(actor->character, *actor->hand));  // before the bake, see make_socket()
  actor->baked = check(bake(actor->character));
  actor->bounds = check(measure_bounds(actor->character, actor->baked));
  actor->coarser = check(make_levels(actor->character.mesh));

  const Vec3 size = size_of(actor->bounds.rest);
  const float largest = std::max({size.x, size.y, size.z, 1e-6f});
  actor->scale = 1.8f / largest, actor->height = size.y * actor->scale;
  const float diagonal = length(size_of(bounding_box(actor->character.mesh.positions))) * actor->scale;
  actor->meshes = {&actor->character.mesh}, actor->levels = {{0, actor->character.mesh.vertex_count(), 0}};
  for (const MeshLevel& level : actor->coarser) {
    actor->meshes.push_back(&level.mesh);
    actor->levels.push_back({level.error * diagonal, level.mesh.vertex_count(), 0});
  }
  for (uint32_t clip = 0; clip < actor->character.clips.size(); ++clip) {
    if (!actor->character.clips[clip].additive) actor->clips.push_back(clip);  // those are added to others
  }
  return actor;
}

crowd::Planner make_planner(const Actor& actor) {
  crowd::CharacterInfo info;
  info.character = &actor.character, info.baked = &actor.baked, info.bounds = &actor.bounds;
  info.clips = actor.clips, info.levels = actor.levels;
  info.height = actor.height;
  info.middle = (actor.bounds.rest.low + actor.bounds.rest.high) * 0.5f;
  // A hundred thousand would also share poses: {.unique_poses = 4096}.
  return check(crowd::Planner::create({&info, 1}, {}));
}

/// A socket in the hand, upright while the character raises its arm as in the middle of `clip`.
Socket make_torch_socket(const Character& character, uint32_t hand, uint32_t clip) {
  std::vector<Transform> pose(character.skeleton.joint_count());
  std::vector<Matrix3x4d> model_from_joint(pose.size());
  const Clip& raised = character.clips[clip];
  sample_clip(raised, character.skeleton, (raised.start_seconds + raised.end_seconds) / 2, pose);
  walk_hierarchy(character.skeleton, pose, model_from_joint);
  Matrix3x4d model_from_socket;  // the axes of the model, at the palm: between the wrist and the first finger
  const size_t finger = std::min<size_t>(hand + 1, pose.size() - 1);
  for (int row = 0; row < 3; ++row)
    model_from_socket.m[row][3] = (model_from_joint[hand].m[row][3] + model_from_joint[finger].m[row][3]) / 2;
  return check(make_socket(character, hand, matrix_cast<float>(inverse(model_from_joint[hand]) * model_from_socket)));
}

/// Masks with which a torchbearer walks and raises an arm.
void add_masks(const Skeleton& skeleton, uint32_t hand, CrowdEvaluator& evaluator, festival::Festival& festival) {
  const uint32_t top = find_joint(skeleton, "upper_arm_r").value_or(hand);
  std::vector<float> arm(skeleton.joint_count()), others(skeleton.joint_count(), 1);
  arm[top] = 1, others[top] = 0;
  for (uint32_t joint = top + 1; joint < skeleton.joint_count(); ++joint) {
    arm[joint] = skeleton.parents[joint] >= 0 ? arm[size_t(skeleton.parents[joint])] : 0;
    others[joint] = 1 - arm[joint];
  }
  festival.walk_mask = check(evaluator.add_mask(others));
  festival.arm_mask = check(evaluator.add_mask(arm));
}

crowd::View view_of(const host::Camera& camera, const host::Frame& frame) {
  crowd::View view;
  const glm::mat4 matrix = camera.clip_from_world(frame.width, frame.height);
  std::memcpy(view.clip_from_world, &matrix, sizeof matrix);
  view.eye = {camera.eye().x, camera.eye().y, camera.eye().z};
  view.pixels_per_radian = frame.height / (2 * std::tan(camera.field_of_view / 2));
  return view;
}

/// Makes room for the batches of a group, and writes their palettes.
void update_group(const crowd::Plan& plan, uint32_t g, std::span<const vulkan::MeshId> meshes,
                  const CrowdEvaluator& evaluator, std::span<const festival::LimpBody> bodies,
                  crowd::Attachments& attachments, vulkan::Skinner& skinner) {
  const crowd::UpdateGroup& group = plan.groups[g];
  std::vector<vulkan::Batch> batches;
  for (const crowd::PosedBatch& batch : std::span(plan.batches).subspan(group.first_batch, group.batch_count))
    batches.push_back({meshes[batch.mesh], batch.mesh_count});
  check(skinner.prepare(g, batches));
  for (const vulkan::InstanceRange& range : skinner.ranges(g)) {
    const crowd::PosedBatch& batch = plan.batches[group.first_batch + range.batch];
    const uint32_t first = batch.first_mesh + range.first_instance;
    if (batch.host_posed) {
      for (uint32_t i = 0; i < range.instance_count; ++i) {
        bodies[plan.posed_meshes[first + i].instance].write_palette(
            range.palettes.subspan(size_t{i} * range.palette_stride));
      }
      continue;
    }
    const auto playbacks = std::span(plan.playbacks).subspan(first, range.instance_count);
    const size_t count = evaluator.socket_count();
    const auto sockets = attachments.of(plan, group.first_batch + range.batch)
                             .subspan(range.first_instance * count, range.instance_count * count);
    check(evaluator.evaluate(playbacks, range.palette_stride, range.palettes, sockets));
  }
}

void run(const host::Options& options) {
  const std::unique_ptr<Actor> actor = load_actor(options.file);
  const uint32_t instance_count = options.numbers[0];
  const Character& character = actor->character;
  festival::Festival festival(character, instance_count, actor->scale);
  std::vector<festival::LimpBody> bodies;
  for (uint32_t i = 0; i < festival::kTossPlaces; ++i)
    bodies.emplace_back(character, festival::Festival::toss_place(i), float(i) * 0.618f, actor->scale);

  crowd::Planner planner = make_planner(*actor);
  CrowdEvaluator evaluator(actor->baked);
  std::vector<crowd::SocketRequest> torches;
  if (actor->hand) {
    add_masks(character.skeleton, *actor->hand, evaluator, festival);
    const Socket socket = make_torch_socket(character, *actor->hand, festival.clips().wave);
    check(evaluator.set_sockets({&socket, 1}));
    for (uint32_t instance : festival.torchbearers) torches.push_back({instance, 0});
  }
  const uint32_t socket_count = evaluator.socket_count();
  crowd::Attachments attachments({&socket_count, 1});

  host::GraphicsContext graphics;
  check(host::set_up(options, "sinew: crowd", graphics));
  vulkan::SkinnerInfo info = example::skinner_info(graphics.device);
  info.update_groups = crowd::kUpdateGroups;  // distant characters are skinned in some frames only
  vulkan::Skinner skinner = check(vulkan::create_skinner(info));
  std::vector<vulkan::MeshId> meshes;
  for (const Mesh* mesh : actor->meshes)
    meshes.push_back(check(skinner.add_mesh(*mesh, character.skin.palette_size(), "level")));

  const auto screen = check(host::Screen::create(graphics, options));
  festival::Renderer renderer(graphics.device, screen->format(), character, actor->meshes, instance_count,
                              uint32_t(torches.size()));
  host::Camera camera{.target = {0, 1.6f, 0}, .distance = 17, .yaw = 0.5f, .pitch = 0.17f, .field_of_view = 0.7f};
  const host::WaitAtEnd idle{graphics.device};
  while (const auto frame = check(screen->begin(camera))) {
    festival.advance(frame->step_seconds);
    for (uint32_t i = 0; i < bodies.size() && i < instance_count; ++i) {
      bodies[i].advance(frame->step_seconds);
      festival.set_body(i, bodies[i].world_from_model(), bodies[i].middle());
    }

    // The plan of the frame: what to play, what to skin and what to draw.
    const crowd::Instances instances = festival.instances();
    const crowd::View view = view_of(camera, *frame);
    check(planner.plan(
        instances, {.seconds = frame->seconds, .views = {&view, 1}, .shadows = crowd::SunShadows{.to_sun = kToSun}}));
    const crowd::Plan& plan = planner.last();
    check(attachments.begin(plan));
    check(skinner.begin_frame(vulkan::in_flight(frame->number, host::kSlots)));
    for (uint32_t g = 0; g < plan.groups.size(); ++g) {
      if (plan.groups[g].updated) update_group(plan, g, meshes, evaluator, bodies, attachments, skinner);
    }
    skinner.record(frame->cmd);

    attachments.place(plan, instances, torches, renderer.torches(frame->slot));
    const auto drawn = renderer.instances(frame->slot);
    for (size_t i = 0; i < plan.instances.size(); ++i) {
      const uint32_t instance = plan.instances[i];
      const Vec3 tint = festival.tints[instance];
      drawn[i] = {instances.world_from_model[instance], {tint.x, tint.y, tint.z, 1}};
    }
    screen->begin_pass(*frame);
    renderer.draw(*frame, camera, plan, skinner);
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
