#include "lod/visible_surface.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "surface.h"

namespace sinew::internal {
namespace {

constexpr int kPixels = 64;             // of a picture, along the diagonal of the surface
constexpr float kMinBlendAlpha = 0.5f;  // below it, what blends is not seen

Vec3 corner_of(const Surface& surface, uint32_t triangle, uint32_t corner) {
  return surface.positions[surface.indices[size_t{triangle} * 3 + corner]];
}

/// One picture: of each pixel the nearest triangle.
class Picture {
 public:
  static constexpr uint32_t kNothing = UINT32_MAX;
  struct Pixel {
    float depth = INFINITY;
    uint32_t triangle = kNothing;
    float share_b = 0, share_c = 0;
  };

  Picture(const Surface& surface, Vec3 direction) : surface_(surface), forward_(direction) {
    right_ = normalize(cross(direction, std::abs(direction.y) < 0.9f ? Vec3{0, 1, 0} : Vec3{1, 0, 0}));
    up_ = cross(right_, direction);
    Box box = kEmptyBox;
    for (const uint32_t v : surface.indices) include(box, surface.positions[v]);
    middle_ = (box.low + box.high) * 0.5f;
    const float diagonal = length(size_of(box));
    pixel_ = (diagonal > 0 ? diagonal : 1) / float(kPixels - 2);
    pixels_.resize(size_t{kPixels} * kPixels);
  }

  /// `is_seen(triangle, is_front, share_b, share_c)` decides about each point.
  template <class IsSeen>
  void draw(IsSeen is_seen) {
    for (uint32_t t = 0; t < surface_.indices.size() / 3; ++t) draw_triangle(t, is_seen);
  }

  std::span<const Pixel> pixels() const { return pixels_; }
  float pixel_area() const { return pixel_ * pixel_; }

 private:
  Vec3 project(Vec3 p) const {
    const Vec3 q = p - middle_;
    return {dot(q, right_) / pixel_ + kPixels / 2.0f, dot(q, up_) / pixel_ + kPixels / 2.0f, dot(q, forward_)};
  }

  template <class IsSeen>
  void draw_triangle(uint32_t t, IsSeen is_seen) {
    const auto at = [&](uint32_t corner) { return project(corner_of(surface_, t, corner)); };
    const Vec3 a = at(0), ab = at(1) - a, ac = at(2) - a;
    const float area = ab.x * ac.y - ab.y * ac.x;
    if (area == 0 || !std::isfinite(area)) return;
    const auto first = [](float x) { return std::clamp(int(std::ceil(x - 0.5f)), 0, kPixels - 1); };
    const auto last = [](float x) { return std::clamp(int(std::floor(x - 0.5f)), -1, kPixels - 1); };
    const int end_x = last(a.x + std::max({0.0f, ab.x, ac.x})), end_y = last(a.y + std::max({0.0f, ab.y, ac.y}));
    for (int y = first(a.y + std::min({0.0f, ab.y, ac.y})); y <= end_y; ++y) {
      for (int x = first(a.x + std::min({0.0f, ab.x, ac.x})); x <= end_x; ++x) {
        const float px = float(x) + 0.5f - a.x, py = float(y) + 0.5f - a.y;
        const float b = (px * ac.y - py * ac.x) / area, c = (ab.x * py - ab.y * px) / area;
        if (b < 0 || c < 0 || b + c > 1) continue;
        Pixel& pixel = pixels_[size_t(y) * kPixels + size_t(x)];
        const float depth = a.z + b * ab.z + c * ac.z;
        if (depth < pixel.depth && is_seen(t, area > 0, b, c)) pixel = {depth, t, b, c};
      }
    }
  }

  Surface surface_;
  Vec3 forward_, right_, up_, middle_;
  float pixel_ = 1;
  std::vector<Pixel> pixels_;
};

uint32_t wrapped(float at, uint32_t size, Wrap wrap) {
  if (wrap == Wrap::kClamp) at = std::clamp(at, 0.0f, 1.0f);
  if (wrap == Wrap::kMirror) at = std::abs(at - 2 * std::round(at / 2));
  if (wrap == Wrap::kRepeat) at -= std::floor(at);
  return std::min(uint32_t(std::max(at, 0.0f) * float(size)), size - 1);
}

/// Base colors of a character's surface.
class Colors {
 public:
  explicit Colors(const Character& character) : character_(character) {
    for (const MeshPart& part : character.mesh.parts) {
      for (uint32_t i = 0; i < part.index_count / 3; ++i) material_of_.push_back(part.material);
    }
    for (int i = 0; i < 256; ++i) linear_[size_t(i)] = linear_of(float(i) / 255);
  }

  uint32_t material_of(uint32_t triangle) const { return material_of_[triangle]; }
  bool is_opaque(uint32_t triangle) const {
    return character_.materials[material_of_[triangle]].alpha_mode == AlphaMode::kOpaque;
  }

