#include "crowd/report/validate.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <numbers>
#include <random>
#include <utility>
#include <vector>

#include "asset/larger_error.h"
#include "gpu/host.h"
#include "scene/baking.h"
#include "scene/exact_poses.h"
#include "sinew/asset/cpu_skin.h"
#include "sinew/asset/skinned_vertex.h"
#include "sinew/crowd/planner.h"
#include "system/text.h"

namespace sinew::app {

using internal::larger_error;
namespace {

constexpr uint64_t kCompareAllBelow = 20'000'000;  // vertices
constexpr uint32_t kSampledMeshes = 100;           // posed meshes

// --- how far the device may be off because it stores normals of morph targets rounded ---

constexpr float kLargestNumber = 511, kLargestDifference = 2;
constexpr int kMaxExponent = 3;  // each one makes numbers four times as fine

/// Half the step between the numbers that a difference is rounded to.
double half_step(Vec3 difference) {
  const float size = std::max({std::abs(difference.x), std::abs(difference.y), std::abs(difference.z)});
  float limit = kLargestDifference;
  for (int e = 0; e < kMaxExponent && size * 4 <= limit; ++e) limit /= 4;
  return 0.5 * double(limit) / kLargestNumber;
}

/// The largest angle, in degrees, by which rounding may turn the normal of each vertex: differences of normals are
/// three numbers of 10 bits and a scale, see shaders/shared/skinning.h. `weights`: one per target of the mesh. Empty if
/// no target has normals.
std::vector<double> morph_rounding_degrees(const Mesh& mesh, std::span<const float> weights) {
  if (std::all_of(mesh.targets.begin(), mesh.targets.end(), [](const MorphTarget& t) { return t.normals.empty(); })) {
    return {};
  }
  std::vector<double> rounding(mesh.vertex_count());
  std::vector<Vec3> normals = mesh.normals;
  for (uint32_t t = 0; t < mesh.target_count(); ++t) {
    const MorphTarget& target = mesh.targets[t];
    for (size_t i = 0; i < target.normals.size(); ++i) {
      const uint32_t v = target.vertices[i];
      rounding[v] += std::sqrt(3.0) * half_step(target.normals[i]) * std::abs(double(weights[t]));
      normals[v] = normals[v] + target.normals[i] * weights[t];
    }
  }
  for (uint32_t v = 0; v < mesh.vertex_count(); ++v) {
    const double share = rounding[v] / std::max(double(length(normals[v])), 1e-30);
    rounding[v] = share < 1 ? std::asin(share) * 180 / std::numbers::pi : 180;
  }
  return rounding;
}

// --- what is expected ---

/// The exact palette of one posed mesh, and the vertices of the CPU skinner in model space.
struct Expected {
  std::vector<Matrix3x4> palette;
  std::vector<Vec3> positions, normals;
  std::vector<double> normal_rounding;  // degrees by which each normal may differ for its targets; empty: none
};

/// `used` is what the frame used. Unless that `is_exact`, the model is skinned with it, so that the error of the bake
/// does not count as an error of skinning.
Expected compute_expected(const Model& model, const Skin& skin, const Mesh& mesh, const Playback& playback,
                          std::span<const ChainTarget> targets, const SkinInput& used, bool is_exact) {
  SkinInput exact = exact_skin_input(model.character, skin, mesh, playback, model.masks, {model.chains, targets});
  Expected expected;
  expected.positions.resize(mesh.vertex_count());
  expected.normals.resize(mesh.vertex_count());
  const SkinInput& input = is_exact ? exact : used;
  skin_on_cpu(mesh, input.palette, expected.positions, expected.normals, {}, input.weights);
  expected.normal_rounding = morph_rounding_degrees(mesh, input.weights);
  expected.palette = std::move(exact.palette);
  return expected;
}

/// What a posed mesh of a range was skinned with, copied to cached memory before it is read many times: memory that the
/// CPU writes for the device is often write-combined, and each read waits for the bus.
SkinInput input_of(const vulkan::InstanceRange& range, uint32_t in_range, const BakedCharacter& baked) {
  const uint32_t palette_size = range.palette_size, targets = range.target_count;
  const auto copy = [&](auto from, uint32_t stride, uint32_t count) {
    const auto slice = from.subspan(size_t(in_range) * stride, count);
    return std::vector(slice.begin(), slice.end());
  };
  SkinInput input;
  if (targets > 0) input.weights = copy(range.weights, range.weight_stride, targets);
  if (range.compact_palettes.empty()) {
    input.palette = copy(range.palettes, range.palette_stride, palette_size);
  } else {
    for (const CompactMatrix& matrix : copy(range.compact_palettes, range.palette_stride, palette_size))
      input.palette.push_back(expand(matrix, baked.scale));
  }
  return input;
}

/// An error as a share of the model's diagonal. A model of one point has none: there the error itself counts.
double share_of(double error, double diagonal) { return diagonal == 0 ? error : error / diagonal; }

double distance(Vec3 a, Vec3 b) { return std::hypot(double(a.x) - b.x, double(a.y) - b.y, double(a.z) - b.z); }

double degrees_between(Vec3 a, Vec3 b) {
  // By the chord: the arc cosine loses small angles to rounding.
  const double half = distance(a, b) / 2;
  return 2 * std::asin(half > 1 ? 1 : half) * 180 / std::numbers::pi;  // NaN stays NaN
}

/// The largest distance between the images of a corner, over all palette entries; infinite for NaN.
double palette_error(std::span<const Matrix3x4> expected, std::span<const Matrix3x4> found,
                     std::span<const Vec3> corners) {
  double worst = 0;
  for (size_t entry = 0; entry < expected.size(); ++entry)
    worst = std::max(worst, distance_between(found[entry], expected[entry], corners));
  return worst;
}

/// FNV-1a over 32-bit words. Source: Fowler, Noll, Vo.
void add_to_hash(uint64_t& hash, std::span<const uint32_t> words) {
  for (const uint32_t word : words) hash = (hash ^ word) * 0x100000001b3;
}

/// How the vertices of a model were written.
struct VertexCode {
  vulkan::VertexFormat format{};
  size_t words = 0;  // of a vertex
  Box box;           // of VertexFormat::kPacked

