// Attachments.
#include "sinew/c/attachments.h"

#include <memory>

#include "host_data.h"
#include "planner.h"
#include "sinew/crowd/attachments.h"

struct SinewAttachments {
  std::shared_ptr<const sinew::c::PlannerContent> planner;
  sinew::crowd::Attachments attachments;
  uint64_t begun_plan = UINT64_MAX;  // number of the plan that was begun
};

using namespace sinew;
using namespace sinew::c;
using namespace sinew::crowd;

namespace {

/// The plan of the frame that was begun, or the end of the call: places in another plan are not those in this one.
const Plan& begun_plan(const SinewAttachments& attachments) {
  if (attachments.begun_plan != attachments.planner->plans)
    refuse("attachments: the last plan has no sinew_attachments_begin()");
  return attachments.planner->plan();
}

}  // namespace

SinewResult sinew_attachments_create(const SinewPlanner* planner, const uint32_t* socket_counts, uint32_t count,
                                     SinewAttachments** out, SinewError* error) {
  return create(out, error, __func__, [&](SinewAttachments& handle) {
    const size_t models = content_of(planner).actors.size();
    if (count != models)
      refuse("count is " + std::to_string(count) + ", but the planner has models: " + std::to_string(models));
    handle.planner = planner->content;
    handle.attachments = Attachments(array(socket_counts, count, "socket_counts"));
    check(handle.attachments.begin({}));  // of those that could not be made: out of memory
  });
}

void sinew_attachments_destroy(SinewAttachments* attachments) { delete attachments; }

SinewResult sinew_attachments_set_socket_count(SinewAttachments* attachments, uint32_t model, uint32_t socket_count,
                                               SinewError* error) {
  return call(error, __func__, [&] {
    SinewAttachments& in = required(attachments, "attachments");
    element(in.planner->actors, model, "model");
    check(in.attachments.set_socket_count(model, socket_count));
  });
}

SinewResult sinew_attachments_begin(SinewAttachments* attachments, const SinewParallelFor* parallel_for,
                                    SinewError* error) {
  return call(error, __func__, [&] {
    SinewAttachments& in = required(attachments, "attachments");
    in.begun_plan = UINT64_MAX;
    check(in.attachments.begin(in.planner->plan(), loop_of(parallel_for)));
    in.begun_plan = in.planner->plans;
  });
}

SinewResult sinew_attachments_of(SinewAttachments* attachments, uint32_t batch, SinewMatrix3x4** out, uint64_t* count,
                                 SinewError* error) {
  return call(error, __func__, [&] {
    SinewAttachments& in = required(attachments, "attachments");
    const Plan& plan = begun_plan(in);
    element(plan.batches, batch, "batch");
    const std::span<Matrix3x4> matrices = in.attachments.of(plan, batch);
    required(out, "out"), required(count, "count");
    *out = seen_as<SinewMatrix3x4>(matrices.data());
    *count = matrices.size();
  });
}

SinewResult sinew_attachments_place(const SinewAttachments* attachments, const SinewPlaceInfo* info,
                                    SinewError* error) {
  return call(error, __func__, [&] {
    const SinewAttachments& in = required(attachments, "attachments");
    SinewPlaceInfo given = read(info, "info");
    Instances instances;
    set_transforms(given, given.instance_count, "info->world_from_model", instances);
    const auto requests = array_as(given.requests, given.request_count, "info->requests");
    const auto out = array_as(given.world_from_socket, given.request_count, "info->world_from_socket");
    in.attachments.place(begun_plan(in), instances, requests, out, loop_of(given.parallel_for));
  });
}
