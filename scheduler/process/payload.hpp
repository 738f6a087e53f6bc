// One value of any movable type: what messages, inputs and completions carry. Two words are stored
// in place, larger or immovable-without-throwing ones on the heap. Moved, never copied.
//
// Threads: one at a time, as any plain object.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include <heddle/scheduler/sync/sync.hpp>

namespace heddle::inline HEDDLE_ON {

class Payload {
  static constexpr std::size_t room = 16;

  struct Type {
    std::size_t bytes;
    void (*move)(std::byte* to, std::byte* from) noexcept;  // null: the bytes are copied
    void (*destroy)(std::byte* at) noexcept;                // null: nothing to do
  };

  template <class T>
  static constexpr bool in_place =
      sizeof(T) <= room && alignof(T) <= alignof(void*) && std::is_nothrow_move_constructible_v<T>;

  template <class T>
  static T* address(std::byte* at) noexcept {
    if constexpr (in_place<T>)
      return std::launder(reinterpret_cast<T*>(at));
    else
      return *std::launder(reinterpret_cast<T**>(at));
  }
  template <class T>
  static void destroy_value(std::byte* at) noexcept {
    if constexpr (in_place<T>)
      address<T>(at)->~T();
    else
      delete address<T>(at);
  }
  template <class T>
  static void move_value(std::byte* to, std::byte* from) noexcept {
    ::new (static_cast<void*>(to)) T(std::move(*address<T>(from)));
    address<T>(from)->~T();
  }
  template <class T>
  static constexpr bool bytes_suffice = !in_place<T> || std::is_trivially_copyable_v<T>;

  template <class T>
  static constexpr Type type_of{
      sizeof(T), bytes_suffice<T> ? nullptr : &move_value<std::conditional_t<in_place<T>, T, int>>,
      in_place<T>&& std::is_trivially_destructible_v<T> ? nullptr : &destroy_value<T>};

 public:
  Payload() noexcept = default;
  template <class T>
  requires(!std::is_same_v<std::remove_cvref_t<T>, Payload>) Payload(T&& value) {
    using Value = std::decay_t<T>;
    if constexpr (in_place<Value>) {
      ::new (static_cast<void*>(storage_)) Value(std::forward<T>(value));
    } else {
      ::new (static_cast<void*>(storage_)) Value*(new Value(std::forward<T>(value)));
    }
    type_ = &type_of<Value>;
  }
  Payload(Payload&& other) noexcept { take_from(other); }
  Payload& operator=(Payload&& other) noexcept {
    if (this != &other) {
      reset();
      take_from(other);
    }
    return *this;
  }
  ~Payload() { reset(); }

  bool empty() const noexcept { return type_ == nullptr; }
  /// sizeof the value; 0 when empty. What a topic's byte budget counts unless the sender says else.
  std::size_t bytes() const noexcept { return type_ == nullptr ? 0 : type_->bytes; }

  /// The value, or null when it is of another type.
  template <class T>
  T* get() noexcept {
    return type_ == &type_of<T> ? address<T>(storage_) : nullptr;
  }
  template <class T>
  const T* get() const noexcept {
    return const_cast<Payload*>(this)->get<T>();
  }
  /// Moves the value out. Throws: std::logic_error when it is of another type.
  template <class T>
  T take() {
    T* const value = get<T>();
    if (value == nullptr) throw std::logic_error("heddle::Payload holds a value of another type");
    T result(std::move(*value));
    reset();
    return result;
  }

  void reset() noexcept {
    if (type_ == nullptr) return;
    if (type_->destroy != nullptr) type_->destroy(storage_);
    type_ = nullptr;
  }

 private:
  void take_from(Payload& other) noexcept {
    type_ = std::exchange(other.type_, nullptr);
    if (type_ == nullptr) return;
    if (type_->move == nullptr)
      std::memcpy(storage_, other.storage_, room);
    else
      type_->move(storage_, other.storage_);
  }

  const Type* type_ = nullptr;
  alignas(void*) std::byte storage_[room]{};
};

}  // namespace heddle::inline HEDDLE_ON
