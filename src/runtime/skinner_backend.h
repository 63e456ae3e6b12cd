// The library's skinner as the backend of a crowd.
#pragma once

#include <span>
#include <utility>

#include "asset/error.h"
#include "sinew/experimental/crowd_parts.h"
#include "sinew/vulkan/skinner.h"

namespace sinew::vulkan::internal {

class SkinnerBackend final : public experimental::SkinningBackend {
 public:
  Status make_skinner(const SkinnerInfo& info) {
    tangents_ = info.tangents;
    return put_value(create_skinner(info), skinner_);
  }
  Skinner& skinner() { return skinner_; }
  const Skinner& skinner() const { return skinner_; }

  bool borrows_palettes() const override { return true; }

  /// On any thread: see Skinner::prepare_mesh().
  Result<PreparedMesh> prepare_mesh(const experimental::BackendMesh& mesh) const {
    const bool lacks_tangents = tangents_ && mesh.mesh->tangents.empty();
    const Mesh with_tangents = lacks_tangents ? with_any_tangents(*mesh.mesh) : Mesh();
    return skinner_.prepare_mesh(lacks_tangents ? with_tangents : *mesh.mesh, mesh.palette_size, mesh.name, mesh.box,
                                 mesh.palettes);
  }

  Result<MeshId> add_mesh(const experimental::BackendMesh& mesh) override {
    auto prepared = prepare_mesh(mesh);
    if (!prepared) return prepared.error();
    return skinner_.add_mesh(std::move(*prepared));
  }

  VkDeviceSize mesh_bytes(MeshId mesh) const override { return skinner_.mesh_buffer(mesh).size_bytes; }
  void remove_mesh(MeshId mesh) override { skinner_.remove_mesh(mesh); }

  Status begin_frame(const SkinnerFrame& frame) override { return skinner_.begin_frame(frame); }

  Status prepare(uint32_t group, std::span<const SkinnerBatch> batches, const ParallelFor& parallel_for) override {
    return skinner_.prepare(group, batches, {}, parallel_for);
  }

  std::span<const InstanceRange> ranges(uint32_t group) const override { return skinner_.ranges(group); }
  void record(VkCommandBuffer cmd, const RecordInfo& info) override { skinner_.record(cmd, info); }
  Status discard_frame() override { return skinner_.discard_frame(); }

 private:
  /// A skinner writes tangents for all meshes or for none: what needs none gets some.
  static Mesh with_any_tangents(Mesh mesh) {
    mesh.tangents.assign(mesh.positions.size(), {1, 0, 0, 1});
    return mesh;
  }

  Skinner skinner_;
  bool tangents_ = false;
};

}  // namespace sinew::vulkan::internal