  /// Position and normal.
  std::pair<Vec3, Vec3> decode(std::span<const uint32_t> vertex) const {
    if (format == vulkan::VertexFormat::kPacked) {
      const auto packed = std::bit_cast<PackedSkinnedVertex>(std::array{vertex[0], vertex[1], vertex[2]});
      return {decode_position(packed, box), decode_normal(packed.normal)};
    }
    std::array<float, 6> values{};
    std::memcpy(values.data(), vertex.data(), std::min(vertex.size_bytes(), sizeof values));
    const bool is_float = format == vulkan::VertexFormat::kFloat;
    return {{values[0], values[1], values[2]},
            is_float ? Vec3{values[3], values[4], values[5]} : decode_normal(vertex[3])};
  }

  /// The largest error of a position by its rounding.
  double rounding() const {
    return format == vulkan::VertexFormat::kPacked ? distance(box.low, box.high) / 2 / 65535 : 0;
  }
};

/// For each range, the posed meshes of the range to compare, as indices within the range.
using ChosenMeshes = std::vector<std::vector<uint32_t>>;

/// All posed meshes of a small frame; else about kSampledMeshes, in proportion to the sizes of the ranges.
ChosenMeshes choose_meshes(std::span<const GroupRange> ranges, uint64_t seed) {
  uint64_t vertices = 0, posed_meshes = 0;
  for (const GroupRange& placed : ranges) {
    vertices += uint64_t(placed.range->instance_count) * placed.range->vertex_count;
    posed_meshes += placed.range->instance_count;
  }
  const bool all = vertices < kCompareAllBelow || posed_meshes <= kSampledMeshes;
  std::mt19937_64 random(seed);
  ChosenMeshes chosen(ranges.size());
  uint64_t passed_meshes = 0;
  for (size_t r = 0; r < ranges.size(); ++r) {
    const uint32_t count = ranges[r].range->instance_count;
    const uint64_t chosen_before = passed_meshes * kSampledMeshes / posed_meshes;
    passed_meshes += count;
    const uint64_t share = passed_meshes * kSampledMeshes / posed_meshes - chosen_before;  // shares add up exactly
    const uint32_t wanted = all ? count : std::clamp(uint32_t(share), 1u, count);
    std::vector<uint32_t> indices(count);
    for (uint32_t i = 0; i < count; ++i) indices[i] = i;
    for (uint32_t i = 0; i < wanted && !all; ++i) std::swap(indices[i], indices[i + random() % (count - i)]);
    indices.resize(wanted);
    chosen[r] = std::move(indices);
  }
  return chosen;
}

VkDeviceSize vertices_bytes(const vulkan::InstanceRange& range) {
  return VkDeviceSize(range.instance_count) * range.vertex_count * range.vertex_bytes;
}

constexpr double kTargetGain =
    10;  // what chains make of an error of the bake: within it, limbs are not at their limits
constexpr double kCompactErrorMm = 0.024;  // of a character of 1.8 m: see CompactMatrix

size_t played_layers(const Playback& playback) {
  return size_t(std::ranges::count_if(playback.layers, [](const Layer& layer) { return layer.weight > 0; }));
}

/// The largest errors of one posed mesh.
struct MeshErrors {
  uint64_t vertices = 0;
  double palette = 0, position = 0;               // share of the model's diagonal
  double normal = 0;                              // degrees
  double position_excess = 0, normal_excess = 0;  // without the rounding of packed positions, and of morph targets
};

/// Compares posed meshes one by one and keeps the largest errors in `total`.
class Comparer {
 public:
  Comparer(std::span<const Model> models, const Scene& scene, const crowd::Plan& plan, const Skinning& skinning)
      : models_(models), scene_(scene), set_(plan), skinning_(skinning) {
    if (!skinning.properties().vertex_shader_skins) total.vertices = 0, total.position_error = total.normal_degrees = 0;
  }

