// Inverse kinematics: chains.
#include "sinew/c/inverse_kinematics.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <variant>

#include "host_data.h"

namespace sinew::c {
namespace {

static_assert(SINEW_MAX_CHAINS == kMaxChains && kMaxChains == 32 && SINEW_MAX_AIM_JOINTS == kMaxAimJoints);
static_assert(std::size(decltype(SinewChain::joints){}) == kMaxAimJoints);

constexpr EndOrientation kOrientations[] = {EndOrientation::kFollow, EndOrientation::kKeep, EndOrientation::kAlign};
constexpr const char* kFoundNames[] = {"left leg", "right leg", "left arm", "right arm", "head"};

TwoBoneChain two_bone_of(const SinewChain& given) {
  if (given.joint_count != 3) refuse("chains->joint_count is " + std::to_string(given.joint_count) + ", not 3");
  TwoBoneChain chain{given.joints[0], given.joints[1], given.joints[2], vector_of(given.direction)};
  chain.end_orientation = choice(given.end_orientation, kOrientations, "chains->end_orientation");
  if (given.reach != 0) chain.reach = given.reach;
  if (given.soft != 0) chain.soft = given.soft;
  return chain;
}

AimChain aim_of(const SinewChain& given) {
  if (given.joint_count > SINEW_MAX_AIM_JOINTS)
    refuse("chains->joint_count is " + std::to_string(given.joint_count) + ", more than 8");
  AimChain chain;
  for (uint32_t i = 0; i < given.joint_count; ++i) chain.joints.push_back({given.joints[i], given.shares[i]});
  chain.axis = vector_of(given.direction), chain.offset = vector_of(given.offset), chain.up = vector_of(given.up);
  if (given.max_angle != 0) chain.max_angle = given.max_angle;
  chain.fade_distance = given.fade_distance;
  return chain;
}

void describe(const TwoBoneChain& chain, SinewChain& out) {
  out.kind = SINEW_CHAIN_TWO_BONE, out.joint_count = 3;
  out.joints[0] = chain.upper, out.joints[1] = chain.middle, out.joints[2] = chain.end;
  put(chain.pole, out.direction);
  out.end_orientation = uint32_t(chain.end_orientation);
  out.reach = chain.reach, out.soft = chain.soft;
}

void describe(const AimChain& chain, SinewChain& out) {
  out.kind = SINEW_CHAIN_AIM, out.joint_count = uint32_t(chain.joints.size());
  for (size_t i = 0; i < chain.joints.size(); ++i)
    out.joints[i] = chain.joints[i].joint, out.shares[i] = chain.joints[i].share;
  put(chain.axis, out.direction), put(chain.offset, out.offset), put(chain.up, out.up);
  out.max_angle = chain.max_angle, out.fade_distance = chain.fade_distance;
}

}  // namespace

std::vector<Chain> chains_of(const SinewChain* chains, uint32_t count) {
  if (count > kMaxChains) refuse("chains: there are " + std::to_string(count) + ", more than 32");
  std::vector<Chain> result;
  for (const SinewChain& given : array(chains, count, "chains")) {
    Chain& chain = result.emplace_back();
    chain.name = given.name != nullptr ? given.name : std::to_string(result.size() - 1);
    if (given.kind > SINEW_CHAIN_AIM) refuse("chains->kind is " + std::to_string(given.kind) + ", not 0 or 1");
    if (given.kind == SINEW_CHAIN_AIM)
      chain.kind = aim_of(given);
    else
      chain.kind = two_bone_of(given);
  }
  return result;
}

}  // namespace sinew::c

using namespace sinew;
using namespace sinew::c;

SinewResult sinew_character_find_chains(const SinewCharacter* character, SinewChain* out, uint32_t* count,
                                        SinewError* error) {
  return call(error, __func__, [&] {
    const std::vector<Chain> found = take(find_chains(content_of(character).character));
    uint32_t& room = required(count, "count");
    if (out != nullptr) check_room(room, found.size(), "chains");
    room = uint32_t(found.size());
    if (out == nullptr) return;
    for (size_t i = 0; i < found.size(); ++i) {
      SinewChain& written = out[i] = {};
      std::visit([&](const auto& kind) { describe(kind, written); }, found[i].kind);
      written.name = *std::find(std::begin(kFoundNames), std::end(kFoundNames), std::string_view(found[i].name));
    }
  });
}
