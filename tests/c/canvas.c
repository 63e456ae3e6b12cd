#include "canvas.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ok.h"

enum { kWidth = 1024, kMaxSets = 64, kPersonWords = 3 };
static const VkFormat kFormat = VK_FORMAT_R32G32B32A32_SFLOAT;

static const uint32_t kVertexShader[] = {
#include "canvas.vert.inc"
};
static const uint32_t kPulledShader[] = {
#include "pulled/canvas.vert.inc"
};
static const uint32_t kFragmentShader[] = {
#include "canvas.frag.inc"
};

static void fits(int condition, const char* what) {
  if (condition) return;
  fprintf(stderr, "the canvas is too small for the %s\n", what);
  exit(1);
}

// --- making ---

static void make_image(Canvas* canvas, int i) {
  const VkDevice device = canvas->device->device;
  const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                  .imageType = VK_IMAGE_TYPE_2D,
                                  .format = kFormat,
                                  .extent = {kWidth, canvas->height, 1},
                                  .mipLevels = 1,
                                  .arrayLayers = 1,
                                  .samples = VK_SAMPLE_COUNT_1_BIT,
                                  .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT};
  must(vkCreateImage(device, &info, NULL, &canvas->images[i]), "vkCreateImage");
  VkMemoryRequirements needs;
  vkGetImageMemoryRequirements(device, canvas->images[i], &needs);
  VkMemoryPropertyFlags properties;
  const VkMemoryAllocateInfo allocate = {
      .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
      .allocationSize = needs.size,
      .memoryTypeIndex = memory_type(canvas->device, needs.memoryTypeBits, 0, &properties)};
  must(vkAllocateMemory(device, &allocate, NULL, &canvas->memories[i]), "vkAllocateMemory");
  must(vkBindImageMemory(device, canvas->images[i], canvas->memories[i], 0), "vkBindImageMemory");
  const VkImageViewCreateInfo view = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                      .image = canvas->images[i],
                                      .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                      .format = kFormat,
                                      .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
  must(vkCreateImageView(device, &view, NULL, &canvas->views[i]), "vkCreateImageView");
  canvas->read[i] = make_buffer(canvas->device, (VkDeviceSize)kWidth * canvas->height * 4 * sizeof(float),
                                VK_BUFFER_USAGE_TRANSFER_DST_BIT);
}

static void make_target(Canvas* canvas) {
  const VkAttachmentDescription image = {.format = kFormat,
                                         .samples = VK_SAMPLE_COUNT_1_BIT,
                                         .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                         .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                         .finalLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL};
  const VkAttachmentDescription images[2] = {image, image};
  const VkAttachmentReference colors[2] = {{0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL},
                                           {1, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL}};
  const VkSubpassDescription subpass = {
      .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS, .colorAttachmentCount = 2, .pColorAttachments = colors};
  const VkSubpassDependency to_copies = {.srcSubpass = 0,
                                         .dstSubpass = VK_SUBPASS_EXTERNAL,
                                         .srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                                         .dstStageMask = VK_PIPELINE_STAGE_TRANSFER_BIT,
                                         .srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                                         .dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT};
  const VkRenderPassCreateInfo pass = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                       .attachmentCount = 2,
                                       .pAttachments = images,
                                       .subpassCount = 1,
                                       .pSubpasses = &subpass,
                                       .dependencyCount = 1,
                                       .pDependencies = &to_copies};
  const VkDevice device = canvas->device->device;
  must(vkCreateRenderPass(device, &pass, NULL, &canvas->render_pass), "vkCreateRenderPass");
  const VkFramebufferCreateInfo framebuffer = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                               .renderPass = canvas->render_pass,
                                               .attachmentCount = 2,
                                               .pAttachments = canvas->views,
                                               .width = kWidth,
                                               .height = canvas->height,
                                               .layers = 1};
  must(vkCreateFramebuffer(device, &framebuffer, NULL, &canvas->framebuffer), "vkCreateFramebuffer");
}

