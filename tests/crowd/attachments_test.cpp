// Sockets of instances that share a pose, keep a pose, and are drawn with coarse levels.
#include "sinew/crowd/attachments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "asset/larger_error.h"
#include "planned_host.h"
#include "sinew/animation/bake.h"
#include "sinew/animation/pose.h"

namespace sinew::crowd {
namespace {

using ::testing::HasSubstr;

constexpr float kBakeError = 3e-4f;  // meters

/// The last joint that moves vertices, and an offset from it.
uint32_t joint() { return uint32_t(actor().character.skin.entries.back().joint); }
constexpr Matrix3x4 kOffset{{{0, -1, 0, 0.1f}, {1, 0, 0, 0.2f}, {0, 0, 1, -0.05f}}};

Matrix3x4d exact_socket(const Character& character, uint32_t of, const Playback& playback) {
  const Layer& layer = playback.layers[0];
  std::vector<Transform> pose(character.skeleton.rest_pose);
  if (layer.weight > 0) sample_clip(character.clips[layer.clip], character.skeleton, layer.time_seconds, pose);
  std::vector<Matrix3x4d> model_from_joint(pose.size());
  walk_hierarchy(character.skeleton, pose, model_from_joint);
  return model_from_joint[of] * matrix_cast<double>(kOffset);
}

double distance(const Matrix3x4& a, const Matrix3x4d& b) {
  double largest = 0;
  for (int i = 0; i < 12; ++i)
    largest = sinew::internal::larger_error(largest, std::abs(double(a.m[i / 4][i % 4]) - b.m[i / 4][i % 4]));
  return largest;
}

Playback playing(uint32_t clip, float seconds) {
  Playback playback;
  playback.layers[0] = {clip, seconds, 1};
  return playback;
}

TEST(Sockets, FollowTheirJointWithEveryInstructionSet) {
  const auto socket = make_socket(actor().character, joint(), kOffset);
  ASSERT_TRUE(socket) << socket.error().message;
  for (const char* instruction_set : {"avx3", "avx2", "sse4", "scalar"}) {
    CrowdEvaluator evaluator(actor().baked, instruction_set);
    const Socket two[] = {*socket, {0, {}}};
    ASSERT_TRUE(evaluator.set_sockets(two));
    std::vector<Playback> playbacks;
    for (uint32_t i = 0; i < 50; ++i)
      playbacks.push_back(playing(actor().clips[i % actor().clips.size()], 0.03f * float(i)));
    const uint32_t size = actor().baked.palette_size;
    std::vector<Matrix3x4> palettes(50 * size), plain(50 * size), sockets(100);
    ASSERT_TRUE(evaluator.evaluate(playbacks, size, palettes, sockets));
    ASSERT_TRUE(evaluator.evaluate(playbacks, size, plain));
    for (size_t i = 0; i < 50; ++i) {
      EXPECT_LT(distance(sockets[2 * i], exact_socket(actor().character, joint(), playbacks[i])), kBakeError) << i;
      EXPECT_EQ(distance(sockets[2 * i + 1], matrix_cast<double>(palettes[i * size])), 0) << "entry 0, no offset";
    }
    EXPECT_EQ(std::memcmp(palettes.data(), plain.data(), plain.size() * sizeof(Matrix3x4)), 0);
  }
}

TEST(Sockets, RefuseWhatIsNotThere) {
  CrowdEvaluator evaluator(actor().baked);
  const std::vector<Playback> playbacks(3);
  std::vector<Matrix3x4> palettes(3 * actor().baked.palette_size), sockets(2);
  const auto evaluate = [&](std::span<Matrix3x4> out) {
    return evaluator.evaluate(playbacks, actor().baked.palette_size, palettes, out);
  };
  EXPECT_TRUE(evaluate({})) << "without sockets no room is needed";
  const Socket wrong[] = {{actor().baked.palette_size, {}}};
  EXPECT_EQ(evaluator.set_sockets(wrong).error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(evaluator.socket_count(), 0u);
  ASSERT_TRUE(evaluator.set_sockets(std::vector<Socket>(32767)));
  EXPECT_EQ(evaluator.set_sockets(std::vector<Socket>(32768)).error().message,
            "sockets: there are 32768, more than 32767");
  EXPECT_EQ(evaluator.socket_count(), 32767u);
  const Socket right[] = {{0, {}}};
  ASSERT_TRUE(evaluator.set_sockets(right));
  EXPECT_EQ(evaluate(sockets).error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(make_socket(actor().character, 100000).error().code, ErrorCode::kInvalidArgument);
}

TEST(Sockets, JointsThatMoveNoVertexGetAnEntry) {
  Character character = actor().character;
  const uint32_t added = character.skeleton.joint_count();
  character.skeleton.joint_names.push_back("sword");
  character.skeleton.parents.push_back(int32_t(added - 1));
  character.skeleton.rest_pose.push_back({{0.1f, 0.2f, 0.3f}, {}, {1, 1, 1}});
  const auto without = make_socket(character, added);
  ASSERT_FALSE(without);
  EXPECT_THAT(without.error().message, HasSubstr("'sword' moves no vertex"));
  ASSERT_TRUE(add_palette_entry(character, added));
  ASSERT_TRUE(validate(character)) << validate(character).error().message;
  EXPECT_EQ(character.skin.palette_size(), actor().character.skin.palette_size() + 1);
  const auto socket = make_socket(character, added, kOffset);
  ASSERT_TRUE(socket);
  const auto baked = bake(character);
  ASSERT_TRUE(baked) << baked.error().message;
  CrowdEvaluator evaluator(*baked);
  ASSERT_TRUE(evaluator.set_sockets({&*socket, 1}));
  const Playback playback = playing(actor().clips[0], 0.4f);
  std::vector<Matrix3x4> palette(baked->palette_size), sockets(1);
  ASSERT_TRUE(evaluator.evaluate({&playback, 1}, baked->palette_size, palette, sockets));
  EXPECT_LT(distance(sockets[0], exact_socket(character, added, playback)), kBakeError);
}

/// A crowd whose instances carry something, from frame to frame.
class Carriers {
 public:
  Carriers(uint32_t count, const PlanOptions& options)
      : host_(count), evaluator_(actor().baked), attachments_(kOneSocket), planner_(make_planner(options)) {
    const auto socket = make_socket(actor().character, joint(), kOffset);
    EXPECT_TRUE(evaluator_.set_sockets({&*socket, 1}));
    for (uint32_t i = 0; i < count; ++i) requests_.push_back({i, 0});
    placed_.resize(count);
  }

  /// In every second frame the transforms are a function.
  void frame(int number) {
    example::play(actor(), number / 60.0, host_.crowd);
    Instances instances = host_.instances();
    if (number % 2 == 1) {
      instances.world_from_model = {};
      instances.world_from_model_source = {&host_, [](void* user_data, uint32_t instance) {
                                             return static_cast<Host*>(user_data)->crowd.world_from_model[instance];
                                           }};
    }
    ASSERT_TRUE(planner_.plan(instances, host_.frame(number)));
    ASSERT_TRUE(attachments_.begin(plan()));
    const uint32_t size = actor().baked.palette_size;
    for (uint32_t b = 0; b < plan().batches.size(); ++b) {
      const PosedBatch& batch = plan().batches[b];
      if (!plan().groups[batch.group].updated) continue;
      const auto playbacks = std::span(plan().playbacks).subspan(batch.first_mesh, batch.mesh_count);
      std::vector<Matrix3x4> palettes(size_t{batch.mesh_count} * size);
      ASSERT_TRUE(evaluator_.evaluate(playbacks, size, palettes, attachments_.of(plan(), b)));
    }
    attachments_.place(plan(), instances, requests_, placed_);
  }

  const Plan& plan() const { return planner_.last(); }
  const example::Crowd& crowd() const { return host_.crowd; }
  std::span<const Matrix3x4> placed() const { return placed_; }

 private:
  static constexpr uint32_t kOneSocket[] = {1};
  Host host_;
  CrowdEvaluator evaluator_;
  Attachments attachments_;
  Planner planner_;
  std::vector<SocketRequest> requests_;
  std::vector<Matrix3x4> placed_;
};

/// Poses are shared in the first crowd, and kept in the second one.
TEST(Attachments, AreWhereTheDrawnPoseHasThem) {
  uint32_t shared = 0, kept = 0, coarse = 0, unlike_own = 0;
  for (const auto& [count, unique_poses] : {std::pair(900u, 60u), {2500u, 0u}}) {
    Carriers carriers(count, {.unique_poses = unique_poses});
    for (int number = 0; number < 10; ++number) {
      carriers.frame(number);
      const Plan& plan = carriers.plan();
      std::vector<bool> drawn(count);
      for (const PosedBatch& batch : plan.batches) {
        for (uint32_t m = batch.first_mesh; m < batch.first_mesh + batch.mesh_count; ++m) {
          const PosedMesh& mesh = plan.posed_meshes[m];
          const Matrix3x4d model_from_socket = exact_socket(actor().character, joint(), plan.playbacks[m]);
          for (uint32_t i = mesh.first_instance; i < mesh.first_instance + mesh.instance_count; ++i) {
            const uint32_t instance = plan.instances[i];
            const Matrix3x4d world = matrix_cast<double>(carriers.crowd().world_from_model[instance]);
            EXPECT_LT(distance(carriers.placed()[instance], world * model_from_socket), kBakeError) << instance;
            drawn[instance] = true;
            kept += !plan.groups[batch.group].updated, coarse += batch.level > 0;
            if (!mesh.shared) continue;
            ++shared;
            const Matrix3x4d own = exact_socket(actor().character, joint(), carriers.crowd().playbacks[instance]);
            unlike_own += distance(carriers.placed()[instance], world * own) > kBakeError;
          }
        }
      }
      for (uint32_t i = 0; i < count; ++i) {
        if (drawn[i]) continue;
        EXPECT_EQ(distance(carriers.placed()[i], {{{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}}}), 0) << "not drawn";
      }
    }
  }
  EXPECT_GT(shared, 1000u);
  EXPECT_GT(coarse, 1000u);
  EXPECT_GT(unlike_own, 500u) << "sockets of the unshared pose would pass too";
  EXPECT_GT(kept, 500u);
}

}  // namespace
}  // namespace sinew::crowd
