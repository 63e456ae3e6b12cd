// sinew_soak [--minutes M] [--rounds N] [--characters N] [--frames N] [--size WxH] [--validate]: draws a crowd in
// rounds, for 10 minutes unless told otherwise. A round goes through phases, each with other options and another size
// of the picture. Fails where a phase's last picture is not that of the first round, where the memory of skinning
// changes, and where resident memory grows; with --validate after a validation message, but not where resident memory
// grows.
#include <malloc.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <vector>

#include "crowd/drawing.h"
#include "crowd/models.h"
#include "crowd/report/report.h"
#include "gpu/host.h"
#include "options/parser.h"
#include "scene/baking.h"
#include "scene/footing.h"
#include "system/clock.h"

namespace sinew::app {
namespace {

constexpr int kSkipped = 77;
constexpr double kAllowedGrowth = 0.02;  // of memory, from the first half of the rounds to the second
constexpr double kAllowedMebibytes = 8;  // beside it: allocators keep what was freed

struct SoakOptions {
  double minutes = 0;
  uint32_t rounds = 0;  // 0: as many as fit in the minutes
  uint32_t characters = 2000, frames = 8, width = 640, height = 360;
  bool validate = false;
};

struct Phase {
  const char* name;
  void (*change)(CrowdOptions&);
  float size = 1;  // of the picture's sides
};

constexpr Phase kPhases[] = {
    {"defaults", [](CrowdOptions&) {}, 1},
    {"smaller picture", [](CrowdOptions&) {}, 0.4f},
    {"larger picture", [](CrowdOptions&) {}, 1.5f},
    {"vertex skinning", [](CrowdOptions& o) { o.skinning = {SkinningMode::kVertex}; }, 1},
    {"CPU skinning, half the crowd", [](CrowdOptions& o) { o.skinning = {SkinningMode::kCpu}, o.characters /= 2; }, 1},
    {"shared poses", [](CrowdOptions& o) { o.optimizations.unique_poses = o.characters / 10 + 1; }, 1},
    {"no update rates", [](CrowdOptions& o) { o.optimizations.update_rate = false; }, 1},
    {"no culling, three passes", [](CrowdOptions& o) { o.optimizations.cull = false, o.draw.passes = 3; }, 0.5f},
    {"marathon", [](CrowdOptions& o) { o.scene = "marathon"; }, 1},
    {"stadium", [](CrowdOptions& o) { o.scene = "stadium"; }, 1},
    {"colors of influences", [](CrowdOptions& o) { o.draw.coloring = Coloring::kVertices; }, 1},
};

struct PhaseResult {
  std::vector<uint64_t> pictures;  // a hash for each round
  std::vector<double> frame_ms;    // a median for each round
};

struct Soak {
  std::vector<Model> models;
  std::unique_ptr<Evaluation> evaluation;
  GraphicsContext graphics;
  CrowdOptions options;
  Scene scene;
  std::unique_ptr<Renderer> renderer;
  std::vector<PhaseResult> results{std::size(kPhases)};
  std::vector<double> resident_mebibytes, device_mebibytes;  // after each round
};

double resident_mebibytes() {
  malloc_trim(0);  // what the allocator keeps for later is no leak
  std::ifstream file("/proc/self/statm");
  double all = 0, resident = 0;
  file >> all >> resident;
  return resident * double(sysconf(_SC_PAGESIZE)) / (1 << 20);
}

double heap_mebibytes() {
  const struct mallinfo2 heap = mallinfo2();
  return double(heap.uordblks + heap.hblkhd) / (1 << 20);
}

/// FNV-1a.
uint64_t hash_of(std::span<const uint8_t> bytes) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const uint8_t byte : bytes) hash = (hash ^ byte) * 0x100000001b3;
  return hash;
}

FrameRequest request_at(const Soak& soak, uint32_t frame) {
  FrameRequest request;
  request.seconds = frame / 60.0;
  request.camera = frame_crowd(soak.scene, request.seconds);
  return request;
}

