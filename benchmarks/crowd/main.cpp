// sinew_bench_crowd: the time of a plan per instance, without Vulkan. See benchmarks/README.md.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "crowd_world.h"
#include "plain_planner.h"
#include "sinew/runtime/thread_pool.h"

using namespace sinew;
using namespace sinew::crowd;

namespace {

constexpr int kFrames = 8;  // of each run; the first is not timed

struct Arguments {
  uint32_t instances = 1'000'000;
  int runs = 7;
};

/// A crowd, and the instances that its time is divided by.
struct Scene {
  const char* name;
  test::CrowdWorld world;
  bool per_visible;
};

float random_between(std::mt19937& random, float low, float high) {
  return std::uniform_real_distribution<float>(low, high)(random);
}

/// In a ring around the camera, between two distances; in front of it within half an angle, or behind it.
Scene ring(const ModelInfo& info, const char* name, uint32_t count, float near, float far, float front_share,
           bool per_visible) {
  Scene scene{name, test::CrowdWorld(1), per_visible};
  const float scale = 1.2f / bounding_sphere(info, {}).radius;  // the size of a person
  std::mt19937 random(7);
  for (uint32_t i = 0; i < count; ++i) {
    const bool front = random_between(random, 0, 1) < front_share;
    const float angle = front ? random_between(random, -0.4f, 0.4f) : random_between(random, 1.0f, 5.2f);
    const float distance = near * std::pow(far / near, random_between(random, 0, 1));
    scene.world.add(info, 0, {distance * std::sin(angle), 0, -distance * std::cos(angle)}, angle, scale);
  }
  return scene;
}

std::vector<Scene> make_scenes(const ModelInfo& info, uint32_t count) {
  std::vector<Scene> scenes;
  scenes.push_back(ring(info, "culled", count, 30, 390, 0, false));
  scenes.push_back(ring(info, "visible, last level", count / 5, 350, 390, 1, true));
  scenes.push_back(ring(info, "a fifth visible, all levels", count, 5, 390, 0.2f, true));
  return scenes;
}

double wall_milliseconds() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Of this thread, so that other programs count less.
double thread_milliseconds() {
#ifdef CLOCK_THREAD_CPUTIME_ID
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) * 1e3 + double(now.tv_nsec) * 1e-6;
#else
  return wall_milliseconds();
#endif
}

double milliseconds_of(double (*clock)(), const auto& work) {
  const double begin = clock();
  work();
  return clock() - begin;
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + long(values.size() / 2), values.end());
  return values[values.size() / 2];
}

/// One scene with some options: times of all planners, frame by frame in turn.
class Row {
 public:
  Row(const Scene& scene, const ModelInfo& info, bool update_rate, ThreadPool& pool)
      : scene_(scene), update_rate_(update_rate), pool_(pool), view_(test::camera_at_origin()) {
    const PlanOptions options{.update_rate = update_rate};
    for (auto& planner : planners_) planner.emplace(std::move(*Planner::create({&info, 1}, options)));
    plain_.emplace(std::span(&info, 1), options);
  }

  /// Returns false if the plans differ.
  bool run() {
    const Instances instances = scene_.world.instances();
    for (int i = 0; i < kFrames; ++i) {
      const PlanFrame frame{.seconds = double(frame_++) / 60, .views = {&view_, 1}};
      const double times[] = {
          milliseconds_of(thread_milliseconds, [&] { (void)planners_[0]->plan(instances, frame); }),
          milliseconds_of(wall_milliseconds, [&] { (void)planners_[1]->plan(instances, frame, pool_.parallel_for()); }),
          milliseconds_of(thread_milliseconds, [&] { plain_->plan(instances, frame); })};
      for (const auto& planner : planners_) {
        if (!test::shows_same(planner->last(), plain_->last())) return false;
      }
      for (size_t t = 0; t < 3 && i > 0; ++t) times_[t].push_back(times[t]);
      if (i > 0) ratios_.push_back(times[2] / times[0]);
    }
    return true;
  }

  void print() const {
    const PlanCounters& counters = planners_[0]->last().counters;
    const double count = scene_.per_visible ? counters.visible : counters.culled;
    const auto ns = [&](size_t t) { return median(times_[t]) * 1e6 / count; };
    std::printf("%-29s %-6s %9u %9.2f %9.2f %9.2f %8.1f\n", scene_.name, update_rate_ ? "on" : "off", unsigned(count),
                ns(0), ns(1), ns(2), median(ratios_));
  }

 private:
  const Scene& scene_;
  bool update_rate_;
  ThreadPool& pool_;
  View view_;
  std::optional<Planner> planners_[2];
  std::optional<test::PlainPlanner> plain_;
  int frame_ = 0;
  std::vector<double> times_[3], ratios_;
};

std::optional<Arguments> parse(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view name = argv[i];
    const int value = std::atoi(argv[i + 1]);
    if (value <= 0) return {};
    if (name == "--instances") {
      arguments.instances = uint32_t(value);
    } else if (name == "--runs") {
      arguments.runs = value;
    } else {
      return {};
    }
  }
  if (argc % 2 == 0) return {};
  return arguments;
}

}  // namespace

int main(int argc, char** argv) {
  const std::optional<Arguments> arguments = parse(argc, argv);
  if (!arguments) {
    std::fprintf(stderr, "usage: sinew_bench_crowd [--instances COUNT] [--runs COUNT]\n");
    return 2;
  }
  const test::RigActor actor(5);
  const ModelInfo info = actor.info();
  const std::vector<Scene> scenes = make_scenes(info, arguments->instances);
  ThreadPool pool(2);
  std::printf("%-29s %-6s %9s %9s %9s %9s %8s\n", "medians, ns per instance", "rates", "instances", "1 thread",
              "2 threads", "plain", "plain/1");
  for (const Scene& scene : scenes) {
    for (const bool update_rate : {false, true}) {
      Row row(scene, info, update_rate, pool);
      for (int run = 0; run < arguments->runs; ++run) {
        if (row.run()) continue;
        std::fprintf(stderr, "sinew_bench_crowd: '%s' is not planned as the plain planner plans it\n", scene.name);
        return 1;
      }
      row.print();
    }
  }
}
