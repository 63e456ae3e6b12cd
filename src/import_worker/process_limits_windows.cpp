#include "process_limits.h"

#include <fcntl.h>
#include <io.h>

#include <cstdio>

#include "asset/windows_text.h"

#include <shellapi.h>

namespace sinew::internal {

/// `argv` is in the system's code page, which lacks letters.
std::vector<std::string> prepare_process(int, char**) {
  _setmode(_fileno(stderr), _O_BINARY);  // import_isolated() reads lines that end with \n alone
  int count = 0;
  wchar_t** const words = CommandLineToArgvW(GetCommandLineW(), &count);
  std::vector<std::string> arguments;
  for (int i = 1; words != nullptr && i < count; ++i) {
    const int length = WideCharToMultiByte(CP_UTF8, 0, words[i], -1, nullptr, 0, nullptr, nullptr);
    std::string& argument = arguments.emplace_back(size_t(length > 0 ? length : 1), '\0');
    WideCharToMultiByte(CP_UTF8, 0, words[i], -1, argument.data(), length, nullptr, nullptr);
    argument.pop_back();  // the zero at the end
  }
  LocalFree(words);
  return arguments;
}

std::FILE* take_standard_output() {
  const int own = _dup(_fileno(stdout));
  if (own < 0 || _dup2(_fileno(stderr), _fileno(stdout)) != 0) return nullptr;
  _setmode(own, _O_BINARY);
  return _fdopen(own, "wb");
}

/// A process can enter a job of its own inside the job it was started in (Windows 8 or later). There is no limit on the
/// size of files. Times are in units of 100 nanoseconds.
void limit_process(const WorkerLimits& now, const WorkerLimits&) {
  static const HANDLE job = [] {
    const HANDLE own = CreateJobObjectW(nullptr, nullptr);
    if (own != nullptr) AssignProcessToJobObject(own, GetCurrentProcess());
    return own;
  }();
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {};
  limits.BasicLimitInformation.LimitFlags =
      JOB_OBJECT_LIMIT_PROCESS_MEMORY | JOB_OBJECT_LIMIT_PROCESS_TIME | JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION;
  limits.BasicLimitInformation.PerProcessUserTimeLimit.QuadPart = LONGLONG(now.seconds) * 10000000;
  limits.ProcessMemoryLimit = SIZE_T(now.mebibytes << 20);
  if (job != nullptr) SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits);
  SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX);  // no window asks about a crash
}

}  // namespace sinew::internal
