// The motion of each vertex since the frame before. Instances move without turning; a shader of instances that turn
// would read how they were turned.

// The layout of sinew::SkinnedVertex.
struct Vertex {
  float x, y, z;
  uint normal;
};
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer Vertices { Vertex vertices[]; };

layout(location = kAttributePreviousVertices) in uvec2 previous_vertices;
layout(location = kAttributeMoved) in vec3 moved;

layout(location = 0) out vec4 clip_now;
layout(location = 1) out vec4 clip_before;
layout(location = 2) flat out uint was_drawn;

// Writes the outputs of a vertex. `position` is in model space.
void emit_motion(vec3 position, uint mesh_vertex) {
  clip_now = frame.clip_from_world * vec4(to_world(position), 1.0);
  gl_Position = clip_now;
  was_drawn = previous_vertices == uvec2(0) ? 0u : 1u;
  clip_before = clip_now;
  if (was_drawn == 0u) return;
  Vertex before = Vertices(previous_vertices).vertices[mesh_vertex];
  clip_before = frame.previous_clip_from_world * vec4(to_world(vec3(before.x, before.y, before.z)) - moved, 1.0);
}
