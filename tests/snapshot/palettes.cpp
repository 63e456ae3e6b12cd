// Prints a hash of each clip's palettes by both evaluators, for scripts/snapshot.
//
// usage: sinew_palettes FILE...
#include <cinttypes>
#include <cstdio>

#include "sinew/animation/bake.h"
#include "sinew/animation/evaluator.h"
#include "sinew/import/import.h"

namespace {

constexpr uint32_t kTimesPerClip = 7;

/// FNV-1a, 64 bits.
uint64_t hash_of(std::span<const sinew::Matrix3x4> matrices) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const std::byte byte : std::as_bytes(matrices)) hash = (hash ^ uint64_t(byte)) * 0x100000001b3;
  return hash;
}

/// Playbacks at kTimesPerClip times: the clip alone, and the clip blended with the next one at equal weights.
std::vector<sinew::Playback> playbacks_of(const sinew::Character& character, uint32_t clip) {
  std::vector<sinew::Playback> playbacks;
  const uint32_t next = (clip + 1) % uint32_t(character.clips.size());
  for (uint32_t i = 0; i < kTimesPerClip; ++i) {
    const auto time_in = [&](const sinew::Clip& of) {
      return of.start_seconds + of.duration_seconds() * float(i) / (kTimesPerClip - 1);
    };
    sinew::Playback playback;
    playback.layers[0] = {.clip = clip, .time_seconds = time_in(character.clips[clip]), .weight = 1};
    playbacks.push_back(playback);
    playback.layers[1] = {.clip = next, .time_seconds = time_in(character.clips[next]), .weight = 1};
    playbacks.push_back(playback);
  }
  return playbacks;
}

int fail(const char* path, const sinew::Error& error) {
  std::fprintf(stderr, "%s: %s\n", path, error.message.c_str());
  return 1;
}

int print_hashes(const char* path) {
  const auto imported = sinew::load_character(path);
  if (!imported) return fail(path, imported.error());
  const auto baked = sinew::bake(*imported);
  if (!baked) return fail(path, baked.error());

  const sinew::CrowdEvaluator evaluator(*baked);
  sinew::EvaluationScratch scratch;
  for (uint32_t clip = 0; clip < imported->clips.size(); ++clip) {
    const auto playbacks = playbacks_of(*imported, clip);
    const uint32_t stride = imported->skin.palette_size();
    std::vector<sinew::Matrix3x4> exact(playbacks.size() * stride), crowd = exact;
    if (auto status = evaluate_exact(*imported, playbacks, stride, exact, scratch); !status)
      return fail(path, status.error());
    if (auto status = evaluator.evaluate(playbacks, stride, crowd); !status) return fail(path, status.error());
    std::printf("%s exact %016" PRIx64 " crowd %016" PRIx64 "\n", imported->clips[clip].name.c_str(), hash_of(exact),
                hash_of(crowd));
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    if (const int failed = print_hashes(argv[i]); failed != 0) return failed;
  }
  return 0;
}
