// Levels of detail: coarser versions of a character, for those that are small on screen.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/animation/bake.h"
#include "sinew/api.h"
#include "sinew/asset/character.h"
#include "sinew/asset/level.h"
#include "sinew/asset/math.h"
#include "sinew/asset/mesh.h"
#include "sinew/asset/parallel.h"
#include "sinew/asset/result.h"
#include "sinew/asset/skeleton.h"
#include "sinew/asset/skin.h"

namespace sinew {

/// Which levels make_levels() makes.
struct LodOptions {
  /// For each level, the share of the mesh's triangles that it keeps: above 0, below 1, descending.
  std::vector<float> triangle_shares = {0.5f, 0.25f, 0.125f, 0.0625f};
  /// The largest distance that the simplifier may move the surface by its own estimate, as a share of the diagonal of
  /// the mesh's bounding box. Above 0. Not for small levels.
  float max_error = 0.05f;
  /// Then small levels, for characters of a few pixels, down to about 20 triangles: see make_levels() of a character.
  bool small_levels = true;
};

/// Makes levels coarser than `mesh`, which is itself the finest level and not in the result. Makes fewer levels than
/// LodOptions has if the mesh gets no simpler, and none if it has no triangles. Makes no small levels.
///
/// Vertices of a level are vertices of the mesh, with their normals, tangents, uvs, colors and influences: all levels
/// are skinned with the same palettes. Parts are those of the mesh in the same order; a part may have no triangles.
/// Seams stay closed, also between parts. If hard edges prevent simplification, normals and tangents are averaged
/// across them, but not tangents of different handedness. Vertices are ordered for the vertex cache, then by
/// order_by_influences().
///
/// `positions` are the positions in which the mesh is simplified and errors are measured: vertex_count of them in model
/// space. If empty, mesh.positions are used, which is right if all parts share one space. The simplifier merges
/// triangles that lie in a plane: a pose with bent joints keeps more triangles at the joints than straight limbs do.
/// ModelLevel::error is here the largest distance of a vertex of the mesh from the level, in these positions.
///
/// Equal input gives equal levels. Calls may run in parallel. Errors: kInvalidArgument (options, positions),
/// kInvalidData (mesh), kOutOfMemory. Source: meshoptimizer 0.18; quadric error metrics, Garland and Heckbert, 1997.
SINEW_API Result<std::vector<ModelLevel>> make_levels(const Mesh& mesh, std::span<const Vec3> positions = {},
                                                      const LodOptions& options = {});

/// What levels of a character keep besides its surface.
struct LevelContext {
  std::span<const NamedSocket> sockets = {};  // stay within the error of a level too
  std::span<const NamedMask> masks = {};      // of blends in which errors are measured
  BakeOptions bake = {};                      // of the character: bakes of levels are coarser where it does not show
  ParallelFor parallel_for = {};
  std::vector<std::string>* warnings = nullptr;  // gets a line where small levels cannot be made; may be null
};

/// The name of the material of small levels: white, without textures, as rough and as metallic as those of the
/// character in the mean.
inline constexpr std::string_view kSmallLevelMaterial = "(small levels)";

/// Makes levels of a character that moves. ModelLevel::error is measured in many poses: the rest pose, samples of every
/// clip, random blends with masks and additive clips.
///
/// First levels made like those of a mesh alone, except that their vertices have normals, tangents and uvs with which
/// the level looks most like the finest surface (least squares). Then, with LodOptions::small_levels, levels of one
/// part each, with colors of vertices in place of textures: the mean color of the surface that a vertex stands for, as
/// it is seen from outside. They are made by edge collapse across seams and parts, and at last of a few shapes around
/// what each joint moves. They have no morph targets. The character gets the material kSmallLevelMaterial, if it has
/// none of that name.
///
/// Where materials are opaque, a host may keep masks in the alpha of their textures: 254, 253, 252 and 251 are four
/// masks, 255 is none. Small levels keep them in Mesh::uvs, masks 0 and 1, and Mesh::second_uvs, masks 2 and 3: how
/// much of the luminance of the vertex's color comes from surface in the mask, linear (ITU-R BT.709). To give a mask of
/// mean color `from` the color `to`, add uv / luminance(from) * (to - from) to the color of the vertex. Without masks
/// uvs are zero, and there are no second ones.
///
/// A level may have a palette of its own: joints whose motion shows less than the error of the level are merged into
/// those above them. Its vertices are then in model space of the rest pose.
///
/// Equal input gives equal levels. Calls may run in parallel. Takes seconds for characters with many clips. Errors as
/// above; those of bake().
SINEW_API Result<std::vector<ModelLevel>> make_levels(Character& character, const LevelContext& context,
                                                      const LodOptions& options = {});

}  // namespace sinew
