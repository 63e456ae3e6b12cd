// On Windows: the child is in a job, which ends with it, and inherits three handles.
#include "isolated/child.h"

#include <fcntl.h>
#include <io.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <vector>

#include "asset/file.h"
#include "asset/windows_text.h"

namespace sinew::internal {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kKeptErrorBytes = 64 << 10;
constexpr DWORD kPollMilliseconds = 1;
constexpr DWORD kFirstCrash = 0xC0000000;  // exit codes from here on are of exceptions that nothing caught

Error failure(const std::string& what) { return {ErrorCode::kUnreadable, what + ": " + reason(GetLastError())}; }

struct Handle {
  HANDLE value = nullptr;

  Handle() = default;
  explicit Handle(HANDLE handle) : value(handle == INVALID_HANDLE_VALUE ? nullptr : handle) {}
  Handle(const Handle&) = delete;
  ~Handle() { close(); }
  void close() {
    if (value != nullptr) CloseHandle(std::exchange(value, nullptr));
  }
};

/// A copy that the child may inherit; null on failure.
HANDLE inheritable(HANDLE handle) {
  HANDLE copy = nullptr;
  const HANDLE self = GetCurrentProcess();
  return DuplicateHandle(self, handle, self, &copy, 0, TRUE, DUPLICATE_SAME_ACCESS) ? copy : nullptr;
}

/// One argument as the C runtime of the child reads it again: in quotes, with backslashes before quotes doubled.
void append_argument(const std::wstring& argument, std::wstring& line) {
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
HANDLE make_job() {
  const HANDLE job = CreateJobObjectW(nullptr, nullptr);
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {};
  limits.BasicLimitInformation.LimitFlags =
      JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION;
  if (job != nullptr) SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits);
  return job;
}

/// Starts the program with `handles` as its standard input, output and errors. It runs once it is in the job.
bool start(const std::vector<std::string>& command, const HANDLE (&handles)[3], HANDLE job, Handle& process) {
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
  AssignProcessToJobObject(job, process.value);  // if it fails, the child still ends by the deadline
  ResumeThread(thread.value);
  return true;
}

/// Appends what is in the pipe to `text`. Returns false if there was nothing.
bool read_available(HANDLE pipe, const ErrorsCallback& on_errors, std::string& text) {
  char buffer[4096];
  DWORD available = 0, count = 0;
  if (!PeekNamedPipe(pipe, nullptr, 0, nullptr, &available, nullptr) || available == 0) return false;
  const DWORD wanted = std::min<DWORD>(available, sizeof(buffer));
  if (!ReadFile(pipe, buffer, wanted, &count, nullptr) || count == 0) return false;
  text.append(buffer, count);
  if (text.size() > 2 * kKeptErrorBytes) text.erase(0, text.size() - kKeptErrorBytes);
  if (on_errors) on_errors(text);
  return true;
}

/// Reads errors until the child has ended. Returns false if the deadline passes first.
bool wait_until(Clock::time_point deadline, HANDLE process, HANDLE pipe, const ErrorsCallback& on_errors,
                std::string& text) {
  for (;;) {
    const bool ended = WaitForSingleObject(process, 0) == WAIT_OBJECT_0;  // asked first: it may write and then end
    if (read_available(pipe, on_errors, text)) {
      if (!ended && Clock::now() > deadline) return false;
      continue;
    }
    if (ended) return true;
    if (Clock::now() > deadline) return false;
    WaitForSingleObject(process, kPollMilliseconds);
  }
}

/// Ends the child with the scope where it still runs: an exception may come from the host's callback, or from memory
/// that runs out.
class RunningChild {
 public:
  RunningChild(HANDLE job, HANDLE process) : job_(job), process_(process) {}
  ~RunningChild() {
    TerminateJobObject(job_, 1);
    TerminateProcess(process_, 1);
    WaitForSingleObject(process_, INFINITE);
  }
  RunningChild(const RunningChild&) = delete;

 private:
  HANDLE job_, process_;
};

void read_end(HANDLE process, ChildResult& end) {
  DWORD code = 0;
  GetExitCodeProcess(process, &code);
  end.timed_out = code == ERROR_NOT_ENOUGH_QUOTA;  // the job's limit of processor time
  if (end.timed_out) return;
  if (code < kFirstCrash) {
    end.exit_code = int(code);
  } else {
    char text[24];
    std::snprintf(text, sizeof(text), "exception 0x%08lX", code);
    end.crash = text;
  }
}

}  // namespace

Result<TemporaryFile> TemporaryFile::create() {
  static std::atomic<unsigned> numbers{0};
  std::error_code failed;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(failed);
  const std::filesystem::path path =
      folder / (L"sinew-" + std::to_wstring(GetCurrentProcessId()) + L"-" + std::to_wstring(++numbers));
  Handle file(CreateFileW(path.c_str(), GENERIC_READ | GENERIC_WRITE | DELETE, 0, nullptr, CREATE_NEW,
                          FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE, nullptr));
  const auto refuse = [&] { return failure("cannot make a temporary file in " + utf8_of(folder)); };
  if (file.value == nullptr) return refuse();
  const int descriptor = _open_osfhandle(reinterpret_cast<intptr_t>(file.value), _O_BINARY | _O_RDWR);
  if (descriptor < 0) return refuse();
  file.value = nullptr;  // the descriptor owns it now
  return TemporaryFile(descriptor);
}

TemporaryFile::~TemporaryFile() {
  if (descriptor_ >= 0) _close(descriptor_);
}

Result<ChildResult> run_child(const std::vector<std::string>& command, const TemporaryFile& output, double seconds,
                              const ErrorsCallback& on_errors) {
  Handle errors, errors_end;
  if (!CreatePipe(&errors.value, &errors_end.value, nullptr, 0)) return failure("cannot make a pipe");
  const Handle nothing(
      CreateFileW(L"NUL", GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE, nullptr, OPEN_EXISTING, 0, nullptr));
  const Handle job(make_job());
  Handle process;
  {
    const Handle in(inheritable(nothing.value)),
        out(inheritable(reinterpret_cast<HANDLE>(_get_osfhandle(output.descriptor())))),
        err(inheritable(errors_end.value));
    if (!start(command, {in.value, out.value, err.value}, job.value, process)) {
      return failure("cannot run " + command[0]);
    }
  }
  errors_end.close();

  ChildResult end;
  const RunningChild child(job.value, process.value);
  const auto deadline = Clock::now() + std::chrono::milliseconds(int64_t(seconds * 1000));
  if (wait_until(deadline, process.value, errors.value, on_errors, end.errors)) {
    read_end(process.value, end);
  } else {
    end.timed_out = true;
  }
  return end;
}

}  // namespace sinew::internal
