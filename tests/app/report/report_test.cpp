// The report: figures computed by hand, every field of schema 1, and null for what was not measured.
#include "crowd/report/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "crowd/report/report_html.h"
#include "system/text.h"

namespace sinew::app {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::json;

Samples one_to(int count) {
  Samples samples;
  for (int i = count; i >= 1; --i) samples.push_back(i);
  return samples;
}

/// A thousand characters of two joints and ten vertices. The median frame is skinned in 2 ms and sampled in 1 ms.
RunReport measured_run() {
  RunReport run;
  run.options.scene = "crowd", run.model = "cube", run.skinning = SkinningMode::kCompute;
  run.options.characters = run.plan.visible = 1000;
  run.joints_per_character = 2, run.vertices_per_character = 10, run.joints_evaluated = 2000;
  run.options.width = 640, run.options.height = 360, run.frames = 3, run.options.warmup = 1,
  run.options.frames_in_flight = 2, run.options.seed = 7;
  run.work.skinned_vertices = 10000, run.work.skinned_bytes = 160000, run.work.palette_bytes = 96000;
  run.work.mesh_bytes = 3000, run.work.job_bytes = 1000;
  run[Stage::kFrame] = {4, 5, 6};
  run[Stage::kSample] = {1, 1, 1}, run[Stage::kRecord] = {0.5, 0.5, 0.5};
  run[Stage::kUpload] = {0, 0, 0}, run[Stage::kSkin] = {3, 2, 1}, run[Stage::kDraw] = {1, 1, 1};
  run.passes_drawn = {{"shadow map 0", {0.25, 0.25, 0.25}}, {"color", {0.75, 0.75, 0.75}}};
  return run;
}

Report report_of(std::vector<RunReport> runs) {
  Report report;
  report.device = {"Abacus", "cpu", "beads 1.0", "1.3.230", 0.256};
  report.cpu = {"Brain", 2, "neurons", {}};
  report.runs = std::move(runs);
  return report;
}

TEST(Percentile, IsTheNearestRank) {
  EXPECT_EQ(percentile(one_to(100), 0.5), 50);
  EXPECT_EQ(percentile(one_to(100), 0.95), 95);
  EXPECT_EQ(percentile(one_to(100), 0.99), 99);
  EXPECT_EQ(percentile(one_to(100), 1), 100);
  EXPECT_EQ(percentile(one_to(4), 0.5), 2);
  EXPECT_EQ(percentile(one_to(5), 0.5), 3);
  EXPECT_EQ(percentile({7}, 0.99), 7);
  EXPECT_EQ(percentile({7, 8}, 0), 7);
  EXPECT_EQ(percentile({}, 0.5), std::nullopt);
}

TEST(Figures, AreComputedFromTheMedians) {
  const RunReport run = measured_run();
  const Report report = report_of({run});
  EXPECT_DOUBLE_EQ(*ns_per_joint(run, report.cpu), 1e6 * 2 / 2000);    // 1 ms, two threads, 2,000 joints
  EXPECT_DOUBLE_EQ(*skinned_vertices_per_second(run), 10000 / 0.002);  // in 2 ms
  EXPECT_DOUBLE_EQ(*skin_gb_per_second(run), 260000 / 0.002 / 1e9);    // output, palettes, meshes, jobs
  EXPECT_DOUBLE_EQ(*skin_share_of_copy(run, report.device), 0.130 / 0.256);
}

TEST(Figures, AreAbsentWithoutTheirTimes) {
  RunReport run = measured_run();
  run[Stage::kSkin].clear(), run[Stage::kSample].clear();
  EXPECT_FALSE(ns_per_joint(run, {}));
  EXPECT_FALSE(skinned_vertices_per_second(run));
  EXPECT_FALSE(skin_gb_per_second(run));
  EXPECT_FALSE(skin_share_of_copy(measured_run(), DeviceReport{}));
  run[Stage::kSkin] = {0, 0};  // the clock is too coarse
  EXPECT_FALSE(skinned_vertices_per_second(run));
}

/// What a report has, and what it has of each run.
constexpr const char* kFields =
    "schema version commit build_type device/name device/type device/driver device/api "
    "device/copy_gb_per_second cpu/name cpu/threads cpu/instruction_set cpu/store_gb_per_second";
constexpr const char* kFieldsOfARun =
    "scene model characters visible casters occluded update_rate rates held updated_copies budget "
    "joints_per_character vertices_per_character skinning async_compute format vertex_fetch palettes passes "
    "shadow_maps shadow_map_size shadow_map_bytes frames seed skinned_vertices triangles shared_poses "
    "palette_bytes skinned_bytes frame_ms/p50 frame_ms/p95 frame_ms/p99 frame_ms/max cpu_ms/cull "
    "cpu_ms/sample/p50 cpu_ms/record/max gpu_ms/upload/p50 gpu_ms/skin/p95 gpu_ms/draw/p99 "
    "gpu_ms/passes/1/ms/p50 gpu_ms/overlap mesh_bytes job_bytes touched_bytes ns_per_joint "
    "skinned_vertices_per_second skin_gb_per_second skin_share_of_copy max_error output_hash "
    "validation_messages";

void expect_fields(const Json& json, const char* paths) {
  std::istringstream all(paths);
  for (std::string path; all >> path;) EXPECT_TRUE(json.contains(Json::json_pointer("/" + path))) << path;
}

TEST(ReportJson, HasEveryFieldOfSchemaOne) {
  const Json json = Json::parse(to_json(report_of({measured_run()})));
  expect_fields(json, kFields);
  expect_fields(json["runs"][0], kFieldsOfARun);
  EXPECT_TRUE(json["runs"][0].contains("held_bytes"));
  EXPECT_EQ(json["schema"], 1);
  EXPECT_EQ(json["runs"][0]["gpu_ms"]["skin"]["p50"], 2);
  EXPECT_EQ(json["runs"][0]["gpu_ms"]["upload"]["p50"], 0);
  EXPECT_EQ(json["runs"][0]["seed"], 7);
}

TEST(ReportJson, HasEachNumberOfBytesUnderItsName) {
  RunReport run = measured_run();
  run.shadow_map_bytes = 21, run.work.copies.bytes = 22, run.device_bytes = 23;
  const Json json = Json::parse(to_json(report_of({run})))["runs"][0];
  EXPECT_EQ(json["palette_bytes"], 96000);
  EXPECT_EQ(json["skinned_bytes"], 160000);
  EXPECT_EQ(json["mesh_bytes"], 3000);
  EXPECT_EQ(json["job_bytes"], 1000);
  EXPECT_EQ(json["touched_bytes"], 260000);
  EXPECT_EQ(json["shadow_map_bytes"], 21);
  EXPECT_EQ(json["page_copy_bytes"], 22);
  EXPECT_EQ(json["held_bytes"], 23);
}

TEST(Spread, IsThatOfTheRepeatsOrOfFivePartsOfOneRun) {
  EXPECT_EQ(repeat_medians({1, 2, 3, 7, 8, 9}, 2), (std::vector<double>{2, 8}));
  EXPECT_EQ(repeat_medians({1, 2, 3}, 2), std::vector<double>{});  // no equal parts
  EXPECT_DOUBLE_EQ(*spread_of({9, 9, 9, 11, 11, 11, 10, 10, 10}, 3), 0.1);
  EXPECT_DOUBLE_EQ(*spread_of({8, 8, 10, 10, 10, 10, 10, 10, 12, 12, 99}, 1), 0.2);  // what is over is left out
  EXPECT_EQ(spread_of({}, 1), std::nullopt);
}

TEST(Doubts, HaveFiguresAndOnlyWhereTheyMatter) {
  MachineReport machine;
  machine.load = {0.02, 0.001}, machine.clock_before_mhz = 3000, machine.clock_after_mhz = 2990;
  machine.before = {4, 0.01}, machine.after = {4.05, 0.02};
  EXPECT_THAT(doubts_about(machine), ::testing::IsEmpty());
  machine.load = {0.37, 0.04}, machine.clock_after_mhz = 2000, machine.after = {5, 0.2}, machine.validated = true;
  const std::vector<std::string> doubts = doubts_about(machine);
  ASSERT_EQ(doubts.size(), 6u);
  std::string all;
  for (const std::string& doubt : doubts) all += doubt + "\n";
  for (const char* words : {"validation layers", "other programs used 37 %", "4.0 % of the processor time was stolen",
                            "from 3000 to 2000 MHz", "took 25 % longer", "varies by +-20 %"}) {
    EXPECT_THAT(all, HasSubstr(words));
  }
}

TEST(Csv, HasALineForEachMeasuredStage) {
  RunReport run = measured_run();
  run.model = "a \"b\", c";
  const std::string csv = to_csv(report_of({run}));
  EXPECT_THAT(csv, HasSubstr(",crowd,\"a \"\"b\"\", c\",1000,1000,compute,1,1,3,gpu skin,2,3,3,3,0.5\n"));
  EXPECT_THAT(csv, Not(HasSubstr("cpu cull")));  // not measured
}

TEST(Table, HasShadowMapsIfThereAreAny) {
  RunReport run = measured_run();
  run.passes_drawn = {{"color", {1, 1, 1}}};
  EXPECT_THAT(table(report_of({run})), Not(HasSubstr("shadow")));
  run.plan.visible = 900, run.plan.culled = 100, run.plan.shadow_only = 31, run.options.optimizations.cull = true;
  run.shadow_maps = 2, run.shadow_map_size = 512, run.shadow_map_bytes = 1000000;
  run.passes_drawn = measured_run().passes_drawn;
  EXPECT_THAT(table(report_of({run})), HasSubstr("900 visible, 100 culled, 31 of the visible shadow-only"));
  run.options.occlusion = true, run.plan.occluded = 7;
  EXPECT_THAT(table(report_of({run})), HasSubstr("900 visible, 100 culled, 7 of them hidden, 31 of the visible"));
  EXPECT_THAT(table(report_of({run})), HasSubstr("2 shadow maps of 512x512, 1.00 MB"));
  EXPECT_THAT(table(report_of({run})), HasSubstr("shadow map 0"));
}

TEST(ReportJson, IsNullForWhatWasNotMeasured) {
  const Json json = Json::parse(to_json(report_of({measured_run()})));
  EXPECT_TRUE(json["runs"][0]["max_error"].is_null());
  EXPECT_TRUE(json["runs"][0]["output_hash"].is_null());
  EXPECT_TRUE(json["runs"][0]["validation_messages"].is_null());
  EXPECT_TRUE(json["runs"][0]["cpu_ms"]["cull"].is_null());
  EXPECT_TRUE(json["cpu"]["store_gb_per_second"].is_null());
}

TEST(ReportJson, CpuSkinningTimeIsNotAGpuTime) {
  RunReport run = measured_run();
  run.skinning = SkinningMode::kCpu;
  run[Stage::kCpuSkin] = {3, 2, 1};
  const Json json = Json::parse(to_json(report_of({run})))["runs"][0];
  EXPECT_TRUE(json["gpu_ms"]["skin"].is_null());
  EXPECT_EQ(json["cpu_ms"]["skin"]["p50"], 2);
  EXPECT_TRUE(json["skin_share_of_copy"].is_null());
}

TEST(ReportJson, ReplacesBytesThatAreNotUtf8) {
  RunReport run = measured_run();
  run.model = "caf\xe9";
  EXPECT_EQ(Json::parse(to_json(report_of({run})))["runs"][0]["model"], "caf\ufffd");
}

TEST(Table, HasARowForEachStageAndDerivedFigures) {
  const std::string lines = table(report_of({measured_run()}));
  for (const char* words : {"frame", "cpu sample", "gpu skin", "gpu shadow map 0", "1,000 characters", "5.0 ms a frame",
                            "51 % of this device's copy bandwidth", "5.0 million vertices a second"}) {
    EXPECT_THAT(lines, HasSubstr(words));
  }
  EXPECT_THAT(lines, Not(HasSubstr("vertex shader")));
}

TEST(Table, SaysThatSkinningIsSubmittedByItself) {
  RunReport run = measured_run();
  EXPECT_THAT(table(report_of({run})), Not(HasSubstr("submitted by itself")));
  EXPECT_EQ(Json::parse(to_json(report_of({run})))["runs"][0]["async_compute"], "none");
  run.async_compute = "second queue";
  EXPECT_THAT(table(report_of({run})), HasSubstr("submitted by itself, to a second queue"));
  EXPECT_THAT(table(report_of({run})), HasSubstr("skinning while drawing makes 5.0 million vertices a second"));
  EXPECT_EQ(Json::parse(to_json(report_of({run})))["runs"][0]["async_compute"], "second queue");
}

TEST(Table, HasTheNumberOfInstancesOfEachUpdateRate) {
  RunReport run = measured_run();
  run.options.optimizations.update_rate = false;
  EXPECT_THAT(table(report_of({run})), Not(HasSubstr("updated")));
  run.options.optimizations.update_rate = true;
  run.plan.rates = {100, 250, 1650}, run.plan.not_updated = 1362, run.plan.updated_meshes = 638;
  EXPECT_THAT(table(report_of({run})), HasSubstr("\n  updated 100 each frame, 250 every second, 1,650 every fourth; in "
                                                 "the last frame 1,362 not updated, 638 posed meshes updated\n"));
  const Json json = Json::parse(to_json(report_of({run})))["runs"][0];
  EXPECT_EQ(json["update_rate"], true);
  EXPECT_EQ(json["rates"], (Json{100, 250, 1650}));
  EXPECT_EQ(json["held"], 1362);
  EXPECT_EQ(json["updated_copies"], 638);
}

TEST(Table, ComparesWithTheVertexShaderForTheSameCrowd) {
  RunReport vertex = measured_run();
  RunReport compute = measured_run();
  compute[Stage::kFrame].assign(9, 5);
  vertex.skinning = SkinningMode::kVertex, vertex[Stage::kSkin].clear(), vertex[Stage::kFrame].assign(9, 10);
  EXPECT_THAT(table(report_of({compute, vertex})),
              HasSubstr("; 2.00 times as fast as skinning in the vertex shader (2.00 to 2.00).\n"));
  EXPECT_EQ(Json::parse(to_json(report_of({compute, vertex})))["runs"][0]["speed_over_vertex"]["low"], 2);
  vertex[Stage::kFrame] = {1, 2, 4, 8, 10, 10, 10, 10, 10};
  const std::string unknown = table(report_of({compute, vertex}));
  EXPECT_THAT(unknown, HasSubstr("cannot tell whether that is faster than skinning in the vertex shader"));
  EXPECT_THAT(unknown, Not(HasSubstr("times as fast")));
  vertex.options.characters = 5;
  EXPECT_THAT(table(report_of({compute, vertex})), Not(HasSubstr("the vertex shader")));
  EXPECT_EQ(Json::parse(to_json(report_of({compute, vertex})))["runs"][0]["speed_over_vertex"], Json());
}

TEST(Table, HasTwoDigitsWhereTimesVary) {
  RunReport run = measured_run();
  run[Stage::kFrame] = {123.4, 123.4, 123.4, 123.4, 123.4};
  EXPECT_THAT(table(report_of({run})), HasSubstr("      123       123       123       123   +- 0.0 %\n"));
  run[Stage::kFrame] = {100.4, 123.4, 123.4, 123.4, 150.4};
  EXPECT_THAT(table(report_of({run})), HasSubstr("      120       150       150       150   +-  20 %\n"));
  EXPECT_THAT(table(report_of({run})), HasSubstr(" in 120 ms a frame"));
  run[Stage::kFrame] = {1, 1, 1, 1, 24.792};
  EXPECT_THAT(table(report_of({run})), HasSubstr("+-1,200 %\n"));
}

TEST(Warnings, SayThatTheDeviceIsACpuAndWhatTheBakeExceeds) {
  Report report;
  report.device = {"Abacus", "cpu", "", "1.3", {}};
  report.bake = BakeReport{2, 12.5, 0.0935, 0.1, {"fox: slow"}};
  EXPECT_THAT(warnings_of(report),
              ::testing::IsSupersetOf({HasSubstr("this device is a CPU"), HasSubstr("fox: slow")}));
  report.device.type = "discrete";
  EXPECT_THAT(warnings_of(report), Not(::testing::Contains(HasSubstr("this device is a CPU"))));
}

TEST(Preamble, HasTheTimeAndTheErrorOfTheBake) {
  EXPECT_THAT(preamble({}, {}), Not(HasSubstr("bake")));
  EXPECT_THAT(
      preamble({}, {}, BakeReport{2, 12.5, 0.0935, 0.1, {"fox: slow"}}),
      HasSubstr("bake    2 models in 12.5 ms, within 0.0935 mm of the clips on a character of 1.8 m (0.1000 asked)\n"));
}

TEST(Text, FiguresAreGroupedAndRounded) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(1234567), "1,234,567");
  EXPECT_EQ(rounded(0), "0.00");
  EXPECT_EQ(rounded(0.012345), "0.0123");
  EXPECT_EQ(rounded(9.996), "10.00");
  EXPECT_EQ(rounded(31.24), "31.2");
  EXPECT_EQ(rounded(999.6), "1,000");
  EXPECT_EQ(rounded(-1234.4), "-1,234");
  EXPECT_EQ(rounded(1.0 / 0.0), "-");
  EXPECT_EQ(rounded(0, 2), "0.0");
  EXPECT_EQ(rounded(0.012345, 2), "0.012");
  EXPECT_EQ(rounded(0.0998, 2), "0.10");
  EXPECT_EQ(rounded(9.96, 2), "10");
  EXPECT_EQ(rounded(346, 2), "350");
  EXPECT_EQ(rounded(1189.6, 2), "1,200");
  EXPECT_EQ(printable("a\nb\x7f\xc3\xa9"), "a?b?\xc3\xa9");
}

