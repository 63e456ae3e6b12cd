// The report: every field, line and column of a run whose numbers are all different, computed by hand.
#include "crowd/report/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "crowd/report/report_html.h"
#include "options/filled.h"
#include "system/platform.h"
#include "system/process.h"
#include "system/text.h"

namespace sinew::app {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::json;

/// Two repeats of three frames. The median frame is skinned in 2 ms and sampled in 1 ms. All that can be on is on.
RunReport full_run() {
  RunReport run;
  CrowdOptions& options = run.options;
  options.scene = "crowd", options.characters = 1000, options.seed = 7, options.start_seconds = 2.5;
  options.width = 640, options.height = 360, options.warmup = 1, options.frames_in_flight = 3, options.samples = 4;
  options.optimizations.unique_poses = 30, options.occlusion = true, options.clips = {"walk"};
  options.draw.passes = 4, options.draw.rasterize = false, options.format = vulkan::VertexFormat::kPacked;
  run.model = "cube", run.tinted = 5, run.async_compute = "second queue", run.vertex_fetch = "pulling";
  run.plan = {.visible = 900, .culled = 100, .shared = 41, .not_updated = 362, .shadow_only = 31, .occluded = 7};
  run.plan.updated_meshes = 638, run.plan.levels = {600, 300}, run.plan.rates = {101, 250, 549};
  run.budget = BudgetReport{3 << 20, 5 << 19, 4};
  run.joints_per_character = 2, run.vertices_per_character = 10, run.joints_evaluated = 2000;
  run.cross_fading = 3, run.masked = 8, run.frames = 6, run.repeats = 2;
  run.shadow_maps = 2, run.shadow_map_size = 512, run.shadow_map_bytes = 1'000'000;
  run.draws = 11, run.kernel_instructions = 345, run.shared_degrees = 1.5, run.device_bytes = 23'000'000;
  run.work = {.skinned_vertices = 10'000, .palette_bytes = 96'000, .skinned_bytes = 160'000, .triangles = 5000};
  run.work.copies.count = 17, run.work.copies.bytes = 2'200'000, run.work.dispatches = 19;
  run.work.mesh_bytes = 3000, run.work.job_bytes = 1000;
  run.device_clock_is_wrong = true, run.overlap_ms = {0.25, 0.25, 0.25, 0.25, 0.25, 0.25};
  run[Stage::kFrame] = {4, 5, 6.00004, 4, 5, 6};
  run[Stage::kSample].assign(6, 1), run[Stage::kRecord].assign(6, 0.5), run[Stage::kUpload].assign(6, 0);
  run[Stage::kSkin] = {3, 2, 1, 3, 2, 1}, run[Stage::kDraw].assign(6, 1.5);
  run.passes_drawn = {{"shadow map 0", Samples(6, 0.7)}, {"color", Samples(6, 0.8)}};
  run.compared = Comparison{12, 1.5e-6, 0.2, 14, 1.25, 120, 2e-6, 0.03, "abc", ""};
  run.validation_messages = 15;
  return run;
}

/// Of a device and a CPU that copy and store so fast that skinning has half of the bandwidth.
Report report_of(std::vector<RunReport> runs) {
  Report report;
  report.device = {"Abacus", "discrete", "beads 1.0", "1.3.230", 0.256};
  report.cpu = {"Brain", 2, "neurons", 8.0};
  report.bake = BakeReport{2, 12.5, 0.0935, 0.1, {"fox: slow"}, 1};
  report.command = "sinew crowd", report.date = "2026-11-26T13:40:02Z";
  report.runs = std::move(runs);
  return report;
}

void expect_json(const Json& found, const char* expected) {
  const Json wanted = Json::parse(expected);
  for (const auto& [name, value] : wanted.items()) EXPECT_EQ(found.value(name, Json("missing")), value) << name;
  for (const auto& [name, value] : found.items()) EXPECT_TRUE(wanted.contains(name)) << name << " is not expected";
}

TEST(ReportJson, HasEveryFieldOfSchemaOne) {
  Report report = report_of({full_run()});
  report.machine = MachineReport{MachineLoad{0.02, 0.001}, 3000, 2990, {4, 0.01}, {4.25, 0.02}, true};
  Json json = Json::parse(to_json(report));
  const Json run = json["runs"][0];
  EXPECT_THAT(json["machine"]["doubts"][0].get<std::string>(), HasSubstr("validation layers"));
  json["machine"].erase("doubts");
  for (const char* of_build : {"runs", "version", "commit", "build_type"}) json.erase(of_build);
  expect_json(json, R"({"schema": 1, "command": "sinew crowd", "date": "2026-11-26T13:40:02Z", "interrupted": false,
    "device": {"name": "Abacus", "type": "discrete", "driver": "beads 1.0", "api": "1.3.230",
               "copy_gb_per_second": 0.256},
    "cpu": {"name": "Brain", "threads": 2, "instruction_set": "neurons", "store_gb_per_second": 8},
    "machine": {"others": 0.02, "stolen": 0.001, "clock_before_mhz": 3000, "clock_after_mhz": 2990,
                "fixed_task_before": {"ms": 4, "spread": 0.01}, "fixed_task_after": {"ms": 4.25, "spread": 0.02},
                "validated": true},
    "bake": {"models": 2, "ms": 12.5, "error_mm": 0.0935, "asked_mm": 0.1, "warnings": ["fox: slow"]}})");
  expect_json(run, R"({"scene": "crowd", "characters": 1000, "seed": 7, "start_seconds": 2.5, "clips": ["walk"],
    "change_clips": true, "camera": "orbit", "cull": true, "occlusion": true, "lod": "auto", "update_rate": true,
    "unique_poses": 30, "format": 12, "palettes": "full", "evaluator": "crowd", "rasterized": false, "samples": 4,
    "warmup": 1, "slots": 3, "model": "cube", "tinted": 5, "share_of_children": 0, "visible": 900, "culled": 100,
    "casters": 31, "occluded": 7, "levels": [600, 300], "rates": [101, 250, 549], "held": 362, "updated_copies": 638,
    "budget": {"bytes": 3145728, "needed_bytes": 2621440, "lod_pixels": 4}, "joints_per_character": 2,
    "vertices_per_character": 10, "skinning": "compute", "async_compute": "second queue", "vertex_fetch": "pulling",
    "passes": 4, "shadow_maps": 2, "shadow_map_size": 512, "shadow_map_bytes": 1000000, "width": 640, "height": 360,
    "frames": 6, "repeats": 2, "joints_evaluated": 2000, "cross_fading": 3, "masked": 8, "draws": 11,
    "dispatches": 19, "kernel_instructions": 345, "skinned_vertices": 10000, "triangles": 5000, "shared_poses": 41,
    "shared_degrees": 1.5, "palette_bytes": 96000, "skinned_bytes": 160000, "mesh_bytes": 3000, "job_bytes": 1000,
    "touched_bytes": 260000, "page_copies": 17, "page_copy_bytes": 2200000, "held_bytes": 23000000,
    "sentence": "1,000 characters in 5.00 ms a frame; skinning while drawing makes 5.00 million vertices a second, 51 % of this device's copy bandwidth.",
    "ns_per_joint": 1000, "skinned_vertices_per_second": 5000000, "skin_gb_per_second": 0.13,
    "speed_over_vertex": null, "skin_share_of_copy": 0.5078125, "max_error": 2e-6, "max_normal_error_degrees": 0.03,
    "max_palette_error": 1.5e-6, "max_pose_error_mm": 0.2, "max_shared_degrees": 1.25, "leaping": 0,
    "folded_blends": 14, "compared_characters": 12, "compared_vertices": 120, "output_hash": "abc",
    "validation_messages": 15, "submit_ms": null,
    "frame_ms": {"p50": 5, "p95": 6.00004, "p99": 6.00004, "max": 6.00004, "spread": 0, "repeats": [5, 5],
                 "parts": [4, 5, 6.00004, 4, 5, 6], "frames": [4, 5, 6, 4, 5, 6]},
    "cpu_ms": {"cull": null, "skin": null,
               "sample": {"p50": 1, "p95": 1, "p99": 1, "max": 1, "spread": 0, "repeats": [1, 1],
                          "parts": [1, 1, 1, 1, 1, 1]},
               "record": {"p50": 0.5, "p95": 0.5, "p99": 0.5, "max": 0.5, "spread": 0, "repeats": [0.5, 0.5],
                          "parts": [0.5, 0.5, 0.5, 0.5, 0.5, 0.5]}},
    "gpu_ms": {"upload": {"p50": 0, "p95": 0, "p99": 0, "max": 0, "spread": 0, "repeats": [0, 0],
                          "parts": [0, 0, 0, 0, 0, 0]},
               "skin": {"p50": 2, "p95": 3, "p99": 3, "max": 3, "spread": 0, "repeats": [2, 2],
                        "parts": [3, 2, 1, 3, 2, 1]},
               "draw": {"p50": 1.5, "p95": 1.5, "p99": 1.5, "max": 1.5, "spread": 0, "repeats": [1.5, 1.5],
                        "parts": [1.5, 1.5, 1.5, 1.5, 1.5, 1.5]},
               "overlap": {"p50": 0.25, "p95": 0.25, "p99": 0.25, "max": 0.25, "spread": 0, "repeats": [0.25, 0.25],
                           "parts": [0.25, 0.25, 0.25, 0.25, 0.25, 0.25]},
               "passes": [{"name": "shadow map 0", "ms": {"p50": 0.7, "p95": 0.7, "p99": 0.7, "max": 0.7, "spread": 0,
                                                          "repeats": [0.7, 0.7],
                                                          "parts": [0.7, 0.7, 0.7, 0.7, 0.7, 0.7]}},
                          {"name": "color", "ms": {"p50": 0.8, "p95": 0.8, "p99": 0.8, "max": 0.8, "spread": 0,
                                                   "repeats": [0.8, 0.8],
                                                   "parts": [0.8, 0.8, 0.8, 0.8, 0.8, 0.8]}}]}})");
}

