// The window or picture of a step: the ground, the light, and triangles that the CPU has placed. None of it is the
// subject of a step. Step 6 draws by itself between begin_pass() and end_frame().
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "example.h"
#include "sinew/asset/mesh.h"
#include "sinew/asset/skinned_vertex.h"

namespace steps {

class Canvas {
 public:
  Canvas(const host::Options& options, const char* title, const host::Camera& camera);

  /// Begins the next frame. False: the window was closed, or all frames are drawn.
  bool begin_frame();
  double seconds() const { return frame_->seconds; }

  /// The triangles of `mesh` with these positions and normals, in world space. `colors`, which are linear, has one for
  /// each vertex, or one for all.
  void draw(const sinew::Mesh& mesh, std::span<const sinew::Vec3> positions, std::span<const sinew::Vec3> normals,
            std::span<const sinew::Vec3> colors);
  void draw(const sinew::Mesh& mesh, const sinew::Matrix3x4d& world_from_mesh, sinew::Vec3 color);

  /// Draws all that draw() was given, and ends the frame.
  void end_frame();

  const host::Device& device() const { return graphics_.device; }
  const host::Frame& frame() const { return *frame_; }
  /// Begins to draw: the ground.
  void begin_pass();
  /// Shadows, then surfaces. Vertex buffer 0 has FloatSkinnedVertex, vertex buffer 1 colors of three floats.
  std::array<VkPipeline, 2> pipelines() const { return {shadows_.get(), surfaces_.get()}; }

 private:
  void draw_triangles();
  host::GraphicsContext graphics_;
  host::Camera camera_;
  std::optional<host::Frame> frame_;
  bool is_drawing_ = false;
  host::Layout layout_;
  host::PipelineHandle background_, shadows_, surfaces_;
  struct Buffers {
    host::Buffer vertices, colors, indices;
  };
  std::array<Buffers, host::kSlots> buffers_;
  std::vector<sinew::FloatSkinnedVertex> vertices_;
  std::vector<sinew::Vec3> colors_;
  std::vector<uint32_t> indices_;
  std::unique_ptr<host::Screen> screen_;  // the last member: its destructor waits for the device
};

}  // namespace steps
