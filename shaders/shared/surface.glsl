// What both ways of skinning hand to crowd.frag, and the attributes of an instance they share.

layout(set = kSetMaterial, binding = kBindingUvs, std430) readonly buffer Uvs { vec2 uvs[]; };

layout(location = kAttributeTint) in vec4 tint;
layout(location = kAttributeBase) in uint base;

layout(location = 0) out vec3 world_position;
layout(location = 1) out vec3 world_normal;
layout(location = 2) out vec2 uv;
layout(location = 3) flat out vec3 surface_tint;

vec3 decode_normal(vec2 folded) {
  vec3 n = vec3(folded, 1.0 - abs(folded.x) - abs(folded.y));
  float fold = max(-n.z, 0.0);
  n.xy += vec2(n.x < 0.0 ? fold : -fold, n.y < 0.0 ? fold : -fold);
  return normalize(n);
}

// Instances turn, move and scale evenly: normals need no more than the rotation.
void place(vec3 position, vec3 normal, uint mesh_vertex) {
  world_position = to_world(position);
  world_normal = vec3(dot(world_from_model[0].xyz, normal), dot(world_from_model[1].xyz, normal),
                      dot(world_from_model[2].xyz, normal));
  uv = uvs[mesh_vertex];
  surface_tint = tint.rgb;
  gl_Position = frame.clip_from_world * vec4(world_position, 1.0);
}
