#include "collada/collada_mesh.h"

#include <algorithm>
#include <numeric>

#include "failure.h"
#include "surface.h"

namespace sinew::internal {
namespace {

constexpr uint64_t kMaxOffset = 1 << 20;  // of an input

std::string geometry_name(pugi::xml_node mesh) {
  const pugi::xml_node geometry = mesh.parent();
  const std::string name = short_name(geometry.attribute("name").value());
  return name.empty() ? short_name(geometry.attribute("id").value()) : name;
}

/// Values of corners. `offset` is where the corner's indices name them.
struct Input {
  std::shared_ptr<const ColladaSource> source;
  std::string_view semantic;
  uint64_t offset = 0, set = 0;
};

/// <triangles>, <polylist> and so on: some polygons with one material.
class Primitives {
 public:
  Primitives(pugi::xml_node mesh, pugi::xml_node primitives, const ColladaBinding& binding, ColladaMeshContext& context)
      : context_(context), primitives_(primitives) {
    for (const pugi::xml_node input : primitives.children("input")) {
      if (std::string_view(input.attribute("semantic").value()) == "VERTEX") {
        const pugi::xml_node vertices = context.document.at(input.attribute("source").value(), {"vertices"});
        for (const pugi::xml_node of_vertex : (vertices ? vertices : mesh.child("vertices")).children("input"))
          add_input(of_vertex, offset_of(input));
      } else {
        add_input(input, offset_of(input));
      }
    }
    normals_ = find({"NORMAL"}, {}, 3);
    tangents_ = find({"TEXTANGENT", "TANGENT"}, {}, 3);
    bitangents_ = find({"TEXBINORMAL", "BINORMAL"}, {}, 3);
    const auto& sets = binding.uv_sets;
    uvs_ = find({"TEXCOORD"}, sets.empty() ? std::nullopt : sets[0], 2);
    if (sets.size() > 1) second_uvs_ = find({"TEXCOORD"}, sets[1], 2);
    colors_ = find({"COLOR"}, {}, 3);
    const bool reads_tangents = context.tangents == ReadTangents::kAlways ||
                                (binding.has_normal_map && context.tangents == ReadTangents::kForNormalMaps);
    values_ = {normals_ != nullptr,
               tangents_ != nullptr && bitangents_ != nullptr,
               uvs_ != nullptr,
               sets.size() > 1,
               colors_ != nullptr,
               reads_tangents,
               colors_ != nullptr && colors_->source->width == 3};
  }

  void read(PolygonMesh& mesh, int32_t material, size_t point_count, const std::string& name) {
    const std::string_view kind = primitives_.name();
    const auto add = [&](std::span<const PolygonCorner> corners) { mesh.add(material, values_, corners); };
    const auto corners_of = [&](pugi::xml_node p) { return corners(p, point_count, name); };
    if (kind == "triangles") {
      const std::vector<PolygonCorner> all = corners_of(primitives_.child("p"));
      for (size_t i = 0; i + 2 < all.size(); i += 3) add({&all[i], 3});
    } else if (kind == "polylist") {
      const std::vector<PolygonCorner> all = corners_of(primitives_.child("p"));
      size_t first = 0;
      for (const int64_t count : integers_in(primitives_.child("vcount").text().get())) {
        if (count < 0 || uint64_t(count) > all.size() - first) break;
        add(std::span(all).subspan(first, size_t(count)));
        first += size_t(count);
      }
    } else if (kind == "polygons") {
      for (const pugi::xml_node child : primitives_.children()) {
        if (is_named(child, "p")) add(corners_of(child));
        if (is_named(child, "ph")) add(corners_of(child.child("p")));  // its holes are filled
      }
    } else if (kind == "tristrips" || kind == "trifans") {
      const Topology topology = kind == "trifans" ? Topology::kFan : Topology::kStrip;
      for (const pugi::xml_node p : primitives_.children("p")) {
        const std::vector<PolygonCorner> all = corners_of(p);
        std::vector<uint32_t> order(all.size());
        std::iota(order.begin(), order.end(), 0u);
        const std::vector<uint32_t> triangles = triangles_of(order, topology);
        for (size_t i = 0; i + 2 < triangles.size(); i += 3) {
          const PolygonCorner triangle[] = {all[triangles[i]], all[triangles[i + 1]], all[triangles[i + 2]]};
          add(triangle);
        }
      }
    } else {  // lines and linestrips
      mesh.add_lines(whole_number(primitives_.attribute("count"), 1));
    }
  }

