// --clip and --fit of `sinew crowd`: which clips each file plays, and how large its characters are.
#include "crowd/models.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "child.h"
#include "made_files.h"
#include "message.h"
#include "scene/model.h"

namespace sinew::test {
namespace {

using app::check_names;
using app::find_named_clips;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

using Names = std::vector<std::string>;

std::vector<Clip> clips_named(const Names& names) {
  std::vector<Clip> clips;
  for (const std::string& name : names) clips.emplace_back().name = name;
  return clips;
}

/// By name, then without case, then by number. Ascending, and each once. Those that a file lacks are left out.
TEST(NamedClips, AreFound) {
  struct Row {
    Names has, named;
    std::vector<uint32_t> found;
  };
  const Names mixed = {"WALK", "Walk", "Death", "Walk fast", "2"}, three = {"idle", "run", "walk"};
  const Row rows[] = {{mixed, {"Walk"}, {1}},       {mixed, {"walk"}, {0}},
                      {mixed, {"Death"}, {2}},      {mixed, {"2"}, {4}},
                      {mixed, {"3"}, {3}},          {three, {"walk", "idle", "Walk", "2"}, {0, 2}},
                      {three, {"swim", "run"}, {1}}};
  for (const Row& row : rows)
    EXPECT_EQ(must(find_named_clips("a.glb", clips_named(row.has), row.named)), row.found) << row.named.front();
}

TEST(NamedClips, ThatNoFileCanPlayAreNamedInOneLine) {
  const auto fault = [](const std::vector<Clip>& clips, const Names& names) {
    return message_of(find_named_clips("a.glb", clips, names));
  };
  EXPECT_THAT(fault(clips_named({"WALK", "Walk"}), {"Wal"}),
              AllOf(HasSubstr("a.glb: no clip \"Wal\""), HasSubstr("\"Walk\"")));
  EXPECT_THAT(
      fault(clips_named({"idle", "run", "walk"}), {"swim", "wal"}),
      AllOf(HasSubstr("a.glb: has none of 2 named clips; no clip \"swim\"; nearest: \""), Not(HasSubstr("\n"))));
  EXPECT_THAT(fault({}, {"swim"}), HasSubstr("a.glb: no clip \"swim\"; it has none"));
  std::vector<Clip> clips = clips_named({"idle", "nod"});
  clips[1].additive = true;
  EXPECT_EQ(fault(clips, {"idle", "Nod"}),
            "a.glb: clip \"nod\" is additive: it only adds to others, so a crowd cannot play it");
}

TEST(NamedClips, MustEachBeInSomeFile) {
  std::vector<app::Model> models(2);
  models[0].name = "fox", models[0].character.clips = clips_named({"Run", "Walk"});
  models[1].name = "knight", models[1].character.clips = clips_named({"Running", "Walking"});
  const auto why = [&](const Names& names) { return message_of(check_names(models, names)); };
  EXPECT_EQ(why({"Run", "walking", "1"}), "");
  EXPECT_THAT(why({"Run", "Runing"}), HasSubstr("none of 2 files: no clip \"Runing\"; nearest: \"Running\", \"Run\""));
  EXPECT_EQ(why({"2"}), "none of 2 files: no clip \"2\"");
  models.pop_back();
  EXPECT_THAT(why({"Runing"}), HasSubstr("fox: no clip \"Runing\"; nearest: \"Run\""));
}

TEST(NamedClips, ThatAreAdditiveAreNotPlayedUnasked) {
  const Folder folder;
  make_character_file("additive", folder.path("a.sinew"));
  EXPECT_TRUE(must(app::load_model(folder.path("a.sinew"), {})).clips.empty());
}

TEST(Sizes, OfSeveralFilesAreKeptUnlessTheyAreToFit) {
  const std::string fox = shared("models/khronos/Fox.glb");  // in centimeters, though the format has meters
  SINEW_SKIP_WITHOUT(fox);
  const auto height_of = [](Names files, bool fit) {
    app::CrowdOptions options;
    options.scene = "crowd", options.files = std::move(files), options.fit = fit;
    options.optimizations.levels = false;
    return must(app::load_models(options)).front().height;
  };
  const float alone = height_of({fox}, false);
  EXPECT_GT(alone, 1.2);
  EXPECT_EQ(height_of({fox, kCharacter}, true), alone);
  EXPECT_EQ(height_of({fox}, true), alone);
  const float beside_people = height_of({fox, kCharacter}, false);
  EXPECT_GT(beside_people, 0.6);
  EXPECT_LT(beside_people, 1);
  EXPECT_EQ(height_of({kCharacter, fox}, false), height_of({kCharacter}, false));
}

TEST(NamedClips, OfSeveralFilesArePlayedByThoseThatHaveThem) {
  const std::string fox = shared("models/khronos/Fox.glb"), knight = shared("models/kaykit/Knight.glb");
  SINEW_SKIP_WITHOUT(fox);
  app::CrowdOptions options;
  options.scene = "crowd";
  options.files = {fox, knight};
  options.optimizations.levels = false;
  options.clips = {"run", "Death_A", "running_a"};
  const auto models = must(app::load_models(options));
  const auto names_of = [](const app::Model& model) {
    Names names;
    for (const uint32_t clip : model.clips) names.push_back(model.character.clips[clip].name);
    return names;
  };
  EXPECT_THAT(names_of(models[0]), ElementsAre("Run"));
  EXPECT_THAT(names_of(models[1]), ElementsAre("Death_A", "Running_A"));
  options.clips = {"Death_A", "Running_A"};
  EXPECT_THAT(must_fail(app::load_models(options)).message, HasSubstr("Fox.glb: has none of 2 named clips"));
}

}  // namespace
}  // namespace sinew::test
