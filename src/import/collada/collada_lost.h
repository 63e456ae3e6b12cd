// What a COLLADA document may say and is not kept: see lost_features.h.
#pragma once

#include "collada/collada_document.h"
#include "lost_features.h"
#include "source_material.h"

namespace sinew::internal {

/// The rows of lost_features_of_collada(), before those of materials.
enum LostOfCollada : size_t {
  kLostChannels,
  kLostSkews,
  kLostExtrapolations,
  kLostSurfaces,
  kLostHoles,
  kLostOtherFiles,
  kLostMissing,
  kLostSkins,
  kLostJoints,
  kLostWeights,
  kLostWeightIndices,
  kLostMorphs,
  kLostShapes,
  kLostImages,
};

/// Adds what nothing else reads.
void find_lost(const ColladaDocument& document, LostFeatures& lost);

}  // namespace sinew::internal
