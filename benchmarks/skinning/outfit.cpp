#include "outfit.h"

#include <array>
#include <cstdio>
#include <memory>

#include "frame_work.h"
#include "gpu/compute.h"
#include "gpu/host.h"
#include "scene/random.h"
#include "sinew/animation/bake.h"
#include "sinew/import/lod.h"
#include "sinew/vulkan/evaluate.h"
#include "system/clock.h"
#include "warm_up.h"

namespace sinew::bench {
namespace {

enum class Kind { kThreeCharacters, kOutfit, kScattered };
constexpr const char* kNames[] = {"three characters", "outfit of three meshes", "outfit, each worn by a third"};

/// A skinner with three batches.
class OutfitSubject {
 public:
  OutfitSubject(const app::Device& device, const Workload& workload, Kind kind)
      : device_(device), workload_(workload), kind_(kind) {}

  Status create(const Mesh& body, const Mesh& worn) {
    auto skinner = vulkan::create_skinner(app::skinner_info(device_, 1, vulkan::kTransferRead));
    if (!skinner) return skinner.error();
    skinner_ = std::move(*skinner);
    auto timer = app::Timer::create(device_, uint32_t(vulkan::Timestamp::kCount));
    if (!timer) return timer.error();
    timer_ = std::make_unique<app::Timer>(std::move(*timer));
    const uint32_t entries = workload_.character().skin.palette_size(), count = workload_.instance_count();
    for (const Mesh* mesh : {&body, &worn, &worn}) {
      const auto id = skinner_.add_mesh(*mesh, entries, "character", workload_.box);
      if (!id) return id.error();
      batches_.push_back({*id, count});
    }
    if (kind_ == Kind::kThreeCharacters) return {};
    for (size_t b : {1u, 2u}) batches_[b].palettes_of = 0;
    if (kind_ == Kind::kOutfit) return {};
    for (size_t b : {1u, 2u}) {
      std::vector<uint32_t>& wearers = wearers_[b - 1];
      for (uint32_t i = 0; i < count; ++i) {
        if (app::Random{app::mix(i * 2 + b)}.unit() < 1.0f / 3) wearers.push_back(i);
      }
      batches_[b].instances = wearers, batches_[b].instance_count = uint32_t(wearers.size());
    }
    return {};
  }

  /// A frame with new palettes. Gives the seconds that these took.
  Result<double> evaluate_and_skin(const CrowdEvaluator& evaluator) {
    if (Status begun = begin(); !begun) return begun.error();
    const app::Stopwatch time;
    for (const vulkan::InstanceRange& range : skinner_.ranges()) {
      if (range.palettes.empty()) continue;
      const auto playbacks = std::span(workload_.playbacks).subspan(range.first_instance, range.instance_count);
      if (Status written = evaluate(evaluator, playbacks, range); !written) return written.error();
    }
    const double seconds = time.elapsed_ms() / 1e3;
    if (const auto skinned = record(); !skinned) return skinned.error();
    return seconds;
  }

  /// A frame with the palettes of the one before. Gives the seconds of the device.
  Result<double> skin() {
    if (Status begun = begin(); !begun) return begun.error();
    return record();
  }

  OutfitRow row() const {
    OutfitRow row{.name = kNames[size_t(kind_)]};
    for (const vulkan::InstanceRange& range : skinner_.ranges()) {
      row.palettes += range.palettes.empty() ? 0 : range.instance_count;
      row.vertices += uint64_t{range.instance_count} * range.vertex_count;
    }
    return row;
  }

 private:
  Status begin() {
    if (Status begun = skinner_.begin_frame({++frame_, 0, frame_ - 1}); !begun) return begun;
    return skinner_.prepare(0, batches_);
  }

