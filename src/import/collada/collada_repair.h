// Changes of a COLLADA document for Assimp, which refuses it or crashes otherwise, or reads it wrong.
#pragma once

#include <cstdint>
#include <vector>

#include "collada/collada_document.h"

namespace sinew::internal {

/// Changes the document. `scene` is the visual scene that it shows, or empty. Afterwards:
/// - it has no animations: they are read elsewhere, and Assimp refuses the file for one it does not understand;
/// - it has no skews, and no instance is in another file;
/// - colors have four numbers and no white space before them;
/// - no geometry has an input without data or a polygon with holes;
/// - it has no morph controllers: Assimp does not find their meshes;
/// - a skin without joints or weights is the mesh alone;
/// - joint -1 of a skin, the bind shape, is the root of the scene, which does not move.
/// Throws ImportFailure for joints that do not exist and for controllers that refer to each other.
void repair_for_assimp(ColladaDocument& document, pugi::xml_node scene);

/// The text of the document.
std::vector<uint8_t> text_of(const ColladaDocument& document);

}  // namespace sinew::internal
