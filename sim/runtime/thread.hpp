// sim::thread: a model thread, with std::thread's interface.
//
// Threads:  created and joined by model threads. Destroying a joinable one is reported as
//           unjoined_thread, where std::thread would call std::terminate.
#pragma once

#include <memory>
#include <new>
#include <tuple>
#include <type_traits>
#include <utility>

#include <heddle/sim/runtime/core.hpp>

namespace heddle::sim {

class thread {
 public:
  class id {
   public:
    id() = default;
    friend bool operator==(const id&, const id&) = default;
    friend auto operator<=>(const id&, const id&) = default;

   private:
    friend class thread;
    friend thread::id this_thread_id();
    explicit id(runtime::thread_id number) : number_(number + 1) {}
    runtime::thread_id number_ = 0;
  };

  thread() noexcept = default;
  template <class F>
  requires(!std::is_same_v<std::remove_cvref_t<F>, thread>) explicit thread(
      F&& f, source_location site = source_location::current()) {
    start(make_body(std::decay_t<F>(std::forward<F>(f))), site);
  }
  template <class F, class... Args>
  requires(sizeof...(Args) > 0 &&
           !(sizeof...(Args) == 1 && (std::is_same_v<std::remove_cvref_t<Args>, source_location> &&
                                      ...))) explicit thread(F&& f, Args&&... args) {
    start(make_body([call = std::decay_t<F>(std::forward<F>(f)),
                     held = std::make_tuple(std::decay_t<Args>(std::forward<Args>(
                         args))...)]() mutable { std::apply(std::move(call), std::move(held)); }),
          source_location::current());
  }
  thread(thread&& other) noexcept : number_(std::exchange(other.number_, none)) {}
  thread& operator=(thread&& other);
  ~thread();

  bool joinable() const noexcept { return number_ != none; }
  void join(source_location site = source_location::current());
  /// The thread goes on by itself; it must still end before the body's execution is complete.
  void detach(source_location site = source_location::current());
  id get_id() const noexcept { return joinable() ? id(number_) : id(); }
  void swap(thread& other) noexcept { std::swap(number_, other.number_); }
  static unsigned hardware_concurrency() noexcept { return 2; }

 private:
  static constexpr runtime::thread_id none = static_cast<runtime::thread_id>(-1);

  template <class F>
  static runtime::ThreadBody make_body(F f) {
    const auto run = [](void* object) {
      struct Destroyed {
        F& call;
        ~Destroyed() { std::destroy_at(&call); }
      } const held{*static_cast<F*>(object)};
      std::move(held.call)();
    };
    void* const memory =
        runtime::here("sim::thread", source_location{}).body_memory(sizeof(F), alignof(F));
    return {run, new (memory) F(std::move(f))};
  }

  void start(runtime::ThreadBody body, source_location site);

  runtime::thread_id number_ = none;
};

thread::id this_thread_id();

}  // namespace heddle::sim
