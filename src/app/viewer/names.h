// The names in character files, which panels and labels write.
#pragma once

#include <span>
#include <string>

#include "scene/model.h"

namespace sinew::app {

/// All names of models and the lines of their import reports, on lines.
std::string all_names(std::span<const Model> models);

}  // namespace sinew::app