  /// Compares the `chosen` posed meshes of a range. `words` are all vertices of the range, or empty: then only
  /// palettes are compared.
  void compare(const GroupRange& placed, std::span<const uint32_t> chosen, std::span<const uint32_t> words) {
    const vulkan::InstanceRange& range = *placed.range;
    const crowd::PosedBatch& batch = skinning_.batch_of(placed.group, range);
    const Model& model = models_[batch.model];
    const bool worn = batch.is_worn();
    const Mesh& mesh = worn ? model.wearables[batch.wearable].meshes[batch.level] : model.mesh(batch.level);
    corners_ = corners_of(bounding_box(mesh.positions));
    for (uint32_t in_range : chosen) {
      const uint32_t index = skinning_.first_mesh_of(placed.group, range) + in_range, body = set_.body_of(batch, index);
      const crowd::PosedMesh& posed = set_.posed_meshes[index];
      const uint32_t instance = posed.instance;
      const double seconds = set_.groups[batch.group].seconds;
      const bool of_plan = posed.shared || batch.previous_poses;
      const Playback playback = of_plan ? set_.playbacks[body] : playback_at(model, scene_.pace(instance), seconds);
      const SkinInput used = input_of_body(body, model.bake(batch.level), worn);
      const std::vector<Matrix3x4>& palette = used.palette;
      const std::vector<ChainTarget> targets = targets_of(instance);
      const Expected expected =
          compute_expected(model, model.skin(batch.level), mesh, playback, targets, used, skinning_.is_exact());
      MeshErrors one;
      one.palette = share_of(palette_error(expected.palette, palette, corners_), model.diagonal);
      if (!words.empty()) {
        const VertexCode code{skinning_.properties().format, range.vertex_bytes / sizeof(uint32_t),
                              box_of_positions(model, batch.level)};
        const size_t mesh_words = range.vertex_count * code.words;
        compare_vertices(words.subspan(in_range * mesh_words, mesh_words), code, expected, model.diagonal, one);
      }
      const std::string name = model.name + " " + std::to_string(instance);
      const double gain = targets.empty() ? 1 : kTargetGain;
      if (!skinning_.is_exact() && !worn)
        compare_with_bake(model, batch.level, playback, expected.palette, palette, gain, name);
      add(one, name);
      if (posed.shared && !worn) compare_shared(model, batch.level, posed, expected.palette);
    }
  }

