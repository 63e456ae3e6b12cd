// Surfaces of meshes on their way from a file to a character: triangles, normals, colors, tangents, identical vertices.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "scene.h"
#include "sinew/asset/math.h"
#include "sinew/asset/mesh.h"
#include "sinew/import/import.h"

namespace sinew::internal {

// Conversion of strips and fans into triangle lists; normals and tangents for meshes that have none.

enum class Topology : uint8_t { kList, kStrip, kFan };

/// Converts to a triangle list: three indices per triangle, with the winding of glTF 2.0, section 3.7.2.1. Corners that
/// do not complete a triangle are dropped.
std::vector<uint32_t> triangles_of(std::span<const uint32_t> corners, Topology topology);

/// One unit normal per vertex: the mean of the normals of its triangles, weighted by their angles at the vertex, so
/// that the way in which faces are cut into triangles matters little. +z for a vertex without a triangle. Indices must
/// be in range. Source: G. Thuermer, C. Wuethrich, "Computing Vertex Normals from Polygonal Facets", 1998.
std::vector<Vec3> compute_normals(std::span<const Vec3> positions, std::span<const uint32_t> indices);

/// A mesh as compute_tangents() reads it. `uvs` may be empty; indices must be in range.
struct TexturedSurface {
  std::span<const Vec3> positions, normals;
  std::span<const Vec2> uvs;
  std::span<const uint32_t> indices;
};

/// One tangent per vertex, in the layout of Mesh::tangents: the mean tangent of its triangles, weighted by area, made
/// orthogonal to the normal. Where the texture coordinates define no tangent: any orthogonal direction, and w = 1.
std::vector<Vec4> compute_tangents(const TexturedSurface& surface);

/// The unit vector orthogonal to the unit `normal` that is nearest to `u`. Any orthogonal direction if `u` is zero or
/// parallel to `normal`.
Vec3 make_orthogonal(Vec3 normal, Vec3 u);

// Polygons as triangles.

/// Appends the triangles of a polygon, as numbers of its corners: a fan if it is convex, else by cutting ears. A
/// polygon of n corners gives n - 2 triangles; one with fewer than 3 gives none.
void triangulate(std::span<const Vec3> corners, std::vector<std::array<uint32_t, 3>>& triangles);

// Vertex colors of files as VertexColor.

/// Converts linear colors, 0 to 1. Values outside are limited, and values that are not finite become 1; a warning that
/// begins with `name` has their number.
std::vector<VertexColor> vertex_colors(const std::vector<Vec4>& linear, const std::string& name, ImportReport& report);

/// Converts colors in sRGB, 0 to 1, as FBX and most formats of Assimp have them. Colors that are all black are left out
/// with a warning; alpha that is 0 everywhere becomes 1: exporters write both where there are no colors.
std::vector<VertexColor> srgb_vertex_colors(std::vector<Vec4> colors, const std::string& name, ImportReport& report);

/// A value of sRGB, 0 to 1, as linear value.
float linear_of(float srgb);

/// Empties `colors` if all are white: an empty list says the same.
void drop_white(std::vector<VertexColor>& colors);

// Tangents of meshes: for which characters, and computed ones; what else readers read.

/// Whether readers read tangents.
enum class ReadTangents : uint8_t { kNever, kForNormalMaps, kAlways };

/// What readers read besides meshes and clips.
struct Wanted {
  ReadTangents tangents = ReadTangents::kNever;
  bool images = false;
  double ticks_per_second = 0;  // ImportOptions::ticks_per_second
};

Wanted wanted_of(const ImportOptions& options);

/// Whether the character has tangents: because they were asked for, or because one of its parts has a normal map.
bool has_tangents(const ImportOptions& options, const std::vector<MeshPart>& parts,
                  const std::vector<Material>& materials);

/// Tangents of the vertices of a part, whose positions, normals, uvs and indices `mesh` has: for the normal map of
/// `material`, if it has one, else for the first uvs.
std::vector<Vec4> tangents_of_part(const Mesh& mesh, const MeshPart& part, const Material& material);

// Merging of identical vertices.

/// Merges vertices whose positions, normals, tangents, uvs, colors, influences and morph differences are equal bit by
/// bit. Vertices keep the order in which the triangles first use them. Unused vertices are removed. For readers that
/// give every triangle three vertices of its own.
void weld(SceneMesh& mesh);

}  // namespace sinew::internal
