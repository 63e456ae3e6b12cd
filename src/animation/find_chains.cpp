// The chains of a humanoid, by the names of its joints.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "asset/exceptions.h"
#include "asset/plain_text.h"
#include "chain_solver.h"
#include "sinew/animation/inverse_kinematics.h"
#include "sinew/animation/pose.h"

namespace sinew {

using namespace internal;
namespace {

constexpr float kMinBend = 0.02f;       // of a chain's length: less is a straight limb
constexpr float kNeckShare = 0.35f;     // of the head's rotation
constexpr float kFadeOfHeight = 0.15f;  // of the skeleton: a target so near to the head fades out

/// Names of one part of the body, in lower case and without separators and sides.
struct Part {
  std::array<std::string_view, 7> names;
};

constexpr Part kThigh{{"upleg", "upperleg", "thigh"}};
constexpr Part kShin{{"leg", "lowerleg", "shin", "calf", "knee"}};
constexpr Part kFoot{{"foot", "ankle"}};
constexpr Part kUpperArm{{"arm", "upperarm", "shoulder"}};
constexpr Part kForearm{{"forearm", "lowerarm", "elbow"}};
constexpr Part kHand{{"hand", "wrist", "palm"}};
constexpr Part kHead{{"head"}}, kRigifyHead{{"spine006"}};
constexpr Part kNeck{{"neck", "neck1", "neck01"}}, kRigifyNeck{{"spine004"}};

enum class Side : uint8_t { kNone, kLeft, kRight };

/// A joint's name, taken apart.
struct PlainName {
  std::string letters;  // in lower case, without prefix, separators and side
  Side side = Side::kNone;
};

bool is_separator(char letter) { return letter == '_' || letter == '.' || letter == '-' || letter == ' '; }

/// The words of a name: they begin at separators, and at capital letters after small ones.
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words(1);
  for (size_t i = 0; i < name.size(); ++i) {
    const bool begins = is_separator(name[i]) || (i > 0 && is_upper(name[i]) && !is_upper(name[i - 1]));
    if (begins && !words.back().empty()) words.emplace_back();
    if (!is_separator(name[i])) words.back() += lower(name[i]);
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

Side side_of(std::string_view word) {
  if (word == "left" || word == "l") return Side::kLeft;
  return word == "right" || word == "r" ? Side::kRight : Side::kNone;
}

/// What programs write before each name: "DEF-" of Rigify, "J_Bip_C_" of VRM, "Bip01" of 3ds Max, "CC_Base_".
bool is_prefix(std::string_view word) {
  constexpr std::string_view kWhole[] = {"def", "j", "c", "cc", "base", "valve"};
  return std::find(std::begin(kWhole), std::end(kWhole), word) != std::end(kWhole) || word.starts_with("bip") ||
         word.starts_with("mixamorig");
}

/// Takes "left" and "right" off names in small letters only, such as "leftfoot".
void split_side(PlainName& name) {
  for (const auto& [word, side] : {std::pair{"left", Side::kLeft}, std::pair{"right", Side::kRight}}) {
    if (name.side != Side::kNone || !name.letters.starts_with(word)) continue;
    name.letters.erase(0, std::string_view(word).size());
    name.side = side;
  }
}

PlainName plain(std::string_view name) {
  const size_t end = name.find_last_of(":|");
  if (end != std::string_view::npos) name.remove_prefix(end + 1);
  PlainName result;
  for (const std::string& word : words_of(name)) {
    if (const Side side = side_of(word); side != Side::kNone)
      result.side = side;
    else if (!result.letters.empty() || !is_prefix(word))
      result.letters += word;
  }
  split_side(result);
  return result;
}

/// A character in its rest pose, and the names of its joints.
class Humanoid {
 public:
  explicit Humanoid(const Character& character)
      : character_(character), model_from_joint_(character.skeleton.joint_count()) {
    walk_hierarchy(character.skeleton, character.skeleton.rest_pose, model_from_joint_);
    for (const std::string& name : character.skeleton.joint_names) names_.push_back(plain(name));
  }

  std::vector<Chain> chains() const {
    std::vector<Chain> found;
    add_limb("left leg", {kThigh, kShin, kFoot}, Side::kLeft, found);
    add_limb("right leg", {kThigh, kShin, kFoot}, Side::kRight, found);
    add_limb("left arm", {kUpperArm, kForearm, kHand}, Side::kLeft, found);
    add_limb("right arm", {kUpperArm, kForearm, kHand}, Side::kRight, found);
    add_head(found);
    return found;
  }

 private:
  bool is_below(uint32_t joint, uint32_t above) const {
    int32_t parent = character_.skeleton.parents[joint];
    while (parent > int32_t(above)) parent = character_.skeleton.parents[size_t(parent)];
    return parent == int32_t(above);
  }

  bool is_part(uint32_t joint, const Part& part, Side side) const {
    const PlainName& name = names_[joint];
    const auto& names = part.names;
    return name.side == side && !name.letters.empty() && std::ranges::find(names, name.letters) != names.end();
  }

  /// The first joint of a part, below `above` unless that is kNoJoint; kNoJoint if there is none.
  int32_t find(const Part& part, Side side, int32_t above) const {
    for (uint32_t joint = 0; joint < names_.size(); ++joint) {
      if (is_part(joint, part, side) && (above == kNoJoint || is_below(joint, uint32_t(above)))) return int32_t(joint);
    }
    return kNoJoint;
  }

  /// The joints of a limb: a shoulder above an upper arm has a name of its own in some skeletons, so every joint that
  /// may be the upper one is tried, the lowest first.
  bool find_limb(const std::array<Part, 3>& parts, Side side, TwoBoneChain& chain) const {
    for (uint32_t joint = uint32_t(names_.size()); joint-- > 0;) {
      if (!is_part(joint, parts[0], side)) continue;
      const int32_t middle = find(parts[1], side, int32_t(joint));
      const int32_t end = middle == kNoJoint ? kNoJoint : find(parts[2], side, middle);
      if (end == kNoJoint) continue;
      chain.upper = joint, chain.middle = uint32_t(middle), chain.end = uint32_t(end);
      return true;
    }
    return false;
  }

  Vec3 place(uint32_t joint) const { return transform_point(model_from_joint_[joint], {}); }

  /// A direction of model space, in the space of a joint.
  Vec3 in_joint(uint32_t joint, Vec3 direction) const {
    Matrix3x4d linear = model_from_joint_[joint];
    for (auto& row : linear.m) row[3] = 0;
    return normalize(transform_point(inverse(linear), direction));
  }

  /// Where the middle joint bends to in the rest pose; `otherwise` if it does not bend.
  Vec3 bend_of(const TwoBoneChain& chain, Vec3 otherwise) const {
    const Vec3 upper = place(chain.upper), middle = place(chain.middle), end = place(chain.end);
    const Vec3 along = normalize(end - upper);
    const Vec3 bend = middle - upper - along * dot(middle - upper, along);
    const float whole = length(middle - upper) + length(end - middle);
    return length(bend) > kMinBend * whole ? bend : otherwise;
  }

  void add_limb(const char* name, const std::array<Part, 3>& parts, Side side, std::vector<Chain>& found) const {
    TwoBoneChain chain;
    if (!find_limb(parts, side, chain)) return;
    const bool is_leg = parts[0].names == kThigh.names;
    const Vec3 front = character_.space.front;
    chain.pole = in_joint(chain.upper, bend_of(chain, is_leg ? front : front * -1));
    chain.end_orientation = is_leg ? EndOrientation::kAlign : EndOrientation::kFollow;
    add({name, chain}, found);
  }

  /// Leaves out a chain whose joints do not make one, such as a limb whose bones all lie in one line with the pole.
  void add(Chain chain, std::vector<Chain>& found) const {
    found.push_back(std::move(chain));
    if (!validate(found, character_)) found.pop_back();
  }

  float height() const {
    float low = INFINITY, high = -INFINITY;
    for (uint32_t joint = 0; joint < names_.size(); ++joint) {
      const float at = dot(place(joint), character_.space.up);
      low = std::min(low, at), high = std::max(high, at);
    }
    return high > low ? high - low : 0;
  }

  void add_head(std::vector<Chain>& found) const {
    int32_t head = find(kHead, Side::kNone, kNoJoint), neck = find(kNeck, Side::kNone, kNoJoint);
    if (head == kNoJoint) head = find(kRigifyHead, Side::kNone, kNoJoint);
    if (neck == kNoJoint) neck = find(kRigifyNeck, Side::kNone, kNoJoint);
    if (head == kNoJoint) return;
    AimChain chain;
    if (neck != kNoJoint && is_below(uint32_t(head), uint32_t(neck))) chain.joints = {{uint32_t(neck), kNeckShare}};
    chain.joints.push_back({uint32_t(head), chain.joints.empty() ? 1 : 1 - kNeckShare});
    chain.axis = in_joint(uint32_t(head), character_.space.front);
    chain.fade_distance = kFadeOfHeight * height();
    add({"head", chain}, found);
  }

  const Character& character_;
  std::vector<Matrix3x4d> model_from_joint_;
  std::vector<PlainName> names_;
};

}  // namespace

Result<std::vector<Chain>> find_chains(const Character& character) SINEW_TRY { return Humanoid(character).chains(); }
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

}  // namespace sinew