  Result<double> record() {
    Status run = app::run_once(device_, "outfits", [&](VkCommandBuffer cmd) {
      timer_->reset(cmd);
      skinner_.record(cmd, {timer_->queries(), 0});
    });
    if (!run) return run.error();
    return timer_->seconds(uint32_t(vulkan::Timestamp::kUploaded), uint32_t(vulkan::Timestamp::kSkinned));
  }

  const app::Device& device_;
  const Workload& workload_;
  Kind kind_;
  vulkan::Skinner skinner_;
  std::unique_ptr<app::Timer> timer_;
  std::vector<vulkan::SkinnerBatch> batches_;
  std::array<std::vector<uint32_t>, 2> wearers_;
  uint64_t frame_ = 0;
};

/// Runs `frame` of each subject in turn, `frames` times. Gives the median of what it returned for each.
template <class SkinnerFrame>
Result<std::vector<double>> medians(std::span<const std::unique_ptr<OutfitSubject>> subjects, uint32_t frames,
                                    const SkinnerFrame& frame) {
  std::vector<std::vector<double>> seconds(subjects.size());
  for (uint32_t f = 0; f < frames; ++f) {
    for (size_t s = 0; s < subjects.size(); ++s) {
      const Result<double> run = frame(*subjects[s]);
      if (!run) return run.error();
      seconds[s].push_back(*run);
    }
  }
  std::vector<double> middle;
  for (std::vector<double>& values : seconds) middle.push_back(median(values));
  return middle;
}

}  // namespace

Result<std::vector<OutfitRow>> measure_outfits(const app::Device& device, const Workload& workload, uint32_t frames) {
  const Result<BakedCharacter> baked = bake(workload.character());
  if (!baked) return baked.error();
  const CrowdEvaluator evaluator(*baked);
  Mesh body = workload.character().mesh;
  body.targets.clear();
  const auto quarter = make_levels(body, {}, {.triangle_shares = {0.25f}, .small_levels = false});
  if (!quarter) return quarter.error();
  const Mesh& worn = quarter->empty() ? body : quarter->front().mesh;
  std::vector<std::unique_ptr<OutfitSubject>> subjects;
  for (const Kind kind : {Kind::kThreeCharacters, Kind::kOutfit, Kind::kScattered}) {
    subjects.push_back(std::make_unique<OutfitSubject>(device, workload, kind));
    if (Status created = subjects.back()->create(body, worn); !created) return created.error();
  }
  const auto evaluate_and_skin = [&](OutfitSubject& subject) { return subject.evaluate_and_skin(evaluator); };
  const auto skin = [](OutfitSubject& subject) { return subject.skin(); };
  if (const auto uploaded = medians(subjects, 1, evaluate_and_skin); !uploaded) return uploaded.error();
  const auto evaluated = medians(subjects, frames, evaluate_and_skin);
  if (!evaluated) return evaluated.error();
  // Apart from the evaluation, in which the device would wait.
  Status warm = warm_up(device, [&]() -> Status {
    const auto run = medians(subjects, 1, skin);
    return run ? Status() : Status(run.error());
  });
  if (!warm) return warm.error();
  const auto skinned = medians(subjects, frames, skin);
  if (!skinned) return skinned.error();
  std::vector<OutfitRow> rows;
  for (size_t s = 0; s < subjects.size(); ++s) {
    rows.push_back(subjects[s]->row());
    rows.back().evaluate_seconds = (*evaluated)[s], rows.back().skin_seconds = (*skinned)[s];
  }
  return rows;
}

void print_outfits(std::span<const OutfitRow> rows) {
  std::printf("\n%-30s %10s %12s %14s %12s\n", "", "palettes", "vertices", "evaluator ms", "skinning ms");
  for (const OutfitRow& row : rows) {
    std::printf("%-30s %10llu %12llu %14.3f %12.3f\n", row.name.c_str(), static_cast<unsigned long long>(row.palettes),
                static_cast<unsigned long long>(row.vertices), row.evaluate_seconds * 1e3, row.skin_seconds * 1e3);
  }
}

}  // namespace sinew::bench