static void make_layout(Canvas* canvas) {
  const VkDevice device = canvas->device->device;
  VkDescriptorSetLayoutBinding bindings[2];
  for (uint32_t b = 0; b < 2; ++b)
    bindings[b] =
        (VkDescriptorSetLayoutBinding){b, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_VERTEX_BIT, NULL};
  const VkDescriptorSetLayoutCreateInfo set = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = 2, .pBindings = bindings};
  must(vkCreateDescriptorSetLayout(device, &set, NULL, &canvas->set_layout), "vkCreateDescriptorSetLayout");
  const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2 * kMaxSets};
  const VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                           .maxSets = kMaxSets,
                                           .poolSizeCount = 1,
                                           .pPoolSizes = &size};
  must(vkCreateDescriptorPool(device, &pool, NULL, &canvas->sets), "vkCreateDescriptorPool");
  const VkPushConstantRange push = {VK_SHADER_STAGE_VERTEX_BIT, 0, 4 * sizeof(uint32_t)};
  const VkPipelineLayoutCreateInfo layout = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                             .setLayoutCount = 1,
                                             .pSetLayouts = &canvas->set_layout,
                                             .pushConstantRangeCount = 1,
                                             .pPushConstantRanges = &push};
  must(vkCreatePipelineLayout(device, &layout, NULL, &canvas->layout), "vkCreatePipelineLayout");
}

static VkPipelineShaderStageCreateInfo make_stage(const Canvas* canvas, VkShaderStageFlagBits stage,
                                                  const uint32_t* code, size_t size_bytes) {
  const VkShaderModuleCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = size_bytes, .pCode = code};
  VkPipelineShaderStageCreateInfo made = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = stage, .pName = "main"};
  must(vkCreateShaderModule(canvas->device->device, &info, NULL, &made.module), "vkCreateShaderModule");
  return made;
}

/// The instances of the host in binding 0, skinned vertices in 1, previous ones in 2.
typedef struct Input {
  VkVertexInputBindingDescription bindings[3];
  VkVertexInputAttributeDescription attributes[4];
  uint32_t binding_count, attribute_count;
} Input;

static Input make_input(DrawWay way) {
  Input input = {.bindings = {{0, kPersonWords * sizeof(uint32_t), VK_VERTEX_INPUT_RATE_INSTANCE}},
                 .attributes = {{0, 0, VK_FORMAT_R32G32B32_UINT, 0}},
                 .binding_count = 1,
                 .attribute_count = 1};
  if (way == kPulled) return input;
  SinewVertexInput now = SINEW_INIT(SinewVertexInput), before = SINEW_INIT(SinewVertexInput);
  ok(sinew_vertex_input(SINEW_FORMAT_OCTAHEDRAL, 0, 1, 1, &now, &error));
  ok(sinew_vertex_input(SINEW_FORMAT_OCTAHEDRAL, 0, way == kWithPrevious ? 2 : 1, 3, &before, &error));
  input.bindings[input.binding_count++] = now.binding;
  if (way == kWithPrevious) input.bindings[input.binding_count++] = before.binding;
  for (uint32_t a = 0; a < now.attribute_count; ++a) input.attributes[input.attribute_count++] = now.attributes[a];
  input.attributes[input.attribute_count++] = before.attributes[0];  // no previous normal
  return input;
}

static void make_pipeline(Canvas* canvas) {
  const int pulls = canvas->way == kPulled;
  const VkPipelineShaderStageCreateInfo stages[2] = {
      make_stage(canvas, VK_SHADER_STAGE_VERTEX_BIT, pulls ? kPulledShader : kVertexShader,
                 pulls ? sizeof kPulledShader : sizeof kVertexShader),
      make_stage(canvas, VK_SHADER_STAGE_FRAGMENT_BIT, kFragmentShader, sizeof kFragmentShader)};
  const Input input = make_input(canvas->way);
  const VkPipelineVertexInputStateCreateInfo vertex_input = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
      .vertexBindingDescriptionCount = input.binding_count,
      .pVertexBindingDescriptions = input.bindings,
      .vertexAttributeDescriptionCount = input.attribute_count,
      .pVertexAttributeDescriptions = input.attributes};
  const VkPipelineInputAssemblyStateCreateInfo assembly = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
      .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST};
  const VkViewport viewport = {0, 0, kWidth, (float)canvas->height, 0, 1};
  const VkRect2D scissor = {{0, 0}, {kWidth, canvas->height}};
  const VkPipelineViewportStateCreateInfo view = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
                                                  .viewportCount = 1,
                                                  .pViewports = &viewport,
                                                  .scissorCount = 1,
                                                  .pScissors = &scissor};
  const VkPipelineRasterizationStateCreateInfo rasterization = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1};
  const VkPipelineMultisampleStateCreateInfo samples = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO, .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
  const VkPipelineColorBlendAttachmentState written = {.colorWriteMask = 0xf};
  const VkPipelineColorBlendAttachmentState all_written[2] = {written, written};
  const VkPipelineColorBlendStateCreateInfo blend = {.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
                                                     .attachmentCount = 2,
                                                     .pAttachments = all_written};
  const VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                             .stageCount = 2,
                                             .pStages = stages,
                                             .pVertexInputState = &vertex_input,
                                             .pInputAssemblyState = &assembly,
                                             .pViewportState = &view,
                                             .pRasterizationState = &rasterization,
                                             .pMultisampleState = &samples,
                                             .pColorBlendState = &blend,
                                             .layout = canvas->layout,
                                             .renderPass = canvas->render_pass};
  const VkDevice device = canvas->device->device;
  must(vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &info, NULL, &canvas->pipeline),
       "vkCreateGraphicsPipelines");
  for (int s = 0; s < 2; ++s) vkDestroyShaderModule(device, stages[s].module, NULL);
}

