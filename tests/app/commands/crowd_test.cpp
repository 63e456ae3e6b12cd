// `sinew crowd` end to end without a window: its figures, its pictures, and --validate.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <thread>

#include "crowd_program.h"
#include "long_run.h"

namespace sinew::test {
namespace {

using Json = nlohmann::json;
using ::testing::HasSubstr;

Json built_in_info() {
  const Folder folder;
  const Outcome outcome = sinew({"info", SINEW_SOURCE_DIR "/assets/character.glb", "--json", folder.path("info.json")});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  return Json::parse(read(folder.path("info.json")));
}

void expect_ordered_times(const Json& times, const std::string& name) {
  ASSERT_TRUE(times.is_object()) << name;
  EXPECT_LE(times["p50"], times["p95"]) << name;
  EXPECT_LE(times["p95"], times["p99"]) << name;
  EXPECT_LE(times["p99"], times["max"]) << name;
  EXPECT_GE(times["p50"], 0) << name;
}

/// Whether the device has timestamps.
bool is_timed(const Json& run) { return !run["gpu_ms"]["draw"].is_null(); }

/// A loaded machine wakes threads late. Where two clocks are compared, one of so many runs must be right.
constexpr int kClockRuns = 4;

/// The device's stages added up, each one's median ("p50") or another of its figures.
double device_time(const Json& run, const char* figure) {
  double sum = 0;
  for (const char* name : {"upload", "skin", "draw"}) {
    const Json& stage = run["gpu_ms"][name];
    sum += stage.is_null() ? 0 : stage[figure].get<double>();
  }
  return sum;
}

TEST_F(Crowd, CountsOfAHundredCharactersAreRight) {
  const CrowdRun run = crowd({"--characters", "100", "--frames", "3", "--warmup", "1", "--seed", "5", "--cull", "off",
                              "--lod", "off", "--update-rate", "off"});
  ASSERT_EQ(run.outcome.exit_code, 0) << run.outcome.err;
  const Json info = built_in_info();
  const uint64_t vertices = info["mesh"]["vertices"], joints = info["joints"].size();
  const uint64_t palette = info["palette_size"];

  ASSERT_EQ(run.json["runs"].size(), 1u);
  const Json& json = run.json["runs"][0];
  EXPECT_EQ(json["characters"], 100);
  EXPECT_EQ(json["visible"], 100);
  EXPECT_EQ(json["culled"], 0);
  EXPECT_EQ(json["cull"], false);
  EXPECT_EQ(json["frames"], 3);
  EXPECT_EQ(json["seed"], 5);
  EXPECT_EQ(json["skinning"], "compute");
  EXPECT_EQ(json["format"], 16);
  EXPECT_EQ(json["passes"], 1);
  EXPECT_EQ(json["shared_poses"], 0);
  EXPECT_EQ(json["vertices_per_character"], vertices);
  EXPECT_EQ(json["joints_per_character"], joints);
  EXPECT_EQ(json["skinned_vertices"], 100 * vertices);
  EXPECT_EQ(json["skinned_bytes"], 100 * vertices * 16);
  EXPECT_GE(json["palette_bytes"], 100 * palette * 48);
  EXPECT_LE(json["palette_bytes"], 100 * (palette + 3) * 48);  // padded to whole cache lines of 64 bytes
}

TEST_F(Crowd, TimesAreOrderedAndFiguresFollowFromThem) {
  const CrowdRun run = crowd({"--characters", "50", "--frames", "5", "--warmup", "1"});
  ASSERT_EQ(run.outcome.exit_code, 0) << run.outcome.err;
  const Json& json = run.json["runs"][0];
  expect_ordered_times(json["frame_ms"], "frame");
  for (const char* stage : {"cull", "sample", "record"}) expect_ordered_times(json["cpu_ms"][stage], stage);
  if (!is_timed(json)) {
    EXPECT_TRUE(json["skinned_vertices_per_second"].is_null());
    GTEST_SKIP() << "NO TIMESTAMPS: times of the device were not tested here";
  }
  for (const char* stage : {"upload", "skin", "draw"}) expect_ordered_times(json["gpu_ms"][stage], stage);
  EXPECT_NEAR(json["skinned_vertices_per_second"].get<double>(),
              json["skinned_vertices"].get<double>() / json["gpu_ms"]["skin"]["p50"].get<double>() * 1e3, 1);
  EXPECT_GT(json["ns_per_joint"], 0);
}

TEST_F(Crowd, StagesAddUpToTheFrame) {
  for (const char* skinning : {"compute", "cpu", "vertex"}) {
    double share = 0;
    bool on_cpu = true;
    for (int i = 0; i < kClockRuns && on_cpu && share < 0.85; ++i) {
      const CrowdRun run =
          crowd({"--characters", "50", "--frames", "1", "--warmup", "1", "--slots", "1", "--skinning", skinning});
      ASSERT_EQ(run.outcome.exit_code, 0) << run.outcome.err;
      const Json& json = run.json["runs"][0];
      if (!is_timed(json)) GTEST_SKIP() << "NO TIMESTAMPS: stages of the device were not added up here";
      double stages = device_time(json, "p50");
      for (const Json& stage : json["cpu_ms"]) stages += stage.is_null() ? 0 : stage["p50"].get<double>();
      share = stages / json["frame_ms"]["p50"].get<double>();
      EXPECT_LE(share, 1.001) << skinning;
      on_cpu = run.json["device"]["type"] == "cpu";  // on a GPU the submission itself takes a large part
    }
    EXPECT_TRUE(share >= 0.85 || !on_cpu) << skinning << ": " << share;
  }
}

TEST_F(Crowd, ReportNamesTheDeviceAndTheBuild) {
  const CrowdRun run = crowd({"--characters", "1", "--frames", "1", "--warmup", "0"});
  ASSERT_EQ(run.outcome.exit_code, 0) << run.outcome.err;
  const std::string devices = sinew({"devices"}).out;
  EXPECT_EQ(run.json["schema"], 1);
  EXPECT_EQ("sinew " + run.json["version"].get<std::string>() + "\n", sinew({"--version"}).out);
  for (const char* field : {"name", "type", "driver", "api"}) {
    const std::string value = run.json["device"][field];
    EXPECT_FALSE(value.empty()) << field;
    EXPECT_THAT(devices, HasSubstr(value));
    EXPECT_THAT(run.outcome.out, HasSubstr(value));
  }
  EXPECT_FALSE(run.json["build_type"].get<std::string>().empty());
  EXPECT_FALSE(run.json["cpu"]["name"].get<std::string>().empty());
  EXPECT_TRUE(run.json["runs"][0]["max_error"].is_null());  // without --validate
  EXPECT_TRUE(run.json["runs"][0]["validation_messages"].is_null());
}

TEST_F(Crowd, PictureIsNotBlank) {
  const CrowdRun run = crowd({"--characters", "100", "--frames", "1", "--warmup", "0"});
  ASSERT_EQ(run.outcome.exit_code, 0) << run.outcome.err;
  EXPECT_EQ(run.picture.width, 320);
  EXPECT_EQ(run.picture.height, 180);
  EXPECT_GT(color_count(run.picture), 1000u);
  const CrowdRun empty = crowd({"--characters", "1", "--frames", "1", "--warmup", "0"});
  EXPECT_GT(difference(run.picture, empty.picture).share, 0.05) << "a hundred characters look like one";
}

TEST_F(Crowd, SameSeedGivesTheSamePicture) {
  const std::vector<std::string> arguments{"--characters", "30", "--frames", "2", "--warmup", "1", "--seed"};
  const auto with_seed = [&](const char* seed) {
    auto all = arguments;
    all.push_back(seed);
    return crowd(all);
  };
  const CrowdRun first = with_seed("3"), again = with_seed("3"), other = with_seed("4");
  ASSERT_EQ(first.outcome.exit_code, 0) << first.outcome.err;
  EXPECT_EQ(first.picture.rgba, again.picture.rgba);
  EXPECT_GT(difference(first.picture, other.picture).share, 0.02);
}

TEST_F(Crowd, DepthPassesChangeNoPixel) {
  for (const char* skinning : {"compute", "vertex"}) {
    const auto with = [&](const char* depth) {
      return crowd({"--characters", "40", "--frames", "1", "--warmup", "0", "--skinning", skinning, "--shadow-maps",
                    "1", "--depth-pass", depth, "--validate"});
    };
    const CrowdRun two = with("off"), three = with("on");  // both with one shadow map
    ASSERT_EQ(three.outcome.exit_code, 0) << three.outcome.err;
    EXPECT_EQ(three.json["runs"][0]["passes"], 3);
    EXPECT_EQ(two.picture.rgba, three.picture.rgba) << skinning;
    for (const CrowdRun& run : {two, three}) {
      EXPECT_EQ(run.json["runs"][0]["shadow_maps"], 1);
      EXPECT_EQ(run.json["runs"][0]["shadow_map_size"], 512);
      EXPECT_EQ(run.json["runs"][0]["shadow_map_bytes"], 512 * 512 * 2);
    }
  }
}

TEST_F(Crowd, WithoutRasterizationNoInstanceIsDrawn) {
  const auto with = [](const char* seed, const char* rasterize) {
    return crowd({"--characters", "40", "--frames", "1", "--warmup", "0", "--rasterize", rasterize, "--seed", seed,
                  "--camera", "fixed", "--validate"});
  };
  const CrowdRun off = with("1", "off");
  ASSERT_EQ(off.outcome.exit_code, 0) << off.outcome.err;
  EXPECT_EQ(off.json["runs"][0]["rasterized"], false);
  EXPECT_EQ(off.picture.rgba, with("2", "off").picture.rgba) << "the picture depends on the positions of the instances";
  EXPECT_GT(difference(off.picture, with("1", "on").picture).share, 0.2);
}

/// The largest difference of 1 and the share of a submission that its stages take, of all runs.
double gap_of_submissions(const Json& report) {
  double gap = 0;
  for (const Json& run : report["runs"])
    gap = std::max(gap, std::abs(device_time(run, "max") / run["submit_ms"]["max"].get<double>() - 1));
  return gap;
}

TEST_F(Crowd, SkinningModesAlternateAndAreCompared) {
  const std::vector<std::string> arguments = {"--characters",  "30", "--frames",   "3",
                                              "--warmup",      "1",  "--skinning", "compute,vertex",
                                              "--shadow-maps", "1",  "--validate"};
  CrowdRun run = crowd(arguments);
  const bool on_cpu = run.outcome.exit_code == 0 && run.json["device"]["type"] == "cpu";
  if (on_cpu && is_timed(run.json["runs"][0])) {
    for (int i = 1; i < kClockRuns && gap_of_submissions(run.json) >= 0.1; ++i) run = crowd(arguments);
    EXPECT_LT(gap_of_submissions(run.json), 0.1);
  }
  ASSERT_EQ(run.outcome.exit_code, 0) << run.outcome.err;
  ASSERT_EQ(run.json["runs"].size(), 2u);
  const Json &compute = run.json["runs"][0], &vertex = run.json["runs"][1];
  EXPECT_EQ(compute["skinning"], "compute");
  EXPECT_EQ(vertex["skinning"], "vertex");
  for (const Json& json : {compute, vertex}) {
    EXPECT_EQ(json["frames"], 3);
    expect_ordered_times(json["submit_ms"], "submission");
    EXPECT_GE(json["frame_ms"]["p50"], json["submit_ms"]["p50"]);
  }
  EXPECT_THAT(run.outcome.out, HasSubstr("cannot tell whether that is faster than skinning in the vertex shader"));
  EXPECT_TRUE(compute["speed_over_vertex"].is_null());  // three frames are too few
}

TEST_F(Crowd, SkinningModesDrawTheSamePicture) {
  std::map<std::string, CrowdRun> runs;
  for (const char* skinning : {"compute", "vertex", "cpu"}) {
    runs[skinning] =
        crowd({"--characters", "30", "--frames", "1", "--warmup", "0", "--shadow-maps", "2", "--skinning", skinning});
    ASSERT_EQ(runs[skinning].outcome.exit_code, 0) << runs[skinning].outcome.err;
    EXPECT_EQ(runs[skinning].json["runs"][0]["skinning"], skinning);
  }
  for (const char* other : {"vertex", "cpu"}) {
    const Difference change = difference(runs["compute"].picture, runs[other].picture);
    EXPECT_LT(change.share, 0.002) << other;  // edge pixels that round differently
    EXPECT_LT(change.mean, 0.05) << other;
  }
  const Json &vertex = runs["vertex"].json["runs"][0], &cpu = runs["cpu"].json["runs"][0];
  EXPECT_EQ(vertex["skinned_vertices"], 0);  // no skinned vertices are stored
  EXPECT_TRUE(vertex["gpu_ms"]["skin"].is_null());
  EXPECT_TRUE(cpu["gpu_ms"]["skin"].is_null());
  EXPECT_GT(cpu["cpu_ms"]["skin"]["p50"], 0);
}

TEST_F(Crowd, SkinningSubmittedByItselfDrawsTheSamePicture) {
  const auto with = [](const char* async_compute, const char* frames_in_flight) {
    return crowd({"--characters", "12", "--frames", "5", "--warmup", "0", "--start-seconds", "20", "--async-compute",
                  async_compute, "--slots", frames_in_flight, "--validate"},
                 {{"VK_LAYER_ENABLES", "VALIDATION_CHECK_ENABLE_SYNCHRONIZATION_VALIDATION_QUEUE_SUBMIT"}});
  };
  const CrowdRun off = with("off", "2");
  ASSERT_EQ(off.outcome.exit_code, 0) << off.outcome.err;
  EXPECT_EQ(off.json["runs"][0]["async_compute"], "none");
  for (const char* frames_in_flight : {"1", "2", "3", "4"}) {
    const CrowdRun on = with("on", frames_in_flight);
    ASSERT_EQ(on.outcome.exit_code, 0) << on.outcome.err;
    const Json& json = on.json["runs"][0];
    const std::string how = json["async_compute"];
    EXPECT_TRUE(how == "shared queue" || how == "second queue") << how;
    EXPECT_THAT(on.outcome.out, HasSubstr("submitted by itself, to a " + how));
    EXPECT_EQ(json["validation_messages"], 0);
    EXPECT_EQ(json["output_hash"], off.json["runs"][0]["output_hash"]) << frames_in_flight;
    EXPECT_EQ(on.picture.rgba, off.picture.rgba) << frames_in_flight;
    if (!is_timed(json)) continue;
    for (const char* stage : {"upload", "skin", "draw"}) expect_ordered_times(json["gpu_ms"][stage], stage);
  }
}

TEST_F(Crowd, SkinningSubmittedByItselfAlternatesWithOtherModes) {
  const CrowdRun run = crowd({"--characters", "20", "--frames", "3", "--warmup", "1", "--skinning",
                              "compute,vertex,cpu", "--async-compute", "on", "--validate"});
  ASSERT_EQ(run.outcome.exit_code, 0) << run.outcome.err;
  EXPECT_NE(run.json["runs"][0]["async_compute"], "none");
  EXPECT_EQ(run.json["runs"][1]["async_compute"], "none");
  EXPECT_EQ(run.json["runs"][2]["async_compute"], "none");
  EXPECT_LE(run.json["runs"][0]["max_error"], 1e-5);
}

TEST_F(Crowd, ValidatesEveryVertexAgainstTheCpuSkinner) {
  const CrowdRun run = crowd({"--characters", "20", "--frames", "3", "--warmup", "0", "--validate", "--evaluator",
                              "exact", "--cull", "off", "--update-rate", "off"});
  ASSERT_EQ(run.outcome.exit_code, 0) << run.outcome.err;
  const Json& json = run.json["runs"][0];
  EXPECT_EQ(json["validation_messages"], 0);
  EXPECT_GT(json["max_error"], 0);  // CPU and GPU round differently
  EXPECT_LE(json["max_error"], 1e-5);
  EXPECT_LE(json["max_normal_error_degrees"], 0.2);
  EXPECT_LE(json["max_palette_error"], 1e-5);
  EXPECT_EQ(json["compared_characters"], 20);
  EXPECT_THAT(run.outcome.out, HasSubstr("Vertices, against the CPU skinner on exact palettes: "));
  EXPECT_THAT(run.outcome.out, HasSubstr("of the diagonal (1e-05 allowed)"));
  EXPECT_EQ(json["compared_vertices"].get<uint64_t>() % json["skinned_vertices"].get<uint64_t>(), 0u);
  EXPECT_GE(json["compared_vertices"], json["skinned_vertices"]);
  EXPECT_FALSE(json["output_hash"].get<std::string>().empty());
}

TEST_F(Crowd, OutputHashDependsOnTheSeedOnly) {
  const auto hash = [](const char* seed) {
    const CrowdRun run = crowd({"--characters", "5", "--frames", "1", "--warmup", "0", "--validate", "--seed", seed});
    EXPECT_EQ(run.outcome.exit_code, 0) << run.outcome.err;
    return run.json["runs"][0]["output_hash"].get<std::string>();
  };
  const std::string first = hash("1");
  EXPECT_EQ(first, hash("1"));
  EXPECT_NE(first, hash("2"));
}

/// Arguments for one frame in which some instances cross-fade, and some wave while they walk or idle.
std::vector<std::string> blending(std::vector<std::string> more) {
  std::vector<std::string> arguments{"--characters", "20", "--frames", "1", "--warmup", "0", "--start-seconds", "22"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

TEST_F(Crowd, BothEvaluatorsDrawTheSamePicture) {
  for (const char* skinning : some_of({"compute", "vertex", "cpu"}, 1)) {
    const CrowdRun exact = crowd(blending({"--evaluator", "exact", "--skinning", skinning}));
    const CrowdRun baked = crowd(blending({"--evaluator", "crowd", "--skinning", skinning}));
    ASSERT_EQ(exact.outcome.exit_code, 0) << exact.outcome.err;
    ASSERT_EQ(baked.outcome.exit_code, 0) << baked.outcome.err;
    const Difference change = difference(exact.picture, baked.picture);
    EXPECT_LT(change.share, 0.002) << skinning;  // edge pixels; one missing arm overlay would be 0.01
    EXPECT_LT(change.mean, 0.02) << skinning;
  }
}

/// The fastest instruction set of this CPU that the library uses, as the compiler's runtime detects it.
std::string fastest_instruction_set() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512bw"))
    return "avx3";
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "avx2";
  return __builtin_cpu_supports("sse4.2") ? "sse4" : "scalar";
#else
  return "neon";
#endif
}

TEST_F(Crowd, ReportHasTheEvaluatorAndTheErrorOfItsBake) {
  const CrowdRun exact = crowd(blending({"--validate", "--evaluator", "exact"}));
  const CrowdRun baked = crowd(blending({"--validate", "--threads", "2"}));  // the crowd evaluator is the default
  ASSERT_EQ(exact.outcome.exit_code, 0) << exact.outcome.err;
  ASSERT_EQ(baked.outcome.exit_code, 0) << baked.outcome.err;
  EXPECT_EQ(exact.json["runs"][0]["evaluator"], "exact");
  EXPECT_TRUE(exact.json["bake"].is_null());
  EXPECT_TRUE(exact.json["runs"][0]["max_pose_error_mm"].is_null());
  EXPECT_EQ(exact.json["cpu"]["threads"], std::clamp(std::thread::hardware_concurrency(), 1u, 256u));

  const Json& run = baked.json["runs"][0];
  EXPECT_EQ(run["evaluator"], "crowd");
  EXPECT_EQ(baked.json["bake"]["models"], 1);
  EXPECT_GT(baked.json["bake"]["ms"], 0);
  EXPECT_GT(baked.json["bake"]["error_mm"], 0);
  EXPECT_LE(baked.json["bake"]["error_mm"], 0.1);  // the default bound
  EXPECT_THAT(baked.outcome.out, HasSubstr("bake    1 model in "));
  EXPECT_GT(run["max_pose_error_mm"], 1e-3) << "no difference: the crowd evaluator was not used";
  EXPECT_LE(run["max_pose_error_mm"], 0.1415);
  EXPECT_GT(run["cross_fading"], 0);
  EXPECT_GT(run["masked"], 0);
  EXPECT_THAT(baked.outcome.out, HasSubstr("Vertices, against the CPU skinner on the palettes used: "));
  EXPECT_THAT(baked.outcome.out, HasSubstr("mm on a character of 1.8 m (0.1000 allowed, 0.1414 of blends)"));
  EXPECT_LE(run["max_error"], 1e-5);  // the vertices follow from the palettes that were used
  EXPECT_NE(run["output_hash"], exact.json["runs"][0]["output_hash"]);
  EXPECT_EQ(baked.json["cpu"]["instruction_set"], fastest_instruction_set());
  EXPECT_EQ(baked.json["cpu"]["threads"], 2);
  EXPECT_GT(baked.json["cpu"]["store_gb_per_second"], 0.1);
  EXPECT_NEAR(run["ns_per_joint"].get<double>(),
              run["cpu_ms"]["sample"]["p50"].get<double>() * 1e6 * 2 / run["joints_evaluated"].get<double>(), 1e-6);
}

TEST_F(Crowd, OutputIsTheSameForAnyNumberOfThreads) {
  for (const char* evaluator : some_of({"crowd", "exact"}, 1)) {
    const CrowdRun one = crowd(blending({"--validate", "--evaluator", evaluator}));
    ASSERT_EQ(one.outcome.exit_code, 0) << one.outcome.err;
    for (const char* threads : some_of({"8", "2"}, 1)) {
      const CrowdRun many = crowd(blending({"--validate", "--evaluator", evaluator, "--threads", threads}));
      ASSERT_EQ(many.outcome.exit_code, 0) << many.outcome.err;
      EXPECT_EQ(one.json["runs"][0]["output_hash"], many.json["runs"][0]["output_hash"]) << evaluator << threads;
      EXPECT_EQ(one.picture.rgba, many.picture.rgba) << evaluator << threads;
    }
  }
}

TEST_F(Crowd, JointsOmittedByTheBakeAreNotCounted) {
  const std::string knight = shared("models/kaykit/Knight.glb");
  SINEW_SKIP_WITHOUT(knight);
  std::map<std::string, Json> runs;
  for (const char* evaluator : {"exact", "crowd"}) {
    const CrowdRun run = crowd({knight, "--characters", "10", "--frames", "1", "--cull", "off", "--update-rate", "off",
                                "--evaluator", evaluator});
    ASSERT_EQ(run.outcome.exit_code, 0) << run.outcome.err;
    runs[evaluator] = run.json["runs"][0];
  }
  EXPECT_EQ(runs["exact"]["joints_evaluated"], 10 * 41);
  EXPECT_EQ(runs["crowd"]["joints_evaluated"], 10 * 23);  // the other joints are control handles for animators
  EXPECT_EQ(runs["crowd"]["joints_per_character"], 41);
}

TEST_F(Crowd, SlowBakingShowsProgressOnATerminal) {
  const std::string knight = shared("models/kaykit/Knight.glb");
  SINEW_SKIP_WITHOUT(knight);
  const std::string command = SINEW_PROGRAM " crowd --characters 1 --frames 1 --size 64x64 " + knight + " " + knight +
                              " " + knight + " " + knight + " " + knight;
  const Outcome shown = run({"script", "--quiet", "--return", "--command", command, "/dev/null"});
  ASSERT_EQ(shown.exit_code, 0) << shown.out;
  std::smatch bake;  // "bake    5 models in 4,835 ms"
  ASSERT_TRUE(std::regex_search(shown.out, bake, std::regex("5 models in ([0-9,]+) ms"))) << shown.out;
  std::string ms = bake[1];
  std::erase(ms, ',');
  if (std::stoul(ms) < 2000) GTEST_SKIP() << "SKIPPED: this machine bakes five models in " << ms << " ms";
  EXPECT_THAT(shown.out, HasSubstr("baking Knight, "));
  const Outcome quiet = run({"sh", "-c", command});
  EXPECT_THAT(quiet.out + quiet.err, ::testing::Not(HasSubstr("baking ")));
}

TEST_F(Crowd, CrowdEvaluatorIsValidOnModelsOfAllFormats) {
  const std::string fox = shared("models/khronos/Fox.glb");
  SINEW_SKIP_WITHOUT(fox);
  const CrowdRun run = crowd({fox, shared("models/quaternius/Trex.fbx"), shared("models/kenney/character.glb"),
                              shared("models/kaykit/Knight.glb"), "--characters", "40", "--frames", "1", "--warmup",
                              "0", "--validate", "--evaluator", "crowd"});
  ASSERT_EQ(run.outcome.exit_code, 0) << run.outcome.err;
  EXPECT_EQ(run.json["bake"]["models"], 4);
  EXPECT_LE(run.json["runs"][0]["max_error"], 1e-5);
}

TEST_F(Crowd, MixesModelsOfAllFormats) {
  const std::string fox = shared("models/khronos/Fox.glb");
  SINEW_SKIP_WITHOUT(fox);
  const CrowdRun run =
      crowd({fox, shared("models/quaternius/Trex.fbx"), shared("models/kenney/character.glb"),
             shared("models/kaykit/Knight.glb"), "--characters", "12", "--frames", "1", "--warmup", "0", "--validate"});
  ASSERT_EQ(run.outcome.exit_code, 0) << run.outcome.err;
  EXPECT_EQ(run.json["runs"][0]["characters"], 12);
  EXPECT_LE(run.json["runs"][0]["max_error"], 1e-5);
  EXPECT_EQ(run.json["runs"][0]["validation_messages"], 0);
}

}  // namespace
}  // namespace sinew::test
