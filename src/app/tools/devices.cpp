#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "commands.h"
#include "gpu/host.h"
#include "system/output.h"
#include "system/text.h"

namespace sinew::app {
namespace {

std::string mebibytes(uint64_t bytes) { return grouped(bytes >> 20) + " MiB"; }

/// Optional features of the device that the program uses.
std::string features(const DeviceInfo& device) {
  std::vector<std::string> present;
  if (device.timestamps) present.push_back("timestamps");
  if (device.multi_draw_indirect) present.push_back("multi-draw indirect");
  if (device.draw_indirect_first_instance) present.push_back("indirect first instance");
  if (device.multisampling) present.push_back("4 samples per pixel");
  if (device.calibrated_clock) present.push_back("calibrated clock");
  return present.empty() ? "none of the optional ones" : joined(present, "; ");
}

/// Whether --async-compute can use a second queue.
std::string queues(const DeviceInfo& device) {
  const auto& second = device.second_queue;
  if (!second) return "one: skinning and drawing run one after the other";
  if (second->family == device.queue_family) return "a second one of the same family, for async compute";
  return text("a second one, of family %u, for async compute", second->family);
}

std::string describe(const DeviceInfo& device) {
  const VkPhysicalDeviceLimits& limits = device.limits;
  std::string lines = text("%u  %s\n", device.index, printable(device.name).c_str());
  lines += text("   type       %s\n", device.type.c_str());
  lines += text("   Vulkan     %s\n", device.api.c_str());
  lines += text("   driver     %s\n", printable(device.driver).c_str());
  lines += text("   uuid       %s\n", device.uuid.c_str());
  lines += text("   memory     %s on the device\n", mebibytes(device.memory_bytes).c_str());
  lines += text(
      "   limits     storage buffer %s, workgroup %u invocations, dispatch %u workgroups in x, push constants %u "
      "bytes\n",
      mebibytes(device.max_storage_buffer_bytes).c_str(), limits.maxComputeWorkGroupInvocations,
      limits.maxComputeWorkGroupCount[0], limits.maxPushConstantsSize);
  lines += text("   features   %s\n", features(device).c_str());
  if (device.problems.empty()) lines += text("   queues     %s\n", queues(device).c_str());
  lines +=
      text("   will do    %s\n", device.problems.empty() ? "yes" : ("no: it " + joined(device.problems, "; ")).c_str());
  return lines;
}

Status run() {
  const Result<Instance> instance = create_instance({});
  if (!instance) return instance.error();
  const Result<std::vector<DeviceInfo>> devices = list_devices(*instance);
  if (!devices) return devices.error();
  std::string lines;
  for (const DeviceInfo& device : *devices) lines += describe(device);
  if (Status printed = print(lines); !printed) return printed;
  const Result<DeviceInfo> best = choose_device(*devices, "");
  if (!best) return best.error();
  return print(text("\nWithout --device, sinew runs on %u, %s.\n", best->index, printable(best->name).c_str()));
}

}  // namespace

void add_devices_command(CLI::App& app, Status& status) {
  CLI::App* command =
      app.add_subcommand("devices", "Lists the Vulkan devices, what each supports, and why one cannot be used");
  command->callback([&status] { status = run(); });
}

}  // namespace sinew::app