TEST(Table, SaysAllOfARun) {
  EXPECT_EQ(table(report_of({full_run()})), R"(
crowd: 1,000 characters of cube, crowd evaluator, compute skinning in 4 passes without rasterization, seed 7, 2 times 3 frames of 640x360 after 1 of warm-up
  900 visible, 100 culled, 7 of them hidden, 31 of the visible shadow-only; levels of detail 600 + 300; 41 with a shared pose, within 1.50 degrees
  updated 101 each frame, 250 every second, 549 every fourth; in the last frame 362 not updated, 638 posed meshes updated
  2.50 of 3.00 MiB needed at most; levels of detail within 4 pixels
  2 shadow maps of 512x512, 1.00 MB
  2 joints and 10 vertices each; 5,000 triangles a pass; 10,000 skinned vertices (0.160 MB) and 0.0960 MB of palettes a frame; 23.0 MB of device memory
  2.20 MB of palettes are copied to device-local memory in each frame, by 17 commands
  skinning is submitted by itself, to a second queue: it may overlap the drawing of the previous frame; skinned vertices are double-buffered
  3 cross-fading, 8 with a masked layer; 1,000 ns a joint; baked in 12.5 ms before the first frame
  the timestamps of this device cannot be true: GPU times are left out, and the CPU's clock times the frames
  gpu upload and gpu skin overlap the drawing of the previous frame, by 0.250 ms at the median
  milliseconds              p50       p95       p99       max   spread
  frame                    5.00      6.00      6.00      6.00   +- 0.0 %
  cpu cull                    -         -         -         -
  cpu sample               1.00      1.00      1.00      1.00   +- 0.0 %
  cpu record              0.500     0.500     0.500     0.500   +- 0.0 %
  gpu upload               0.00      0.00      0.00      0.00   +- 0.0 %
  gpu skin                 2.00      3.00      3.00      3.00   +- 0.0 %
  gpu draw                 1.50      1.50      1.50      1.50   +- 0.0 %
  gpu shadow map 0        0.700     0.700     0.700     0.700   +- 0.0 %
  gpu color               0.800     0.800     0.800     0.800   +- 0.0 %
1,000 characters in 5.00 ms a frame; skinning while drawing makes 5.00 million vertices a second, 51 % of this device's copy bandwidth.
Vertices, against the CPU skinner on the palettes used: 120 of them, positions within 2e-06 of the diagonal (1e-05 allowed beyond the rounding to 16 bits), normals within 0.03 degrees (0.02, more where morph targets are rounded).
Palettes, against the exact evaluator: 12 of them, within 0.2000 mm on a character of 1.8 m (0.1000 allowed, 0.1414 of blends); more at levels of detail that are baked coarsely, and where chains reach for targets; 14 blends at a level with fewer joints not counted.
Shared poses, against each character's own pose: within 1.25 degrees (1.50 stated).
15 validation messages.
This device copies 0.256 GB/s; the CPU stores 8.00 GB/s.
)");
}