std::string page_of(const Report& report, const PageParts& parts) {
  return to_html(app::Json::parse(to_json(report)), parts);
}

/// What a page shows, as its script reads it.
Json entry_of(const std::string& page) {
  const std::string begin = "id=\"reports\">";
  const size_t at = page.find(begin) + begin.size();
  return Json::parse(page.substr(at, page.find("</script>", at) - at))[0];
}

TEST(ReportPage, HasFilesByTheirNames) {
  Report report = report_of({measured_run()});
  report.command =
      "/home/me/sinew crowd /home/me/fox.glb models/cat.glb '/home/me/it'\\''s a/dog.glb' --json=/tmp/a.json "
      "--record '/tmp/my folder/' --scene grid --look-at 1,2,3 /";
  ReportComparison comparison;
  const Json entry = entry_of(page_of(report, {{}, &comparison, "/home/me/old.json"}));
  EXPECT_EQ(entry["report"]["command"],
            "sinew crowd fox.glb cat.glb 'dog.glb' --json=a.json --record 'my folder/' --scene grid --look-at 1,2,3 /");
  EXPECT_EQ(entry["comparison"]["old"], "old.json");
}

TEST(ReportPage, HasTheSizeOfPicturesAndTheComparisonIfThereIsOne) {
  const ReportPicture picture{"festival", 2, 1, std::vector<uint8_t>(8, 255)};
  const Json entry = entry_of(page_of(report_of({measured_run()}), {{&picture, 1}}));
  EXPECT_EQ(entry["pictures"][0]["width"], 2);
  EXPECT_EQ(entry["pictures"][0]["height"], 1);
  EXPECT_FALSE(entry.contains("comparison"));
}

