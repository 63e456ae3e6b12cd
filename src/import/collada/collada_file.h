// A COLLADA file beside Assimp: its animations, which Assimp does not read as the format has them, and the text that
// Assimp reads. Meshes, skins and materials are Assimp's.
#pragma once

#include <cstdint>
#include <vector>

#include "collada/collada_animations.h"
#include "scene.h"
#include "sinew/import/import.h"

namespace sinew::internal {

class ColladaFile {
 public:
  /// Reads the animations of a file. Throws ImportFailure where Assimp would crash or not end. A file that is malformed
  /// has no text(): Assimp refuses it.
  ColladaFile(const std::vector<uint8_t>& bytes, ImportReport& report);

  /// The document for Assimp to read: repaired, without animations. Empty for a malformed file.
  const std::vector<uint8_t>& text() const { return text_; }

  /// Gives `scene`, which Assimp has read from text(), the file's clips and the exact rest transforms of its nodes.
  /// Tracks stay within 2.5e-6 of the diagonal of the file's curves. Throws ImportFailure if the clips need too much
  /// work or too many keys.
  void animate(Scene& scene) const;

 private:
  uint64_t size_bytes_ = 0;
  std::vector<uint8_t> text_;
  std::vector<uint32_t> nodes_;  // the element of each node, in the scene's order
  std::vector<ColladaElement> elements_;
  ColladaAnimations animations_;
  std::vector<std::string> motion_warnings_;
};

}  // namespace sinew::internal
