// Chains through the C interface: every field is that of C++.
#include <gtest/gtest.h>

#include <string>
#include <variant>

#include "sinew/animation/inverse_kinematics.h"
#include "sinew/c/sinew.h"
#include "sinew/import/import.h"

namespace sinew::test {
namespace {

const std::string kFile = SINEW_SOURCE_DIR "/assets/character.glb";

bool same(const float (&a)[3], Vec3 b) { return a[0] == b.x && a[1] == b.y && a[2] == b.z; }

void expect_same(const SinewChain& found, const TwoBoneChain& chain) {
  EXPECT_EQ(found.kind, uint32_t(SINEW_CHAIN_TWO_BONE));
  ASSERT_EQ(found.joint_count, 3u);
  EXPECT_EQ(found.joints[0], chain.upper);
  EXPECT_EQ(found.joints[1], chain.middle);
  EXPECT_EQ(found.joints[2], chain.end);
  EXPECT_TRUE(same(found.direction, chain.pole));
  EXPECT_EQ(found.end_orientation, uint32_t(chain.end_orientation));
  EXPECT_EQ(found.reach, chain.reach);
  EXPECT_EQ(found.soft, chain.soft);
}

void expect_same(const SinewChain& found, const AimChain& chain) {
  EXPECT_EQ(found.kind, uint32_t(SINEW_CHAIN_AIM));
  ASSERT_EQ(found.joint_count, chain.joints.size());
  for (size_t i = 0; i < chain.joints.size(); ++i) {
    EXPECT_EQ(found.joints[i], chain.joints[i].joint);
    EXPECT_EQ(found.shares[i], chain.joints[i].share);
  }
  EXPECT_TRUE(same(found.direction, chain.axis));
  EXPECT_TRUE(same(found.offset, chain.offset));
  EXPECT_TRUE(same(found.up, chain.up));
  EXPECT_EQ(found.max_angle, chain.max_angle);
  EXPECT_EQ(found.fade_distance, chain.fade_distance);
}

TEST(ChainsInC, AreThoseOfCpp) {
  SinewCharacter* character = nullptr;
  ASSERT_EQ(sinew_character_import(kFile.c_str(), nullptr, &character, nullptr), SINEW_OK);
  const auto loaded = load_character(kFile);
  ASSERT_TRUE(loaded);
  const auto chains = find_chains(*loaded);
  ASSERT_TRUE(chains);
  ASSERT_EQ(chains->size(), 5u);

  uint32_t count = 0;
  EXPECT_EQ(sinew_character_find_chains(character, nullptr, &count, nullptr), SINEW_OK);
  EXPECT_EQ(count, 5u);
  SinewChain found[5] = {};
  ASSERT_EQ(sinew_character_find_chains(character, found, &count, nullptr), SINEW_OK);
  for (size_t i = 0; i < 5; ++i) {
    EXPECT_EQ((*chains)[i].name, found[i].name);
    std::visit([&](const auto& kind) { expect_same(found[i], kind); }, (*chains)[i].kind);
  }
  sinew_character_destroy(character);
}

}  // namespace
}  // namespace sinew::test
