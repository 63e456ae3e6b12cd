// One camera ray per pixel, with shadows, and the mirror image on a wet ground. A hit gives instance, triangle and
// place; the skinned vertices, read through their address, give the normal there.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_ray_query : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#include "shaders/light.glsl"
#include "sinew/vulkan/skinned_vertex.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

struct SkinnedVertex {  // sinew::SkinnedVertex
  float x, y, z;
  uint normal;
};
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer Vertices { SkinnedVertex of[]; };

struct Instance {
  vec4 world_from_model[3];  // rows of a sinew::Matrix3x4
  uvec2 vertices;            // address of the skinned vertices of its pose
  uint color;
  uint unused;
};
layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;
layout(std430, set = 0, binding = 1) readonly buffer Indices { uint indices[]; };
layout(std430, set = 0, binding = 2) readonly buffer Instances { Instance instances[]; };
layout(std430, set = 0, binding = 3) writeonly buffer Picture { uint pixels[]; };

layout(push_constant) uniform Push {
  mat4 world_from_clip;
  vec4 eye;
  uvec2 size;
};

const float kFar = 1000.0, kOffset = 1e-3;  // meters

bool sees_sun(vec3 position) {
  rayQueryEXT query;
  rayQueryInitializeEXT(query, scene, gl_RayFlagsTerminateOnFirstHitEXT | gl_RayFlagsOpaqueEXT, 0xff, position, kOffset,
                        kToSun, kFar);
  while (rayQueryProceedEXT(query)) {}
  return rayQueryGetIntersectionTypeEXT(query, true) == gl_RayQueryCommittedIntersectionNoneEXT;
}

vec3 normal_of(Instance instance, uint triangle, vec2 place) {
  Vertices vertices = Vertices(instance.vertices);
  vec3 model = vec3(0);
  vec3 weights = vec3(1.0 - place.x - place.y, place);
  for (uint i = 0; i < 3; ++i) model += weights[i] * sinew_decode_normal(vertices.of[indices[3 * triangle + i]].normal);
  return normalize(vec3(dot(instance.world_from_model[0].xyz, model), dot(instance.world_from_model[1].xyz, model),
                        dot(instance.world_from_model[2].xyz, model)));
}

struct Seen {
  vec3 color;
  bool is_ground;
  vec3 position;
};

/// What a ray meets first: a character, the ground, or the sky.
Seen look(vec3 origin, vec3 direction) {
  float to_ground = direction.y < 0.0 && origin.y > kOffset ? -origin.y / direction.y : kFar;
  rayQueryEXT query;
  rayQueryInitializeEXT(query, scene, gl_RayFlagsOpaqueEXT, 0xff, origin, kOffset, direction, to_ground);
  while (rayQueryProceedEXT(query)) {}
  if (rayQueryGetIntersectionTypeEXT(query, true) != gl_RayQueryCommittedIntersectionNoneEXT) {
    Instance instance = instances[rayQueryGetIntersectionInstanceCustomIndexEXT(query, true)];
    vec3 position = origin + direction * rayQueryGetIntersectionTEXT(query, true);
    vec3 normal = normal_of(instance, rayQueryGetIntersectionPrimitiveIndexEXT(query, true),
                            rayQueryGetIntersectionBarycentricsEXT(query, true));
    if (dot(normal, direction) > 0.0) normal = -normal;  // both sides are seen
    float open = mix(0.55, 1.0, smoothstep(0.0, 1.2, position.y));
    float sun = sees_sun(position + normal * 4.0 * kOffset) ? 1.0 : 0.0;
    vec3 lit = reflected(unpackUnorm4x8(instance.color).rgb, normal, sun, open);
    return Seen(with_haze(lit, position, origin), false, position);
  }
  if (to_ground == kFar) return Seen(sky_color(direction), false, vec3(0));
  vec3 position = origin + direction * to_ground;
  float pixel = to_ground * to_ground / max(origin.y, 0.1) * 2e-3;
  return Seen(ground_color(position, pixel, origin, sees_sun(position) ? 1.0 : 0.0), true, position);
}

void main() {
  uvec2 pixel = gl_GlobalInvocationID.xy;
  if (any(greaterThanEqual(pixel, size))) return;
  vec4 far = world_from_clip * vec4((vec2(pixel) + 0.5) / vec2(size) * 2.0 - 1.0, 1, 1);
  vec3 direction = normalize(far.xyz / far.w - eye.xyz);
  Seen seen = look(eye.xyz, direction);
  if (seen.is_ground) {
    // Schlick's approximation: water mirrors more where it is seen at a flat angle.
    float mirrored = 0.06 + 0.94 * pow(1.0 + direction.y, 5.0);
    vec3 image = look(seen.position, vec3(direction.x, -direction.y, direction.z)).color;
    seen.color = mix(seen.color, image, mirrored * exp(-0.04 * distance(seen.position, eye.xyz)));
  }
  // Square roots: 8 bits are too few for dark colors that are linear.
  pixels[pixel.y * size.x + pixel.x] = packUnorm4x8(vec4(sqrt(exposed(seen.color)), 1));
}