  Comparison total;

 private:
  /// Wearables have no morph targets.
  SkinInput input_of_body(uint32_t body, const BakedCharacter& baked, bool worn) const {
    const auto placed = skinning_.crowd().posed_mesh(body);
    SkinInput input = input_of(*placed->range, placed->index, baked);
    if (worn) input.weights.clear();
    return input;
  }

  /// Those of an instance, as of the only one of a call.
  std::vector<ChainTarget> targets_of(uint32_t instance) const {
    std::vector<ChainTarget> targets(std::ranges::lower_bound(scene_.targets, instance, {}, &ChainTarget::instance),
                                     std::ranges::upper_bound(scene_.targets, instance, {}, &ChainTarget::instance));
    for (ChainTarget& target : targets) target.instance = 0;
    return targets;
  }

  /// Compares a shared pose with the own pose of each instance drawn with it, both by the exact stages.
  void compare_shared(const Model& model, uint32_t level, const crowd::PosedMesh& posed,
                      std::span<const Matrix3x4> shared) {
    for (uint32_t instance : std::span(set_.instances).subspan(posed.first_instance, posed.instance_count)) {
      const Playback playback = playback_at(model, scene_.pace(instance), set_.seconds);
      const std::vector<Matrix3x4> own = exact_palette(model.character, model.skin(level), playback, model.masks);
      const double degrees = crowd::angle_between(own, shared) * 180 / std::numbers::pi;
      total.shared_degrees = larger_error(total.shared_degrees.value_or(0), degrees);
    }
  }

  static void compare_vertices(std::span<const uint32_t> words, const VertexCode& code, const Expected& expected,
                               double diagonal, MeshErrors& one) {
    const size_t count = words.size() / code.words;
    for (size_t v = 0; v < count; ++v) {
      const auto [position, normal] = code.decode(words.subspan(v * code.words, code.words));
      const double off = distance(position, expected.positions[v]);
      one.position = larger_error(one.position, share_of(off, diagonal));
      one.position_excess = larger_error(one.position_excess, share_of(off - code.rounding(), diagonal));
      const double degrees = degrees_between(normal, expected.normals[v]);
      const double rounding = expected.normal_rounding.empty() ? 0 : expected.normal_rounding[v];
      one.normal = larger_error(one.normal, degrees);
      one.normal_excess = larger_error(one.normal_excess, degrees - rounding);
    }
    one.vertices = count;
  }

  /// Compares a baked palette with the exact one. `gain`: by how much more than the bake it may be off. Nothing is
  /// compared in blends at a level whose joints are folded, which blend otherwise: there is no bound.
  void compare_with_bake(const Model& model, uint32_t level, const Playback& playback,
                         std::span<const Matrix3x4> expected, std::span<const Matrix3x4> found, double gain,
                         const std::string& name) {
    const BakedCharacter& baked = model.bake(level);
    const double error_mm =
        distance_between(measure_of(model.character, model.skin(level), baked), expected, found) * 1e3;
    const bool folded_blend = model.has_palette(level) && played_layers(playback) > 1;
    total.folded_blends += folded_blend;
    if (folded_blend) return;
    const double allowed_mm =
        gain * (allowed_error(baked, playback) * 1e3 + (skinning_.compact_palettes() ? kCompactErrorMm : 0));
    total.pose_error_mm = larger_error(total.pose_error_mm.value_or(0), error_mm);
    const bool good = std::isfinite(error_mm) && error_mm <= allowed_mm;  // false for NaN
    if (good || !total.first_failure.empty()) return;
    total.first_failure = text("character %s: its pose is off by %s mm on a character of 1.8 m (%s allowed)",
                               name.c_str(), millimeters(error_mm).c_str(), millimeters(allowed_mm).c_str());
  }

