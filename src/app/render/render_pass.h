// Render passes of one subpass, and their attachments.
#pragma once

#include <span>

#include "gpu/device.h"
#include "gpu/handle.h"
#include "sinew/asset/result.h"

namespace sinew::app {

/// An attachment whose contents before the pass do not matter. `after` is its layout after the pass.
VkAttachmentDescription describe_attachment(VkFormat format, VkSampleCountFlagBits samples, VkAttachmentStoreOp store,
                                            VkImageLayout after);

/// `name` is for messages and debuggers.
Result<RenderPassHandle> create_pass(const Device& device, std::span<const VkAttachmentDescription> attachments,
                                     const VkSubpassDescription& subpass,
                                     std::span<const VkSubpassDependency> dependencies, const char* name);

}  // namespace sinew::app
