// What tests ask of the system, on Windows too: variables of the environment, and the Vulkan loader.
#pragma once

#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#undef CreateEvent  // names of Vulkan's functions too
#undef CreateSemaphore
#else
#include <dlfcn.h>
#endif

#include <vulkan/vulkan_core.h>

#include <cstdlib>
#include <string>

namespace sinew::test {

/// An empty value removes the variable.
inline void set_variable(const std::string& name, const std::string& value) {
#ifdef _WIN32
  _putenv_s(name.c_str(), value.c_str());
#else
  value.empty() ? unsetenv(name.c_str()) : setenv(name.c_str(), value.c_str(), 1);
#endif
}

/// Sets a variable that is not set.
inline void set_default_variable(const std::string& name, const std::string& value) {
  if (std::getenv(name.c_str()) == nullptr) set_variable(name, value);
}

/// Whether devices of tests are validated. Not with SINEW_VALIDATION=off, which is for systems that have no layers:
/// Wine.
inline bool validates() {
  const char* word = std::getenv("SINEW_VALIDATION");
  return word == nullptr || std::string(word) != "off";
}

/// Null: no loader is installed. It stays loaded.
inline PFN_vkGetInstanceProcAddr load_vulkan() {
#ifdef _WIN32
  const HMODULE library = LoadLibraryW(L"vulkan-1.dll");
  if (library == nullptr) return nullptr;
  return reinterpret_cast<PFN_vkGetInstanceProcAddr>(
      reinterpret_cast<void*>(GetProcAddress(library, "vkGetInstanceProcAddr")));
#else
  void* const library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
  return library != nullptr ? PFN_vkGetInstanceProcAddr(dlsym(library, "vkGetInstanceProcAddr")) : nullptr;
#endif
}

}  // namespace sinew::test
