// Accessors of glTF: they end inside of their view, and normalized integers become numbers from -1 to 1.
#include "gltf/gltf_accessors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sinew::test {
namespace {

using ::testing::ElementsAre;

TEST(GltfAccessor, EndsInsideItsView) {
  const std::vector<uint8_t> bytes(28);
  internal::Accessor accessor;
  accessor.component = internal::Component::kFloat, accessor.width = 3, accessor.count = 2;
  accessor.base = {bytes, 16};
  EXPECT_EQ(internal::read_floats(accessor).size(), 6u);
  accessor.base.bytes = std::span(bytes).first(27);
  EXPECT_ANY_THROW(internal::read_floats(accessor));
  accessor.base.bytes = std::span(bytes).first(16);
  EXPECT_ANY_THROW(internal::read_floats(accessor));
}

TEST(GltfAccessor, NormalizedIntegersReachOneAndNoFurther) {
  const std::vector<uint8_t> bytes = {0xff, 0x7f, 0x01, 0x80, 0x00, 0x80, 0x00, 0x00};  // 32767, -32767, -32768, 0
  internal::Accessor accessor;
  accessor.component = internal::Component::kInt16, accessor.width = 1, accessor.count = 4;
  accessor.base.bytes = bytes, accessor.normalized = true;
  EXPECT_THAT(internal::read_floats(accessor), ElementsAre(1, -1, -1, 0));
  accessor.component = internal::Component::kInt8;
  accessor.base.bytes = std::span(bytes).subspan(1, 4);  // 127, 1, -128, 0
  EXPECT_THAT(internal::read_floats(accessor), ElementsAre(1, 1 / 127.0f, -1, 0));
}

}  // namespace
}  // namespace sinew::test
