#include "mesh_store.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "asset/mesh_checks.h"
#include "asset/plain_text.h"
#include "barrier.h"
#include "mesh_data.h"
#include "morph_data.h"

namespace sinew::vulkan::internal {
namespace {

/// No two meshes of the process have the same: the id of another skinner's mesh is then unknown, not another mesh.
uint32_t next_id() {
  static std::atomic<uint32_t> last{0};
  uint32_t id = 0;
  while (id == 0) id = ++last;
  return id;
}

bool is_proper(const Box& box) {
  const Vec3 extent = box.high - box.low;
  const auto is_valid = [](float e) { return e >= 0 && std::isfinite(e); };
  return is_valid(extent.x) && is_valid(extent.y) && is_valid(extent.z) && extent.x + extent.y + extent.z > 0;
}

/// That palettes leave room for.
uint32_t weights_of(const Mesh& mesh, const PaletteKind& palettes) {
  return std::max(mesh.target_count(), palettes.target_count);
}

/// What errors about a mesh begin with.
std::string prefix_of(const std::string& name) { return name.empty() ? "mesh" : "mesh '" + name + "'"; }

Error prefixed(Error error, const std::string& prefix) {
  error.message = prefix + ": " + error.message;
  return error;
}

Status check_palettes(const PaletteKind& palettes, const std::string& prefix) {
  if (palettes.format > PaletteFormat::kCompact) {
    return invalid_argument(prefix + ": unknown format of palettes " + std::to_string(uint32_t(palettes.format)));
  }
  if (palettes.format != PaletteFormat::kCompact) return {};
  if (palettes.scale > 0 && std::isfinite(palettes.scale)) return {};
  return invalid_argument(prefix + ": the scale of its palettes is " + decimal(double(palettes.scale)));
}

bool is_unused(const StaticMesh& mesh, uint64_t oldest_due) {
  return mesh.removed_frame != kNever && mesh.removed_frame < oldest_due;
}

bool needs_upload(const StaticMesh& mesh, uint64_t oldest_due) {
  return mesh.uploaded_frame == kNever && !is_unused(mesh, oldest_due);
}

}  // namespace

// --- adding ---

Status MeshStore::check(const Mesh& mesh, uint32_t palette_size, const std::string& prefix, const Box& box,
                        const PaletteKind& palettes) const {
  if (Status status = sinew::internal::validate_skinned(mesh, palette_size); !status) {
    const std::string& fault = status.error().message;  // "mesh: vertex 9 ..."
    const size_t known = fault.starts_with("mesh: ") ? std::strlen("mesh: ") : 0;
    return Error{status.error().code, prefix + ": " + fault.substr(known)};
  }
  if (mesh.vertex_count() == 0) return invalid_argument(prefix + " has no vertices");
  if (pass_.choice().format == VertexFormat::kPacked && !is_proper(box)) {
    return invalid_argument(prefix + " needs a box in this format");
  }
  if (pass_.choice().tangents && mesh.tangents.empty()) {
    return invalid_argument(prefix + " has no tangents to skin");
  }
  if (Status status = check_palettes(palettes, prefix); !status) return status;
  return check_sizes(mesh, palette_size, prefix, palettes);
}

/// One instance fits in a page, and the morph targets in a buffer.
Status MeshStore::check_sizes(const Mesh& mesh, uint32_t palette_size, const std::string& prefix,
                              const PaletteKind& palettes) const {
  const bool compact = palettes.format == PaletteFormat::kCompact;
  const uint64_t stride = stride_of(palette_size, weights_of(mesh, palettes), compact);
  const VkDeviceSize vertex_bytes = VkDeviceSize{mesh.vertex_count()} * pass_.choice().vertex_bytes();
  if (vertex_bytes > table_->max_page_bytes) {
    return too_large(prefix + ": one instance's vertices need", vertex_bytes, table_->max_page_bytes, *table_);
  }
  if (const VkDeviceSize palette_bytes = stride * sizeof(Matrix3x4); palette_bytes > table_->max_page_bytes) {
    const bool morphs = stride > palette_stride(palette_size);
    return too_large(prefix + ": one instance's palette " + (morphs ? "and morph weights need" : "needs"),
                     palette_bytes, table_->max_page_bytes, *table_);
  }
  const uint64_t morph_bytes = count_differences(mesh) * kElementBytes;
  if (morph_bytes <= table_->max_buffer_bytes) return {};
  return too_large(prefix + ": the morph targets need", morph_bytes, table_->max_buffer_bytes, *table_);
}

Result<PackedMesh> MeshStore::pack(const Mesh& mesh, uint32_t palette_size, const std::string& name, const Box& box,
                                   const PaletteKind& palettes) const {
  const std::string prefix = prefix_of(name);
  if (Status status = check(mesh, palette_size, prefix, box, palettes); !status) return status.error();
  PackedMesh packed{table_, name, palette_size, mesh.target_count(), mesh.blend == Blend::kDualQuaternion, palettes};
  packed.layout = lay_out_mesh(mesh, pass_.choice(), palettes.format != PaletteFormat::kMatrices);
  const uint64_t size_bytes = packed.layout.size_bytes();
  if (size_bytes > table_->max_buffer_bytes) {
    return too_large(prefix + ": the static data needs", size_bytes, table_->max_buffer_bytes, *table_);
  }
  const bool compact = palettes.format == PaletteFormat::kCompact;
  const uint64_t stride = stride_of(palette_size, weights_of(mesh, palettes), compact);
  packed.placement = {0, uint32_t(stride), weights_row(palette_size), box};
  packed.words.resize(size_bytes / sizeof(uint32_t));
  write_mesh_data(mesh, packed.layout, packed.placement, packed.words);
  Result<Kernels::Built> built =
      pass_.kernels().build(kernels_for(chunk_table(packed.layout, 0), packed.dual_quaternions, compact));
  if (!built) return prefixed(built.error(), prefix);
  packed.kernels = std::move(*built);
  return packed;
}

Result<MeshId> MeshStore::add(PackedMesh& mesh) {
  if (mesh.table != table_) return invalid_argument("add_mesh: another skinner prepared " + prefix_of(mesh.name));
  const std::string name = name_of(mesh.name.c_str());
  if (Status status = pass_.kernels().renew(mesh.kernels); !status) return prefixed(status.error(), prefix_of(name));
  Result<StaticMesh> staged = stage_mesh(allocator_, pages_, mesh, name);
  if (!staged) return staged.error();
  const uint32_t id = next_id();
  meshes_.emplace(id, std::move(*staged));
  pass_.kernels().add(mesh.kernels);
  ++added_;
  return MeshId{id};
}

std::string MeshStore::name_of(const char* given) const {
  return given != nullptr && given[0] != '\0' ? given : std::to_string(added_ + 1);
}

void MeshStore::remove(MeshId id, uint64_t frame) {
  const auto found = meshes_.find(id.value);
  if (found != meshes_.end() && found->second.removed_frame == kNever) found->second.removed_frame = frame;
}

const StaticMesh* MeshStore::find(MeshId id) const {
  const auto found = meshes_.find(id.value);
  return found != meshes_.end() && found->second.removed_frame == kNever ? &found->second : nullptr;
}

// --- frames ---

void MeshStore::begin_frame(uint64_t before, uint64_t next) {
  for (auto& [id, mesh] : meshes_) {
    if (mesh.removed_frame == before) mesh.removed_frame = std::max(before, next - 1);
  }
}

void MeshStore::free_completed(uint64_t last_completed, uint64_t keep_from) {
  std::erase_if(meshes_, [&](const auto& entry) {
    return entry.second.removed_frame <= last_completed && entry.second.removed_frame < keep_from;
  });
  for (auto& [id, mesh] : meshes_) {
    if (mesh.uploaded_frame <= last_completed) mesh.staging = {};
  }
}

uint64_t MeshStore::record_uploads(VkCommandBuffer cmd, uint64_t frame, uint64_t oldest_due) {
  bool page_in_use = false;
  uint32_t count = 0;
  for (auto& [id, mesh] : meshes_) {
    if (mesh.removed_frame != kNever && mesh.removed_frame >= oldest_due) mesh.removed_frame = frame;
    if (!needs_upload(mesh, oldest_due)) continue;
    ++count;
    page_in_use = page_in_use || mesh.data.page().written;
  }
  if (count == 0) return 0;

  char text[48];
  std::snprintf(text, sizeof text, "sinew upload %u %s", count, noun(count, "mesh", "meshes"));
  const Label label(*table_, cmd, LabelKind::kUpload, text);
  // Earlier kernels may read other meshes of the page, and descriptors bind the whole page: the copy waits for them.
  if (page_in_use) record_barrier(*table_, cmd, {kWriteStage, 0, VK_PIPELINE_STAGE_TRANSFER_BIT, 0});
  uint64_t bytes = 0;
  for (auto& [id, mesh] : meshes_) {
    if (!needs_upload(mesh, oldest_due)) continue;
    record_copy(*table_, cmd, mesh);
    mesh.uploaded_frame = frame;
    bytes += mesh.data.size_bytes();
  }
  return bytes;
}

void MeshStore::discard_uploads(uint64_t frame) {
  for (auto& [id, mesh] : meshes_) {
    if (mesh.uploaded_frame == frame) mesh.uploaded_frame = kNever;
  }
}

void MeshStore::add_usage(MemoryUsage& usage) const {
  for (const auto& [id, mesh] : meshes_) {
    (mesh.removed_frame == kNever ? usage.mesh_bytes : usage.deferred_bytes) += mesh.data.size_bytes();
    usage.staging_bytes += mesh.staging.size_bytes();
  }
}

}  // namespace sinew::vulkan::internal
