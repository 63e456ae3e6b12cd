// Mistakes of a host with acceleration structures over skinned vertices.
#include "misuse/misuse.h"
#include "sinew/vulkan/acceleration.h"

namespace sinew::test {
namespace {

using namespace vulkan;

/// Instance `instance` of mesh 3 in frame `frame`.
PosedVertices posed(uint32_t instance, uint64_t frame, uint32_t mesh = 3) {
  InstanceRange range;
  range.mesh = {mesh}, range.instance_count = 4, range.vertex_count = 100, range.vertex_bytes = 16;
  range.vertices = reinterpret_cast<VkBuffer>(uintptr_t{1}), range.skinned_frame = frame;
  return posed_vertices(range, instance, 0x1000);
}

StructureState built(const PosedVertices& from) {
  StructureState state;
  note_step(state, from, StructureStep::kBuild, from.skinned_frame);
  return state;
}

}  // namespace

std::vector<Misuse> rays_misuses() {
  const PosedVertices shown = posed(1, 12);
  const auto geometry = [&](const PosedVertices& from, VertexFormat format, uint32_t indices) {
    return outcome_of(make_geometry(from, format, {0x9000, 0, indices}));
  };
  return {
      {"a structure that was built once, from the vertices of the file", outcome_of(check_structure({}, shown))},
      {"a structure that is not refitted", outcome_of(check_structure(built(posed(1, 11)), shown))},
      {"the structure of another instance", outcome_of(check_structure(built(posed(0, 12)), shown))},
      {"the structure of another character or level of detail",
       outcome_of(check_structure(built(posed(1, 12, 4)), shown))},
      {"a structure of a frame that was discarded, without `discard_step()`",
       outcome_of(check_structure(built(posed(1, 13)), shown))},
      {"`posed_vertices()` of an instance that the range has not, then a geometry of it",
       geometry(posed(4, 12), VertexFormat::kOctahedral, 3)},
      {"a geometry of `VertexFormat::kPacked`", geometry(shown, VertexFormat::kPacked, 3)},
      {"a geometry of a format that the skinner has not", geometry(shown, VertexFormat::kFloat, 3)},
      {"a geometry without indices", geometry(shown, VertexFormat::kOctahedral, 0)},
      {"a geometry of 4 indices", geometry(shown, VertexFormat::kOctahedral, 4)},
  };
}

}  // namespace sinew::test
