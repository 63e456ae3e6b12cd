#include "collada_file.h"

#include <sstream>

namespace sinew::test {
namespace {

size_t word_count(const std::string& text) {
  std::istringstream stream(text);
  size_t count = 0;
  for (std::string word; stream >> word;) ++count;
  return count;
}

std::string source(const std::string& id, const std::string& array, const std::string& text, size_t width) {
  const size_t items = word_count(text), count = items / width;
  const std::string type = width == 16 ? "float4x4" : array == "Name_array" ? "name" : "float";
  std::string params;
  for (size_t i = 0; i < (width == 16 ? 1 : width); ++i) {
    params += "<param name=\"";
    params += char('X' + i % 3);
    params += "\" type=\"" + type + "\"/>";
  }
  return "<source id=\"" + id + "\"><" + array + " id=\"" + id + "-array\" count=\"" + std::to_string(items) + "\">" +
         text + "</" + array + "><technique_common><accessor source=\"#" + id + "-array\" count=\"" +
         std::to_string(count) + "\" stride=\"" + std::to_string(width) + "\">" + params +
         "</accessor></technique_common></source>";
}

std::string input(const char* semantic, const std::string& id) {
  return std::string("<input semantic=\"") + semantic + "\" source=\"#" + id + "\"/>";
}

}  // namespace

std::string collada_channel(const std::string& id, const ColladaKeys& keys) {
  std::string sources, inputs;
  const auto add = [&](const char* semantic, const char* array, const std::string& text, int width) {
    if (text.empty()) return;
    sources += source(id + semantic, array, text, size_t(width));
    inputs += input(semantic, id + semantic);
  };
  add("INPUT", "float_array", keys.times, 1);
  add("OUTPUT", "float_array", keys.values, keys.width);
  add("INTERPOLATION", "Name_array", keys.kinds, 1);
  add("IN_TANGENT", "float_array", keys.in_tangents, keys.tangent_width);
  add("OUT_TANGENT", "float_array", keys.out_tangents, keys.tangent_width);
  return sources + "<sampler id=\"" + id + "s\">" + inputs + "</sampler><channel source=\"#" + id + "s\" target=\"" +
         keys.target + "\"/>";
}

std::string collada_animations(const std::vector<ColladaKeys>& keys) {
  std::string text;
  for (size_t i = 0; i < keys.size(); ++i) {
    const std::string id = "c" + std::to_string(i);
    text += "<animation id=\"" + id + "\">" + collada_channel(id, keys[i]) + "</animation>";
  }
  return "<library_animations>" + text + "</library_animations>";
}

std::string collada_file(const std::string& nodes, const std::string& libraries) {
  return R"(<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset><up_axis>Y_UP</up_axis></asset>
<library_geometries><geometry id="mesh"><mesh>)" +
         source("points", "float_array", "0 0 0 1 0 0 0 1 0 0 0 1", 3) +
         R"(<vertices id="v"><input semantic="POSITION" source="#points"/></vertices><triangles count="2">
<input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2 0 2 3</p></triangles></mesh></geometry>
</library_geometries>)" +
         libraries + "<library_visual_scenes><visual_scene id=\"scene\">" + nodes +
         "</visual_scene></library_visual_scenes><scene><instance_visual_scene url=\"#scene\"/></scene></COLLADA>";
}

std::string collada_node(const std::string& placements) {
  return "<node id=\"j\" name=\"j\">" + placements + "<instance_geometry url=\"#mesh\"/></node>";
}

}  // namespace sinew::test
