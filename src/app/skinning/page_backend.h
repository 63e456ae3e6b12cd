// The other ways of skinning: in the vertex shader, and on the CPU. They place ranges in pages of their own.
#pragma once

#include <cstddef>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "gpu/pages.h"
#include "scene/model.h"
#include "sinew/asset/skinned_vertex.h"
#include "sinew/experimental/crowd_parts.h"
#include "sinew/vulkan/skinner.h"
#include "system/thread_pool.h"

namespace sinew::app {

// What the ways of skinning that are not the library's have in common: mapped pages of each update group.

using vulkan::InstanceRange;
using vulkan::MeshId;
using vulkan::experimental::BackendMesh;

/// What the pages hold.
struct PagesInfo {
  VkBufferUsageFlags usage = 0;
  const char* name = "";  // of the buffers, for debuggers
  vulkan::Consumers readers;
  uint32_t frames_in_flight = 2, update_groups = 1;
};

/// Pages of each update group, kept until the group is updated again. A frame in flight may still draw the group's
/// previous pages, so there are as many as frames in flight, used one after another.
class PageBackend : public vulkan::experimental::SkinningBackend {
 public:
  /// `device` must outlive the backend.
  PageBackend(const Device& device, const PagesInfo& info);

  Result<MeshId> add_mesh(const BackendMesh& mesh) override;
  Status begin_frame(const vulkan::SkinnerFrame&) override { return {}; }
  Status prepare(uint32_t group, std::span<const vulkan::SkinnerBatch> batches,
                 const ParallelFor& parallel_for) override;
  std::span<const InstanceRange> ranges(uint32_t group) const override { return groups_[group].ranges; }

  /// Records the copies of pages that were written since the last call: see Pages::copies.
  void record(VkCommandBuffer cmd, const vulkan::RecordInfo&) override;
  PageCopies copies() const { return copies_; }  // of the last record()

  virtual uint64_t device_bytes() const;

  /// What the vertex shader reads of a mesh, in the order of add_mesh(); null where it does not skin.
  virtual vulkan::MeshBuffer static_mesh(uint32_t) const { return {}; }
  /// A page of palettes as texels; null where the vertex shader does not skin.
  VkBufferView texels_of(VkBuffer page) const;

 protected:
  /// The bytes of an instance in the pages.
  virtual VkDeviceSize instance_bytes(const InstanceRange& of_one) const = 0;
  /// Sets what a range has besides sizes: its instances lie at `offset` in a page, which is written at `mapped`.
  virtual void place(VkBuffer page, VkDeviceSize offset, std::byte* mapped, InstanceRange& range) = 0;
  /// All ranges of a group are placed.
  virtual void finish(uint32_t, std::span<InstanceRange>) {}

  /// Of a range of a group, by its index.
  const Mesh& mesh(uint32_t group, size_t range) const { return *groups_[group].placed[range].mesh; }
  /// Where its page is written.
  std::byte* mapped(uint32_t group, size_t range) const { return groups_[group].placed[range].mapped; }

 private:
  struct Placed {
    const Mesh* mesh = nullptr;
    std::byte* mapped = nullptr;
  };
  struct Group {
    std::vector<Pages> pages;
    uint32_t current = 0;
    bool fitted = false;  // since the last record()
    std::vector<InstanceRange> ranges;
    std::vector<Placed> placed;  // of each range
  };
  const Device* device_;
  PagesInfo info_;
  std::vector<Group> groups_;
  std::vector<BackendMesh> meshes_;  // MeshId::value counts them from 1; models do not leave
  PageCopies copies_;
};

/// Sets the palettes of a range, and its morph weights, which lie behind each palette.
void set_palettes(std::span<Matrix3x4> palettes, InstanceRange& range);

/// Palettes in the program's own memory, where the device does not read them as the evaluators write them. Of each
/// update group, kept until the group is updated again.
class HostPalettes {
 public:
  explicit HostPalettes(uint32_t group_count) : groups_(group_count) {}

  /// Sets the palettes of the group's ranges. Allocates only where they are more than ever before.
  void place(uint32_t group, std::span<InstanceRange> ranges) {
    const auto entries = [](const InstanceRange& range) { return size_t(range.instance_count) * range.palette_stride; };
    size_t all = 0;
    for (const InstanceRange& range : ranges) all += entries(range);
    groups_[group].resize(all / std::size(Block().matrices));  // strides are multiples of a block
    Matrix3x4* next = all == 0 ? nullptr : groups_[group].front().matrices;
    for (InstanceRange& range : ranges) {
      set_palettes({next, entries(range)}, range);
      next += entries(range);
    }
  }

 private:
  /// The smallest number of matrices that fills whole cache lines.
  struct alignas(64) Block {
    Matrix3x4 matrices[4];
  };
  std::vector<std::vector<Block>> groups_;
};

/// Skinning on the CPU, by the library's CPU skinner: draws read the vertices from mapped pages.
class CpuSkinning final : public PageBackend {
 public:
  /// `pulled`: draws read vertices from a storage buffer.
  CpuSkinning(const Device& device, uint32_t frames_in_flight, uint32_t update_groups, bool pulled);

  void skin(uint32_t group) override;

 protected:
  VkDeviceSize instance_bytes(const InstanceRange& of_one) const override {
    return VkDeviceSize(of_one.vertex_count) * of_one.vertex_bytes;
  }
  void place(VkBuffer page, VkDeviceSize offset, std::byte*, InstanceRange& range) override {
    range.vertices = page, range.vertices_offset = offset;
  }
  void finish(uint32_t group, std::span<InstanceRange> ranges) override { palettes_.place(group, ranges); }

 private:
  void skin_range(const InstanceRange& range, const Mesh& mesh, SkinnedVertex* out);

  HostPalettes palettes_;
  std::vector<Vec3> positions_, normals_;  // of one posed mesh
};

/// Skinning in the vertex shader, again in every pass: draws read pages of palettes, and static meshes.
class VertexSkinning final : public PageBackend {
 public:
  /// `device` and `pool` must outlive it. Fails where models are blended differently.
  static Result<std::unique_ptr<VertexSkinning>> create(const Device& device, std::span<const Model> models,
                                                        uint32_t frames_in_flight, uint32_t update_groups,
                                                        ThreadPool& pool);

  Result<MeshId> add_mesh(const BackendMesh& mesh) override;
  VkDeviceSize mesh_bytes(MeshId mesh) const override { return static_mesh(mesh.value - 1).size_bytes; }
  /// Uploads the meshes that were added, and waits for the device.
  Status upload_meshes();

  void skin(uint32_t group) override;
  vulkan::MeshBuffer static_mesh(uint32_t mesh) const override { return meshes_.mesh_buffer(ids_[mesh]); }
  uint64_t device_bytes() const override;

 protected:
  VkDeviceSize instance_bytes(const InstanceRange& of_one) const override {
    return of_one.palette_stride * sizeof(Matrix3x4);
  }
  void place(VkBuffer page, VkDeviceSize offset, std::byte* mapped, InstanceRange& range) override;
  void finish(uint32_t group, std::span<InstanceRange> ranges) override;

 private:
  VertexSkinning(const Device& device, vulkan::Skinner meshes, uint32_t frames_in_flight, uint32_t update_groups,
                 ThreadPool& pool);

  const Device& device_;
  vulkan::Skinner meshes_;   // skins nothing: it only holds the static meshes
  std::vector<MeshId> ids_;  // in the order of add_mesh()
  // With dual quaternions, the evaluators write here, and skin() splits the matrices into the pages.
  std::optional<HostPalettes> matrices_;
  ThreadPool& pool_;
};

}  // namespace sinew::app
