// The rows: what is evaluated, and how each is timed.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "flat_glm.h"
#include "sinew/animation/bake.h"
#include "sinew/animation/evaluator.h"
#include "tutorial.h"
#include "workload.h"

namespace sinew::bench {

inline constexpr uint32_t kInstanceCounts[] = {1, 100, 1000, 10000};
inline constexpr uint32_t kMaxInstances = 10000;
inline constexpr uint32_t kThreadedInstances = 1000;

/// A character and what the library made of it. The evaluator borrows the bake: not to be moved.
struct Subject {
  explicit Subject(bool scales);
  Subject(const Subject&) = delete;
  Subject& operator=(const Subject&) = delete;

  Character character;
  BakedCharacter baked;
  CrowdEvaluator crowd;
  std::vector<std::vector<float>> masks;  // those the evaluator knows, the first as number 1
};

/// Everything that rows evaluate, made once.
struct Subjects {
  Subject rigid{false}, scaling{true};
  FlatModel flat{rigid.character};
  TutorialModel tutorial{rigid.character};
  EvaluationScratch scratch;
  PaletteBuffer palettes{size_t(kMaxInstances) * palette_stride(rigid.character)};
};

/// A row that turns playbacks into palettes.
struct Row {
  std::string name;
  const Subject& subject;
  std::function<std::vector<Playback>(uint32_t count)> make_playbacks;
  std::function<void(std::span<Playback>)> next_frame;  // moves times
  std::function<void(std::span<const Playback>, std::span<Matrix3x4>)> evaluate;
};

/// All rows but the tutorial's, which keeps its own state, and the stores. They borrow `subjects`.
std::vector<Row> make_rows(Subjects& subjects);

/// Registers every row for every number of instances with Google Benchmark, each with the counters
/// `ns_per_joint` (the thread's CPU time; wall time where two threads work) and `gb_per_second` (of palettes).
void register_rows(Subjects& subjects);

}  // namespace sinew::bench
