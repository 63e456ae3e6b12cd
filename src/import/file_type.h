// Which reader a file is for, by the end of its name.
#pragma once

#include <cstdint>
#include <string>

#include "sinew/asset/result.h"

namespace sinew {

enum class FileType : uint8_t { kGltf, kStored, kOther };

/// Throws ImportFailure where no reader takes files of that name, or there is no such file.
FileType file_type(const std::string& path);

/// In lower case, with its dot.
std::string extension_of(const std::string& path);

}  // namespace sinew
