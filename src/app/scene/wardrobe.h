// What the people of a scene wear besides their own clothes: hats and bags. Made to the measures of each character, and
// chosen for each instance by its random number.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "scene/model.h"
#include "scene/scene.h"

namespace sinew::app {

/// Gives a model its wearables. Does nothing to a character without the joints that they follow. There are hats for
/// bare heads only: where the regions of the file say that nothing is above skin and hair. Call it when the model has
/// its levels of detail; bounds are then to be measured again. Costs some milliseconds. Errors as from add_wearables().
Status fill_wardrobe(Model& model);

/// What each instance of a scene wears: at most one wearable of each choice; see crowd::Instances::outfits. Empty if no
/// model has any.
std::vector<uint64_t> choose_outfits(std::span<const Model> models, const Scene& scene);

}  // namespace sinew::app
