#include "render/material_uniforms.h"

#include <algorithm>
#include <cmath>

namespace sinew::app {
namespace {

constexpr float kDarkest = 0.002f;  // mean of a region; nothing is painted darker

/// transformed() as two rows: u and v are dot(row.xyz, (u, v, 1)).
void write_rows(const Texture& texture, shared::vec4* rows) {
  const Vec2 origin = transformed(texture, {0, 0}), u = transformed(texture, {1, 0}), v = transformed(texture, {0, 1});
  rows[0] = {u.x - origin.x, v.x - origin.x, origin.x, float(texture.uv_set)};
  rows[1] = {u.y - origin.y, v.y - origin.y, origin.y, 0};
}

/// Times a texel, or its brightness, it is the texel in the color of a person.
shared::vec4 factor_of(Vec3 color, const RegionColor& from, Region region) {
  const float light = brightness(from.bright);
  const Vec3 by = region == Region::kSkin ? from.bright : Vec3{light, light, light};
  const auto factor = [](float to, float of) { return to / std::max(of, kDarkest); };
  return {factor(color.x, by.x), factor(color.y, by.y), factor(color.z, by.z), 0};
}

/// Times the luminance in the region, it is what is added to the color of a vertex: sinew/import/lod.h.
shared::vec4 change_of(Vec3 color, const RegionColor& from) {
  const auto per_luminance = [](Vec3 of, Vec3 as) {
    return of * (1 / std::max(dot(as, {0.2126f, 0.7152f, 0.0722f}), kDarkest));
  };
  const Vec3 change = per_luminance(color, from.bright) - per_luminance(from.mean, from.mean);
  return {change.x, change.y, change.z, 0};
}

}  // namespace

bool has_maps(const Material& material) {
  const Vec3 emissive = material.emissive;
  const bool emits = emissive.x > 0 || emissive.y > 0 || emissive.z > 0;
  if (material.metallic != 0 || material.roughness != 1 || emits) return true;
  for (const Texture* texture : material.textures()) {
    if (texture != &material.base_color_texture && texture->image >= 0) return true;
  }
  return false;
}

SurfacePlaces places_of(const Mesh& mesh, bool uv_sets) {
  const uint32_t vertices = mesh.vertex_count();
  SurfacePlaces places;
  places.colors = vertices;
  places.uvs = vertices + uint32_t(mesh.colors.size());
  places.second_uvs = places.uvs + (mesh.second_uvs.empty() ? 0 : vertices);
  places.count = uv_sets ? places.second_uvs + vertices : places.uvs;
  return places;
}

shared::MaterialUniforms uniforms_of(const Material& material, const SurfacePlaces& places) {
  shared::MaterialUniforms uniforms{};
  const float normal_scale = material.normal_texture.image < 0 ? 0 : material.normal_scale;
  uniforms.factors = {material.metallic, material.roughness, normal_scale, material.occlusion_strength};
  uniforms.emissive = {material.emissive.x, material.emissive.y, material.emissive.z, 0};
  const Texture* maps[] = {&material.metallic_roughness_texture, &material.normal_texture, &material.occlusion_texture,
                           &material.emissive_texture};
  static_assert(std::size(maps) == shared::kMapCount);
  for (uint32_t m = 0; m < shared::kMapCount; ++m) write_rows(*maps[m], &uniforms.rows[2 * m]);
  uniforms.first_uvs = places.uvs, uniforms.first_second_uvs = places.second_uvs;
  return uniforms;
}

void set_palettes(const RegionColors& colors, uint32_t regions, shared::MaterialUniforms& uniforms) {
  static_assert(shared::kPaletteSize == kMaxColors);
  uniforms.regions = regions;
  const auto set = [&](Region region, shared::vec4* entries) {
    const RegionColor& from = colors[size_t(region) - 1];
    for (const Vec3 color : palette_of(region))
      *entries++ = regions == shared::kRegionsOfVertices ? change_of(color, from) : factor_of(color, from, region);
  };
  set(Region::kSkin, uniforms.skin), set(Region::kHair, uniforms.hair);
  set(Region::kTop, uniforms.top), set(Region::kTrousers, uniforms.trousers);
}

}  // namespace sinew::app
