// Hooks between the program and volk: each call that can fail fails on request, and objects are counted.
#pragma once

#include <volk.h>

#include <map>
#include <string>
#include <vector>

namespace sinew::test {

/// At most one exists at a time. Create it after the device and before everything that is created from the device;
/// destroy it after those and before the device. The library's calls are hooked too: it gets its functions from volk.
class VolkFaults {
 public:
  explicit VolkFaults(VkDevice device);
  VolkFaults(const VolkFaults&) = delete;
  ~VolkFaults();

  // Set by the test.
  int succeeding = -1;  // number of calls that succeed before one fails; negative: none fails
  VkResult failure = VK_ERROR_OUT_OF_DEVICE_MEMORY;

  // Logged.
  std::string failed;               // the function that failed last; empty: none
  std::map<std::string, int> live;  // of each kind: objects that were not destroyed
  std::vector<std::string> calls;   // the functions that were called and may have the result `failure`

  int live_objects() const;

  /// Counts a call. Returns whether it is to fail: not where the function never has that result.
  bool fails(const std::string& function);

  // Destroyed pipelines, their layouts and samplers are given out again for the same description: the driver compiles
  // nothing twice, and pipelines fit the layouts that sets are bound with.
  uint64_t take_kept(const std::string& description);
  void note_kept(uint64_t object, const std::string& description) { description_of_[object] = description; }
  void keep(uint64_t object) { kept_.emplace(description_of_.at(object), object); }
  std::string& code_of(VkShaderModule module) { return code_of_[module]; }

 private:
  VkDevice device_;
  std::map<uint64_t, std::string> description_of_;
  std::multimap<std::string, uint64_t> kept_;
  std::map<VkShaderModule, std::string> code_of_;
};

}  // namespace sinew::test
