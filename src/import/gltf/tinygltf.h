// tinygltf in a namespace of its own, sinew_tinygltf: Debian's libdraco exports another version of it under the usual
// name. tinygltf.cpp compiles its implementation, without decoders of images: files
// of images are read by ImageReader.
#pragma once

#define TINYGLTF_NO_STB_IMAGE
#define TINYGLTF_NO_STB_IMAGE_WRITE
#define TINYGLTF_NO_EXTERNAL_IMAGE
#define tinygltf sinew_tinygltf
#include <tiny_gltf.h>

namespace sinew::internal {

/// The member of an extension; `absent` where there is no such number.
inline int whole_number_in(const tinygltf::Value& object, const char* name, int absent = -1) {
  return object.Has(name) && object.Get(name).IsInt() ? object.Get(name).GetNumberAsInt() : absent;
}
inline double number_in(const tinygltf::Value& object, const char* name, double absent) {
  return object.Has(name) && object.Get(name).IsNumber() ? object.Get(name).GetNumberAsDouble() : absent;
}

}  // namespace sinew::internal
