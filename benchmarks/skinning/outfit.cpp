#include "outfit.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <numeric>

#include "frame_work.h"
#include "gpu/compute.h"
#include "gpu/skinner_info.h"
#include "scene/random.h"
#include "sinew/animation/bake.h"
#include "sinew/import/lod.h"
#include "sinew/vulkan/evaluate.h"
#include "system/clock.h"

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

  /// A frame: palettes, then skinning.
  Status run(const CrowdEvaluator& evaluator) {
    if (Status begun = skinner_.begin_frame({++frame_, 0, frame_ - 1}); !begun) return begun;
    if (Status prepared = skinner_.prepare(0, batches_); !prepared) return prepared;
    const app::Stopwatch time;
    for (const vulkan::InstanceRange& range : skinner_.ranges()) {
      if (range.palettes.empty()) continue;
      const auto playbacks = std::span(workload_.playbacks).subspan(range.first_instance, range.instance_count);
      if (Status written = evaluate(evaluator, playbacks, range); !written) return written;
    }
    if (frame_ > 1) evaluate_.push_back(time.elapsed_ms() / 1e3);
    Status run = app::run_once(device_, "outfits", [&](VkCommandBuffer cmd) {
      timer_->reset(cmd);
      skinner_.record(cmd, {timer_->queries(), 0});
    });
    if (!run || frame_ == 1) return run;  // the first one uploads the meshes
    skin_.push_back(timer_->seconds(uint32_t(vulkan::Timestamp::kUploaded), uint32_t(vulkan::Timestamp::kSkinned)));
    return {};
  }

  OutfitRow row() {
    OutfitRow row{.name = kNames[size_t(kind_)]};
    for (const vulkan::InstanceRange& range : skinner_.ranges()) {
      row.palettes += range.palettes.empty() ? 0 : range.instance_count;
      row.vertices += uint64_t{range.instance_count} * range.vertex_count;
    }
    row.evaluate_seconds = median(evaluate_), row.skin_seconds = median(skin_);
    return row;
  }

 private:
  const app::Device& device_;
  const Workload& workload_;
  Kind kind_;
  vulkan::Skinner skinner_;
  std::unique_ptr<app::Timer> timer_;
  std::vector<vulkan::Batch> batches_;
  std::array<std::vector<uint32_t>, 2> wearers_;
  uint64_t frame_ = 0;
  std::vector<double> evaluate_, skin_;
};

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
  for (uint32_t frame = 0; frame <= frames; ++frame) {
    for (const auto& subject : subjects) {
      if (Status run = subject->run(evaluator); !run) return run.error();
    }
  }
  std::vector<OutfitRow> rows;
  for (const auto& subject : subjects) rows.push_back(subject->row());
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
