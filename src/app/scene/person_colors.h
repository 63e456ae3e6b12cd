// What people of a crowd differ in: colors of skin, hair and clothes. A texture says where each of them is seen.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "scene/random.h"
#include "sinew/asset/character.h"

namespace sinew::app {

/// A part of a surface that has one color in a person. Alpha is 255 less its number; where that is 0, all people have
/// the colors of the file.
enum class Region : uint8_t { kNone, kSkin, kHair, kTop, kTrousers };
inline constexpr size_t kRegionCount = 4;  // without kNone

/// The end of the name of materials whose base color has regions in its alpha. They are opaque: alpha does nothing
/// else.
inline constexpr std::string_view kRegionsSuffix = "_regions";

/// For each texel of an image the shares of skin, hair, top and trousers, 0 or 255: a mip chain of them has shares too.
std::vector<uint8_t> region_shares(const sinew::Image& image);

/// What a region looks like in the file, linear. White where there is none.
struct RegionColor {
  Vec3 mean{1, 1, 1};
  Vec3 bright{1, 1, 1};  // the mean of the brighter half: painted shadows, and what is never seen, are darker
};
using RegionColors = std::array<RegionColor, kRegionCount>;

/// Of a character with regions: all its materials have them, but for that of small levels, and their alpha has nothing
/// else. None for all others.
std::optional<RegionColors> region_colors(const Character& character);

/// How bright a linear color is, where new colors keep the light and dark of a texture.
inline float brightness(Vec3 color) { return 0.25f * color.x + 0.6f * color.y + 0.15f * color.z; }

inline constexpr size_t kMaxColors = 32;  // of a palette

/// The colors of a region that people may have, linear: what RegionColors become.
std::span<const Vec3> palette_of(Region region);

/// Some colors of the palette of tops by name: those of teams and runners.
enum Top : uint8_t {
  kCreamTop = 0,
  kOrangeTop = 9,
  kRedTop = 24,
  kYellowTop,
  kBlueTop,
  kGreenTop,
  kPinkTop,
  kTurquoiseTop,
};

/// The same of the palette of trousers. White ones are never drawn at random: only teams have them.
enum Trousers : uint8_t { kDarkTrousers = 2, kWhiteTrousers = 12 };

/// A color of the palette for each region.
struct PersonColors {
  uint8_t skin = 0, hair = 0, top = 0, trousers = 0;

  bool operator==(const PersonColors&) const = default;
};

/// As the attributes of instances have them: 6 bits each, skin lowest; then 255.
uint32_t pack(PersonColors colors);

/// The inverse. None: an instance with the colors of its file.
std::optional<PersonColors> person_colors(uint32_t packed);

/// Draws colors that go together: hair with skin, trousers with the top, which is that of a team if it is given. Two
/// numbers of `random`.
PersonColors pick_colors(Random& random, std::optional<uint8_t> top = {});

}  // namespace sinew::app
