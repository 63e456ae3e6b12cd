// Pipelines that an earlier run has compiled: in the cache, see system/cache.h, a file for each device and driver.
#pragma once

#include <cstddef>
#include <string>

#include "gpu/host.h"

namespace sinew::app {

/// Gives a device the pipelines that were kept. Keeps those that it has at the end of this object's life, if there are
/// more. Bytes that are damaged, or of another driver, never reach the driver.
class KeptPipelines {
 public:
  /// `device` must outlive it, and stay where it is.
  explicit KeptPipelines(Device& device);
  KeptPipelines(const KeptPipelines&) = delete;
  KeptPipelines& operator=(const KeptPipelines&) = delete;
  ~KeptPipelines();

 private:
  const Device& device_;
  std::string name_;
  size_t kept_bytes_ = 0;
};

}  // namespace sinew::app
