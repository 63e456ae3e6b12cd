#include "material_repair.h"

#include <cmath>

namespace sinew::internal {
namespace {

/// What a factor may be.
enum class Range : uint8_t { kShare, kPositive, kFinite };

bool is_within(float value, Range range) {
  if (!std::isfinite(value)) return false;
  return range == Range::kFinite || (value >= 0 && (range == Range::kPositive || value <= 1));
}

constexpr const char* text_of(Range range) {
  return range == Range::kShare      ? "not from 0 to 1"
         : range == Range::kPositive ? "negative or not finite"
                                     : "not finite";
}

class Repair {
 public:
  Repair(Material& material, std::vector<std::string>& warnings) : material_(material), warnings_(warnings) {}

  /// Replaces all of `values` if one of them is out of range.
  void factor(std::initializer_list<float*> values, Range range, float otherwise, const char* name) {
    bool valid = true;
    for (const float* value : values) valid = valid && is_within(*value, range);
    if (valid) return;
    for (float* value : values) *value = otherwise;
    warn(std::string("its ") + name + " is " + text_of(range) + ", " + (otherwise == 0 ? "0" : "1") + " instead");
  }

  void texture(Texture& texture) {
    const bool valid = std::isfinite(texture.rotation) && std::isfinite(texture.offset.x + texture.offset.y) &&
                       std::isfinite(texture.scale.x + texture.scale.y);
    if (texture.image < 0 || valid) return;
    texture = {};
    warn("the transform of a texture is not finite, the texture is left out");
  }

 private:
  void warn(const std::string& what) { warnings_.push_back("material '" + material_.name + "': " + what); }

  Material& material_;
  std::vector<std::string>& warnings_;
};

}  // namespace

void repair_materials(Scene& scene, std::vector<std::string>& warnings) {
  for (Material& material : scene.materials) {
    Repair repair(material, warnings);
    Vec4& base = material.base_color;
    Vec3& light = material.emissive;
    repair.factor({&base.x, &base.y, &base.z, &base.w}, Range::kFinite, 1, "base color");
    repair.factor({&material.metallic}, Range::kShare, 0, "metallic factor");
    repair.factor({&material.roughness}, Range::kShare, 1, "roughness factor");
    repair.factor({&material.normal_scale}, Range::kFinite, 1, "normal scale");
    repair.factor({&material.occlusion_strength}, Range::kShare, 1, "occlusion strength");
    repair.factor({&light.x, &light.y, &light.z}, Range::kPositive, 0, "emission");
    for (Texture* texture : material.textures()) repair.texture(*texture);
  }
}

void drop_unused_sets(const Mesh& mesh, std::vector<Material>& materials) {
  if (!mesh.second_uvs.empty()) return;
  for (Material& material : materials) {
    for (Texture* texture : material.textures()) texture->uv_set = 0;
  }
}

}  // namespace sinew::internal
