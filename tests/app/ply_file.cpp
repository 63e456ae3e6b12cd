#include "ply_file.h"

#include <fstream>
#include <stdexcept>

namespace sinew::test {
namespace {

std::string expect_line(std::istream& file, const std::string& start) {
  std::string line;
  std::getline(file, line);
  if (!line.starts_with(start)) throw std::runtime_error("expected '" + start + "', found '" + line + "'");
  return line.substr(start.size());
}

template <class Value>
Value take(std::istream& file) {
  Value value;
  if (!file.read(reinterpret_cast<char*>(&value), sizeof(Value))) throw std::runtime_error("the file ends too early");
  return value;
}

}  // namespace

std::vector<Vec3> PlyFile::positions_of_kind(uint8_t kind) const {
  std::vector<Vec3> found;
  for (size_t vertex = 0; vertex < positions.size(); ++vertex) {
    if (kinds[vertex] == kind) found.push_back(positions[vertex]);
  }
  return found;
}

PlyFile read_ply(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  PlyFile ply;
  expect_line(file, "ply");
  expect_line(file, "format binary_little_endian 1.0");
  expect_line(file, "comment ");
  const size_t vertex_count = std::stoul(expect_line(file, "element vertex "));
  for (const char* name : {"x", "y", "z", "nx", "ny", "nz"}) expect_line(file, std::string("property float ") + name);
  expect_line(file, "property uchar kind");
  const size_t triangle_count = std::stoul(expect_line(file, "element face "));
  expect_line(file, "property list uchar uint vertex_indices");
  expect_line(file, "end_header");
  for (size_t i = 0; i < vertex_count; ++i) {
    ply.positions.push_back(take<Vec3>(file));
    ply.normals.push_back(take<Vec3>(file));
    ply.kinds.push_back(take<uint8_t>(file));
  }
  for (size_t i = 0; i < triangle_count; ++i) {
    if (take<uint8_t>(file) != 3) throw std::runtime_error("a face is not a triangle");
    ply.triangles.push_back(take<std::array<uint32_t, 3>>(file));
  }
  if (file.peek() != std::ifstream::traits_type::eof()) throw std::runtime_error("bytes after the last face");
  return ply;
}

}  // namespace sinew::test
