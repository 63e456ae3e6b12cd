#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>

#include "asset/exceptions.h"
#include "sinew/animation/retarget.h"

namespace sinew {

using namespace internal;
namespace {

constexpr size_t kShareWithPrefix = 4;  // all but one of so many joints have the prefix

/// Without a namespace, as in "mixamorig:Hips".
std::string_view without_namespace(std::string_view name) {
  const size_t end = name.find_last_of(":|");
  return end == std::string_view::npos || end + 1 == name.size() ? name : name.substr(end + 1);
}

/// The longest prefix that enough names have. Each of them keeps a letter.
std::string_view common_prefix(const std::vector<std::string_view>& names) {
  std::vector<std::string_view> sorted = names;
  std::sort(sorted.begin(), sorted.end());
  const size_t enough = std::max<size_t>(2, sorted.size() - sorted.size() / kShareWithPrefix);
  std::string_view longest;
  for (size_t i = 0; i + enough <= sorted.size(); ++i) {  // names with one prefix are neighbors
    const std::string_view first = sorted[i], last = sorted[i + enough - 1];
    const size_t limit = std::min(first.size(), last.size()) - 1;
    size_t length = 0;
    while (length < limit && first[length] == last[length]) ++length;
    if (length > longest.size()) longest = first.substr(0, length);
  }
  return longest;
}

std::vector<std::string_view> plain_names(const Skeleton& skeleton) {
  std::vector<std::string_view> names;
  for (const std::string& name : skeleton.joint_names) names.push_back(without_namespace(name));
  std::vector<std::string_view> named = names;
  std::erase(named, "");
  const std::string_view prefix = common_prefix(named);
  for (std::string_view& name : names) {
    if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
  }
  return names;
}

/// Maps names that one joint has to that joint, other names to kNoJoint.
std::unordered_map<std::string_view, int32_t> unique_names(const auto& names) {
  std::unordered_map<std::string_view, int32_t> joints;
  for (size_t joint = 0; joint < names.size(); ++joint) {
    const auto [found, is_new] = joints.try_emplace(names[joint], int32_t(joint));
    if (!is_new) found->second = kNoJoint;
  }
  joints.erase("");
  return joints;
}

/// Pairs the joints of `to` that have no pair yet.
void pair_names(const auto& from, const auto& to, std::vector<int32_t>& from_of_to, std::vector<bool>& is_paired) {
  const auto sources = unique_names(from), targets = unique_names(to);
  for (const auto& [name, joint] : targets) {
    const auto found = sources.find(name);
    if (joint == kNoJoint || found == sources.end() || found->second == kNoJoint) continue;
    if (from_of_to[size_t(joint)] != kNoJoint || is_paired[size_t(found->second)]) continue;
    from_of_to[size_t(joint)] = found->second;
    is_paired[size_t(found->second)] = true;
  }
}

}  // namespace

Result<std::vector<JointPair>> pair_joints(const Skeleton& from, const Skeleton& to) SINEW_TRY {
  std::vector<int32_t> from_of_to(to.joint_count(), kNoJoint);
  std::vector<bool> is_paired(from.joint_count());
  pair_names(from.joint_names, to.joint_names, from_of_to, is_paired);
  pair_names(plain_names(from), plain_names(to), from_of_to, is_paired);
  std::vector<JointPair> pairs;
  for (uint32_t joint = 0; joint < to.joint_count(); ++joint) {
    if (from_of_to[joint] != kNoJoint) pairs.push_back({uint32_t(from_of_to[joint]), joint});
  }
  if (pairs.empty()) return Error{ErrorCode::kInvalidArgument, "retarget: the skeletons have no joint name in common"};
  return pairs;
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

}  // namespace sinew
