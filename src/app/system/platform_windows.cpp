// Windows, by its own calls. Text of 16 bits is turned into UTF-8 here.
#include <fcntl.h>
#include <io.h>
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <utility>

#include "asset/file.h"
#include "asset/windows_process.h"
#include "asset/windows_text.h"
#include "system/platform.h"
#include "system/text.h"

#include <powrprof.h>
#include <shellapi.h>

namespace sinew::app {

using internal::Handle, internal::narrow, internal::reason;

// This process.

std::vector<std::string> command_words() {
  int count = 0;
  wchar_t** const words = CommandLineToArgvW(GetCommandLineW(), &count);
  std::vector<std::string> result;
  for (int i = 0; words != nullptr && i < count; ++i) result.push_back(narrow(words[i]));
  LocalFree(words);
  return result;
}

std::vector<std::string> arguments_of(int, char**) {
  std::vector<std::string> words = command_words();
  if (!words.empty()) words.erase(words.begin());
  return words;
}

std::string quoted_for_shell(const std::string& word) {
  if (!word.empty() && word.find_first_of(" \t\"&|<>^%()") == word.npos) return word;
  std::wstring text;
  internal::append_argument(internal::wide(word), text);
  return narrow(text);
}

std::string environment_value(const char* name) {
  const wchar_t* value = _wgetenv(internal::wide(name).c_str());
  return value != nullptr ? narrow(value) : "";
}

std::filesystem::path user_cache_folder() {
  const std::filesystem::path folder = internal::path_of(environment_value("LOCALAPPDATA"));
  return folder.is_absolute() ? folder : std::filesystem::path();
}

void* renderdoc_function(const char* name) {
  const HMODULE library = GetModuleHandleW(L"renderdoc.dll");
  return library != nullptr ? reinterpret_cast<void*>(GetProcAddress(library, name)) : nullptr;
}

std::vector<std::filesystem::path> root_folders() {
  std::vector<std::filesystem::path> roots;
  for (DWORD drives = GetLogicalDrives(), letter = 0; letter < 26; ++letter) {
    if ((drives >> letter & 1) != 0) roots.push_back(std::wstring(1, wchar_t(L'A' + letter)) + L":\\");
  }
  return roots;
}

// Ctrl-C and the console.

namespace {

UINT code_page_before = 0;  // of the console; 0: it is as it was
std::atomic<bool> is_flag_alive{false}, interrupted{false};

void restore_code_page() {
  if (code_page_before != 0) SetConsoleOutputCP(code_page_before);
}

/// Windows calls it on a thread of its own. After a console is closed, Windows ends the program when this returns, or
/// after five seconds: as long as it sleeps, the main thread can finish and write.
BOOL WINAPI interrupt(DWORD event) {
  const bool is_console_closed = event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT;
  const bool is_first = is_flag_alive && !interrupted.exchange(true);
  if (is_first && is_console_closed) Sleep(INFINITE);
  if (is_first) return TRUE;
  restore_code_page();
  return FALSE;  // Windows ends the program
}

/// The handler stays for good: removing it waits until it has returned, for ever where it sleeps.
void handle_interrupts() {
  static const BOOL added = SetConsoleCtrlHandler(interrupt, TRUE);
  (void)added;
}

}  // namespace

// Standard streams.

void reserve_standard_streams() {
  for (FILE* const stream : {stdin, stdout, stderr}) {
    if (_fileno(stream) < 0) (void)std::freopen("NUL", stream == stdin ? "w" : "r", stream);
    _setmode(_fileno(stream), _O_BINARY);
  }
  // The code page belongs to the console, not to this program: the console gets back the one that it had.
  const UINT before = GetConsoleOutputCP();
  if (before != 0 && before != CP_UTF8 && SetConsoleOutputCP(CP_UTF8)) {
    code_page_before = before;
    std::atexit(restore_code_page);
    handle_interrupts();
  }
  for (const DWORD which : {STD_OUTPUT_HANDLE, STD_ERROR_HANDLE}) {
    DWORD mode = 0;
    const HANDLE console = GetStdHandle(which);
    if (GetConsoleMode(console, &mode)) SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
  }
}

bool takes_control_sequences(FILE* stream) {
  DWORD mode = 0;
  return GetConsoleMode(reinterpret_cast<HANDLE>(_get_osfhandle(_fileno(stream))), &mode) != 0 &&
         (mode & ENABLE_VIRTUAL_TERMINAL_PROCESSING) != 0;
}

// Processors.

namespace {

/// Windows counts times in units of 100 nanoseconds.
double seconds_of(const FILETIME& time) {
  return double(uint64_t(time.dwHighDateTime) << 32 | time.dwLowDateTime) / 1e7;
}

/// As CallNtPowerInformation() gives it; the headers lack it.
struct ProcessorPower {
  ULONG number, max_mhz, current_mhz, limit_mhz, max_idle_state, idle_state;
};

}  // namespace

/// The kernel's time contains that of the idle process.
std::optional<ProcessorTimes> processor_times() {
  FILETIME idle{}, kernel{}, user{}, begin{}, end{}, own_kernel{}, own_user{};
  if (!GetSystemTimes(&idle, &kernel, &user) ||
      !GetProcessTimes(GetCurrentProcess(), &begin, &end, &own_kernel, &own_user))
    return {};
  ProcessorTimes times;
  times.all_seconds = seconds_of(kernel) + seconds_of(user);
  times.busy_seconds = times.all_seconds - seconds_of(idle);
  times.own_seconds = seconds_of(own_kernel) + seconds_of(own_user);
  return times;
}

std::optional<double> clock_mhz() {
  SYSTEM_INFO system{};
  GetSystemInfo(&system);
  std::vector<ProcessorPower> processors(system.dwNumberOfProcessors);
  const ULONG bytes = ULONG(processors.size() * sizeof(ProcessorPower));
  if (CallNtPowerInformation(ProcessorInformation, nullptr, 0, processors.data(), bytes) != 0) return {};
  double sum = 0;
  for (const ProcessorPower& one : processors) sum += one.current_mhz;
  return sum > 0 ? std::optional(sum / double(processors.size())) : std::nullopt;
}

std::string processor_name() {
  wchar_t name[256] = {};
  DWORD bytes = sizeof name - sizeof *name;
  const LSTATUS read = RegGetValueW(HKEY_LOCAL_MACHINE, L"HARDWARE\\DESCRIPTION\\System\\CentralProcessor\\0",
                                    L"ProcessorNameString", RRF_RT_REG_SZ, nullptr, name, &bytes);
  std::string text = read == ERROR_SUCCESS ? narrow(name) : "";
  text.erase(text.find_last_not_of(' ') + 1);  // some are padded with spaces
  return text;
}

// Another process.

struct ChildProcess::Impl {
  Handle job, process;
  Handle input, out;  // our ends of its standard input and output
  Handle errors;      // a file that has its standard error

