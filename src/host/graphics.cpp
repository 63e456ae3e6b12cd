#include "host/graphics.h"

#include <algorithm>

namespace host {
namespace {

/// Leaves the list as it is where no device has them.
void keep_with_ray_queries(std::vector<DeviceInfo>& devices) {
  const auto lacks = [](const DeviceInfo& info) { return !info.ray_queries || !info.problems.empty(); };
  if (!std::all_of(devices.begin(), devices.end(), lacks)) std::erase_if(devices, lacks);
}

}  // namespace

Status set_up(const GraphicsOptions& options, GraphicsContext& graphics) {
  InstanceOptions instance_options;
  instance_options.validate = options.validate;
  const bool has_window = !options.title.empty();
  if (has_window) {
    Status opened = put(Window::create(options.width, options.height, options.title), graphics.window);
    if (!opened) return opened;
    instance_options.window_extensions = Window::instance_extensions();
  }
  if (Status made = put(create_instance(instance_options), graphics.instance); !made) return made;
  if (has_window) {
    graphics.surface.instance = graphics.instance.handle;
    Status made = put(graphics.window->create_surface(graphics.instance.handle), graphics.surface.handle);
    if (!made) return made;
  }
  auto devices = list_devices(graphics.instance, graphics.surface.handle);
  if (!devices) return devices.error();
  if (options.ray_queries) keep_with_ray_queries(*devices);
  auto info = choose_device(*devices, options.device);
  if (!info) return info.error();
  return put(create_device(graphics.instance, *info,
                           {.present = has_window,
                            .buffer_addresses = options.buffer_addresses,
                            .calibrated_clock = options.calibrated_clock,
                            .ray_queries = options.ray_queries}),
             graphics.device);
}

Status check_messages(const GraphicsContext& graphics) {
  const uint32_t messages = validation_messages(graphics.instance);
  if (messages == 0) return {};
  return Error{ErrorCode::kDeviceFailure, "the validation layers reported " + std::to_string(messages) +
                                              (messages == 1 ? " message" : " messages")};
}

}  // namespace host
