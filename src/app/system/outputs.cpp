#include "system/outputs.h"

#include <algorithm>
#include <filesystem>

#include "asset/plain_text.h"
#include "system/print.h"
#include "system/write_file.h"

namespace sinew::app {
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
  const fs::file_status there = fs::status(a, failed);
  if (fs::exists(there)) return fs::is_regular_file(there) && fs::equivalent(a, b, failed);
  const fs::path resolved = resolved_path(a);
  return !resolved.empty() && resolved == resolved_path(b);
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
  std::string ending = fs::path(picture.path).extension().string();
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
  const fs::path folder = fs::path(model_path).parent_path();
  std::vector<std::string> files;
  for (const Image& image : character.images) {
    const std::string name = image.name.substr(image.name.find_last_of("/\\") + 1);
    for (const fs::path& path : {folder / image.name, folder / name}) {
      std::error_code failed;
      if (!image.name.empty() && fs::is_regular_file(path, failed)) files.push_back(path.string());
    }
  }
  return files;
}

}  // namespace sinew::app
