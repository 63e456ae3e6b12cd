// Arrays cross the border without a copy: the element in C has the layout of the one in C++, field by field.
#pragma once

#include <cstddef>
#include <span>

#include "border.h"

namespace sinew::c {

/// The C++ element that has the layout of `T`.
template <class T>
struct SameLayout;

#define SINEW_SAME_LAYOUT(in_c, in_cpp)                                                \
  template <>                                                                          \
  struct SameLayout<in_c> {                                                            \
    using Type = in_cpp;                                                               \
    static_assert(sizeof(in_c) == sizeof(in_cpp) && alignof(in_c) == alignof(in_cpp)); \
  }
#define SINEW_SAME_FIELD(in_c, field_in_c, in_cpp, field_in_cpp)                \
  static_assert(offsetof(in_c, field_in_c) == offsetof(in_cpp, field_in_cpp) && \
                sizeof(decltype(in_c::field_in_c)) == sizeof(decltype(in_cpp::field_in_cpp)))

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
