#include "scene/person_colors.h"

#include <algorithm>
#include <cmath>

#include "sinew/import/lod.h"

namespace sinew::app {
namespace {

float linear_of(uint32_t srgb) {
  const float value = float(srgb & 255) / 255;
  return value <= 0.04045f ? value / 12.92f : std::pow((value + 0.055f) / 1.055f, 2.4f);
}

// In sRGB, 0xrrggbb. Some have a name: see Top and Trousers.
constexpr uint32_t kSkin[] = {0xe9c1a4, 0xe0ae8a, 0xcb9467, 0xac744c, 0x855438, 0x5e3b2a};
constexpr uint32_t kHair[] = {0x1c1917, 0x33251e, 0x543a2a, 0x74492e, 0xa0562c, 0x977348, 0xc7a263, 0x8a8681, 0xc9c5bf};
constexpr uint32_t kTop[] = {0xd9d2c0, 0xc7ab7c, 0x9c7b52, 0x6f5138, 0x8c8f8f, 0x4a4d52, 0x2f3440, 0xa6402f,
                             0x7c2b2b, 0xc4762f, 0xcf9f36, 0x7d7a3a, 0x55693a, 0x35543f, 0x4f8377, 0x2e6a75,
                             0x6b93b3, 0x3a5f96, 0x2a3d6b, 0x5b4273, 0x8d5f86, 0xb5687a, 0xb9b39b, 0x9fae8a,
                             0xd8352f, 0xf0a81f, 0x2f6fd0, 0x2f9e52, 0xd9558f, 0x1ba3ad};
constexpr uint32_t kTrousers[] = {0x3d4c66, 0x56688a, 0x2b3040, 0x3a3633, 0x54483c, 0x6e5a45, 0x8f7757,
                                  0xb29c78, 0x5f6158, 0x7b7d7a, 0x4b543c, 0x6b3f33, 0xe4e1d8};
static_assert(std::size(kTrousers) == kWhiteTrousers + 1);

static_assert(std::max({std::size(kSkin), std::size(kHair), std::size(kTop), std::size(kTrousers)}) <= kMaxColors);

/// How many of a hundred people have a color.
using Shares = std::span<const uint8_t>;
constexpr uint8_t kSkinShares[] = {20, 22, 20, 15, 13, 10};
constexpr uint8_t kFairHair[] = {10, 16, 20, 14, 9, 12, 10, 6, 3};
constexpr uint8_t kDarkHair[] = {38, 30, 14, 5, 0, 1, 0, 9, 3};
constexpr uint8_t kBlackHair[] = {62, 22, 3, 0, 0, 0, 0, 10, 3};
static_assert(std::size(kSkinShares) == std::size(kSkin));
static_assert(std::size(kFairHair) == std::size(kHair) && std::size(kDarkHair) == std::size(kHair));
static_assert(std::size(kBlackHair) == std::size(kHair));

Shares hair_shares(uint8_t skin) { return skin < 2 ? Shares(kFairHair) : skin < 4 ? kDarkHair : kBlackHair; }

uint8_t draw(Shares shares, Random& random) {
  uint32_t left = uint32_t(random.unit() * 100);
  uint8_t chosen = 0;
  while (chosen + 1u < shares.size() && left >= shares[chosen]) left -= shares[chosen++];
  return chosen;
}

uint8_t draw(size_t count, Random& random) { return uint8_t(random.next() % count); }

/// Whether two clothes can be told apart.
bool look_different(Vec3 a, Vec3 b) {
  const auto seen = [](float linear) { return std::sqrt(linear); };
  const Vec3 apart{seen(a.x) - seen(b.x), seen(a.y) - seen(b.y), seen(a.z) - seen(b.z)};
  return length(apart) > 0.22f;
}

template <size_t kCount>
std::array<Vec3, kCount> linear_palette(const uint32_t (&srgb)[kCount]) {
  std::array<Vec3, kCount> colors;
  std::ranges::transform(srgb, colors.begin(), [](uint32_t color) {
    return Vec3{linear_of(color >> 16), linear_of(color >> 8), linear_of(color)};
  });
  return colors;
}

Region region_of(uint8_t alpha) { return Region(255 - alpha); }
bool is_region(uint8_t alpha) { return alpha >= 255 - kRegionCount; }

/// The texels of a region.
class Texels {
 public:
  void add(Vec3 color) {
    Sum& sum = of_brightness[size_t(std::sqrt(brightness(color)) * 255)];
    ++sum.count, sum.r += color.x, sum.g += color.y, sum.b += color.z;
  }
  RegionColor color() const {
    uint64_t count = 0;
    for (const Sum& sum : of_brightness) count += sum.count;
    return count > 0 ? RegionColor{mean_of_brightest(count), mean_of_brightest((count + 1) / 2)} : RegionColor{};
  }

