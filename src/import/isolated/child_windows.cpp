// On Windows.
#include "isolated/child.h"

#include <fcntl.h>
#include <io.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <vector>

#include "asset/file.h"
#include "asset/windows_process.h"
#include "asset/windows_text.h"

namespace sinew::internal {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kKeptErrorBytes = 64 << 10;
constexpr DWORD kPollMilliseconds = 1;
constexpr DWORD kFirstCrash = 0xC0000000;  // exit codes from here on are of exceptions that nothing caught

Error failure(const std::string& what) { return {ErrorCode::kUnreadable, what + ": " + reason(GetLastError())}; }

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
  ~RunningChild() { end_process(job_, process_); }
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
    if (!start_process(command, {in.value, out.value, err.value}, job.value, process)) {
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
