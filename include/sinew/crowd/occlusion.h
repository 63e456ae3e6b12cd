// A ready-made PlanFrame::occlusion: what the depth image of an earlier frame hides.
//
//   DepthPyramid pyramid;
//   pyramid.build(image)                  once for each depth image
//   frame.occlusion = pyramid.source()    each frame; pyramid.clear() after a cut of the camera
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/api.h"
#include "sinew/asset/result.h"
#include "sinew/crowd/frame.h"

namespace sinew::crowd {

/// The depth of an earlier frame, on the CPU. It may be smaller than the picture, and then hides somewhat less.
struct DepthImage {
  uint32_t width = 0, height = 0;  // pixels, 1 to 16384 each
  /// width * height depths from 0 to 1 of Vulkan's clip space, rows from the top. Each is the farthest depth of all
  /// that its pixel covers: make it from the picture's depth with the maximum (reversed: minimum), not by drawing a
  /// small picture. Where nothing was drawn: the depth of the clear. Of 32 or 24 bits: 16 are too few.
  std::span<const float> depth = {};
  View view = {};           // that the image was drawn with
  uint32_t view_index = 0;  // in PlanFrame::views: of the view that the image stands for; it hides nothing from others
  bool reversed = false;    // near is 1
  /// World units that are added to the radius of each sphere. It must cover what has moved since the image was drawn:
  /// the way of an instance in world space (its own sphere moves along, but the picture shows where it was), the way of
  /// what hides it, and the way of the eye: an eye that moves by d moves an edge at distance a before an instance at
  /// distance b by d * (b / a - 1). A camera that turns needs none.
  float margin = 0;
};

/// The farthest depth in squares of 1, 2, 4 ... pixels of a depth image. A sphere is hidden if its nearest point is
/// behind the farthest depth of its rectangle in the image. Never hidden are spheres that reach outside the image's
/// view, cross its near plane or have a radius that is not finite. So with views and depths that stand still, no
/// instance that shows a pixel is hidden; with those that move, as far as the margin goes: an instance beyond it
/// appears with the next image.
///
/// The calls that are const may run in parallel.
class SINEW_API DepthPyramid {
 public:
  /// Copies the image, which takes about as long as reading it. No allocation where the last image had its size.
  /// Errors, with a pyramid that hides nothing: kInvalidArgument (a size of 0 or too large, another number of depths),
  /// kOutOfMemory.
  Status build(const DepthImage& image);

  /// Hides nothing until the next build(): for the frame after a cut of the camera.
  void clear();

  /// Whether the image hides all of a sphere. Costs three square roots and at most 16 depths.
  bool is_hidden(const Sphere& sphere) const;

  /// For PlanFrame::occlusion. The pyramid must neither move nor change during a plan.
  OcclusionSource source() const;

 private:
  /// x, y, z or w of clip space, as a function of a point in world space.
  struct Row {
    double x = 0, y = 0, z = 0, w = 0;
  };
  struct Level {
    uint32_t width = 0, height = 0;
    size_t first = 0;  // in depths_
  };
  struct Range {
    double low = 0, high = 0;
  };

  static bool find_range(const Row& row, const Row& w, const Sphere& sphere, Range& range);
  void add_level(const Level& finer);

  std::vector<float> depths_;  // of all levels; near is less than far
  std::vector<Level> levels_;  // finest first; none: hides nothing
  Row x_, y_, z_, w_;
  uint32_t view_index_ = 0;
  bool reversed_ = false;
  float margin_ = 0;
};

}  // namespace sinew::crowd
