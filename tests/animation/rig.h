// Random characters, and the distance between two evaluations of one character.
#pragma once

#include <cmath>
#include <random>
#include <span>
#include <vector>

#include "sinew/animation/bake.h"
#include "sinew/animation/evaluator.h"
#include "sinew/asset/character.h"
#include "sinew/asset/cpu_skin.h"

namespace sinew::test {

/// A rotation about the z axis.
inline Quat about_z(double radians) { return {0, 0, float(std::sin(radians / 2)), float(std::cos(radians / 2))}; }

enum class Scaling { kNone, kUniform, kPerAxis };

struct RigOptions {
  uint32_t joints = 20;
  uint32_t clips = 3;
  float start_seconds = 0, duration_seconds = 1;
  float keys_per_second = 10;
  bool even_keys = true;     // false: keys between the ends move by up to 0.4 of their interval, off the frames
  float swing = 0.4f;        // the largest angle of a key to the rest rotation, in radians
  uint32_t branching = 3;    // the parent is one joint nearer to the root with a chance of 1 in this; 0: a chain
  float bone_length = 0.2f;  // meters
  Scaling scaling = Scaling::kNone;
  Interpolation interpolation = Interpolation::kLinear;
  uint32_t seed = 1;
};

/// A tree of joints with one palette entry each and without a mesh. Lengths are in meters. The bind pose differs from
/// the rest pose, and model_from_root is not the identity.
Character random_rig(const RigOptions& options);

/// The same with one triangle on each joint.
Character rig_with_triangles(const RigOptions& options);

/// One joint at the origin, one palette entry, and a clip with these keys of its translation along x.
Character one_joint(std::vector<float> times, const std::vector<float>& xs,
                    Interpolation interpolation = Interpolation::kLinear);

/// The mesh of a triangle: a right angle at the origin, legs of `size` along x and y. The first palette entry moves it.
Mesh triangle(float size);

/// The vertices of a mesh by the CPU skinner, in model space.
inline std::vector<Vec3> skinned_positions(const Mesh& mesh, std::span<const Matrix3x4> palette,
                                           std::span<const float> weights = {}) {
  std::vector<Vec3> positions(mesh.vertex_count()), normals(positions.size());
  skin_on_cpu(mesh, palette, positions, normals, {}, weights);
  return positions;
}

/// Room for palettes, aligned to cache lines and filled with NaN: a test can tell which matrices were written.
class Palettes {
 public:
  Palettes(size_t instances, uint32_t palette_size);
  uint32_t stride() const { return stride_; }
  std::span<Matrix3x4> all() { return {&blocks_.data()->matrices[0], blocks_.size() * 4}; }
  std::span<Matrix3x4> of(size_t instance) { return all().subspan(instance * stride_, palette_size_); }

 private:
  struct alignas(64) Block {
    Matrix3x4 matrices[4];
  };
  uint32_t palette_size_, stride_;
  std::vector<Block> blocks_;
};

/// Palettes of the exact evaluator and of the crowd evaluator.
Palettes evaluate_exact(const Character& character, std::span<const Playback> instances,
                        std::span<const std::vector<float>> masks = {});
Palettes evaluate_baked(const BakedCharacter& baked, std::span<const Playback> instances);

/// Joints of the rest pose, and those of a clip; in model space.
std::vector<Matrix3x4d> rest_joints(const Character& character);
std::vector<Matrix3x4d> joints_at(const Character& character, const Clip& clip, float time_seconds);

/// The larger value, or NaN where either is NaN.
double larger(double a, double b);

/// The largest difference of two numbers at the same place, or NaN.
double largest_difference(const Matrix3x4d& a, const Matrix3x4d& b);

/// The largest distance between two palettes, in model units, of points that are `radius` away from each entry's joint.
double largest_distance(const Character& character, std::span<const Matrix3x4> a, std::span<const Matrix3x4> b,
                        double radius);

/// The same of all instances.
double largest_distance(const Character& character, Palettes& a, Palettes& b, double radius);

/// The largest extent of the mesh in the rest pose, in model units; 1.8 without a mesh. BakeOptions takes it for 1.8 m.
double extent_of(const Character& character);

/// Times of a clip: its ends, 1 s outside, and `count` others: keys with the times next to them, up to half of all, and
/// random ones.
std::vector<float> times_to_compare(const Clip& clip, size_t count, std::mt19937& random);

/// The largest distance between both evaluators over `count` times of a clip, in the bake's meters.
double largest_error(const Character& character, const BakedCharacter& baked, uint32_t clip, size_t count);

/// Checks the error that the bake states of each clip: it is at most `max_error`, and no time of `count` is worse.
void expect_stated_errors(const Character& character, const BakedCharacter& baked, double max_error = INFINITY,
                          size_t count = 100);

}  // namespace sinew::test
