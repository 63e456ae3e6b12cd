// What crowd.vert and skin.vert share: the attributes of an instance, and the inputs of crowd.frag.

// The shader that includes it declares the push constants.

layout(set = kSetMaterial, binding = kBindingUvs, std430) readonly buffer Uvs { uvec2 uvs[]; };

layout(set = kSetMaterial, binding = kBindingColors, std430) readonly buffer Colors { uint colors[]; };
layout(constant_id = kConstantColors) const uint kColors = kColorsOfMaterials;

layout(location = kAttributeTint) in uint tint;
layout(location = kAttributeFirstElement) in uint first_element;

layout(location = 0) out vec3 world_position;
layout(location = 1) out vec3 world_normal;
layout(location = 2) out vec2 uv;
layout(location = 3) flat out uint surface_tint;
layout(location = 4) out vec4 vertex_color;
layout(location = 5) out vec4 map_uvs;        // uv sets 0 and 1, for materials with maps; or with
                                              // kRegionsOfVertices, where no map is, luminance in regions
layout(location = 6) out vec4 world_tangent;  // for materials with maps only

layout(set = kSetMaterial, binding = kBindingMaterial, std140) uniform Uniforms { MaterialUniforms material; };
layout(constant_id = kConstantMaps) const uint kMaps = 0;

// The color of a vertex: of the mesh, or where they show data, of what is shown.
vec4 color_of(uint mesh_vertex) {
  if (kColors == kColorsOfVertices) return vec4(unpackUnorm4x8(colors[mesh_vertex]).rgb, 1.0);
  if (push.first_color == 0u) return vec4(1.0);
  uvec2 rgba = uvs[push.first_color + mesh_vertex];
  return vec4(unpackUnorm2x16(rgba.x), unpackUnorm2x16(rgba.y));
}

// Writes the outputs of a vertex. `position`, `normal` and `tangent` are in model space; the tangent does not matter
// where the skinning writes none. crowd.frag normalizes directions.
void emit_vertex(vec3 position, vec3 normal, vec4 tangent, uint mesh_vertex) {
  world_position = to_world(position);
  world_normal = to_world_direction(normal);
  uv = uintBitsToFloat(uvs[mesh_vertex]);
  surface_tint = tint;
  vertex_color = color_of(mesh_vertex);
  map_uvs = vec4(0.0), world_tangent = vec4(0.0);
  if (kMaps != 0) {
    map_uvs.xy = uintBitsToFloat(uvs[material.first_uvs + mesh_vertex]);
    map_uvs.zw = uintBitsToFloat(uvs[material.first_second_uvs + mesh_vertex]);
    world_tangent = vec4(to_world_direction(tangent.xyz), tangent.w);
  }
  if (material.regions == kRegionsOfVertices)
    map_uvs = vec4(uintBitsToFloat(uvs[mesh_vertex]), uintBitsToFloat(uvs[material.first_second_uvs + mesh_vertex]));
  gl_Position = frame.clip_from_world * vec4(world_position, 1.0);
}
