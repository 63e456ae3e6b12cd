// What levels of detail are made of: edges that collapse, joints that merge, distances between surfaces, shapes around
// points, values of vertices.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "animation/rig.h"
#include "brute_force.h"
#include "lod/edge_collapse.h"
#include "lod/joint_merge.h"
#include "lod/level_error.h"
#include "lod/limb_shapes.h"
#include "lod/surface_distance.h"
#include "lod/textured_levels.h"
#include "sinew/animation/pose.h"

namespace sinew::internal {
namespace {

using test::distance_to;
using test::double_dot;
using test::LevelDraw;
using test::SurfacePick;

// --- edges that collapse ---

using Positions = std::vector<Vec3>;

/// Squares of one unit in `size`, in the plane z = 0, each vertex somewhere near its place.
struct Sheet {
  Positions flat;
  std::vector<uint32_t> indices;

  /// `has(column, row)` says which squares there are.
  template <class Has>
  Sheet(uint32_t size, float jitter, LevelDraw& draw, Has has) {
    const float unit = 1 / float(size);
    for (uint32_t i = 0; i < (size + 1) * (size + 1); ++i)
      flat.push_back({(float(i % (size + 1)) + draw.between(-jitter, jitter)) * unit,
                      (float(i / (size + 1)) + draw.between(-jitter, jitter)) * unit, 0});
    for (uint32_t y = 0; y < size; ++y) {
      for (uint32_t x = 0; x < size; ++x) {
        const uint32_t a = y * (size + 1) + x, b = a + 1, c = a + size + 1, d = c + 1;
        if (has(x, y)) indices.insert(indices.end(), {a, b, d, a, d, c});
      }
    }
  }
};

/// The sheet bent about a line, with each vertex moved along the sheet and across it by up to these sizes.
Positions bent(const Positions& flat, float along, float across, LevelDraw& draw) {
  const float line = draw.between(0.2f, 0.8f), angle = draw.between(-1.5f, 1.5f);
  Positions moved = flat;
  for (Vec3& p : moved) {
    p = p + Vec3{draw.between(-along, along), draw.between(-along, along), draw.between(-across, across)};
    const float beyond = p.x - line, up = p.z;
    if (beyond > 0) {
      p.x = line + std::cos(angle) * beyond - std::sin(angle) * up;
      p.z = std::sin(angle) * beyond + std::cos(angle) * up;
    }
  }
  return moved;
}

bool has_corner(std::span<const uint32_t> triangle, uint32_t v) {
  return triangle[0] == v || triangle[1] == v || triangle[2] == v;
}

/// The triangles after vertex `from` has become `to`.
std::vector<uint32_t> collapsed(const std::vector<uint32_t>& indices, uint32_t from, uint32_t to) {
  std::vector<uint32_t> left;
  for (size_t i = 0; i < indices.size(); i += 3) {
    const auto triangle = std::span(indices).subspan(i, 3);
    if (has_corner(triangle, from) && has_corner(triangle, to)) continue;
    for (const uint32_t v : triangle) left.push_back(v == from ? to : v);
  }
  return left;
}

struct CollapsedEdge {
  uint32_t from = 0, to = 0;
};

/// The edges whose collapse makes `after` of `before`, without the vertices `gone`: each edge of these is tried. Where
/// one triangle is left of two there may be two such edges.
std::vector<CollapsedEdge> edges_between(const std::vector<uint32_t>& before, const std::vector<uint32_t>& after,
                                         const std::vector<uint32_t>& gone) {
  std::vector<CollapsedEdge> edges;
  for (const uint32_t from : gone) {
    std::set<uint32_t> neighbors;
    for (size_t i = 0; i < before.size(); ++i) {
      if (has_corner(std::span(before).subspan(i / 3 * 3, 3), from) && before[i] != from) neighbors.insert(before[i]);
    }
    for (const uint32_t to : neighbors) {
      if (collapsed(before, from, to) == after) edges.push_back({from, to});
    }
  }
  return edges;
}

/// Lets edges collapse one by one, and looks at each step in every pose.
class FollowedCollapse {
 public:
  FollowedCollapse(std::vector<uint32_t> indices, std::vector<Positions> poses, double max_distance)
      : poses_(std::move(poses)),
        left_(std::move(indices)),
        max_distance_(max_distance),
        collapse_(left_, {poses_.begin(), poses_.end()}) {
    for (uint32_t v = 0; v < poses_[0].size(); ++v) became_.push_back({v});
  }

