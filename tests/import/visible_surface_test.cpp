// What is seen of a surface: the colors of its textures where nothing covers it, and what covers it.
#include "lod/visible_surface.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "brute_force.h"

namespace sinew::internal {
namespace {

using test::double_dot;
using test::LevelDraw;

/// Triangles anywhere, in four parts whose materials have all that decides what is seen of them.
Character seen_triangles(LevelDraw& draw) {
  Character character;
  Mesh& mesh = character.mesh;
  Image& image = character.images.emplace_back(Image{"image", 5, 3, {}});
  for (int i = 0; i < 60; ++i) {
    const uint8_t alphas[] = {20, 230, 252, 255};
    image.rgba.push_back(i % 4 == 3 ? alphas[draw.below(4)] : uint8_t(draw.below(256)));
  }
  for (uint32_t part = 0; part < 4; ++part) {
    Material& material = character.materials.emplace_back();
    material.base_color = {draw.between(0.3f, 1), draw.between(0.3f, 1), draw.between(0.3f, 1), 1};
    Texture& texture = material.base_color_texture;
    texture.image = part == 3 ? -1 : 0, texture.uv_set = draw.below(2);
    texture.wrap_u = Wrap(draw.below(3)), texture.wrap_v = Wrap(draw.below(3));
    texture.offset = {draw.between(-1, 1), draw.between(-1, 1)}, texture.rotation = draw.between(-2, 2);
    texture.scale = {draw.between(0.5f, 2), draw.between(0.5f, 2)};
    material.alpha_mode = AlphaMode(draw.below(3)), material.double_sided = draw.below(2) == 0;
    mesh.parts.push_back({"part", PartKind::kSkinned, part, part * 30, 30, part * 30, 30});
    for (int i = 0; i < 10; ++i) {
      const Vec3 middle = draw.vector(0.5f);
      for (int corner = 0; corner < 3; ++corner) {
        mesh.indices.push_back(mesh.vertex_count());
        mesh.positions.push_back(middle + draw.vector(0.4f));
        mesh.uvs.push_back({draw.between(-3, 3), draw.between(-3, 3)});
        mesh.second_uvs.push_back({draw.between(-3, 3), draw.between(-3, 3)});
        const auto unorm = [&] { return uint16_t(draw.below(65536)); };
        mesh.colors.push_back({unorm(), unorm(), unorm(), 65535});
      }
    }
  }
  return character;
}

struct SeenColor {
  double rgb[3] = {}, alpha = 1;
  bool is_near_border = false;  // of texels: rounding decides
};

/// The texel at a coordinate, found by walking there.
uint32_t texel_at(double at, uint32_t size, Wrap wrap, bool& is_near_border) {
  if (wrap == Wrap::kMirror) at = std::abs(at);
  while (wrap == Wrap::kMirror && at > 2) at -= 2;
  if (wrap == Wrap::kMirror && at > 1) at = 2 - at;
  while (wrap == Wrap::kRepeat && at < 0) at += 1;
  while (wrap == Wrap::kRepeat && at >= 1) at -= 1;
  is_near_border = is_near_border || std::abs(at * size - std::round(at * size)) < 1e-3;
  return uint32_t(std::clamp(std::floor(at * size), 0.0, double(size - 1)));
}

SeenColor color_at(const Character& character, uint32_t triangle, double b, double c) {
  const Mesh& mesh = character.mesh;
  const Material& material = character.materials[triangle / 10];
  const Texture& texture = material.base_color_texture;
  const auto mean = [&](auto of) {
    return of(triangle * 3) * (1 - b - c) + of(triangle * 3 + 1) * b + of(triangle * 3 + 2) * c;
  };
  const auto& uvs = texture.uv_set == 0 ? mesh.uvs : mesh.second_uvs;
  const double u = mean([&](uint32_t v) { return double(uvs[v].x); }) * double(texture.scale.x);
  const double v = mean([&](uint32_t i) { return double(uvs[i].y); }) * double(texture.scale.y);
  const double cosine = std::cos(double(texture.rotation)), sine = std::sin(double(texture.rotation));
  SeenColor seen;
  const uint32_t x = texel_at(cosine * u + sine * v + double(texture.offset.x), 5, texture.wrap_u, seen.is_near_border);
  const uint32_t y = texel_at(cosine * v - sine * u + double(texture.offset.y), 3, texture.wrap_v, seen.is_near_border);
  const uint8_t* const texel = &character.images[0].rgba[(y * 5 + x) * 4];
  const double colors[] = {mean([&](uint32_t i) { return double(mesh.colors[i].r); }),
                           mean([&](uint32_t i) { return double(mesh.colors[i].g); }),
                           mean([&](uint32_t i) { return double(mesh.colors[i].b); })};
  const float factors[] = {material.base_color.x, material.base_color.y, material.base_color.z};
  for (int i = 0; i < 3; ++i) {
    const double srgb = texel[i] / 255.0;
    const double linear = srgb <= 0.04045 ? srgb / 12.92 : std::pow((srgb + 0.055) / 1.055, 2.4);
    seen.rgb[i] = (texture.image < 0 ? 1 : linear) * double(factors[i]) * colors[i] / 65535;
  }
  if (texture.image >= 0) seen.alpha = texel[3] / 255.0;
  return seen;
}

/// Whether the surface shows there to someone who looks along `direction`, if nothing is before it.
bool shows(const Character& character, uint32_t triangle, double b, double c, Vec3 direction) {
  const Material& material = character.materials[triangle / 10];
  const auto at = [&](uint32_t corner) { return character.mesh.positions[triangle * 3 + corner]; };
  if (dot(cross(at(1) - at(0), at(2) - at(0)), direction) >= 0 && !material.double_sided) return false;
  return material.alpha_mode == AlphaMode::kOpaque || color_at(character, triangle, b, c).alpha >= 0.5;
}

/// Whether another triangle is before the point; not certain beside edges and borders of texels: then it is not.
bool is_covered(const Character& character, uint32_t own, Vec3 p, Vec3 direction) {
  for (uint32_t triangle = 0; triangle < 40; ++triangle) {
    const auto at = [&](uint32_t corner) { return character.mesh.positions[triangle * 3 + corner]; };
    const Vec3 normal = cross(at(1) - at(0), at(2) - at(0));
    const double towards = double_dot(normal, direction) * -1;
    const double way = double_dot(at(0) - p, normal) / towards;
    if (triangle == own || !(way > 1e-3)) continue;
    const Vec3 hit = p - direction * float(way) - at(0);
    const double size = double_dot(normal, normal);
    const double b = double_dot(cross(hit, at(2) - at(0)), normal) / size;
    const double c = double_dot(cross(at(1) - at(0), hit), normal) / size;
    if (b < 1e-3 || c < 1e-3 || b + c > 0.999 || color_at(character, triangle, b, c).is_near_border) continue;
    if (shows(character, triangle, b, c, direction)) return true;
  }
  return false;
}

TEST(VisibleSurface, HasTheColorsOfItsTexturesWhereNothingCoversIt) {
  size_t compared = 0;
  for (uint32_t seed = 1; seed <= 24; ++seed) {
    LevelDraw draw(seed);
    const Character character = seen_triangles(draw);
    const VisibleSurface surface = look_at(character, character.mesh.positions);
    for (size_t i = 0; i < surface.points.size(); i += 17) {
      const VisiblePoint& point = surface.points[i];
      const double b = double(point.share_b), c = double(point.share_c);
      const SeenColor expected = color_at(character, point.triangle, b, c);
      if (expected.is_near_border) continue;
      ++compared;
      ASSERT_EQ(point.material, point.triangle / 10);
      ASSERT_NEAR(point.color.x, expected.rgb[0], 1e-3) << "seed " << seed << ", triangle " << point.triangle;
      ASSERT_NEAR(point.color.y, expected.rgb[1], 1e-3) << "seed " << seed << ", triangle " << point.triangle;
      ASSERT_NEAR(point.color.z, expected.rgb[2], 1e-3) << "seed " << seed << ", triangle " << point.triangle;
      const bool is_opaque = character.materials[point.material].alpha_mode == AlphaMode::kOpaque;
      ASSERT_EQ(point.alpha, is_opaque ? std::lround(expected.alpha * 255) : 255) << "seed " << seed;
      const auto at = [&](uint32_t corner) { return character.mesh.positions[point.triangle * 3 + corner]; };
      const Vec3 p = at(0) + (at(1) - at(0)) * point.share_b + (at(2) - at(0)) * point.share_c;
      ASSERT_TRUE(std::ranges::any_of(view_directions(),
                                      [&](Vec3 direction) {
                                        return shows(character, point.triangle, b, c, direction) &&
                                               !is_covered(character, point.triangle, p, direction);
                                      }))
          << "seed " << seed << ", triangle " << point.triangle << " is not seen there";
    }
  }
  EXPECT_GT(compared, 5000u);
}

/// Of a box, whose faces are seen as large as they are times the cosine.
TEST(VisibleSurface, CoversAsMuchAsABoxDoes) {
  for (uint32_t seed = 1; seed <= 10; ++seed) {
    LevelDraw draw(seed);
    const Vec3 size{draw.between(0.5f, 2), draw.between(0.5f, 2), draw.between(0.5f, 2)};
    std::vector<Vec3> corners;
    for (int i = 0; i < 8; ++i) corners.push_back({i & 1 ? size.x : 0, i & 2 ? size.y : 0, i & 4 ? size.z : 0});
    const std::vector<uint32_t> faces = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                         2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    float area = 0;
    for (const Vec3 d : view_directions())
      area +=
          (std::abs(d.x) * size.y * size.z + std::abs(d.y) * size.z * size.x + std::abs(d.z) * size.x * size.y) / 14;
    EXPECT_NEAR(covered_area({corners, faces}), area, 0.04f * area) << "seed " << seed;
    Character character;
    character.mesh.positions = corners, character.mesh.indices = faces;
    character.mesh.uvs.resize(8), character.materials.resize(1);
    character.mesh.parts = {{"box", PartKind::kSkinned, 0, 0, 8, 0, 36}};
    EXPECT_NEAR(look_at(character, corners).area, area, 0.04f * area) << "seed " << seed;
  }
}

}  // namespace
}  // namespace sinew::internal