TEST(ReportJson, HasTheDate) {
  Report report = report_of({measured_run()});
  report.date = "2026-11-26T13:40:02Z";
  EXPECT_EQ(Json::parse(to_json(report))["date"], report.date);
  EXPECT_TRUE(std::regex_match(utc_now(), std::regex(R"(20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ)")));
}

TEST(ReportPage, NamesOfModelsStayTextInItsScript) {
  RunReport run = measured_run();
  run.model = "<!--<script>&</script>\xe2\x80\xa8.glb";
  const ReportPicture picture{"</script>\xff", 1, 1, {0, 0, 0, 255}};
  const std::string page = page_of(report_of({run}), {{&picture, 1}}), plain = page_of(report_of({measured_run()}), {});
  const std::string begin = "id=\"reports\">";
  const size_t at = page.find(begin) + begin.size(), end = page.find("</script>", at);
  const std::string json = page.substr(at, end - at);
  EXPECT_EQ(json.find_first_of("<>&"), json.npos);
  EXPECT_EQ(json.find("\xe2\x80\xa8"), json.npos);
  EXPECT_EQ(page.substr(end), plain.substr(plain.find("</script>", at))) << "the rest of the page is as it was";
  EXPECT_EQ(Json::parse(json)[0]["report"]["runs"][0]["model"], run.model);
}

}  // namespace
}  // namespace sinew::app
