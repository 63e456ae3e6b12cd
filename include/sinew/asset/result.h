// The return types of calls that can fail: a value, or an error whose message names the file and the item at fault.
//
// Every call that can fail returns Result or Status, per-frame calls included. The stages of the exact evaluator cannot
// fail; they assert their preconditions. No exception crosses the library's border. The library never prints: showing a
// message is up to the caller. One case is different: a program that reads the value of a failed call ends there, in
// every build type, with the error's message on standard error. All but sinew::import and sinew::c also
// compile with -fno-exceptions; then running out of host memory ends the process instead of returning kOutOfMemory.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>

#include "sinew/api.h"

namespace sinew {

/// The kind of an error. The message has the details.
enum class ErrorCode : uint8_t {
  kInvalidArgument,  // a mistake of the caller: a wrong argument, index or option
  kNotFound,         // the file does not exist
  kUnreadable,       // the file cannot be read or written: no regular file, no permission, too large
  kInvalidData,      // the file or the asset is malformed, or its values are out of range
  kUnsupported,      // correct, but the library or the device does not support it
  kOutOfMemory,      // host or device memory; nothing has changed unless the call says otherwise
  kDeviceLost,       // VK_ERROR_DEVICE_LOST
  kDeviceFailure,    // any other Vulkan call failed
};

/// Why a call failed.
struct Error {
  ErrorCode code = ErrorCode::kInvalidArgument;
  std::string message;    // one line without a full stop, for people
  int32_t vk_result = 0;  // the VkResult that caused it, or 0
};

namespace internal {
/// Ends the program: a value was read after `error`, or an error after a success (null).
[[noreturn]] SINEW_API void end_unchecked_read(const Error* error);
}  // namespace internal

/// A value or an Error; true if it holds a value. `value()`, `*` and `->` of an Error, and `error()` of a value, end
/// the program with a message. On a temporary Result, `value()` and `*` give an rvalue: functions that keep a reference
/// can refuse it at compile time.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T initial) : state_(std::in_place_index<0>, std::move(initial)) {}
  Result(Error initial) : state_(std::in_place_index<1>, std::move(initial)) {}

  explicit operator bool() const { return state_.index() == 0; }

  T& value() & { return const_cast<T&>(std::as_const(*this).value()); }
  const T& value() const& {
    if (const Error* error = std::get_if<1>(&state_)) internal::end_unchecked_read(error);
    return *std::get_if<0>(&state_);
  }
  T&& value() && { return std::move(value()); }
  const Error& error() const {
    if (*this) internal::end_unchecked_read(nullptr);
    return *std::get_if<1>(&state_);
  }

  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(value()); }

 private:
  std::variant<T, Error> state_;
};

/// Success or an Error; true on success. `error()` of a success ends the program with a message.
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Error initial) : error_(std::move(initial)), failed_(true) {}

  explicit operator bool() const { return !failed_; }
  const Error& error() const {
    if (!failed_) internal::end_unchecked_read(nullptr);
    return error_;
  }

 private:
  Error error_;
  bool failed_ = false;
};

}  // namespace sinew