Status draw_phase(const SoakOptions& how, const Phase& phase, PhaseResult& result, Soak& soak) {
  CrowdOptions wanted = soak.options;
  wanted.characters = how.characters, wanted.optimizations = {}, wanted.skinning = {SkinningMode::kCompute};
  wanted.draw = {}, wanted.scene = "crowd";
  phase.change(wanted);
  CrowdDrawing drawing({soak.graphics.device, soak.models, *soak.evaluation}, soak.options, soak.scene, soak.renderer);
  const auto problem = drawing.change(wanted, request_at(soak, 0));
  if (!problem) return problem.error();
  if (!problem->empty()) return Error{ErrorCode::kUnsupported, *problem};
  const auto side = [&](uint32_t pixels) { return std::max(16u, uint32_t(float(pixels) * phase.size)); };
  if (Status resized = soak.renderer->resize(side(how.width), side(how.height)); !resized) return resized;
  Samples times_ms;
  for (uint32_t frame = 0; frame < how.frames; ++frame) {
    const Stopwatch watch;
    const FrameRequest request = request_at(soak, frame);
    place_scene(soak.models, request.camera, request.seconds, soak.evaluation->pool().parallel_for(), soak.scene);
    if (auto begun = soak.renderer->begin_frame(); !begun) return begun.error();
    if (Status drawn = soak.renderer->draw_frame(request_at(soak, frame)); !drawn) return drawn;
    if (Status finished = soak.renderer->finish(); !finished) return finished;
    times_ms.push_back(watch.elapsed_ms());
  }
  auto rgba = read_picture(soak.graphics.device, soak.renderer->target());
  if (!rgba) return rgba.error();
  result.pictures.push_back(hash_of(*rgba));
  result.frame_ms.push_back(*percentile(times_ms, 0.5));
  soak.renderer->take_times();
  return {};
}

Status set_up_soak(const SoakOptions& how, Soak& soak) {
  soak.options.characters = how.characters, soak.options.scene = "festival";
  auto models = load_models(soak.options);
  if (!models) return models.error();
  soak.models = std::move(*models);
  if (auto baked = bake_models(soak.models); !baked) return baked.error();
  measure_bounds(soak.models, false);
  soak.evaluation = std::make_unique<Evaluation>(soak.models, 2, EvaluatorKind::kCrowd);
  soak.scene = make_scene(soak.models, how.characters, soak.options.seed);
  return {};
}

Status draw_rounds(const SoakOptions& how, Soak& soak) {
  const Stopwatch watch;
  while (how.rounds > 0 ? soak.resident_mebibytes.size() < how.rounds : watch.elapsed_ms() < how.minutes * 60e3) {
    soak.renderer.reset();  // a new one begins each round: update rates depend on the frames before
    for (size_t i = 0; i < std::size(kPhases); ++i) {
      if (Status drawn = draw_phase(how, kPhases[i], soak.results[i], soak); !drawn) return drawn;
    }
    soak.resident_mebibytes.push_back(resident_mebibytes());
    soak.device_mebibytes.push_back(double(soak.renderer->skinning().device_bytes()) / (1 << 20));
    std::printf(
        "round %zu: %.1f min, %.1f MiB resident, %.2f MiB in use on the heap, %.2f MiB for skinning, %.1f ms a frame "
        "with defaults\n",
        soak.resident_mebibytes.size(), watch.elapsed_ms() / 60e3, soak.resident_mebibytes.back(), heap_mebibytes(),
        soak.device_mebibytes.back(), soak.results[0].frame_ms.back());
    std::fflush(stdout);
  }
  return {};
}

struct Range {
  double low = 0, high = 0;
};

Range range_of(const std::vector<double>& values, size_t first, size_t last) {
  const auto [low, high] =
      std::minmax_element(values.begin() + ptrdiff_t(first), values.begin() + ptrdiff_t(std::max(last, first + 1)));
  return {*low, *high};
}

bool is_larger(double after, double before) { return after > before * (1 + kAllowedGrowth) + kAllowedMebibytes; }

