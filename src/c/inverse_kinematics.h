// Chains as C++ has them.
#pragma once

#include <string>
#include <vector>

#include "border.h"
#include "layout.h"
#include "sinew/animation/inverse_kinematics.h"
#include "sinew/c/inverse_kinematics.h"

namespace sinew::c {

SINEW_SAME_LAYOUT(SinewChainTarget, ChainTarget, instance, chain, position, weight, normal);

/// The caller's chains, or the end of the call.
std::vector<Chain> chains_of(const SinewChain* chains, uint32_t count);

}  // namespace sinew::c
