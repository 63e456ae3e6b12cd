#include "check.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "gpu/host.h"
#include "sinew/asset/cpu_skin.h"
#include "sinew/asset/skinned_vertex.h"

namespace sinew::bench {
namespace {

constexpr uint32_t kMaxInstances = 200;
constexpr double kCompactBound = 1.3e-5;  // of CompactMatrix, for points as far from the origin as the diagonal
constexpr double kFloatBound = 1e-5, kNormalBound = 0.02;
constexpr double kMorphedNormalBound = 0.8;  // differences of normals are packed

struct Decoded {
  Vec3 position, normal;
};

template <class Vertex>
Vertex read(const std::byte* bytes) {
  Vertex vertex;
  std::memcpy(static_cast<void*>(&vertex), bytes, sizeof vertex);
  return vertex;
}

Decoded decode(const std::byte* bytes, vulkan::VertexFormat format, const Box& box) {
  if (format == vulkan::VertexFormat::kPacked) {
    const auto vertex = read<PackedSkinnedVertex>(bytes);
    return {decode_position(vertex, box), decode_normal(vertex.normal)};
  }
  if (format == vulkan::VertexFormat::kFloat) {
    const auto [p, n] = read<FloatSkinnedVertex>(bytes);
    return {{p[0], p[1], p[2]}, {n[0], n[1], n[2]}};
  }
  const auto vertex = read<SkinnedVertex>(bytes);
  return {{vertex.position[0], vertex.position[1], vertex.position[2]}, decode_normal(vertex.normal)};
}

/// Computed from the chord: for small angles the cosine is too inexact.
double degrees_between(Vec3 a, Vec3 b) {
  return 2 * std::asin(std::min(double(length(a - b)) / 2, 1.0)) * 180 / 3.14159265358979323846;
}

double degrees_between(Vec4 a, Vec4 b) {
  if (a.w != b.w) return std::numeric_limits<double>::infinity();
  return degrees_between(Vec3{a.x, a.y, a.z}, Vec3{b.x, b.y, b.z});
}

void keep_largest(double& largest, double error) {
  largest = std::max(largest, std::isnan(error) ? std::numeric_limits<double>::infinity() : error);
}

/// Half a quantization step along each axis, plus the rounding of floats.
double packed_bound(const Workload& workload) {
  return kFloatBound + double(length(size_of(workload.box))) / 65535 / 2 / workload.model.diagonal;
}

Status poison(const app::Device& device, const OutputPages& pages) {
  return app::run_once(device, "filling", [&](VkCommandBuffer cmd) {
    for (const app::Buffer& page : pages.buffers()) vkCmdFillBuffer(cmd, page.get(), 0, VK_WHOLE_SIZE, 0xffffffff);
  });
}

class Comparer {
 public:
  Comparer(const app::Device& device, const Workload& workload, const Subject& subject)
      : device_(device), workload_(workload), subject_(subject) {
    const bool packed = subject.variant().format == vulkan::VertexFormat::kPacked;
    check.position_bound = packed ? packed_bound(workload) : kFloatBound;
    if (subject.variant().palettes == vulkan::PaletteFormat::kCompact) check.position_bound += kCompactBound;
    check.normal_bound = subject.variant().morph_targets ? kMorphedNormalBound : kNormalBound;
    const uint32_t count = workload.character().mesh.vertex_count();
    positions_.resize(count), normals_.resize(count);
    if (subject.variant().tangents) tangents_.resize(count);
  }

  Status compare(const vulkan::InstanceRange& range, uint32_t instance) {
    const VkDeviceSize bytes = VkDeviceSize{range.vertex_count} * range.vertex_bytes;
    const auto copy = app::create_buffer(device_, bytes, VK_BUFFER_USAGE_TRANSFER_DST_BIT, app::MemoryKind::kReadback,
                                         "sinew.read_back");
    if (!copy) return copy.error();
    const VkBufferCopy part{range.vertices_offset + instance * bytes, 0, bytes};
    const Status read = app::run_once(device_, "reading back", [&](VkCommandBuffer cmd) {
      vkCmdCopyBuffer(cmd, range.vertices, copy->get(), 1, &part);
    });
    if (!read) return read;
    const Variant& variant = subject_.variant();
    const auto weights =
        variant.morph_targets ? workload_.weights_of(range.first_instance + instance) : std::span<const float>();
    skin_on_cpu(workload_.mesh(variant.blend), workload_.palette(range.first_instance + instance), positions_, normals_,
                tangents_, weights);
    for (uint32_t v = 0; v < range.vertex_count; ++v) {
      const auto* words = static_cast<const std::byte*>(copy->mapped) + size_t{v} * range.vertex_bytes;
      const Decoded vertex = decode(words, subject_.variant().format, workload_.box);
      keep_largest(check.position_error, double(length(vertex.position - positions_[v])) / workload_.model.diagonal);
      keep_largest(check.normal_degrees, degrees_between(vertex.normal, normals_[v]));
      if (tangents_.empty()) continue;
      uint32_t tangent;
      std::memcpy(&tangent, words + uint32_t(subject_.variant().format), sizeof tangent);
      keep_largest(check.tangent_degrees, degrees_between(decode_tangent(tangent), tangents_[v]));
    }
    check.vertices += range.vertex_count;
    return {};
  }

  Check check;

 private:
  const app::Device& device_;
  const Workload& workload_;
  const Subject& subject_;
  std::vector<Vec3> positions_, normals_;
  std::vector<Vec4> tangents_;  // empty if the variant has no tangents
};

}  // namespace

Result<Check> check(const app::Device& device, const Workload& workload, Subject& subject, const OutputPages& pages) {
  if (Status poisoned = poison(device, pages); !poisoned) return poisoned.error();
  if (auto run = subject.run(); !run) return run.error();
  Comparer comparer(device, workload, subject);
  const uint32_t step = (workload.instance_count() + kMaxInstances - 1) / kMaxInstances;
  for (const vulkan::InstanceRange& range : subject.ranges()) {
    const uint32_t first = (step - range.first_instance % step) % step;
    for (uint32_t instance = first; instance < range.instance_count; instance += step) {
      if (Status compared = comparer.compare(range, instance); !compared) return compared.error();
    }
  }
  return comparer.check;
}

}  // namespace sinew::bench
