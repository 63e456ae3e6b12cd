// tinygltf in a namespace of its own, sinew_tinygltf: Debian's libdraco exports another version of it under the usual
// name. tinygltf.cpp compiles its implementation, without decoders of images: files
// of images are read by ImageReader.
#pragma once

#define TINYGLTF_NO_STB_IMAGE
#define TINYGLTF_NO_STB_IMAGE_WRITE
#define TINYGLTF_NO_EXTERNAL_IMAGE
#define tinygltf sinew_tinygltf
#include <tiny_gltf.h>
