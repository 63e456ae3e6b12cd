#include "sinew/version.h"

#include <gtest/gtest.h>

namespace sinew {
namespace {

constexpr uint32_t version_of(uint32_t major, uint32_t minor, uint32_t patch) {
  return major * 1000000 + minor * 1000 + patch;
}

TEST(Version, TheLibraryFitsItsOwnHeaders) {
  EXPECT_EQ(version(), version_of(SINEW_VERSION_MAJOR, SINEW_VERSION_MINOR, SINEW_VERSION_PATCH));
  EXPECT_TRUE(check_version());
  EXPECT_TRUE(check_version(SINEW_VERSION + 1)) << "another patch is compatible";
}

TEST(Version, HeadersOfAnotherSeriesAreRefusedWithBothVersions) {
  // A version of 1.MINOR has the digits of 0.MINOR.
  for (const uint32_t other : {version_of(0, SINEW_VERSION_MINOR + 1, 0), version_of(SINEW_VERSION_MAJOR + 1, 0, 0),
                               version_of(SINEW_VERSION_MAJOR + 1, SINEW_VERSION_MINOR, 0)}) {
    const Status status = check_version(other);
    ASSERT_FALSE(status) << other;
    EXPECT_EQ(status.error().code, ErrorCode::kUnsupported);
    EXPECT_NE(status.error().message.find(SINEW_VERSION_STRING), std::string::npos) << status.error().message;
  }
  EXPECT_EQ(check_version(version_of(12, 3, 4)).error().message,
            "this program was compiled with the headers of Sinew 12.3.4, but the library is " SINEW_VERSION_STRING);
}

}  // namespace
}  // namespace sinew