/// A run without options, times and names, skinned by the CPU.
RunReport empty_run() {
  RunReport run;
  run.options.scene = "crowd", run.options.optimizations = {.cull = false, .levels = false, .update_rate = false};
  run.options.evaluator = EvaluatorKind::kExact, run.skinning = SkinningMode::kCpu;
  run.work.copies.count = 1;
  return run;
}

TEST(Table, LeavesOutWhatARunHasNot) {
  RunReport run = empty_run();
  run.compared = Comparison{12, 1.5e-6};
  Report report = report_of({run});
  report.bake.reset(), report.device.copy_gb_per_second.reset(), report.is_interrupted = true;
  EXPECT_EQ(table(report), R"(
crowd: 1,000 characters of unknown, exact evaluator, cpu skinning, seed 1, 0 frames of 1280x720 after 3 of warm-up
  0 visible, culling off; one level of detail; every pose unique
  0 joints and 0 vertices each; 0 triangles a pass; 0 skinned vertices (0.00 MB) and 0.00 MB of palettes a frame; 0.00 MB of device memory
  0.00 MB of vertices are copied to device-local memory in each frame, by 1 commands
  0 cross-fading, 0 with a masked layer
  milliseconds              p50       p95       p99       max   spread
  frame                       -         -         -         -
  cpu cull                    -         -         -         -
  cpu sample                  -         -         -         -
  cpu record                  -         -         -         -
  gpu upload                  -         -         -         -
  cpu skin                    -         -         -         -
  gpu draw                    -         -         -         -
1,000 characters, no frame measured.
Palettes, against the exact evaluator: 12 of them, within 1.5e-06 of the diagonal (1e-05 allowed).
Interrupted: the last run has fewer frames than were asked for.
This CPU stores 8.00 GB/s.
)");
}

