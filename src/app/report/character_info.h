// What `sinew info` says about a character.
#pragma once

#include <string>

#include "sinew/asset/character.h"
#include "sinew/import/import.h"

namespace sinew::app {

/// For people: space, mesh, parts, influences, joints (as a tree where `with_joints`), clips, materials, images, and
/// what import found, repaired and dropped.
std::string info_text(const std::string& file, const Character& character, const ImportReport& report,
                      bool with_joints);

/// The same for programs, joints always included. Fields may be added.
std::string info_json(const std::string& file, const Character& character, const ImportReport& report);

}  // namespace sinew::app
