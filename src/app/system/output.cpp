#include "system/output.h"

#include <stb_image_write.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "asset/file.h"
#include "asset/plain_text.h"
#include "system/paths.h"
#include "system/platform.h"

namespace sinew::app {
namespace {

PrintTo print_to = PrintTo::kOutput;

Status write(FILE* stream, const char* name, std::string_view text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stream) == text.size() && std::fflush(stream) == 0;
  if (written) return {};
  return Error{ErrorCode::kUnreadable, std::string("cannot write to ") + name + ": " + std::strerror(errno)};
}

void append_bytes(void* context, void* data, int size) {
  static_cast<std::string*>(context)->append(static_cast<const char*>(data), size_t(size));
}

}  // namespace

void set_print(PrintTo where) {
  if (print_to != PrintTo::kNothing) print_to = where;
}

Status print(std::string_view text) {
  if (print_to == PrintTo::kNothing) return {};
  if (print_to == PrintTo::kError) return write(stderr, "standard error", text);
  return write_output(text);
}

Status write_output(std::string_view bytes) { return write(stdout, "standard output", bytes); }

void warn(std::string_view line) {
  const bool colored = shows_colors(stderr);
  std::fprintf(stderr, "%sWARNING%s: %.*s\n", colored ? "\x1b[33m" : "", colored ? "\x1b[0m" : "", int(line.size()),
               line.data());
}

bool shows_colors(FILE* stream) { return takes_control_sequences(stream) && environment_value("NO_COLOR").empty(); }

std::string emphasized(const std::string& heading) {
  return shows_colors(stdout) ? "\x1b[1m" + heading + "\x1b[0m" : heading;
}

Status check_writable(const std::string& path) {
  return path == kStandardOutput ? Status() : internal::check_writable(path);
}

Status write_file(const std::string& path, std::string_view bytes) {
  if (path == kStandardOutput) return write_output(bytes);
  return internal::write_file(path, std::as_bytes(std::span(bytes)));
}

std::string encode_jpeg(uint32_t width, uint32_t height, std::span<const uint8_t> rgba) {
  constexpr int kQuality = 88;
  std::string bytes;
  if (rgba.size() < size_t(width) * height * 4 ||
      !stbi_write_jpg_to_func(append_bytes, &bytes, int(width), int(height), 4, rgba.data(), kQuality))
    return {};
  return bytes;
}

Status write_png(const std::string& path, uint32_t width, uint32_t height, std::span<const uint8_t> rgba) {
  std::string bytes;
  const int stride = int(width) * 4;
  if (rgba.size() < size_t(stride) * height ||
      !stbi_write_png_to_func(append_bytes, &bytes, int(width), int(height), 4, rgba.data(), stride)) {
    return Error{ErrorCode::kInvalidData, "cannot write " + path + ": the picture could not be encoded"};
  }
  return write_file(path, bytes);
}

namespace {

namespace fs = std::filesystem;

constexpr int kMaxLinks = 40;  // as many as the system follows

/// Where a file will be that does not exist yet, with links resolved.
fs::path resolved_path(fs::path path) {
  std::error_code failed;
  path = fs::absolute(path, failed);
  for (int links = 0; links < kMaxLinks && fs::is_symlink(fs::symlink_status(path, failed)); ++links) {
    path = path.parent_path() / fs::read_symlink(path, failed);
  }
  return fs::weakly_canonical(path, failed);
}

/// Whether two paths name one file, now or once it is written. Pipes and devices do not count: they may be named twice.
bool is_one_file(const std::string& a, const std::string& b) {
  std::error_code failed;
  const fs::file_status there = fs::status(path_of(a), failed);
  if (fs::exists(there)) return fs::is_regular_file(there) && fs::equivalent(path_of(a), path_of(b), failed);
  const fs::path resolved = resolved_path(path_of(a));
  return !resolved.empty() && resolved == resolved_path(path_of(b));
}

Error refuse(std::string message) { return {ErrorCode::kInvalidArgument, std::move(message)}; }

}  // namespace

Status check_distinct(std::span<const OutputFile> outputs, std::span<const std::string> inputs) {
  for (size_t i = 0; i < outputs.size(); ++i) {
    const OutputFile& output = outputs[i];
    if (output.path.empty()) continue;
    for (const std::string& input : inputs) {
      if (!is_one_file(output.path, input)) continue;
      return refuse(std::string(output.option) + " " + output.path + " would overwrite what is read, " + input);
    }
    for (const OutputFile& other : outputs.first(i)) {
      if (other.path.empty() || !is_one_file(output.path, other.path)) continue;
      return refuse(std::string(other.option) + " and " + output.option + " name one file, " + output.path);
    }
  }
  return {};
}

Status check_png_name(const OutputFile& picture) {
  std::string ending = utf8_of(path_of(picture.path).extension());
  std::transform(ending.begin(), ending.end(), ending.begin(), lower);
  if (ending.empty() || ending == ".png" || ending == ".apng") return {};
  return refuse(std::string(picture.option) + " " + picture.path +
                ": pictures are PNG files; let the name end with .png");
}

Status check_writable(std::span<const OutputFile> outputs) {
  for (const OutputFile& output : outputs) {
    if (output.path.empty()) continue;
    if (Status writable = check_writable(output.path); !writable) return writable;
  }
  return {};
}

void print_beside(std::span<const OutputFile> outputs) {
  const auto is_standard = [](const OutputFile& output) { return output.path == kStandardOutput; };
  if (std::any_of(outputs.begin(), outputs.end(), is_standard)) set_print(PrintTo::kError);
}

std::vector<std::string> image_files(const Character& character, const std::string& model_path) {
  const fs::path folder = path_of(model_path).parent_path();
  std::vector<std::string> files;
  for (const Image& image : character.images) {
    const std::string name = image.name.substr(image.name.find_last_of("/\\") + 1);
    for (const fs::path& path : {folder / path_of(image.name), folder / path_of(name)}) {
      std::error_code failed;
      if (!image.name.empty() && fs::is_regular_file(path, failed)) files.push_back(utf8_of(path));
    }
  }
  return files;
}

}  // namespace sinew::app
