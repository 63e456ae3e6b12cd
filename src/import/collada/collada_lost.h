// What a COLLADA document may say and is not kept: see lost_features.h.
#pragma once

#include "collada/collada_document.h"
#include "lost_features.h"

namespace sinew::internal {

/// The rows of lost_features_of_collada().
enum LostOfCollada : size_t {
  kLostChannels,
  kLostMorphWeights,
  kLostMorphs,
  kLostSkews,
  kLostExtrapolations,
  kLostSurfaces,
  kLostHoles,
  kLostOtherFiles,
  kLostHidden,
  kLostSkeletons,
};

/// Adds what the document has, except channels: read_animations() finds these.
void find_lost(const ColladaDocument& document, LostFeatures& lost);

}  // namespace sinew::internal
