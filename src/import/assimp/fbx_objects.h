// Objects of FBX files, found by text search: Assimp drops some of them, or parts of them, without a message.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinew::internal {

struct FbxObject {
  std::string name;
  std::string_view body;  // of the file: from the object's class to the next object of its type, or to the end
};

/// All objects of a type, such as "Geometry", and a class, such as "Shape", in the file's order; text or binary.
std::vector<FbxObject> find_fbx_objects(std::span<const uint8_t> file, std::string_view type,
                                        std::string_view class_name);

/// The number that a record of this name has in the body of an object, such as `DeformPercent: 50`; else `fallback`.
double fbx_number(const FbxObject& object, std::string_view record, double fallback);

}  // namespace sinew::internal
