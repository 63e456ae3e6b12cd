#include "ray_tracing/structures.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>

#include "host/device.h"
#include "host/program.h"
#include "sinew/asset/math.h"

namespace rays {

using namespace sinew::vulkan;
using sinew::align_up;

namespace {

constexpr VkDeviceSize kStructureAlignment = 256;  // of offsets, by the specification
constexpr uint32_t kMaxInstances = 1 << 24;        // a custom index has 24 bits
constexpr VkPipelineStageFlags kBuildStage = VK_PIPELINE_STAGE_ACCELERATION_STRUCTURE_BUILD_BIT_KHR;
constexpr VkPipelineStageFlags kTraceStage = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
constexpr VkAccessFlags kRead = VK_ACCESS_ACCELERATION_STRUCTURE_READ_BIT_KHR;
constexpr VkAccessFlags kWrite = VK_ACCESS_ACCELERATION_STRUCTURE_WRITE_BIT_KHR;

/// Builds write structures and scratch memory; what comes after may read and write both.
void barrier(VkCommandBuffer cmd, VkPipelineStageFlags from, VkPipelineStageFlags to) {
  const VkMemoryBarrier memory{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, kRead | kWrite,
                               to == kTraceStage ? kRead : kRead | kWrite};
  vkCmdPipelineBarrier(cmd, from, to, 0, 1, &memory, 0, nullptr, 0, nullptr);
}

VkPhysicalDeviceAccelerationStructurePropertiesKHR limits_of(const host::Device& device) {
  VkPhysicalDeviceAccelerationStructurePropertiesKHR limits{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_PROPERTIES_KHR};
  VkPhysicalDeviceProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &limits};
  vkGetPhysicalDeviceProperties2(device.info.physical, &properties);
  limits.pNext = nullptr;
  return limits;
}

void check_limit(const char* what, uint64_t count, uint64_t max) {
  if (count == 0) host::fail(std::string("ray tracing: no ") + what);
  if (count > max)
    host::fail("ray tracing: " + std::to_string(count) + " " + what + ", more than the limit of " +
               std::to_string(max));
}

void check_limits(const host::Device& device, const StructuresInfo& info) {
  const auto limits = limits_of(device);
  check_limit("triangles", info.triangles.index_count / 3, limits.maxPrimitiveCount);
  check_limit("instances", info.instance_count, std::min<uint64_t>(limits.maxInstanceCount, kMaxInstances));
  check_limit("poses", info.pose_count, info.instance_count);
}

std::string mebibytes(VkDeviceSize bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f MiB", double(bytes) / (1 << 20));
  return text;
}

VkAccelerationStructureGeometryKHR instances_of(VkDeviceAddress instances) {
  VkAccelerationStructureGeometryKHR geometry{VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR};
  geometry.geometryType = VK_GEOMETRY_TYPE_INSTANCES_KHR;
  geometry.geometry.instances = {VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_INSTANCES_DATA_KHR};
  geometry.geometry.instances.data.deviceAddress = instances;
  return geometry;
}

VkAccelerationStructureBuildGeometryInfoKHR top_build(const VkAccelerationStructureGeometryKHR& geometry) {
  VkAccelerationStructureBuildGeometryInfoKHR build{VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_GEOMETRY_INFO_KHR};
  build.type = VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR;
  build.flags = VK_BUILD_ACCELERATION_STRUCTURE_PREFER_FAST_TRACE_BIT_KHR;
  build.geometryCount = 1;
  build.pGeometries = &geometry;
  return build;
}

VkAccelerationStructureBuildSizesInfoKHR sizes_of(const host::Device& device,
                                                  const VkAccelerationStructureBuildGeometryInfoKHR& build,
                                                  uint32_t count) {
  VkAccelerationStructureBuildSizesInfoKHR sizes{VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_SIZES_INFO_KHR};
  vkGetAccelerationStructureBuildSizesKHR(device.handle, VK_ACCELERATION_STRUCTURE_BUILD_TYPE_DEVICE_KHR, &build,
                                          &count, &sizes);
  return sizes;
}

}  // namespace

Structures::Structures(const host::Device& device, const StructuresInfo& info) : device_(device), info_(info) {
  check_limits(device, info);
  allocate(measure());
}

