// The skinning kernel at the limits of devices, on meshes and crowds of extreme sizes, and which one is chosen.

#include "vulkan/skinner_fixture.h"

#include "sinew/asset/mesh.h"
#include "sinew/asset/skinned_vertex.h"
#include "skin_pass.h"

namespace sinew::test {
namespace {

using vulkan::PaletteFormat;
using vulkan::VertexFormat;
using vulkan::experimental::KernelTuning;
using vulkan::experimental::PaletteFetch;
using vulkan::experimental::StorePath;

/// Vertices ordered by their number of influences, which is 1 to 9 by default: every kernel variant has work.
Mesh ordered_mesh(uint32_t vertices, uint32_t joints, uint32_t max_influences = 9) {
  Mesh mesh = make_mesh({.vertices = vertices, .joints = joints, .max_influences = max_influences, .seed = 3});
  EXPECT_TRUE(order_by_influences(mesh));
  return mesh;
}

class Kernels : public SkinnerTest {
 protected:
  /// Skins two meshes, one of them with work for every kernel variant, in batches of uneven size.
  void expect_right(const TestSkinnerInfo& info, uint32_t instances = 37) {
    auto skinner = make_skinner(info);
    TestCrowd crowd(*device_, skinner);
    const uint32_t ordered = crowd.add(ordered_mesh(700, 23), 23, RigScaling::kNonUniform);
    const uint32_t mixed = crowd.add({.vertices = 90, .joints = 5, .seed = 8}, RigScaling::kMirrored);
    crowd.run_frame({1, 0, 0}, Counts{{ordered, instances}, {mixed, 3}, {ordered, 1}});
  }
};

/// Vertices that pass through shared memory.
class SharedMemory : public Kernels {
 protected:
  TestSkinnerInfo info_of(VertexFormat format, bool tangents) const {
    auto info = skinner_info();
    info.format = format, info.tangents = tangents;
    info.tuning.palettes = PaletteFetch::kStorage;
    info.tuning.instances_per_thread = 2;  // a driver on the CPU compiles 8 in three times the time
    return info;
  }
};

TEST_F(SharedMemory, SkinsAMeshOfSeventyThousandVertices) {
  auto info = info_of(VertexFormat::kOctahedral, true);
  info.tuning.stores = StorePath::kStaged;
  auto skinner = make_skinner(info);
  TestCrowd crowd(*device_, skinner);
  crowd.tangents = true;
  crowd.add(ordered_mesh(70000, 100, 4), 100);
  crowd.run_frame({1, 0, 0}, Counts{{0, 5}});
}

/// A wrong promise is seen in normals: the rigid kernel is in use.
TEST_F(Kernels, RotateNormalsOfRigidPalettesOnly) {
  auto skinner = make_skinner(skinner_info());
  const Mesh mesh = make_mesh({.vertices = 64, .joints = 1, .max_influences = 1});
  const auto honest = skinner.add_mesh(mesh, 1), wrong = skinner.add_mesh(mesh, 1, "", {}, {PaletteFormat::kRigid});
  const vulkan::SkinnerBatch batches[] = {{*honest, 1}, {*wrong, 1}};
  ASSERT_TRUE(test::prepare(skinner, {1, 0, 0}, batches));
  const Matrix3x4 wide = {{{2, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
  for (const vulkan::InstanceRange& range : skinner.ranges()) range.palettes[0] = wide;
  record(skinner);
  std::vector<std::vector<uint32_t>> skinned;
  for (const vulkan::InstanceRange& range : skinner.ranges())
    skinned.push_back(device_->read_back(range.vertices, range.vertices_offset, 64 * 16));
  const Vec3 normal = mesh.normals[5], by_cofactors = normalize(Vec3{normal.x, 2 * normal.y, 2 * normal.z}),
             by_rotation = normalize(Vec3{2 * normal.x, normal.y, normal.z});
  EXPECT_LT(length(decode_normal(skinned[0][5 * 4 + 3]) - by_cofactors), 1e-3f);
  EXPECT_LT(length(decode_normal(skinned[1][5 * 4 + 3]) - by_rotation), 1e-3f);
}

TEST_F(Kernels, SplitMeshesByInfluencesOnlyIfVerticesAreOrdered) {
  auto skinner = make_skinner(skinner_info());
  TestCrowd crowd(*device_, skinner);
  const uint32_t ordered = crowd.add(ordered_mesh(700, 23), 23);
  const uint32_t mixed = crowd.add({.vertices = 700, .joints = 23, .max_influences = 9});
  crowd.run_frame({1, 0, 0}, Counts{{mixed, 20}});
  EXPECT_EQ(skinner.counters().dispatches, 1u);
  crowd.run_frame({2, 1, 1}, Counts{{ordered, 20}, {mixed, 20}, {ordered, 5}});
  EXPECT_EQ(skinner.counters().dispatches, 6u) << "1, 2, 3, 4, up to 8, more";
}

VkDeviceSize max_allocation_bytes(const TestDevice& device) {
  VkPhysicalDeviceMaintenance3Properties sizes = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES};
  VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &sizes};
  device.vk.GetPhysicalDeviceProperties2(device.physical_device, &properties);
  return sizes.maxMemoryAllocationSize;
}

TEST_F(Kernels, SkinAMeshOfTwoHundredThousandVertices) {
  if (max_allocation_bytes(*device_) < VkDeviceSize{10} << 20) {
    GTEST_SKIP() << "ALLOCATIONS OF THIS DEVICE ARE TOO SMALL: a mesh of 200,000 vertices was not skinned here";
  }
  auto skinner = make_skinner(skinner_info());
  TestCrowd crowd(*device_, skinner);
  crowd.add(ordered_mesh(200000, 100, 6), 100);
  crowd.run_frame({1, 0, 0}, Counts{{0, 2}});
}

TEST_F(Kernels, SkinAMeshOfAThousandJointsAndAMeshOfOne) {
  auto skinner = make_skinner(skinner_info());
  TestCrowd crowd(*device_, skinner);
  const uint32_t many = crowd.add(ordered_mesh(3000, 1000), 1000, RigScaling::kNonUniform);
  const uint32_t one = crowd.add({.vertices = 500, .joints = 1, .max_influences = 1});
  crowd.run_frame({1, 0, 0}, Counts{{many, 4}, {one, 9}});
}

TEST_F(Kernels, SkinSixtyFiveThousandInstancesOfATriangle) {
  auto skinner = make_skinner(skinner_info());
  TestCrowd crowd(*device_, skinner);
  crowd.add({.vertices = 3, .joints = 1, .max_influences = 1});
  crowd.run_frame({1, 0, 0}, Counts{{0, 65536}});
  EXPECT_EQ(skinner.counters().instances, 65536u);
  EXPECT_LE(skinner.counters().dispatches, 2u);
}

/// Sets the limits that the backend uses to the minimum of Vulkan 1.2.
void set_minimum_limits(VkPhysicalDeviceProperties& properties) {
  VkPhysicalDeviceLimits& limits = properties.limits;
  limits.maxComputeWorkGroupCount[0] = limits.maxComputeWorkGroupCount[1] = 65535;
  limits.maxComputeWorkGroupInvocations = limits.maxComputeWorkGroupSize[0] = 128;
  limits.maxStorageBufferRange = 1u << 27;
  limits.maxTexelBufferElements = 65536;
  limits.minStorageBufferOffsetAlignment = 256;
}

TEST_F(Kernels, WorkWithTheMinimumLimits) {
  watch_->change_limits = set_minimum_limits;
  auto info = watched_info();
  info.tuning = {1024, 0, PaletteFetch::kTexel, true};  // a workgroup larger than the limit
  expect_right(info, 1000);                             // more palettes than 65,536 texels hold
}

TEST_F(Kernels, ReadTexelsIfAPageFitsTheTexelLimit) {
  watch_->change_limits = set_minimum_limits;
  auto info = watched_info();
  info.tuning.max_page_bytes = 65536 * 16;
  info.tuning.palettes = PaletteFetch::kTexel;
  expect_right(info, 1000);
}

void set_gpu(VkPhysicalDeviceProperties& properties) { properties.deviceType = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU; }
void set_amd(VkPhysicalDeviceProperties& properties) { set_gpu(properties), properties.vendorID = 0x1002; }
void set_cpu(VkPhysicalDeviceProperties& properties) { properties.deviceType = VK_PHYSICAL_DEVICE_TYPE_CPU; }

/// What the skinner of a device with other properties would choose.
struct Chosen {
  vulkan::internal::DeviceTable table;
  vulkan::internal::KernelChoice kernel;
};

Chosen choose(const TestSkinnerInfo& info) {
  auto table = vulkan::internal::load_device_table(info, info.tuning.max_page_bytes);
  EXPECT_TRUE(table) << (table ? "" : table.error().message);
  if (!table) return {};
  return {*table, vulkan::internal::choose_kernel(info, info.tuning, *table)};
}

TEST_F(Kernels, ReadTexelsOnCpuDevicesOnlyUnlessTheHostSaysSo) {
  auto info = watched_info();
  info.tuning.max_page_bytes = 65536;
  for (const PaletteFetch fetch : {PaletteFetch::kAuto, PaletteFetch::kTexel, PaletteFetch::kStorage}) {
    info.tuning.palettes = fetch;
    watch_->change_limits = set_gpu;
    EXPECT_EQ(choose(info).kernel.texel_palettes, fetch == PaletteFetch::kTexel);
    watch_->change_limits = set_cpu;
    EXPECT_EQ(choose(info).kernel.texel_palettes, fetch != PaletteFetch::kStorage);
  }
}

TEST_F(SharedMemory, HoldsVerticesByDefaultWhereDeviceAndSizeNeedIt) {
  for (const auto& [device, stages] : {std::pair{&set_cpu, false}, {&set_gpu, true}, {&set_amd, false}}) {
    for (const VertexFormat format : {VertexFormat::kPacked, VertexFormat::kOctahedral, VertexFormat::kFloat}) {
      for (const bool tangents : {false, true}) {
        auto info = watched_info();
        info.format = format, info.tangents = tangents;
        watch_->change_limits = device;
        const vulkan::internal::KernelChoice kernel = choose(info).kernel;
        EXPECT_EQ(kernel.staged_stores, stages && kernel.vertex_bytes() != 16) << kernel.vertex_bytes();
      }
    }
  }
}

/// Where vertices do not fit, they are stored directly. The array that a kernel does not use has one element.
TEST_F(SharedMemory, IsNeverMoreThanTheDeviceHas) {
  auto info = info_of(VertexFormat::kFloat, true);
  watch_->attach(info);
  watch_->change_limits = [](auto& properties) { properties.limits.maxComputeSharedMemorySize = 16384; };
  auto table = choose(info).table;
  EXPECT_EQ(table.max_shared_bytes, 16384u) << "the least that Vulkan allows";
  table.max_workgroup_size = 1024;
  const auto stages = [&](uint32_t workgroup_size) {
    const KernelTuning tuning{.workgroup_size = workgroup_size, .stores = StorePath::kStaged};
    const auto kernel = vulkan::internal::choose_kernel(info, tuning, table);
    EXPECT_LE(kernel.shared_bytes(), table.max_shared_bytes);
    return kernel.staged_stores;
  };
  EXPECT_TRUE(stages(64));  // two slots of 28 bytes a thread
  EXPECT_TRUE(stages(256));
  EXPECT_FALSE(stages(512));
  table.max_shared_bytes = 2 * 28 * 512;
  EXPECT_FALSE(stages(512)) << "nothing is left for the other array";
  table.max_shared_bytes += 16;
  EXPECT_TRUE(stages(512));
}

TEST_F(Kernels, ReadNoTexelsWhereAPageHasMoreThanAViewMayHave) {
  auto info = watched_info();
  info.tuning.palettes = PaletteFetch::kTexel;
  watch_->change_limits = set_minimum_limits;
  for (const VkDeviceSize texels : {65535, 65536, 65537}) {
    info.tuning.max_page_bytes = texels * 16;
    EXPECT_EQ(choose(info).kernel.texel_palettes, texels <= 65536) << texels;
  }
}

TEST_F(Kernels, NeedNoMoreThanTheDeviceAllows) {
  auto info = watched_info();
  watch_->change_limits = set_minimum_limits;
  watch_->max_memory_bytes = 1 << 30;
  info.tuning = {1024, 0, PaletteFetch::kStorage, true};
  EXPECT_EQ(choose(info).kernel.workgroup_size, 128u);
  EXPECT_EQ(choose(info).table.storage_alignment, 256u);
  EXPECT_EQ(choose(info).table.max_buffer_bytes, VkDeviceSize{1} << 27);
  watch_->max_memory_bytes = 3 << 20;
  info.tuning.max_page_bytes = 4 << 20;
  EXPECT_EQ(choose(info).table.max_page_bytes, VkDeviceSize{3} << 20);
  expect_right(info, 2000);  // 35 MB of vertices
  EXPECT_EQ(watch_->largest_memory, VkDeviceSize{3} << 20);
  EXPECT_LE(watch_->largest_view, 65536u * 16);
  EXPECT_GT(watch_->largest_view, 65536u * 15);
}

TEST_F(Kernels, AccessNoMemoryOutOfBounds) {
  make_device({.validate = true, .gpu_assisted = true});
  if (device_ == nullptr) return;
  for (const PaletteFetch fetch : {PaletteFetch::kStorage, PaletteFetch::kTexel}) {
    auto info = skinner_info();
    info.format = VertexFormat::kPacked;
    // One instance a thread: with GPU-assisted validation a driver on the CPU takes minutes to compile unrolled loops.
    info.tuning = {64, 1, fetch, true};
    info.tuning.stores = fetch == PaletteFetch::kTexel ? StorePath::kDirect : StorePath::kStaged;
    info.tuning.max_page_bytes = 100000;
    expect_right(info, 60);
  }
}

}  // namespace
}  // namespace sinew::test
