// Import: files of other formats become characters. glTF and GLB are read by tinygltf, FBX and COLLADA by this library,
// other formats by Assimp.
//
// A library that was built without import has these calls too: they return SINEW_UNSUPPORTED.
#pragma once

#include "sinew/c/asset.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What to import, and how.
typedef struct SinewImportOptions {
  uint32_t size;
  uint32_t max_influences;             // per vertex, those of largest weight; 0 keeps all
  uint32_t tangents;                   // 1: with tangents, computed where the file has none
  uint32_t allow_no_mesh;              // 1: accepts a file with clips alone
  const char* const* animation_files;  // [animation_file_count]: paths of files whose clips are added
  uint32_t animation_file_count;

  // For files that are not trusted: 1 reads them in a process of its own, the program `sinew-import` of this version. A
  // file that crashes the importer, never ends or fills the memory is then an error.
  uint32_t isolated;
  const char* worker;            // path of that program; null: beside this library, then beside the running program
  double seconds;                // of processor time; 0: 4 s and 1 s per MiB, more on a slow machine
  uint64_t memory_bytes;         // that it may allocate; 0: 2 GiB, or 30 times the size of the files
  uint32_t normal_map_tangents;  // 1: with tangents if a part has a normal texture
  uint32_t without_images;       // 1: no image is read or decoded, and materials have no textures: for servers
  double ticks_per_second;       // of clips that do not say it, finite and not negative; 0: as the format's own tools
} SinewImportOptions;

/// Reads a model and the clips of `animation_files`, `.sinew` files too. It is slow: whole files are parsed and images
/// decoded. Axes, units and times stay those of the file: see sinew_character_to_meters(). `options` may be NULL.
/// Errors: NOT_FOUND, UNREADABLE, UNSUPPORTED (type of file, or no import in this library), INVALID_DATA,
/// OUT_OF_MEMORY.
SINEW_C_API SinewResult sinew_character_import(const char* path, const SinewImportOptions* options,
                                               SinewCharacter** out, SinewError* error);

/// Makes coarser levels of detail of the mesh, in place of earlier ones. `triangle_shares` are the shares of triangles
/// that they keep, above 0, below 1, descending; with a count of 0 a half, a quarter, an eighth and a sixteenth. There
/// may be fewer levels, where the mesh gets no simpler. Errors: INVALID_ARGUMENT, UNSUPPORTED (no import in this
/// library), OUT_OF_MEMORY.
SINEW_C_API SinewResult sinew_character_make_levels(SinewCharacter* character, const float* triangle_shares,
                                                    uint32_t count, SinewError* error);

#ifdef __cplusplus
}
#endif