 private:
  static uint64_t offset_of(pugi::xml_node input) {
    return std::min(whole_number(input.attribute("offset"), 0), kMaxOffset);
  }

  void add_input(pugi::xml_node input, uint64_t offset) {
    stride_ = std::max(stride_, offset + 1);
    Input added{context_.sources.of(input), input.attribute("semantic").value(), offset,
                whole_number(input.attribute("set"), 0)};
    if (added.semantic == "POSITION") point_offset_ = offset;
    if (added.source->row_count() > 0) inputs_.push_back(std::move(added));
  }

  /// The input of one of the semantics with a set, else the first; null without one that has `width` numbers.
  const Input* find(std::initializer_list<std::string_view> semantics, std::optional<uint64_t> set,
                    size_t width) const {
    const Input* first = nullptr;
    for (const Input& input : inputs_) {
      const bool fits = std::find(semantics.begin(), semantics.end(), input.semantic) != semantics.end();
      if (!fits || input.source->width < width) continue;
      if (set && input.set == *set) return &input;
      if (first == nullptr) first = &input;
    }
    return first;
  }

  /// The corners of a <p>.
  std::vector<PolygonCorner> corners(pugi::xml_node p, size_t point_count, const std::string& name) {
    const std::vector<int64_t> indices = integers_in(p.text().get());
    const size_t count = indices.size() / stride_;
    context_.take_corners(indices.size());
    std::vector<PolygonCorner> result;
    result.reserve(count);
    for (size_t i = 0; i < count; ++i) {
      const int64_t* const own = &indices[i * stride_];
      const int64_t point = own[point_offset_];
      require_vertex(point, point_count, "mesh", name);
      const auto value = [&](const Input* input, size_t width) {
        return input == nullptr ? nullptr : input->source->row(uint64_t(own[input->offset]), width);
      };
      result.push_back({uint32_t(point), value(normals_, 3), value(tangents_, 3), value(bitangents_, 3), value(uvs_, 2),
                        value(second_uvs_, 2), value(colors_, 3)});
    }
    return result;
  }

  ColladaMeshContext& context_;
  const pugi::xml_node primitives_;
  std::vector<Input> inputs_;
  uint64_t stride_ = 1, point_offset_ = 0;
  const Input *normals_ = nullptr, *tangents_ = nullptr, *bitangents_ = nullptr, *uvs_ = nullptr,
              *second_uvs_ = nullptr, *colors_ = nullptr;
  PolygonValues values_;
};

bool is_primitives(pugi::xml_node element) {
  constexpr std::string_view kKinds[] = {"triangles", "polylist", "polygons",  "tristrips",
                                         "trifans",   "lines",    "linestrips"};
  return std::find(std::begin(kKinds), std::end(kKinds), element.name()) != std::end(kKinds);
}

}  // namespace

void ColladaMeshContext::take_corners(uint64_t count) {
  require(count <= corners_left, [] { return "its meshes have too many corners all together"; });
  corners_left -= count;
}

std::vector<Vec3> points_of(pugi::xml_node mesh, ColladaMeshContext& context) {
  std::vector<Vec3> points;
  const auto source = context.sources.input(mesh.child("vertices"), "POSITION");
  context.take_corners(source->row_count());
  for (size_t row = 0; row < source->row_count(); ++row) {
    const double* p = source->row(row, 3);
    if (p != nullptr) points.push_back({float(p[0]), float(p[1]), float(p[2])});
  }
  return points;
}

std::vector<PolygonPart> read_collada_mesh(pugi::xml_node mesh, const std::vector<Vec3>& points,
                                           const ColladaBindings& bindings, ColladaMeshContext& context) {
  const std::string name = geometry_name(mesh);
  PolygonMesh result(name, points, context.report);
  for (const pugi::xml_node child : mesh.children()) {
    if (!is_primitives(child)) continue;
    const auto bound = bindings.find(std::string_view(child.attribute("material").value()));
    const ColladaBinding binding = bound == bindings.end() ? ColladaBinding() : bound->second;
    Primitives(mesh, child, binding, context).read(result, binding.material, points.size(), name);
  }
  return result.finish();
}

}  // namespace sinew::internal
