// The option that adds a layer: keys in any order, names with any characters, and errors that name the wrong word.
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "must.h"
#include "viewer/layers.h"

namespace sinew::app {
namespace {

LayerOption parsed(std::string_view option) { return must(parse_layer(option)); }

std::string fault(std::string_view option) {
  const Error error = must_fail(parse_layer(option));
  EXPECT_EQ(error.code, ErrorCode::kInvalidArgument);
  return error.message;
}

TEST(LayerOption, KeysComeInAnyOrderAndNamesContainAnyCharacter) {
  const ViewLayer added{.weight = 0.25f, .mode = LayerMode::kAdditive, .seconds = 1.5};
  const struct {
    const char *option, *clip;
    std::optional<std::string> joint;
    ViewLayer layer;
  } kRows[] = {
      {"clip=Wave", "Wave", {}, {}},
      {"clip=Wave,joint=spine,weight=0.25,mode=additive,time=1.5", "Wave", "spine", added},
      {"time=1.5,mode=additive,weight=0.25,joint=spine,clip=Wave", "Wave", "spine", added},
      {"mode=override,clip=a,weight=0", "a", {}, {.weight = 0}},
      {"joint=mixamorig:Spine,clip=A|a=b,c=d,weight,weight=1", "A|a=b,c=d,weight", "mixamorig:Spine", {}},
      {"clip=a,", "a,", {}, {}},
  };
  for (const auto& row : kRows) {
    const LayerOption words = parsed(row.option);
    EXPECT_EQ(words.clip, row.clip) << row.option;
    EXPECT_EQ(words.joint, row.joint) << row.option;
    EXPECT_TRUE(words.layer == row.layer) << row.option;
  }
}

TEST(LayerOption, ErrorsNameTheWrongWord) {
  const std::string unknown = "; the keys are clip, joint, weight, mode, time";
  const std::pair<const char*, std::string> kRows[] = {
      {"speed=2,clip=a", "unknown key \"speed\"" + unknown},
      {"weight=1,speed=2,clip=a", "unknown key \"speed\"" + unknown},
      {"Clip=a", "unknown key \"Clip\"" + unknown},
      {"clip=a,weight=1,clip=b", "the key \"clip\" is there twice"},
      {"clip=a,mode=replace", "mode: \"replace\" is not override or additive"},
      {"joint=spine", "clip=NAME is missing"},
      {"clip=", "clip: the name is missing"},
      {"clip=a,joint=", "joint: the name is missing"},
      {"", "\"\" is not KEY=VALUE"},
      {"Wave", "\"Wave\" is not KEY=VALUE"},
      {"weight=1,Wave,clip=a", "\"Wave\" is not KEY=VALUE"},
      {"weight=1,", "\"\" is not KEY=VALUE"},
  };
  for (const auto& [option, message] : kRows) EXPECT_EQ(fault(option), message) << option;
}

TEST(LayerOption, NumbersAreStrict) {
  for (const char* word : {"", "1.5", "-0.1", "nan", "inf", "0.5x", " 1", "0x1", "half"}) {
    EXPECT_EQ(fault("clip=a,weight=" + std::string(word)),
              "weight: \"" + std::string(word) + "\" is not a number from 0 to 1");
  }
  for (const char* word : {"", "-1", "nan", "inf", "2e6", "1s"}) {
    EXPECT_EQ(fault("time=" + std::string(word) + ",clip=a"),
              "time: \"" + std::string(word) + "\" is not a number from 0 to 1e+06, nor phase");
  }
}

TEST(LayerOption, TimeMayBeThePhaseOfTheBaseClip) {
  EXPECT_TRUE(parsed("time=phase,clip=a").layer.in_phase);
  EXPECT_FALSE(parsed("clip=a,time=2").layer.in_phase);
  EXPECT_FALSE(parsed("clip=a").layer.in_phase);
}

TEST(LayerOption, NamesAreLookedUpInTheCharacter) {
  Character character;
  for (const char* name : {"Idle", "Wave"}) character.clips.emplace_back().name = name;
  character.skeleton.joint_names = {"root", "spine"};
  character.skeleton.parents = {kNoJoint, 0};
  const auto layer = must(resolve_layer(parsed("clip=wave,joint=Spine,weight=0.5,mode=additive,time=2"), character));
  EXPECT_TRUE(layer == (ViewLayer{.clip = 1, .weight = 0.5f, .joint = 1, .mode = LayerMode::kAdditive, .seconds = 2}));
  EXPECT_EQ(resolve_layer(parsed("clip=Idle"), character)->joint, kNoJoint);
  EXPECT_EQ(resolve_layer(parsed("clip=Waves"), character).error().message,
            "no clip \"Waves\"; nearest: \"Wave\", \"Idle\"");
  EXPECT_EQ(resolve_layer(parsed("clip=Wave,joint=hips"), character).error().message,
            "no joint \"hips\"; nearest: \"spine\", \"root\"");
}

}  // namespace
}  // namespace sinew::app