Structures::Sizes Structures::measure() {
  const VkDeviceSize alignment = limits_of(device_).minAccelerationStructureScratchOffsetAlignment;
  const PosedVertices any{.vertex_count = info_.vertex_count, .vertex_bytes = uint32_t(info_.format)};
  const StructureGeometry mesh = host::check(make_geometry(any, info_.format, info_.triangles));
  const auto pose = sizes_of(device_, build_info(StructureStep::kBuild, VK_NULL_HANDLE, {&mesh.geometry, 1}),
                             mesh.triangles.primitiveCount);
  const auto geometry = instances_of(0);
  const auto top = sizes_of(device_, top_build(geometry), info_.instance_count);
  const Sizes sizes{.pose = align_up(pose.accelerationStructureSize, kStructureAlignment),
                    .top = align_up(top.accelerationStructureSize, kStructureAlignment),
                    .pose_scratch = align_up(std::max(pose.buildScratchSize, pose.updateScratchSize), alignment),
                    .top_scratch = top.buildScratchSize};

  const VkDeviceSize instances = VkDeviceSize{info_.instance_count} * sizeof(VkAccelerationStructureInstanceKHR);
  counters_.structure_bytes = info_.pose_count * sizes.pose + sizes.top;
  counters_.instance_bytes = info_.frame_slots * instances;
  // The scratch memory begins at an aligned address, which may be behind the begin of its buffer.
  counters_.scratch_bytes = std::max(sizes.pose_scratch, sizes.top_scratch) + alignment;
  const VkDeviceSize least = counters_.bytes();
  if (least > info_.budget_bytes) {
    host::fail("ray tracing: " + std::to_string(info_.pose_count) + " poses and " +
               std::to_string(info_.instance_count) + " instances need " + mebibytes(least) +
               ", more than the budget of " + mebibytes(info_.budget_bytes));
  }
  const VkDeviceSize spare = info_.budget_bytes - least + counters_.scratch_bytes - alignment;
  counters_.builds_at_once =
      uint32_t(std::min<VkDeviceSize>(info_.pose_count, spare / std::max<VkDeviceSize>(sizes.pose_scratch, 1)));
  counters_.scratch_bytes =
      std::max(counters_.scratch_bytes, counters_.builds_at_once * sizes.pose_scratch + alignment);
  return sizes;
}

void Structures::allocate(const Sizes& sizes) {
  constexpr VkBufferUsageFlags kStructureUsage =
      VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
  memory_ = host::check(host::create_buffer(device_, counters_.structure_bytes, kStructureUsage,
                                            host::MemoryKind::kDevice, "acceleration structures"));
  for (uint32_t i = 0; i < info_.pose_count; ++i) {
    Pose& pose = poses_.emplace_back();
    pose.structure =
        create_structure(VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR, i * sizes.pose, sizes.pose, "posed mesh");
    const VkAccelerationStructureDeviceAddressInfoKHR of{
        VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_DEVICE_ADDRESS_INFO_KHR, nullptr, pose.structure.get()};
    pose.address = vkGetAccelerationStructureDeviceAddressKHR(device_.handle, &of);
    pose.state = first_state(i, info_.max_refits);
  }
  top_ = create_structure(VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR, info_.pose_count * sizes.pose, sizes.top,
                          "instances");

  scratch_ = host::check(host::create_buffer(
      device_, counters_.scratch_bytes, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
      host::MemoryKind::kDevice, "scratch of acceleration structures"));
  scratch_address_ = align_up(host::address_of(device_, scratch_.get()),
                              limits_of(device_).minAccelerationStructureScratchOffsetAlignment);
  pose_scratch_bytes_ = sizes.pose_scratch;
  for (uint32_t slot = 0; slot < info_.frame_slots; ++slot) {
    instances_.push_back(
        host::check(host::create_buffer(device_, counters_.instance_bytes / info_.frame_slots, kStructureInput,
                                        host::MemoryKind::kUpload, "instances to build from")));
  }
}

StructureHandle Structures::create_structure(VkAccelerationStructureTypeKHR type, VkDeviceSize offset,
                                             VkDeviceSize size_bytes, const char* name) {
  VkAccelerationStructureCreateInfoKHR create{VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_KHR};
  create.buffer = memory_.get();
  create.offset = offset;
  create.size = size_bytes;
  create.type = type;
  VkAccelerationStructureKHR structure = VK_NULL_HANDLE;
  const VkResult result = vkCreateAccelerationStructureKHR(device_.handle, &create, nullptr, &structure);
  if (result != VK_SUCCESS)
    host::fail(host::vulkan_error("acceleration structure " + std::string(name), result).message);
  host::set_name(device_, VK_OBJECT_TYPE_ACCELERATION_STRUCTURE_KHR, structure, name);
  return StructureHandle(device_.handle, structure);
}

void Structures::record(VkCommandBuffer cmd, uint64_t frame, std::span<const InstanceRange> ranges,
                        std::span<const PlacedPose> instances) {
  const std::vector<PosedVertices> vertices = vertices_in(ranges);
  const uint32_t slot = uint32_t(frame % info_.frame_slots);
  write_instances(slot, instances);
  list_builds(vertices, frame);
  const host::Label label(device_, cmd, host::LabelColor(), "acceleration structures");
  barrier(cmd, kBuildStage | kTraceStage, kBuildStage);  // the frame before has built and traced
  record_poses(cmd);
  record_top(cmd, slot, uint32_t(instances.size()));
  barrier(cmd, kBuildStage, kTraceStage);
}

