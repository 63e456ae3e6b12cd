#include "gltf/gltf_parse.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <new>
#include <system_error>

#include "failure.h"
#include "gltf/gltf_compression.h"
#include "gltf/gltf_head.h"
#include "gltf/gltf_json.h"

namespace sinew::internal {
namespace {

/// What the parser's callbacks need.
struct Files {
  const Folder& folder;
  ImportReport& report;
  GltfHead& head;
};

/// The parser refuses files that are longer than their buffer; glTF 2.0 does not.
void cut_to_buffer(std::vector<unsigned char>& bytes, const std::string& relative, GltfHead& head) {
  const auto lengths = head.buffer_bytes.find(relative);
  if (lengths == head.buffer_bytes.end() || lengths->second.empty()) return;
  if (lengths->second.front() < bytes.size()) bytes.resize(lengths->second.front());
  lengths->second.erase(lengths->second.begin());
}

std::string path_of(const std::string& relative, void* files) {
  return static_cast<const Files*>(files)->folder.find_named(relative).path;
}

bool find_file(const std::string& relative, void* files) { return !path_of(relative, files).empty(); }

std::string keep_path(const std::string& relative, void*) { return relative; }

bool read_file(std::vector<unsigned char>* bytes, std::string* reason, const std::string& relative, void* data) {
  try {
    Files& files = *static_cast<Files*>(data);
    const FoundFile found = files.folder.find_named(relative);
    if (found.other_case) files.report.warnings.push_back(other_case_warning("buffer", relative, found));
    *bytes = read_whole_file(found.path);
    cut_to_buffer(*bytes, relative, files.head);
    return true;
  } catch (const ImportFailure& failure) {
    *reason = failure.reason;
    return false;
  }
}

bool write_nothing(std::string*, const std::string&, const std::vector<unsigned char>&, void*) { return false; }

/// Keeps an image's bytes encoded: only base-color images are decoded, later. Images in buffers are not even copied:
/// they are read from their buffer view then.
bool keep_encoded(tinygltf::Image* image, int, std::string*, std::string*, int, int, const unsigned char* bytes,
                  int size, void*) {
  if (image->bufferView < 0) image->image.assign(bytes, bytes + size);
  return true;
}

/// tinygltf 2.9 has one more callback, for a file's size. It refuses callbacks if one is missing.
template <class Functions>
Functions functions_over(Files& files) {
  Functions functions{};
  functions.FileExists = find_file;
  functions.ExpandFilePath = keep_path;
  functions.ReadWholeFile = read_file;
  functions.WriteWholeFile = write_nothing;
  functions.user_data = &files;
  if constexpr (requires { functions.GetFileSizeInBytes; }) {
    functions.GetFileSizeInBytes = [](size_t* bytes, std::string*, const std::string& relative, void* data) {
      std::error_code error;
      *bytes = std::filesystem::file_size(path_of(relative, data), error);
      return !error;
    };
  }
  return functions;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

/// Removes the parser's names from an error message. A JSON value of the wrong type ends in an exception whose text
/// begins with them.
std::string without_parser_names(const std::string& text) {
  constexpr std::string_view kMissing = "File not found : ";
  if (text.starts_with(kMissing)) return "its file '" + text.substr(kMissing.size()) + "' is not beside the model";
  const size_t end = text.starts_with("[json.exception") ? text.find("] ") : text.npos;
  return end == text.npos ? text : "its JSON is not that of a glTF: " + text.substr(end + 2);
}

/// The parser refuses a chunk without bytes at the end of a GLB; glTF 2.0 does not.
void drop_empty_chunk(std::vector<uint8_t>& glb) {
  const size_t end_of_json = kGlbHeaders + number_at(glb, kJsonSizeInGlb);  // the head is checked
  if (glb.size() != end_of_json + kChunkHeader || number_at(glb, end_of_json) != 0) return;
  glb.resize(glb.size() - kChunkHeader);
  const auto size = uint32_t(glb.size());
  std::memcpy(&glb[8], &size, sizeof size);
}

bool load(tinygltf::TinyGLTF& parser, const std::vector<uint8_t>& bytes, bool binary, tinygltf::Model& model,
          std::string& error) {
  std::string warning;
  if (binary) return parser.LoadBinaryFromMemory(&model, &error, &warning, bytes.data(), unsigned(bytes.size()));
  const char* text = reinterpret_cast<const char*>(bytes.data());
  return parser.LoadASCIIFromString(&model, &error, &warning, text, unsigned(bytes.size()), "");
}

}  // namespace

tinygltf::Model parse_gltf(const std::string& path, const Folder& folder, LostFeatures& lost, ImportReport& report) {
  std::vector<uint8_t> bytes = read_whole_file(path);
  tinygltf::TinyGLTF parser;
  GltfHead head;
  Files files{folder, report, head};
  parser.SetFsCallbacks(functions_over<tinygltf::FsCallbacks>(files));
  parser.SetImageLoader(keep_encoded, nullptr);

  const bool binary = bytes.size() >= 4 && std::equal(bytes.begin(), bytes.begin() + 4, "glTF");
  head = read_gltf_head({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, binary);
  check_gltf_head(head, lost);
  if (needs_other_json(head)) bytes = readable_by_parser(bytes, binary, lost);
  if (binary) drop_empty_chunk(bytes);
  tinygltf::Model model;
  std::string error;
  try {
    if (load(parser, bytes, binary, model, error)) {
      decode_meshopt(model);
      decode_draco(model);
      return model;
    }
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const ImportFailure&) {
    throw;
  } catch (const std::exception& exception) {
    error = exception.what();
  }
  fail(error.empty() ? "it is not glTF" : without_parser_names(first_line(error)));
}

}  // namespace sinew::internal
