#include "vulkan/skinner_fixture.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <map>

#include "sinew/asset/cpu_skin.h"
#include "sinew/asset/skinned_vertex.h"
#include "vulkan/without_device.h"

namespace sinew::test {
namespace {

constexpr uint32_t kKernel[] = {
#include "spirv/skin.comp.inc"
};

constexpr float kPositionBound = 1e-5f;  // share of the diagonal
constexpr float kNormalBound = 0.02f;    // degrees
constexpr float kTangentBound = 0.03f;   // degrees; a tangent has one bit less than a normal

constexpr float kStretch = 1.5f / 0.7f;  // joints of tests scale by 0.7 to 1.5

constexpr float kPackedBound = 1.1f * 8 / 65535 / 2 * 1.7320508f;  // half a quantization step along each axis

/// The position and the normal of a vertex in any format.
struct Decoded {
  Vec3 position, normal;
};

Decoded decode(const uint32_t* words, uint32_t bytes) {
  const auto real = [&](size_t i) { return std::bit_cast<float>(words[i]); };
  if (bytes == sizeof(PackedSkinnedVertex)) {
    const auto vertex = std::bit_cast<PackedSkinnedVertex>(std::array{words[0], words[1], words[2]});
    return {decode_position(vertex, kBox), decode_normal(vertex.normal)};
  }
  const Vec3 position{real(0), real(1), real(2)};
  if (bytes == sizeof(FloatSkinnedVertex)) return {position, {real(3), real(4), real(5)}};
  return {position, decode_normal(words[3])};
}

/// Positions outside of the box are clamped to it.
Vec3 clamped(Vec3 p) {
  return {std::clamp(p.x, kBox.low.x, kBox.high.x), std::clamp(p.y, kBox.low.y, kBox.high.y),
          std::clamp(p.z, kBox.low.z, kBox.high.z)};
}

float diagonal(const Mesh& mesh) { return length(size_of(bounding_box(mesh.positions))); }

/// Computed from the chord, because acos is inaccurate near 1.
float degrees_between(Vec3 a, Vec3 b) { return 2 * std::asin(std::min(length(a - b) / 2, 1.0f)) * 57.29578f; }

/// NaN, which poison may decode to, counts as infinite.
void update_max(float& max, float error) { max = error <= max ? max : std::isnan(error) ? INFINITY : error; }

Vec4 tangent_of(const SkinnedWords& words, uint32_t v) {
  return decode_tangent(words.vertex(v)[words.format() / sizeof(uint32_t)]);
}

/// Infinite if the handedness differs.
float degrees_between(Vec4 a, Vec4 b) {
  return a.w == b.w ? degrees_between(Vec3{a.x, a.y, a.z}, Vec3{b.x, b.y, b.z}) : INFINITY;
}

/// The rounding of a difference's numbers, at most: half a step of 1/511 of the next of 2, 1/2, 1/8 and 1/32.
float rounding_of(Vec3 difference) {
  const float size = std::max({std::abs(difference.x), std::abs(difference.y), std::abs(difference.z)});
  float limit = 2;
  for (int smaller = 0; smaller < 3 && size <= limit / 4; ++smaller) limit /= 4;
  return limit / 1022 * 1.7320508f;
}

/// Degrees by which rounded differences turn each of the mesh's directions at most: the shorter the sum of a direction
/// and its differences, the more.
std::vector<float> turned_by_rounding(std::vector<Vec3> sums, const Mesh& mesh, std::span<const float> weights,
                                      std::vector<Vec3> MorphTarget::*differences) {
  std::vector<float> turned(sums.size());
  for (size_t t = 0; t < weights.size(); ++t) {
    const std::vector<Vec3>& all = mesh.targets[t].*differences;
    for (size_t i = 0; i < all.size(); ++i) {
      const uint32_t v = mesh.targets[t].vertices[i];
      sums[v] = sums[v] + all[i] * weights[t];
      turned[v] += std::abs(weights[t]) * rounding_of(all[i]);
    }
  }
  for (size_t v = 0; v < sums.size(); ++v)
    turned[v] = std::asin(std::min(1.0f, kStretch * turned[v] / length(sums[v]))) * 57.29578f;
  return turned;
}

}  // namespace

std::span<const uint32_t> kernel_words() { return kKernel; }

void expect_skinned(const Mesh& mesh, std::span<const Matrix3x4> palette, const SkinnedWords& words,
                    const std::string& where, std::span<const float> weights) {
  std::vector<Vec3> positions(mesh.vertex_count()), normals(mesh.vertex_count());
  std::vector<Vec4> tangents(words.tangents ? mesh.vertex_count() : 0);
  skin_on_cpu(mesh, palette, positions, normals, tangents, weights);
  std::vector<Vec3> mesh_tangents;
  for (size_t v = 0; v < tangents.size(); ++v)
    mesh_tangents.push_back({mesh.tangents[v].x, mesh.tangents[v].y, mesh.tangents[v].z});
  const auto normals_turn = turned_by_rounding(mesh.normals, mesh, weights, &MorphTarget::normals);
  const auto tangents_turn = turned_by_rounding(
      mesh_tangents, mesh, words.tangents ? weights : std::span<const float>(), &MorphTarget::tangents);
  float max_position = 0, max_normal = 0, max_tangent = 0;
  for (uint32_t v = 0; v < mesh.vertex_count(); ++v) {
    const Decoded vertex = decode(words.vertex(v), words.format());
    const Vec3 position = words.format() == sizeof(PackedSkinnedVertex) ? clamped(positions[v]) : positions[v];
    update_max(max_position, length(vertex.position - position));
    update_max(max_normal, degrees_between(vertex.normal, normals[v]) - normals_turn[v]);
    if (words.tangents) update_max(max_tangent, degrees_between(tangent_of(words, v), tangents[v]) - tangents_turn[v]);
  }
  const bool packed = words.format() == sizeof(PackedSkinnedVertex);
  EXPECT_LE(max_position, packed ? kPackedBound : kPositionBound * diagonal(mesh)) << where;
  EXPECT_LE(max_normal, kNormalBound) << where;
  EXPECT_LE(max_tangent, kTangentBound) << where;
}

TestSkinnerInfo with_messages(TestSkinnerInfo info, std::vector<std::string>& messages) {
  info.message.user_data = &messages;
  info.message.call = [](void* user_data, vulkan::experimental::Severity severity, const char* text) {
    if (severity == vulkan::experimental::Severity::kError)
      static_cast<std::vector<std::string>*>(user_data)->push_back(text);
  };
  return info;
}

void SkinnerTest::make_device(const TestDeviceOptions& options) {
  watch_.reset();
  device_.reset();
  std::string why_not;
  device_ = TestDevice::create(why_not, options);
  if (device_ == nullptr) return end_without_device(why_not);
  watch_ = std::make_unique<WatchedLoader>(*device_);
}

void SkinnerTest::TearDown() {
  watch_.reset();
  if (device_ == nullptr) return;
  for (const std::string& message : device_->take_messages()) ADD_FAILURE() << message;
}

TestSkinnerInfo SkinnerTest::skinner_info() const {
  TestSkinnerInfo info;
  info.instance = device_->instance;
  info.physical_device = device_->physical_device;
  info.device = device_->device;
  info.get_instance_proc_addr = device_->vk.GetInstanceProcAddr;
  info.debug_utils = device_->debug_utils;
  info.vertex_usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  info.debug_checks = vulkan::DebugChecks::kOff;
  info.barriers = vulkan::Barriers::kHost;  // tests wait between submissions, or set it
  return info;
}

TestSkinnerInfo SkinnerTest::watched_info() const {
  TestSkinnerInfo info = skinner_info();
  watch_->attach(info);
  return info;
}

vulkan::Skinner SkinnerTest::make_skinner(const TestSkinnerInfo& info) const {
  Result<vulkan::Skinner> skinner = create_skinner(info);
  if (!skinner) {
    ADD_FAILURE() << skinner.error().message;
    std::abort();
  }
  return std::move(*skinner);
}

uint32_t TestCrowd::add(const RigShape& shape, RigScaling scaling, const char* name) {
  return add(make_mesh(shape), shape.joints, scaling, name);
}

uint32_t TestCrowd::add(Mesh mesh, uint32_t joints, RigScaling scaling, const char* name) {
  const Result<vulkan::MeshId> id = skinner_.add_mesh(mesh, joints, name, kBox);
  EXPECT_TRUE(id) << id.error().message;
  meshes_.push_back({std::move(mesh), joints, scaling, *id});
  return uint32_t(meshes_.size() - 1);
}

uint32_t TestCrowd::add_prepared(vulkan::PreparedMesh prepared, Mesh mesh, uint32_t joints) {
  const Result<vulkan::MeshId> id = skinner_.add_mesh(std::move(prepared));
  EXPECT_TRUE(id) << id.error().message;
  meshes_.push_back({std::move(mesh), joints, RigScaling::kNone, *id});
  return uint32_t(meshes_.size() - 1);
}

Status prepare(vulkan::Skinner& skinner, const vulkan::SkinnerFrame& frame,
               std::span<const vulkan::SkinnerBatch> batches, std::span<const vulkan::Page> pages, uint32_t group) {
  if (Status begun = skinner.begin_frame(frame); !begun) return begun;
  return skinner.prepare(group, batches, pages);
}

void TestCrowd::prepare(const vulkan::SkinnerFrame& frame, std::span<const Count> counts) {
  std::vector<vulkan::SkinnerBatch> batches;
  for (const Count count : counts) batches.push_back({meshes_[count.mesh].id, count.instances});
  const Status status = test::prepare(skinner_, frame, batches, {}, group_);
  ASSERT_TRUE(status) << status.error().message;
  counts_.assign(counts.begin(), counts.end());
  write_palettes(frame.number);
}

void TestCrowd::write_palettes(uint64_t frame_number) const {
  for (const vulkan::InstanceRange& range : skinner_.ranges(group_)) {
    for (uint32_t i = 0; i < range.instance_count; ++i) {
      const auto matrices = palette(range, range.first_instance + i, frame_number);
      const ptrdiff_t first = ptrdiff_t(i) * range.palette_stride;
      std::copy(matrices.begin(), matrices.end(), range.palettes.begin() + first);
      const auto own_weights = weights(range, range.first_instance + i, frame_number);
      std::copy(own_weights.begin(), own_weights.end(), range.weights.begin() + i * range.weight_stride);
    }
  }
}

std::vector<Matrix3x4> TestCrowd::palette(const vulkan::InstanceRange& range, uint32_t instance,
                                          uint64_t frame_number) const {
  const Entry& entry = entry_of(range);
  const uint32_t seed = range.batch * 1000003 + instance * 31 + uint32_t(frame_number) * 7919 + 1;
  return make_palette(entry.joints, seed, entry.scaling);
}

std::vector<float> TestCrowd::weights(const vulkan::InstanceRange& range, uint32_t instance,
                                      uint64_t frame_number) const {
  return make_weights(range.target_count, range.batch * 977 + instance * 13 + uint32_t(frame_number) * 101);
}

void TestCrowd::poison() const {
  for (const vulkan::InstanceRange& range : skinner_.ranges(group_))
    device_.fill(range.vertices, 0, VK_WHOLE_SIZE, kPoison);
}

void TestCrowd::run_frame(const vulkan::SkinnerFrame& frame, std::span<const Count> counts) {
  ASSERT_NO_FATAL_FAILURE(prepare(frame, counts));
  poison();
  device_.submit_and_wait([&](VkCommandBuffer cmd) { skinner_.record(cmd); });
  expect_frame(frame.number);
}

void TestCrowd::expect_instances(std::span<const uint32_t> words, const vulkan::InstanceRange& range,
                                 uint64_t frame_number) const {
  const Entry& entry = entry_of(range);
  const size_t per_instance = size_t{range.vertex_count} * range.vertex_bytes / sizeof(uint32_t);
  ASSERT_EQ(words.size(), per_instance * range.instance_count);
  ASSERT_EQ(range.vertex_count, entry.mesh.vertex_count());
  for (uint32_t i = 0; i < range.instance_count; ++i) {
    const uint32_t instance = range.first_instance + i;
    expect_skinned(entry.mesh, palette(range, instance, frame_number),
                   {words.subspan(i * per_instance, per_instance), range.vertex_bytes, tangents},
                   "batch " + std::to_string(range.batch) + ", instance " + std::to_string(instance) + ", frame " +
                       std::to_string(frame_number),
                   weights(range, instance, frame_number));
  }
}

void TestCrowd::expect_frame(uint64_t frame_number) const {
  std::map<uint32_t, uint32_t> found;  // instances of each batch so far; they come in order
  for (const vulkan::InstanceRange& range : skinner_.ranges(group_)) {
    ASSERT_LT(range.batch, counts_.size());
    EXPECT_EQ(range.first_instance, found[range.batch]);
    found[range.batch] += range.instance_count;
    expect_instances(device_.read_back(range.vertices, range.vertices_offset, size_of(range)), range, frame_number);
  }
  for (uint32_t b = 0; b < counts_.size(); ++b) EXPECT_EQ(found[b], counts_[b].instances) << "batch " << b;
  expect_poison_between(skinner_.ranges(group_),
                        [&](VkBuffer page, VkDeviceSize bytes) { return device_.read_back(page, 0, bytes); });
}

std::vector<std::string> with_copies(const vulkan::Skinner& skinner, std::vector<std::string> labels) {
  const uint64_t pages = skinner.counters().palette_copies;
  if (pages == 0) return labels;
  const auto after_uploads = std::find(labels.begin(), labels.end(), "") + 1;
  labels.insert(after_uploads,
                {"sinew copy palettes, " + std::to_string(pages) + (pages == 1 ? " page" : " pages"), ""});
  return labels;
}

}  // namespace sinew::test
