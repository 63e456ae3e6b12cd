// sinew_bench_roster: what a frame costs on the CPU in which a model is added to a crowd or removed. See
// benchmarks/README.md.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <vector>

#include "host/program.h"
#include "host/resources.h"
#include "sinew/import/model.h"
#include "sinew/runtime/skinned_crowd.h"
#include "sinew/runtime/thread_pool.h"

using namespace sinew;

namespace {

using Clock = std::chrono::steady_clock;

constexpr uint32_t kPeriod = 8;  // frames; a model is added in the first, and removed in the fourth

struct Times {
  std::vector<double> milliseconds;

  double median() {
    std::sort(milliseconds.begin(), milliseconds.end());
    return milliseconds.empty() ? 0 : milliseconds[milliseconds.size() / 2];
  }
  template <class Call>
  double add(Call call) {
    const auto begin = Clock::now();
    call();
    milliseconds.push_back(std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
    return milliseconds.back();
  }
};

/// Rows of people on a plain before the camera.
struct People {
  explicit People(const Model& model, uint32_t count) : models(count), places(count), playbacks(count) {
    const auto row = uint32_t(std::ceil(std::sqrt(double(count))));
    for (uint32_t i = 0; i < count; ++i) {
      places[i].m[0][3] = float(i % row) - float(row) / 2, places[i].m[2][3] = -4 - float(i / row);
      playbacks[i] = Playback::of(i % uint32_t(model.character.clips.size()), 0.01f * float(i % 64));
    }
  }
  std::vector<uint32_t> models;
  std::vector<Matrix3x4> places;
  std::vector<Playback> playbacks;
};

crowd::View view() {
  const float f = 1 / std::tan(0.35f), near = 0.1f, far = 1000;
  const float matrix[16] = {
      f * 9 / 16, 0, 0, 0, 0, -f, 0, 0, 0, 0, far / (near - far), -1, 0, 1.7f * f, near * far / (near - far), 0};
  crowd::View view = crowd::View::for_culling(matrix);
  view.eye = {0, 1.7f, 0}, view.pixels_per_radian = 360 * f;
  return view;
}

void run(const host::Options& options) {
  host::GraphicsContext graphics;
  host::check(host::set_up(options, "sinew: roster", graphics));
  const host::Device& device = graphics.device;
  const SharedModel model = host::check(load_model(options.file));
  ThreadPool pool;
  vulkan::SkinnerInfo info{device.instance, device.info.physical, device.handle, vkGetInstanceProcAddr};
  auto crowd = host::check(vulkan::SkinnedCrowd::create(info, {&model, 1}, {.parallel_for = pool.parallel_for()}));
  People people(*model, options.numbers[0]);
  const crowd::View seen = view();
  Times unchanged, adding, removing, add, remove;
  uint32_t added = 0;
  for (uint32_t frame = 0; frame < options.numbers[1]; ++frame) {
    vulkan::PreparedModel prepared;
    const uint32_t moment = frame % kPeriod;
    if (moment == 0) prepared = host::check(crowd.prepare_model(model));  // another thread's work
    Times& times = moment == 0 ? adding : moment == 4 ? removing : unchanged;
    times.add([&] {
      if (moment == 0) add.add([&] { added = host::check(crowd.add_model(std::move(prepared))); });
      if (moment == 4) remove.add([&] { host::check(crowd.remove_model(added)); });
      for (size_t i = 0; i < people.models.size(); i += 100) people.models[i] = moment < 4 ? added : 0;
      const crowd::Instances instances{people.models, people.places, people.playbacks};
      host::check(crowd.update({.seconds = frame / 60.0}, instances, {&seen, 1}));
    });
    host::check(host::run_once(device, "frame", [&](VkCommandBuffer cmd) { crowd.record(cmd); }));
  }
  std::printf("%u people, %u visible, %zu levels of detail; median milliseconds of the CPU\n", options.numbers[0],
              crowd.plan().counters.visible, size_t{model->level_count()});
  std::printf("update() of a frame without a change   %8.3f\n", unchanged.median());
  std::printf("add_model() and update()               %8.3f\n", adding.median());
  std::printf("  of which add_model()                 %8.3f\n", add.median());
  std::printf("remove_model() and update()            %8.3f\n", removing.median());
  std::printf("  of which remove_model()              %8.3f\n", remove.median());
}

}  // namespace

int main(int argc, char** argv) {
  host::Program program{.name = "sinew_bench_roster",
                        .summary = "times the frames in which models come and go",
                        .file_help = "a character",
                        .file = SINEW_SOURCE_DIR "/assets/character.glb",
                        .run = run};
  program.numbers[0] = {"--characters", "people", 10'000, 1'000'000};
  program.numbers[1] = {"--frames-timed", "frames", 400, 1'000'000};
  return host::run_program(program, argc, argv);
}
