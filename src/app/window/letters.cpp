#include "window/letters.h"

#if SINEW_HAS_FONTCONFIG
#include <fontconfig/fontconfig.h>
#endif
#define STBTT_STATIC
#define STB_TRUETYPE_IMPLEMENTATION
#include <stb_truetype.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "asset/file.h"
#include "system/platform.h"

namespace sinew::app {

#if SINEW_HAS_FONTCONFIG

namespace {

constexpr size_t kMaxFonts = 8;  // of one text

template <class Type, void (*kDestroy)(Type*)>
struct Destroy {
  void operator()(Type* object) const { kDestroy(object); }
};
using Config = std::unique_ptr<FcConfig, Destroy<FcConfig, FcConfigDestroy>>;
using Pattern = std::unique_ptr<FcPattern, Destroy<FcPattern, FcPatternDestroy>>;
using FontSet = std::unique_ptr<FcFontSet, Destroy<FcFontSet, FcFontSetDestroy>>;

/// The fonts of the system. None where fontconfig has no settings: FcInitLoadConfigAndFonts() would write a line to
/// standard error.
Config load_config() {
  Config config(FcConfigCreate());
  if (!config || !FcConfigParseAndLoad(config.get(), nullptr, FcFalse) || !FcConfigBuildFonts(config.get())) return {};
  return config;
}

std::string_view word_of(FcPattern* font, const char* object) {
  FcChar8* word = nullptr;
  return FcPatternGetString(font, object, 0, &word) == FcResultMatch ? reinterpret_cast<const char*>(word) : "";
}

bool is_set(FcPattern* font, const char* object) {
  FcBool value = FcFalse;
  return FcPatternGetBool(font, object, 0, &value) == FcResultMatch && value == FcTrue;
}

/// What Dear ImGui can draw: outlines, and no instances of variable fonts.
std::optional<SystemFont> usable_font(FcPattern* font) {
  const std::string_view format = word_of(font, FC_FONTFORMAT);
  if (format != "TrueType" && format != "CFF") return {};
  if (is_set(font, FC_COLOR) || is_set(font, FC_VARIABLE)) return {};
  SystemFont usable{std::string(word_of(font, FC_FILE))};
  if (usable.path.empty() || FcPatternGetInteger(font, FC_INDEX, 0, &usable.index) != FcResultMatch) return {};
  return usable;
}

/// All fonts, those that are most like it first.
FontSet fonts_like(const char* family, FcConfig* config) {
  const Pattern pattern(FcPatternBuild(nullptr, FC_FAMILY, FcTypeString, family, nullptr));
  if (!pattern || !FcConfigSubstitute(config, pattern.get(), FcMatchPattern)) return {};
  FcDefaultSubstitute(pattern.get());
  FcResult result = FcResultNoMatch;
  return FontSet(FcFontSort(config, pattern.get(), FcTrue, nullptr, &result));
}

/// Removes the letters that a font has. Returns whether it has any.
bool take_letters(FcPattern* font, std::vector<char32_t>& letters) {
  FcCharSet* own = nullptr;
  if (FcPatternGetCharSet(font, FC_CHARSET, 0, &own) != FcResultMatch) return false;
  return std::erase_if(letters, [&](char32_t letter) { return FcCharSetHasChar(own, letter) == FcTrue; }) > 0;
}

}  // namespace

std::vector<SystemFont> find_fonts(std::span<const char32_t> letters) {
  const Config config = load_config();
  const FontSet fonts = config ? fonts_like("monospace", config.get()) : FontSet();
  std::vector<char32_t> missing(letters.begin(), letters.end());
  std::vector<SystemFont> found;
  for (int i = 0; fonts && i < fonts->nfont && !missing.empty() && found.size() < kMaxFonts; ++i) {
    const auto font = usable_font(fonts->fonts[i]);
    if (font && take_letters(fonts->fonts[i], missing)) found.push_back(*font);
  }
  return found;
}

#elif defined(_WIN32)

namespace {

/// Windows has them since version 10, the first for letters of one width; some scripts only where their language is
/// installed. Wine has few of them.
constexpr const char* kFontFiles[] = {"consola.ttf",  "segoeui.ttf",  "msgothic.ttc", "YuGothM.ttc", "msyh.ttc",
                                      "malgun.ttf",   "Nirmala.ttf",  "LeelawUI.ttf", "ebrima.ttf",  "gadugi.ttf",
                                      "seguisym.ttf", "seguihis.ttf", "arial.ttf",    "tahoma.ttf"};

/// Removes the letters that a font file has. Returns whether it has any.
bool take_letters(const std::string& path, std::vector<char32_t>& letters) {
  const auto file = internal::read_file(path);
  if (!file) return false;
  const auto* bytes = reinterpret_cast<const unsigned char*>(file->bytes().data());
  stbtt_fontinfo font;
  const int offset = stbtt_GetFontOffsetForIndex(bytes, 0);
  if (offset < 0 || !stbtt_InitFont(&font, bytes, offset)) return false;
  return std::erase_if(letters, [&](char32_t letter) { return stbtt_FindGlyphIndex(&font, int(letter)) != 0; }) > 0;
}

}  // namespace

std::vector<SystemFont> find_fonts(std::span<const char32_t> letters) {
  const std::string folder = environment_value("WINDIR") + "\\Fonts\\";
  std::vector<char32_t> missing(letters.begin(), letters.end());
  std::vector<SystemFont> found;
  for (const char* name : kFontFiles) {
    if (!missing.empty() && take_letters(folder + name, missing)) found.push_back({folder + name});
  }
  return found;
}

#else

std::vector<SystemFont> find_fonts(std::span<const char32_t>) { return {}; }

#endif

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
  float share_above = 1;  // of the height, above the base line
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
  int above = 0, below = 0;  // the base line; `below` is negative
  stbtt_GetFontVMetrics(&info, &above, &below, nullptr);
  return LoadedFont{std::move(*file), font.index, height_per_em, float(above) / float(above - below)};
}

std::vector<LoadedFont> load_fonts(std::span<const char32_t> letters) {
  std::vector<LoadedFont> fonts;
  for (const SystemFont& font : find_fonts(letters)) {
    if (auto loaded = load_font(font)) fonts.push_back(std::move(*loaded));
  }
  return fonts;
}

/// Dear ImGui rounds the height above the base line up: without this, underscores are below their line.
float raise_pixels(const LoadedFont& font, float em_pixels) {
  const float above = font.share_above * std::round(em_pixels * font.height_per_em);
  return std::floor(above) - std::ceil(above);
}

/// Letters of all fonts are of one size: their heights above and below differ.
void add_font(ImFontAtlas& atlas, const LoadedFont& font, float em_pixels, float offset, const ImWchar* ranges) {
  ImFontConfig config;
  config.FontDataOwnedByAtlas = false;
  config.FontNo = font.index;
  config.OversampleH = 1;
  config.PixelSnapH = true;
  config.GlyphOffset.y = offset;
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
  const float offset = fonts.empty() ? 0 : raise_pixels(fonts.front(), kEmPixels * scale_);
  for (const LoadedFont& font : fonts) add_font(atlas, font, kEmPixels * scale_, offset, ranges.Data);
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
