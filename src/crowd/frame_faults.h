// Faults of what a host gives to a plan.
#pragma once

#include "sinew/asset/result.h"
#include "sinew/crowd/frame.h"

namespace sinew::crowd::internal {

/// Checks sizes of arrays, targets and views. Errors: kInvalidArgument; the message names what is wrong.
Status validate(const Instances& instances, const PlanFrame& frame);

}  // namespace sinew::crowd::internal
