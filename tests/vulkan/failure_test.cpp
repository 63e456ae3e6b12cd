// Failures: each gives one clear error, leaks nothing, and leaves the skinner usable. docs/misuse.md has more of them.
#include "heap_faults.h"
#include "vulkan/skinner_fixture.h"

namespace sinew::test {
namespace {

class Failing : public SkinnerTest {};

/// Those of the instance, of the device, and of an extension that is asked for.
TEST_F(Failing, CreationNamesAMissingFunction) {
  const auto info = watched_info();
  for (const char* name : {"vkGetPhysicalDeviceMemoryProperties", "vkCreateBuffer", "vkCmdBeginDebugUtilsLabelEXT"}) {
    watch_->missing = name;
    expect_refused(create_skinner(info), ErrorCode::kInvalidArgument,
                   std::string("create_skinner: no function ") + name);
  }
}

/// A barrier may only name stages that its queue supports. create_skinner() checks this, because record() cannot fail.
TEST_F(Failing, CreationRefusesAQueueThatLacksTheConsumersStages) {
  auto info = watched_info();
  info.barriers = vulkan::Barriers::kLibrary;
  info.record_family = device_->queue_family;
  EXPECT_TRUE(create_skinner(info));
  watch_->missing_queue_flags = VK_QUEUE_GRAPHICS_BIT;
  for (const auto consumers :
       {vulkan::kVertexInput, vulkan::kVertexPulling, vulkan::kFragmentRead | vulkan::kComputeRead}) {
    info.consumers = consumers;
    expect_refused(create_skinner(info), ErrorCode::kInvalidArgument,
                   "create_skinner: queue family " + std::to_string(device_->queue_family) +
                       " has no graphics, and kLibrary's barrier names the consumers' stages: use kHost and "
                       "semaphores");
  }
  for (const auto consumers : {vulkan::kComputeRead, vulkan::kTransferRead, vulkan::kRayTracing}) {
    info.consumers = consumers;
    EXPECT_TRUE(create_skinner(info));
  }
  info.consumers = vulkan::kVertexInput;
  info.barriers = vulkan::Barriers::kHost;
  EXPECT_TRUE(create_skinner(info));
}

/// Sizes that need 64 bits are refused before anything is allocated for them.
TEST_F(Failing, SizesBeyond32BitsAreRefusedBeforeAllocation) {
  auto skinner = make_skinner(skinner_info());
  const Mesh mesh = make_mesh({});
  for (const uint32_t palette_size : {UINT32_MAX, UINT32_MAX - 1, UINT32_MAX - 2, UINT32_MAX - 3, 1u << 31}) {
    const auto id = skinner.add_mesh(mesh, palette_size, "rig");
    ASSERT_FALSE(id) << palette_size;
    EXPECT_EQ(id.error().code, ErrorCode::kUnsupported);
    const uint64_t bytes = (uint64_t{palette_size} + 3) / 4 * 4 * sizeof(Matrix3x4);
    EXPECT_NE(id.error().message.find("mesh 'rig': one instance's palette needs " + std::to_string(bytes) + " bytes"),
              std::string::npos)
        << id.error().message;
  }
  const auto id = skinner.add_mesh(mesh, 8, "rig");
  ASSERT_TRUE(id);
  const std::vector<vulkan::SkinnerBatch> many(3, {*id, UINT32_MAX});
  for (const size_t count : {1, 3}) {
    const int64_t allocations = heap_allocations();
    const Status status = test::prepare(skinner, {1, 0, 0}, std::span(many).first(count));
    EXPECT_LT(heap_allocations() - allocations, 50);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::kUnsupported);
    EXPECT_NE(status.error().message.find("prepare: the list of work needs "), std::string::npos);
    EXPECT_FALSE(skinner.page_requirements(std::span(many).first(count)));
    const Status reserved = skinner.reserve(std::span(many).first(count));
    ASSERT_FALSE(reserved);
    EXPECT_NE(reserved.error().message.find("reserve: the list of work needs "), std::string::npos);
  }
  const auto morphed = skinner.add_mesh(mesh, 8, "rig", {}, {.target_count = UINT32_MAX});
  ASSERT_FALSE(morphed);
  EXPECT_NE(morphed.error().message.find("mesh 'rig': one instance's palette and morph weights need 17179869696 bytes"),
            std::string::npos)
      << morphed.error().message;
}

/// Palettes of another stride than the mesh's are a job for each instance: a list that no buffer holds.
TEST_F(Failing, ManyBorrowedPalettesAreRefusedBeforeAllocation) {
  watch_->change_limits = [](VkPhysicalDeviceProperties& properties) {
    properties.limits.maxStorageBufferRange = 32000;
  };
  auto info = watched_info();
  auto skinner = make_skinner(info);
  const auto lender = skinner.add_mesh(make_mesh({}), 8, "body");
  const auto hat = skinner.add_mesh(make_mesh({.vertices = 3, .joints = 4}), 4, "hat");
  ASSERT_TRUE(skinner.begin_frame({.number = 1}));
  const int calls = watch_->fallible_calls;
  // Of 16 bytes: 2 chunks for each 20 bodies, which fit in a page, and one for each hat.
  const vulkan::SkinnerBatch batches[] = {{*lender, 2001}, {*hat, 2001, 0}};
  EXPECT_EQ(
      message_of(skinner.prepare(0, batches)),
      "prepare: the list of work needs 35248 bytes, and a buffer holds 32000, the device's maxStorageBufferRange");
  EXPECT_EQ(watch_->fallible_calls, calls);
}

/// A count that is garbage would otherwise take all memory first, and on a device that is a CPU the computer's.
TEST_F(Failing, PagesBeyondTheDevicesMemoryAreRefusedBeforeAllocation) {
  watch_->memory = {.memoryTypeCount = 1,
                    .memoryTypes = {{VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                     VK_MEMORY_PROPERTY_HOST_COHERENT_BIT}},
                    .memoryHeapCount = 1,
                    .memoryHeaps = {{VkDeviceSize{64} << 20, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT}}};
  auto info = watched_info();
  auto skinner = make_skinner(info);
  const auto id = skinner.add_mesh(make_mesh({.vertices = 10}), 8, "rig");
  ASSERT_TRUE(id) << id.error().message;
  ASSERT_TRUE(skinner.begin_frame({.number = 1}));
  const int calls = watch_->fallible_calls;
  const vulkan::SkinnerBatch batch{*id, 1000000};
  const std::string why = "the pages need 544000000 bytes, and the device has 67108864 bytes of memory";
  expect_refused(skinner.prepare(0, {&batch, 1}), ErrorCode::kOutOfMemory, "prepare: " + why);
  EXPECT_EQ(message_of(skinner.reserve({&batch, 1})), "reserve: " + why);
  EXPECT_FALSE(skinner.page_requirements({&batch, 1}));
  EXPECT_EQ(watch_->fallible_calls, calls);
  const vulkan::SkinnerBatch fewer{*id, 10000};
  EXPECT_TRUE(skinner.prepare(0, {&fewer, 1}));
}

TEST_F(Failing, PrepareRefusesInvalidPages) {
  auto info = skinner_info();
  info.format = vulkan::VertexFormat::kFloat;
  auto skinner = make_skinner(info);
  const auto id = skinner.add_mesh(make_mesh({}), 8, "rig");
  ASSERT_TRUE(id);
  const vulkan::SkinnerBatch batch{*id, 3};
  const auto needed = skinner.page_requirements({&batch, 1});
  ASSERT_TRUE(needed);
  const VkDeviceSize alignment = (*needed)[0].alignment;
  const TestBuffer own = device_->make_buffer((*needed)[0].size_bytes + 2 * alignment, (*needed)[0].usage, false);
  const auto prepare = [&](const vulkan::Page& page) {
    return test::prepare(skinner, {1, 0, 0}, {&batch, 1}, {&page, 1});
  };
  EXPECT_FALSE(prepare({VK_NULL_HANDLE, 0}));
  for (const VkDeviceSize offset : {VkDeviceSize{4}, alignment / 3}) {  // the second is that of the device
    EXPECT_EQ(message_of(prepare({own.handle, offset})), "prepare: page 0 of the host has the offset " +
                                                             std::to_string(offset) + ", no multiple of " +
                                                             std::to_string(alignment));
  }
  EXPECT_TRUE(prepare({own.handle, alignment}));
  record(skinner);
  device_->free_buffer(own);
}

TEST_F(Failing, AddMeshErrorsNameTheLimit) {
  auto info = skinner_info();
  info.tuning.max_page_bytes = 16000;
  auto skinner = make_skinner(info);
  expect_refused(skinner.add_mesh(make_mesh({.vertices = 1001}), 8, "knight"), ErrorCode::kUnsupported,
                 "mesh 'knight': one instance's vertices need 16016 bytes, and a buffer holds 16000, "
                 "KernelTuning::max_page_bytes");
  expect_refused(skinner.add_mesh(make_mesh({}), 400, "knight"), ErrorCode::kUnsupported,
                 "mesh 'knight': one instance's palette needs 19200 bytes, and a buffer holds 16000, "
                 "KernelTuning::max_page_bytes");
  EXPECT_TRUE(skinner.add_mesh(make_mesh({.vertices = 1000}), 8));
  info.tangents = true;
  auto with_tangents = make_skinner(info);
  expect_refused(with_tangents.add_mesh(make_mesh({.vertices = 801}), 8, "knight"), ErrorCode::kUnsupported,
                 "mesh 'knight': one instance's vertices need 16020 bytes, and a buffer holds 16000, "
                 "KernelTuning::max_page_bytes");
}

TEST_F(Failing, EveryErrorReachesTheHostsCallback) {
  std::vector<std::string> messages;
  const auto info = with_messages(skinner_info(), messages);
  auto old = info;
  old.api_version = VK_API_VERSION_1_0;
  EXPECT_EQ(create_skinner(old).error().code, ErrorCode::kUnsupported);
  auto skinner = make_skinner(info);
  EXPECT_FALSE(test::prepare(skinner, {1, 9, 0}, {}));
  EXPECT_FALSE(vulkan::experimental::reload_kernel(skinner, {}));
  EXPECT_EQ(messages,
            (std::vector<std::string>{"create_skinner: Vulkan 1.2 is needed, the host enabled 1.0",
                                      "begin_frame: frame 1 names slot 9 of 2", "skinning kernel: not SPIR-V"}));
}

TEST_F(Failing, ErrorsNameTheVulkanCall) {
  auto info = watched_info();
  for (const char* name : {"vkCreateDescriptorSetLayout", "vkCreatePipelineLayout"}) {
    watch_->failing = name;
    expect_refused(create_skinner(info), ErrorCode::kOutOfMemory,
                   std::string(name) + ": VK_ERROR_OUT_OF_DEVICE_MEMORY (-2)");
  }
  watch_->failing.clear();
  {
    auto skinner = make_skinner(info);
    for (const char* name : {"vkCreateShaderModule", "vkCreateComputePipelines"}) {
      watch_->failing = name;
      EXPECT_EQ(message_of(skinner.add_mesh(make_mesh({}), 8, "rig")),
                "mesh 'rig': " + std::string(name) + ": VK_ERROR_OUT_OF_DEVICE_MEMORY (-2)");
    }
    for (const char* name : {"vkCreateBuffer", "vkAllocateMemory", "vkBindBufferMemory"}) {
      watch_->failing = name;
      EXPECT_EQ(message_of(skinner.add_mesh(make_mesh({}), 8, "rig")),
                std::string("sinew.mesh[0], 3328 bytes: ") + name + ": VK_ERROR_OUT_OF_DEVICE_MEMORY (-2)");
    }
    watch_->failing = "vkAllocateMemory";
    watch_->failure = VK_ERROR_DEVICE_LOST;
    const auto lost = skinner.add_mesh(make_mesh({}), 8, "rig");
    ASSERT_FALSE(lost);
    EXPECT_EQ(lost.error().code, ErrorCode::kDeviceLost);
    EXPECT_EQ(lost.error().vk_result, VK_ERROR_DEVICE_LOST);
  }
  EXPECT_EQ(watch_->live_objects, 0);
}

/// The message of an error needs memory, too.
TEST_F(Failing, AnErrorIsReturnedWithoutMemoryForItsMessage) {
  make_device({.validate = false});  // the layers allocate on this thread, too
  auto skinner = make_skinner(skinner_info());
  const auto id = skinner.add_mesh(make_mesh({}), 8);
  ASSERT_TRUE(id);
  const vulkan::SkinnerBatch batch{*id, 5};
  fail_heap_after(0);
  EXPECT_FALSE(test::prepare(skinner, {1, 9, 0}, {&batch, 1}));
  fail_heap_after(-1);
  EXPECT_TRUE(test::prepare(skinner, {1, 0, 0}, {&batch, 1}));
  record(skinner);
}

}  // namespace
}  // namespace sinew::test
