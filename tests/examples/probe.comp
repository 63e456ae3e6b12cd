// Traces rays and writes the nearest hit of each.
#version 460
#extension GL_EXT_ray_query : require

layout(local_size_x = 64) in;

struct Ray {
  vec4 origin;     // and the largest distance
  vec4 direction;  // unit length
};
struct Hit {
  float distance;  // negative: none
  uint instance, triangle, unused;
};
layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;
layout(std430, set = 0, binding = 1) readonly buffer Rays { Ray rays[]; };
layout(std430, set = 0, binding = 2) writeonly buffer Hits { Hit hits[]; };

layout(push_constant) uniform Push { uint count; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i >= count) return;
  rayQueryEXT query;
  rayQueryInitializeEXT(query, scene, gl_RayFlagsOpaqueEXT, 0xff, rays[i].origin.xyz, 0.0, rays[i].direction.xyz,
                        rays[i].origin.w);
  while (rayQueryProceedEXT(query)) {}
  Hit hit = Hit(-1.0, 0, 0, 0);
  if (rayQueryGetIntersectionTypeEXT(query, true) != gl_RayQueryCommittedIntersectionNoneEXT) {
    hit.distance = rayQueryGetIntersectionTEXT(query, true);
    hit.instance = rayQueryGetIntersectionInstanceCustomIndexEXT(query, true);
    hit.triangle = rayQueryGetIntersectionPrimitiveIndexEXT(query, true);
  }
  hits[i] = hit;
}
