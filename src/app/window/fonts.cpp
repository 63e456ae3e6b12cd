#include "window/fonts.h"

#if SINEW_HAS_FONTCONFIG
#include <fontconfig/fontconfig.h>
#endif

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>

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

#else

std::vector<SystemFont> find_fonts(std::span<const char32_t>) { return {}; }

#endif

}  // namespace sinew::app
