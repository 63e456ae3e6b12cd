// Colors of vertices that show how a mesh is skinned: rgba8, as Renderer::set_vertex_colors() takes them.
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/asset/mesh.h"
#include "sinew/asset/skin.h"

namespace sinew::app {

/// A color for a share from 0 to 1: from dark blue over green and yellow to red.
uint32_t heat_color(float share);

/// A color for a number of influences; more than 8 look like 8.
uint32_t influence_color(uint32_t count);

std::vector<uint32_t> influence_colors(const Mesh& mesh);

/// The weight beyond the `limit` heaviest influences of each vertex, as heat: kHottestLostWeight is red.
std::vector<uint32_t> lost_weight_colors(const Mesh& mesh, uint32_t limit);

/// How much `joint` moves each vertex, as heat.
std::vector<uint32_t> joint_weight_colors(const Mesh& mesh, const Skin& skin, int32_t joint);

/// This share of lost weight is as hot as heat gets: more is rare.
inline constexpr float kHottestLostWeight = 0.25f;

}  // namespace sinew::app