  /// Returns the number of steps.
  int run() {
    for (int steps = 0;; ++steps) {
      collapse_.run(collapse_.triangle_count() - 1, max_distance_);
      const std::vector<uint32_t> after = collapse_.indices();
      if (after == left_ || testing::Test::HasFatalFailure()) return steps;
      check_step(after);
      left_ = after;
    }
  }

 private:
  void check_step(const std::vector<uint32_t>& after) {
    const std::set<uint32_t> old(left_.begin(), left_.end()), kept(after.begin(), after.end());
    std::vector<uint32_t> gone, uncovered;  // without a triangle since this step; all that these stand for
    std::ranges::set_difference(old, kept, std::back_inserter(gone));
    for (const uint32_t v : gone) uncovered.insert(uncovered.end(), became_[v].begin(), became_[v].end());
    const std::vector<CollapsedEdge> edges = edges_between(left_, after, gone);
    ASSERT_FALSE(edges.empty()) << "no edge has collapsed";
    ASSERT_TRUE(std::ranges::any_of(edges,
                                    [&](const CollapsedEdge& edge) {
                                      return std::ranges::all_of(poses_, [&](const Positions& pose) {
                                        return turns_nothing_over(edge, pose);
                                      });
                                    }))
        << edges[0].from << " became " << edges[0].to;
    // An island goes with its last triangle: both ends of the edge are gone.
    const auto last = std::ranges::find_if(edges, [&](const CollapsedEdge& edge) { return !kept.contains(edge.to); });
    for (const Positions& pose : poses_) {
      for (const uint32_t v : uncovered)
        ASSERT_LE(last == edges.end() ? distance_to(pose[v], {pose, after}) : size_of_island(uncovered),
                  max_distance_ * 1.001)
            << v;
    }
    if (edges.size() > 1) return;  // nothing says which vertex stands for those that are gone
    std::vector<uint32_t>& now = became_[edges[0].to];
    now.insert(now.end(), uncovered.begin(), uncovered.end());
  }

  bool turns_nothing_over(const CollapsedEdge& edge, const Positions& pose) const {
    for (size_t i = 0; i < left_.size(); i += 3) {
      const auto triangle = std::span(left_).subspan(i, 3);
      if (!has_corner(triangle, edge.from) || has_corner(triangle, edge.to)) continue;
      const auto normal = [&](uint32_t in_place_of_from) {
        const auto at = [&](size_t corner) {
          return pose[triangle[corner] == edge.from ? in_place_of_from : triangle[corner]];
        };
        return cross(at(1) - at(0), at(2) - at(0));
      };
      const Vec3 old_normal = normal(edge.from), new_normal = normal(edge.to);
      if (dot(old_normal, new_normal) < -1e-5f * length(old_normal) * length(new_normal)) return false;
    }
    return true;
  }

  double size_of_island(const std::vector<uint32_t>& vertices) const {
    Box box = kEmptyBox;
    for (const uint32_t v : vertices) include(box, poses_[0][v]);
    return double(length(size_of(box)));
  }