TEST(ReportJson, IsNullForWhatWasNotMeasured) {
  Report report = report_of({empty_run()});
  report.device.copy_gb_per_second.reset(), report.cpu.store_gb_per_second.reset(), report.bake.reset();
  const Json json = Json::parse(to_json(report));
  for (const char* path :
       {"/device/copy_gb_per_second", "/cpu/store_gb_per_second", "/bake", "/machine", "/runs/0/max_error",
        "/runs/0/output_hash", "/runs/0/validation_messages", "/runs/0/frame_ms", "/runs/0/gpu_ms/skin",
        "/runs/0/gpu_ms/overlap", "/runs/0/budget", "/runs/0/ns_per_joint", "/runs/0/skinned_vertices_per_second"}) {
    EXPECT_EQ(json.at(Json::json_pointer(path)), Json()) << path;
  }
}

TEST(ReportJson, CpuSkinningTimeIsNotAGpuTime) {
  RunReport run = full_run();
  run.skinning = SkinningMode::kCpu, run[Stage::kCpuSkin] = {3, 2, 1};
  const Json json = Json::parse(to_json(report_of({run})))["runs"][0];
  EXPECT_TRUE(json["gpu_ms"]["skin"].is_null());
  EXPECT_EQ(json["cpu_ms"]["skin"]["p50"], 2);
  EXPECT_TRUE(json["skin_share_of_copy"].is_null());
}

TEST(ReportJson, ClocksThatAreTooCoarseGiveNoSpeed) {
  RunReport run = full_run();
  run[Stage::kSkin].assign(6, 0);
  const Json json = Json::parse(to_json(report_of({run})))["runs"][0];
  for (const char* name : {"skinned_vertices_per_second", "skin_gb_per_second", "skin_share_of_copy"})
    EXPECT_TRUE(json[name].is_null()) << name;
}

