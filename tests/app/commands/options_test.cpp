// The options of `sinew crowd`, in this process: words to values, and words to the one line that refuses them.
#include "crowd/options.h"
#include "options/parser.h"
#include "scene/scenes/scenes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>

namespace sinew::app {
namespace {

using ::testing::HasSubstr;

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream stream(line);
  return {std::istream_iterator<std::string>(stream), {}};
}

/// Reads a command line, without the rules of complete(). Returns what refuses it; empty: nothing.
std::string read_words(std::vector<std::string> words, CrowdOptions& options) {
  CLI::App command;
  add_options(command, option_rows(options));
  std::reverse(words.begin(), words.end());  // CLI11 takes them from the back
  try {
    command.parse(words);
  } catch (const CLI::ParseError& error) {
    return error.what();
  }
  return "";
}

/// Parses a command line. Returns what refuses it; empty: nothing.
std::string parse(const std::vector<std::string>& words, CrowdOptions& options) {
  if (std::string refused = read_words(words, options); !refused.empty()) return refused;
  const Status completed = complete(options);
  return completed ? "" : completed.error().message;
}

/// The value of an option as reports have it.
Json value_of(CrowdOptions& options, const std::string& name) {
  for (const Option& row : option_rows(options)) {
    if (row.name == name) return row.value.json();
  }
  return "no such option";
}

/// No word sets the value of another option.
void expect_others_unchanged(const std::string& name, const std::vector<std::string>& words) {
  CrowdOptions options, untouched;
  read_words(words, options);
  for (const Option& row : option_rows(untouched)) {
    if (row.name == name || std::ranges::find(words, row.name) != words.end()) continue;
    EXPECT_EQ(value_of(options, row.name), row.value.json()) << row.name << " after " << name;
  }
}

TEST(CrowdOptions, WordsBecomeValues) {
  const std::pair<const char*, Json> cases[] = {
      {"", {}},
      {"--scene stadium", "stadium"},
      {"--characters 10k", 10000},
      {"--seed 18446744073709551615", UINT64_MAX},
      {"--start-seconds 2.5", 2.5},
      {"--camera fixed", "fixed"},
      {"--eye 1,2.5,-3 --camera fixed", {1.0, 2.5, -3.0}},
      {"--look-at 0,1,0 --eye 1,2,3 --camera fixed", {0.0, 1.0, 0.0}},
      {"--camera fly", "fly"},
      {"--at 1,2,3", {1.0, 2.0, 3.0}},
      {"--distance 4.5", 4.5},
      {"--height 2", 2.0},
      {"--fov 30", 30.0},
      {"--turn -90", -90.0},
      {"--light dusk", "dusk"},
      {"--record recorded.webp --seconds 2", "recorded.webp"},
      {"--seconds 2", 2.0},
      {"--frames-per-second 12", 12.0},
      {"--clip a --clip 7", {"a", "7"}},
      {"--change-clips off", false},
      {"--tint on", true},
      {"--cull off", false},
      {"--occlusion on --samples-per-pixel 1", true},
      {"--lod off", "off"},
      {"--lod on", "auto"},  // the word of older reports
      {"--lod-pixels 2", 2.0},
      {"--lod-count 5", 5},
      {"--update-rate off", false},
      {"--unique-poses 30", 30},
      {"--memory-budget 1.5", 3 << 19},
      {"--skinning cpu,compute", {"cpu", "compute"}},
      {"--async-compute auto", "auto"},
      {"--format 12", 12},
      {"--palettes compact", "compact"},
      {"--vertex-fetch pulling", "pulling"},
      {"--evaluator exact", "exact"},
      {"--threads 3", 3},
      {"--shadow-maps 0,1,4", {0, 1, 4}},
      {"--depth-pass off", false},
      {"--rasterize off", false},
      {"--color velocity", "velocity"},
      {"--frames 9", 9},
      {"--warmup 0", 0},
      {"--repeat 2", 2},
      {"--slots 4", 4},
      {"--device 1", "1"},
      {"--size 64x48", {64, 48}},
      {"--samples-per-pixel 4", 4},
      {"--screenshot a.png", "a.png"},
      {"--json a", "a"},
      {"--csv a", "a"},
      {"--html a", "a"},
      {"--trace a", "a"},
      {"--validate", true},
      {"--renderdoc-capture 2", 2},
      {"--compare a", "a"},
      {"--against a", "a"},
      {"--fail-above 5% --compare a", 0.05},
      {"--animation a", Json::array({"a"})},
      {"--retarget", true},
      {"--rate 60", 60.0},
      {"--isolate on", true},
      {"--verbose", true},
      {"--import-seconds 2", 2.0},
      {"--import-memory 16", 16 << 20},
      {"--blend dual-quaternion", "dual-quaternion"},
      {"--list-scenes", true},
      {"--children 20", 0.2},
      {"--fit", true},
      {"--window", true},
      {"--hide-overlay --window", true},
      {"--overlay --window", true},
      {"--wait-between-repeats", true},
      {"a.glb b.glb", {"a.glb", "b.glb"}},
  };
  std::set<std::string> tried;
  for (const auto& [line, value] : cases) {
    CrowdOptions options;
    std::vector<std::string> words = words_of(line);
    EXPECT_EQ(parse(words, options), "") << line;
    if (words.empty()) continue;
    const std::string name = words[0].starts_with("-") ? words[0] : "FILE";
    EXPECT_EQ(value_of(options, name), value) << line;
    tried.insert(name);
    expect_others_unchanged(name, words);
  }
  CrowdOptions options;
  EXPECT_EQ(parse({"--interface-scale", "150", "--window"}, options), "");
  EXPECT_FLOAT_EQ(options.scale.value_or(0), 1.5f);
  EXPECT_EQ(tried.size() + 1, option_rows(options).size()) << "an option is not in this table";
}

TEST(CrowdOptions, AreRefusedInOneLine) {
  const std::pair<const char*, const char*> cases[] = {
      {"--charactres 5", "--charactres"},
      {"--characters many", "--characters: 'many' is not a number from 1 to 1M"},
      {"--characters 0", "'0' is not"},
      {"--scene moon", "--scene: no scene 'moon': there are festival, crowd, stadium, marathon, square"},
      {"--children 51", "--children: '51' is not a share such as 10%, at most 50%"},
      {"--children -1%", "'-1%' is not a share"},
      {"--children some", "'some' is not a share"},
      {"--children 5 --scene march", "--children needs --scene festival, stadium, marathon or square"},
      {"--seed -1", "--seed: '-1' is not a number from 0 to 18446744073709551615"},
      {"--size 640", "--size: '640' is not a size such as 1280x720"},
      {"--size 0x0", "'0x0' is not"},
      {"--size 64x", "'64x' is not"},
      {"--size 64x64x", "'64x64x' is not"},
      {"--size 16385x64", "'16385x64' is not"},
      {"--skinning magic", "--skinning: magic not in {compute,vertex,cpu}"},
      {"--skinning compute,magic", "magic not in"},
      {"--cull maybe", "--cull: maybe not in {on,off}"},
      {"--lod auto", "--lod: auto is now on"},
      {"--lod 5", "--lod: 5 not in {on,off}"},
      {"--lod-pixels 0", "--lod-pixels: '0' is not a number from 0.001 to 64"},
      {"--lod-count 0", "--lod-count: '0' is not a number from 1 to 255"},
      {"--eye 1,2 --camera fixed", "--eye: '1,2' is not a point in meters such as 0,1.5,20"},
      {"--eye 1,2,nan --camera fixed", "'1,2,nan' is not a point"},
      {"--async-compute perhaps", "perhaps not in {auto,on,off}"},
      {"--format 20", "20 not in {12,16,24}"},
      {"--samples-per-pixel 2", "2 not in {1,4}"},
      {"--shadow-maps 5", "--shadow-maps: '5' is not a number from 0 to 4"},
      {"--shadow-maps 1,", "'' is not a number from 0 to 4"},
      {"--memory-budget nan", "'nan' is not a number from 0.001 to 1e+06"},
      {"--threads 257", "'257' is not a number from 1 to 256"},
      {"--frames 0", "'0' is not a number from 1 to 1000000"},
      {"--fail-above much --compare a", "'much' is not a share such as 5%"},
      // What cannot be used together:
      {"--async-compute on --skinning vertex,cpu", "--async-compute on needs --skinning compute"},
      {"--palettes compact --skinning compute,vertex", "--palettes compact needs --skinning compute"},
      {"--palettes compact --evaluator exact", "--palettes compact needs --evaluator crowd"},
      {"--palettes compact --memory-budget 100", "--palettes compact cannot be used with --memory-budget"},
      {"--occlusion on", "--occlusion on needs --samples-per-pixel 1"},
      {"--occlusion on --samples-per-pixel 4", "--occlusion on needs --samples-per-pixel 1"},
      {"--occlusion on --samples-per-pixel 1 --cull off", "--occlusion on cannot be used with --cull off"},
      {"--vertex-fetch input --skinning vertex", "--vertex-fetch cannot be used with --skinning vertex"},
      {"--format 12 --skinning cpu", "--format other than 16 cannot be used with --skinning cpu"},
      {"--format 24 --color velocity", "--format other than 16 cannot be used with --color velocity or --window"},
      {"--format 24 --window", "--format other than 16 cannot be used with --color velocity or --window"},
      {"--color blue", "--color: blue not in {"},
      {"--color velocity --skinning cpu", "--color velocity needs --skinning compute"},
      {"--color velocity --skinning vertex", "--color velocity needs --skinning compute"},
      {"--color velocity --skinning compute,vertex", "--color velocity needs --skinning compute"},
      {"--color velocity --async-compute on", "--color velocity cannot be used with --async-compute on"},
      {"--depth-pass on", "--depth-pass on needs --shadow-maps"},
      {"--depth-pass off --shadow-maps 1,2", "--depth-pass off cannot be used with --shadow-maps above 1"},
      {"--renderdoc-capture 1 --window", "cannot be used with --window; in a window, press R"},
      {"--renderdoc-capture 31", "--renderdoc-capture is greater than --frames"},
      {"--skinning compute,cpu --window", "a list of --skinning cannot be used with --window"},
      {"--eye 1,2,3", "--eye needs --camera fixed"},
      {"--eye 1,2,3 --camera fixed --window", "--eye cannot be used with --window"},
      {"--look-at 1,2,3", "--look-at needs --eye"},
      {"--eye 1,2,3 --look-at 1,2,3 --camera fixed", "--eye and --look-at are the same point"},
      {"--trace a --window", "--trace cannot be used with --window"},
      {"--overlay", "--overlay needs --window"},
      {"--hide-overlay", "--hide-overlay needs --window"},
      {"--interface-scale 200", "--interface-scale needs --window"},
      {"--characters 5,6 --window", "several numbers of --characters"},
      {"--shadow-maps 0,1 --renderdoc-capture 1", "several numbers of --characters or --shadow-maps, or --repeat,"},
      {"--repeat 2 --window", "or --repeat, cannot be used with --window or --renderdoc-capture"},
      {"--fail-above 5", "--fail-above needs --compare or --against"},
      {"--compare a --window", "--compare cannot be used with --window"},
      {"--compare a --frames 3 --repeat 2", "--compare needs --frames times --repeat of 7 or more"},
      {"--wait-between-repeats --window", "--wait-between-repeats cannot be used with --window"},
      {"--against x --compare a", "--against cannot be used with --compare"},
      {"--against x --wait-between-repeats", "--against cannot be used with --wait-between-repeats"},
      {"--against x --window", "--against cannot be used with --window"},
      {"--against x --renderdoc-capture 1", "--against cannot be used with --renderdoc-capture"},
      {"--against x --json a", "--against cannot be used with --json"},
      {"--against x --csv a", "--against cannot be used with --csv"},
      {"--against x --trace a", "--against cannot be used with --trace"},
      {"--against x --screenshot a", "--against cannot be used with --screenshot"},
      {"--json a --csv a", "--csv"},
      {"--screenshot a.jpg", ".png"},
  };
  for (const auto& [line, message] : cases) {
    CrowdOptions options;
    EXPECT_THAT(parse(words_of(line), options), HasSubstr(message)) << line;
  }
}

TEST(CrowdOptions, NumbersAreParsedCompletelyOrRefused) {
  CrowdOptions options;
  for (const Option& row : option_rows(options)) {
    if (row.type != "NUMBER" && row.type != "COUNT" && row.type != "SECONDS" && row.type != "MIB" &&
        row.type != "FRAME")
      continue;
    for (const char* word : {"-1", "+1", " 1", "1 ", "0x10", "1e99", "nan", "inf", "1.5x", "12x", "",
                             "-18446744073709551615", "18446744073709551616"}) {
      EXPECT_NE(row.value.set(word), "") << row.name << " '" << word << "'";
    }
  }
}

TEST(CrowdOptions, PassesFollowFromShadowMapsAndDepthPass) {
  const std::pair<const char*, uint32_t> cases[] = {
      {"", 1},
      {"--shadow-maps 1", 2},
      {"--shadow-maps 1 --depth-pass on", 3},
      {"--shadow-maps 2", 4},
      {"--shadow-maps 3 --depth-pass on", 5},
      {"--shadow-maps 4", 6},
      {"--shadow-maps 0,1 --depth-pass on", 1},
  };
  for (const auto& [line, passes] : cases) {
    CrowdOptions options;
    ASSERT_EQ(parse(words_of(line), options), "") << line;
    EXPECT_EQ(options.draw.passes, passes) << line;
    const DrawOptions draw{.passes = options.passes_with(options.shadow_maps.back())};
    EXPECT_EQ(shadow_map_count(draw), options.shadow_maps.back()) << line;
    EXPECT_EQ(draws_depth_first(draw), passes > 2 || options.depth_pass.value_or(false)) << line;
  }
}

/// The first scene is that of our own characters.
TEST(CrowdOptions, ScenesHaveDefaultsThatOptionsReplace) {
  struct Row {
    const char *line, *scene;
    uint32_t characters;
  };
  for (const Row& row :
       {Row{"", "festival", 1000}, Row{"fox.glb", "crowd", 1000}, Row{"fox.glb --scene square", "square", 500},
        Row{"--scene stadium", "stadium", 2000}, Row{"--scene stadium --characters 5,6", "stadium", 5}}) {
    CrowdOptions options;
    ASSERT_EQ(parse(words_of(row.line), options), "") << row.line;
    EXPECT_EQ(options.scene, row.scene) << row.line;
    EXPECT_EQ(options.characters, row.characters) << row.line;
  }
}

TEST(CrowdOptions, NoSceneSharesPosesByItself) {
  for (const SceneKind& kind : scene_kinds()) {
    CrowdOptions options;
    ASSERT_EQ(parse({"--scene", std::string(kind.name)}, options), "");
    EXPECT_EQ(options.optimizations.unique_poses, 0u) << kind.name;
  }
}

TEST(CharacterCounts, AreNumbersListsAndRanges) {
  using Counts = std::vector<uint32_t>;
  EXPECT_EQ(parse_character_counts("250"), Counts{250});
  EXPECT_EQ(parse_character_counts("1.5k"), Counts{1500});
  EXPECT_EQ(parse_character_counts("1M"), Counts{1'000'000});
  EXPECT_EQ(parse_character_counts("50,200"), (Counts{50, 200}));
  EXPECT_EQ(parse_character_counts("1k..8k"), (Counts{1000, 2000, 4000, 8000}));
  EXPECT_EQ(parse_character_counts("1k..7k"), (Counts{1000, 2000, 4000, 7000}));
  EXPECT_EQ(parse_character_counts("5,1k..1k,7"), (Counts{5, 1000, 7}));
  EXPECT_EQ(parse_character_counts("600k..1M"), (Counts{600'000, 1'000'000}));
}

TEST(CharacterCounts, OtherWordsAreNone) {
  for (const char* word : {"", "0", "-5", "1.5", "x", "5x", "1,", ",1", "1..", "..5", "8..4", "1M..2M", "2M", "1 2",
                           "nan", "1...4", "inf"}) {
    EXPECT_EQ(parse_character_counts(word), std::nullopt) << word;
  }
}

}  // namespace
}  // namespace sinew::app
