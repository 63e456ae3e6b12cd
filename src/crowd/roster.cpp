#include "roster.h"

#include <algorithm>
#include <utility>

#include "sinew/asset/wearable.h"
#include "visibility.h"

namespace sinew::crowd::internal {

std::optional<Error> fault_of(const ModelInfo& info, size_t index) {
  const auto fault = [&](const std::string& what) {
    return Error{ErrorCode::kInvalidArgument, "model " + std::to_string(index) + " of the crowd " + what};
  };
  if (info.character == nullptr) return fault("is null");
  if (info.levels.empty() || info.levels.size() > 255) return fault("has no level of detail, or more than 255");
  if (info.levels[0].palette_size > 0) return fault("has a finest level with a palette of its own");
  if (!(info.height > 0)) return fault("has no height");
  for (const Level& level : info.levels) {
    if (level.wearable_vertices.size() > kMaxWearables)
      return fault("has " + std::to_string(level.wearable_vertices.size()) + " wearables, more than " +
                   std::to_string(kMaxWearables));
  }
  std::vector<bool> listed(info.character->clips.size());
  for (const uint32_t clip : info.clips) {
    if (clip >= listed.size()) return fault("has no clip " + std::to_string(clip));
    if (info.character->clips[clip].additive)
      return fault("lists clip " + std::to_string(clip) + ", which is additive");
    if (listed[clip]) return fault("lists clip " + std::to_string(clip) + " twice");
    listed[clip] = true;
  }
  return {};
}

Roster::Roster(std::span<const ModelInfo> infos)
    : models(infos.begin(), infos.end()),
      chain_margins(infos.size()),
      present(infos.size(), 1),
      kept_until(infos.size()) {
  for (const ModelInfo& model : models) {
    roaming_clips.push_back(find_roaming_clips(model));
    boxes.push_back(model.bounds ? box_of(*model.bounds) : Box());
  }
  sum_up();
}

void Roster::sum_up() {
  has_levels = has_roaming_clips = false, all_bounded = true;
  for (size_t i = 0; i < present.size(); ++i) {
    has_roaming_clips |= !roaming_clips[i].empty();
    has_levels |= models[i].levels.size() > 1;
    all_bounded &= present[i] == 0 || is_bounded(models[i]);
  }
}

uint32_t Roster::free_number() const {
  return uint32_t(std::ranges::find(models, nullptr, &ModelInfo::character) - models.begin());
}

/// If memory runs out, lists may be longer than `present`, which decides, and the number is still that of none.
void Roster::enter(uint32_t number, Measured& measured) {
  const size_t count = std::max(models.size(), size_t{number} + 1);
  roaming_clips.resize(count), boxes.resize(count), chain_margins.resize(count), kept_until.resize(count);
  if (!rotation_paths.empty()) rotation_paths.resize(count);
  present.reserve(count), models.resize(count);
  if (!rotation_paths.empty() && !measured.wanted.turned)
    measured.motion = std::move(measure_motion({&measured.info, 1}, {.turned = true}, {})[0]);
  if (!rotation_paths.empty()) rotation_paths[number] = std::move(measured.motion.turned);
  roaming_clips[number] = std::move(measured.roaming_clips);
  boxes[number] = measured.info.bounds ? box_of(*measured.info.bounds) : Box();
  chain_margins[number] = 0;
  models[number] = measured.info;
}

void Roster::admit(uint32_t number) {
  present.resize(models.size()), present[number] = 1;
  sum_up();
}

void Roster::leave(uint32_t number) {
  if (number >= models.size()) return;
  models[number] = {}, roaming_clips[number] = {};
  if (!rotation_paths.empty()) rotation_paths[number] = {};
}

void Roster::remove(uint32_t number, uint64_t kept_until_plan) {
  present[number] = 0, has_removed = true;
  kept_until[number] = kept_until_plan;
  sum_up();
}

std::vector<uint32_t> Roster::release(uint64_t plan, const Plan& last) {
  std::vector<uint8_t> used = present;
  for (size_t i = 0; i < used.size(); ++i) used[i] |= kept_until[i] > plan;
  for (const PosedBatch& batch : last.batches) used[batch.model] = 1;
  std::vector<uint32_t> gone;
  has_removed = false;
  for (uint32_t i = 0; i < present.size(); ++i) {
    if (present[i] != 0 || models[i].character == nullptr) continue;
    has_removed |= used[i] != 0;
    if (used[i] == 0) gone.push_back(i);
  }
  for (const uint32_t number : gone) leave(number);
  if (!gone.empty()) sum_up();
  return gone;
}

}  // namespace sinew::crowd::internal