/// Whether memory grows from the first half of the rounds to the second: its smallest and its largest value, as the
/// driver's buffers vary from round to round. The first round is left out: caches fill.
bool memory_grows(const Soak& soak) {
  const std::vector<double>& all = soak.resident_mebibytes;
  const size_t middle = all.size() / 2, settled = std::min<size_t>(1, middle);
  const Range before = range_of(all, settled, middle), after = range_of(all, middle, all.size());
  std::printf("memory: %.1f to %.1f MiB in the first half of the rounds, %.1f to %.1f MiB in the second\n", before.low,
              before.high, after.low, after.high);
  return is_larger(after.low, before.low) && is_larger(after.high, before.high);
}

/// Faults are printed, one a line. The validation layers keep some more with each object that there was: with them,
/// memory says nothing.
int judge(const SoakOptions& how, const Soak& soak) {
  int faults = 0;
  for (size_t i = 0; i < std::size(kPhases); ++i) {
    const PhaseResult& phase = soak.results[i];
    const auto other = std::find_if(phase.pictures.begin(), phase.pictures.end(),
                                    [&](uint64_t picture) { return picture != phase.pictures.front(); });
    const size_t third = std::max<size_t>(1, phase.frame_ms.size() / 3);
    const Samples first(phase.frame_ms.begin(), phase.frame_ms.begin() + ptrdiff_t(third));
    const Samples last(phase.frame_ms.end() - ptrdiff_t(third), phase.frame_ms.end());
    std::printf("%-30s %8.2f ms a frame in the first third of the rounds, %8.2f in the last\n", kPhases[i].name,
                *percentile(first, 0.5), *percentile(last, 0.5));
    if (other == phase.pictures.end()) continue;
    std::printf("FAULT: %s: round %td has another picture than the first\n", kPhases[i].name,
                other - phase.pictures.begin() + 1);
    ++faults;
  }
  if (memory_grows(soak) && !how.validate) {
    std::printf("FAULT: memory grows\n");
    ++faults;
  }
  const size_t settled = std::min<size_t>(1, soak.device_mebibytes.size() - 1);
  if (soak.device_mebibytes.back() != soak.device_mebibytes[settled]) {
    std::printf("FAULT: the memory of skinning changed from %.2f to %.2f MiB\n", soak.device_mebibytes[settled],
                soak.device_mebibytes.back());
    ++faults;
  }
  if (const uint32_t messages = validation_messages(soak.graphics.instance); messages > 0) {
    std::printf("FAULT: %u validation messages\n", messages);
    ++faults;
  }
  std::printf("%zu rounds of %zu phases, %d faults\n", soak.resident_mebibytes.size(), std::size(kPhases), faults);
  return faults > 0 ? 1 : 0;
}

int run(const SoakOptions& how) {
  Soak soak;
  GraphicsOptions graphics;
  graphics.validate = how.validate;
  if (const Status ready = set_up(graphics, soak.graphics); !ready) {
    std::printf("NO SOAK: %s\n", ready.error().message.c_str());
    return kSkipped;
  }
  if (const Status ready = set_up_soak(how, soak); !ready) {
    std::printf("FAULT: %s\n", ready.error().message.c_str());
    return 1;
  }
  if (const Status drawn = draw_rounds(how, soak); !drawn) {
    std::printf("FAULT: %s\n", drawn.error().message.c_str());
    return 1;
  }
  return judge(how, soak);
}

}  // namespace
}  // namespace sinew::app

int main(int argc, char** argv) {
  mallopt(M_ARENA_MAX, 1);  // one heap for all threads: what is free in one of several looks like growth
  mallopt(M_MMAP_THRESHOLD, 1 << 16);
  CLI::App app("Draws a crowd for a long time while its options change");
  sinew::app::SoakOptions options;
  app.add_option("--minutes", options.minutes, "how long, in whole rounds");
  app.add_option("--rounds", options.rounds, "how many, instead of minutes");
  app.add_option("--characters", options.characters);
  app.add_option("--frames", options.frames, "of each phase");
  app.add_flag("--validate", options.validate, "with the validation layers");
  sinew::app::add_option(
      app, {"--size", "WxH", sinew::app::size(options.width, options.height), "Size of the picture in most phases"});
  CLI11_PARSE(app, argc, argv);
  if (options.minutes <= 0 && options.rounds == 0) options.minutes = 10;
  return sinew::app::run(options);
}