Canvas make_canvas(const Device* device, DrawWay way, uint32_t room, uint32_t places, uint32_t index_count) {
  Canvas canvas = {.device = device, .way = way, .room = room, .places = places};
  canvas.height = (room * places + kWidth - 1) / kWidth;
  for (int i = 0; i < 2; ++i) make_image(&canvas, i);
  make_target(&canvas);
  make_layout(&canvas);
  make_pipeline(&canvas);
  canvas.index_count = index_count;
  canvas.indices = make_buffer(device, index_count * sizeof(uint32_t), VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
  canvas.people = make_buffer(device, places * kPersonWords * sizeof(uint32_t), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
  return canvas;
}

void destroy_canvas(Canvas* canvas) {
  const VkDevice device = canvas->device->device;
  vkDestroyPipeline(device, canvas->pipeline, NULL);
  vkDestroyPipelineLayout(device, canvas->layout, NULL);
  vkDestroyDescriptorPool(device, canvas->sets, NULL);
  vkDestroyDescriptorSetLayout(device, canvas->set_layout, NULL);
  vkDestroyFramebuffer(device, canvas->framebuffer, NULL);
  vkDestroyRenderPass(device, canvas->render_pass, NULL);
  for (int i = 0; i < 2; ++i) {
    vkDestroyImageView(device, canvas->views[i], NULL);
    vkDestroyImage(device, canvas->images[i], NULL);
    vkFreeMemory(device, canvas->memories[i], NULL);
    destroy_buffer(canvas->device, &canvas->read[i]);
  }
  destroy_buffer(canvas->device, &canvas->indices), destroy_buffer(canvas->device, &canvas->people);
}

void set_consumers(DrawWay way, SinewSkinnerInfo* info) {
  info->consumer_stages = VK_PIPELINE_STAGE_TRANSFER_BIT |
                          (way == kPulled ? VK_PIPELINE_STAGE_VERTEX_SHADER_BIT : VK_PIPELINE_STAGE_VERTEX_INPUT_BIT);
  info->consumer_accesses =
      VK_ACCESS_TRANSFER_READ_BIT | (way == kPulled ? VK_ACCESS_SHADER_READ_BIT : VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT);
}

// --- frames ---

void upload_indices(Canvas* canvas, const SinewMeshStreams* streams) {
  fits(streams->first_index + streams->index_count <= canvas->index_count, "indices");
  memcpy((uint32_t*)canvas->indices.mapped + streams->first_index, streams->indices,
         streams->index_count * sizeof(uint32_t));
}

/// Where the vertices of each drawn instance begin, for shaders that pull them. Returns the buffer of previous ones.
static VkBuffer write_first_vertices(uint32_t (*people)[kPersonWords], uint32_t count, const SinewSkinnedCrowd* crowd) {
  uint32_t* first = malloc((count + 1) * sizeof *first);
  SinewVertexSlice* before = malloc((count + 1) * sizeof *before);
  ok(sinew_skinned_crowd_write_first_vertices(crowd, first, count, &error));
  ok(sinew_skinned_crowd_write_previous_vertices(crowd, before, count, &error));
  VkBuffer buffer = VK_NULL_HANDLE;
  for (uint32_t i = 0; i < count; ++i) {
    people[i][1] = first[i], people[i][2] = UINT32_MAX;
    if (before[i].buffer == VK_NULL_HANDLE) continue;
    fits(buffer == VK_NULL_HANDLE || buffer == before[i].buffer, "buffers of previous vertices");
    buffer = before[i].buffer, people[i][2] = (uint32_t)(before[i].offset / 16);
  }
  free(first), free(before);
  return buffer;
}

static void bind_buffers(const Canvas* canvas, VkCommandBuffer cmd, VkBuffer now, VkBuffer before) {
  const VkDevice device = canvas->device->device;
  const VkDescriptorSetAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                                .descriptorPool = canvas->sets,
                                                .descriptorSetCount = 1,
                                                .pSetLayouts = &canvas->set_layout};
  VkDescriptorSet set = VK_NULL_HANDLE;
  must(vkAllocateDescriptorSets(device, &allocate, &set), "vkAllocateDescriptorSets");
  const VkDescriptorBufferInfo buffers[2] = {{now, 0, VK_WHOLE_SIZE},
                                             {before != VK_NULL_HANDLE ? before : now, 0, VK_WHOLE_SIZE}};
  const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                      .dstSet = set,
                                      .descriptorCount = 2,
                                      .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                      .pBufferInfo = buffers};
  vkUpdateDescriptorSets(device, 1, &write, 0, NULL);
  vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, canvas->layout, 0, 1, &set, 0, NULL);
}

