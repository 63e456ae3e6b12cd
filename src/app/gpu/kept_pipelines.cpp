#include "gpu/kept_pipelines.h"

#include "host/pipeline.h"
#include "system/cache.h"

namespace sinew::app {
namespace {

constexpr size_t kMaxFiles = 8, kMaxBytes = size_t(64) << 20;

std::string name_for(const DeviceInfo& info) {
  ContentHash hash;
  hash.add(host::pipeline_cache_owner(info));
  return "pipelines-" + hash.digits();
}

}  // namespace

KeptPipelines::KeptPipelines(Device& device) : device_(device), name_(name_for(device.info)) {
  const auto kept = read_kept(name_);
  const bool usable = kept && host::is_pipeline_cache(device.info, *kept);
  if (usable) kept_bytes_ = kept->size();
  host::open_pipeline_cache(device, usable ? std::span<const std::byte>(*kept) : std::span<const std::byte>());
}

KeptPipelines::~KeptPipelines() {
  const std::vector<std::byte> bytes = host::pipeline_cache_bytes(device_);
  if (bytes.size() <= kept_bytes_ || bytes.size() > kMaxBytes) return;
  keep(name_, bytes);
  remove_oldest(cache_folder(), "pipelines", kMaxFiles);
}

}  // namespace sinew::app
