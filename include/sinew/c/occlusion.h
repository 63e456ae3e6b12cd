// What the depth image of an earlier frame hides. The same as sinew/crowd/occlusion.h.
#pragma once

#include "sinew/c/base.h"
#include "sinew/c/crowd.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The depth of an earlier frame. See DepthImage in sinew/crowd/occlusion.h, also for `margin`.
typedef struct SinewDepthImage {
  uint32_t size;
  uint32_t width, height;  // pixels, 1 to 16384 each
  const float* depth;      // [height][width], rows from the top: the farthest depth in each pixel
  SinewView view;          // that the image was drawn with
  uint32_t view_index;     // in SinewCrowdFrame::views: of the view that it stands for
  uint32_t reversed;       // 1: near is 1
  float margin;            // world units that are added to the radius of each sphere
} SinewDepthImage;

/// Makes a pyramid that hides nothing, for SinewCrowdFrame::depth_pyramid. It must not change during a plan. Error:
/// OUT_OF_MEMORY.
SINEW_C_API SinewResult sinew_depth_pyramid_create(SinewDepthPyramid** out, SinewError* error);

/// Destroys a pyramid. NULL is ignored.
SINEW_C_API void sinew_depth_pyramid_destroy(SinewDepthPyramid* pyramid);

/// Copies an image. Errors, with a pyramid that hides nothing: INVALID_ARGUMENT, OUT_OF_MEMORY.
SINEW_C_API SinewResult sinew_depth_pyramid_build(SinewDepthPyramid* pyramid, const SinewDepthImage* image,
                                                  SinewError* error);

/// Hides nothing until the next build: for the frame after a cut of the camera.
SINEW_C_API SinewResult sinew_depth_pyramid_clear(SinewDepthPyramid* pyramid, SinewError* error);

#ifdef __cplusplus
}
#endif
