// Binary FBX files for tests, made of the text that fbx_text() writes.
#pragma once

#include <cstdint>
#include <string>

namespace sinew::test {

struct FbxBinaryOptions {
  uint32_t version = 7400;  // from 7500 on, offsets have 64 bits
  bool compress = false;    // arrays, with zlib
};

/// The same records as in `text`, an FBX text file since version 7.0 without comments between its records. Comments at
/// its begin are dropped. Throws std::runtime_error if the text is not understood.
std::string fbx_binary(const std::string& text, const FbxBinaryOptions& options = {});

}  // namespace sinew::test
