// The Vulkan instance, and the messages of the validation layers.
#pragma once

#include <volk.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "sinew/asset/result.h"
#include "sinew/vulkan/vulkan_error.h"

namespace host {

using sinew::Error, sinew::ErrorCode, sinew::Result, sinew::Status;
using sinew::vulkan::vulkan_error;

/// Messages of the validation layers, added from any thread. Each message is also printed to standard error at once.
struct ValidationLog {
  std::mutex mutex;
  std::vector<std::string> messages;
};

struct InstanceOptions {
  bool validate = false;                           // core and synchronization validation; fails without the layer
  std::span<const char* const> window_extensions;  // instance extensions for the window; empty without a window
};

/// Move-only. Must outlive devices and surfaces created from it.
struct Instance {
  VkInstance handle = VK_NULL_HANDLE;
  VkDebugUtilsMessengerEXT messenger = VK_NULL_HANDLE;
  bool debug_utils = false;            // VK_EXT_debug_utils is enabled: names and labels have an effect
  std::unique_ptr<ValidationLog> log;  // null unless validating

  Instance() = default;
  Instance(Instance&& other) noexcept;
  Instance& operator=(Instance&& other) noexcept;
  ~Instance();
};

/// Loads Vulkan and creates the instance. The error says what is missing: the loader, a driver, Vulkan 1.2, or the
/// validation layer.
Result<Instance> create_instance(const InstanceOptions& options);

/// The number of validation messages so far; 0 unless validating. Any thread may call it. Without an instance: of all
/// instances of the process, those included that are destroyed.
uint32_t validation_messages(const Instance& instance);
uint32_t validation_messages();

/// A version of Vulkan, as "1.3.230".
std::string version_text(uint32_t version);

}  // namespace host
