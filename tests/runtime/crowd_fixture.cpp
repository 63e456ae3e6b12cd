#include "crowd_fixture.h"

#include <algorithm>
#include <cstring>
#include <set>

#include "animation/rig.h"
#include "sinew/animation/pose.h"
#include "sinew/animation/weights.h"
#include "sinew/asset/skinned_vertex.h"
#include "vulkan/without_device.h"

namespace sinew::test {
namespace {

SharedModel open(const std::string& name) {
  auto opened = load_model_file(SINEW_MADE_MODELS "/" + name);
  EXPECT_TRUE(opened) << (opened ? "" : opened.error().message);
  return opened.value();
}

}  // namespace

const SharedModel& plain_model() {
  static const SharedModel model = open("plain.sinew");
  return model;
}

const SharedModel& built_in_model() {
  static const SharedModel model = open("built_in.sinew");
  return model;
}

const SharedModel& dressed_model() {
  static const SharedModel model = open("dressed.sinew");
  return model;
}

vulkan::VertexSlice slice_of(const vulkan::SkinnedCrowd& crowd, uint32_t instance) {
  for (const vulkan::Draw& draw : crowd.draws()) {
    for (const crowd::DrawCommand& command : crowd.commands().subspan(draw.first_command, draw.command_count)) {
      const auto drawn = crowd.instances().subspan(command.first_instance, command.instance_count);
      if (std::ranges::find(drawn, instance) != drawn.end())
        return {draw.vertex_buffer, (VkDeviceSize{draw.first_vertex} + VkDeviceSize(command.vertex_offset)) * 16};
    }
  }
  return {};
}

SharedModel rig_model(uint32_t vertices, uint32_t seed) {
  CharacterFile file;
  file.character = rig_with_triangles({.joints = 3, .clips = 2, .seed = seed});
  Mesh& mesh = file.character.mesh;
  mesh.positions.resize(vertices), mesh.normals.resize(vertices), mesh.uvs.resize(mesh.uvs.empty() ? 0 : vertices);
  mesh.first_influence.resize(vertices + 1), mesh.influences.resize(mesh.first_influence.back());
  mesh.indices.resize(vertices / 3 * 3);
  mesh.parts[0].vertex_count = vertices, mesh.parts[0].index_count = uint32_t(mesh.indices.size());
  mesh.parts.resize(1);
  auto made = make_model(std::move(file), {.levels = {.triangle_shares = {}}});
  EXPECT_TRUE(made) << (made ? "" : made.error().message);
  return *made;
}

/// A projection by 1 / (distance * 0.364), aspect 16:9; the camera looks along -z from (0, 1, distance).
crowd::View view_from(float distance) {
  crowd::View view;
  const float f = 1 / 0.364f, near = 0.1f, far = 1000;
  const float x = f * 9 / 16, a = far / (near - far), b = near * far / (near - far);
  const float matrix[16] = {x, 0, 0, 0, 0, -f, 0, 0, 0, 0, a, -1, 0, f, b - a * distance, distance};
  std::copy(std::begin(matrix), std::end(matrix), view.clip_from_world);
  view.eye = {0, 1, distance};
  view.pixels_per_radian = 360 * f;
  return view;
}

Host make_host(const Model& model, uint32_t count, double seconds) {
  Host host;
  for (uint32_t i = 0; i < count; ++i) {
    host.models.push_back(0);
    host.places.push_back({{{1, 0, 0, float(i % 10) - 4.5f}, {0, 1, 0, 0}, {0, 0, 1, -float(i / 10)}}});
    const uint32_t clip = i % uint32_t(model.character.clips.size());
    const Clip& played = model.character.clips[clip];
    Playback playback;
    if (!played.additive) playback.layers[0] = {clip, clip_time(played, seconds + i * 0.13, Looping::kLoop), 1};
    host.playbacks.push_back(playback);
  }
  return host;
}

void CrowdTest::SetUp() {
  std::string why_not;
  device_ = TestDevice::create(why_not, {});
  if (!device_) end_without_device(why_not);
}

void CrowdTest::TearDown() {
  if (!device_) return;
  for (const std::string& message : device_->take_messages()) ADD_FAILURE() << message;
}

vulkan::SkinnerInfo CrowdTest::skinner_info() const {
  vulkan::SkinnerInfo info{device_->instance, device_->physical_device, device_->device,
                           device_->vk.GetInstanceProcAddr};
  info.consumers = vulkan::kVertexInput | vulkan::kTransferRead;
  return info;
}

vulkan::SkinnedCrowd CrowdTest::make_crowd(const vulkan::CrowdOptions& options,
                                           std::span<const SharedModel> models) const {
  vulkan::SkinnerInfo info = skinner_info();
  if (options.vertex_pulling || options.max_pulled_vertices > 0)
    info.consumers = info.consumers | vulkan::kVertexPulling;
  auto crowd = vulkan::SkinnedCrowd::create(info, models, options);
  EXPECT_TRUE(crowd) << (crowd ? "" : crowd.error().message);
  return crowd ? std::move(*crowd) : vulkan::SkinnedCrowd();
}

Status CrowdTest::run_frame(vulkan::SkinnedCrowd& crowd, const Host& host, const crowd::View& view) {
  ++frame_;
  Status updated = crowd.update({.number = frame_, .seconds = double(frame_) / 60}, host.instances(), {&view, 1});
  if (updated) device_->submit_and_wait([&](VkCommandBuffer cmd) { crowd.record(cmd); });
  return updated;
}

std::vector<Vec3> CrowdTest::read_positions(const vulkan::VertexSlice& slice, uint32_t vertex_count) {
  const auto words = device_->read_back(slice.buffer, slice.offset, VkDeviceSize{vertex_count} * sizeof(SkinnedVertex));
  std::vector<Vec3> positions(vertex_count);
  for (uint32_t v = 0; v < vertex_count; ++v)
    std::memcpy(static_cast<void*>(&positions[v]), &words[size_t{v} * 4], sizeof(Vec3));
  return positions;
}

std::map<DrawKey, Drawn> CrowdTest::drawn(const vulkan::SkinnedCrowd& crowd, uint32_t vertex_bytes) {
  std::vector<uint32_t> first(crowd.instances().size(), UINT32_MAX);
  crowd.write_first_vertices(first);
  std::map<DrawKey, Drawn> all;
  for (const vulkan::Draw& draw : crowd.draws()) {
    for (const crowd::DrawCommand& command : crowd.commands().subspan(draw.first_command, draw.command_count)) {
      for (uint32_t i = command.first_instance; i < command.first_instance + command.instance_count; ++i) {
        const uint32_t vertex = draw.pulled != 0 ? first[i] : draw.first_vertex + uint32_t(command.vertex_offset);
        EXPECT_EQ(first[i], vertex);
        EXPECT_TRUE(draw.pulled == 0 || command.vertex_offset == 0);
        const DrawKey key{crowd.instances()[i], draw.wearable};
        if (all.contains(key)) continue;  // another material
        const VkDeviceSize offset = VkDeviceSize{vertex} * vertex_bytes;
        all[key] = {draw.model, draw.level,
                    device_->read_back(draw.vertex_buffer, offset, VkDeviceSize{draw.vertex_count} * vertex_bytes)};
      }
    }
  }
  return all;
}

uint32_t CrowdTest::expect_previous(
    const vulkan::SkinnedCrowd& crowd,
    const std::function<const Drawn*(const DrawKey&, const crowd::PosedBatch&)>& before) {
  std::vector<vulkan::VertexSlice> slices(crowd.instances().size());
  EXPECT_TRUE(crowd.write_previous_vertices(slices));
  uint32_t compared = 0;
  for (const crowd::PosedBatch& batch : crowd.plan().batches) {
    for (uint32_t m = batch.first_mesh; m < batch.first_mesh + batch.mesh_count; ++m) {
      const crowd::PosedMesh& mesh = crowd.plan().posed_meshes[m];
      for (uint32_t place = mesh.first_instance; place < mesh.first_instance + mesh.instance_count; ++place) {
        const DrawKey key{crowd.instances()[place], batch.wearable};
        const Drawn* const was = before(key, batch);
        const vulkan::VertexSlice& slice = slices[place];
        EXPECT_EQ(slice.buffer != VK_NULL_HANDLE, was != nullptr) << key.first << ' ' << key.second;
        if (was == nullptr || slice.buffer == VK_NULL_HANDLE || was->level != batch.level) continue;
        EXPECT_TRUE(device_->read_back(slice.buffer, slice.offset, was->words.size() * sizeof(uint32_t)) == was->words)
            << key.first << ' ' << key.second;
        ++compared;
      }
    }
  }
  return compared;
}

std::vector<Vec3> CrowdTest::expected(const Model& model, uint32_t level, const Playback& playback, uint32_t wearable) {
  const BakedCharacter& baked = model.bake(level);
  CrowdEvaluator evaluator(baked);
  for (const NamedMask& mask : model.masks) EXPECT_TRUE(evaluator.add_mask(mask.factors));
  const Mesh& mesh = wearable == kNoWearable ? model.mesh(level) : model.wearables[wearable].meshes[level];
  std::vector<Matrix3x4> palette(baked.palette_size);
  EXPECT_TRUE(evaluator.evaluate({&playback, 1}, uint32_t(palette.size()), palette));
  std::vector<float> weights(mesh.target_count());
  if (!weights.empty()) {
    EXPECT_TRUE(evaluate_weights(baked, {&playback, 1}, uint32_t(weights.size()), weights));
  }
  return skinned_positions(mesh, palette, weights);
}

uint32_t CrowdTest::expect_all_drawn(vulkan::SkinnedCrowd& crowd) {
  std::set<uint32_t> drawn;
  for (const vulkan::Draw& draw : crowd.draws()) {
    const Model& model = *crowd.models()[draw.model];
    const bool is_body = draw.wearable == kNoWearable;
    const Mesh& mesh = is_body ? model.mesh(draw.level) : model.wearables[draw.wearable].meshes[draw.level];
    EXPECT_EQ(draw.vertex_count, mesh.vertex_count());
    for (const crowd::DrawCommand& command : crowd.commands().subspan(draw.first_command, draw.command_count)) {
      EXPECT_EQ(command.first_index, draw.first_index);
      EXPECT_EQ(command.index_count, draw.index_count);
      const VkDeviceSize vertex = VkDeviceSize{draw.first_vertex} + VkDeviceSize(command.vertex_offset);
      const VkDeviceSize first = vertex * sizeof(SkinnedVertex);
      const auto positions = read_positions({draw.vertex_buffer, first}, draw.vertex_count);
      for (uint32_t i = 0; i < command.instance_count; ++i) {
        const uint32_t instance = crowd.instances()[command.first_instance + i];
        const auto playback = crowd.playback_of(instance);
        if (!playback) {
          ADD_FAILURE() << "instance " << instance << " is drawn and plays nothing";
          continue;
        }
        const auto exact = expected(model, draw.level, *playback, draw.wearable);
        EXPECT_LT(largest_distance(positions, exact), 2e-5f) << instance;
        if (is_body) drawn.insert(instance);
      }
    }
  }
  return uint32_t(drawn.size());
}

}  // namespace sinew::test
