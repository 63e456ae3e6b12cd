// The output of `sinew info`: a character as text and as JSON.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "scene/model.h"
#include "sinew/asset/character.h"
#include "sinew/import/import.h"

namespace sinew::app {

/// A character as text for people: space, mesh, parts, influences, joints (the hierarchy where `with_joints`), clips,
/// materials, images, and what import found, repaired and dropped. `file` is the path that is printed. Skins the rest
/// pose on the CPU to find the character's size. Levels of detail are listed where there are any.
std::string info_text(const std::string& file, const Character& character, const ImportReport& report, bool with_joints,
                      std::span<const LevelFacts> levels = {});

/// What import did, of one kind; one item each.
struct ImportGroup {
  const char* name;
  std::vector<std::string> items;  // at least one
  bool is_fact = false;            // nothing differs from the file
};

/// What is lost comes first.
std::vector<ImportGroup> import_groups(const ImportReport& report);

/// The same as JSON for programs, joints always included. Later versions may add fields and remove none.
std::string info_json(const std::string& file, const Character& character, const ImportReport& report,
                      std::span<const LevelFacts> levels = {});

}  // namespace sinew::app
