#include "file.h"

#include <new>

#include "exceptions.h"

namespace sinew::internal {
namespace {

constexpr std::align_val_t kAlignment{64};

}  // namespace

Result<FileBytes> FileBytes::allocate(size_t size_bytes) {
  void* const bytes = ::operator new[](size_bytes, kAlignment, std::nothrow);
  if (bytes == nullptr) return out_of_memory();
  return FileBytes(static_cast<std::byte*>(bytes), size_bytes);
}

void FileBytes::Free::operator()(std::byte* bytes) const { ::operator delete[](bytes, kAlignment); }

}  // namespace sinew::internal
