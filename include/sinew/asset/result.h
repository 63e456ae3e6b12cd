// What a call that can fail returns: a value, or an error that names the file and the thing.
//
// Every call that can fail returns one, per-frame calls too. The stages of the exact evaluator, which cannot fail,
// assert their preconditions. No exception crosses the library's border, and the library never prints: the message is
// for the caller to show.
#pragma once

#include <cassert>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>

namespace sinew {

enum class ErrorCode : uint8_t {
  kInvalidArgument,  // the caller's own mistake
  kNotFound,         // no such file, clip or joint
  kUnreadable,       // there, but not a regular file, not permitted, or too large
  kInvalidData,      // read, but not what it claims to be
  kUnsupported,      // legal, but outside what the library does
  kOutOfMemory,      // of the host or of the device; nothing has changed unless the call says otherwise
  kDeviceLost,
  kDeviceFailure,  // any other failing Vulkan call
};

struct Error {
  ErrorCode code = ErrorCode::kInvalidArgument;
  std::string message;    // one line, without a full stop
  int32_t vk_result = 0;  // the VkResult behind it, or 0
};

/// A value or an Error. `value()` asserts success, `error()` asserts failure. The value of a temporary Result is a
/// temporary too, so that nothing that keeps a reference takes it by mistake.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return state_.index() == 0; }

  T& value() & { return assert(*this), *std::get_if<0>(&state_); }
  const T& value() const& { return assert(*this), *std::get_if<0>(&state_); }
  T&& value() && { return std::move(value()); }
  const Error& error() const { return assert(!*this), *std::get_if<1>(&state_); }

  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(value()); }

 private:
  std::variant<T, Error> state_;
};

/// Success, or an Error.
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Error error) : error_(std::move(error)), failed_(true) {}

  explicit operator bool() const { return !failed_; }
  const Error& error() const { return assert(failed_), error_; }

 private:
  Error error_;
  bool failed_ = false;
};

}  // namespace sinew