static void record_draws(Canvas* canvas, VkCommandBuffer cmd, const SinewSkinnedCrowd* crowd) {
  SinewDraws draws = SINEW_INIT(SinewDraws);
  ok(sinew_skinned_crowd_draws(crowd, &draws, &error));
  fits(draws.instance_count <= canvas->places && draws.draw_count <= kMaxSets, "drawn instances");
  uint32_t(*people)[kPersonWords] = canvas->people.mapped;
  for (uint32_t i = 0; i < draws.instance_count; ++i) people[i][0] = draws.instances[i];
  VkBuffer before = VK_NULL_HANDLE;
  if (canvas->way == kPulled) before = write_first_vertices(people, draws.instance_count, crowd);
  vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, canvas->pipeline);
  vkCmdBindIndexBuffer(cmd, canvas->indices.buffer, 0, VK_INDEX_TYPE_UINT32);
  const VkDeviceSize start = 0;
  vkCmdBindVertexBuffers(cmd, 0, 1, &canvas->people.buffer, &start);
  for (uint32_t d = 0; d < draws.draw_count; ++d) {
    const SinewDraw* draw = &draws.draws[d];
    fits(draw->vertex_count <= canvas->room, "mesh");
    const uint32_t push[4] = {kWidth, canvas->height, canvas->room, draw->vertex_count};
    vkCmdPushConstants(cmd, canvas->layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof push, push);
    if (canvas->way == kPulled) bind_buffers(canvas, cmd, draw->vertex_buffer, before);
    ok(canvas->way == kWithPrevious ? sinew_draw_record_with_previous(draw, cmd, 1, &error)
                                    : sinew_draw_record(draw, cmd, 1, &error));
  }
}

void draw_crowd(Canvas* canvas, SinewSkinnedCrowd* crowd) {
  must(vkResetDescriptorPool(canvas->device->device, canvas->sets, 0), "vkResetDescriptorPool");
  const VkCommandBuffer cmd = begin_commands(canvas->device);
  ok(sinew_skinned_crowd_record(crowd, cmd, NULL, &error));
  const VkClearValue nothing = {.color = {.float32 = {NAN, NAN, NAN, NAN}}};
  const VkClearValue clear[2] = {nothing, nothing};
  const VkRenderPassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                       .renderPass = canvas->render_pass,
                                       .framebuffer = canvas->framebuffer,
                                       .renderArea = {{0, 0}, {kWidth, canvas->height}},
                                       .clearValueCount = 2,
                                       .pClearValues = clear};
  vkCmdBeginRenderPass(cmd, &begin, VK_SUBPASS_CONTENTS_INLINE);
  record_draws(canvas, cmd, crowd);
  vkCmdEndRenderPass(cmd);
  const VkBufferImageCopy all = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                 .imageExtent = {kWidth, canvas->height, 1}};
  for (int i = 0; i < 2; ++i)
    vkCmdCopyImageToBuffer(cmd, canvas->images[i], VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, canvas->read[i].buffer, 1,
                           &all);
  make_visible_to_host(cmd);
  submit_and_wait(canvas->device, cmd);
}

DrawnVertex drawn_vertex(const Canvas* canvas, uint32_t place, uint32_t vertex) {
  const size_t pixel = (size_t)place * canvas->room + vertex;
  DrawnVertex drawn;
  memcpy(drawn.position, (const float*)canvas->read[0].mapped + 4 * pixel, 4 * sizeof(float));
  memcpy(drawn.before, (const float*)canvas->read[1].mapped + 4 * pixel, 4 * sizeof(float));
  return drawn;
}
