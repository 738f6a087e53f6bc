// The value of an atomic object as the event core sees it: at most 16 bytes, padding cleared.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>

namespace heddle::sim::runtime {

struct value {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  friend constexpr bool operator==(const value&, const value&) = default;
};

template <class T>
concept storable = std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(value);

/// Bytes of `object` as a value. Padding is cleared, so that compare_exchange compares what C++20
/// says it compares: the value representation.
template <storable T>
value to_value(const T& object) noexcept {
  T copy = object;
#if defined(__GNUC__) && !defined(__clang__)
  if constexpr (!std::has_unique_object_representations_v<T> && !std::is_floating_point_v<T>) {
    __builtin_clear_padding(&copy);
  }
#endif
  value result;
  std::memcpy(static_cast<void*>(&result), std::addressof(copy), sizeof(T));
  return result;
}

template <storable T>
T from_value(const value& stored) noexcept {
  alignas(T) unsigned char bytes[sizeof(T)];
  std::memcpy(bytes, &stored, sizeof(T));
  return *std::launder(reinterpret_cast<T*>(bytes));
}

}  // namespace heddle::sim::runtime