sinew::Status Structures::check(std::span<const InstanceRange> ranges, std::span<const PlacedPose> instances) const {
  const std::vector<PosedVertices> vertices = vertices_in(ranges);
  for (size_t i = 0; i < instances.size(); ++i) {
    const uint32_t pose = instances[i].pose;
    const sinew::Status checked = check_structure(poses_[pose].state, vertices[pose]);
    if (!checked)
      return sinew::Error{checked.error().code, "instance " + std::to_string(i) + ": " + checked.error().message};
  }
  return {};
}

/// Those of each pose.
std::vector<PosedVertices> Structures::vertices_in(std::span<const InstanceRange> ranges) const {
  std::vector<PosedVertices> vertices;
  for (const InstanceRange& range : ranges) {
    if (range.vertex_count != info_.vertex_count || range.vertex_bytes != uint32_t(info_.format))
      host::fail("ray tracing: the skinned vertices are not those of the structures' mesh");
    const VkDeviceAddress buffer = host::address_of(device_, range.vertices);
    for (uint32_t i = 0; i < range.instance_count; ++i) vertices.push_back(posed_vertices(range, i, buffer));
  }
  if (vertices.size() < poses_.size()) host::fail("ray tracing: the skinner has fewer poses than there are structures");
  return vertices;
}

void Structures::list_builds(std::span<const PosedVertices> vertices, uint64_t frame) {
  builds_.clear(), build_ranges_.clear();
  for (size_t i = 0; i < poses_.size(); ++i) {
    Pose& pose = poses_[i];
    const StructureStep step = next_step(pose.state, vertices[i], info_.max_refits);
    if (step == StructureStep::kKeep) continue;
    pose.geometry = host::check(make_geometry(vertices[i], info_.format, info_.triangles));
    const VkDeviceSize scratch = builds_.size() % counters_.builds_at_once * pose_scratch_bytes_;
    builds_.push_back(build_info(step, pose.structure.get(), {&pose.geometry.geometry, 1}));
    builds_.back().scratchData.deviceAddress = scratch_address_ + scratch;
    build_ranges_.push_back(&pose.geometry.triangles);
    note_step(pose.state, vertices[i], step, frame);
    ++(step == StructureStep::kRefit ? counters_.refits : counters_.builds);
  }
}

/// As many at once as the scratch memory is for.
void Structures::record_poses(VkCommandBuffer cmd) {
  for (size_t first = 0; first < builds_.size(); first += counters_.builds_at_once) {
    const uint32_t count = uint32_t(std::min<size_t>(counters_.builds_at_once, builds_.size() - first));
    vkCmdBuildAccelerationStructuresKHR(cmd, count, &builds_[first], &build_ranges_[first]);
    barrier(cmd, kBuildStage, kBuildStage);  // the next builds use the same scratch memory; the TLAS reads these
  }
}

void Structures::write_instances(uint32_t slot, std::span<const PlacedPose> instances) const {
  if (instances.size() > info_.instance_count)
    host::fail("ray tracing: more instances than the structures have room for");
  auto* out = static_cast<VkAccelerationStructureInstanceKHR*>(instances_[slot].mapped);
  for (uint32_t i = 0; i < instances.size(); ++i) {
    if (instances[i].pose >= poses_.size()) host::fail("ray tracing: instance " + std::to_string(i) + " has no pose");
    VkAccelerationStructureInstanceKHR instance{};
    static_assert(sizeof instance.transform == sizeof(sinew::Matrix3x4));  // both are rows
    std::memcpy(&instance.transform, &instances[i].world_from_model, sizeof instance.transform);
    instance.instanceCustomIndex = i & (kMaxInstances - 1);  // it always fits
    instance.mask = 0xff;
    instance.accelerationStructureReference = poses_[instances[i].pose].address;
    out[i] = instance;
  }
}

void Structures::record_top(VkCommandBuffer cmd, uint32_t slot, uint32_t instance_count) {
  const auto geometry = instances_of(host::address_of(device_, instances_[slot].get()));
  auto build = top_build(geometry);
  build.dstAccelerationStructure = top_.get();
  build.scratchData.deviceAddress = scratch_address_;
  const VkAccelerationStructureBuildRangeInfoKHR all{.primitiveCount = instance_count};
  const VkAccelerationStructureBuildRangeInfoKHR* ranges = &all;
  vkCmdBuildAccelerationStructuresKHR(cmd, 1, &build, &ranges);
}

}  // namespace rays
