// Arrays cross the border without a copy: the element in C has the layout of the one in C++, field by field.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "border.h"
#include "sinew/asset/math.h"
#include "sinew/asset/parallel.h"

namespace sinew::c {

inline Vec3 vector_of(const float (&given)[3]) { return {given[0], given[1], given[2]}; }
inline void put(Vec3 from, float (&to)[3]) { to[0] = from.x, to[1] = from.y, to[2] = from.z; }

/// The numbers of vectors; null if there are none.
template <class Vector>
const float* floats_of(const std::vector<Vector>& values) {
  return values.empty() ? nullptr : &values.data()->x;
}

/// The host's parallel loop.
inline ParallelFor loop_of(const SinewParallelFor* given) {
  if (given == nullptr) return {};
  return {given->user_data, given->run};
}

/// The C++ element that has the layout of `T`.
template <class T>
struct SameLayout;

/// SINEW_SAME_LAYOUT(SinewPart, Part, first, second) compares all fields that it names, which have the same names in
/// both.
#define SINEW_SAME_LAYOUT(in_c, in_cpp, ...)                                           \
  template <>                                                                          \
  struct SameLayout<in_c> {                                                            \
    using Type = in_cpp;                                                               \
    static_assert(sizeof(in_c) == sizeof(in_cpp) && alignof(in_c) == alignof(in_cpp)); \
    SINEW_REPEAT(SINEW_SAME_FIELDS(in_c, in_cpp, __VA_ARGS__))                         \
  }
#define SINEW_SAME_FIELDS(in_c, in_cpp, field, ...)                                \
  static_assert(offsetof(in_c, field) == offsetof(in_cpp, field) &&                \
                sizeof(decltype(in_c::field)) == sizeof(decltype(in_cpp::field))); \
  __VA_OPT__(SINEW_MORE_FIELDS SINEW_NOTHING()()(in_c, in_cpp, __VA_ARGS__))
// A macro is not expanded in itself; each SINEW_REPEAT goes on with the next field, here of at most 27.
#define SINEW_NOTHING()
#define SINEW_MORE_FIELDS() SINEW_SAME_FIELDS
#define SINEW_REPEAT(...) SINEW_REPEAT_9(SINEW_REPEAT_9(SINEW_REPEAT_9(__VA_ARGS__)))
#define SINEW_REPEAT_9(...) SINEW_REPEAT_3(SINEW_REPEAT_3(SINEW_REPEAT_3(__VA_ARGS__)))
#define SINEW_REPEAT_3(...) SINEW_ONCE(SINEW_ONCE(SINEW_ONCE(__VA_ARGS__)))
#define SINEW_ONCE(...) __VA_ARGS__

/// The caller's array as one of C++. Null is allowed if `count` is 0.
template <class T>
auto array_as(const T* data, size_t count, const char* name) {
  using Same = typename SameLayout<T>::Type;
  return std::span(reinterpret_cast<const Same*>(array(data, count, name).data()), count);
}
template <class T>
auto array_as(T* data, size_t count, const char* name) {
  using Same = typename SameLayout<T>::Type;
  return std::span(reinterpret_cast<Same*>(array(data, count, name).data()), count);
}

/// The caller's element as one of C++.
template <class T>
auto* as_cpp(const T* element) {
  return reinterpret_cast<const typename SameLayout<T>::Type*>(element);
}

/// An array of C++, as the caller sees it.
template <class T>
const T* seen_as(const typename SameLayout<T>::Type* data) {
  return reinterpret_cast<const T*>(data);
}
template <class T>
T* seen_as(typename SameLayout<T>::Type* data) {
  return reinterpret_cast<T*>(data);
}

}  // namespace sinew::c
