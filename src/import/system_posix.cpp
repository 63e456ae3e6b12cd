#include "system.h"

#include <dlfcn.h>
#include <locale.h>
#include <sys/mman.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif

#include <new>

namespace sinew::internal {

std::filesystem::path path_of_this_code() {
  static const char here = 0;
  Dl_info info = {};
  return ::dladdr(&here, &info) != 0 && info.dli_fname != nullptr ? info.dli_fname : std::filesystem::path();
}

struct DecimalPoint::Locale {
  locale_t before, own;
};

DecimalPoint::DecimalPoint() : locale_(nullptr) {
  const locale_t before = uselocale(nullptr), copy = duplocale(before);
  const locale_t own = copy == nullptr ? nullptr : newlocale(LC_NUMERIC_MASK, "C", copy);
  if (own == nullptr && copy != nullptr) freelocale(copy);
  if (own == nullptr) return;
  locale_ = new (std::nothrow) Locale{before, own};
  if (locale_ == nullptr) {
    freelocale(own);
  } else {
    uselocale(own);
  }
}

DecimalPoint::~DecimalPoint() {
  if (locale_ == nullptr) return;
  uselocale(locale_->before);
  freelocale(locale_->own);
  delete locale_;
}

/// Calls mmap, because the compiler may remove an unused allocation.
bool can_allocate(uint64_t bytes) {
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return false;
  munmap(memory, bytes);
  return true;
}

}  // namespace sinew::internal
