// What the program writes: standard output and standard error, and files.
#pragma once

#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <string_view>

#include "sinew/asset/character.h"
#include "sinew/asset/result.h"

namespace sinew::app {

// Standard output and standard error: what people read, and what programs read.

/// Where print() writes.
enum class PrintTo : uint8_t {
  kOutput,   // standard output
  kError,    // standard error, where a file goes to standard output
  kNothing,  // nowhere: --quiet; it stays so
};
void set_print(PrintTo where);

/// Writes what people read, and flushes it. Fails where the stream is full, closed or not writable.
Status print(std::string_view text);

/// Writes the content of a file to standard output, as print() does.
Status write_output(std::string_view bytes);

/// Writes a line to standard error, after the word WARNING; with --quiet too.
void warn(std::string_view line);

/// Whether `stream` is a terminal that shows colors and NO_COLOR does not forbid them.
bool shows_colors(FILE* stream);

/// A heading in bold letters, if standard output shows colors.
std::string emphasized(const std::string& heading);

// Output files, written completely or not at all.

/// The path that means standard output; a file of this name is "./-".
inline constexpr std::string_view kStandardOutput = "-";

/// Writes `bytes` to a new file beside `path`, then renames it: a reader finds the old file or the complete new one. A
/// path that is not a regular file (a pipe, /dev/stdout) is written directly, and kStandardOutput to standard output. A
/// failure leaves no file behind.
Status write_file(const std::string& path, std::string_view bytes);

/// Encodes RGBA, 4 bytes per pixel, rows from the top, as PNG, and writes it like write_file().
Status write_png(const std::string& path, uint32_t width, uint32_t height, std::span<const uint8_t> rgba);

/// Encodes RGBA as JPEG, without alpha. Empty where it cannot be encoded.
std::string encode_jpeg(uint32_t width, uint32_t height, std::span<const uint8_t> rgba);

/// Fails where write_file() would fail because of the folder. Call it before long work.
Status check_writable(const std::string& path);

// Checks where a command writes: each output has its own file, and no output overwrites an input.

struct OutputFile {
  const char* option = "";
  std::string path;  // empty: no such output; "-": standard output
};

/// Fails (kInvalidArgument) where two outputs name one file, or an output names an input, by whatever path or link.
/// Pipes and devices may be named several times.
Status check_distinct(std::span<const OutputFile> outputs, std::span<const std::string> inputs);

/// Fails (kInvalidArgument) where the name of a picture has an ending other than .png or .apng.
Status check_png_name(const OutputFile& picture);

/// Fails where an output cannot be written because of its folder. Call it before long work.
Status check_writable(std::span<const OutputFile> outputs);

/// Where one of them is "-", standard output, print() goes to standard error from now on.
void print_beside(std::span<const OutputFile> outputs);

/// The files beside the model that its images were read from, as far as they still exist.
std::vector<std::string> image_files(const Character& character, const std::string& model_path);

}  // namespace sinew::app
