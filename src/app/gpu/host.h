// What the program uses of the host (src/host), by its own names.
#pragma once

#include "host/device.h"
#include "host/device_clock.h"
#include "host/frame_slots.h"
#include "host/graphics.h"
#include "host/handle.h"
#include "host/overlay_pass.h"
#include "host/pipeline.h"
#include "host/resources.h"
#include "host/swapchain.h"
#include "host/target.h"
#include "host/window.h"

namespace sinew::app {

using host::AsyncChoice, host::AsyncCompute, host::AsyncSituation, host::choose_async, host::compute_queue_index,
    host::create_timelines, host::FrameTimelines;
using host::begin_commands, host::read_timestamps, host::submit, host::SubmitSemaphores, host::write_timestamp;
using host::begin_pass, host::create_framebuffer, host::create_pass, host::create_render_pass, host::create_target,
    host::describe_attachment;
using host::check_messages, host::GraphicsContext, host::GraphicsOptions, host::set_up;
using host::choose_device, host::create_device, host::Device, host::DeviceInfo, host::DeviceOptions, host::list_devices,
    host::set_name, host::vulkan_error;
using host::choose_queue, host::choose_second_queue, host::QueueFamily, host::QueueIndex;
using host::ClockMap, host::ClockMoment, host::map_clock, host::read_both_clocks, host::SubmittedTicks;
using host::create_descriptor_sets, host::create_pipeline_layout, host::create_set_layout, host::DescriptorSets,
    host::write_buffer, host::write_image, host::write_texels;
using host::create_instance, host::Instance, host::InstanceOptions, host::validation_messages;
using host::device_clock, host::DeviceClock, host::fits_in, host::is_credible;
using host::Input, host::Key, host::KeyPress, host::Window;
using host::kColorFormat, host::kPictureFormat, host::Presentation, host::read_picture, host::record_presentation,
    host::Swapchain, host::Target;

using host::Buffer, host::BufferSpec, host::create_buffer, host::create_buffer_with, host::fit_upload_buffer,
    host::MemoryKind;
using host::create_image, host::create_sampler, host::create_texture, host::create_view, host::Image, host::ImageInfo,
    host::TextureInfo;
using host::full_barrier, host::run_once;

using host::Overlay, host::OverlayDraw, host::OverlayFont, host::OverlayLists, host::OverlayPass, host::OverlayVertex;

using host::BufferHandle, host::BufferViewHandle, host::CommandPoolHandle, host::DescriptorPoolHandle,
    host::DescriptorSetLayoutHandle, host::FenceHandle, host::FramebufferHandle, host::ImageHandle,
    host::ImageViewHandle, host::MemoryHandle, host::PipelineHandle, host::PipelineLayoutHandle, host::QueryPoolHandle,
    host::RenderPassHandle, host::SamplerHandle, host::SemaphoreHandle, host::ShaderModuleHandle;

}  // namespace sinew::app
