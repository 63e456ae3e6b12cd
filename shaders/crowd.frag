// A textured surface in the light of the scene: metallic-roughness as in glTF 2.0.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shared/skinning.h"
#include "shared/crowd.h"

layout(set = kSetFrame, binding = kBindingFrame, std140) uniform Frame { FrameUniforms frame; };
#include "shared/light.glsl"
#include "shared/sunlight.glsl"
layout(set = kSetMaterial, binding = kBindingBaseColor) uniform sampler2D base_color;
layout(set = kSetMaterial, binding = kBindingRegions) uniform sampler2D regions;
layout(constant_id = kConstantColors) const uint kColors = kColorsOfMaterials;
layout(constant_id = kConstantAlphaMode) const uint kAlphaMode = 0;
layout(constant_id = kConstantDoubleSided) const uint kDoubleSided = 0;
layout(push_constant) uniform Push { DrawPushConstants push; };

layout(location = 0) in vec3 world_position;
layout(location = 1) in vec3 world_normal;
layout(location = 2) in vec2 uv;
layout(location = 3) flat in uint surface_tint;
layout(location = 4) in vec4 vertex_color;

layout(location = 5) in vec4 map_uvs;
layout(location = 6) in vec4 world_tangent;

layout(location = 0) out vec4 color;

#include "shared/material.glsl"
#include "shared/reflection.glsl"

// The color of a surface in this person. Skin keeps the hues of lips and cheeks; all else becomes light and dark of one
// color, as dyed cloth is.
vec3 in_person(vec3 base) {
  vec3 skin = material.skin[bitfieldExtract(surface_tint, 0, 6)].rgb;
  vec3 hair = material.hair[bitfieldExtract(surface_tint, 6, 6)].rgb;
  vec3 top = material.top[bitfieldExtract(surface_tint, 12, 6)].rgb;
  vec3 trousers = material.trousers[bitfieldExtract(surface_tint, 18, 6)].rgb;
  if (material.regions == kRegionsOfVertices)
    return max(base + map_uvs.x * skin + map_uvs.y * hair + map_uvs.z * top + map_uvs.w * trousers, 0.0);
  vec4 shares = texture(regions, uv);
  float kept = 1.0 - shares.x - shares.y - shares.z - shares.w;
  float light = dot(base, vec3(0.25, 0.6, 0.15));
  return base * (kept + shares.x * skin) + light * (shares.y * hair + shares.z * top + shares.w * trousers);
}

// The color of the material, with the person's in its regions, and its alpha. Colors that show data are not those of the
// material.
vec4 material_color() {
  vec4 base = push.base_color * texture(base_color, uv);
  if (kColors != kColorsOfVertices) base *= vertex_color;
  bool own = material.regions == kRegionsNone || bitfieldExtract(surface_tint, 24, 8) == 0u;
  return vec4(own || kColors != kColorsOfMaterials ? base.rgb : in_person(base.rgb), base.a);
}

// The normal on the side that is seen. The triangle decides, and not gl_FrontFacing: files wind triangles either way.
// Where a limb has four triangles, its vertices belong to the sunny side and to the other: the triangle tells which.
vec3 seen_normal(vec3 direction) {
  vec3 normal = normalize(world_normal), mapped = mapped_normal(normal);
  if (kDoubleSided == 0 && push.shading != kShadingFaces) return mapped;
  vec3 flat_normal = cross(dFdx(world_position), dFdy(world_position));
  if (push.shading == kShadingFaces)
    return normalize(normal - flat_normal * (sign(dot(flat_normal, direction)) / max(length(flat_normal), 1e-20)));
  return dot(flat_normal, direction) * dot(flat_normal, normal) > 0.0 ? -mapped : mapped;
}

// A color that shows data. It is shaded a little, by the angle to the eye, so that shapes are seen and colors can still
// be told apart.
vec3 data_color(vec3 normal, vec3 direction) {
  vec3 data = kColors == kColorsOfInstances ? unpackUnorm4x8(surface_tint).rgb : vertex_color.rgb;
  return data * (0.45 + 0.55 * abs(dot(normal, direction)));
}

// The light that a surface sends to the eye. One that is rough and no metal mirrors nothing but light at grazing angles.
vec3 lit(Surface surface, vec3 normal, vec3 direction, float distance) {
  // An approximation of ambient occlusion: surfaces near the ground receive less light.
  float occlusion = mix(0.55, 1.0, smoothstep(0.0, 0.9, world_position.y));
  float sun = sunlight(world_position, normal_offset(normal), distance);
  // Light of the sky that is reflected at grazing angles.
  float grazing = clamp(1.0 + dot(normal, direction), 0.0, 1.0);
  vec3 reflected = 0.22 * grazing * grazing * grazing * frame.horizon.rgb * (0.6 + 0.4 * normal.y);
  vec3 light = light_of_sun(normal, sun) + light_of_sky(normal) * surface.occlusion +
               light_of_lamps(world_position, normal);
  float mirrors = 1.0 - surface.roughness * (1.0 - surface.metallic);
  if (kMaps == 0 || mirrors == 0.0) return surface.color * light * occlusion + reflected + surface.emissive;
  vec3 face_on = mix(vec3(0.04), surface.color, surface.metallic);
  vec3 of_sun = mirrored_sun(surface, face_on, normal, direction, frame.sun.xyz) * sun;
  vec3 of_sky = mirrored_sky(surface, face_on, normal, direction) * surface.occlusion;
  vec3 mirrored = of_sun + mix(reflected, of_sky, mirrors);
  return (surface.color * (1.0 - surface.metallic) * light + mirrored) * occlusion + surface.emissive;
}

void main() {
  vec3 ray = world_position - frame.eye.xyz;
  float distance = length(ray);
  vec3 direction = ray / distance;
  vec3 normal = seen_normal(direction);
  vec4 surface = material_color();
  if (kAlphaMode == kAlphaMask && surface.a < push.alpha_cutoff) discard;
  if (kColors != kColorsOfMaterials) {
    color = vec4(data_color(normal, direction), 1.0);
    return;
  }
  vec3 seen = push.shading == kShadingUnlit ? surface.rgb : lit(surface_of(surface.rgb), normal, direction, distance);
  color = vec4(film(haze(seen, direction, distance)),
               kAlphaMode == kAlphaBlend ? surface.a : 1.0);
}
