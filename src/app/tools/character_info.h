// The output of `sinew info`: a character as JSON and as text.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "scene/model.h"
#include "sinew/asset/character.h"
#include "sinew/import/import.h"

namespace sinew::app {

/// A character for programs: space, mesh, parts, influences, joints, clips, materials, images, and what import found,
/// repaired and dropped. Skins the rest pose on the CPU to find the character's size. `levels` is null where there are
/// none. Later versions may add fields and remove none.
nlohmann::ordered_json info_json(const std::string& file, const Character& character, const ImportReport& report,
                                 std::span<const LevelFacts> levels = {});

/// The same for people. `info` is info_json() with this report. The joint hierarchy only where `with_joints`.
std::string info_text(const nlohmann::ordered_json& info, const ImportReport& report, bool with_joints);

/// What import did, of one kind; one item each.
struct ImportGroup {
  const char* name;
  std::vector<std::string> items;  // at least one
  bool is_fact = false;            // nothing differs from the file
};

/// What is lost comes first.
std::vector<ImportGroup> import_groups(const ImportReport& report);

}  // namespace sinew::app
