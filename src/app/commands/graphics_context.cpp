#include "commands/graphics_context.h"

namespace sinew::app {

Status set_up(const CrowdOptions& options, GraphicsContext& stage) {
  InstanceOptions instance_options;
  instance_options.validate = options.validate;
  if (options.window) {
    auto window = Window::create(options.width, options.height, "sinew crowd");
    if (!window) return window.error();
    stage.window = std::move(*window);
    instance_options.window_extensions = Window::instance_extensions();
  }
  auto instance = create_instance(instance_options);
  if (!instance) return instance.error();
  stage.instance = std::move(*instance);
  if (options.window) {
    auto surface = stage.window->create_surface(stage.instance.handle);
    if (!surface) return surface.error();
    stage.surface.instance = stage.instance.handle;
    stage.surface.handle = *surface;
  }
  auto devices = list_devices(stage.instance, stage.surface.handle);
  if (!devices) return devices.error();
  auto info = choose_device(*devices, options.device);
  if (!info) return info.error();
  auto device = create_device(stage.instance, *info, options.window);
  if (!device) return device.error();
  stage.device = std::move(*device);
  return {};
}

}  // namespace sinew::app
