#include "sinew/experimental/gather_lines.h"

#include <algorithm>
#include <array>

#include "error.h"
#include "exceptions.h"
#include "kernel_entries.h"

namespace sinew {

using namespace internal;
namespace {

constexpr uint32_t kWave = 32, kVertices = 64;
constexpr uint32_t kLineBytes = 64, kRowBytes = 16, kRows = 3;

/// The cache lines that one load instruction touches: row `row` of influence `influence` of `count` vertices. A vertex
/// with fewer influences loads its first again.
uint32_t lines_of_load(const KernelEntries& entries, uint32_t first, uint32_t count, size_t influence, uint32_t row) {
  std::array<uint32_t, kWave> lines;
  for (uint32_t i = 0; i < count; ++i) {
    const auto own = entries.of(first + i);
    const uint32_t entry = own[influence < own.size() ? influence : 0];
    lines[i] = (entry * kRows + row) * kRowBytes / kLineBytes;
  }
  std::sort(lines.begin(), lines.begin() + count);
  return uint32_t(std::unique(lines.begin(), lines.begin() + count) - lines.begin());
}

}  // namespace

Result<double> experimental::gather_lines(const Mesh& mesh) SINEW_TRY {
  const KernelEntries entries(mesh);
  const uint32_t vertices = mesh.vertex_count();
  uint64_t lines = 0;
  for (uint32_t first = 0; first < vertices; first += kWave) {
    const uint32_t count = std::min(kWave, vertices - first);
    size_t influences = 0;
    for (uint32_t v = first; v < first + count; ++v) influences = std::max(influences, entries.of(v).size());
    for (size_t influence = 0; influence < influences; ++influence) {
      for (uint32_t row = 0; row < kRows; ++row) lines += lines_of_load(entries, first, count, influence, row);
    }
  }
  return vertices == 0 ? 0.0 : double(lines) * kVertices / vertices;
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

}  // namespace sinew
