#include "previous_poses.h"

#include <span>

#include "posed_mesh_loop.h"

namespace sinew::crowd::internal {

void PreviousPoses::begin(uint64_t frame, uint32_t instance_count, const Plan& previous,
                          const ParallelFor& parallel_for) {
  previous_ = &previous, frame_ = frame;
  drawn_.resize(instance_count);
  for_each_body(previous, parallel_for, [&](uint32_t batch, uint32_t m) {
    const PosedMesh& mesh = previous.posed_meshes[m];
    for (const uint32_t instance : std::span(previous.instances).subspan(mesh.first_instance, mesh.instance_count)) {
      if (instance < instance_count) drawn_[instance] = {m, batch, frame};
    }
  });
}

}  // namespace sinew::crowd::internal
