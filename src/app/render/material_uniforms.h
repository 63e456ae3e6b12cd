// What the shaders read of a material besides its textures.
#pragma once

#include "scene/person_colors.h"
#include "shared/crowd.h"
#include "sinew/asset/material.h"
#include "sinew/asset/mesh.h"

namespace sinew::app {

/// Whether a material has more than a base color and its texture: other textures, metal, gloss or emission.
bool has_maps(const Material& material);

/// Where the colors of a mesh begin in the buffer of its texture coordinates, in elements, and its uv sets, which are
/// there if `uv_sets`.
struct SurfacePlaces {
  uint32_t colors = 0, uvs = 0, second_uvs = 0, count = 0;
};
SurfacePlaces places_of(const Mesh& mesh, bool uv_sets);

/// Of a material of a character: without regions.
shared::MaterialUniforms uniforms_of(const Material& material, const SurfacePlaces& places);

/// Sets the colors that people may have in regions of these colors. `regions`: where the regions are, kRegionsNone or
/// one of its alternatives.
void set_palettes(const RegionColors& colors, uint32_t regions, shared::MaterialUniforms& uniforms);

}  // namespace sinew::app
