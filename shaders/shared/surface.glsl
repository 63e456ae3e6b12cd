// What crowd.vert and skin.vert share: the attributes of an instance, and the inputs of crowd.frag.

// The shader that includes it declares the push constants.

layout(set = kSetMaterial, binding = kBindingUvs, std430) readonly buffer Uvs { uvec2 uvs[]; };

layout(set = kSetMaterial, binding = kBindingColors, std430) readonly buffer Colors { uint colors[]; };
layout(constant_id = kConstantColors) const uint kColors = kColorsOfMaterials;

layout(location = kAttributeTint) in vec4 tint;
layout(location = kAttributeFirstElement) in uint first_element;

layout(location = 0) out vec3 world_position;
layout(location = 1) out vec3 world_normal;
layout(location = 2) out vec2 uv;
layout(location = 3) flat out vec4 surface_tint;
layout(location = 4) out vec4 vertex_color;

// The color of a vertex: of the mesh, or where they show data, of what is shown.
vec4 color_of(uint mesh_vertex) {
  if (kColors == kColorsOfVertices) return vec4(unpackUnorm4x8(colors[mesh_vertex]).rgb, 1.0);
  if (push.first_color == 0u) return vec4(1.0);
  uvec2 rgba = uvs[push.first_color + mesh_vertex];
  return vec4(unpackUnorm2x16(rgba.x), unpackUnorm2x16(rgba.y));
}

// Writes the outputs of a vertex. `position` and `normal` are in model space. Instances scale uniformly, so the rows of
// world_from_model transform normals too; crowd.frag normalizes them.
void emit_vertex(vec3 position, vec3 normal, uint mesh_vertex) {
  world_position = to_world(position);
  world_normal = vec3(dot(world_from_model[0].xyz, normal), dot(world_from_model[1].xyz, normal),
                      dot(world_from_model[2].xyz, normal));
  uv = uintBitsToFloat(uvs[mesh_vertex]);
  surface_tint = tint;
  vertex_color = color_of(mesh_vertex);
  gl_Position = frame.clip_from_world * vec4(world_position, 1.0);
}