  std::vector<Positions> poses_;
  std::vector<uint32_t> left_;
  double max_distance_;
  EdgeCollapse collapse_;
  std::vector<std::vector<uint32_t>> became_;  // of each vertex: those that it stands for
};

TEST(EdgeCollapse, TurnsNoTriangleOverAndUncoversNoPointInAnyPose) {
  for (uint32_t seed = 1; seed <= 24; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    LevelDraw draw(seed);
    const uint32_t holes = seed % 4 == 0 ? 3 : 20;  // one square in so many is missing: islands and thin strips
    const Sheet sheet(10, 0.2f, draw, [&](uint32_t, uint32_t) { return draw.below(holes) > 0; });
    const float across = seed % 3 == 0 ? 0 : draw.between(0, 0.03f);
    std::vector<Positions> poses = {sheet.flat};
    for (uint32_t i = 0; i < seed % 3 + 1; ++i) poses.push_back(bent(sheet.flat, 0.03f, across, draw));
    FollowedCollapse followed(sheet.indices, poses, double(draw.between(0.02f, 0.12f)));
    EXPECT_GT(followed.run(), 10);
    if (HasFatalFailure()) return;
  }
}

/// Combs whose teeth are longer than the distance: gaps between teeth do not close, teeth do not go.
TEST(EdgeCollapse, KeepsOutlinesInEveryPose) {
  for (uint32_t seed = 1; seed <= 12; ++seed) {
    LevelDraw draw(seed);
    std::array<uint32_t, 16> height{};
    for (uint32_t& each : height) each = 3 + draw.below(13);
    const Sheet comb(16, 0.03f, draw, [&](uint32_t x, uint32_t y) { return y < height[x]; });
    std::vector<Positions> poses = {comb.flat, comb.flat};
    for (Vec3& p : poses[1]) p = {p.x + 0.5f * p.y, 0.6f * p.y, 0.8f * p.y};
    const double max_distance = 0.004;  // the mean of many planes: it may count a tenth of what one is off
    EdgeCollapse collapse(comb.indices, {poses.begin(), poses.end()});
    collapse.run(10, max_distance);
    const std::vector<uint32_t> left = collapse.indices();
    EXPECT_LT(left.size(), comb.indices.size() / 2) << "seed " << seed;
    for (const Positions& pose : poses) {
      for (const uint32_t v : comb.indices) ASSERT_LE(distance_to(pose[v], {pose, left}), 2 * max_distance) << seed;
      for (int i = 0; i < 1000; ++i) {
        const Vec3 p = SurfacePick(left, draw).in(pose);
        ASSERT_LE(distance_to(p, {pose, comb.indices}), 2 * max_distance) << "seed " << seed << ": a gap is closed";
      }
    }
  }
}

// --- distances between surfaces ---

TEST(SurfaceDistance, IsThatOfTheNearestTriangle) {
  for (uint32_t seed = 1; seed <= 20; ++seed) {
    LevelDraw draw(seed);
    Positions positions;
    std::vector<uint32_t> indices;
    for (uint32_t t = 0, count = 1 + draw.below(200); t < count; ++t) {
      const Vec3 at = draw.vector(1);
      for (int corner = 0; corner < 3; ++corner) {
        indices.push_back(uint32_t(positions.size()));
        positions.push_back(at + draw.vector(seed % 2 == 0 ? 0.1f : 1));
      }
    }
    SurfaceDistance surface({positions, indices});
    for (int i = 0; i < 100; ++i) {
      const Vec3 p = draw.vector(i % 3 == 0 ? 4.0f : 1);
      const double exact = distance_to(p, {positions, indices}), enough = double(draw.between(0, 0.5f));
      uint32_t guess = draw.below(indices.size() / 3);
      const double found = std::sqrt(surface.squared(p, guess, enough * enough));
      EXPECT_GE(found, exact - 1e-5);
      EXPECT_LE(found, std::max(exact, enough) + 1e-5) << "seed " << seed;
      const size_t nearest = size_t{surface.nearest_triangle(p)} * 3;
      EXPECT_NEAR(distance_to(p, {positions, std::span(indices).subspan(nearest, 3)}), exact, 1e-5) << "seed " << seed;
    }
  }
}

/// A sheet on a chain of joints, bumpy, and a coarser one; at one vertex of one of them a spike.
struct SpikedSheet {
  Character character = test::random_rig({.joints = 4, .clips = 1, .swing = 0.6f, .branching = 0});
  std::vector<uint32_t> level;  // triangles, of vertices of the character

