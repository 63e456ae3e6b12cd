// The border of the C interface: arguments come in, results and messages go out, no exception does.
//
// Each call is `return call(error, __func__, [&] { ... });`, or create() or query(), which are calls too. Inside, a
// wrong argument or a failed Result ends the call with refuse() or take(): an exception that only call() catches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "sinew/asset/result.h"
#include "sinew/c/base.h"

namespace sinew::c {

/// The end of a call, on its way to call().
struct Refusal {
  Error error;
  bool of_argument;  // the message does not name the function yet
};

/// Ends the call with SINEW_INVALID_ARGUMENT. `message` begins with the name of the argument.
[[noreturn]] void refuse(std::string message);
[[noreturn]] void refuse_unsupported(std::string message);

/// Fills the caller's error, if there is one, and returns its result.
SinewResult report(SinewError* out, const char* function, const Refusal& refusal) noexcept;
/// The same for the exception that is being handled. Memory that ran out, or a container that cannot have so many
/// elements, is SINEW_OUT_OF_MEMORY; an error of the system or its files SINEW_UNREADABLE; any other exception
/// SINEW_INVALID_DATA, with what it says.
SinewResult report_exception(SinewError* out, const char* function) noexcept;
SinewResult report_success(SinewError* out) noexcept;

template <class Body>
SinewResult call(SinewError* error, const char* function, const Body& body) noexcept {
  try {
    body();
    return report_success(error);
  } catch (const Refusal& refusal) {
    return report(error, function, refusal);
  } catch (...) {
    return report_exception(error, function);
  }
}

/// The value of a result, or the end of the call.
template <class T>
T take(Result<T>&& result) {
  if (!result) throw Refusal{result.error(), false};
  return std::move(result).value();
}
inline void check(const Status& status) {
  if (!status) throw Refusal{status.error(), false};
}

/// What a pointer points to; null ends the call.
template <class T>
T& required(T* pointer, const char* name) {
  if (pointer == nullptr) refuse(std::string(name) + " is null");
  return *pointer;
}

/// Copies a versioned struct of `given_size` bytes, which its first field says, into one of this version: `known_size`
/// bytes of zeros. Refuses sizes that cannot be right, and bytes of later versions that are not 0.
void read_struct(const void* given, void* known, size_t known_size, size_t alignment, const char* name);
/// The reverse, for a struct that the call fills. Later versions get zeros.
void write_struct(const void* known, size_t known_size, size_t alignment, void* given, const char* name);

/// The caller's struct as this version knows it. Null is all zeros.
template <class T>
T read_optional(const T* given, const char* name) {
  static_assert(std::is_trivially_copyable_v<T> && offsetof(T, size) == 0);
  T known = {};
  if (given != nullptr) read_struct(given, &known, sizeof known, alignof(T), name);
  return known;
}
template <class T>
T read(const T* given, const char* name) {
  return read_optional(&required(given, name), name);
}
/// Element `index` of an array of versioned structs, which all have the size of the first.
template <class T>
T read_element(const T* first, size_t index, const char* name) {
  const size_t stride = read(first, name).size;
  return read(reinterpret_cast<const T*>(reinterpret_cast<const char*>(first) + index * stride), name);
}
template <class T>
void write(const T& known, T* given, const char* name) {
  static_assert(std::is_trivially_copyable_v<T> && offsetof(T, size) == 0);
  write_struct(&known, sizeof known, alignof(T), &required(given, name), name);
}

/// A call that makes a handle, `make(*handle)`. Until that is done `*out` is null.
template <class Handle, class Make>
SinewResult create(Handle** out, SinewError* error, const char* function, const Make& make) noexcept {
  return call(error, function, [&] {
    required(out, "out") = nullptr;
    auto handle = std::make_unique<Handle>();
    make(*handle);
    *out = handle.release();
  });
}

/// A call that fills a versioned struct.
template <class T, class Fill>
SinewResult query(T* out, SinewError* error, const char* function, const Fill& fill) noexcept {
  return call(error, function, [&] {
    T known = SINEW_INIT(T);
    fill(known);
    write(known, out, "out");
  });
}

/// An array of the caller. Null is allowed if `count` is 0. A count is refused that no memory holds: sizes in bytes,
/// and ends of arrays, must not overflow.
template <class T>
std::span<T> array(T* data, size_t count, const char* name) {
  if (count > size_t(PTRDIFF_MAX) / sizeof(T))
    refuse(std::string(name) + " has " + std::to_string(count) + " elements, more than memory holds");
  if (data == nullptr && count > 0)
    refuse(std::string(name) + " is null, but has " + std::to_string(count) + " elements");
  return std::span(data, count);
}

/// Ends the call if the caller's array of `room` elements is too small.
inline void check_room(uint32_t room, size_t needed, const char* of) {
  if (room >= needed) return;
  refuse("count is " + std::to_string(room) + ", but there are " + std::to_string(needed) + " " + of);
}

/// Element `index` of a list, or the end of the call.
template <class List>
auto& element(List& list, uint32_t index, const char* kind) {
  const size_t count = std::size(list);
  if (index < count) return list[index];
  refuse("index " + std::to_string(index) + ": there " + (count == 1 ? "is 1 " : "are " + std::to_string(count) + " ") +
         kind + (count == 1 ? "" : "s"));
}

/// What a search by name has found, or the end of the call.
inline void put_found(std::optional<uint32_t> found, const char* owner, const char* kind, const char* name,
                      uint32_t* out) {
  if (!found) refuse(std::string("the ") + owner + " has no " + kind + " '" + name + "'");
  required(out, "out") = *found;
}

/// The value of an enumeration in C, which counts from 0, as one in C++.
template <class Value, size_t kCount>
Value choice(uint32_t given, const Value (&values)[kCount], const char* name) {
  if (given >= kCount)
    refuse(std::string(name) + " is " + std::to_string(given) + ", but at most " + std::to_string(kCount - 1));
  return values[given];
}

}  // namespace sinew::c
