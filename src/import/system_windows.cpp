#include "system.h"

#include <locale.h>

#include <new>
#include <string>

#include "asset/windows_text.h"

namespace sinew::internal {

std::filesystem::path path_of_this_code() {
  static const char here = 0;
  HMODULE module = nullptr;
  const DWORD flags = GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT;
  const bool found = GetModuleHandleExW(flags, reinterpret_cast<LPCWSTR>(&here), &module);
  return found ? std::filesystem::path(module_path(module)) : std::filesystem::path();
}

struct DecimalPoint::Locale {
  int before;  // whether the thread had a locale of its own
  std::string numbers;
};

DecimalPoint::DecimalPoint() : locale_(nullptr) {
  const int before = _configthreadlocale(_ENABLE_PER_THREAD_LOCALE);
  const char* numbers = setlocale(LC_NUMERIC, nullptr);
  locale_ = new (std::nothrow) Locale{before, numbers == nullptr ? "C" : numbers};
  if (locale_ != nullptr) setlocale(LC_NUMERIC, "C");
}

DecimalPoint::~DecimalPoint() {
  if (locale_ == nullptr) return;
  setlocale(LC_NUMERIC, locale_->numbers.c_str());
  _configthreadlocale(locale_->before);
  delete locale_;
}

bool can_allocate(uint64_t bytes) {
  void* const memory = VirtualAlloc(nullptr, SIZE_T(bytes), MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
  return memory != nullptr && VirtualFree(memory, 0, MEM_RELEASE);
}

}  // namespace sinew::internal