TEST(Csv, HasALineForEachMeasuredStage) {
  RunReport run = full_run();
  run.model = "a \"b\", c", run.passes_drawn.clear();
  for (const Stage stage : {Stage::kSample, Stage::kRecord, Stage::kUpload}) run[stage].clear();
  const std::string lines = to_csv(report_of({run})), first = ",crowd,\"a \"\"b\"\", c\",1000,900,compute,4,2,6,";
  const std::string wanted =
      "device,commit,scene,model,characters,visible,skinning,passes,repeats,frames,stage,p50,"
      "p95,p99,max,spread\nAbacus,C" +
      first + "frame,5,6.00004,6.00004,6.00004,0\nAbacus,C" + first + "gpu skin,2,3,3,3,0\nAbacus,C" + first +
      "gpu draw,1.5,1.5,1.5,1.5,0\n";
  EXPECT_EQ(std::regex_replace(lines, std::regex("Abacus,[^,]*"), "Abacus,C"), wanted);
}

TEST(Table, ComparesWithTheVertexShaderForTheSameCrowd) {
  RunReport vertex = full_run(), compute = full_run();
  compute[Stage::kFrame].assign(9, 5);
  vertex.skinning = SkinningMode::kVertex, vertex[Stage::kSkin].clear(), vertex[Stage::kFrame].assign(9, 10);
  EXPECT_THAT(table(report_of({compute, vertex})),
              HasSubstr("; 2.00 times as fast as skinning in the vertex shader (2.00 to 2.00).\n"));
  EXPECT_EQ(Json::parse(to_json(report_of({compute, vertex})))["runs"][0]["speed_over_vertex"]["low"], 2);
  compute[Stage::kSubmission].assign(9, 2), vertex[Stage::kSubmission].assign(9, 3);
  EXPECT_THAT(table(report_of({compute, vertex})), HasSubstr("; its submission is 1.50 times as fast as skinning in"));
  compute[Stage::kSubmission].clear(), vertex[Stage::kFrame] = {1, 2, 4, 8, 10, 10, 10, 10, 10};
  EXPECT_THAT(table(report_of({compute, vertex})),
              HasSubstr("; the times cannot tell whether that is faster than skinning in the vertex shader.\n"));
  vertex.options.characters = 5;
  EXPECT_THAT(table(report_of({compute, vertex})), Not(HasSubstr("the vertex shader")));
}

TEST(Table, HasTwoDigitsWhereTimesVaryAndDoNotLookEqual) {
  RunReport run = full_run();
  run.repeats = 1;
  for (const auto& [times, words] : std::vector<std::pair<Samples, const char*>>{
           {{123.4, 123.4, 123.4, 123.4, 123.4}, "      123       123       123       123   +- 0.0 %\n"},
           {{100.4, 123.4, 123.4, 123.4, 150.4}, "      120       150       150       150   +-  20 %\n"},
           {{100.4, 123.4, 123.4, 123.4, 150.4}, " in 120 ms a frame"},
           {{150.4, 186.4, 186.4, 186.4, 193.4}, "      186       193       193       193   +-  12 %\n"},
           {{1, 1, 1, 1, 24.792}, "+-1,200 %\n"}}) {
    run[Stage::kFrame] = times;
    EXPECT_THAT(table(report_of({run})), HasSubstr(words));
  }
}

TEST(Warnings, SayThatTheDeviceIsACpuAndWhatTheBakeExceeds) {
  Report report = report_of({});
  EXPECT_THAT(warnings_of(report), Not(::testing::Contains(HasSubstr("this device is a CPU"))));
  report.device.type = "cpu";
  EXPECT_THAT(warnings_of(report),
              ::testing::IsSupersetOf({HasSubstr("this device is a CPU"), HasSubstr("fox: slow")}));
}

