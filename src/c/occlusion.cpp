// Occlusion.
#include "sinew/c/occlusion.h"

#include "host_data.h"

using namespace sinew;
using namespace sinew::c;

SinewResult sinew_depth_pyramid_create(SinewDepthPyramid** out, SinewError* error) {
  return create(out, error, __func__, [](SinewDepthPyramid&) {});
}

void sinew_depth_pyramid_destroy(SinewDepthPyramid* pyramid) { delete pyramid; }

SinewResult sinew_depth_pyramid_build(SinewDepthPyramid* pyramid, const SinewDepthImage* image, SinewError* error) {
  return call(error, __func__, [&] {
    crowd::DepthPyramid& own = required(pyramid, "pyramid").pyramid;
    own.clear();
    const SinewDepthImage given = read(image, "image");
    crowd::DepthImage known;
    known.width = given.width, known.height = given.height;
    known.depth = array(given.depth, size_t(given.width) * given.height, "image->depth");
    known.view = *as_cpp(&given.view), known.view_index = given.view_index;
    known.reversed = given.reversed != 0, known.margin = given.margin;
    check(own.build(known));
  });
}

SinewResult sinew_depth_pyramid_clear(SinewDepthPyramid* pyramid, SinewError* error) {
  return call(error, __func__, [&] { required(pyramid, "pyramid").pyramid.clear(); });
}
