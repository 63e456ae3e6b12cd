// Starts programs on Windows. A child inherits three handles, and belongs to a job: the job's end is the child's.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "asset/windows_text.h"

namespace sinew::internal {

/// Closed at the end of its scope.
struct Handle {
  HANDLE value = nullptr;

  Handle() = default;
  explicit Handle(HANDLE handle) : value(handle == INVALID_HANDLE_VALUE ? nullptr : handle) {}
  Handle(Handle&& other) noexcept : value(std::exchange(other.value, nullptr)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(value, other.value);
    return *this;
  }
  ~Handle() { close(); }
  void close() {
    if (value != nullptr) CloseHandle(std::exchange(value, nullptr));
  }
};

/// A copy that the child may inherit; null on failure.
inline HANDLE inheritable(HANDLE handle) {
  HANDLE copy = nullptr;
  const HANDLE self = GetCurrentProcess();
  return DuplicateHandle(self, handle, self, &copy, 0, TRUE, DUPLICATE_SAME_ACCESS) ? copy : nullptr;
}

/// One argument as the C runtime of the child reads it again: in quotes, with backslashes before quotes doubled.
inline void append_argument(const std::wstring& argument, std::wstring& line) {
  line += line.empty() ? L"\"" : L" \"";
  size_t backslashes = 0;
  for (const wchar_t letter : argument) {
    if (letter == L'"') line.append(backslashes + 1, L'\\');
    backslashes = letter == L'\\' ? backslashes + 1 : 0;
    line += letter;
  }
  line.append(backslashes, L'\\');
  line += L'"';
}

/// The list of handles that the child inherits, and no other.
class InheritedHandles {
 public:
  explicit InheritedHandles(std::vector<HANDLE> handles) : handles_(std::move(handles)) {
    SIZE_T size_bytes = 0;
    InitializeProcThreadAttributeList(nullptr, 1, 0, &size_bytes);
    memory_.resize(size_bytes);
    made_ = InitializeProcThreadAttributeList(list(), 1, 0, &size_bytes);
    valid_ = made_ && UpdateProcThreadAttribute(list(), 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, handles_.data(),
                                                handles_.size() * sizeof(HANDLE), nullptr, nullptr);
  }
  ~InheritedHandles() {
    if (made_) DeleteProcThreadAttributeList(list());
  }
  InheritedHandles(const InheritedHandles&) = delete;

  bool valid() const { return valid_; }
  LPPROC_THREAD_ATTRIBUTE_LIST list() { return reinterpret_cast<LPPROC_THREAD_ATTRIBUTE_LIST>(memory_.data()); }

 private:
  std::vector<HANDLE> handles_;
  std::vector<unsigned char> memory_;
  bool made_ = false, valid_ = false;
};

/// A job that ends all its processes when the last handle to it is closed; null on failure.
inline HANDLE make_job() {
  const HANDLE job = CreateJobObjectW(nullptr, nullptr);
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {};
  limits.BasicLimitInformation.LimitFlags =
      JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION;
  if (job != nullptr) SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits);
  return job;
}

/// Starts the program with `handles` as its standard input, output and errors. It runs once it is in the job.
inline bool start_process(const std::vector<std::string>& command, const HANDLE (&handles)[3], HANDLE job,
                          Handle& process) {
  std::wstring line;
  for (const std::string& word : command) append_argument(wide(word), line);
  InheritedHandles inherited({handles[0], handles[1], handles[2]});
  STARTUPINFOEXW startup = {};
  startup.StartupInfo.cb = sizeof startup;
  startup.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
  startup.StartupInfo.hStdInput = handles[0];
  startup.StartupInfo.hStdOutput = handles[1];
  startup.StartupInfo.hStdError = handles[2];
  startup.lpAttributeList = inherited.list();
  PROCESS_INFORMATION started = {};
  const DWORD flags = EXTENDED_STARTUPINFO_PRESENT | CREATE_SUSPENDED | CREATE_NO_WINDOW;
  const std::wstring program = wide(command[0]);
  if (!inherited.valid() || !CreateProcessW(program.c_str(), line.data(), nullptr, nullptr, TRUE, flags, nullptr,
                                            nullptr, &startup.StartupInfo, &started)) {
    return false;
  }
  process.value = started.hProcess;
  const Handle thread(started.hThread);
  AssignProcessToJobObject(job, process.value);  // it may fail, in a job that takes no other: see end_process()
  ResumeThread(thread.value);
  return true;
}

/// Ends what runs in the job, and the process if it is not in there, and waits for it. Null: nothing to do.
inline void end_process(HANDLE job, HANDLE process) {
  if (process == nullptr) return;
  TerminateJobObject(job, 1);
  TerminateProcess(process, 1);
  WaitForSingleObject(process, INFINITE);
}

}  // namespace sinew::internal
