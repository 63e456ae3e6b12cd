// The clips of a COLLADA file: which numbers of which nodes its animations move.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "collada/collada_curve.h"
#include "collada/collada_document.h"
#include "lost_features.h"

namespace sinew::internal {

/// A curve and what it moves: numbers of a node's transform, or weights of a <morph>.
struct ColladaChannel {
  ColladaCurve curve;
  uint32_t element = 0, transform = 0;  // in ColladaNodes::elements(), and in its transforms
  uint32_t first = 0, count = 0;        // the transform's numbers, or the weights, that the curve's first components
                                        // replace
  pugi::xml_node morph = {};            // empty: it moves a transform
};

struct ColladaClip {
  std::string name;
  std::vector<uint32_t> channels;    // indices in ColladaAnimations::channels
  std::optional<double> start, end;  // in seconds; none: where the keys start and end
  std::vector<std::string> repairs;  // warnings, without the clip's name
};

struct ColladaAnimations {
  std::vector<ColladaChannel> channels;
  std::vector<ColladaClip> clips;
};

/// Reads the animations of a document. Animations that <animation_clip>s name make a clip for each. Without them all
/// animations play at once, as the specification says, unless several move the same number: these are separate clips.
/// What moves neither a node of the scene nor a morph target is added to `lost`.
ColladaAnimations read_animations(const ColladaDocument& document, const ColladaNodes& nodes, ColladaSources& sources,
                                  LostFeatures& lost);

}  // namespace sinew::internal