  ~Impl() { internal::end_process(job.value, process.value); }
};

namespace {

Error not_made(const char* what) {
  return {ErrorCode::kOutOfMemory, std::string("cannot make ") + what + ": " + reason(GetLastError())};
}

/// Removed when its last handle is closed.
Handle temporary_file() {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(error);
  static std::atomic<unsigned> numbers{0};
  const auto name = L"sinew-errors-" + std::to_wstring(GetCurrentProcessId()) + L"-" + std::to_wstring(++numbers);
  return Handle(CreateFileW((folder / name).c_str(), GENERIC_READ | GENERIC_WRITE | DELETE, 0, nullptr, CREATE_NEW,
                            FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE, nullptr));
}

}  // namespace

ChildProcess::ChildProcess(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ChildProcess::ChildProcess(ChildProcess&& other) noexcept = default;
ChildProcess::~ChildProcess() = default;

Result<ChildProcess> ChildProcess::start(const std::vector<std::string>& command) {
  auto impl = std::make_unique<Impl>();
  Handle input, out;
  if (!CreatePipe(&input.value, &impl->input.value, nullptr, 0) ||
      !CreatePipe(&impl->out.value, &out.value, nullptr, 0))
    return not_made("a pipe");
  impl->errors = temporary_file();
  if (impl->errors.value == nullptr) return not_made("a temporary file");
  impl->job.value = internal::make_job();
  const Handle child_input(internal::inheritable(input.value)), child_out(internal::inheritable(out.value)),
      child_errors(internal::inheritable(impl->errors.value));
  if (internal::start_process(command, {child_input.value, child_out.value, child_errors.value}, impl->job.value,
                              impl->process))
    return ChildProcess(std::move(impl));
  return Error{ErrorCode::kNotFound, "cannot run " + command.front() + ": " + reason(GetLastError())};
}

void ChildProcess::write(std::string_view bytes) {
  DWORD count = 0;
  WriteFile(impl_->input.value, bytes.data(), DWORD(bytes.size()), &count, nullptr);
}

size_t ChildProcess::read(std::span<char> bytes) {
  DWORD count = 0;
  return ReadFile(impl_->out.value, bytes.data(), DWORD(bytes.size()), &count, nullptr) ? count : 0;
}

std::string ChildProcess::wait() {
  WaitForSingleObject(impl_->process.value, INFINITE);
  DWORD code = 0;
  GetExitCodeProcess(impl_->process.value, &code);
  constexpr DWORD kFirstException = 0xC0000000;
  if (code >= kFirstException) return text("exception 0x%08lX", code);
  return code == 0 ? "" : text("exit code %lu", code);
}

std::string ChildProcess::end_of_errors() const {
  constexpr LONGLONG kMost = 4096;
  LARGE_INTEGER size{};
  GetFileSizeEx(impl_->errors.value, &size);
  const LONGLONG first = std::max<LONGLONG>(0, size.QuadPart - kMost);
  OVERLAPPED at{};  // the place in the file
  at.Offset = DWORD(first), at.OffsetHigh = DWORD(first >> 32);
  std::string bytes(size_t(size.QuadPart - first), '\0');
  DWORD count = 0;
  if (!ReadFile(impl_->errors.value, bytes.data(), DWORD(bytes.size()), &count, &at)) count = 0;
  bytes.resize(count);
  return bytes;
}

InterruptFlag::InterruptFlag() {
  handle_interrupts();
  is_flag_alive = true;
}

InterruptFlag::~InterruptFlag() { is_flag_alive = false; }

bool InterruptFlag::is_set() { return interrupted; }

}  // namespace sinew::app
