#include "collada/collada_repair.h"

#include <algorithm>
#include <charconv>
#include <set>

#include "failure.h"

namespace sinew::internal {
namespace {

constexpr int kMaxControllers = 16;  // between an instance and its geometry

std::vector<pugi::xml_node> elements_named(pugi::xml_node top, std::initializer_list<std::string_view> names) {
  std::vector<pugi::xml_node> found;
  for_each_element(top, [&](pugi::xml_node element, uint32_t) {
    if (std::find(names.begin(), names.end(), element.name()) != names.end()) found.push_back(element);
  });
  return found;
}

void remove_animations(pugi::xml_node root) {
  for (const char* name : {"library_animations", "library_animation_clips"}) {
    while (root.remove_child(name)) continue;
  }
}

void remove_instances_of_other_files(pugi::xml_node root) {
  for (pugi::xml_node instance : elements_named(root, {"instance_node", "instance_geometry", "instance_controller"})) {
    if (instance.attribute("url").value()[0] != '#') instance.parent().remove_child(instance);
  }
}

/// Assimp aborts on a skew.
void remove_skews(pugi::xml_node root) {
  for (const pugi::xml_node skew : elements_named(root, {"skew"})) skew.parent().remove_child(skew);
}

void repair_colors(pugi::xml_node root) {
  for (pugi::xml_node color : elements_named(root, {"color"})) {
    std::string text;
    const std::vector<std::string_view> words = words_in(color.text().get());
    for (const std::string_view word : words) text += (text.empty() ? "" : " ") + std::string(word);
    for (size_t i = words.size(); i < 4; ++i) text += text.empty() ? "1" : " 1";
    color.text().set(text.c_str());
  }
}

// --- geometries ---

bool is_empty_source(const ColladaDocument& document, pugi::xml_node input) {
  const pugi::xml_node source = document.at(input.attribute("source").value());
  if (!is_named(source, "source")) return false;
  const pugi::xml_node accessor = source.child("technique_common").child("accessor");
  return whole_number(accessor.attribute("count"), 1) == 0;
}

/// Removes the numbers of inputs that are gone from a list of indices.
void narrow(pugi::xml_node indices, size_t old_stride, size_t stride) {
  std::string text;
  const std::vector<std::string_view> words = words_in(indices.text().get());
  for (size_t i = 0; i < words.size(); ++i) {
    if (i % old_stride < stride) (text += words[i]) += ' ';
  }
  indices.text().set(text.c_str());
}

uint64_t offset_of(pugi::xml_node input) {
  return std::min<uint64_t>(whole_number(input.attribute("offset"), 0), 1 << 20);
}

void remove_empty_inputs(const ColladaDocument& document, pugi::xml_node primitives) {
  std::vector<pugi::xml_node> empty;
  uint64_t old_stride = 1, stride = 1;
  for (const pugi::xml_node input : primitives.children("input")) {
    const std::string_view semantic = input.attribute("semantic").value();
    const bool is_empty = semantic != "VERTEX" && semantic != "POSITION" && is_empty_source(document, input);
    old_stride = std::max(old_stride, offset_of(input) + 1);
    if (is_empty) {
      empty.push_back(input);
    } else {
      stride = std::max(stride, offset_of(input) + 1);
    }
  }
  for (const pugi::xml_node input : empty) primitives.remove_child(input);
  if (stride == old_stride) return;
  for (pugi::xml_node indices : elements_named(primitives, {"p"})) narrow(indices, old_stride, stride);
}

/// Assimp refuses polygons with holes: their outlines stay. It aborts if the count of polygons is wrong.
void fill_holes(pugi::xml_node root) {
  for (const pugi::xml_node polygon : elements_named(root, {"ph"})) {
    pugi::xml_node polygons = polygon.parent();
    if (polygon.child("p")) polygons.insert_copy_before(polygon.child("p"), polygon);
    polygons.remove_child(polygon);
  }
  for (pugi::xml_node polygons : elements_named(root, {"polygons"})) {
    const auto outlines = polygons.children("p");
    polygons.attribute("count").set_value(std::to_string(std::distance(outlines.begin(), outlines.end())).c_str());
  }
}

void repair_geometries(const ColladaDocument& document) {
  for (const pugi::xml_node geometry : elements_named(document.root(), {"mesh"})) {
    for (const pugi::xml_node child : geometry.children()) {
      if (child.child("input")) remove_empty_inputs(document, child);
    }
  }
}

// --- controllers ---

/// The <skin> or <morph> of a controller, or an empty element.
pugi::xml_node kind_of(pugi::xml_node controller) {
  if (!is_named(controller, "controller")) return {};
  const pugi::xml_node skin = controller.child("skin");
  return skin ? skin : controller.child("morph");
}

/// The array behind the input `semantic` of `element`.
pugi::xml_node array_of(const ColladaDocument& document, pugi::xml_node element, const char* semantic) {
  const pugi::xml_node input = element.find_child_by_attribute("input", "semantic", semantic);
  const pugi::xml_node source = document.at(input.attribute("source").value());
  return document.at(source.child("technique_common").child("accessor").attribute("source").value());
}

bool has_no_words(pugi::xml_node element) { return element && words_in(element.text().get()).empty(); }

bool is_empty_skin(const ColladaDocument& document, pugi::xml_node skin) {
  return is_named(skin, "skin") && (has_no_words(array_of(document, skin.child("joints"), "JOINT")) ||
                                    has_no_words(skin.child("vertex_weights").child("vcount")));
}

/// What a controller deforms, without morph controllers and empty skins: the address of a skin's controller or of a
/// geometry.
std::string without_empty_controllers(const ColladaDocument& document, std::string address) {
  for (int i = 0; i < kMaxControllers; ++i) {
    const pugi::xml_node kind = kind_of(document.at(address));
    if (!is_named(kind, "morph") && !is_empty_skin(document, kind)) return address;
    address = kind.attribute("source").value();
  }
  fail("its controllers refer to each other, or are many");
}

/// Throws if there is no end to what a controller deforms: Assimp would go on.
void require_geometry(const ColladaDocument& document, pugi::xml_node skin) {
  for (int i = 0; i < kMaxControllers; ++i) {
    skin = kind_of(document.at(skin.attribute("source").value()));
    if (!skin) return;
  }
  fail("its controllers refer to each other, or are many");
}

void remove_empty_controllers(const ColladaDocument& document) {
  for (pugi::xml_node instance : elements_named(document.root(), {"instance_controller"})) {
    const std::string address = without_empty_controllers(document, instance.attribute("url").value());
    instance.attribute("url").set_value(address.c_str());
    if (is_named(document.at(address), "geometry")) instance.set_name("instance_geometry");
  }
  for (const pugi::xml_node skin : elements_named(document.root(), {"skin"})) {
    require_geometry(document, skin);
    const std::string address = without_empty_controllers(document, skin.attribute("source").value());
    skin.attribute("source").set_value(address.c_str());
  }
  for (pugi::xml_node controller : elements_named(document.root(), {"controller"})) {
    const bool is_unused = is_named(kind_of(controller), "morph") || is_empty_skin(document, kind_of(controller));
    if (is_unused) controller.set_name("unused_controller");  // its element stays: others may find it by its id
  }
}

/// Appends text to an array, once.
void extend(pugi::xml_node array, const std::string& added, size_t items, std::set<size_t>& extended) {
  if (!array || !extended.insert(array.hash_value()).second) return;
  array.text().set((std::string(array.text().get()) + " " + added).c_str());
  array.attribute("count").set_value(std::to_string(whole_number(array.attribute("count"), 0) + items).c_str());
}

/// Replaces the joint -1 by one more joint, which is the root of the scene. `extended` are the arrays that have it.
void name_bind_shape(const ColladaDocument& document, pugi::xml_node skin, pugi::xml_node scene,
                     std::set<size_t>& extended) {
  const pugi::xml_node weights = skin.child("vertex_weights"), joints = skin.child("joints");
  const pugi::xml_node names = array_of(document, joints, "JOINT");
  const size_t joint_count = words_in(names.text().get()).size() - extended.count(names.hash_value());
  uint64_t stride = 1, offset = 0;
  for (const pugi::xml_node input : weights.children("input")) {
    stride = std::max(stride, offset_of(input) + 1);
    if (std::string_view(input.attribute("semantic").value()) == "JOINT") offset = offset_of(input);
  }
  std::string text;
  bool has_bind_shape = false;
  const std::vector<std::string_view> words = words_in(weights.child("v").text().get());
  for (size_t i = 0; i < words.size(); ++i) {
    const bool is_joint = i % stride == offset, is_bind_shape = is_joint && words[i] == "-1";
    size_t joint = 0;
    if (is_joint && !is_bind_shape) {
      std::from_chars(words[i].data(), words[i].data() + words[i].size(), joint);
      require(words[i].front() != '-' && joint < joint_count,
              [&] { return "a skin names joint " + std::string(words[i]) + " of " + std::to_string(joint_count); });
    }
    has_bind_shape |= is_bind_shape;
    (text += is_bind_shape ? std::to_string(joint_count) : std::string(words[i])) += ' ';
  }
  if (!has_bind_shape) return;
  skin.child("vertex_weights").child("v").text().set(text.c_str());
  extend(names, scene.attribute("id").value(), 1, extended);
  extend(array_of(document, joints, "INV_BIND_MATRIX"), "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1", 16, extended);
}

}  // namespace

void repair_for_assimp(ColladaDocument& document, pugi::xml_node scene) {
  remove_animations(document.root());
  remove_instances_of_other_files(document.root());
  remove_skews(document.root());
  repair_colors(document.root());
  fill_holes(document.root());
  repair_geometries(document);
  remove_empty_controllers(document);
  std::set<size_t> extended;
  for (const pugi::xml_node skin : elements_named(document.root(), {"skin"})) {
    if (!is_named(skin.parent(), "controller")) continue;
    name_bind_shape(document, skin, scene, extended);
  }
}

std::vector<uint8_t> text_of(const ColladaDocument& document) {
  struct Writer final : pugi::xml_writer {
    std::vector<uint8_t> text;
    void write(const void* data, size_t size) override {
      const auto* bytes = static_cast<const uint8_t*>(data);
      text.insert(text.end(), bytes, bytes + size);
    }
  } writer;
  document.root().root().print(writer, "", pugi::format_raw, pugi::encoding_utf8);
  return std::move(writer.text);
}

}  // namespace sinew::internal
