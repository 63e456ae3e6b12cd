#include "scene/retarget_clips.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "sinew/animation/retarget.h"
#include "system/text.h"

namespace sinew::app {
namespace {

std::string quoted(const std::string& name) { return "'" + printable(name) + "'"; }

/// Every joint of both skeletons, once. Returns how many of `from` move nothing.
size_t report_joints(const Skeleton& from, const Skeleton& to, const std::vector<JointPair>& pairs,
                     std::vector<std::string>& lines) {
  std::vector<bool> moves(from.joint_count()), is_moved(to.joint_count());
  for (const JointPair& pair : pairs) {
    moves[pair.from] = is_moved[pair.to] = true;
    lines.push_back(quoted(from.joint_names[pair.from]) + " moves " + quoted(to.joint_names[pair.to]));
  }
  for (uint32_t j = 0; j < moves.size(); ++j) {
    if (!moves[j]) lines.push_back(quoted(from.joint_names[j]) + " moves nothing");
  }
  for (uint32_t j = 0; j < is_moved.size(); ++j) {
    if (!is_moved[j]) lines.push_back("nothing moves " + quoted(to.joint_names[j]));
  }
  return moves.size() - pairs.size();
}

}  // namespace

Status add_retargeted_clips(const CharacterFile& animation, const std::string& path, CharacterFile& file) {
  const auto refused = [&](const Error& error) { return Error{error.code, quoted(path) + ": " + error.message}; };
  const Skeleton &from = animation.character.skeleton, &to = file.character.skeleton;
  const auto pairs = pair_joints(from, to);
  if (!pairs) return refused(pairs.error());
  if (!file.report) file.report.emplace();
  if (animation.character.clips.empty()) file.report->warnings.push_back(quoted(path) + " has no clip");
  Result<std::vector<Clip>> moved = retarget_clips(animation.character, file.character, *pairs);
  if (!moved) return refused(moved.error());
  std::move(moved->begin(), moved->end(), std::back_inserter(file.character.clips));
  file.report->clips = uint32_t(file.character.clips.size());
  if (const size_t idle = report_joints(from, to, *pairs, file.report->retargeted); idle > 0) {
    file.report->warnings.push_back(text("%s: %zu of its %u joints move nothing (sinew info --joints lists them)",
                                         quoted(path).c_str(), idle, from.joint_count()));
  }
  file.baked.reset(), file.bounds.reset();                                              // they lack the clips
  if (std::ranges::any_of(file.levels, &ModelLevel::has_palette)) file.levels.clear();  // so do their bakes
  return {};
}

}  // namespace sinew::app
