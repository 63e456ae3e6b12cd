// Pipelines that were kept: the driver gets its own bytes back, and no others. cache_test.cpp damages the files.
#include "gpu/kept_pipelines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "cache_folder.h"
#include "child.h"
#include "host/pipeline.h"
#include "system/cache.h"

namespace sinew::app {
namespace {

std::vector<std::byte> given;  // to the driver
PFN_vkCreatePipelineCache create_before;

VkResult note_data(VkDevice device, const VkPipelineCacheCreateInfo* info, const VkAllocationCallbacks* callbacks,
                   VkPipelineCache* cache) {
  const auto* data = static_cast<const std::byte*>(info->pInitialData);
  given.assign(data, data + info->initialDataSize);
  VkPipelineCacheCreateInfo empty = *info;
  empty.initialDataSize = 0;
  return create_before(device, &empty, callbacks, cache);
}

class KeptPipelinesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    SINEW_SKIP_WITHOUT_DEVICE();
    GraphicsOptions options;
    options.validate = true;
    ASSERT_TRUE(set_up(options, context_));
    create_before = std::exchange(vkCreatePipelineCache, note_data);
  }
  void TearDown() override {
    if (create_before) vkCreatePipelineCache = std::exchange(create_before, nullptr);
    if (!context_.device.handle) return;
    EXPECT_TRUE(check_messages(context_));
  }

  /// What this driver could have written.
  std::vector<std::byte> genuine() const {
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(context_.device.info.physical, &properties);
    VkPipelineCacheHeaderVersionOne header{
        sizeof header, VK_PIPELINE_CACHE_HEADER_VERSION_ONE, properties.vendorID, properties.deviceID, {}};
    std::memcpy(header.pipelineCacheUUID, properties.pipelineCacheUUID, VK_UUID_SIZE);
    std::vector<std::byte> bytes(sizeof header + 100, std::byte(5));
    std::memcpy(bytes.data(), &header, sizeof header);
    return bytes;
  }
  std::string name() const {
    ContentHash hash;
    hash.add(host::pipeline_cache_owner(context_.device.info));
    return "pipelines-" + hash.digits();
  }
  std::vector<std::byte> given_with(const std::vector<std::byte>& kept) {
    keep(name(), kept);
    given = {std::byte(1)};
    const KeptPipelines pipelines(context_.device);
    return given;
  }

  test::CacheFolder folder_;
  GraphicsContext context_;
};

TEST_F(KeptPipelinesTest, GoBackToTheDriver) { EXPECT_EQ(given_with(genuine()), genuine()); }

TEST_F(KeptPipelinesTest, OfAnotherDriverDoNot) {
  for (size_t i = 0; i < sizeof(VkPipelineCacheHeaderVersionOne); ++i) {
    std::vector<std::byte> other = genuine();
    other[i] = other[i] ^ std::byte(0x81);
    EXPECT_THAT(given_with(other), ::testing::IsEmpty()) << "byte " << i;
  }
  std::vector<std::byte> shorter = genuine();
  shorter.resize(20);
  EXPECT_THAT(given_with(shorter), ::testing::IsEmpty());
}

}  // namespace
}  // namespace sinew::app
