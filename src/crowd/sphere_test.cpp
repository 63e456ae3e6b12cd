#include "sphere_test.h"

#include <algorithm>
#include <cstring>

// As of the lane code: each instruction set costs compile time. Highway's own fallbacks stay enabled.
#define SINEW_SPHERE_TARGETS (HWY_AVX3 | HWY_AVX2 | HWY_SSE4 | HWY_NEON)
#define HWY_DISABLED_TARGETS (~(SINEW_SPHERE_TARGETS | HWY_EMU128 | HWY_SCALAR))
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sphere_test.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

// The code below is compiled once for each instruction set.
HWY_BEFORE_NAMESPACE();
namespace sinew::crowd::internal::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
constexpr HWY_FULL(float) kFloat;
using Floats = hn::Vec<decltype(kFloat)>;
using Bits = hn::Mask<decltype(kFloat)>;
constexpr size_t W = HWY_LANES(float);

struct Lanes {
  Floats x, y, z, radius;
};

struct LaneBits {
  Bits may_be_drawn, inside;
};

HWY_INLINE Bits no_lane() { return hn::FirstN(kFloat, 0); }

HWY_INLINE Floats dot_with(Vec3 a, Floats x, Floats y, Floats z) {
  const Floats xy = hn::Add(hn::Mul(hn::Set(kFloat, a.x), x), hn::Mul(hn::Set(kFloat, a.y), y));
  return hn::Add(xy, hn::Mul(hn::Set(kFloat, a.z), z));
}

/// Adds the bits of one frustum. `extent_along(normal)` is how far a sphere, or what is seen of it, reaches beyond its
/// center.
template <class ExtentAlong>
HWY_INLINE void test_frustum(const Frustum& frustum, const Lanes& at, ExtentAlong extent_along, LaneBits& bits) {
  const Floats reach = hn::Add(at.radius, hn::Set(kFloat, kSlack));
  Bits outside = no_lane(), inside = hn::Not(outside);
  for (const Vec4& plane : frustum.planes) {
    const Vec3 normal{plane.x, plane.y, plane.z};
    const Floats distance = hn::Add(dot_with(normal, at.x, at.y, at.z), hn::Set(kFloat, plane.w));
    outside = hn::Or(outside, hn::Lt(distance, hn::Neg(extent_along(normal))));
    inside = hn::And(inside, hn::Ge(distance, reach));
  }
  bits.may_be_drawn = hn::Or(bits.may_be_drawn, hn::Not(outside));
  bits.inside = hn::Or(bits.inside, inside);
}

/// The first view: spheres are swept from their tops down to the lowest ground.
HWY_INLINE void test_swept(const SphereTest& test, const Lanes& at, LaneBits& bits) {
  const Floats zero = hn::Zero(kFloat), slack = hn::Set(kFloat, kSlack);
  const Floats margin = hn::Set(kFloat, test.shadows->margin);
  const Vec3 to_sun = test.shadows->to_sun;
  const Floats top = hn::Add(dot_with(test.up, at.x, at.y, at.z), at.radius);
  const Floats above = hn::Sub(top, hn::Set(kFloat, test.shadows->lowest_ground));
  const Floats way =
      hn::Div(hn::Neg(hn::IfThenElse(hn::Lt(above, zero), zero, above)), hn::Set(kFloat, dot(to_sun, test.up)));
  const Floats x = hn::Mul(hn::Set(kFloat, to_sun.x), way), y = hn::Mul(hn::Set(kFloat, to_sun.y), way);
  const Floats z = hn::Mul(hn::Set(kFloat, to_sun.z), way);
  const auto extent_along = [&](Vec3 normal) HWY_ATTR {
    const Floats sweep = dot_with(normal, x, y, z);
    const Floats swept = hn::IfThenElse(hn::Lt(sweep, zero), zero, sweep);
    return hn::Add(hn::Add(hn::Add(at.radius, swept), margin), slack);
  };
  test_frustum(test.frusta.front(), at, extent_along, bits);
}

HWY_INLINE uint64_t word_of(Bits bits) {
  uint8_t bytes[8] = {};
  hn::StoreMaskBits(kFloat, bits, bytes);
  uint32_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

/// W spheres; their bits are put at `place`.
HWY_INLINE void test_vector(const SphereTest& test, const Sphere* spheres, size_t place, SphereBits& found) {
  Lanes at;
  hn::LoadInterleaved4(kFloat, &spheres->center.x, at.x, at.y, at.z, at.radius);
  LaneBits bits = {no_lane(), no_lane()};
  if (test.shadows != nullptr) test_swept(test, at, bits);
  const Floats reach = hn::Add(at.radius, hn::Set(kFloat, kSlack));
  const auto extent_along = [&](Vec3) HWY_ATTR { return reach; };
  for (size_t i = test.shadows != nullptr; i < test.frusta.size(); ++i)
    test_frustum(test.frusta[i], at, extent_along, bits);
  found.may_be_drawn |= word_of(bits.may_be_drawn) << place;
  found.inside |= word_of(bits.inside) << place;
}

SphereBits test_spheres(const SphereTest& test, std::span<const Sphere> spheres) {
  SphereBits found;
  size_t i = 0;
  for (; i + W <= spheres.size(); i += W) test_vector(test, spheres.data() + i, i, found);
  if (i == spheres.size()) return found;
  Sphere last[W] = {};
  std::copy(spheres.begin() + long(i), spheres.end(), last);
  test_vector(test, last, i, found);
  const uint64_t given = (uint64_t{1} << spheres.size()) - 1;
  return {found.may_be_drawn & given, found.inside & given};
}

}  // namespace sinew::crowd::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew::crowd::internal {

HWY_EXPORT(test_spheres);

SphereBits test_spheres(const SphereTest& test, std::span<const Sphere> spheres) {
  return HWY_DYNAMIC_DISPATCH(test_spheres)(test, spheres);
}

}  // namespace sinew::crowd::internal
#endif  // HWY_ONCE
