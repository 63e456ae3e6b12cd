// A device that is lost at a chosen call: SINEW_DEVICE_LOST=vkQueueSubmit:3.
#pragma once

#include "chain.h"

namespace sinew::simulator {

/// Counts a call of `function`. Returns whether the device is lost, from the chosen call on.
bool is_lost(Device& device, const char* function);

/// The same for a call that Vulkan lets say only that there is no memory. It goes on where another call lost the
/// device.
bool has_no_memory(Device& device, const char* function);

/// Reads the environment. Prints a line where it names no function or no number, and returns false.
bool read_lost_call();

std::span<const Entry> wait_entries();  // calls that wait or read results: they say that the device is lost

}  // namespace sinew::simulator
