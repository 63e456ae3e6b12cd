#include "assimp/assimp_lost.h"

namespace sinew::internal {
namespace {

constexpr auto kAssimpFeatures = with_material_rows({
    {"animation", "format", "its animation is not read: it stands still", LostFrom::kMotion},
    {"poses", "pose", "poses of Ogre meshes are not read"},
});
static_assert(kAssimpFeatures.size() == kLostPoses + 1 + std::size(kMaterialRows));

}  // namespace

std::span<const LostFeature> lost_features_of_assimp() { return kAssimpFeatures; }

void find_lost(std::span<const uint8_t> file, const std::string& path, LostFeatures& lost) {
  if (!path.ends_with(".mesh.xml")) return;
  constexpr std::string_view kPose = "<pose ";
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  for (size_t at = text.find(kPose); at != text.npos; at = text.find(kPose, at + 1)) {
    const size_t end = text.find('>', at), name = text.find("name=\"", at);
    const size_t close = name < end ? text.find('"', name + 6) : text.npos;
    lost.add(kLostPoses, close < end ? text.substr(name + 6, close - name - 6) : std::string_view());
  }
}

}  // namespace sinew::internal
