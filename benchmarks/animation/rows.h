// The rows of the benchmark: what each row evaluates, and how it is timed.
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

/// A character, its bake and its evaluator. The evaluator borrows the bake, so a Subject must not move.
struct Subject {
  explicit Subject(bool scales);
  Subject(const Subject&) = delete;
  Subject& operator=(const Subject&) = delete;

  Character character;
  uint32_t palette_stride = uint32_t(sinew::palette_stride(character.skin.palette_size()));  // in matrices
  BakedCharacter baked;
  CrowdEvaluator crowd;
  std::vector<std::vector<float>> masks;  // the evaluator's masks; the first has number 1
};

/// Both legs, aligned to the ground, and the head, without or with the neck.
std::vector<Chain> legs_and_head(const Character& character);
std::vector<Chain> legs_neck_and_head(const Character& character);

/// The data of all rows, made once.
struct Subjects {
  Subject rigid{false}, scaling{true};
  FlatModel flat{rigid.character};
  TutorialModel tutorial{rigid.character};
  CrowdEvaluator with_socket{rigid.baked};  // on the last palette entry
  std::vector<Matrix3x4> sockets = std::vector<Matrix3x4>(kMaxInstances);
  CrowdEvaluator with_chains{rigid.baked}, with_neck{rigid.baked};
  std::vector<Chain> chains = legs_and_head(rigid.character), neck_chains = legs_neck_and_head(rigid.character);
  std::vector<ChainTarget> all_targets, few_targets;  // of every instance, of one in ten
  EvaluationScratch scratch;
  PaletteBuffer palettes{size_t(kMaxInstances) * rigid.palette_stride};
};

/// A row that evaluates playbacks into palettes.
struct Row {
  std::string name;
  const Subject& subject;
  std::function<std::vector<Playback>(uint32_t count)> make_playbacks;
  std::function<void(std::span<Playback>)> next_frame;  // advances or changes the times
  std::function<void(std::span<const Playback>, std::span<Matrix3x4>)> evaluate;
  const std::vector<Chain>* chains = nullptr;         // null: none
  const std::vector<ChainTarget>* targets = nullptr;  // of kMaxInstances
};

/// The targets of the first `count` instances.
std::span<const ChainTarget> first_targets(const std::vector<ChainTarget>& targets, size_t count);

/// All rows except the tutorial row, which keeps its own state, and the store rows. The rows borrow `subjects`.
std::vector<Row> make_rows(Subjects& subjects);

/// Registers every row with Google Benchmark, for every instance count. Counters: `ns_per_joint` (CPU time of the
/// thread; wall time in the rows with two threads) and `gb_per_second` (bytes of palettes). Borrows `subjects`.
void register_rows(Subjects& subjects);

}  // namespace sinew::bench