  /// Adds the result of one posed mesh. Where palettes are not baked, kMaxPaletteError applies to them too.
  void add(const MeshErrors& one, const std::string& name) {
    const bool exact = skinning_.is_exact();
    ++total.posed_meshes;
    total.palette_error = larger_error(total.palette_error, one.palette);
    if (total.vertices) {
      *total.vertices += one.vertices;
      total.position_error = larger_error(*total.position_error, one.position);
      total.normal_degrees = larger_error(*total.normal_degrees, one.normal);
    }
    const bool good = one.position_excess <= kMaxPositionError && one.normal_excess <= kMaxNormalDegrees &&
                      (!exact || one.palette <= kMaxPaletteError);
    if (good || !total.first_failure.empty()) return;
    total.first_failure =
        text("character %s: positions off by %.2e of the diagonal (%.0e allowed), normals by %.4f degrees (%.2f%s)",
             name.c_str(), one.position, kMaxPositionError, one.normal, kMaxNormalDegrees,
             one.normal > one.normal_excess ? " beyond the rounding of morph targets" : "");
    if (exact) total.first_failure += text(", palette by %.2e (%.0e)", one.palette, kMaxPaletteError);
  }

  std::span<const Model> models_;
  const Scene& scene_;
  const crowd::Plan& set_;
  const Skinning& skinning_;
  std::array<Vec3, 8> corners_;
};

}  // namespace

Result<Buffer> read_back(const Device& device, const vulkan::InstanceRange& range) {
  auto buffer = create_buffer(device, vertices_bytes(range), VK_BUFFER_USAGE_TRANSFER_DST_BIT, MemoryKind::kReadback,
                              "sinew.validation");
  if (!buffer) return buffer;
  const VkBufferCopy region{range.vertices_offset, 0, vertices_bytes(range)};
  const Status copied = run_once(device, "sinew.validation", [&](VkCommandBuffer cmd) {
    vkCmdCopyBuffer(cmd, range.vertices, buffer->get(), 1, &region);
  });
  if (!copied) return copied.error();
  return buffer;
}

Result<Comparison> compare_frame(const Device& device, std::span<const Model> models, const Scene& scene,
                                 const crowd::Plan& plan, const Skinning& skinning, uint64_t seed) {
  const std::vector<GroupRange> ranges = skinning.all_ranges();
  const ChosenMeshes chosen = choose_meshes(ranges, seed);
  Comparer comparer(models, scene, plan, skinning);
  uint64_t hash = 0xcbf29ce484222325;
  for (size_t r = 0; r < ranges.size(); ++r) {
    const vulkan::InstanceRange& range = *ranges[r].range;
    std::vector<uint32_t> words(range.vertices != VK_NULL_HANDLE ? vertices_bytes(range) / sizeof(uint32_t) : 0);
    if (!words.empty()) {
      const auto read = read_back(device, range);
      if (!read) return read.error();
      std::memcpy(words.data(), read->mapped, vertices_bytes(range));
    }
    add_to_hash(hash, words);
    comparer.compare(ranges[r], chosen[r], words);
  }
  if (comparer.total.vertices) comparer.total.output_hash = text("%016llx", static_cast<unsigned long long>(hash));
  return comparer.total;
}

}  // namespace sinew::app
