// Windows' own calls take text of 16 bits and give numbers for errors. This library has paths in UTF-8.
#pragma once

#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>

#include <string>
#include <system_error>

namespace sinew::internal {

/// Empty if `text` is not UTF-8, or has a zero in it.
inline std::wstring wide(const std::string& text) {
  const int length = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text.data(), int(text.size()), nullptr, 0);
  if (length <= 0 || text.find('\0') != std::string::npos) return {};
  std::wstring result(size_t(length), L'\0');
  MultiByteToWideChar(CP_UTF8, 0, text.data(), int(text.size()), result.data(), length);
  return result;
}

inline std::string narrow(const std::wstring& text) {
  const int size = WideCharToMultiByte(CP_UTF8, 0, text.data(), int(text.size()), nullptr, 0, nullptr, nullptr);
  std::string result(size_t(size), '\0');
  WideCharToMultiByte(CP_UTF8, 0, text.data(), int(text.size()), result.data(), size, nullptr, nullptr);
  return result;
}

/// The path of a library of this process. Null: the program's.
inline std::wstring module_path(HMODULE module) {
  std::wstring path(32767, L'\0');  // the longest path of Windows
  path.resize(GetModuleFileNameW(module, path.data(), DWORD(path.size())));
  return path;
}

/// The text of an error, as GetLastError() gives it.
inline std::string reason(DWORD error) { return std::error_code(int(error), std::system_category()).message(); }

}  // namespace sinew::internal