  SpikedSheet(uint32_t size, uint32_t step, LevelDraw& draw) {
    const Sheet sheet(size, 0, draw, [](uint32_t, uint32_t) { return true; });
    Mesh& mesh = character.mesh;
    mesh.positions = sheet.flat, mesh.indices = sheet.indices;
    for (Vec3& p : mesh.positions) {
      p.z = 0.02f * std::sin(9 * p.x) * std::cos(7 * p.y);
      const auto entry = uint16_t(std::min(p.x * 3, 2.0f));
      const float next = p.x * 3 - float(entry);
      const bool swap = next > 0.5f;
      mesh.influences.push_back({uint16_t(entry + swap), swap ? next : 1 - next});
      mesh.influences.push_back({uint16_t(entry + !swap), swap ? 1 - next : next});
      mesh.first_influence.push_back(uint32_t(mesh.influences.size()));
      mesh.normals.push_back({0, 0, 1});
      mesh.uvs.push_back({});
    }
    mesh.parts = {{"sheet", PartKind::kSkinned, 0, 0, mesh.vertex_count(), 0, uint32_t(mesh.indices.size())}};
    const uint32_t row = size + 1;
    for (uint32_t y = 0; y < size; y += step) {
      for (uint32_t x = 0; x < size; x += step) {
        const uint32_t a = y * row + x, b = a + step, c = a + step * row, d = c + step;
        level.insert(level.end(), {a, b, d, a, d, c});
      }
    }
  }

