// The optimizations of `sinew crowd`: each saves the work that it reports, and the picture stays the same or nearly so.
#include <gmock/gmock.h>

#include "crowd_program.h"
#include "long_run.h"

namespace sinew::test {
namespace {

using Json = nlohmann::json;
using ::testing::HasSubstr;

TEST_F(Crowd, CulledInstancesWereNotVisible) {
  const auto with = [](const char* cull) {
    return crowd({"--characters", "600", "--frames", "1", "--warmup", "0", "--start-seconds", "31", "--cull", cull});
  };
  const CrowdRun on = with("on"), off = with("off");
  ASSERT_EQ(on.outcome.exit_code, 0) << on.outcome.err;
  ASSERT_EQ(off.outcome.exit_code, 0) << off.outcome.err;
  const Json& json = on.json["runs"][0];
  EXPECT_GT(json["culled"], 20);
  EXPECT_EQ(json["culled"].get<int>() + json["visible"].get<int>(), 600);
  EXPECT_EQ(off.json["runs"][0]["visible"], 600);
  EXPECT_LT(json["skinned_vertices"], off.json["runs"][0]["skinned_vertices"]);
  EXPECT_LT(json["joints_evaluated"], off.json["runs"][0]["joints_evaluated"]);
  EXPECT_THAT(on.outcome.out, HasSubstr(" visible, " + std::to_string(json["culled"].get<int>()) + " culled"));
  EXPECT_EQ(on.picture.rgba, off.picture.rgba);
}

TEST_F(Crowd, SharedPosesAreSkinnedOnce) {
  const auto with = [](std::vector<std::string> more) {
    std::vector<std::string> arguments{"--characters", "150", "--frames", "1",  "--warmup", "0",
                                       "--cull",       "off", "--lod",    "off"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return crowd(arguments);
  };
  const CrowdRun run = with({"--unique-poses", "60", "--validate"});
  ASSERT_EQ(run.outcome.exit_code, 0) << run.outcome.err;
  const Json& json = run.json["runs"][0];
  EXPECT_EQ(json["unique_poses"], 60);
  EXPECT_EQ(json["visible"], 150);
  EXPECT_GT(json["shared_poses"], 30);
  EXPECT_EQ(json["skinned_vertices"].get<uint64_t>(),
            (150 - json["shared_poses"].get<uint64_t>()) * json["vertices_per_character"].get<uint64_t>());
  EXPECT_GT(json["max_shared_degrees"], 1);
  EXPECT_LE(json["max_shared_degrees"].get<double>(), json["shared_degrees"].get<double>() * 1.02);
  EXPECT_LE(json["max_error"], 1e-5);
  const CrowdRun unique = with({}), later = with({"--start-seconds", "0.3"});
  const double change = difference(run.picture, unique.picture).mean;
  EXPECT_GT(change, 0) << "no pose is shared";
  EXPECT_LT(change, difference(later.picture, unique.picture).mean / 2) << "joints are turned too far";
}

TEST_F(Crowd, LevelsOfDetailHardlyChangeThePicture) {
  const auto with = [](const char* lod) {
    return crowd({"--characters", "300", "--frames", "1", "--warmup", "0", "--lod", lod, "--validate"});
  };
  const CrowdRun levels = with("on"), finest = with("off");
  ASSERT_EQ(levels.outcome.exit_code, 0) << levels.outcome.err;
  const Json& json = levels.json["runs"][0];
  EXPECT_EQ(json["lod"], "auto");
  uint64_t visible = 0;
  for (const Json& count : json["levels"]) visible += count.get<uint64_t>();
  EXPECT_EQ(visible, json["visible"]);
  EXPECT_GE(json["levels"].size(), 4u);
  EXPECT_LT(json["skinned_vertices"].get<double>(), finest.json["runs"][0]["skinned_vertices"].get<double>() / 2);
  EXPECT_LE(json["max_error"], 1e-5) << "relative to the CPU skinner at the same level of detail";
  const Difference change = difference(levels.picture, finest.picture);
  EXPECT_GT(change.mean, 0);
  EXPECT_LT(change.mean, 5);  // of 255
}

TEST_F(Crowd, CulledInstancesHadNoVisibleShadow) {
  uint32_t shadow_only = 0, culled = 0;
  const std::vector<std::pair<const char*, const char*>> views = {{"1", "0"}, {"2", "31"}, {"4", "60"}};
  for (const auto& [maps, start] : views) {
    const auto with = [&](const char* cull) {
      return crowd({"--characters", "500", "--frames", "1", "--warmup", "0", "--samples-per-pixel", "1",
                    "--shadow-maps", maps, "--start-seconds", start, "--update-rate", "off", "--cull", cull});
    };
    const CrowdRun on = with("on"), off = with("off");
    ASSERT_EQ(on.outcome.exit_code, 0) << on.outcome.err;
    const Json &json = on.json["runs"][0], &all = off.json["runs"][0];
    EXPECT_EQ(json["culled"].get<int>() + json["visible"].get<int>(), 500);
    EXPECT_EQ(all["casters"], 0);
    shadow_only += json["casters"].get<uint32_t>(), culled += json["culled"].get<uint32_t>();
    EXPECT_EQ(on.picture.rgba, off.picture.rgba) << "at " << start << " s with " << maps << " shadow maps";
  }
  EXPECT_GT(shadow_only, 20u);
  EXPECT_GT(culled, 50u);
}

/// Arguments for five frames of a crowd seen by a moving camera.
std::vector<std::string> moving(std::vector<std::string> more) {
  std::vector<std::string> arguments{"--characters", "120", "--frames", "5", "--warmup", "1"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

TEST_F(Crowd, UpdateRatesSaveWorkAndHardlyChangeThePicture) {
  const CrowdRun on = crowd(moving({})), off = crowd(moving({"--update-rate", "off"})),
                 later = crowd(moving({"--update-rate", "off", "--start-seconds", "0.1", "--camera", "fixed"}));
  ASSERT_EQ(on.outcome.exit_code, 0) << on.outcome.err;
  const Json &with = on.json["runs"][0], &without = off.json["runs"][0];
  EXPECT_EQ(with["update_rate"], true);
  EXPECT_EQ(without["update_rate"], false);
  EXPECT_EQ(with["visible"], without["visible"]);
  EXPECT_EQ(without["held"], 0);
  EXPECT_EQ(without["updated_copies"], without["visible"]);
  EXPECT_EQ(without["rates"], (Json{without["visible"], 0, 0}));
  uint64_t visible = 0;
  for (const Json& count : with["rates"]) visible += count.get<uint64_t>();
  EXPECT_EQ(visible, with["visible"]);
  EXPECT_EQ(with["held"].get<uint64_t>() + with["updated_copies"].get<uint64_t>(), visible);
  for (const char* figure : {"skinned_vertices", "palette_bytes", "joints_evaluated"})
    EXPECT_LT(with[figure].get<double>(), without[figure].get<double>() * 0.75) << figure;
  EXPECT_THAT(on.outcome.out, HasSubstr(" every fourth; in the last frame "));
  const double change = difference(on.picture, off.picture).mean;
  EXPECT_GT(change, 0);
  EXPECT_LT(change,
            difference(later.picture, crowd(moving({"--update-rate", "off", "--camera", "fixed"})).picture).mean / 2);
}

TEST_F(Crowd, InstancesThatAreNotUpdatedAreValidated) {
  std::vector<std::vector<std::string>> argument_sets;
  for (const char* count : {"3", "1"}) argument_sets.push_back({"--slots", count, "--skinning", "compute,vertex,cpu"});
  argument_sets.push_back({"--evaluator", "exact", "--cull", "off"});
  argument_sets.push_back({"--memory-budget", "4"});
  for (std::vector<std::string>& arguments : some_of(argument_sets, 1)) {
    const std::string name = arguments[0] + " " + arguments[1];
    arguments.push_back("--validate");
    const CrowdRun run = crowd(moving(arguments));
    ASSERT_EQ(run.outcome.exit_code, 0) << name << ": " << run.outcome.err;
    for (const Json& json : run.json["runs"]) {
      EXPECT_EQ(json["validation_messages"], 0) << name;
      EXPECT_GT(json["held"], 10) << name;
      EXPECT_GE(json["compared_characters"].get<uint64_t>(),
                json["held"].get<uint64_t>() + json["updated_copies"].get<uint64_t>())
          << name;
    }
  }
}

TEST_F(Crowd, UpdateRatesGiveTheSameOutputForAnyNumberOfThreads) {
  const auto hash = [](const char* threads) {
    const CrowdRun run = crowd(moving({"--validate", "--threads", threads}));
    EXPECT_EQ(run.outcome.exit_code, 0) << run.outcome.err;
    return run.json["runs"][0]["output_hash"].get<std::string>();
  };
  EXPECT_EQ(hash("1"), hash("3"));
}

}  // namespace
}  // namespace sinew::test
