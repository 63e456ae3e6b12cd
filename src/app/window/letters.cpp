#include "window/letters.h"

#define STBTT_STATIC
#define STB_TRUETYPE_IMPLEMENTATION
#include <stb_truetype.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include "asset/file.h"
#include "window/fonts.h"

namespace sinew::app {
namespace {

constexpr float kEmPixels = 12;       // of fonts of the system, at a scale of 1
constexpr float kBuiltInPixels = 13;  // the height that the built-in font is drawn for
constexpr float kMaxHeightPerEm = 2;  // of a font; others are measured in ways of their own
constexpr unsigned kLetterCount = IM_UNICODE_CODEPOINT_MAX + 1u;

/// A font as Dear ImGui takes it.
struct LoadedFont {
  internal::FileBytes file;
  int index = 0;
  float height_per_em = 1;
};

/// None for a file that Dear ImGui would stop at.
std::optional<LoadedFont> load_font(const SystemFont& font) {
  auto file = internal::read_file(font.path);
  if (!file) return {};
  const auto* bytes = reinterpret_cast<const unsigned char*>(file->bytes().data());
  const int offset = stbtt_GetFontOffsetForIndex(bytes, font.index);
  stbtt_fontinfo info;
  if (offset < 0 || !stbtt_InitFont(&info, bytes, offset)) return {};
  const float height_per_em = stbtt_ScaleForMappingEmToPixels(&info, 1) / stbtt_ScaleForPixelHeight(&info, 1);
  if (!(height_per_em > 0 && height_per_em < kMaxHeightPerEm)) return {};
  return LoadedFont{std::move(*file), font.index, height_per_em};
}

std::vector<LoadedFont> load_fonts(std::span<const char32_t> letters) {
  std::vector<LoadedFont> fonts;
  for (const SystemFont& font : find_fonts(letters)) {
    if (auto loaded = load_font(font)) fonts.push_back(std::move(*loaded));
  }
  return fonts;
}

/// Letters of all fonts are of one size: their heights above and below differ.
void add_font(ImFontAtlas& atlas, const LoadedFont& font, float em_pixels, const ImWchar* ranges) {
  ImFontConfig config;
  config.FontDataOwnedByAtlas = false;
  config.FontNo = font.index;
  config.OversampleH = 1;
  config.PixelSnapH = true;
  config.MergeMode = !atlas.Fonts.empty();
  const std::span<const std::byte> bytes = font.file.bytes();
  atlas.AddFontFromMemoryTTF(const_cast<std::byte*>(bytes.data()), int(bytes.size()),
                             std::round(em_pixels * font.height_per_em), &config, ranges);
}

void add_built_in_font(ImFontAtlas& atlas, float scale) {
  ImFontConfig config;
  config.SizePixels = kBuiltInPixels * scale;
  atlas.AddFontDefault(&config);
}

}  // namespace

Letters::Letters(float scale) : scale_(scale) { letters_.AddRanges(ImGui::GetIO().Fonts->GetGlyphRangesDefault()); }

bool Letters::add(std::string_view text) {
  if (text.empty()) return false;
  const ImVector<ImU32> before = letters_.UsedChars;
  letters_.AddText(text.data(), text.data() + text.size());
  if (std::equal(before.begin(), before.end(), letters_.UsedChars.begin())) return false;
  if (all().size() <= kMaxLetters) return true;
  letters_.UsedChars = before;
  return false;
}

std::vector<char32_t> Letters::all() const {
  std::vector<char32_t> all;
  for (unsigned letter = 0; letter < kLetterCount; ++letter) {
    if (letters_.GetBit(letter)) all.push_back(letter);
  }
  return all;
}

OverlayFont Letters::draw(uint32_t version) const {
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  atlas.Clear();
  ImVector<ImWchar> ranges;
  ImFontGlyphRangesBuilder(letters_).BuildRanges(&ranges);
  const std::vector<LoadedFont> fonts = load_fonts(all());
  for (const LoadedFont& font : fonts) add_font(atlas, font, kEmPixels * scale_, ranges.Data);
  if (fonts.empty()) add_built_in_font(atlas, scale_);
  unsigned char* alpha = nullptr;
  int width = 0, height = 0;
  atlas.GetTexDataAsAlpha8(&alpha, &width, &height);
  OverlayFont image{uint32_t(width), uint32_t(height), version, {}};
  image.alpha.assign(alpha, alpha + size_t(width) * size_t(height));
  atlas.ClearInputData();  // the files and ranges end here
  return image;
}

}  // namespace sinew::app
