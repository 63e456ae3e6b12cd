// Attachments: where the sockets of instances are in the world, for instances that share a pose, keep the pose of an
// earlier frame or are drawn with a coarse level too.
//
//   CrowdEvaluator::set_sockets()           once per evaluator
//   begin(plan)                             each frame, after Planner::plan()
//   of(plan, batch)                         each frame: output of CrowdEvaluator::evaluate(), for what is updated
//   place(plan, instances, requests)        each frame: a matrix for each request
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "sinew/api.h"
#include "sinew/asset/math.h"
#include "sinew/asset/parallel.h"
#include "sinew/asset/result.h"
#include "sinew/crowd/frame.h"
#include "sinew/crowd/plan.h"

namespace sinew::crowd {

/// A socket of an instance of the host.
struct SocketRequest {
  uint32_t instance = 0;
  uint32_t socket = 0;  // index in CrowdEvaluator::set_sockets() of its model
};

/// Keeps the socket matrices of posed meshes as long as they are drawn. One call at a time.
class SINEW_API Attachments {
 public:
  /// `socket_counts` has CrowdEvaluator::socket_count() of each model of the planner. If memory runs out, begin()
  /// returns kOutOfMemory.
  explicit Attachments(std::span<const uint32_t> socket_counts) noexcept;
  Attachments() noexcept;  // empty, as one that was moved from: begin() returns kInvalidArgument
  Attachments(Attachments&&) noexcept;
  Attachments& operator=(Attachments&&) noexcept;
  ~Attachments();

  /// Sets the socket count of a model that was added to the planner; between two frames. Error: kOutOfMemory.
  Status set_socket_count(uint32_t model, uint32_t socket_count);

  /// Begins a frame: makes room for the sockets of all posed meshes, and keeps those of groups that are not updated.
  /// Call it for every plan. Errors: kInvalidArgument (a model without a socket count), kOutOfMemory; then call
  /// Planner::update_all() before the next plan.
  Status begin(const Plan& plan, const ParallelFor& parallel_for = {});

  /// For of() and place() `plan` is that of the last successful begin(). Without one, both do nothing.
  ///
  /// model_from_socket of the posed meshes of Plan::batches[batch], [mesh_count][socket_count]. To be written for
  /// batches of updated groups: by CrowdEvaluator::evaluate(), or by the host for host-posed ones.
  std::span<Matrix3x4> of(const Plan& plan, uint32_t batch);

  /// Writes world_from_socket of each request: world_from_model of the instance times the socket of its posed mesh. An
  /// instance that is not drawn in this frame, or has no such socket, gets a matrix of zeros. `world_from_socket` has
  /// one element per request; it is only written, and may be mapped memory.
  void place(const Plan& plan, const Instances& instances, std::span<const SocketRequest> requests,
             std::span<Matrix3x4> world_from_socket, const ParallelFor& parallel_for = {}) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
  bool out_of_memory_ = false;  // in the constructor
};

}  // namespace sinew::crowd
