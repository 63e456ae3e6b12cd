// Acceleration structures over skinned vertices: a bottom-level structure (BLAS) for each posed mesh, and a top-level
// structure (TLAS) of the instances. Instances in the same pose share its BLAS.
//
// sinew/vulkan/acceleration.h says what a BLAS is built from, and when a frame keeps it, refits it or builds it again;
// check() asks it whether the BLAS that an instance refers to holds the vertices of its pose. The TLAS is built in
// every frame.
//
// All memory is allocated once, within `budget_bytes`. Structures that are built at the same time need scratch memory
// each: where the budget has no room for all, several smaller builds follow each other. Where it has no room for one,
// the constructor fails.
#pragma once

#include <volk.h>

#include <cstdint>
#include <span>
#include <vector>

#include "host/resources.h"
#include "sinew/asset/math.h"
#include "sinew/vulkan/acceleration.h"
#include "sinew/vulkan/skinner.h"

namespace rays {

using StructureHandle = host::Handle<VkAccelerationStructureKHR, &vkDestroyAccelerationStructureKHR>;

/// A posed mesh in the world.
struct PlacedPose {
  sinew::Matrix3x4 world_from_model;
  uint32_t pose = 0;  // index of the posed mesh
};

struct StructuresInfo {
  sinew::vulkan::StructureTriangles triangles;  // of one mesh
  uint32_t vertex_count = 0;
  sinew::vulkan::VertexFormat format = sinew::vulkan::VertexFormat::kOctahedral;
  uint32_t pose_count = 0, instance_count = 0;
  uint32_t frame_slots = 2;  // frames in flight
  uint32_t max_refits = 31;  // between two builds of a structure; 0: each frame builds all
  VkDeviceSize budget_bytes = VkDeviceSize{256} << 20;
};

class Structures {
 public:
  /// Fails with a line that names the limit: the device's, or `budget_bytes`.
  Structures(const host::Device& device, const StructuresInfo& info);
  Structures(const Structures&) = delete;
  Structures& operator=(const Structures&) = delete;

  /// Records refits and builds of the poses that need them, and the TLAS of the instances. Commands of the same queue
  /// that trace rays in compute shaders may follow, and may have come before. `ranges` are the skinner's, of all poses
  /// in order; its vertices must be visible to kAccelerationStructureBuild. `frame` is that of Skinner::begin_frame();
  /// frame `frame` - frame_slots has completed. A hit's custom index is that of the instance. Fails, with nothing
  /// recorded, if ranges or instances are not those that `info` told.
  void record(VkCommandBuffer cmd, uint64_t frame, std::span<const sinew::vulkan::InstanceRange> ranges,
              std::span<const PlacedPose> instances);

  /// Whether rays that meet the instances meet the poses of `ranges`. Error: names the first instance that shows
  /// another one.
  sinew::Status check(std::span<const sinew::vulkan::InstanceRange> ranges,
                      std::span<const PlacedPose> instances) const;

  VkAccelerationStructureKHR top_level() const { return top_.get(); }
  /// The address of the skinned vertices that a pose's structure holds.
  VkDeviceAddress vertices_of(uint32_t pose) const { return poses_[pose].state.holds.address; }

  struct Counters {
    uint64_t builds = 0, refits = 0;  // of bottom-level structures, in all frames
    uint32_t builds_at_once = 0;      // that the scratch memory is for
    VkDeviceSize structure_bytes = 0, scratch_bytes = 0, instance_bytes = 0;
    VkDeviceSize bytes() const { return structure_bytes + scratch_bytes + instance_bytes; }
  };
  const Counters& counters() const { return counters_; }

 private:
  struct Sizes {
    VkDeviceSize pose = 0, top = 0;                  // of the structures, aligned
    VkDeviceSize pose_scratch = 0, top_scratch = 0;  // to build or refit one, aligned
  };
  struct Pose {
    StructureHandle structure;
    VkDeviceAddress address = 0;  // of the structure
    sinew::vulkan::StructureState state;
    sinew::vulkan::StructureGeometry geometry;
  };

  Sizes measure();
  void allocate(const Sizes& sizes);
  StructureHandle create_structure(VkAccelerationStructureTypeKHR type, VkDeviceSize offset, VkDeviceSize size_bytes,
                                   const char* name);
  std::vector<sinew::vulkan::PosedVertices> vertices_in(std::span<const sinew::vulkan::InstanceRange> ranges) const;
  void list_builds(std::span<const sinew::vulkan::PosedVertices> vertices, uint64_t frame);
  void record_poses(VkCommandBuffer cmd);
  void write_instances(uint32_t slot, std::span<const PlacedPose> instances) const;
  void record_top(VkCommandBuffer cmd, uint32_t slot, uint32_t instance_count);

  const host::Device& device_;
  StructuresInfo info_;
  host::Buffer memory_, scratch_;
  std::vector<host::Buffer> instances_;  // of each frame slot
  VkDeviceAddress scratch_address_ = 0;
  VkDeviceSize pose_scratch_bytes_ = 0;
  StructureHandle top_;
  std::vector<Pose> poses_;
  // Of the poses that the frame builds or refits.
  std::vector<VkAccelerationStructureBuildGeometryInfoKHR> builds_;
  std::vector<const VkAccelerationStructureBuildRangeInfoKHR*> build_ranges_;
  Counters counters_;
};

}  // namespace rays
