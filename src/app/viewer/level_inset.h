// The magnified figure in a corner, where a level of detail is shown at its own size.
#pragma once

#include <optional>

#include "render/inset.h"
#include "viewer/viewer.h"

namespace sinew::app {

/// The middle of the picture, where the selected character is, in the upper left corner of what the panels leave free,
/// magnified by a whole number. None where the level is enlarged, or the figure is too tall to be magnified twice.
std::optional<Inset> inset_of(const Viewer& viewer, VkExtent2D picture);

}  // namespace sinew::app
