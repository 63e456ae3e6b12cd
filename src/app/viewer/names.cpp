#include "viewer/names.h"

namespace sinew::app {
namespace {

void add_lines(const auto& items, std::string& lines) {
  for (const auto& item : items) lines += item.name + "\n";
}

}  // namespace

std::string all_names(std::span<const Model> models) {
  std::string lines;
  add_lines(models, lines);
  for (const Model& model : models) {
    const Character& character = model.character;
    for (const std::string& joint : character.skeleton.joint_names) lines += joint + "\n";
    add_lines(character.clips, lines);
    for (const Clip& clip : character.clips) add_lines(clip.markers, lines);
    add_lines(character.mesh.parts, lines);
    add_lines(character.mesh.targets, lines);
    add_lines(character.materials, lines);
    for (const std::string& warning : model.report.warnings) lines += warning + "\n";
    for (const std::string& joint : model.report.retargeted) lines += joint + "\n";
  }
  return lines;
}

}  // namespace sinew::app
