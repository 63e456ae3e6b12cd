// Acceleration structures over skinned vertices: a bottom-level structure (BLAS) for each posed mesh, and a top-level
// structure (TLAS) of the instances. Instances in the same pose share its BLAS.
//
// A frame refits each BLAS: an update in place, which keeps the tree and moves its boxes. Boxes that were close to
// their triangles in one pose become large and overlap in another, so a BLAS is built again after `max_refits` refits.
// Each begins at another count, so that every frame builds about the same number. The TLAS is built in every frame.
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
#include "sinew/vulkan/skinner.h"

namespace rays {

/// The usage of buffers that structures are built from: for SkinnerInfo::vertex_usage, and for indices.
inline constexpr VkBufferUsageFlags kGeometryUsage =
    VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;

using StructureHandle = host::Handle<VkAccelerationStructureKHR, &vkDestroyAccelerationStructureKHR>;

/// A posed mesh in the world.
struct PlacedPose {
  sinew::Matrix3x4 world_from_model;
  uint32_t pose = 0;  // index of the posed mesh
};

struct StructuresInfo {
  VkDeviceAddress indices = 0;  // of one mesh, three per triangle, 32 bits each; a buffer with kGeometryUsage
  uint32_t index_count = 0, vertex_count = 0;
  uint32_t vertex_bytes = 0;  // of a skinned vertex, which begins with its position as three floats
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

  /// Records refits and builds of all poses, and the TLAS of the instances. Commands of the same queue that trace rays
  /// in compute shaders may follow, and may have come before. `ranges` are the skinner's, of all poses in order; its
  /// vertices must be visible to VK_PIPELINE_STAGE_ACCELERATION_STRUCTURE_BUILD_BIT_KHR, see
  /// kAccelerationStructureBuild. The last commands that were recorded with this `slot` have completed. A hit's custom
  /// index is that of the instance. Fails, with nothing recorded, if ranges or instances are not those that `info`
  /// told.
  void record(VkCommandBuffer cmd, uint32_t slot, std::span<const sinew::vulkan::InstanceRange> ranges,
              std::span<const PlacedPose> instances);

  VkAccelerationStructureKHR top_level() const { return top_.get(); }
  /// The address of the skinned vertices that the last record() has built a pose from.
  VkDeviceAddress vertices_of(uint32_t pose) const {
    return geometries_[pose].geometry.triangles.vertexData.deviceAddress;
  }

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
    VkDeviceAddress address = 0;
    uint32_t refits = 0;  // since its build
    bool is_built = false;
  };

  Sizes measure();
  void allocate(const Sizes& sizes);
  StructureHandle create_structure(VkAccelerationStructureTypeKHR type, VkDeviceSize offset, VkDeviceSize size_bytes,
                                   const char* name);
  void set_vertices(std::span<const sinew::vulkan::InstanceRange> ranges);
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
  // The arguments of the builds of all poses, one element each.
  std::vector<VkAccelerationStructureGeometryKHR> geometries_;
  std::vector<VkAccelerationStructureBuildGeometryInfoKHR> builds_;
  std::vector<const VkAccelerationStructureBuildRangeInfoKHR*> build_ranges_;
  VkAccelerationStructureBuildRangeInfoKHR triangles_ = {};
  Counters counters_;
};

}  // namespace rays