 private:
  /// Of at least so many texels.
  Vec3 mean_of_brightest(uint64_t count) const {
    Sum brighter;
    for (size_t i = of_brightness.size(); i-- > 0 && brighter.count < count;) {
      const Sum& sum = of_brightness[i];
      brighter.count += sum.count, brighter.r += sum.r, brighter.g += sum.g, brighter.b += sum.b;
    }
    const double all = double(brighter.count);
    return {float(brighter.r / all), float(brighter.g / all), float(brighter.b / all)};
  }

  struct Sum {
    uint64_t count = 0;
    double r = 0, g = 0, b = 0;
  };
  std::array<Sum, 256> of_brightness{};
};

/// False: the alpha of the image has something else than regions.
bool add_texels(const Image& image, std::array<Texels, kRegionCount>& regions) {
  std::array<float, 256> linear{};
  for (uint32_t i = 0; i < 256; ++i) linear[i] = linear_of(i);
  for (size_t i = 0; i < image.rgba.size(); i += 4) {
    const uint8_t* texel = image.rgba.data() + i;
    if (!is_region(texel[3])) return false;
    if (region_of(texel[3]) == Region::kNone) continue;
    regions[size_t(region_of(texel[3])) - 1].add({linear[texel[0]], linear[texel[1]], linear[texel[2]]});
  }
  return true;
}

}  // namespace

std::optional<RegionColors> region_colors(const Character& character) {
  std::array<Texels, kRegionCount> regions;
  bool some = false;
  for (const Material& material : character.materials) {
    if (material.name == kSmallLevelMaterial) continue;
    const int32_t image = material.base_color_texture.image;
    const bool opaque = material.alpha_mode == AlphaMode::kOpaque && image >= 0;
    if (!opaque || !material.name.ends_with(kRegionsSuffix)) return {};
    if (!add_texels(character.images[size_t(image)], regions)) return {};
    some = true;
  }
  if (!some) return {};
  RegionColors colors;
  std::ranges::transform(regions, colors.begin(), &Texels::color);
  return colors;
}

std::vector<uint8_t> region_shares(const sinew::Image& image) {
  std::vector<uint8_t> shares(image.rgba.size());
  for (size_t i = 0; i < shares.size(); i += 4) {
    const uint8_t alpha = image.rgba[i + 3];
    if (is_region(alpha) && region_of(alpha) != Region::kNone) shares[i + size_t(region_of(alpha)) - 1] = 255;
  }
  return shares;
}

std::span<const Vec3> palette_of(Region region) {
  static const auto skin = linear_palette(kSkin);
  static const auto hair = linear_palette(kHair);
  static const auto top = linear_palette(kTop);
  static const auto trousers = linear_palette(kTrousers);
  const std::span<const Vec3> palettes[] = {{}, skin, hair, top, trousers};
  return palettes[size_t(region)];
}

uint32_t pack(PersonColors colors) {
  return uint32_t(colors.skin) | uint32_t(colors.hair) << 6 | uint32_t(colors.top) << 12 |
         uint32_t(colors.trousers) << 18 | 255u << 24;
}

std::optional<PersonColors> person_colors(uint32_t packed) {
  if (packed >> 24 == 0) return {};
  const auto index = [packed](uint32_t shift) { return uint8_t(packed >> shift & 63); };
  return PersonColors{index(0), index(6), index(12), index(18)};
}

PersonColors pick_colors(Random& random, std::optional<uint8_t> top) {
  const uint64_t seed = random.next();
  Random own{seed ^ random.next()};
  PersonColors colors;
  colors.skin = draw(kSkinShares, own), colors.hair = draw(hair_shares(colors.skin), own);
  colors.top = top ? *top : draw(std::size(kTop), own);
  const Vec3 above = palette_of(Region::kTop)[colors.top];
  do colors.trousers = draw(kWhiteTrousers, own);
  while (!look_different(above, palette_of(Region::kTrousers)[colors.trousers]));
  return colors;
}

}  // namespace sinew::app
