// Characters: skeleton, clips, mesh, materials and images of a file, as plain data; and the CPU skinner.
//
// What a query returns points into the character. It is valid until the character is destroyed or changed.
#pragma once

#include "sinew/c/base.h"
#include "sinew/c/material.h"

#ifdef __cplusplus
extern "C" {
#endif

/// One animated model, with its bake and its levels of detail. Evaluators and planners share it: while there is one,
/// the character cannot be changed, and what it holds lives on after sinew_character_destroy().
typedef struct SinewCharacter SinewCharacter;

/// The counts of a character, and its space.
typedef struct SinewCharacterInfo {
  uint32_t size;
  uint32_t joint_count, clip_count, part_count, material_count, image_count;
  uint32_t palette_size;   // matrices of one palette
  uint32_t level_count;    // levels of detail, the full mesh included: at least 1
  uint32_t baked;          // 1 if it has baked clips
  uint32_t warning_count;  // what import dropped or did not find
  uint32_t target_count;   // morph targets of the mesh
  const char* name;
  float up[3], front[3];  // axes of model space: those of the file
  float meters_per_unit;
} SinewCharacterInfo;

/// A joint. Joints are sorted: parents first.
typedef struct SinewJoint {
  uint32_t size;
  int32_t parent;  // -1 for a root
  const char* name;
  float translation[3], rotation[4], scale[3];  // the rest pose, relative to the parent; rotation: x y z w
} SinewJoint;

/// A clip. Times are those of the file: it may start after 0.
typedef struct SinewClip {
  uint32_t size;
  float start_seconds, end_seconds;
  uint32_t additive;  // 1: its tracks are differences, added on top of other clips
  const char* name;
  float baked_error;  // in meters of a character of 1.8 m; 0 without a bake
  uint32_t marker_count;
} SinewClip;

/// A moment of a clip that has a name: sinew_player_events() reports it when it is passed. The element of an array.
typedef struct SinewMarker {
  float time_seconds;  // finite; of the clip's own time, from its start to its end
  const char* name;    // may repeat
} SinewMarker;

/// How much one palette entry moves one vertex. The element of an array.
typedef struct SinewInfluence {
  uint16_t entry;
  float weight;  // finite, above 0; of all influences of a vertex, weights add to 1
} SinewInfluence;

/// A morph target: how vertices move where its weight is 1, in mesh space. Only the vertices that it moves are stored.
/// The element of an array.
typedef struct SinewMorphTarget {
  const char* name;          // may be null
  float rest_weight;         // finite; of an instance that plays no clip with this target
  uint32_t vertex_count;     // that it moves
  const uint32_t* vertices;  // [vertex_count], ascending
  const float* positions;    // [vertex_count][3]: differences
  const float* normals;      // [vertex_count][3]: differences of unit normals; or null
  const float* tangents;     // [vertex_count][3]: differences of x y z; or null
} SinewMorphTarget;

/// How the influences of a vertex are blended: as matrices, or rotations as dual quaternions, which keeps volume.
enum { SINEW_BLEND_LINEAR = 0, SINEW_BLEND_DUAL_QUATERNION = 1 };

/// A mesh in mesh space. Queries fill all of it. A host may describe a mesh of its own: positions, normals and
/// influences are needed.
typedef struct SinewMesh {
  uint32_t size;
  uint32_t vertex_count, index_count, influence_count;
  const float* positions;            // [vertex_count][3]
  const float* normals;              // [vertex_count][3], unit length
  const float* tangents;             // [vertex_count][4], or null
  const float* uvs;                  // [vertex_count][2]: uv set 0; the origin is the top left of the image; or null
  const uint16_t* colors;            // [vertex_count][4]: linear rgba, 65535 for 1; null: all white; queries only
  const uint32_t* indices;           // [index_count], three per triangle
  const uint32_t* first_influence;   // [vertex_count + 1]: vertex v has influences [first[v], first[v + 1])
  const SinewInfluence* influences;  // [influence_count]
  uint32_t target_count;
  const SinewMorphTarget* targets;  // [target_count]; the same in every level of detail, or none
  uint32_t blend;                   // SINEW_BLEND_...
  float error;                      // of a level of detail: the largest distance between its surface and that of the
                                    // full mesh, in many poses, in units of model space
  const float* second_uvs;          // [vertex_count][2]: uv set 1; or null
  uint32_t part_count;              // queries only: see sinew_character_part()
} SinewMesh;

/// Consecutive triangles of a mesh with one material.
typedef struct SinewPart {
  uint32_t size;
  uint32_t material;
  uint32_t first_vertex, vertex_count, first_index, index_count;
  const char* name;
} SinewPart;

/// Reads a `.sinew` file, with its bake if it has one. Needs no importer. Errors: NOT_FOUND, UNREADABLE, INVALID_DATA,
/// UNSUPPORTED (file of another version), OUT_OF_MEMORY. sinew_character_import() reads other formats.
SINEW_C_API SinewResult sinew_character_load(const char* path, SinewCharacter** out, SinewError* error);

/// The same from memory, which is copied: bytes of a `.sinew` file, at any address. They need not be trusted.
SINEW_C_API SinewResult sinew_character_load_memory(const void* bytes, size_t size_bytes, SinewCharacter** out,
                                                    SinewError* error);

/// Writes a `.sinew` file: the character and its bake, without levels of detail.
SINEW_C_API SinewResult sinew_character_write(const SinewCharacter* character, const char* path, SinewError* error);

/// Destroys a character. NULL is ignored.
SINEW_C_API void sinew_character_destroy(SinewCharacter* character);

/// Rotates and scales model space to meters, y up, z to the front. If that changes anything, a bake is dropped: call it
/// before sinew_character_bake(). So are levels of detail with a palette of their own. Error: INVALID_ARGUMENT (an
/// evaluator or a planner uses the character).
SINEW_C_API SinewResult sinew_character_to_meters(SinewCharacter* character, SinewError* error);

/// Counts and space.
SINEW_C_API SinewResult sinew_character_info(const SinewCharacter* character, SinewCharacterInfo* out,
                                             SinewError* error);
/// Joint number `index`. Error: INVALID_ARGUMENT (no such `index`).
SINEW_C_API SinewResult sinew_character_joint(const SinewCharacter* character, uint32_t index, SinewJoint* out,
                                              SinewError* error);
/// Clip number `index`. Error: INVALID_ARGUMENT (no such `index`).
SINEW_C_API SinewResult sinew_character_clip(const SinewCharacter* character, uint32_t index, SinewClip* out,
                                             SinewError* error);
/// Marker number `index` of a clip. Error: INVALID_ARGUMENT (no such `clip`, no such `index`).
SINEW_C_API SinewResult sinew_character_marker(const SinewCharacter* character, uint32_t clip, uint32_t index,
                                               SinewMarker* out, SinewError* error);
/// Material number `index`. Error: INVALID_ARGUMENT (no such `index`).
SINEW_C_API SinewResult sinew_character_material(const SinewCharacter* character, uint32_t index, SinewMaterial* out,
                                                 SinewError* error);
/// Image number `index`. Error: INVALID_ARGUMENT (no such `index`).
SINEW_C_API SinewResult sinew_character_image(const SinewCharacter* character, uint32_t index, SinewImage* out,
                                              SinewError* error);
/// A line about something that import dropped or did not find. Error: INVALID_ARGUMENT (no such `index`).
SINEW_C_API SinewResult sinew_character_warning(const SinewCharacter* character, uint32_t index, const char** out,
                                                SinewError* error);
/// The mesh of a level of detail; 0 is the full mesh. Error: INVALID_ARGUMENT (no such `level`).
SINEW_C_API SinewResult sinew_character_mesh(const SinewCharacter* character, uint32_t level, SinewMesh* out,
                                             SinewError* error);
/// A part of that mesh: SinewMesh::part_count says how many there are. The smallest levels have one part, the others
/// those of the full mesh, some of them without triangles. Error: INVALID_ARGUMENT (no such `level`, no such `index`).
SINEW_C_API SinewResult sinew_character_part(const SinewCharacter* character, uint32_t level, uint32_t index,
                                             SinewPart* out, SinewError* error);
/// The index of the first clip, or joint, of that name. Error: INVALID_ARGUMENT, if there is none.
SINEW_C_API SinewResult sinew_character_find_clip(const SinewCharacter* character, const char* name, uint32_t* out,
                                                  SinewError* error);
/// See sinew_character_find_clip().
SINEW_C_API SinewResult sinew_character_find_joint(const SinewCharacter* character, const char* name, uint32_t* out,
                                                   SinewError* error);

/// The CPU skinner, the reference of every other, in double precision; blends as the mesh says. `palette` holds
/// `palette_size` matrices model_from_mesh; `weights` holds one per morph target; `weights` may be NULL. `positions`
/// and `normals` receive [vertex_count][3] in model space; `normals` may be NULL. Validates and copies the mesh: not
/// for every frame. Errors: INVALID_DATA (mesh), INVALID_ARGUMENT, OUT_OF_MEMORY.
SINEW_C_API SinewResult sinew_skin_on_cpu(const SinewMesh* mesh, const SinewMatrix3x4* palette, uint32_t palette_size,
                                          const float* weights, float* positions, float* normals, SinewError* error);

/// The unit normal that a skinned vertex of SINEW_FORMAT_OCTAHEDRAL or _PACKED holds.
SINEW_C_API void sinew_decode_normal(uint32_t encoded, float normal[3]);

#ifdef __cplusplus
}
#endif
