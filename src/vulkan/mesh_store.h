// The meshes of a skinner: their static data on the device, and the uploads that fill it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "buffer.h"
#include "mesh_pages.h"
#include "sinew/vulkan/skinner.h"
#include "skin_pass.h"
#include "upload.h"

namespace sinew::vulkan::internal {

/// Externally synchronized, but for pack(). `allocator` and `pass` must outlive the store.
class MeshStore {
 public:
  MeshStore(std::shared_ptr<const DeviceTable> table, BufferAllocator& allocator, SkinPass& pass)
      : table_(std::move(table)), allocator_(allocator), pass_(pass), pages_(allocator, *table_) {}
  MeshStore(const MeshStore&) = delete;

  /// See Skinner::prepare_mesh(). On any thread, beside all other calls: reads what does not change, and builds
  /// kernels.
  Result<PackedMesh> pack(const Mesh& mesh, uint32_t palette_size, const std::string& name, const Box& box,
                          const PaletteKind& palettes) const;
  /// See Skinner::add_mesh(). After an error `mesh` can be added later.
  Result<MeshId> add(PackedMesh& mesh);
  /// The name of a mesh to be added: a number if `given` is null or empty.
  std::string name_of(const char* given) const;
  /// `frame` is the last frame that may use the mesh.
  void remove(MeshId id, uint64_t frame);
  /// Null where the id is unknown or the mesh was removed.
  const StaticMesh* find(MeshId id) const;

  /// Frames between `before` and `next` are not begun, but may read meshes that were removed in `before`.
  void begin_frame(uint64_t before, uint64_t next);
  /// Frees what no frame after `last_completed` uses, except meshes that a plan of frame `keep_from` or later, still to
  /// be recorded, uses.
  void free_completed(uint64_t last_completed, uint64_t keep_from);

  /// Records the copies of all meshes that no frame uploads yet; a removed mesh too where a plan that is due uses it,
  /// the oldest of which is of `oldest_due`. Without a barrier after them. Returns their bytes.
  uint64_t record_uploads(VkCommandBuffer cmd, uint64_t frame, uint64_t oldest_due);
  /// The uploads of `frame` are due again.
  void discard_uploads(uint64_t frame);

  /// Adds to `usage`.
  void add_usage(MemoryUsage& usage) const;

 private:
  Status check(const Mesh& mesh, uint32_t palette_size, const std::string& prefix, const Box& box,
               const PaletteKind& palettes) const;
  Status check_sizes(const Mesh& mesh, uint32_t palette_size, const std::string& prefix,
                     const PaletteKind& palettes) const;

  std::shared_ptr<const DeviceTable> table_;
  BufferAllocator& allocator_;
  SkinPass& pass_;
  MeshPages pages_;
  std::map<uint32_t, StaticMesh> meshes_;
  uint32_t added_ = 0;  // so far: the name of a mesh without one
};

}  // namespace sinew::vulkan::internal