TEST(Percentile, IsTheNearestRank) {
  const auto of_numbers_to = [](int count, double share) {
    Samples samples;
    for (int i = count; i >= 1; --i) samples.push_back(i);
    return percentile(samples, share);
  };
  for (const auto& [count, share, rank] : std::vector<std::tuple<int, double, double>>{{100, 0.5, 50},
                                                                                       {100, 0.95, 95},
                                                                                       {100, 0.99, 99},
                                                                                       {100, 1, 100},
                                                                                       {4, 0.5, 2},
                                                                                       {5, 0.5, 3},
                                                                                       {1, 0.99, 1},
                                                                                       {2, 0, 1}}) {
    EXPECT_EQ(of_numbers_to(count, share), rank) << count << " " << share;
  }
  EXPECT_EQ(percentile({}, 0.5), std::nullopt);
}

TEST(Spread, IsThatOfTheRepeatsOrOfThePartsOfOneRepeat) {
  EXPECT_EQ(repeat_medians({1, 2, 3, 7, 8, 9}, 2), (std::vector<double>{2, 8}));
  EXPECT_EQ(repeat_medians({1, 2, 3}, 2), std::vector<double>{});  // no equal parts
  EXPECT_DOUBLE_EQ(*spread_of({9, 9, 9, 11, 11, 11, 10, 10, 10}, 3), 0.1);
  EXPECT_DOUBLE_EQ(*spread_of({99, 8, 10, 10, 10, 10, 10, 12}, 1), 0.2);  // what is over is left out
  EXPECT_EQ(spread_of({}, 1), std::nullopt);
}

TEST(Parts, AreSevenOrMoreWhereThereAreAsManyFrames) {
  const Samples numbers = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18};
  for (const auto& [count, repeats, medians] :
       std::vector<std::tuple<size_t, uint32_t, Samples>>{{16, 1, {3, 5, 7, 9, 11, 13, 15}},
                                                          {18, 2, {2, 4, 6, 8, 11, 13, 15, 17}},
                                                          {18, 9, {1, 3, 5, 7, 9, 11, 13, 15, 17}},
                                                          {3, 1, {1, 2, 3}},
                                                          {4, 3, {}},
                                                          {4, 0, {}},
                                                          {0, 1, {}}}) {
    EXPECT_EQ(part_medians(Samples(numbers.begin(), numbers.begin() + ptrdiff_t(count)), repeats), medians) << count;
  }
}

TEST(Doubts, HaveFiguresAndOnlyWhereTheyMatter) {
  EXPECT_THAT(doubts_about({MachineLoad{0.02, 0.001}, 3000, 2990, {4, 0.01}, {4.05, 0.02}}), ::testing::IsEmpty());
  EXPECT_THAT(doubts_about({MachineLoad{0.37, 0.04}, 3000, 2000, {4, 0.01}, {5, 0.2}, true}),
              ::testing::UnorderedElementsAre(HasSubstr("validation layers"), HasSubstr("other programs used 37 %"),
                                              HasSubstr("4.0 % of the processor time was stolen"),
                                              HasSubstr("from 3000 to 2000 MHz"), HasSubstr("took 25 % longer"),
                                              HasSubstr("varies by +-20 %")));
}

TEST(Text, FiguresAreGroupedAndRounded) {
  for (const auto& [value, words] :
       std::vector<std::pair<uint64_t, const char*>>{{0, "0"}, {999, "999"}, {1000, "1,000"}, {1234567, "1,234,567"}}) {
    EXPECT_EQ(grouped(value), words);
  }
  for (const auto& [value, digits, words] : std::vector<std::tuple<double, int, const char*>>{{0, 3, "0.00"},
                                                                                              {0.012345, 3, "0.0123"},
                                                                                              {9.996, 3, "10.00"},
                                                                                              {31.24, 3, "31.2"},
                                                                                              {999.6, 3, "1,000"},
                                                                                              {-1234.4, 3, "-1,234"},
                                                                                              {1.0 / 0.0, 3, "-"},
                                                                                              {0, 2, "0.0"},
                                                                                              {0.012345, 2, "0.012"},
                                                                                              {0.0998, 2, "0.10"},
                                                                                              {9.96, 2, "10"},
                                                                                              {346, 2, "350"},
                                                                                              {1189.6, 2, "1,200"}}) {
    EXPECT_EQ(rounded(value, digits), words);
  }
  EXPECT_EQ(printable("a\nb\x7f\xc3\xa9"), "a?b?\xc3\xa9");
}

