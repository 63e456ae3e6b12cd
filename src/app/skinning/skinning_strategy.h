// What differs between the ways of skinning: by the library's compute pass, in the vertex shader, or on the CPU. All
// end in ranges of posed meshes that the draw pass reads in the same way.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "gpu/host.h"
#include "gpu/pages.h"
#include "sinew/asset/skinned_vertex.h"
#include "sinew/crowd/plan.h"
#include "sinew/vulkan/skinner.h"
#include "skinning/evaluation.h"
#include "skinning/skinning_mode.h"

namespace sinew::app {

struct SkinningInfo {
  Evaluation* evaluation = nullptr;  // must outlive the skinning
  SkinningMode mode = SkinningMode::kCompute;
  uint32_t frames_in_flight = 2;
  AsyncCompute async = AsyncCompute::kNone;  // where compute is recorded: for a submission of its own
  uint32_t update_groups = 1;                // that plans have
  vulkan::VertexFormat format = vulkan::VertexFormat::kOctahedral;  // another one: kCompute only
  bool tangents = false;          // write tangents, which all meshes have: kCompute only
  bool keep_previous = false;     // keep the vertices of the frame before, for motion vectors: kCompute only
  bool compact_palettes = false;  // 16 bytes a joint: kCompute only, of models that can_be_compact()
  bool pulls_vertices = false;    // draws read vertices from storage buffers
};

/// How many frames' palettes and skinned vertices are kept at a time.
struct KeptFrames {
  uint32_t palettes = 0, vertices = 0;
};

/// What the rest of the program must know of a strategy. Depends on SkinningInfo only.
struct SkinningProperties {
  bool vertex_shader_skins = false;  // draws read palettes and static meshes; there are no skinned vertices
  bool records_compute = false;      // the device skins before it draws
  vulkan::VertexFormat format = vulkan::VertexFormat::kOctahedral;
  bool tangents = false;  // one follows each vertex
  KeptFrames kept;

  uint32_t vertex_bytes() const { return uint32_t(format) + (tangents ? uint32_t(sizeof(uint32_t)) : 0); }
};

/// Posed meshes of one batch that lie together. Those not updated stay where they were.
struct SkinnedRange {
  uint32_t batch = 0;       // in crowd::Plan::batches
  uint32_t first_mesh = 0;  // within the batch
  uint32_t mesh_count = 0;
  uint32_t vertex_count = 0, palette_stride = 0;  // of one mesh; matrices from one palette to the next
  uint32_t page = 0;                              // of `vertices` or `palette_buffer`, counted over all groups
  bool not_updated = false;                       // nothing is written for it in this frame

  std::span<Matrix3x4> palettes;                 // mesh_count * palette_stride
  std::span<CompactMatrix> compact_palettes;     // likewise, in their place
  std::span<Matrix3x4> split_palettes;           // mapped, where the vertex shader reads split matrices; else empty
  VkBuffer palette_buffer = VK_NULL_HANDLE;      // where the vertex shader skins: a page of palettes
  VkBufferView palette_texels = VK_NULL_HANDLE;  // the same page as texels
  uint32_t first_entry = 0;                      // first matrix of the range in the page

  VkBuffer vertices = VK_NULL_HANDLE;  // [mesh_count][vertex_count] of SkinningInfo::format; null if the vertex
                                       // shader skins
  uint32_t vertex_bytes = sizeof(SkinnedVertex);
  VkDeviceSize vertices_offset = 0;          // bytes
  std::span<SkinnedVertex> mapped_vertices;  // where the CPU skins; empty where the device does

  size_t palette_entries() const { return size_t(mesh_count) * palette_stride; }
  VkDeviceSize vertices_bytes() const { return VkDeviceSize(mesh_count) * vertex_count * vertex_bytes; }
};

/// Bytes that skinning on the device reads, besides palettes.
struct StaticReads {
  uint64_t mesh_bytes = 0, job_bytes = 0;
};

/// One way of skinning the posed meshes of a crowd. One call at a time. Each frame: begin_frame(), update_group() for
/// the groups that the frame updates, convert_palettes(), skin(), record(). Each strategy also states its
/// SkinningProperties.
class SkinningStrategy {
 public:
  virtual ~SkinningStrategy() = default;

  virtual Status begin_frame(const vulkan::Frame&) { return {}; }

  /// Makes room for the posed meshes of an update group and replaces `ranges` by where they lie. SkinnedRange::batch is
  /// the index in `batches`; SkinnedRange::page counts within the group. Frames in flight may draw the group's previous
  /// ranges. May allocate.
  virtual Status update_group(uint32_t group, std::span<const crowd::PosedBatch> batches,
                              std::vector<SkinnedRange>& ranges) = 0;

  /// Where the device does not read palettes as the evaluators write them: converts those of the updated ones of
  /// `ranges`.
  virtual void convert_palettes(const crowd::Plan&, std::span<const SkinnedRange>) {}

  /// On the CPU: writes the vertices of the updated ones of `ranges`, whose palettes are written. Returns the
  /// milliseconds it took; none where the device skins.
  virtual std::optional<double> skin(const crowd::Plan&, std::span<const SkinnedRange>) { return {}; }

  /// Records the compute pass, and copies to device-local memory. `info.timestamps` is as in vulkan::RecordInfo.
  virtual void record(VkCommandBuffer, const vulkan::RecordInfo&) {}

  /// The copies to device-local memory that the last record() recorded: of pages that the device would read over the
  /// bus.
  virtual PageCopies copies() const { return {}; }

  /// Of compute shaders, in the last record().
  virtual uint64_t dispatches() const { return 0; }

  /// What these read besides palettes: static data of meshes, once for each batch, and job lists.
  virtual StaticReads static_reads() const { return {}; }

  virtual Status reload_kernel(std::span<const uint32_t>) { return {}; }

  /// What the vertex shader reads of a mesh (crowd::PosedBatch::mesh); null where it does not skin.
  virtual vulkan::MeshBuffer static_mesh(uint32_t) const { return {}; }

  /// Device memory in bytes, with room to grow.
  virtual uint64_t device_bytes() const = 0;
};

}  // namespace sinew::app