  Positions posed(std::span<const Vec3> vertices, const SamplePoses& poses, uint32_t pose) const {
    const std::vector<Matrix3x4> palette = poses.palette(character.skin, pose);
    Positions moved;
    for (uint32_t v = 0; v < vertices.size(); ++v) {
      Vec3 sum;
      for (const Influence influence : character.mesh.influences_of(v))
        sum = sum + transform_point(palette[influence.entry], vertices[v]) * influence.weight;
      moved.push_back(sum);
    }
    return moved;
  }
};

TEST(LevelError, IsTheLargestDistanceOfAnyPointInAnyPose) {
  for (uint32_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    LevelDraw draw(seed);
    SpikedSheet sheet(32, 4, draw);
    Positions coarse = sheet.character.mesh.positions;
    const bool of_level = seed % 2 == 0;
    const uint32_t spiked = of_level ? sheet.level[draw.below(sheet.level.size())] : draw.below(coarse.size());
    (of_level ? coarse : sheet.character.mesh.positions)[spiked].z += draw.between(0.1f, 0.3f);
    const auto poses = must(SamplePoses::make(sheet.character, {}));
    LevelError error(poses, sheet.character.mesh);
    const auto pose_level = [&](uint32_t pose, std::span<Vec3> positions) {
      std::ranges::copy(sheet.posed(coarse, poses, pose), positions.begin());
    };
    const double stated = error.largest(sheet.level, uint32_t(coarse.size()), pose_level, {});
    double measured = 0;
    for (uint32_t pose = 0; pose < poses.count(); ++pose) {
      const Positions fine = sheet.posed(sheet.character.mesh.positions, poses, pose);
      const Positions level = sheet.posed(coarse, poses, pose);
      for (const Vec3 p : fine) measured = std::max(measured, distance_to(p, {level, sheet.level}));
      Positions points = {level[of_level ? spiked : sheet.level[0]]};
      for (int i = 0; i < 60; ++i) points.push_back(SurfacePick(sheet.level, draw).in(level));
      for (const Vec3 p : points) measured = std::max(measured, distance_to(p, {fine, sheet.character.mesh.indices}));
    }
    EXPECT_NEAR(stated, measured, 0.002 * error.diagonal());
  }
}

// --- joints that merge ---

/// Two clips without motion turn one joint of a chain about an axis that is perpendicular to the last joint.
Character bent_chain(uint32_t bent, float radians, const test::RigOptions& options, LevelDraw& draw) {
  Character character = test::random_rig(options);
  std::vector<Matrix3x4d> rest(options.joints);
  walk_hierarchy(character.skeleton, character.skeleton.rest_pose, rest);
  const Vec3 limb = transform_point(inverse(rest[bent]), transform_point(rest.back(), {}));
  const Vec3 axis = normalize(cross(limb, draw.vector(1)));
  for (const float quarter : {-radians / 4, radians / 4}) {
    const Vec3 turn = axis * std::sin(quarter);
    const Quat rotation = character.skeleton.rest_pose[bent].rotation * Quat{turn.x, turn.y, turn.z, std::cos(quarter)};
    character.clips.push_back({"bent", 0, 0, {{bent, {}, {{0}, {rotation}}, {}}}});
  }
  return character;
}

/// How far a blend of both clips puts the last joint from the line between its places in them.
double arc_of(const Character& character) {
  const size_t last = character.skin.entries.size() - 1;
  const auto place = [&](float weight) {
    const Playback blend{{{0, 0, 1 - weight}, {1, 0, weight}}};
    const Vec3 origin = transform_point(inverse(character.skin.entries[last].joint_from_mesh), {});
    return transform_point(test::evaluate_exact(character, {&blend, 1}).of(0)[last], origin);
  };
  const Vec3 begin = place(0), end = place(1);
  double largest = 0;
  for (float weight = 0; weight <= 1; weight += 0.0625f)
    largest = std::max(largest, double(length(place(weight) - begin - (end - begin) * weight)));
  return largest;
}

/// A joint that bends is folded only where blends on the line in place of the arc move what is below by no more.
TEST(JointMotion, FoldsWhatBlendsHardlyShow) {
  for (uint32_t seed = 1; seed <= 200; ++seed) {
    LevelDraw draw(seed);
    const test::RigOptions options{.joints = 3 + draw.below(4), .clips = 0, .branching = 0, .seed = seed};
    const uint32_t bent = 1 + draw.below(options.joints - 2);
    const bool is_wide = seed % 5 == 0;  // a blend of such clips may turn what is below the wrong way round
    const float radians = is_wide ? draw.between(1.3f, 2.5f) : draw.between(0.1f, 1.1f);
    const Character character = bent_chain(bent, radians, options, draw);
    const bool is_hidden = draw.below(2) == 0;
    const double max_shift = arc_of(character) * double(is_hidden ? draw.between(1.05f, 3) : draw.between(0.2f, 0.95f));
    const auto poses = must(SamplePoses::make(character, {}));
    std::vector<uint32_t> joints = {0, options.joints - 1}, expected = joints;
    if (is_wide || !is_hidden) expected.insert(expected.begin() + 1, bent);
    JointMotion(poses, character.skeleton).add_unfoldable(max_shift, joints);
    EXPECT_EQ(joints, expected) << "seed " << seed << ": joint " << bent << " turns by " << radians;
  }
}

/// Points near joints, each moved by up to three of them.
MovedPoints points_near(const std::vector<Matrix3x4d>& rest, LevelDraw& draw) {
  MovedPoints points;
  for (int i = 0; i < 60; ++i) {
    std::vector<JointWeight> weights;
    const float shares[] = {0.5f, draw.between(0, 0.5f)};
    const uint32_t joint = draw.below(rest.size());
    for (const float share : {shares[0], shares[1], 0.5f - shares[1]})
      weights.push_back({weights.empty() ? joint : draw.below(rest.size()), share});
    points.add(transform_point(rest[joint], draw.vector(0.2f)), weights);
  }
  return points;
}

/// How far a point is from where its own joints move it, in the pose in which that is most.
double shift_of(const SamplePoses& poses, const MovedPoints& points, size_t point, std::span<const uint32_t> by) {
  double largest = 0;
  for (uint32_t pose = 0; pose < poses.count(); ++pose) {
    Vec3 off;
    for (const JointWeight weight : points.weights_of(point)) {
      const auto moved = [&](uint32_t joint) {
        return transform_point(poses.joints(pose)[joint] * inverse(poses.joints(SamplePoses::kRest)[joint]),
                               points.rest[point]);
      };
      off = off + (moved(by[weight.joint]) - moved(weight.joint)) * weight.weight;
    }
    largest = std::max(largest, double(length(off)));
  }
  return largest;
}

TEST(JointMerge, MovesNoPointFurtherAndMergesWhatItCan) {
  size_t merged = 0, left_out = 0, kept = 0;
  for (uint32_t seed = 1; seed <= 25; ++seed) {
    LevelDraw draw(seed);
    const Character character =
        test::random_rig({.joints = 4 + draw.below(16), .clips = 1, .swing = draw.between(0.05f, 1), .seed = seed});
    const auto poses = must(SamplePoses::make(character, {}));
    const auto rest = poses.joints(SamplePoses::kRest);
    const MovedPoints points = points_near({rest.begin(), rest.end()}, draw);
    const double max_distance = double(draw.between(0.005f, 0.1f));
    const JointMotion motion(poses, character.skeleton);
    const std::vector<uint32_t> by = merge_joints(motion, points, max_distance);
    const auto largest = [&](std::span<const uint32_t> replaced_by) {
      double most = 0;
      for (size_t i = 0; i < points.count(); ++i) most = std::max(most, shift_of(poses, points, i, replaced_by));
      return most;
    };
    EXPECT_LE(largest(by), max_distance * 1.001) << "seed " << seed;
    for (uint32_t joint = 0; joint < rest.size(); ++joint) {
      uint32_t above = joint;  // the joint itself, or one above it that is kept
      while (above != by[joint] && above != motion.joint_count()) above = motion.parent(above);
      EXPECT_EQ(above, by[joint]) << "seed " << seed;
      EXPECT_EQ(by[by[joint]], by[joint]) << "seed " << seed;
      merged += by[joint] != joint;
      if (by[joint] != joint || motion.parent(joint) == motion.joint_count()) continue;
      std::vector<uint32_t> one_more = by;
      for (uint32_t& each : one_more) each = each == joint ? by[motion.parent(joint)] : each;
      ++kept, left_out += largest(one_more) < max_distance * 0.999;
    }
  }
  EXPECT_GT(merged, 30u);
  EXPECT_GT(kept, 30u);
  EXPECT_LE(left_out, kept / 20) << "costs of joints may shrink after they were looked at, but rarely";
}

// --- shapes, and what their vertices have ---

/// Points on a square rod along y from 0 to 1, whose upper part, from `border` on, looks different by `contrast`.
std::vector<LimbPoint> rod(float border, float contrast) {
  std::vector<LimbPoint> points;
  for (int i = 0; i < 400; ++i) {
    const float y = float(i / 4) / 100, side = i % 2 == 0 ? 0.05f : -0.05f;
    const Vec3 at = i % 4 < 2 ? Vec3{side, y, 0} : Vec3{0, y, side};
    points.push_back({at, 0, Look{y < border ? 0 : contrast}});
  }
  return points;
}

size_t shapes_of(const std::vector<LimbPoint>& points) {
  return make_limbs(points, {}, LimbShape::kWedge, 1).indices.size() / 12;
}

TEST(LimbShapes, AreDividedWhereTheirEndsLookDifferent) {
  EXPECT_EQ(shapes_of(rod(0.8f, 0)), 1u);
  EXPECT_EQ(shapes_of(rod(0.8f, 0.5f)), 2u);
  EXPECT_EQ(shapes_of(rod(0.8f, 0.1f)), 1u) << "a small difference";
  EXPECT_EQ(shapes_of(rod(0.99f, 0.5f)), 1u) << "of a small part";
  const LimbMesh divided = make_limbs(rod(0.8f, 0.5f), {}, LimbShape::kWedge, 1);
  ASSERT_EQ(divided.positions.size(), 8u);
  for (size_t v = 0; v < 8; ++v) {
    const float y = divided.positions[v].y;
    EXPECT_TRUE(v < 4 ? y < 0.81f : y > 0.79f) << "the border is where the look changes, not in the middle: " << y;
  }
}

TEST(LimbShapes, CountPointsOfAllJoints) {
  std::vector<LimbPoint> points = rod(0.8f, 0.25f);
  EXPECT_EQ(shapes_of(points), 2u);
  for (int i = 0; i < 2000; ++i) points.push_back({{5 + float(i % 10) * 0.1f, float(i % 7) * 0.1f, 0}, 1, {}});
  EXPECT_EQ(shapes_of(points), 2u) << "one for each joint: what is a small part of the picture is not divided";
}

/// Points on one triangle, with values that are linear on it.
TEST(VertexFit, FindsTheValuesThatTrianglesShow) {
  const float wanted[3] = {0.1f, 0.9f, 0.4f};
  std::vector<PointOnMesh> points;
  std::vector<float> values;
  for (int i = 0; i <= 10; ++i) {
    for (int j = 0; i + j <= 10; ++j) {
      const float b = float(i) / 10, c = float(j) / 10;
      points.push_back({{0, 1, 2}, {1 - b - c, b, c}});
      values.push_back(wanted[0] * (1 - b - c) + wanted[1] * b + wanted[2] * c);
    }
  }
  const float means[3] = {0.4f, 0.5f, 0.45f};
  const std::vector<float> fitted = fit_vertices(points, values, means);
  for (size_t v = 0; v < 3; ++v) EXPECT_NEAR(fitted[v], wanted[v], 0.03f) << v;
}

constexpr uint32_t kColumns = 20;  // of each half of an arch

/// An arch over x from 0 to 1 with a height of x (1 - x), in two halves with a seam between them; u is x squared.
Mesh arch() {
  Mesh mesh;
  for (uint32_t half = 0; half < 2; ++half) {
    const uint32_t first = mesh.vertex_count();
    for (uint32_t i = 0; i <= kColumns; ++i) {
      const float x = (float(half) + float(i) / kColumns) / 2;
      for (const float z : {0.0f, 1.0f}) {
        mesh.positions.push_back({x, x * (1 - x), z});
        mesh.normals.push_back(normalize(Vec3{2 * x - 1, 1, 0}));
        mesh.uvs.push_back({x * x, z});
      }
      const uint32_t a = first + i * 2;
      if (i < kColumns) mesh.indices.insert(mesh.indices.end(), {a, a + 1, a + 2, a + 2, a + 1, a + 3});
    }
  }
  return mesh;
}

/// Four triangles of the arch's vertices: half of it is one flat piece.
std::vector<uint32_t> flat_halves() {
  const uint32_t end = kColumns * 2, next = end + 2, last = next + end;
  return {0, 1, end, end, 1, end + 1, next, next + 1, last, last, next + 1, last + 1};
}

TEST(TexturedFit, GivesTextureCoordinatesAndNormalsOfTheSurfaceAndKeepsSeams) {
  const Mesh mesh = arch();
  const Mesh fitted = fitted_to_surface(mesh, mesh.positions, flat_halves());
  for (size_t v = 0; v < mesh.positions.size(); ++v) EXPECT_EQ(length(fitted.positions[v] - mesh.positions[v]), 0) << v;
  EXPECT_LT(fitted.uvs[0].x, -0.02f) << "u is less than linear on each half";
  EXPECT_LT(fitted.uvs[kColumns * 2].x, 0.23f);
  EXPECT_NEAR(length(fitted.normals[0]), 1, 1e-5);
  EXPECT_GT(std::abs(fitted.normals[0].x - mesh.normals[0].x), 0.01f);
  const uint32_t top = kColumns * 2, same = top + 2;  // both sides of the seam
  EXPECT_EQ(length(mesh.normals[top] - mesh.normals[same]), 0);
  EXPECT_EQ(length(fitted.normals[top] - fitted.normals[same]), 0);
}

TEST(VertexFit, StaysBetweenZeroAndOneWithTheSameMean) {
  std::vector<PointOnMesh> points;
  std::vector<float> values;
  for (int i = 0; i <= 100; ++i) {
    points.push_back({{0, 1, 2}, {1 - float(i) / 100, float(i) / 100, 0}});
    values.push_back(i < 20 ? 1 : 0);  // a step: without limits its best line goes below zero
  }
  const float start[4] = {0.2f, 0.2f, 0.7f, 0.6f};
  const std::vector<float> fitted = fit_vertices(points, values, start);
  for (const float value : fitted) EXPECT_TRUE(value >= 0 && value <= 1) << value;
  EXPECT_EQ(fitted[1], 0);
  EXPECT_GT(fitted[0], 0.4f);
  EXPECT_EQ(fitted[2], 0.7f) << "no point is near";
  EXPECT_EQ(fitted[3], 0.6f) << "of no triangle";
}

}  // namespace
}  // namespace sinew::internal