  Vec4 at(uint32_t triangle, float b, float c) const {
    const Material& material = character_.materials[material_of_[triangle]];
    const Vec4 texel = texture_at(material.base_color_texture, triangle, b, c), factor = material.base_color;
    Vec4 color{texel.x * factor.x, texel.y * factor.y, texel.z * factor.z, texel.w * factor.w};
    const std::vector<VertexColor>& colors = character_.mesh.colors;
    if (colors.empty()) return color;
    const auto mean = [&](uint16_t VertexColor::*channel) {
      const auto of = [&](uint32_t corner) { return float(colors[vertex(triangle, corner)].*channel); };
      return (of(0) * (1 - b - c) + of(1) * b + of(2) * c) / 65535;
    };
    return {color.x * mean(&VertexColor::r), color.y * mean(&VertexColor::g), color.z * mean(&VertexColor::b),
            color.w * mean(&VertexColor::a)};
  }

  bool is_seen(uint32_t triangle, bool front, float b, float c) const {
    const Material& material = character_.materials[material_of_[triangle]];
    if (!front && !material.double_sided) return false;
    if (material.alpha_mode == AlphaMode::kOpaque) return true;
    return at(triangle, b, c).w >= (material.alpha_mode == AlphaMode::kMask ? material.alpha_cutoff : kMinBlendAlpha);
  }

 private:
  uint32_t vertex(uint32_t triangle, uint32_t corner) const {
    return character_.mesh.indices[size_t{triangle} * 3 + corner];
  }

  Vec4 texture_at(const Texture& texture, uint32_t triangle, float b, float c) const {
    if (texture.image < 0 || size_t(texture.image) >= character_.images.size()) return {1, 1, 1, 1};
    const Image& image = character_.images[size_t(texture.image)];
    if (image.rgba.empty()) return {1, 1, 1, 1};
    const Mesh& mesh = character_.mesh;
    const std::vector<Vec2>& uvs = texture.uv_set == 1 && !mesh.second_uvs.empty() ? mesh.second_uvs : mesh.uvs;
    const Vec2 p = uvs[vertex(triangle, 0)], q = uvs[vertex(triangle, 1)], r = uvs[vertex(triangle, 2)];
    const Vec2 uv =
        transformed(texture, {p.x * (1 - b - c) + q.x * b + r.x * c, p.y * (1 - b - c) + q.y * b + r.y * c});
    if (!std::isfinite(uv.x) || !std::isfinite(uv.y)) return {1, 1, 1, 1};
    const uint32_t x = wrapped(uv.x, image.width, texture.wrap_u), y = wrapped(uv.y, image.height, texture.wrap_v);
    const uint8_t* texel = image.rgba.data() + (size_t{y} * image.width + x) * 4;
    return {linear_[texel[0]], linear_[texel[1]], linear_[texel[2]], float(texel[3]) / 255};
  }

  const Character& character_;
  std::vector<uint32_t> material_of_;  // of each triangle
  std::array<float, 256> linear_{};    // of each sRGB value
};

}  // namespace

std::array<Vec3, 14> view_directions() {
  std::array<Vec3, 14> all;
  size_t count = 0;
  for (const float sign : {-1.0f, 1.0f}) {
    for (const Vec3 axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) all[count++] = axis * sign;
    for (const float x : {-1.0f, 1.0f}) {
      for (const float y : {-1.0f, 1.0f}) all[count++] = normalize(Vec3{x, y, sign});
    }
  }
  return all;
}

VisibleSurface look_at(const Character& character, std::span<const Vec3> positions) {
  const Colors colors(character);
  VisibleSurface seen;
  const std::array all = view_directions();
  for (const Vec3 direction : all) {
    Picture picture({positions, character.mesh.indices}, direction);
    picture.draw([&](uint32_t t, bool front, float b, float c) { return colors.is_seen(t, front, b, c); });
    for (const Picture::Pixel& pixel : picture.pixels()) {
      if (pixel.triangle == Picture::kNothing) continue;
      const Vec4 color = colors.at(pixel.triangle, pixel.share_b, pixel.share_c);
      seen.points.push_back({pixel.triangle,
                             pixel.share_b,
                             pixel.share_c,
                             {color.x, color.y, color.z},
                             colors.is_opaque(pixel.triangle)
                                 ? uint8_t(std::lround(std::clamp(color.w, 0.0f, 1.0f) * 255))
                                 : uint8_t(255),
                             colors.material_of(pixel.triangle)});
      seen.area += double(picture.pixel_area()) / double(all.size());
    }
  }
  return seen;
}

double covered_area(const Surface& surface) {
  double area = 0;
  const std::array all = view_directions();
  for (const Vec3 direction : all) {
    Picture picture(surface, direction);
    picture.draw([](uint32_t, bool, float, float) { return true; });
    for (const Picture::Pixel& pixel : picture.pixels())
      area += pixel.triangle == Picture::kNothing ? 0 : double(picture.pixel_area()) / double(all.size());
  }
  return area;
}

}  // namespace sinew::internal
