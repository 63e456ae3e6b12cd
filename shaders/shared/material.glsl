// What a material's textures say of a place on its surface, for crowd.frag. Needs the varyings of surface.glsl.

layout(set = kSetMaterial, binding = kBindingMaterial, std140) uniform Uniforms { MaterialUniforms material; };
layout(set = kSetMaterial, binding = kBindingMetallicRoughness) uniform sampler2D metallic_roughness_map;
layout(set = kSetMaterial, binding = kBindingNormalMap) uniform sampler2D normal_map;
layout(set = kSetMaterial, binding = kBindingOcclusion) uniform sampler2D occlusion_map;
layout(set = kSetMaterial, binding = kBindingEmissive) uniform sampler2D emissive_map;
layout(constant_id = kConstantMaps) const uint kMaps = 0;
layout(constant_id = kConstantTangents) const uint kTangents = 0;

struct Surface {
  vec3 color;        // linear
  float metallic, roughness, occlusion;
  vec3 emissive;
};

// Where a map is read, numbered from kBindingMetallicRoughness on.
vec2 uv_of(uint map) {
  vec4 u = material.rows[2 * map], v = material.rows[2 * map + 1];
  vec3 from = vec3(u.w == 0.0 ? map_uvs.xy : map_uvs.zw, 1.0);
  return vec2(dot(u.xyz, from), dot(v.xyz, from));
}

Surface surface_of(vec3 color) {
  if (kMaps == 0) return Surface(color, 0.0, 1.0, 1.0, vec3(0.0));  // constants: the compiler drops what they switch off
  Surface surface = Surface(color, material.factors.x, material.factors.y, 1.0, material.emissive.rgb);
  vec4 packed = texture(metallic_roughness_map, uv_of(0u));
  surface.metallic *= packed.b;
  surface.roughness *= packed.g;
  surface.occlusion += material.factors.w * (texture(occlusion_map, uv_of(2u)).r - 1.0);
  surface.emissive *= texture(emissive_map, uv_of(3u)).rgb;
  return surface;
}

// The directions on the surface in which the coordinates of the normal map grow to the right and to the top of the
// image: from a skinned tangent, or where the skinning writes none from the triangle on the picture. Source of the
// latter: C. Schueler, "Normal Mapping without Precomputed Tangents", ShaderX 5, 2006.
void map_axes(vec3 normal, vec2 at, out vec3 right, out vec3 up) {
  if (kTangents != 0) {
    right = normalize(world_tangent.xyz);
    up = cross(normal, right) * world_tangent.w;
    return;
  }
  vec3 right_of_picture = dFdx(world_position), down_picture = dFdy(world_position);
  // Seen from the front, down is on the other side of right than in the source, whose pictures begin at the bottom.
  float side = dot(cross(right_of_picture, down_picture), normal) < 0.0 ? -1.0 : 1.0;
  vec3 x = side * cross(down_picture, normal), y = side * cross(normal, right_of_picture);
  vec2 at_x = dFdx(at), at_y = dFdy(at);
  right = x * at_x.x + y * at_y.x;
  up = -(x * at_x.y + y * at_y.y);
  float scale = inversesqrt(max(max(dot(right, right), dot(up, up)), 1e-30));
  right *= scale;
  up *= scale;
}

// `normal` has unit length.
vec3 mapped_normal(vec3 normal) {
  float scale = material.factors.z;  // 0: no map
  if (kMaps == 0 || scale == 0.0) return normal;
  vec2 at = uv_of(1u);
  vec3 right, up;
  map_axes(normal, at, right, up);
  vec3 mapped = texture(normal_map, at).xyz * 2.0 - 1.0;
  mapped.xy *= scale;
  vec3 result = right * mapped.x + up * mapped.y + normal * mapped.z;
  float size = length(result);
  return size > 1e-6 ? result / size : normal;
}
