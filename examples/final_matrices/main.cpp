// Prints the final matrices of a character at one time of a clip.
//
// usage: sinew_example_final_matrices FILE CLIP SECONDS JOINT...
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sinew/animation/evaluator.h"
#include "sinew/animation/pose.h"
#include "sinew/import/import.h"

namespace {

int fail(const std::string& message) {
  std::fprintf(stderr, "sinew_example_final_matrices: %s\n", message.c_str());
  return 1;
}

std::optional<double> number_in(const char* text) {
  char* end = nullptr;
  const double number = std::strtod(text, &end);
  return end != text && *end == '\0' ? std::optional(number) : std::nullopt;
}

/// Prints the matrix of each palette entry of a joint. A joint that moves no vertex has none; a joint has two if it
/// moves two meshes that were bound in different poses.
void print_entries(const sinew::Character& character, std::span<const sinew::Matrix3x4> palette, uint32_t joint) {
  for (uint32_t entry = 0; entry < palette.size(); ++entry) {
    if (character.skin.entries[entry].joint != int32_t(joint)) continue;
    std::printf("%s, entry %u\n", character.skeleton.joint_names[joint].c_str(), entry);
    for (const auto& row : palette[entry].m)
      std::printf("  %9.5f %9.5f %9.5f %9.5f\n", double(row[0]), double(row[1]), double(row[2]), double(row[3]));
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: %s FILE CLIP SECONDS JOINT...\n", argv[0]);
    return 2;
  }
  // The file, with its skeleton, skin, mesh and clips.
  const auto character = sinew::load_character(argv[1]);
  if (!character) return fail(character.error().message);

  // The clip by its name, and its own time after so many seconds of playback in a loop.
  const auto clip = sinew::find_clip(character->clips, argv[2]);
  if (!clip) return fail(std::string("there is no clip \"") + argv[2] + "\"");
  const std::optional<double> seconds = number_in(argv[3]);
  if (!seconds) return fail(std::string("\"") + argv[3] + "\" is not a time in seconds");
  const float time_seconds = sinew::clip_time(character->clips[*clip], *seconds, sinew::Looping::kLoop);

  // The palette: the final matrices of one instance, in the order of the skin.
  const sinew::Playback playback = sinew::Playback::of(*clip, time_seconds);
  const uint32_t palette_size = character->skin.palette_size();
  std::vector<sinew::Matrix3x4> palette(palette_size);
  sinew::EvaluationScratch scratch;
  const sinew::Status done = sinew::evaluate_exact(*character, {&playback, 1}, palette_size, palette, scratch);
  if (!done) return fail(done.error().message);

  std::printf("%s at %.3f s: %u matrices\n", character->clips[*clip].name.c_str(), double(time_seconds), palette_size);
  for (int i = 4; i < argc; ++i) {
    const auto joint = sinew::find_joint(character->skeleton, argv[i]);
    if (!joint) return fail(std::string("there is no joint \"") + argv[i] + "\"");
    print_entries(*character, palette, *joint);
  }
  return 0;
}
