// `sinew info` on a model whose levels of detail are known.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "child.h"
#include "merged_level.h"
#include "sinew/import/model.h"

namespace sinew::test {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::json;

Json info_json(const std::string& file) {
  const Folder folder;
  const Outcome outcome = sinew({"info", file, "--json", folder.path("info.json")});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  return Json::parse(read(folder.path("info.json")));
}

/// The built-in character with two hand-made levels, the second with a palette of its own.
Model model_with_levels() {
  const auto model =
      load_model(SINEW_SOURCE_DIR "/assets/character.glb", {.levels = {.triangle_shares = {}, .small_levels = false}});
  EXPECT_TRUE(model) << model.error().message;
  return with_merged_level(**model);
}

TEST(InfoOfLevels, OfAFileAreListed) {
  const Folder folder;
  const Model model = model_with_levels();
  const std::string file = folder.path("levels.sinew");
  ASSERT_TRUE(write_model_file(file, model));
  const Json levels = info_json(file)["levels"];
  ASSERT_EQ(levels.size(), 3u);
  for (uint32_t level = 0; level < 3; ++level) {
    EXPECT_EQ(levels[level]["triangles"], model.mesh(level).indices.size() / 3) << level;
    EXPECT_EQ(levels[level]["vertices"], model.mesh(level).positions.size()) << level;
    EXPECT_EQ(levels[level]["joints"], model.skin(level).entries.size()) << level;
  }
  EXPECT_LT(levels[2]["joints"], levels[1]["joints"]);
  EXPECT_EQ(levels[0]["error_mm"], 0);
  EXPECT_TRUE(levels[0]["below_pixels"].is_null()) << "the finest level has no error";
  for (uint32_t level : {1u, 2u}) {  // the file is in meters; raised arms count
    const double error_mm = levels[level]["error_mm"], below_pixels = levels[level]["below_pixels"];
    EXPECT_NEAR(error_mm, double(model.levels[level - 1].error) * 1e3, 1e-3) << level;
    EXPECT_NEAR(below_pixels * error_mm / 1e3, 1.85, 0.15) << "the error is a pixel of a figure of this height";
  }
  const std::string text = sinew({"info", file}).out;
  EXPECT_THAT(text, HasSubstr("levels      3; a coarser one replaces a finer one below 90 % of its height"));
  EXPECT_THAT(text, HasSubstr("triangles vertices joints influences parts error mm below pixels\n"));
}

}  // namespace
}  // namespace sinew::test
