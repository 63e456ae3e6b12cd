#include "report/ply.h"

#include <bit>

#include "system/text.h"

namespace sinew::app {
namespace {

static_assert(std::endian::native == std::endian::little, "PLY values are written in the byte order of memory");

std::string header(const Mesh& mesh, const std::string& comment) {
  return text(
      "ply\nformat binary_little_endian 1.0\ncomment %s\n"
      "element vertex %zu\nproperty float x\nproperty float y\nproperty float z\n"
      "property float nx\nproperty float ny\nproperty float nz\nproperty uchar kind\n"
      "element face %zu\nproperty list uchar uint vertex_indices\nend_header\n",
      printable(comment).c_str(), mesh.positions.size(), mesh.indices.size() / 3);
}

template <class Value>
void append(std::string& bytes, const Value& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(Value));
}

}  // namespace

std::string encode_ply(const Mesh& mesh, std::span<const Vec3> positions, std::span<const Vec3> normals,
                       const std::string& comment) {
  std::string bytes = header(mesh, comment);
  for (const MeshPart& part : mesh.parts) {
    for (uint32_t vertex = part.first_vertex; vertex < part.first_vertex + part.vertex_count; ++vertex) {
      append(bytes, positions[vertex]);
      append(bytes, normals[vertex]);
      append(bytes, part.kind);
    }
  }
  for (size_t i = 0; i + 2 < mesh.indices.size(); i += 3) {
    append(bytes, uint8_t(3));
    for (size_t corner = 0; corner < 3; ++corner) append(bytes, mesh.indices[i + corner]);
  }
  return bytes;
}

}  // namespace sinew::app
