// Wall time for the stages on the CPU.
#pragma once

#include "host/clock.h"

namespace sinew::app {

using host::CpuSpan, host::ms_of, host::now_ms, host::Stopwatch;

}  // namespace sinew::app
