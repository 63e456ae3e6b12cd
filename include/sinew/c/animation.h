// Animation: clips are baked once; each frame the evaluator turns what instances play into their palettes.
#pragma once

#include "sinew/c/asset.h"

#ifdef __cplusplus
extern "C" {
#endif

/// One clip at one time, and its weight in the blend.
typedef struct SinewLayer {
  uint32_t clip;
  float time_seconds;  // in the clip's own time, see sinew_character_clip_time()
  float weight;        // 1 for a clip alone; 0, less or NaN: the layer is off
  uint32_t mask;       // number of a mask of the evaluator; 0: all joints
} SinewLayer;

/// What one instance plays at one moment: the weighted mean of its layers, then the additive clips on top. All zeros,
/// it shows the rest pose. The element of an array.
typedef struct SinewPlayback {
  SinewLayer layers[4];
} SinewPlayback;

/// How precise a bake is. 0 is the default of each.
typedef struct SinewBakeOptions {
  uint32_t size;
  float max_error;              // finite, above 0; in meters of a character of 1.8 m; 0: 0.0001
  float error_radius;           // finite, above 0; from each joint to the points that are compared; 0: 0.1
  float min_frames_per_second;  // finite, above 0; 0: 30
  float max_frames_per_second;  // finite, above 0; at equal steps; 0: 240

  // Optional: called from time to time on the calling thread; `share` of the work is done, from 0 to 1.
  void* progress_user_data;
  void (*progress)(void* user_data, double share);
} SinewBakeOptions;

/// Boxes in model space that contain every vertex of an instance.
typedef struct SinewBounds {
  uint32_t size;
  SinewBox rest;  // in the rest pose
  SinewBox all;   // whatever it plays
} SinewBounds;

/// Bakes the clips, for palettes of levels of detail too, and measures the bounds; evaluators and planners need both.
/// `options` may be NULL: a bake that came with the file is kept. Time grows with the length of the clips. Errors:
/// INVALID_ARGUMENT (options; an evaluator or a planner uses the character), UNSUPPORTED (clips too long),
/// OUT_OF_MEMORY.
SINEW_C_API SinewResult sinew_character_bake(SinewCharacter* character, const SinewBakeOptions* options,
                                             SinewError* error);

/// The bounds. Error: INVALID_ARGUMENT before sinew_character_bake().
SINEW_C_API SinewResult sinew_character_bounds(const SinewCharacter* character, SinewBounds* out, SinewError* error);

/// How the matrices of a palette can scale, whatever the instance plays: not at all, equally in all directions, anyhow.
enum { SINEW_SCALING_NONE = 0, SINEW_SCALING_UNIFORM = 1, SINEW_SCALING_ANY = 2 };

/// Sets `*out` to one of the three above: for SinewAddMesh::palette_format.
SINEW_C_API SinewResult sinew_character_palette_scaling(const SinewCharacter* character, uint32_t* out,
                                                        SinewError* error);

/// The constant scale of all matrices: for SinewAddMesh::palette_scale. Error: INVALID_ARGUMENT before
/// sinew_character_bake().
SINEW_C_API SinewResult sinew_character_palette_scale(const SinewCharacter* character, float* out, SinewError* error);

/// The palette of a level of detail: that of the character, or one of its own with fewer entries.
typedef struct SinewLevelPalette {
  uint32_t size;
  uint32_t own;  // 1: it has its own; its influences are entries of that one. A host-posed instance never has it
  uint32_t palette_size;  // matrices of one palette
  uint32_t target_count;  // morph targets of the mesh; a level with a palette of its own may have none
  uint32_t scaling;       // SINEW_SCALING_..., as of sinew_character_palette_scaling()
  float scale;            // as of sinew_character_palette_scale(); 0 without a bake
} SinewLevelPalette;

/// The palette of a level; 0 is the full mesh. Errors: INVALID_ARGUMENT (no such `level`), OUT_OF_MEMORY.
SINEW_C_API SinewResult sinew_character_level_palette(const SinewCharacter* character, uint32_t level,
                                                      SinewLevelPalette* out, SinewError* error);

/// What playback does at the ends of a clip: start again, stop, or reverse.
enum { SINEW_LOOP = 0, SINEW_CLAMP = 1, SINEW_PING_PONG = 2 };

/// The clip's own time after `seconds` of playback from its start; `looping` is one of SINEW_LOOP, SINEW_CLAMP and
/// SINEW_PING_PONG. Errors: INVALID_ARGUMENT (no such `clip`, looping).
SINEW_C_API SinewResult sinew_character_clip_time(const SinewCharacter* character, uint32_t clip, double seconds,
                                                  uint32_t looping, float* out, SinewError* error);

/// Evaluates instances of one character. It shares the character, and keeps no state of instances.
typedef struct SinewEvaluator SinewEvaluator;

/// Makes an evaluator of a character after sinew_character_bake(). Errors: INVALID_ARGUMENT, OUT_OF_MEMORY.
SINEW_C_API SinewResult sinew_evaluator_create(const SinewCharacter* character, SinewEvaluator** out,
                                               SinewError* error);

/// The same for the palette of a level of detail; two levels without palettes of their own need one evaluator. Errors:
/// INVALID_ARGUMENT (no such `level`), OUT_OF_MEMORY.
SINEW_C_API SinewResult sinew_evaluator_create_for_level(const SinewCharacter* character, uint32_t level,
                                                         SinewEvaluator** out, SinewError* error);

/// Destroys an evaluator. NULL is ignored.
SINEW_C_API void sinew_evaluator_destroy(SinewEvaluator* evaluator);

/// Adds a mask, one factor per joint that weights of layers are multiplied by, and sets `*out` to its number, from 1
/// on. Errors: INVALID_ARGUMENT (count is not that of the joints; a factor that is negative, too large or NaN),
/// OUT_OF_MEMORY.
SINEW_C_API SinewResult sinew_evaluator_add_mask(SinewEvaluator* evaluator, const float* factors, uint32_t count,
                                                 uint32_t* out, SinewError* error);

/// Replaces the factors of a mask. Errors as above, and INVALID_ARGUMENT (no such `mask`).
SINEW_C_API SinewResult sinew_evaluator_set_mask(SinewEvaluator* evaluator, uint32_t mask, const float* factors,
                                                 uint32_t count, SinewError* error);

/// A place on a character to attach things to, such as a hand. It follows one palette entry. The element of an array.
typedef struct SinewSocket {
  uint32_t entry;                   // of the palette
  SinewMatrix3x4 mesh_from_socket;  // in the space of the vertices that the entry moves
} SinewSocket;

/// Gives a joint that moves no vertex an entry in the palette, so that a socket can follow it. A bake and levels of
/// detail are dropped: call it before sinew_character_bake(). Does nothing if the joint has an entry. Errors, with the
/// character unchanged: INVALID_ARGUMENT (no such `joint`; an evaluator or a planner uses the character), UNSUPPORTED
/// (too many entries), OUT_OF_MEMORY.
SINEW_C_API SinewResult sinew_character_add_palette_entry(SinewCharacter* character, uint32_t joint, SinewError* error);

/// Sets `*out` to a socket on a joint; `joint_from_socket` is its offset from the joint; `joint_from_socket` may be
/// NULL. Errors: INVALID_ARGUMENT (no such `joint`), UNSUPPORTED: the joint has no palette entry, because it moves no
/// vertex.
SINEW_C_API SinewResult sinew_character_make_socket(const SinewCharacter* character, uint32_t joint,
                                                    const SinewMatrix3x4* joint_from_socket, SinewSocket* out,
                                                    SinewError* error);

/// Sets the sockets that the next calls evaluate, in place of earlier ones; their numbers are their indices. They are
/// copied. Errors, with the sockets unchanged: INVALID_ARGUMENT (no such entry), UNSUPPORTED (more than 32,767
/// sockets), OUT_OF_MEMORY.
SINEW_C_API SinewResult sinew_evaluator_set_sockets(SinewEvaluator* evaluator, const SinewSocket* sockets,
                                                    uint32_t count, SinewError* error);

/// What to evaluate, and where to.
typedef struct SinewEvaluateInfo {
  uint32_t size;
  uint32_t instance_count;
  const SinewPlayback* playbacks;  // [instance_count]
  SinewMatrix3x4* palettes;  // that of instance i begins at i * palette_stride; only written: may be mapped memory
  uint64_t palette_count;    // matrices that `palettes` has room for
  uint32_t palette_stride;   // in matrices; SinewRange::palette_stride is the fastest
  const SinewParallelFor* parallel_for;  // or null
  // Where sockets are asked for: model_from_socket of socket s of instance i, at i * (number of sockets) + s; only
  // written.
  SinewMatrix3x4* socket_matrices;  // [socket_matrix_count]
  uint64_t socket_matrix_count;     // matrices that `socket_matrices` has room for
  // Where morph weights are asked for: those of instance i begin at i * weight_stride, one per target. Only written.
  float* weights;         // [weight_count]
  uint64_t weight_count;  // floats that `weights` has room for
  uint32_t weight_stride;
  // Optional, in place of `palettes`, which is null then: 16 bytes a joint; stride and count are of these. Without the
  // constant scale of the character, see sinew_character_palette_scale(). Not for sockets.
  SinewCompactMatrix* compact_palettes;
  uint32_t level;  // of sinew_character_evaluate_exact(): the palette of this level of detail; an evaluator has one
} SinewEvaluateInfo;

/// Writes palettes, and morph weights where asked for: palette_size matrices model_from_mesh each, and where
/// `palette_stride` is a multiple of 4 also the matrices after them, up to a multiple of 4. Any time, clip, weight and
/// mask is safe. Calls may run in parallel on different outputs. Errors: INVALID_ARGUMENT (stride or room too small),
/// with nothing written; UNSUPPORTED (compact palettes of clips that scale joints); OUT_OF_MEMORY.
SINEW_C_API SinewResult sinew_evaluator_evaluate(const SinewEvaluator* evaluator, const SinewEvaluateInfo* info,
                                                 SinewError* error);

/// The reference of the evaluator: the keys as they are in the file, in double precision, one instance after the other.
/// Needs no bake. Masks are ignored. Errors as above; INVALID_ARGUMENT too if `socket_matrices` or `compact_palettes`
/// is not null.
SINEW_C_API SinewResult sinew_character_evaluate_exact(const SinewCharacter* character, const SinewEvaluateInfo* info,
                                                       SinewError* error);

/// Adds the clips of `from`, moved by VRM's human bones and the names of joints without their prefixes: see
/// sinew/animation/retarget.h. A bake is dropped. Errors, with the character unchanged: INVALID_ARGUMENT (no joint name
/// in common, an additive clip, an evaluator or a planner uses the character), UNSUPPORTED (a skeleton without height,
/// clips that need more poses than kMaxRetargetedPoses there), OUT_OF_MEMORY.
SINEW_C_API SinewResult sinew_character_retarget_clips(SinewCharacter* character, const SinewCharacter* from,
                                                       SinewError* error);

#ifdef __cplusplus
}
#endif