TEST(Text, PatternsAreFilledWithValues) {
  const app::Json values = {{"n", 1234},        {"one", 1},        {"x", 0.5},       {"list", {7, 8}},
                            {"bytes", 3 << 20}, {"none", nullptr}, {"word", "a\nb"}, {"in", {{"x", 2.25}}}};
  for (const auto& [pattern, words] : std::vector<std::pair<const char*, const char*>>{
           {"{n} and {x}.", "1,234 and 0.500."},
           {"{list}, {list.1}", "7 + 8, 8"},
           {"{none}", "unknown"},
           {"{n:raw}{word:raw}", "1234\"a\\nb\""},
           {"{word:quoted}", "\"a?b\""},
           {"{bytes:MiB}|{bytes:MB}", "3.00|3.15"},
           {"mesh{one:es}, mesh{n:es}, part{n:s}", "mesh, meshes, parts"},
           {"{in.x:%6.1f}|{n:%-7}|{x:%.0e}|{x:%g}", "   2.2|1,234  |5e-01|0.5"}}) {
    EXPECT_EQ(filled(pattern, values), words);
  }
  EXPECT_EQ(filled({{true, "{one}"}, {false, "{absent}"}, {true, "."}}, values), "1.");
}

/// What a page shows, as its script reads it.
std::string json_of_page(const std::string& page) {
  const std::string begin = "id=\"reports\">";
  const size_t at = page.find(begin) + begin.size();
  return page.substr(at, page.find("</script>", at) - at);
}

TEST(ReportPage, HasFilesByTheirNamesAndTheSizeOfPictures) {
  const std::string words[] = {"/home/me/sinew",
                               "crowd",
                               "/home/me/fox.glb",
                               "models/cat.glb",
                               "/home/me/it's a/dog.glb",
                               "--json=/tmp/a.json",
                               "--record",
                               "/tmp/my folder/",
                               "--scene",
                               "grid",
                               "--look-at",
                               "1,2,3",
                               "/"};
  EXPECT_EQ(shared_command(words), "sinew crowd fox.glb cat.glb dog.glb --json=a.json --record " +
                                       quoted_for_shell("my folder/") + " --scene grid --look-at 1,2,3 /");
  EXPECT_EQ(shared_command({}), "sinew");  // of a system that does not tell
  const Report report = report_of({full_run()});
  const ReportPicture picture{"festival", 2, 1, std::vector<uint8_t>(8, 255)};
  const ReportComparison comparison;
  const Json entry =
      Json::parse(json_of_page(to_html(json_of(report), {{&picture, 1}, &comparison, "/me/old.json"})))[0];
  EXPECT_EQ(entry["report"]["command"], shared_command(command_words()));
  EXPECT_EQ(entry["comparison"]["old"], "old.json");
  EXPECT_EQ(entry["pictures"][0]["width"], 2);
  EXPECT_EQ(entry["pictures"][0]["height"], 1);
}

TEST(ReportPage, NamesOfModelsStayTextInItsScript) {
  RunReport run = full_run();
  run.model = "<!--<script>&</script>\xe2\x80\xa8 caf\xe9.glb";
  const Report report = report_of({run});
  const ReportPicture picture{"</script>\xff", 1, 1, {0, 0, 0, 255}};
  const std::string page = to_html(json_of(report), {{&picture, 1}}), plain = to_html(json_of(report_of({})), {});
  const std::string json = json_of_page(page), name = "<!--<script>&</script>\xe2\x80\xa8 caf\ufffd.glb";
  EXPECT_EQ(json.find_first_of("<>&"), json.npos);
  EXPECT_EQ(json.find("\xe2\x80\xa8"), json.npos);
  EXPECT_EQ(page.substr(page.find(json) + json.size()),
            plain.substr(plain.find("</script>", plain.find("\"reports\""))))
      << "the rest of the page is as it was";
  EXPECT_EQ(Json::parse(json)[0]["report"]["runs"][0]["model"], name) << "a byte that is not UTF-8 is replaced";
  EXPECT_EQ(Json::parse(to_json(report))["runs"][0]["model"], name);
  EXPECT_FALSE(Json::parse(json)[0].contains("comparison"));
}

}  // namespace
}  // namespace sinew::app
