// The option that adds a layer: keys in any order, names with any characters, and errors that name the wrong word.
#include <gtest/gtest.h>

#include "view/layers.h"

namespace sinew::app {
namespace {

LayerOption parsed(std::string_view option) {
  const auto words = parse_layer(option);
  EXPECT_TRUE(words) << (words ? "" : words.error().message);
  return words ? *words : LayerOption();
}

std::string fault(std::string_view option) {
  const auto words = parse_layer(option);
  if (words) return "accepted";
  EXPECT_EQ(words.error().code, ErrorCode::kInvalidArgument);
  return words.error().message;
}

TEST(LayerOption, OnlyTheClipIsRequired) {
  const LayerOption words = parsed("clip=Wave");
  EXPECT_EQ(words.clip, "Wave");
  EXPECT_FALSE(words.joint);
  EXPECT_EQ(words.layer.weight, 1);
  EXPECT_EQ(words.layer.mode, LayerMode::kOverride);
  EXPECT_EQ(words.layer.seconds, 0);
}

TEST(LayerOption, KeysComeInAnyOrder) {
  for (const char* option : {"clip=Wave,joint=spine,weight=0.25,mode=additive,time=1.5",
                             "time=1.5,mode=additive,weight=0.25,joint=spine,clip=Wave"}) {
    const LayerOption words = parsed(option);
    EXPECT_EQ(words.clip, "Wave");
    EXPECT_EQ(words.joint, "spine");
    EXPECT_EQ(words.layer.weight, 0.25f);
    EXPECT_EQ(words.layer.mode, LayerMode::kAdditive);
    EXPECT_EQ(words.layer.seconds, 1.5);
  }
  EXPECT_EQ(parsed("mode=override,clip=a").layer.mode, LayerMode::kOverride);
}

TEST(LayerOption, NamesContainAnyCharacter) {
  const LayerOption words = parsed("joint=mixamorig:Spine,clip=Armature|a=b,c=d,weight,weight=0.5");
  EXPECT_EQ(words.joint, "mixamorig:Spine");
  EXPECT_EQ(words.clip, "Armature|a=b,c=d,weight");
  EXPECT_EQ(words.layer.weight, 0.5f);
  EXPECT_EQ(parsed("clip=a,").clip, "a,");
}

TEST(LayerOption, ErrorsNameTheWrongWord) {
  EXPECT_EQ(fault("speed=2,clip=a"), "unknown key \"speed\"; the keys are clip, joint, weight, mode, time");
  EXPECT_EQ(fault("weight=1,speed=2,clip=a"), "unknown key \"speed\"; the keys are clip, joint, weight, mode, time");
  EXPECT_EQ(fault("Clip=a"), "unknown key \"Clip\"; the keys are clip, joint, weight, mode, time");
  EXPECT_EQ(fault("clip=a,weight=1,clip=b"), "the key \"clip\" is there twice");
  EXPECT_EQ(fault("clip=a,mode=replace"), "mode: \"replace\" is not override or additive");
  EXPECT_EQ(fault("joint=spine"), "clip=NAME is missing");
  EXPECT_EQ(fault("clip="), "clip: the name is missing");
  EXPECT_EQ(fault("clip=a,joint="), "joint: the name is missing");
  EXPECT_EQ(fault(""), "\"\" is not KEY=VALUE");
  EXPECT_EQ(fault("Wave"), "\"Wave\" is not KEY=VALUE");
  EXPECT_EQ(fault("weight=1,Wave,clip=a"), "\"Wave\" is not KEY=VALUE");
  EXPECT_EQ(fault("weight=1,"), "\"\" is not KEY=VALUE");
}

TEST(LayerOption, NumbersAreStrict) {
  for (const char* word : {"", "1.5", "-0.1", "nan", "inf", "0.5x", " 1", "0x1", "half"}) {
    EXPECT_EQ(fault("clip=a,weight=" + std::string(word)),
              "weight: \"" + std::string(word) + "\" is not a number from 0 to 1");
  }
  for (const char* word : {"", "-1", "nan", "inf", "2e6", "1s"}) {
    EXPECT_EQ(fault("time=" + std::string(word) + ",clip=a"),
              "time: \"" + std::string(word) + "\" is not a number from 0 to 1e+06");
  }
  EXPECT_EQ(parsed("clip=a,weight=0").layer.weight, 0);
  EXPECT_EQ(parsed("clip=a,weight=1").layer.weight, 1);
}

TEST(LayerOption, NamesAreLookedUpInTheCharacter) {
  Character character;
  for (const char* name : {"Idle", "Wave"}) character.clips.emplace_back().name = name;
  character.skeleton.joint_names = {"root", "spine"};
  character.skeleton.parents = {kNoJoint, 0};
  const auto layer = resolve_layer(parsed("clip=wave,joint=Spine,weight=0.5,mode=additive,time=2"), character);
  ASSERT_TRUE(layer);
  EXPECT_EQ(layer->clip, 1u);
  EXPECT_EQ(layer->joint, 1);
  EXPECT_EQ(layer->weight, 0.5f);
  EXPECT_EQ(layer->mode, LayerMode::kAdditive);
  EXPECT_EQ(layer->seconds, 2);
  EXPECT_EQ(resolve_layer(parsed("clip=Idle"), character)->joint, kNoJoint);
  EXPECT_EQ(resolve_layer(parsed("clip=Waves"), character).error().message,
            "no clip \"Waves\"; nearest: \"Wave\", \"Idle\"");
  EXPECT_EQ(resolve_layer(parsed("clip=Wave,joint=hips"), character).error().message,
            "no joint \"hips\"; nearest: \"spine\", \"root\"");
}

}  // namespace
}  // namespace sinew::app
