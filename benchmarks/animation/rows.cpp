#include "rows.h"

#include <benchmark/benchmark.h>

#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "sinew/runtime/thread_pool.h"
#include "store.h"

namespace sinew::bench {
namespace {

[[noreturn]] void fail(const Error& error) {
  std::fprintf(stderr, "sinew_bench_animation: %s\n", error.message.c_str());
  std::exit(1);
}

void check(const Status& status) {
  if (!status) fail(status.error());
}

Character valid_character(bool scales) {
  Character character = make_character(scales);
  check(validate(character));
  return character;
}

BakedCharacter baked_character(const Character& character) {
  Result<BakedCharacter> baked = bake(character);
  if (!baked) fail(baked.error());
  return std::move(*baked);
}

/// The amount of work in a frame of `instances`.
struct Amount {
  Amount(const Subject& subject, uint32_t instances)
      : joints(double(instances) * subject.character.skeleton.joint_count()),
        matrices(size_t(instances) * subject.palette_stride),
        bytes(matrices * sizeof(Matrix3x4)) {}

  double joints;
  size_t matrices, bytes;
};

double now_ns(clockid_t clock) {
  timespec time = {};
  clock_gettime(clock, &time);
  return double(time.tv_sec) * 1e9 + double(time.tv_nsec);
}

/// Times `frame` and sets the counters: plain numbers, because Google Benchmark prints its rates with a unit.
template <class Frame>
void time_frames(benchmark::State& state, const Amount& amount, Frame frame,
                 clockid_t clock = CLOCK_THREAD_CPUTIME_ID) {
  const double start_ns = now_ns(clock);
  for (auto _ : state) {
    frame();
    benchmark::ClobberMemory();
  }
  const double frame_ns = (now_ns(clock) - start_ns) / double(state.iterations());
  state.counters["ns_per_joint"] = frame_ns / amount.joints;
  state.counters["gb_per_second"] = double(amount.bytes) / frame_ns;
}

void time_row(benchmark::State& state, const Row& row, PaletteBuffer& palettes) {
  const uint32_t instances = uint32_t(state.range(0));
  const Amount amount(row.subject, instances);
  std::vector<Playback> playbacks = row.make_playbacks(instances);
  const auto out = palettes.first(amount.matrices);
  time_frames(state, amount, [&] {
    row.next_frame(playbacks);
    row.evaluate(playbacks, out);
  });
}

void time_tutorial(benchmark::State& state, Subjects& subjects) {
  const uint32_t instances = uint32_t(state.range(0));
  std::vector<TutorialAnimator> animators;
  for (const Playback& playback : make_playbacks(instances, 1)) {
    animators.emplace_back(subjects.tutorial, playback.layers[0].clip, playback.layers[0].time_seconds);
  }
  time_frames(state, Amount(subjects.rigid, instances), [&] {
    for (TutorialAnimator& animator : animators) animator.update(kFrameSeconds);
  });
}

void time_store(benchmark::State& state, Subjects& subjects, StoreMode store_mode) {
  const Amount amount(subjects.rigid, uint32_t(state.range(0)));
  float* out = &subjects.palettes.first(amount.matrices)[0].m[0][0];
  const bool streaming =
      store_mode == StoreMode::kStreaming || (store_mode == StoreMode::kAuto && crowd_streams(amount.bytes));
  float value = 1;
  time_frames(state, amount, [&] { store_floats(out, amount.bytes / sizeof(float), ++value, streaming); });
}

/// The same palettes in 16 bytes a joint.
void time_crowd_compact(benchmark::State& state, Subjects& subjects) {
  Amount amount(subjects.rigid, uint32_t(state.range(0)));
  std::vector<Playback> playbacks = make_playbacks(uint32_t(state.range(0)), 1);
  const std::span matrices = subjects.palettes.first(amount.matrices);
  const std::span out(reinterpret_cast<CompactMatrix*>(matrices.data()), matrices.size());
  amount.bytes = amount.bytes / sizeof(Matrix3x4) * sizeof(CompactMatrix);
  time_frames(state, amount, [&] {
    advance_times(playbacks, 1);
    check(subjects.rigid.crowd.evaluate(playbacks, subjects.rigid.palette_stride, out));
  });
}

void time_crowd_threads(benchmark::State& state, Subjects& subjects, uint32_t threads) {
  const uint32_t instances = uint32_t(state.range(0));
  const Amount amount(subjects.rigid, instances);
  std::vector<Playback> playbacks = make_playbacks(instances, 1);
  const auto out = subjects.palettes.first(amount.matrices);
  ThreadPool pool(threads);
  const auto frame = [&] {
    advance_times(playbacks, 1);
    check(subjects.rigid.crowd.evaluate(playbacks, subjects.rigid.palette_stride, out, pool.parallel_for()));
  };
  time_frames(state, amount, frame, CLOCK_MONOTONIC);
}

void time_store_threads(benchmark::State& state, Subjects& subjects, uint32_t threads) {
  struct Job {
    float* out;
    size_t floats, share;
    float value;
    bool streaming;
  };
  const Amount amount(subjects.rigid, uint32_t(state.range(0)));
  constexpr uint32_t kTasks = 8;
  const size_t floats = amount.bytes / sizeof(float), share = (floats / kTasks + 15) / 16 * 16;
  Job job{&subjects.palettes.first(amount.matrices)[0].m[0][0], floats, share, 1, crowd_streams(amount.bytes)};
  const auto task = [](void* data, uint32_t index) {
    const Job& j = *static_cast<const Job*>(data);
    const size_t first = std::min(index * j.share, j.floats), last = std::min(first + j.share, j.floats);
    store_floats(j.out + first, last - first, j.value, j.streaming);
  };
  ThreadPool pool(threads);
  const auto frame = [&] {
    ++job.value;
    pool.parallel_for()(kTasks, task, &job);
  };
  time_frames(state, amount, frame, CLOCK_MONOTONIC);
}

template <class Function>
void register_all(const std::string& name, std::span<const uint32_t> counts, Function time) {
  benchmark::internal::Benchmark* row = benchmark::RegisterBenchmark(name.c_str(), time);
  for (const uint32_t count : counts) row->Arg(count);
  row->Unit(benchmark::kMicrosecond);
}

}  // namespace

Subject::Subject(bool scales)
    : character(valid_character(scales)),
      baked(baked_character(character)),
      crowd(baked),
      masks(make_masks(character.skeleton)) {
  for (const std::vector<float>& mask : masks) {
    if (const Result<uint32_t> number = crowd.add_mask(mask); !number) fail(number.error());
  }
}

std::vector<Chain> legs_neck_and_head(const Character& character) {
  Result<std::vector<Chain>> chains = find_chains(character);
  if (!chains) fail(chains.error());
  std::erase_if(*chains, [](const Chain& chain) { return chain.name.ends_with("arm"); });
  return std::move(*chains);
}

std::vector<Chain> legs_and_head(const Character& character) {
  std::vector<Chain> chains = legs_neck_and_head(character);
  for (Chain& chain : chains) {
    if (auto* head = std::get_if<AimChain>(&chain.kind)) head->joints = {head->joints.back()};
  }
  return chains;
}

std::span<const ChainTarget> first_targets(const std::vector<ChainTarget>& targets, size_t count) {
  const auto end = std::partition_point(targets.begin(), targets.end(),
                                        [&](const ChainTarget& target) { return target.instance < count; });
  return {targets.begin(), end};
}

std::vector<Row> make_rows(Subjects& subjects) {
  const uint32_t stride = subjects.rigid.palette_stride;
  const auto evaluate_with = [=](const Subject& subject, StoreMode store_mode) {
    return [=, &subject](std::span<const Playback> playbacks, std::span<Matrix3x4> out) {
      check(subject.crowd.evaluate(
          {.instances = playbacks, .palette_stride = stride, .palettes = out, .store_mode = store_mode}));
    };
  };
  const auto playing = [](uint32_t layers) { return [=](uint32_t count) { return make_playbacks(count, layers); }; };
  const auto advancing = [](uint32_t layers) {
    return [=](std::span<Playback> playbacks) { advance_times(playbacks, layers); };
  };
  const auto seeking = [state = 1u](std::span<Playback> playbacks) mutable { seek_times(playbacks, 1, state); };
  const auto exact = [=, &subjects](std::span<const Playback> playbacks, std::span<Matrix3x4> out) {
    check(evaluate_exact(subjects.rigid.character, playbacks, stride, out, subjects.scratch));
  };
  const auto flat = [=, &subjects](std::span<const Playback> playbacks, std::span<Matrix3x4> out) {
    evaluate_flat(subjects.flat, playbacks, stride, out);
  };
  const Socket socket{subjects.rigid.baked.palette_size - 1, {}};
  check(subjects.with_socket.set_sockets({&socket, 1}));
  const auto with_socket = [=, &subjects](std::span<const Playback> playbacks, std::span<Matrix3x4> out) {
    check(subjects.with_socket.evaluate(playbacks, stride, out, subjects.sockets));
  };
  check(subjects.with_chains.set_chains(subjects.rigid.character, subjects.chains));
  check(subjects.with_neck.set_chains(subjects.rigid.character, subjects.neck_chains));
  subjects.all_targets = make_targets(subjects.rigid.character, subjects.chains, kMaxInstances, 1);
  subjects.few_targets = make_targets(subjects.rigid.character, subjects.chains, kMaxInstances, 10);
  const auto with_targets = [=](const CrowdEvaluator& evaluator, const std::vector<ChainTarget>& targets) {
    return [=, &evaluator, &targets](std::span<const Playback> playbacks, std::span<Matrix3x4> out) {
      check(evaluator.evaluate({playbacks, first_targets(targets, playbacks.size()), stride, out, {}, {}}));
    };
  };
  const std::vector<ChainTarget>&all = subjects.all_targets, &few = subjects.few_targets;
  const Subject &rigid = subjects.rigid, &scaling = subjects.scaling;
  return {
      {"flat_glm", rigid, playing(1), advancing(1), flat},
      {"exact", rigid, playing(1), advancing(1), exact},
      {"crowd", rigid, playing(1), advancing(1), evaluate_with(rigid, StoreMode::kAuto)},
      {"crowd_seek", rigid, playing(1), seeking, evaluate_with(rigid, StoreMode::kAuto)},
      {"crowd_blend2", rigid, playing(2), advancing(2), evaluate_with(rigid, StoreMode::kAuto)},
      {"crowd_masked", rigid, make_masked_playbacks, advancing(2), evaluate_with(rigid, StoreMode::kAuto)},
      {"crowd_scale", scaling, playing(1), advancing(1), evaluate_with(scaling, StoreMode::kAuto)},
      {"crowd_socket", rigid, playing(1), advancing(1), with_socket},
      {"crowd_chains", rigid, playing(1), advancing(1), with_targets(subjects.with_chains, all), &subjects.chains,
       &all},
      {"crowd_chains_neck", rigid, playing(1), advancing(1), with_targets(subjects.with_neck, all),
       &subjects.neck_chains, &all},
      {"crowd_chains_tenth", rigid, playing(1), advancing(1), with_targets(subjects.with_chains, few), &subjects.chains,
       &few},
      {"crowd_cached", rigid, playing(1), advancing(1), evaluate_with(rigid, StoreMode::kCached)},
      {"crowd_streaming", rigid, playing(1), advancing(1), evaluate_with(rigid, StoreMode::kStreaming)},
  };
}

void register_rows(Subjects& subjects) {
  const std::span counts(kInstanceCounts);
  register_all("tutorial", counts, [&](benchmark::State& state) { time_tutorial(state, subjects); });
  for (const Row& row : make_rows(subjects)) {
    register_all(row.name, counts, [&, row](benchmark::State& state) { time_row(state, row, subjects.palettes); });
  }
  for (const auto& [name, store_mode] :
       {std::pair{"store", StoreMode::kAuto}, std::pair{"store_cached", StoreMode::kCached},
        std::pair{"store_streaming", StoreMode::kStreaming}}) {
    register_all(name, counts, [&, kind = store_mode](benchmark::State& state) { time_store(state, subjects, kind); });
  }
  register_all("crowd_compact", counts, [&](benchmark::State& state) { time_crowd_compact(state, subjects); });
  const std::span threaded(&kThreadedInstances, 1);
  register_all("crowd_threads2", threaded, [&](benchmark::State& state) { time_crowd_threads(state, subjects, 2); });
  register_all("store_threads2", threaded, [&](benchmark::State& state) { time_store_threads(state, subjects, 2); });
}

}  // namespace sinew::bench
