#define TINYGLTF_IMPLEMENTATION
#include "gltf/tinygltf.h"
