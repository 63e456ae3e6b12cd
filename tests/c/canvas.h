// Draws a crowd into an image without a window, by the C interface alone. Each vertex of each drawn instance is a pixel
// with its numbers as floats: what draws show is compared like vertices that are read back.
#ifndef CANVAS_H
#define CANVAS_H

#include "device.h"
#include "sinew/c/sinew.h"

/// How the shaders find vertices: sinew_draw_record(), sinew_draw_record_with_previous(), or a storage buffer.
typedef enum DrawWay { kByInput, kWithPrevious, kPulled } DrawWay;

/// What the pixel of a vertex holds, in model space.
typedef struct DrawnVertex {
  float position[3], instance;  // which one, of the host's
  float before[3], normal_z;    // the position in the frame before; kByInput: as now
} DrawnVertex;

typedef struct Canvas {
  const Device* device;
  DrawWay way;
  uint32_t room, places, height, index_count;  // pixels of an instance; instances; rows of pixels; indices
  VkImage images[2];
  VkDeviceMemory memories[2];
  VkImageView views[2];
  VkRenderPass render_pass;
  VkFramebuffer framebuffer;
  VkDescriptorSetLayout set_layout;
  VkDescriptorPool sets;
  VkPipelineLayout layout;
  VkPipeline pipeline;
  HostBuffer indices, people, read[2];
} Canvas;

/// For meshes of at most `room` vertices of SINEW_FORMAT_OCTAHEDRAL, so many drawn instances, and so many indices in
/// the streams of all models.
Canvas make_canvas(const Device* device, DrawWay way, uint32_t room, uint32_t places, uint32_t index_count);
void destroy_canvas(Canvas* canvas);

/// Skinned vertices are read where this canvas draws, and copied.
void set_consumers(DrawWay way, SinewSkinnerInfo* info);

/// Copies indices to their place in the host's buffer.
void upload_indices(Canvas* canvas, const SinewMeshStreams* streams);

/// Records the crowd and all of its draws, submits and waits. A call that fails ends the program.
void draw_crowd(Canvas* canvas, SinewSkinnedCrowd* crowd);

/// Vertex `vertex` of the instance that is at `place` of SinewDraws::instances. What no draw has drawn is NaN.
DrawnVertex drawn_vertex(const Canvas* canvas, uint32_t place, uint32_t vertex);

#endif
