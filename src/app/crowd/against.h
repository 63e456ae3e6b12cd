// `sinew crowd --against PROGRAM`: two builds in turn.
#pragma once

#include "crowd/options.h"
#include "crowd/report/comparison.h"
#include "sinew/asset/result.h"

namespace sinew::app {

/// The exit code of runs that cannot be compared.
inline constexpr int kIncomparable = 2;

/// Runs options.against and this program, with the options of this process but those of the comparison, prints what
/// came out, and writes options.html. Both are alive, but only one draws at a time, in turn: what slows the machine
/// slows both. A pair starts both twice, each first once: the program that starts first is slower by some percent.
/// Fails as the programs do, and as conclude_comparison().
Status run_against(const CrowdOptions& options, int& failure_code);

/// Prints a comparison with `old_name`, a file or program. Fails where it could not be made, with the exit code
/// kIncomparable, and where frames are slower by more than options.fail_above.
Status conclude_comparison(const Result<ReportComparison>& comparison, const std::string& old_name,
                           const CrowdOptions& options, int& failure_code);

}  // namespace sinew::app
