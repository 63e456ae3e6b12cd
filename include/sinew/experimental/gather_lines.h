// EXPERIMENTAL: may change or go in any version. A measure of the order of vertices, for work on the skinning kernel.
#pragma once

#include "sinew/api.h"
#include "sinew/asset/mesh.h"
#include "sinew/asset/result.h"

namespace sinew::experimental {

/// How scattered the skinning kernel's loads of palettes are, in the order that the vertices have: the cache lines of
/// 64 bytes that its load instructions touch for 64 vertices. Counted for waves of 32 consecutive vertices, where a
/// wave loads as many entries as its vertex with the most influences has, three rows of 16 bytes each, and palettes
/// begin on a cache line. The least is 6 for one influence. Error: kOutOfMemory.
SINEW_API Result<double> gather_lines(const Mesh& mesh);

}  // namespace sinew::experimental
